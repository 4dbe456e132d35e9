//! The step: stages, integrators and the constants that a model derives from its position stage.

pub mod constants;
pub mod data;
pub mod position;
mod scratch;
mod single;
pub mod state;

pub use data::Data;
pub use state::{Input, State};

use sinew_model::Model;
use sinew_model::kinds::{Jacobian, JointType};

/// Degrees of freedom from which the automatic choice of Jacobian is sparse.
const SPARSE_FROM: usize = 60;

/// Whether tendon and constraint Jacobians are stored sparse.
#[doc(alias = "mj_isSparse")]
pub fn is_sparse(model: &Model) -> bool {
    match Jacobian::from_code(model.opt.jacobian) {
        Some(Jacobian::Sparse) => true,
        Some(Jacobian::Auto) => model.nv >= SPARSE_FROM,
        _ => false,
    }
}

/// Degrees of freedom of a joint with this type code.
pub(crate) fn joint_dofs(code: i32) -> usize {
    match JointType::from_code(code) {
        Some(JointType::Free) => 6,
        Some(JointType::Ball) => 3,
        _ => 1,
    }
}
