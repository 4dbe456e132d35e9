//! Constants of a model that follow from its other columns.
//!
//! The compiler first fills what was written or derived element by element, then calls, in order:
//!
//! 1. [`structure()`]: shape of the tree, simple bodies, sparse layouts, sizes;
//! 2. [`set_total_mass`], if a total mass was asked for;
//! 3. [`set_constants`]: everything that needs the position stage at `qpos0` and `qpos_spring`;
//! 4. [`set_spring_damper`] for joints given by time constant and damping ratio;
//! 5. [`find_length_range`] for actuators whose range nobody gave;
//! 6. its own overrides of statistics.
//!
//! Conforms to MuJoCo's `mj_setConst`, `mj_setTotalmass` and the tail of its compiler.

mod at_reference;
mod chain;
mod flex;
mod length_range;
mod statistic;
mod structure;
mod verify;
mod weight;

use crate::data::Data;
use crate::error::{CallError, check_index};
use crate::position::{self, Position, com, inertia, kinematics, tendon, transmission};
use sinew_model::change::ChangeError;
use sinew_model::joint::Layout;
use sinew_model::kinds::{SleepPolicy, TransmissionType};
use sinew_model::{Model, ModelArrays};
use structure::wrap_tree;

pub use length_range::{
    LengthRangeError, LengthRangeOptions, find_length_range, model_for_length_range,
};
pub use structure::{structure, structure_while};
pub use verify::verify;

/// Why constants could not be derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantsError {
    /// A matrix of the model would have more entries than an address can hold.
    TooLarge(&'static str),
    /// A tree with a sleep policy that allows sleeping hangs on a tendon that forbids it.
    SleepingTendon {
        /// The tree.
        tree: usize,
        /// The tendon.
        tendon: usize,
        /// Whether the tendon spans more than two trees; otherwise it has stiffness or damping.
        many_trees: bool,
    },
    /// The model has no body, not even the world.
    NoWorld,
    /// A mass or inertia is below zero.
    Value(ChangeError),
    /// A body that moves on sliders has no mass.
    MasslessBody(usize),
    /// The caller did not want to go on.
    Interrupted,
}

impl core::fmt::Display for ConstantsError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            ConstantsError::TooLarge(what) => write!(f, "the {what} has too many entries"),
            ConstantsError::SleepingTendon {
                tree,
                tendon,
                many_trees,
            } => {
                let why = if *many_trees {
                    "spans more than 2 trees"
                } else {
                    "has stiffness or damping"
                };
                write!(
                    f,
                    "tree {tree} is allowed to sleep but hangs on tendon {tendon}, which {why}"
                )
            }
            ConstantsError::NoWorld => write!(f, "{}", CallError::NoWorld),
            ConstantsError::Value(error) => error.fmt(f),
            ConstantsError::MasslessBody(body) => write!(f, "moving body {body} has no mass"),
            ConstantsError::Interrupted => write!(f, "it was interrupted"),
        }
    }
}

impl core::error::Error for ConstantsError {}

/// Derives everything that depends on `qpos0`, `qpos_spring` and the masses: `body_subtreemass
/// body_invweight0`, `dof_M0 dof_invweight0 dof_length`, `tendon_length0 tendon_invweight0
/// tendon_lengthspring` (where −1), `actuator_length0 actuator_acc0` and damping from damping
/// ratios in `actuator_biasprm`, `eq_data` of connects and welds, `cam_poscom0 cam_pos0 cam_mat0`,
/// `light_poscom0 light_pos0 light_dir0`, `flexedge_length0 flexedge_invweight0 flex_vertmetric flex_vert0`
/// (aligned where vertices are held), `tree_sleep_policy` where automatic, `ngravcomp` and the
/// statistics.
#[doc(alias = "mj_setConst")]
pub fn set_constants(model: &mut Model) -> Result<(), ConstantsError> {
    model.check_masses().map_err(ConstantsError::Value)?;
    set_constants_while(model, || true)
}

