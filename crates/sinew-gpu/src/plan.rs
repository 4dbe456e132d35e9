//! What is known of a model before it is packed: which geoms may touch, which tendons do something, and whether it has
//! anything that the kernels do not compute.

use crate::refusal::{Refusal, refuse};
use sinew_dynamics::jacobian::{Moves, for_each_dof_of_pair};
use sinew_dynamics::row::contact::Friction;
use sinew_engine::is_sparse;
use sinew_engine::position::contact::candidates::{Candidate, candidates};
use sinew_kernels::contact::Shapes;
use sinew_kernels::newton::parts::{LARGEST_BLOCK, MOST_BLOCKS};
use sinew_kernels::scene::MOST_DOFS;
use sinew_kernels::stages::STAGES;
use sinew_model::Model;
use sinew_model::kinds::{
    BiasType, Cone, DisableFlag, DynamicsType, EnableFlag, EqualityType, GainType, GeomType,
    Integrator, JointType, Solver, TransmissionType, WrapType,
};
use sinew_model::view::Tree;

/// Flags with which kernels would compute something else. What disable flags switch off is taken out of the model, or looked up.
const ENABLE_FLAGS: [(EnableFlag, Refusal); 3] = [
    (EnableFlag::Override, Refusal::EnabledOverride),
    (EnableFlag::Multiccd, Refusal::EnabledManyContacts),
    (EnableFlag::Sleep, Refusal::EnabledSleep),
];

/// Two geoms that may touch, with what the rows of their contacts have in common.
pub(crate) struct Pair {
    pub candidate: Candidate,
    pub shapes: Shapes,
    pub friction: Friction,
    /// Inverse weights of both bodies.
    pub weight: f64,
}

/// A fixed tendon with limits, a spring or a damper.
pub(crate) struct Cord {
    pub tendon: usize,
    /// Addresses of positions and their coefficients, in the order in which the length is added up.
    pub terms: Vec<(usize, f64)>,
    /// Degrees of freedom, ascending, and their entries.
    pub columns: Vec<i32>,
    pub entries: Vec<f64>,
    /// What its damper adds to the derivative of forces by velocity: entries in the layout of M.
    pub derivative: Vec<(usize, f64)>,
}

/// What kernels have to know of a model beforehand.
pub(crate) struct Plan {
    pub pairs: Vec<Pair>,
    pub cords: Vec<Cord>,
    pub has_damping: bool,
    pub is_implicit: bool,
    /// How often all kernels run in a step.
    pub stages: usize,
}

impl Plan {
    /// The plan for a model, or why there is none.
    pub fn new(model: &Model) -> Result<Self, Refusal> {
        check_options(model)?;
        check_objects(model)?;
        let cords = cords(model)?;
        let tree = &Tree::from(model);
        let found = match has_contacts(model) {
            true => candidates(model).ok_or(Refusal::ManyGeoms)?,
            false => Vec::new(),
        };
        let mut pairs = Vec::new();
        for candidate in found {
            let [first, second] = candidate.bodies;
            if model.body_weldid[first] == 0 && model.body_weldid[second] == 0 {
                continue;
            }
            pairs.extend(pair(model, tree, candidate)?);
        }
        let is_rk = model.opt.integrator == Integrator::Rk4.code();
        let is_damped = model.opt.disableflags & DisableFlag::Eulerdamp.code() == 0 && !is_rk;
        Ok(Plan {
            pairs,
            cords,
            has_damping: is_damped && model.dof_damping.iter().any(|&b| b > 0.0),
            is_implicit: model.opt.integrator == Integrator::Implicitfast.code(),
            stages: if is_rk { STAGES } else { 1 },
        })
    }
}

fn has_contacts(model: &Model) -> bool {
    let flags = DisableFlag::Constraint.code() | DisableFlag::Contact.code();
    model.opt.disableflags & flags == 0
}

fn check_options(model: &Model) -> Result<(), Refusal> {
    let opt = &model.opt;
    for (flag, reason) in ENABLE_FLAGS {
        refuse(opt.enableflags & flag.code() != 0, reason)?;
    }
    refuse(opt.solver != Solver::Newton.code(), Refusal::Solver)?;
    refuse(opt.noslip_iterations > 0, Refusal::Noslip)?;
    let integrator = Integrator::from_code(opt.integrator);
    refuse(integrator == Some(Integrator::Implicit), Refusal::Implicit)?;
    refuse(model.nv == 0, Refusal::NothingMoves)?;
    refuse(has_large_hessian(model), Refusal::ManyDofs)?;
    refuse(opt.density != 0.0 || opt.viscosity != 0.0, Refusal::Fluid)
}

