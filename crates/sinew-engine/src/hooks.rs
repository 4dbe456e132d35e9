//! Places in the pipeline where user code may take part.
//!
//! A value that implements [`Hooks`] is lent to a call (`step_with`, `forward_with`, …); there is no
//! global registration, so two simulations with different hooks run side by side. Methods that are
//! not implemented do nothing, and without hooks ([`NoHooks`], the plain `step`, `forward`, …) the
//! compiler leaves nothing of them. What the hooks remember lives in the value itself.
//!
//! A hook may call into the simulation it is given and write any number into it. It must not change
//! the lengths of arrays or put a simulation of another model in its place: the step it interrupts
//! has checked them already and panics.
//!
//! ```text
//! position    may_touch                decides which geoms are looked at
//!   sensors (Pos)
//! velocity    passive                  adds to qfrc_passive
//!   sensors (Vel)
//!             control                  sets ctrl, qfrc_applied, xfrc_applied
//! actuation   activation_rates, gain, bias
//! constraints
//!   sensors (Acc)
//! ```
//!
//! [`Hooks::clock`] is told where parts of the computation begin and end, so that user code can time
//! them; the engine itself has no clock.
//!
//! Runge–Kutta steps call `control`, `passive` and the actuator hooks at each of their four stages,
//! sensors only at the first. Inverse dynamics calls `passive` and `sensors`. Conforms to MuJoCo's
//! `mjcb_control`, `mjcb_passive`, `mjcb_act_dyn`, `mjcb_act_gain`, `mjcb_act_bias`, `mjcb_sensor`,
//! `mjcb_contactfilter`, `mjcb_time`.
//!
//! ```
//! # use sinew_engine::{Control, Data};
//! # use sinew_model::Model;
//! # fn run(model: &Model, data: &mut Data) {
//! let mut balance = Control(|_: &Model, data: &mut Data| {
//!     data.input.ctrl[0] = -10.0 * data.state.qpos[0] - data.state.qvel[0];
//! });
//! data.step_with(model, &mut balance).expect("a finite step");
//! # }
//! ```

use crate::data::Data;
use crate::position::contact::bits_match;
use crate::state::State;
use sinew_model::Model;
use sinew_model::kinds::{Stage, TimerKind};

/// A moment at the border of a part of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The part begins, or goes on after a pause.
    Begin(TimerKind),
    /// It pauses: more of it comes later in the same run, or came before.
    Pause(TimerKind),
    /// One run of it ends.
    End(TimerKind),
}

/// User code in the pipeline. Every method has a default that does what the reference does without
/// the callback.
pub trait Hooks {
    /// Sets controls and applied forces. Called before the actuators of each forward dynamics,
    /// unless actuation is disabled, and at the end of the first half of a split step.
    #[doc(alias = "mjcb_control")]
    fn control(&mut self, _model: &Model, _data: &mut Data) {}

    /// Whether two geoms may touch, in place of the comparison of their contact bits. Asked for geoms
    /// of bodies that pass all other filters; not for explicit pairs.
    #[doc(alias = "mjcb_contactfilter")]
    #[inline]
    fn may_touch(&mut self, model: &Model, _state: &State, geom1: usize, geom2: usize) -> bool {
        bits_match(model, geom1, geom2)
    }

    /// Adds to `data.velocity.passive.qfrc_passive`. Not called if both springs and dampers are
    /// disabled, as then there are no passive forces at all.
    #[doc(alias = "mjcb_passive")]
    fn passive(&mut self, _model: &Model, _data: &mut Data) {}

    /// Rates of the activations of an actuator with `dyntype="user"`; all are 0 before the call.
    #[doc(alias = "mjcb_act_dyn")]
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
    fn gain(&mut self, _model: &Model, _data: &mut Data, _actuator: usize) -> f64 {
        1.0
    }

    /// Bias of an actuator with `biastype="user"`.
    #[doc(alias = "mjcb_act_bias")]
    fn bias(&mut self, _model: &Model, _data: &mut Data, _actuator: usize) -> f64 {
        0.0
    }

    /// Fills the `user` sensors of a stage in `data.sensor.sensordata`, which are 0 before the call;
    /// their cutoff is applied after it. Called if the model has such sensors in this stage.
    #[doc(alias = "mjcb_sensor")]
    fn sensors(&mut self, _model: &Model, _data: &mut Data, _stage: Stage) {}

    /// Told at the borders of the parts that the reference times. Parts contain each other.
    #[doc(alias = "mjcb_time")]
    #[inline]
    fn clock(&mut self, _moment: Moment) {}
}

/// No user code.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {}

/// A controller made of a function.
#[derive(Clone, Copy, Debug)]
pub struct Control<F>(pub F);

impl<F: FnMut(&Model, &mut Data)> Hooks for Control<F> {
    fn control(&mut self, model: &Model, data: &mut Data) {
        self.0(model, data);
    }
}
