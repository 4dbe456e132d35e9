//! A model with the parts of its computation, and what it does to a simulation.
//!
//! An engine without parts is the reference's pipeline; [`Data`] has short forms of its calls that need
//! no engine: `data.step(&model)` is `Engine::new(&model).step(&mut data)`. Calls that run one stage alone
//! are in `single.rs`.

use crate::data::Data;
use crate::error::{CallError, StepError};
use crate::integrate::{self, implicit::Factor};
use crate::parts::{Composition, Moment, Observer, Parts};
use crate::pipeline::{self, Dynamics};
use sinew_model::Model;
use sinew_model::kinds::{Integrator, Stage};

/// A model and the parts that take part in its computation.
///
/// Making one costs nothing; where the model changes between steps, a new one lends the same parts:
/// `Engine { model: &model, parts: &mut parts }`.
#[derive(Clone, Copy, Debug)]
pub struct Engine<'m, P = Composition> {
    /// What is simulated.
    pub model: &'m Model,
    /// User code that takes part.
    pub parts: P,
}

/// Whether a call computes the sensors of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensors {
    /// It does.
    Computed,
    /// The readings stay as they are.
    Skipped,
}

impl<'m> Engine<'m> {
    /// A model without any parts; the methods that are named after a part add it.
    #[inline]
    pub fn new(model: &'m Model) -> Self {
        let parts = Composition::default();
        Engine { model, parts }
    }
}

impl<P: Parts> Engine<'_, P> {
    /// Advances the simulation by one time step.
    ///
    /// On divergence the reference's behaviour follows (count, reset unless disabled, go on), and
    /// the first bad value met is returned as well.
    ///
    /// Differs from MuJoCo: if the reset state is bad as well the step ends there, and a time step
    /// that is not positive and finite is refused.
    #[doc(alias = "mj_step")]
    pub fn step(&mut self, data: &mut Data) -> Result<(), StepError> {
        data.check_step(self.model)?;
        pipeline::step(self, data, Stage::None, Sensors::Computed)
    }

    /// The part of a step before controls and forces are set, the controller included.
    #[doc(alias = "mj_step1")]
    pub fn step1(&mut self, data: &mut Data) -> Result<(), StepError> {
        data.check_step(self.model)?;
        pipeline::step1(self, data)
    }

    /// The part of a step after controls and forces are set. Runge–Kutta models advance by Euler.
    #[doc(alias = "mj_step2")]
    pub fn step2(&mut self, data: &mut Data) -> Result<(), StepError> {
        data.check_step(self.model)?;
        pipeline::step2(self, data)
    }

    /// Computes all derived quantities of the current state and input.
    #[doc(alias = "mj_forward")]
    pub fn forward(&mut self, data: &mut Data) -> Result<(), CallError> {
        self.forward_from(data, Stage::None, Sensors::Computed)
    }

    /// Forward dynamics of what comes after a stage that is still current.
    #[doc(alias = "mj_forwardSkip")]
    pub fn forward_from(
        &mut self,
        data: &mut Data,
        current: Stage,
        sensors: Sensors,
    ) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        pipeline::forward(self, data, current, sensors);
        Ok(())
    }

    /// Computes `qfrc_inverse` from positions, velocities and `qacc`. An error if it is not defined
    /// for the model's settings, see [`Data::check_inverse`].
    #[doc(alias = "mj_inverse")]
    pub fn inverse(&mut self, data: &mut Data) -> Result<(), CallError> {
        self.inverse_from(data, Stage::None, Sensors::Computed)
    }

    /// Inverse dynamics of what comes after a stage that is still current.
    #[doc(alias = "mj_inverseSkip")]
    pub fn inverse_from(
        &mut self,
        data: &mut Data,
        current: Stage,
        sensors: Sensors,
    ) -> Result<(), CallError> {
        data.check_inverse(self.model)?;
        pipeline::inverse(self, data, current, sensors);
        Ok(())
    }

    /// Computes everything that depends on positions alone.
    #[doc(alias = "mj_fwdPosition")]
    pub fn forward_position(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        pipeline::position::compute(self, data, Dynamics::Forward);
        Ok(())
    }

    /// Computes what inverse dynamics needs of the positions: no islands.
    #[doc(alias = "mj_invPosition")]
    pub fn inverse_position(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        pipeline::position::compute(self, data, Dynamics::Inverse);
        Ok(())
    }

    /// Computes everything that depends on velocities; the positions' part must be current.
    #[doc(alias = "mj_fwdVelocity")]
    #[doc(alias = "mj_invVelocity")]
    pub fn forward_velocity(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_model(self.model)?;
        pipeline::velocity::compute(self, data);
        Ok(())
    }

    /// Computes forces, accelerations and the solution of the constraints; positions' and
    /// velocities' parts must be current.
    pub fn forward_acceleration(&mut self, data: &mut Data) -> Result<(), CallError> {
        data.check_stages(self.model)?;
        pipeline::acceleration::compute(self, data);
        Ok(())
    }

    /// Advances the state by one integrator, whatever the model asks for; accelerations must be
    /// current.
    #[doc(alias = "mj_Euler")]
    #[doc(alias = "mj_RungeKutta")]
    #[doc(alias = "mj_implicit")]
    pub fn integrate(&mut self, data: &mut Data, integrator: Integrator) -> Result<(), StepError> {
        data.check_step(self.model)?;
        integrate::step(self, data, integrator, Factor::Fresh)
    }

    /// Whether the observer refuses to go on.
    #[inline]
    pub(crate) fn is_interrupted(&mut self) -> bool {
        is_interrupted(&mut self.parts)
    }

    /// Tells the observer.
    #[inline]
    pub(crate) fn observe(&mut self, moment: Moment) {
        self.parts.observer().observe(moment);
    }
}

/// Whether the observer among the parts refuses to go on.
#[inline]
pub(crate) fn is_interrupted<P: Parts>(parts: &mut P) -> bool {
    let patience = parts.observer().patience();
    patience.is_some_and(|patience| !patience.may_go_on())
}

/// Short forms of calls without parts.
impl Data {
    /// Advances the simulation by one time step, see [`Engine::step`].
    #[doc(alias = "mj_step")]
    pub fn step(&mut self, model: &Model) -> Result<(), StepError> {
        Engine::new(model).step(self)
    }

    /// The part of a step before controls and forces are set.
    #[doc(alias = "mj_step1")]
    pub fn step1(&mut self, model: &Model) -> Result<(), StepError> {
        Engine::new(model).step1(self)
    }

    /// The part of a step after controls and forces are set, see [`Engine::step2`].
    #[doc(alias = "mj_step2")]
    pub fn step2(&mut self, model: &Model) -> Result<(), StepError> {
        Engine::new(model).step2(self)
    }

    /// Computes all derived quantities of the current state and input.
    #[doc(alias = "mj_forward")]
    pub fn forward(&mut self, model: &Model) -> Result<(), CallError> {
        Engine::new(model).forward(self)
    }

    /// Computes `qfrc_inverse` from positions, velocities and `qacc`, see [`Engine::inverse`].
    #[doc(alias = "mj_inverse")]
    pub fn inverse(&mut self, model: &Model) -> Result<(), CallError> {
        Engine::new(model).inverse(self)
    }
}
