//! The step: stages, integrators and the constants that a model derives from its position stage.

pub mod constants;

use sinew_model::kinds::JointType;

/// Degrees of freedom of a joint with this type code.
pub(crate) fn joint_dofs(code: i32) -> usize {
    match JointType::from_code(code) {
        Some(JointType::Free) => 6,
        Some(JointType::Ball) => 3,
        _ => 1,
    }
}
