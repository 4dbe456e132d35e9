//! User code that adds to the passive forces.
//!
//! Force and derivative belong together: the implicit integrators solve with ∂force/∂q̇, and inverse
//! dynamics of discrete accelerations undoes them with the same matrix.

use super::Nothing;
use crate::data::Data;
use sinew_model::Model;

/// A force on the degrees of freedom that depends on positions and velocities.
///
/// Neither method is called if both springs and dampers are disabled, as then there are no passive
/// forces at all.
///
/// ```
/// # use sinew_engine::{Data, PassiveForce, derivative};
/// # use sinew_model::Model;
/// /// −b·q̇ on one degree of freedom.
/// struct Damper {
///     dof: usize,
///     damping: f64,
/// }
///
/// impl PassiveForce for Damper {
///     fn add_force(&mut self, _: &Model, data: &mut Data) {
///         data.velocity.passive.qfrc_passive[self.dof] -= self.damping * data.state.qvel[self.dof];
///     }
///
///     fn add_velocity_derivative(&mut self, model: &Model, data: &mut Data) {
///         if let Some(entry) = derivative::entry(model, self.dof, self.dof) {
///             data.integration.qDeriv[entry] -= self.damping;
///         }
///     }
/// }
/// ```
pub trait PassiveForce {
    /// Adds to `data.velocity.passive.qfrc_passive`, where the built-in forces are already.
    #[doc(alias = "mjcb_passive")]
    fn add_force(&mut self, model: &Model, data: &mut Data);

    /// Adds ∂force/∂q̇ to `data.integration.qDeriv`, whose entries
    /// [`derivative::entry`](crate::derivative::entry) finds. `implicitfast` takes the matrix as
    /// symmetric and reads the entries with row ≥ column. A force that does not depend on velocities
    /// adds nothing.
    fn add_velocity_derivative(&mut self, model: &Model, data: &mut Data);
}

impl PassiveForce for Nothing {
    #[inline]
    fn add_force(&mut self, _: &Model, _: &mut Data) {}

    #[inline]
    fn add_velocity_derivative(&mut self, _: &Model, _: &mut Data) {}
}

impl<P: PassiveForce + ?Sized> PassiveForce for &mut P {
    #[inline]
    fn add_force(&mut self, model: &Model, data: &mut Data) {
        (**self).add_force(model, data);
    }

    #[inline]
    fn add_velocity_derivative(&mut self, model: &Model, data: &mut Data) {
        (**self).add_velocity_derivative(model, data);
    }
}