/// As [`set_constants`], as long as `may_go_on` says so. Otherwise the model is left with some constants
/// derived and others not.
pub fn set_constants_while(
    model: &mut Model,
    mut may_go_on: impl FnMut() -> bool,
) -> Result<(), ConstantsError> {
    if model.nbody == 0 {
        return Err(ConstantsError::NoWorld);
    }
    let mut data = Data::new(model);
    derive(model, &mut data, &mut may_go_on)?;
    spring_lengths(model, &mut data);
    Ok(())
}

/// As [`set_constants`], with mocap bodies where a simulation has them, and in its arrays: its coordinates are `qpos_spring`
/// afterwards, poses, tendons and transmissions those there, inertia, cameras, lights and flexes those at `qpos0`, all else is
/// as it was.
#[doc(alias = "mj_setConst")]
pub fn set_constants_in(model: &mut Model, data: &mut Data) -> Result<(), ConstantsError> {
    model.check_masses().map_err(ConstantsError::Value)?;
    if model.nbody == 0 {
        return Err(ConstantsError::NoWorld);
    }
    derive(model, data, &mut || true)?;
    let p = &mut data.position;
    inertia::factor(model, &mut p.inertia, || true);
    let rigid = model.flex_rigid.clone();
    model.unchecked().flex_rigid.fill(0);
    position::flex::compute(model, &p.kinematics, &p.com, &mut p.flex);
    model.unchecked().flex_rigid = rigid;
    spring_lengths(model, data);
    let p = &mut data.position;
    transmission::compute(
        model,
        &data.state,
        &p.kinematics,
        &p.com,
        &p.tendon,
        (&p.contacts, &p.constraints),
        &mut p.transmission,
        &mut data.scratch,
    );
    Ok(())
}

/// All but the lengths of springs. Leaves positions as at `qpos0`.
fn derive(
    model: &mut Model,
    data: &mut Data,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    masses(model.unchecked());
    sleep_policies(model.unchecked())?;
    flex::rest_shapes(model.unchecked());
    at_reference::compute(model, data, may_go_on)?;
    statistic::compute(model, data);
    Ok(())
}

fn masses(model: &mut ModelArrays) {
    model.body_subtreemass.copy_from_slice(&model.body_mass);
    for i in (1..model.nbody).rev() {
        let mass = model.body_subtreemass[i];
        model.body_subtreemass[model.body_parentid[i] as usize] += mass;
    }
    model.ngravcomp = model.body_gravcomp.iter().filter(|&&c| c > 0.0).count();
}

/// Decides for trees with automatic policy whether they may sleep: not if an actuator acts on them,
/// nor if they hang on a tendon that connects them to other trees by force, nor if they carry a flex.
fn sleep_policies(model: &mut ModelArrays) -> Result<(), ConstantsError> {
    const AUTO: i32 = SleepPolicy::Auto.code();
    const NEVER: i32 = SleepPolicy::AutoNever.code();
    fn keep_awake(model: &mut ModelArrays, tree: usize) {
        if model.tree_sleep_policy[tree] == AUTO {
            model.tree_sleep_policy[tree] = NEVER;
        }
    }
    let path = |model: &ModelArrays, tendon: usize| {
        let start = model.tendon_adr[tendon] as usize;
        start..start + model.tendon_num[tendon] as usize
    };

    for i in 0..model.nu {
        let target = model.actuator_trnid[i][0] as usize;
        let body = match TransmissionType::from_code(model.actuator_trntype[i]) {
            Some(TransmissionType::Joint | TransmissionType::Jointinparent) => {
                model.jnt_bodyid[target]
            }
            Some(TransmissionType::Site | TransmissionType::Slidercrank) => {
                model.site_bodyid[target]
            }
            Some(TransmissionType::Body) => target as i32,
            Some(TransmissionType::Tendon) => {
                for wrap in path(model, target) {
                    if let Some(tree) = wrap_tree(model, wrap) {
                        keep_awake(model, tree);
                    }
                }
                continue;
            }
            _ => continue,
        };
        if let Ok(tree) = usize::try_from(model.body_treeid[body as usize]) {
            keep_awake(model, tree);
        }
    }

    for i in 0..model.ntendon {
        let trees = model.tendon_treenum[i];
        let is_passive = model.tendon_stiffness[i] == 0.0 && model.tendon_damping[i] == 0.0;
        if trees < 2 || (trees == 2 && is_passive) {
            continue;
        }
        for wrap in path(model, i) {
            let Some(tree) = wrap_tree(model, wrap) else {
                continue;
            };
            match SleepPolicy::from_code(model.tree_sleep_policy[tree]) {
                Some(SleepPolicy::Allowed | SleepPolicy::Init) => {
                    return Err(ConstantsError::SleepingTendon {
                        tree,
                        tendon: i,
                        many_trees: trees > 2,
                    });
                }
                _ => keep_awake(model, tree),
            }
        }
    }
    for flex in 0..model.nflex {
        for index in 0..flex::bodies(model, flex).len() {
            let body = flex::bodies(model, flex)[index] as usize;
            if let Ok(tree) = usize::try_from(model.body_treeid[body]) {
                keep_awake(model, tree);
            }
        }
    }
    for policy in &mut model.tree_sleep_policy {
        if *policy == AUTO {
            *policy = SleepPolicy::AutoAllowed.code();
        }
    }
    Ok(())
}

