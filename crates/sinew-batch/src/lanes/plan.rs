//! Whether worlds of a model can be computed side by side, and what is known about them beforehand.

use super::island::{TreeSet, trees_of};
use super::solve::Way;
use sinew_dynamics::jacobian::{Moves, columns_of_pair};
use sinew_dynamics::row::contact::Friction;
use sinew_engine::is_sparse;
use sinew_engine::position::contact::candidates::{Candidate, candidates, has_volumes};
use sinew_engine::velocity::passive::fluid;
use sinew_math::Real;
use sinew_model::Model;
use sinew_model::kinds::{
    BiasType, Cone, DisableFlag, DynamicsType, EnableFlag, EqualityType, GainType, GeomType,
    Integrator, JointType, Solver, TransmissionType, WrapType,
};
use sinew_model::view::Tree;
use std::borrow::Cow;

/// Degrees of freedom up to which the solver of one world keeps a dense Hessian.
const MOST_DOFS: usize = 60;

/// What lanes do with a disable flag: those that are listed.
const KNOWN_FLAGS: [DisableFlag; 10] = [
    DisableFlag::Warmstart,
    DisableFlag::Island,
    DisableFlag::Filterparent,
    DisableFlag::Clampctrl,
    DisableFlag::Refsafe,
    DisableFlag::Sensor,
    DisableFlag::Midphase,
    DisableFlag::Eulerdamp,
    DisableFlag::Autoreset,
    DisableFlag::Nativeccd,
];

/// A geom pair, with what its contacts' rows have in common.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub candidate: Candidate,
    pub kinds: [GeomType; 2],
    /// Whether contacts of these geoms are found in lanes.
    pub is_primitive: bool,
    /// Degrees of freedom that move the bodies against each other, and which body each moves.
    pub columns: Vec<i32>,
    pub moves: Vec<Moves>,
    /// The same degrees of freedom, a bit each, and their trees.
    pub column_set: u64,
    pub trees: TreeSet,
    pub friction: Friction,
    /// Inverse weights of both bodies.
    pub weight: f64,
}

/// A fixed tendon with limits, a spring or a damper.
#[derive(Clone, Debug)]
pub(super) struct Cord {
    pub tendon: usize,
    /// Addresses of positions and their coefficients, in the order in which the length is added up.
    pub terms: Vec<(usize, f64)>,
    /// Degrees of freedom, ascending, and their entries.
    pub columns: Vec<i32>,
    pub entries: Vec<f64>,
    /// What its damper adds to the derivative of forces by velocity: entries in the layout of M.
    pub derivative: Vec<(usize, f64)>,
}

impl Cord {
    #[inline(always)]
    pub fn length<T: Real>(&self, qpos: &[T]) -> T {
        let mut length = T::ZERO;
        for &(address, coefficient) in &self.terms {
            length += T::from_f64(coefficient) * qpos[address];
        }
        length
    }
}

/// What is known of a model before any step.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub pairs: Vec<Pair>,
    pub cords: Vec<Cord>,
    /// Whether steps of Euler's rule are damped where a degree of freedom is, and whether one is.
    pub is_damping_implicit: bool,
    pub has_damping: bool,
    pub integrator: Integrator,
    pub way: Way,
}

/// Why a model is computed one world at a time.
pub(crate) type Reason = Cow<'static, str>;

impl Plan {
    /// The plan for a model, or why there is none.
    pub fn new(model: &Model) -> Result<Self, Reason> {
        let timestep = model.opt.timestep;
        let is_wrong = !(timestep > 0.0 && timestep.is_finite()) || model.check_masses().is_err();
        refuse(is_wrong, "numbers that make no sense")?;
        check_options(model)?;
        check_objects(model)?;
        let tree = &Tree::from(model);
        refuse(has_volumes(model), "bodies with many geoms")?;
        let mut pairs = Vec::new();
        for candidate in candidates(model) {
            let [first, second] = candidate.bodies;
            if model.body_weldid[first] == 0 && model.body_weldid[second] == 0 {
                continue;
            }
            pairs.push(pair(model, tree, candidate)?);
        }
        let is_damped = model.opt.disableflags & DisableFlag::Eulerdamp.code() == 0;
        Ok(Plan {
            pairs,
            cords: cords(model)?,
            integrator: integrator(model)?,
            way: way(model),
            is_damping_implicit: is_damped,
            has_damping: is_damped && model.dof_damping.iter().any(|&b| b > 0.0),
        })
    }
}

/// How constraint forces are found: in all lanes where that is one problem for one method.
fn way(model: &Model) -> Way {
    let opt = &model.opt;
    let has_islands = opt.disableflags & DisableFlag::Island.code() == 0;
    let is_pyramidal = opt.cone == Cone::Pyramidal.code();
    match Solver::from_code(opt.solver) {
        _ if opt.noslip_iterations > 0 => Way::Alone,
        Some(Solver::Newton) if model.ntree == 1 => Way::Newton,
        Some(Solver::Newton) if has_islands => Way::NewtonByIsland,
        Some(Solver::Pgs) if is_pyramidal => Way::GaussSeidel,
        _ => Way::Alone,
    }
}

fn integrator(model: &Model) -> Result<Integrator, Reason> {
    match Integrator::from_code(model.opt.integrator) {
        Some(Integrator::Implicit) => Err("the integrator `implicit`".into()),
        Some(rule @ (Integrator::Euler | Integrator::Rk4 | Integrator::Implicitfast)) => Ok(rule),
        None => Ok(Integrator::Euler),
    }
}

fn refuse(is_refused: bool, reason: &'static str) -> Result<(), Reason> {
    if is_refused {
        Err(reason.into())
    } else {
        Ok(())
    }
}

