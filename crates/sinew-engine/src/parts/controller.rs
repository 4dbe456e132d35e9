//! User code that sets controls and applied forces.

use super::Nothing;
use crate::data::Data;
use sinew_model::Model;

/// Sets controls and applied forces.
pub trait Controller {
    /// Called before the actuators of each forward dynamics, unless actuation is disabled, and at the
    /// end of the first half of a split step.
    #[doc(alias = "mjcb_control")]
    fn control(&mut self, model: &Model, data: &mut Data);
}

/// A controller made of a function.
#[derive(Clone, Copy, Debug)]
pub struct Control<F>(pub F);

impl<F: FnMut(&Model, &mut Data)> Controller for Control<F> {
    #[inline]
    fn control(&mut self, model: &Model, data: &mut Data) {
        self.0(model, data);
    }
}

impl Controller for Nothing {
    #[inline]
    fn control(&mut self, _: &Model, _: &mut Data) {}
}

impl<C: Controller + ?Sized> Controller for &mut C {
    #[inline]
    fn control(&mut self, model: &Model, data: &mut Data) {
        (**self).control(model, data);
    }
}
