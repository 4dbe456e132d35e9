//! User code that fills sensors of type `user`.

use super::Nothing;
use crate::data::Data;
use sinew_model::Model;
use sinew_model::kinds::Stage;

/// Fills the sensors of type `user`.
pub trait UserSensors {
    /// Fills the `user` sensors of a stage in `data.sensor.sensordata`, which are 0 before the call;
    /// their cutoff is applied after it. Called if the model has such sensors in this stage.
    #[doc(alias = "mjcb_sensor")]
    fn fill(&mut self, model: &Model, data: &mut Data, stage: Stage);
}

impl UserSensors for Nothing {
    #[inline]
    fn fill(&mut self, _: &Model, _: &mut Data, _: Stage) {}
}

impl<S: UserSensors + ?Sized> UserSensors for &mut S {
    #[inline]
    fn fill(&mut self, model: &Model, data: &mut Data, stage: Stage) {
        (**self).fill(model, data, stage);
    }
}
