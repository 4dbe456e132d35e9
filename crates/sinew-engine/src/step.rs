//! The pipeline: forward dynamics and the step.
//!
//! A step checks the state, computes forward dynamics, checks the acceleration and integrates. The
//! derived arrays afterwards describe the state the step started from.

use crate::data::Data;
use crate::derivative::BiasTerm;
use crate::error::{CallError, Diverged, StepError};
use crate::hooks::Moment::{Begin, End, Pause};
use crate::hooks::{Hooks, NoHooks};
use crate::integrate::implicit::{self, Factor};
use crate::integrate::{euler, rk4};
use crate::velocity::passive;
use crate::{acceleration, energy, is_bad, is_disabled, is_enabled, position, sensor, velocity};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, Integrator, Stage, TimerKind, Warning};

/// Whether a call computes the sensors of its stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensors {
    /// It does.
    Computed,
    /// The readings stay as they are.
    Skipped,
}

/// The couplings of the rows are computed when they are solved; the reference counts them here.
fn count_projection<H: Hooks + ?Sized>(hooks: &mut H) {
    hooks.clock(Begin(TimerKind::PosProject));
    hooks.clock(End(TimerKind::PosProject));
}

impl Data {
    /// Computes everything that depends on positions alone.
    #[doc(alias = "mj_fwdPosition")]
    pub fn forward_position(&mut self, model: &Model) -> Result<(), CallError> {
        self.forward_position_with(model, &mut NoHooks)
    }