/// Whether rows may tie more degrees of freedom together than a full Hessian has, in trees too large to be blocks of one.
fn has_large_hessian(model: &Model) -> bool {
    let is_large = |&dofs: &i32| dofs as usize > LARGEST_BLOCK;
    let has_blocks = !model.tree_dofnum.iter().any(is_large) && model.ntree <= MOST_BLOCKS;
    model.nv > MOST_DOFS && !has_blocks
}

fn check_objects(model: &Model) -> Result<(), Refusal> {
    let has_gravcomp = model.body_gravcomp.iter().any(|&g| g != 0.0);
    refuse(has_gravcomp, Refusal::GravityCompensation)?;
    refuse(model.nhistory > 0, Refusal::Delays)?;
    refuse(model.nplugin > 0, Refusal::Plugins)?;
    refuse(!model.laws().is_empty(), Refusal::Laws)?;
    refuse(model.nflex > 0, Refusal::Flexes)?;
    for &kind in &model.eq_type {
        let is_known = matches!(
            EqualityType::from_code(kind),
            Some(EqualityType::Connect | EqualityType::Weld | EqualityType::Joint)
        );
        refuse(!is_known, Refusal::TendonEqualities)?;
    }
    refuse(
        model.opt.disableactuator != 0,
        Refusal::SwitchedOffActuators,
    )?;
    (0..model.nu).try_for_each(|i| check_actuator(model, i))
}

/// Actuators on hinges and slides with constant or affine laws.
fn check_actuator(model: &Model, i: usize) -> Result<(), Refusal> {
    let is_joint = matches!(
        TransmissionType::from_code(model.actuator_trntype[i]),
        Some(TransmissionType::Joint | TransmissionType::Jointinparent)
    );
    refuse(!is_joint, Refusal::Transmission)?;
    let joint = JointType::from_code(model.jnt_type[model.actuator_trnid[i][0] as usize]);
    let is_axis = matches!(joint, Some(JointType::Hinge | JointType::Slide));
    refuse(!is_axis, Refusal::TurningTransmission)?;
    refuse(model.actuator_actnum[i] > 1, Refusal::ManyActivations)?;
    let dynamics = DynamicsType::from_code(model.actuator_dyntype[i]);
    refuse(
        matches!(dynamics, Some(DynamicsType::Muscle | DynamicsType::User)),
        Refusal::Activation,
    )?;
    let gain = GainType::from_code(model.actuator_gaintype[i]);
    refuse(
        !matches!(gain, Some(GainType::Fixed | GainType::Affine)),
        Refusal::Gain,
    )?;
    let bias = BiasType::from_code(model.actuator_biastype[i]);
    refuse(
        !matches!(bias, Some(BiasType::None | BiasType::Affine)),
        Refusal::Bias,
    )
}

/// How two types of geoms, in their order, touch; nothing if they never do.
fn shapes(model: &Model, kinds: [GeomType; 2]) -> Result<Option<Shapes>, Refusal> {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sdf, Sphere};
    let shapes = match kinds {
        [Plane, Sphere] => Shapes::PlaneSphere,
        [Plane, Capsule] => Shapes::PlaneCapsule,
        [Plane, Cylinder] => Shapes::PlaneCylinder,
        [Plane, Box] => Shapes::PlaneBox,
        [Sphere, Sphere] => Shapes::SphereSphere,
        [Sphere, Capsule] => Shapes::SphereCapsule,
        [Sphere, Cylinder] => Shapes::SphereCylinder,
        [Sphere, Box] => Shapes::SphereBox,
        [Capsule, Capsule] => Shapes::CapsuleCapsule,
        [Capsule, Box] => Shapes::CapsuleBox,
        [Box, Box] => Shapes::BoxBox,
        [Plane | Hfield, Plane | Hfield] | [_, Sdf] => return Ok(None),
        [Plane, Ellipsoid] => Shapes::PlaneEllipsoid,
        [Plane, Mesh] => Shapes::PlaneMesh,
        [
            Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh,
            Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh,
        ] => Shapes::Convex,
        [Hfield, Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh] => Shapes::FieldConvex,
        _ => return Ok(None),
    };
    let is_old = model.opt.disableflags & DisableFlag::Nativeccd.code() != 0;
    let is_convex = matches!(shapes, Shapes::Convex | Shapes::FieldConvex);
    refuse(is_convex && is_old, Refusal::OldConvex)?;
    Ok(Some(shapes))
}

