//! Functions of positions and velocities.
//!
//! ```text
//! length    ten_velocity actuator_velocity flexedge_velocity
//! com       cvel cdof_dot
//! passive   qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive
//! reference efc_vel efc_aref
//! bias      qfrc_bias
//! momentum  subtree_linvel subtree_angmom   (on demand)
//! ```

pub mod bias;
pub mod com;
pub mod length;
pub mod momentum;
pub mod object;
pub mod passive;
pub mod reference;

use bias::Bias;
use com::ComVelocity;
use length::LengthVelocity;
use momentum::Momentum;
use passive::Passive;
use reference::Reference;

sinew_model::groups! {
    /// Everything that depends on positions and velocities.
    pub struct Velocity {
        /// Rates of change of tendon and actuator lengths and of the edges of flexes.
        length: LengthVelocity,
        /// Spatial velocities about the centres of mass.
        com: ComVelocity,
        /// Springs, dampers, gravity compensation, fluid.
        passive: Passive,
        /// What the constraint rows aim at.
        reference: Reference,
        /// Coriolis, centrifugal and gravitational force.
        bias: Bias,
        /// Linear velocity and angular momentum of subtrees.
        momentum: Momentum,
    }
}