    /// The positions' part, with the contact filter of the hooks.
    pub fn forward_position_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_stages(model)?;
        self.position_stage(model, hooks);
        count_projection(hooks);
        Ok(())
    }

    pub(crate) fn position_stage<H: Hooks + ?Sized>(&mut self, model: &Model, hooks: &mut H) {
        let Data {
            state,
            input,
            position,
            scratch,
            ..
        } = self;
        position::compute(model, state, input, hooks, position, scratch);
        self.count_dropped_contacts();
        self.energy.has_potential = false;
    }

    /// Counts contacts that did not fit the memory, with how many contacts or rows did.
    fn count_dropped_contacts(&mut self) {
        let (contacts, time) = (&self.position.contacts, self.state.time);
        if contacts.storage.contacts_dropped > 0 {
            let kept = contacts.contact.len();
            self.warnings.count(Warning::Contactfull, kept, time);
        }
        if contacts.storage.rows_dropped > 0 {
            let rows = self.position.constraints.nefc();
            self.warnings.count(Warning::Cnstrfull, rows, time);
        }
    }

    /// Computes everything that depends on velocities; the positions' part must be current.
    #[doc(alias = "mj_fwdVelocity")]
    pub fn forward_velocity(&mut self, model: &Model) -> Result<(), CallError> {
        self.forward_velocity_with(model, &mut NoHooks)
    }

    /// The velocities' part, with the passive force of the hooks.
    pub fn forward_velocity_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        self.velocity_stage(model, hooks);
        Ok(())
    }

    pub(crate) fn velocity_stage<H: Hooks + ?Sized>(&mut self, model: &Model, hooks: &mut H) {
        hooks.clock(Begin(TimerKind::Velocity));
        velocity::until_passive(model, &self.state, &self.position, &mut self.velocity);
        self.energy.has_kinetic = false;
        if passive::is_active(model) {
            hooks.passive(model, self);
        }
        let (velocity, scratch) = (&mut self.velocity, &mut self.scratch);
        velocity::after_passive(model, &self.state, &self.position, velocity, scratch);
        hooks.clock(End(TimerKind::Velocity));
    }

    /// Computes forces and accelerations; positions' and velocities' parts must be current.
    #[doc(alias = "mj_fwdAcceleration")]
    pub fn forward_acceleration(&mut self, model: &Model) -> Result<(), CallError> {
        self.forward_acceleration_with(model, &mut NoHooks)
    }

    /// Forces and accelerations, with the actuators of the hooks.
    pub fn forward_acceleration_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_stages(model)?;
        self.acceleration_stage(model, hooks);
        Ok(())
    }

    fn acceleration_stage<H: Hooks + ?Sized>(&mut self, model: &Model, hooks: &mut H) {
        self.actuation_stage(model, hooks);
        self.smooth_stage(model);
        self.constraint_stage(model, hooks);
    }

    /// Computes all derived quantities of the current state and input.
    #[doc(alias = "mj_forward")]
    pub fn forward(&mut self, model: &Model) -> Result<(), CallError> {
        self.forward_with(model, &mut NoHooks)
    }

    /// All derived quantities, with hooks.
    pub fn forward_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.forward_from_with(model, Stage::None, Sensors::Computed, hooks)
    }

    /// Forward dynamics of what comes after a stage that is still current.
    #[doc(alias = "mj_forwardSkip")]
    pub fn forward_from(
        &mut self,
        model: &Model,
        current: Stage,
        sensors: Sensors,
    ) -> Result<(), CallError> {
        self.forward_from_with(model, current, sensors, &mut NoHooks)
    }

    /// Forward dynamics of what comes after a stage that is still current, with hooks.
    pub fn forward_from_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        current: Stage,
        sensors: Sensors,
        hooks: &mut H,
    ) -> Result<(), CallError> {
        self.check_stages(model)?;
        self.forward_stages(model, current, sensors, hooks);
        Ok(())
    }

    pub(crate) fn forward_stages<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        current: Stage,
        sensors: Sensors,
        hooks: &mut H,
    ) {
        hooks.clock(Begin(TimerKind::Forward));
        let has_sensors = sensors == Sensors::Computed;
        if current == Stage::None {
            self.position_stage(model, hooks);
            count_projection(hooks);
            if has_sensors {
                sensor::compute(model, self, Stage::Pos, hooks);
            }
            self.potential_energy(model);
        }
        if matches!(current, Stage::None | Stage::Pos) {
            self.velocity_stage(model, hooks);
            if has_sensors {
                sensor::compute(model, self, Stage::Vel, hooks);
            }
            self.kinetic_energy(model);
        }
        if !is_disabled(model, DisableFlag::Actuation) {
            hooks.control(model, self);
        }
        self.acceleration_stage(model, hooks);
        if has_sensors {
            sensor::compute(model, self, Stage::Acc, hooks);
        }
        hooks.clock(End(TimerKind::Forward));
    }

    /// Advances the simulation by one time step.
    ///
    /// On divergence the reference's behaviour follows (count, reset unless disabled, go on), and
    /// the first bad value met is returned as well.
    ///
    /// Differs from MuJoCo: if the reset state is bad as well the step ends there, and a time step
    /// that is not positive and finite is refused.
    #[doc(alias = "mj_step")]
    pub fn step(&mut self, model: &Model) -> Result<(), StepError> {
        self.step_with(model, &mut NoHooks)
    }

    /// Advances the simulation by one time step, with hooks.
    pub fn step_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), StepError> {
        self.step_from_with(model, Stage::None, Sensors::Computed, hooks)
    }

    /// A step of which a stage is still current; the implicit integrators then keep their factor.
    pub(crate) fn step_from_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        current: Stage,
        sensors: Sensors,
        hooks: &mut H,
    ) -> Result<(), StepError> {
        self.check_step(model)?;
        hooks.clock(Begin(TimerKind::Step));
        let state = self.check_state(model);
        self.stop_if_still_bad(model, state)?;
        self.forward_stages(model, current, sensors, hooks);
        let acceleration = self.check_accelerations(model, hooks);
        self.stop_if_still_bad(model, acceleration)?;
        self.compare_if_asked(model);
        match Integrator::from_code(model.opt.integrator) {
            Some(Integrator::Rk4) => rk4::step(model, self, hooks),
            _ if current == Stage::Vel => self.integrate_alone(model, Factor::Kept, hooks),
            _ => self.integrate_alone(model, Factor::Fresh, hooks),
        }
        hooks.clock(End(TimerKind::Step));
        Ok(state.and(acceleration)?)
    }

    /// The part of a step before controls and forces are set.
    #[doc(alias = "mj_step1")]
    pub fn step1(&mut self, model: &Model) -> Result<(), StepError> {
        self.step1_with(model, &mut NoHooks)
    }

    /// The part of a step up to and including the controller of the hooks.
    pub fn step1_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), StepError> {
        self.check_step(model)?;
        hooks.clock(Begin(TimerKind::Step));
        let state = self.check_state(model);
        self.stop_if_still_bad(model, state)?;
        self.position_stage(model, hooks);
        count_projection(hooks);
        sensor::compute(model, self, Stage::Pos, hooks);
        self.potential_energy(model);
        self.velocity_stage(model, hooks);
        sensor::compute(model, self, Stage::Vel, hooks);
        self.kinetic_energy(model);
        hooks.control(model, self);
        hooks.clock(End(TimerKind::Step));
        Ok(state?)
    }

    /// The part of a step after controls and forces are set. Runge–Kutta models advance by Euler.
    #[doc(alias = "mj_step2")]
    pub fn step2(&mut self, model: &Model) -> Result<(), StepError> {
        self.step2_with(model, &mut NoHooks)
    }

    /// The part of a step after the controller, with hooks.
    pub fn step2_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), StepError> {
        self.check_step(model)?;
        hooks.clock(Begin(TimerKind::Step));
        self.acceleration_stage(model, hooks);
        sensor::compute(model, self, Stage::Acc, hooks);
        let acceleration = self.check_accelerations(model, hooks);
        self.stop_if_still_bad(model, acceleration)?;
        self.compare_if_asked(model);
        self.integrate_alone(model, Factor::Fresh, hooks);
        // The first half has counted the step.
        hooks.clock(Pause(TimerKind::Step));
        Ok(acceleration?)
    }

    /// Advances the state by an integrator that needs no more forward dynamics.
    fn integrate_alone<H: Hooks + ?Sized>(&mut self, model: &Model, factor: Factor, hooks: &mut H) {
        hooks.clock(Begin(TimerKind::Advance));
        match Integrator::from_code(model.opt.integrator) {
            Some(Integrator::Implicit) => {
                implicit::step_with_factor(model, self, BiasTerm::Included, factor);
            }
            Some(Integrator::Implicitfast) => {
                implicit::step_with_factor(model, self, BiasTerm::Left, factor);
            }
            _ => euler::step(model, self),
        }
        hooks.clock(End(TimerKind::Advance));
    }

    fn compare_if_asked(&mut self, model: &Model) {
        if is_enabled(model, EnableFlag::Fwdinv) {
            self.comparison_stage(model);
        }
    }

    /// Counts and resets bad positions.
    #[doc(alias = "mj_checkPos")]
    pub fn check_position(&mut self, model: &Model) -> Result<(), StepError> {
        self.check_model(model)?;
        Ok(self.check_positions(model)?)
    }

    fn check_positions(&mut self, model: &Model) -> Result<(), Diverged> {
        let bad = self.state.qpos.iter().position(|&x| is_bad(x));
        self.diverged(model, Warning::Badqpos, bad)
    }

    /// Counts and resets bad velocities.
    #[doc(alias = "mj_checkVel")]
    pub fn check_velocity(&mut self, model: &Model) -> Result<(), StepError> {
        self.check_model(model)?;
        Ok(self.check_velocities(model)?)
    }

    fn check_velocities(&mut self, model: &Model) -> Result<(), Diverged> {
        let bad = self.state.qvel.iter().position(|&x| is_bad(x));
        self.diverged(model, Warning::Badqvel, bad)
    }

    /// Positions, then velocities.
    fn check_state(&mut self, model: &Model) -> Result<(), Diverged> {
        let position = self.check_positions(model);
        position.and(self.check_velocities(model))
    }

    /// Counts and resets bad accelerations; computes forward dynamics again after a reset.
    #[doc(alias = "mj_checkAcc")]
    pub fn check_acceleration(&mut self, model: &Model) -> Result<(), StepError> {
        self.check_acceleration_with(model, &mut NoHooks)
    }

    /// Counts and resets bad accelerations; forward dynamics after a reset has the hooks.
    pub fn check_acceleration_with<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), StepError> {
        self.check_model(model)?;
        Ok(self.check_accelerations(model, hooks)?)
    }

    fn check_accelerations<H: Hooks + ?Sized>(
        &mut self,
        model: &Model,
        hooks: &mut H,
    ) -> Result<(), Diverged> {
        let qacc = &self.acceleration.solution.qacc;
        let bad = qacc.iter().position(|&x| is_bad(x));
        let result = self.diverged(model, Warning::Badqacc, bad);
        if bad.is_some() && !is_disabled(model, DisableFlag::Autoreset) {
            self.forward_stages(model, Stage::None, Sensors::Computed, hooks);
        }
        result
    }

    /// Counts a bad value and resets unless disabled. A value that stays counts twice, as in the
    /// reference.
    fn diverged(
        &mut self,
        model: &Model,
        warning: Warning,
        index: Option<usize>,
    ) -> Result<(), Diverged> {
        let Some(index) = index else {
            return Ok(());
        };
        self.warnings.count(warning, index, self.state.time);
        if !is_disabled(model, DisableFlag::Autoreset) {
            self.restart(model);
            self.warnings.count_reset();
        }
        self.warnings.count_again(warning, index);
        Err(Diverged { warning, index })
    }

    /// Ends a step whose bad value is there even after the reset, in a clean initial state that
    /// keeps the counters.
    fn stop_if_still_bad(
        &mut self,
        model: &Model,
        met: Result<(), Diverged>,
    ) -> Result<(), StepError> {
        let Err(bad) = met else {
            return Ok(());
        };
        let state = &self.state;
        let qacc = &self.acceleration.solution.qacc;
        let mut numbers = state.qpos.iter().chain(&state.qvel).chain(qacc);
        if is_disabled(model, DisableFlag::Autoreset) || !numbers.any(|&x| is_bad(x)) {
            return Ok(());
        }
        let warnings = self.warnings.clone();
        self.restart(model);
        self.warnings = warnings;
        Err(StepError::StillBad(bad))
    }

    fn potential_energy(&mut self, model: &Model) {
        if self.energy.has_potential {
            return;
        }
        if is_enabled(model, EnableFlag::Energy) {
            self.energy.values[0] = energy::potential(model, &self.state, &self.position);
            self.energy.has_potential = true;
        } else {
            self.energy.values = [0.0; 2];
        }
    }

    fn kinetic_energy(&mut self, model: &Model) {
        if is_enabled(model, EnableFlag::Energy) && !self.energy.has_kinetic {
            self.energy.values[1] =
                energy::kinetic(model, &self.state, &self.position, &mut self.scratch);
            self.energy.has_kinetic = true;
        }
    }

    /// Linear velocity and angular momentum of subtrees at the current state.
    #[doc(alias = "mj_subtreeVel")]
    pub fn subtree_momentum(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        self.momentum_stage(model);
        Ok(())
    }

    pub(crate) fn momentum_stage(&mut self, model: &Model) {
        let velocity = &mut self.velocity;
        velocity::momentum::compute(model, &self.position, &velocity.com, &mut velocity.momentum);
    }

    /// Accelerations of bodies and forces between them at the current accelerations.
    #[doc(alias = "mj_rnePostConstraint")]
    pub fn body_forces(&mut self, model: &Model) -> Result<(), CallError> {
        self.check_model(model)?;
        self.body_force_stage(model);
        Ok(())
    }

    pub(crate) fn body_force_stage(&mut self, model: &Model) {
        let acceleration = &mut self.acceleration;
        acceleration::body_force::compute(
            model,
            &self.state,
            &self.input,
            &self.position,
            &self.velocity.com,
            &acceleration.solution,
            &mut acceleration.body_force,
        );
    }
}