fn pair(model: &Model, tree: &Tree<'_>, candidate: Candidate) -> Result<Option<Pair>, Refusal> {
    let kind = |geom: usize| GeomType::from_code(model.geom_type[geom]).unwrap_or(GeomType::None);
    let Some(shapes) = shapes(model, candidate.geoms.map(kind))? else {
        return Ok(None);
    };
    let mut moves_one = false;
    for_each_dof_of_pair(tree, candidate.bodies, |_, moves| {
        moves_one |= moves != Moves::Both;
    });
    refuse(!moves_one, Refusal::InnerContacts)?;
    let dim = candidate.parameters.dim as usize;
    let friction = match dim {
        1 => Friction::None,
        _ if model.opt.cone == Cone::Pyramidal.code() => Friction::Pyramidal(dim),
        _ => Friction::Elliptic(dim),
    };
    let [first, second] = candidate.bodies.map(|body| model.body_invweight0[body][0]);
    Ok(Some(Pair {
        candidate,
        shapes,
        friction,
        weight: first + second,
    }))
}

/// Fixed tendons that do something; others must do nothing.
fn cords(model: &Model) -> Result<Vec<Cord>, Refusal> {
    let mut all = Vec::new();
    let is_sparse = is_sparse(model);
    for tendon in 0..model.ntendon {
        refuse(
            model.tendon_armature[tendon] != 0.0 || model.tendon_frictionloss[tendon] != 0.0,
            Refusal::TendonInertia,
        )?;
        let has_force =
            model.tendon_stiffness[tendon] != 0.0 || model.tendon_damping[tendon] != 0.0;
        if model.tendon_limited[tendon] == 0 && !has_force {
            continue;
        }
        let start = model.tendon_adr[tendon] as usize;
        let is_fixed = model.wrap_type[start] == WrapType::Joint.code();
        refuse(!is_fixed, Refusal::SpatialTendons)?;
        let mut terms = Vec::new();
        let mut row = vec![0.0; model.nv];
        let mut is_listed = vec![false; model.nv];
        for k in start..start + model.tendon_num[tendon] as usize {
            let joint = model.wrap_objid[k] as usize;
            terms.push((model.jnt_qposadr[joint] as usize, model.wrap_prm[k]));
            let dof = model.jnt_dofadr[joint] as usize;
            // A joint that is there twice.
            row[dof] = match is_sparse && is_listed[dof] {
                true => row[dof] + model.wrap_prm[k],
                false => model.wrap_prm[k],
            };
            is_listed[dof] = true;
        }
        let columns: Vec<i32> = (0..model.nv)
            .filter(|&dof| row[dof] != 0.0 || is_sparse && is_listed[dof])
            .map(|dof| dof as i32)
            .collect();
        let entries = columns.iter().map(|&dof| row[dof as usize]).collect();
        if !columns.is_empty() {
            all.push(Cord {
                tendon,
                terms,
                columns,
                entries,
                derivative: damping_derivative(model, tendon, &row),
            });
        }
    }
    Ok(all)
}

/// −b·jᵀj for the damping b of a tendon with Jacobian j, in the layout of M, as the engine adds it up.
fn damping_derivative(model: &Model, tendon: usize, row: &[f64]) -> Vec<(usize, f64)> {
    let damping = model.tendon_damping[tendon];
    let mut entries = Vec::new();
    for (k, &at_k) in row.iter().enumerate() {
        let start = model.M_rowadr[k] as usize;
        for entry in start..start + model.M_rownnz[k] as usize {
            let slope = row[model.M_colind[entry] as usize] * (at_k * -damping);
            if slope != 0.0 {
                entries.push((entry, slope));
            }
        }
    }
    entries
}
