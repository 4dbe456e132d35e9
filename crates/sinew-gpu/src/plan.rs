//! What is known of a model before it is packed: which geoms may touch, which tendons do something, and whether it has
//! anything that the kernels do not compute.

use crate::refusal::{Refusal, refuse};
use crate::sensor::{Sensors, is_sensed};
use sinew_dynamics::jacobian::{Moves, for_each_dof_of_pair};
use sinew_dynamics::row::contact::Friction;
use sinew_engine::is_sparse;
use sinew_engine::position::contact::candidates::{Candidate, candidates};
use sinew_engine::velocity::passive::fluid::{
    body_geoms, box_of, has_fluid, semi_axes, uses_ellipsoids,
};
use sinew_engine::velocity::passive::gravcomp;
use sinew_kernels::contact::Shapes;
use sinew_kernels::stages::STAGES;
use sinew_math::MIN_VALUE;
use sinew_model::Model;
use sinew_model::kinds::{
    BiasType, Cone, DisableFlag, DynamicsType, EnableFlag, EqualityType, GainType, GeomType,
    Integrator, JointType, Solver, TransmissionType, WrapType,
};
use sinew_model::view::Tree;

/// Flags with which kernels would compute something else. What disable flags switch off is taken out of the model, or looked up.
const ENABLE_FLAGS: [(EnableFlag, Refusal); 2] = [
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
    /// Whether no contact has rows, because nothing moves either geom.
    pub is_fixed: bool,
    /// Whether somebody asks for contacts without rows that it may have.
    pub lists_all: bool,
}

/// A tendon that does something.
#[derive(Default)]
pub(crate) struct Cord {
    pub tendon: usize,
    /// Whether it has more than limits, a spring and a damper.
    pub is_general: bool,
    /// Whether it is a string through sites; then nothing below is known.
    pub is_spatial: bool,
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
    /// Whether bodies stick to what they touch.
    pub adheres: bool,
    pub cords: Vec<Cord>,
    pub has_damping: bool,
    pub is_implicit: bool,
    /// How often all kernels run in a step.
    pub stages: usize,
    /// Bodies whose weight is compensated, and the forces for it.
    pub lifts: Vec<(usize, [f64; 3])>,
    pub swimmers: Vec<Swimmer>,
    /// Whether plain kernels do not do.
    pub is_general: bool,
}

