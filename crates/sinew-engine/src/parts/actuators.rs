//! User code that drives actuators of type `user`.

use super::Nothing;
use crate::data::Data;
use sinew_model::Model;

/// What actuators do whose dynamics, gain or bias is of type `user`.
///
/// Rates are asked for first, of all such actuators; then gain and bias of one actuator after the
/// other. What is not implemented is as if there were no part.
pub trait UserActuators {
    /// Rates of the activations of an actuator with `dyntype="user"`; all are 0 before the call.
    #[doc(alias = "mjcb_act_dyn")]
    #[inline]
    fn activation_rates(
        &mut self,
        _model: &Model,
        _data: &mut Data,
        _actuator: usize,
        _rates: &mut [f64],
    ) {
    }

    /// Gain of an actuator with `gaintype="user"`.
    #[doc(alias = "mjcb_act_gain")]
    #[inline]
    fn gain(&mut self, _model: &Model, _data: &mut Data, _actuator: usize) -> f64 {
        1.0
    }

    /// Bias of an actuator with `biastype="user"`.
    #[doc(alias = "mjcb_act_bias")]
    #[inline]
    fn bias(&mut self, _model: &Model, _data: &mut Data, _actuator: usize) -> f64 {
        0.0
    }

    /// ∂force/∂velocity of an actuator whose gain or bias is of type `user`, for the implicit
    /// integrators: of the force along the actuator by the rate of its length. Ignored where the force
    /// is at its limit.
    #[inline]
    fn velocity_derivative(&mut self, _model: &Model, _data: &mut Data, _actuator: usize) -> f64 {
        0.0
    }
}

impl UserActuators for Nothing {}

impl<A: UserActuators + ?Sized> UserActuators for &mut A {
    #[inline]
    fn activation_rates(
        &mut self,
        model: &Model,
        data: &mut Data,
        actuator: usize,
        rates: &mut [f64],
    ) {
        (**self).activation_rates(model, data, actuator, rates);
    }

    #[inline]
    fn gain(&mut self, model: &Model, data: &mut Data, actuator: usize) -> f64 {
        (**self).gain(model, data, actuator)
    }

    #[inline]
    fn bias(&mut self, model: &Model, data: &mut Data, actuator: usize) -> f64 {
        (**self).bias(model, data, actuator)
    }

    #[inline]
    fn velocity_derivative(&mut self, model: &Model, data: &mut Data, actuator: usize) -> f64 {
        (**self).velocity_derivative(model, data, actuator)
    }
}
