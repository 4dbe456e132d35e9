//! Functions of positions, velocities and inputs: forces and accelerations.
//!
//! ```text
//! actuation   act_dot actuator_force qfrc_actuator
//! smooth      qfrc_smooth qacc_smooth
//! constraint  qfrc_constraint qacc
//! body_force  cacc cfrc_int cfrc_ext   (on demand)
//! ```

pub mod actuation;
pub mod body_force;
pub mod constraint;
pub mod contact_force;
pub mod couplings;
pub mod muscle;
pub mod smooth;

use actuation::Actuation;
use body_force::BodyForce;
use constraint::Solution;
use smooth::Smooth;

sinew_model::groups! {
    /// Forces and accelerations.
    pub struct Acceleration {
        /// Actuator forces.
        actuation: Actuation,
        /// Sum of all forces but constraints, and the acceleration it causes.
        smooth: Smooth,
        /// Constraint force and the resulting acceleration.
        solution: Solution,
        /// Accelerations of bodies and forces between them.
        body_force: BodyForce,
    }
}