/// Rest lengths of tendons that have none of their own: the length at `qpos_spring`.
fn spring_lengths(model: &mut Model, data: &mut Data) {
    data.state.qpos.copy_from_slice(&model.qpos_spring);
    let Position {
        kinematics,
        com,
        tendon,
        ..
    } = &mut data.position;
    kinematics::compute(model, &data.state, &data.input, kinematics);
    com::compute(model, kinematics, com);
    tendon::compute(
        model,
        &data.state,
        kinematics,
        com,
        tendon,
        &mut data.scratch,
    );
    for i in 0..model.ntendon {
        if model.tendon_lengthspring[i] == [-1.0, -1.0] {
            model.unchecked().tendon_lengthspring[i] = [tendon.ten_length[i]; 2];
        }
    }
}

/// What the bodies weigh together; the world weighs nothing.
#[doc(alias = "mj_getTotalmass")]
pub fn total_mass(model: &Model) -> f64 {
    let mut total = 0.0;
    for &mass in model.body_mass.iter().skip(1) {
        total += mass;
    }
    total
}

/// Scales all masses and inertias so that the bodies together weigh `total`, which must be finite.
#[doc(alias = "mj_setTotalmass")]
pub fn set_total_mass(model: &mut Model, total: f64) -> Result<(), CallError> {
    if !total.is_finite() {
        return Err(CallError::NotFinite("total mass"));
    }
    let tiny = sinew_math::MIN_VALUE;
    let scale = (total / total_mass(model).max(tiny)).max(tiny);
    let arrays = model.unchecked();
    for i in 1..arrays.nbody {
        arrays.body_mass[i] *= scale;
        arrays.body_inertia[i] *= scale;
    }
    Ok(())
}

/// Gives a joint the stiffness and damping of a spring with this time constant and damping ratio
/// under the joint's mean inertia at `qpos0`. Non-positive parameters change nothing.
pub fn set_spring_damper(
    model: &mut Model,
    joint: usize,
    timeconst: f64,
    dampratio: f64,
) -> Result<(), CallError> {
    check_index("joint", joint, model.njnt)?;
    if timeconst <= 0.0 || dampratio <= 0.0 {
        return Ok(());
    }
    let tiny = sinew_math::MIN_VALUE;
    let first = model.jnt_dofadr[joint] as usize;
    let count = Layout::of(model.jnt_type[joint]).dofs();
    let mut inverse = 0.0;
    for dof in first..first + count {
        inverse += model.dof_invweight0[dof];
    }
    let inertia = count as f64 / inverse.max(tiny);
    let arrays = model.unchecked();
    arrays.jnt_stiffness[joint] =
        inertia / (timeconst * timeconst * dampratio * dampratio).max(tiny);
    let damping = 2.0 * inertia / timeconst.max(tiny);
    arrays.dof_damping[first..first + count].fill(damping);
    Ok(())
}
