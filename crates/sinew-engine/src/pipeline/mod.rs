//! The pipeline: the stages in their order, once.
//!
//! ```text
//! step      check the state, forward, check the accelerations, integrate
//! forward   position, velocity, controller, acceleration
//! inverse   position, velocity, constraints and force at the given acceleration
//! ```
//!
//! Sensors and energies are computed when the stage that they read ends. Nothing is checked here: the
//! methods of [`Engine`] do that and call. The derived arrays after a step describe the state it
//! started from.

pub(crate) mod acceleration;
pub(crate) mod check;
pub(crate) mod position;
pub(crate) mod velocity;

use crate::data::Data;
use crate::engine::{Engine, Sensors};
use crate::error::StepError;
use crate::integrate::{self, implicit::Factor};
use crate::parts::Moment::{Begin, End, Pause};
use crate::parts::{Controller, Parts};
use crate::{forward_inverse, inverse as inverse_dynamics, is_disabled, is_enabled, sensor};
use sinew_model::kinds::{DisableFlag, EnableFlag, Integrator, Stage, TimerKind};

/// What the positions' and velocities' stages are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dynamics {
    /// Accelerations from forces.
    Forward,
    /// Forces from accelerations: rows are not solved, so there are no islands.
    Inverse,
}

/// Forward dynamics of what comes after a stage that is still current.
pub(crate) fn forward<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
    current: Stage,
    sensors: Sensors,
) {
    engine.observe(Begin(TimerKind::Forward));
    position_and_velocity(engine, data, current, sensors, Dynamics::Forward);
    if !is_disabled(engine.model, DisableFlag::Actuation) {
        engine.parts.controller().control(engine.model, data);
    }
    acceleration::compute(engine, data);
    if sensors == Sensors::Computed {
        sensor::compute(engine, data, Stage::Acc);
    }
    engine.observe(End(TimerKind::Forward));
}

/// Inverse dynamics of what comes after a stage that is still current.
pub(crate) fn inverse<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
    current: Stage,
    sensors: Sensors,
) {
    engine.observe(Begin(TimerKind::Inverse));
    position_and_velocity(engine, data, current, sensors, Dynamics::Inverse);
    let is_discrete = is_enabled(engine.model, EnableFlag::Invdiscrete);
    if is_discrete {
        inverse_dynamics::make_continuous(engine, data);
    }
    acceleration::inverse_solution(engine, data);
    inverse_dynamics::compute(engine.model, data);
    // Sensors read the acceleration of the equations of motion, not the difference of velocities.
    if sensors == Sensors::Computed {
        data.acceleration.body_force.is_current = false;
        sensor::compute(engine, data, Stage::Acc);
    }
    if is_discrete {
        inverse_dynamics::make_discrete(data);
    }
    engine.observe(End(TimerKind::Inverse));
}

/// The stages that depend on the state alone, with their sensors and energies.
fn position_and_velocity<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
    current: Stage,
    sensors: Sensors,
    dynamics: Dynamics,
) {
    if current == Stage::None {
        position::compute(engine, data, dynamics);
        if sensors == Sensors::Computed {
            sensor::compute(engine, data, Stage::Pos);
        }
        if !data.energy.has_potential {
            if is_enabled(engine.model, EnableFlag::Energy) {
                position::energy(engine.model, data);
            } else if dynamics == Dynamics::Forward {
                data.energy.values = [0.0; 2];
            }
        }
    }
    if matches!(current, Stage::None | Stage::Pos) {
        velocity::compute(engine, data);
        if sensors == Sensors::Computed {
            sensor::compute(engine, data, Stage::Vel);
        }
        if is_enabled(engine.model, EnableFlag::Energy) && !data.energy.has_kinetic {
            velocity::energy(engine.model, data);
        }
    }
}

/// A step of which a stage is still current; the implicit integrators then keep their factor.
pub(crate) fn step<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
    current: Stage,
    sensors: Sensors,
) -> Result<(), StepError> {
    engine.observe(Begin(TimerKind::Step));
    let state = check::state(engine, data)?;
    forward(engine, data, current, sensors);
    if engine.is_interrupted() {
        return Err(StepError::Interrupted);
    }
    let acceleration = check::acceleration(engine, data)?;
    check::readings(data);
    // The slopes of gains in place of the model's may depend on controls.
    let factor = match current {
        Stage::Vel if !acceleration::has_gain_laws(engine) => Factor::Kept,
        _ => Factor::Fresh,
    };
    finish(engine, data, integrator(engine), factor)?;
    engine.observe(End(TimerKind::Step));
    check::outcome(state.or(acceleration))
}

/// The part of a step before controls and forces are set.
pub(crate) fn step1<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
) -> Result<(), StepError> {
    engine.observe(Begin(TimerKind::Step));
    let state = check::state(engine, data)?;
    let sensors = Sensors::Computed;
    position_and_velocity(engine, data, Stage::None, sensors, Dynamics::Forward);
    if engine.is_interrupted() {
        return Err(StepError::Interrupted);
    }
    engine.parts.controller().control(engine.model, data);
    engine.observe(End(TimerKind::Step));
    check::outcome(state)
}

/// The part of a step after controls and forces are set. Rules with stages give way to Euler's.
pub(crate) fn step2<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
) -> Result<(), StepError> {
    engine.observe(Begin(TimerKind::Step));
    acceleration::compute(engine, data);
    sensor::compute(engine, data, Stage::Acc);
    if engine.is_interrupted() {
        return Err(StepError::Interrupted);
    }
    let acceleration = check::acceleration(engine, data)?;
    check::readings(data);
    let integrator = match integrator(engine) {
        rule if integrate::has_stages(rule) => Integrator::Euler,
        rule => rule,
    };
    finish(engine, data, integrator, Factor::Fresh)?;
    // The first half has counted the step.
    engine.observe(Pause(TimerKind::Step));
    check::outcome(acceleration)
}

/// The end of a step: compares with inverse dynamics if asked, and advances the state.
fn finish<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
    integrator: Integrator,
    factor: Factor,
) -> Result<(), StepError> {
    if is_enabled(engine.model, EnableFlag::Fwdinv) {
        forward_inverse::compare(engine, data);
    }
    integrate::step(engine, data, integrator, factor)
}

/// The integrator that the model asks for.
fn integrator<P>(engine: &Engine<'_, P>) -> Integrator {
    Integrator::from_code(engine.model.opt.integrator).unwrap_or(Integrator::Euler)
}