impl Plan {
    /// The plan for a model, or why there is none.
    pub fn new(model: &Model, sensors: &Sensors) -> Result<Self, Refusal> {
        check_options(model)?;
        check_objects(model)?;
        let cords = cords(model);
        let tree = &Tree::from(model);
        let found = match has_contacts(model) {
            true => candidates(model),
            false => Vec::new(),
        };
        let acts = model.opt.disableflags & DisableFlag::Actuation.code() == 0;
        let adheres = acts && (0..model.nu).any(|i| is_adhesion(model, i));
        let wants_all = adheres || sensors.list_contacts();
        let mut pairs = Vec::new();
        for candidate in found {
            let is_fixed = candidate.bodies.map(|body| model.body_weldid[body]) == [0; 2];
            // Nobody asks for contacts of geoms of which none moves.
            if !is_fixed || wants_all {
                pairs.extend(pair(model, tree, candidate, wants_all)?);
            }
        }
        let is_rk = model.opt.integrator == Integrator::Rk4.code();
        let is_damped = model.opt.disableflags & DisableFlag::Eulerdamp.code() == 0 && !is_rk;
        let (lifts, swimmers) = (lifts(model), swimmers(model));
        let has_forces = !lifts.is_empty() || !swimmers.is_empty();
        let has_cords = cords.iter().any(|cord| cord.is_general);
        let has_drives = (0..model.nu).any(|i| is_general_drive(model, i));
        Ok(Plan {
            lifts,
            swimmers,
            is_general: has_forces || has_cords || has_drives,
            pairs,
            adheres,
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
    refuse(opt.solver == Solver::Pgs.code(), Refusal::Solver)?;
    refuse(opt.noslip_iterations > 0, Refusal::Noslip)?;
    let integrator = Integrator::from_code(opt.integrator);
    refuse(integrator == Some(Integrator::Implicit), Refusal::Implicit)?;
    refuse(model.nv == 0, Refusal::NothingMoves)
}

/// Whether a model is solved by conjugate gradients.
pub(crate) fn is_conjugate(model: &Model) -> bool {
    model.opt.solver == Solver::Cg.code()
}

fn check_objects(model: &Model) -> Result<(), Refusal> {
    refuse(model.nhistory > 0, Refusal::Delays)?;
    refuse(model.nplugin > 0, Refusal::Plugins)?;
    refuse(!model.laws().is_empty(), Refusal::Laws)?;
    refuse(model.nflex > 0, Refusal::Flexes)?;
    (0..model.nu).try_for_each(|i| check_actuator(model, i))
}

/// Whether an actuator pulls a body towards what it touches.
fn is_adhesion(model: &Model, i: usize) -> bool {
    model.actuator_trntype[i] == TransmissionType::Body.code()
}

/// Actuators that need no code of the user.
fn check_actuator(model: &Model, i: usize) -> Result<(), Refusal> {
    refuse(model.actuator_actnum[i] > 1, Refusal::ManyActivations)?;
    let dynamics = DynamicsType::from_code(model.actuator_dyntype[i]);
    refuse(dynamics == Some(DynamicsType::User), Refusal::Activation)?;
    let gain = GainType::from_code(model.actuator_gaintype[i]);
    refuse(gain == Some(GainType::User), Refusal::Gain)?;
    let bias = BiasType::from_code(model.actuator_biastype[i]);
    refuse(bias == Some(BiasType::User), Refusal::Bias)
}

/// How two types of geoms, in their order, touch; nothing if they never do.
pub(crate) fn shapes(model: &Model, kinds: [GeomType; 2]) -> Result<Option<Shapes>, Refusal> {
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

fn pair(
    model: &Model,
    tree: &Tree<'_>,
    candidate: Candidate,
    wants_all: bool,
) -> Result<Option<Pair>, Refusal> {
    let kind = |geom: usize| GeomType::from_code(model.geom_type[geom]).unwrap_or(GeomType::None);
    let Some(shapes) = shapes(model, candidate.geoms.map(kind))? else {
        return Ok(None);
    };
    let mut moves_one = false;
    for_each_dof_of_pair(tree, candidate.bodies, |_, moves| {
        moves_one |= moves != Moves::Both;
    });
    let is_fixed = candidate.bodies.map(|body| model.body_weldid[body]) == [0; 2];
    refuse(!moves_one && !is_fixed, Refusal::InnerContacts)?;
    let dim = candidate.parameters.dim as usize;
    let friction = match dim {
        1 => Friction::None,
        _ if model.opt.cone == Cone::Pyramidal.code() => Friction::Pyramidal(dim),
        _ => Friction::Elliptic(dim),
    };
    let [first, second] = candidate.bodies.map(|body| model.body_invweight0[body][0]);
    let has_gap = candidate.margin != candidate.parameters.includemargin;
    Ok(Some(Pair {
        candidate,
        shapes,
        friction,
        weight: first + second,
        is_fixed,
        lists_all: wants_all && (has_gap || is_fixed),
    }))
}

/// Whether an actuator acts on a tendon.
fn is_actuated(model: &Model, tendon: usize) -> bool {
    let acts = |i: usize| {
        model.actuator_trntype[i] == TransmissionType::Tendon.code()
            && model.actuator_trnid[i][0] as usize == tendon
    };
    (0..model.nu).any(acts)
}

/// Whether an equality has to do with a tendon.
fn is_coupled(model: &Model, tendon: usize) -> bool {
    let tendon = tendon as i32;
    let couples = |i: usize| {
        model.eq_type[i] == EqualityType::Tendon.code()
            && (model.eq_obj1id[i] == tendon || model.eq_obj2id[i] == tendon)
    };
    (0..model.neq).any(couples)
}

/// Whether an actuator has more than a hinge or slide with a constant or affine law.
fn is_general_drive(model: &Model, i: usize) -> bool {
    let kind = TransmissionType::from_code(model.actuator_trntype[i]);
    let is_joint = matches!(
        kind,
        Some(TransmissionType::Joint | TransmissionType::Jointinparent)
    );
    let is_axis = || {
        let joint = JointType::from_code(model.jnt_type[model.actuator_trnid[i][0] as usize]);
        matches!(joint, Some(JointType::Hinge | JointType::Slide))
    };
    let is_muscle = model.actuator_dyntype[i] == DynamicsType::Muscle.code()
        || model.actuator_gaintype[i] == GainType::Muscle.code()
        || model.actuator_biastype[i] == BiasType::Muscle.code();
    !is_joint || !is_axis() || is_muscle || is_off(model, i)
}

/// Whether the group of an actuator is switched off.
pub(crate) fn is_off(model: &Model, i: usize) -> bool {
    let group = model.actuator_group[i];
    (0..=30).contains(&group) && model.opt.disableactuator & (1 << group) != 0
}

/// Whether there is nothing that springs and dampers being switched off would switch off as well.
fn has_passive(model: &Model) -> bool {
    let both = DisableFlag::Spring.code() | DisableFlag::Damper.code();
    model.opt.disableflags & both != both
}

/// Bodies whose weight is compensated, and the forces for it.
fn lifts(model: &Model) -> Vec<(usize, [f64; 3])> {
    if !has_passive(model) || !gravcomp::is_active(model) {
        return Vec::new();
    }
    let has_share = |&body: &usize| model.body_gravcomp[body] != 0.0;
    let force = |body: usize| {
        let weight = model.body_mass[body] * model.body_gravcomp[body];
        (body, (model.opt.gravity * -weight).0)
    };
    (1..model.nbody).filter(has_share).map(force).collect()
}

/// A body, or a geom of it, that a fluid acts on.
pub(crate) struct Swimmer {
    pub body: usize,
    pub geom: Option<usize>,
    pub size: [f64; 3],
    pub interaction: [f64; 12],
}

/// What a fluid acts on, in the order in which forces are added up.
fn swimmers(model: &Model) -> Vec<Swimmer> {
    let mut out = Vec::new();
    if !has_passive(model) || !has_fluid(model) {
        return out;
    }
    for body in 0..model.nbody {
        if model.body_mass[body] < MIN_VALUE {
            continue;
        }
        if !uses_ellipsoids(model, body) {
            out.push(Swimmer {
                body,
                geom: None,
                size: box_of(model, body),
                interaction: [0.0; 12],
            });
            continue;
        }
        let acts = |&geom: &usize| model.geom_fluid[geom][0] != 0.0;
        out.extend(body_geoms(model, body).filter(acts).map(|geom| Swimmer {
            body,
            geom: Some(geom),
            size: semi_axes(model, geom),
            interaction: model.geom_fluid[geom],
        }));
    }
    out
}

/// Tendons that do something.
fn cords(model: &Model) -> Vec<Cord> {
    let mut all = Vec::new();
    let is_sparse = is_sparse(model);
    for tendon in 0..model.ntendon {
        let start = model.tendon_adr[tendon] as usize;
        let is_fixed = model.wrap_type[start] == WrapType::Joint.code();
        let has_armature = model.tendon_armature[tendon] != 0.0;
        let has_force =
            model.tendon_stiffness[tendon] != 0.0 || model.tendon_damping[tendon] != 0.0;
        let is_limited = model.tendon_limited[tendon] != 0;
        let has_friction = model.tendon_frictionloss[tendon] != 0.0;
        let is_used =
            is_actuated(model, tendon) || is_coupled(model, tendon) || is_sensed(model, tendon);
        if !(is_limited || has_force || has_armature || has_friction || is_used) {
            continue;
        }
        if !is_fixed {
            all.push(Cord {
                tendon,
                is_general: true,
                is_spatial: true,
                ..Cord::default()
            });
            continue;
        }
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
        if !columns.is_empty() || is_used {
            all.push(Cord {
                tendon,
                is_general: has_armature || has_friction || is_used,
                is_spatial: false,
                terms,
                columns,
                entries,
                derivative: damping_derivative(model, tendon, &row),
            });
        }
    }
    all
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
