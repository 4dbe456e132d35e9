//! What a step is worth, and when an episode ends.

use sinew_engine::Data;
use sinew_model::Model;

/// User code that looks at every world after its step, from several threads at once.
///
/// State and input are those after the step; derived arrays belong to the state it started from, as after
/// `mj_step`.
pub trait Task: Sync {
    /// Whether it looks at simulations at all; without it worlds side by side need not be shown one by one.
    fn looks(&self) -> bool {
        true
    }

    /// What the step is worth.
    fn reward(&self, _model: &Model, _data: &Data) -> f64 {
        0.0
    }

    /// Whether the episode has ended.
    fn is_over(&self, _model: &Model, _data: &Data) -> bool {
        false
    }
}

/// No rewards, no ends.
impl Task for () {
    fn looks(&self) -> bool {
        false
    }
}

/// A function is a reward.
impl<F: Fn(&Model, &Data) -> f64 + Sync> Task for F {
    fn reward(&self, model: &Model, data: &Data) -> f64 {
        self(model, data)
    }
}