fn check_options(model: &Model) -> Result<(), Reason> {
    let opt = &model.opt;
    let known: i32 = KNOWN_FLAGS.iter().map(|flag| flag.code()).sum();
    refuse(
        opt.disableflags & !known != 0,
        "a disabled part of the physics",
    )?;
    let known = EnableFlag::Energy.code();
    refuse(opt.enableflags & !known != 0, "an enabled option")?;
    refuse(model.nv == 0, "nothing that moves")?;
    refuse(
        model.nv > MOST_DOFS || is_sparse(model),
        "a sparse Jacobian",
    )?;
    let is_implicit = opt.integrator == Integrator::Implicitfast.code();
    refuse(
        is_implicit && fluid::has_fluid(model),
        "a fluid with the integrator `implicitfast`",
    )
}

fn check_objects(model: &Model) -> Result<(), Reason> {
    refuse(model.nhistory > 0, "delays")?;
    refuse(model.nplugin > 0, "plugins")?;
    refuse(model.nflex > 0, "flexes")?;
    refuse(!model.laws().is_empty(), "laws of its own")?;
    for &kind in &model.eq_type {
        let kind = EqualityType::from_code(kind);
        let is_known = matches!(
            kind,
            Some(EqualityType::Connect | EqualityType::Weld | EqualityType::Joint)
        );
        refuse(!is_known, "equalities of tendons")?;
    }
    refuse(model.opt.disableactuator != 0, "switched off actuators")?;
    (0..model.nu).try_for_each(|i| check_actuator(model, i))
}

/// Actuators on hinges and slides with constant or affine laws.
fn check_actuator(model: &Model, i: usize) -> Result<(), Reason> {
    let kind = TransmissionType::from_code(model.actuator_trntype[i]);
    let is_joint = matches!(
        kind,
        Some(TransmissionType::Joint | TransmissionType::Jointinparent)
    );
    refuse(!is_joint, "actuators on other things than joints")?;
    let joint = JointType::from_code(model.jnt_type[model.actuator_trnid[i][0] as usize]);
    let is_axis = matches!(joint, Some(JointType::Hinge | JointType::Slide));
    refuse(!is_axis, "actuators on ball and free joints")?;
    let gain = GainType::from_code(model.actuator_gaintype[i]);
    refuse(
        !matches!(gain, Some(GainType::Fixed | GainType::Affine)),
        "muscles or gains of user code",
    )?;
    let dynamics = DynamicsType::from_code(model.actuator_dyntype[i]);
    refuse(
        matches!(dynamics, Some(DynamicsType::Muscle | DynamicsType::User)),
        "muscles or activations of user code",
    )?;
    refuse(
        model.actuator_actnum[i] > 1,
        "actuators with several activations",
    )?;
    let bias = BiasType::from_code(model.actuator_biastype[i]);
    refuse(
        !matches!(bias, Some(BiasType::None | BiasType::Affine)),
        "muscles or biases of user code",
    )
}

fn pair(model: &Model, tree: &Tree<'_>, candidate: Candidate) -> Result<Pair, Reason> {
    use GeomType::{Box, Capsule, Cylinder, Plane, Sphere};
    let kind = |geom: usize| GeomType::from_code(model.geom_type[geom]).unwrap_or(Box);
    let kinds = candidate.geoms.map(kind);
    let is_primitive = matches!(
        kinds,
        [Plane, Sphere | Capsule | Cylinder | Box]
            | [Sphere, Sphere | Capsule | Cylinder | Box]
            | [Capsule, Capsule]
    );
    let mut columns = vec![0; model.nv];
    let mut moves = vec![Moves::Both; model.nv];
    let wanted = |moves: Moves| moves != Moves::Both;
    let start = columns_of_pair(tree, candidate.bodies, wanted, &mut columns, &mut moves);
    columns.drain(..start);
    moves.drain(..start);
    refuse(columns.is_empty(), "contacts within one body")?;
    let dim = candidate.parameters.dim as usize;
    let friction = match dim {
        1 => Friction::None,
        _ if model.opt.cone == Cone::Pyramidal.code() => Friction::Pyramidal(dim),
        _ => Friction::Elliptic(dim),
    };
    let [first, second] = candidate.bodies.map(|body| model.body_invweight0[body][0]);
    let column_set = columns.iter().fold(0, |set, column| set | 1 << column);
    let trees = trees_of(model, &columns);
    Ok(Pair {
        candidate,
        kinds,
        is_primitive,
        columns,
        moves,
        column_set,
        trees,
        friction,
        weight: first + second,
    })
}

/// Fixed tendons that do something; others must do nothing.
fn cords(model: &Model) -> Result<Vec<Cord>, Reason> {
    let mut all = Vec::new();
    for tendon in 0..model.ntendon {
        refuse(
            model.tendon_armature[tendon] != 0.0 || model.tendon_frictionloss[tendon] != 0.0,
            "tendons with inertia or friction",
        )?;
        let has_force =
            model.tendon_stiffness[tendon] != 0.0 || model.tendon_damping[tendon] != 0.0;
        if model.tendon_limited[tendon] == 0 && !has_force {
            continue;
        }
        let start = model.tendon_adr[tendon] as usize;
        let is_fixed = model.wrap_type[start] == WrapType::Joint.code();
        refuse(!is_fixed, "limits or forces of spatial tendons")?;
        let mut terms = Vec::new();
        let mut row = vec![0.0; model.nv];
        for k in start..start + model.tendon_num[tendon] as usize {
            let joint = model.wrap_objid[k] as usize;
            terms.push((model.jnt_qposadr[joint] as usize, model.wrap_prm[k]));
            row[model.jnt_dofadr[joint] as usize] = model.wrap_prm[k];
        }
        let columns: Vec<i32> = (0..model.nv)
            .filter(|&dof| row[dof] != 0.0)
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
