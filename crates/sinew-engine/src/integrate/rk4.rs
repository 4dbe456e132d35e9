//! The classical Runge–Kutta method of fourth order.
//!
//! Positions are advanced on their manifold: the combined velocity of the stages is integrated as
//! one constant velocity. Derived quantities afterwards are those of the last stage. Conforms to
//! MuJoCo's `mj_RungeKutta`.

use super::{Integration, advance, move_position};
use crate::data::Data;
use crate::engine::{Engine, Sensors};
use crate::error::StepError;
use crate::parts::Parts;
use crate::state::State;
use crate::{pipeline, sensor};
use sinew_dynamics::integrate::{STAGE_STEPS, STAGE_WEIGHTS};
use sinew_math::dense::add_scaled;
use sinew_model::Model;
use sinew_model::kinds::Stage;

/// Storage of the method.
#[derive(Clone, Debug, Default)]
pub struct Stages {
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    velocity: Vec<f64>,
    slope: Vec<f64>,
    act_slope: Vec<f64>,
}

impl Stages {
    /// Starts from a state, with no slope yet.
    fn begin(&mut self, state: &State) {
        self.qpos.clone_from(&state.qpos);
        self.qvel.clone_from(&state.qvel);
        self.act.clone_from(&state.act);
        for (slope, size) in [
            (&mut self.velocity, state.nv),
            (&mut self.slope, state.nv),
            (&mut self.act_slope, state.na),
        ] {
            slope.clear();
            slope.resize(size, 0.0);
        }
    }

    /// Puts positions, velocities and activations back.
    fn restore(&self, state: &mut State) {
        state.qpos.copy_from_slice(&self.qpos);
        state.qvel.copy_from_slice(&self.qvel);
        state.act.copy_from_slice(&self.act);
    }

    /// Adds the current slopes of `data` with a weight.
    fn add(&mut self, qvel: &[f64], qacc: &[f64], act_dot: &[f64], weight: f64) {
        add_scaled(&mut self.velocity, qvel, weight);
        add_scaled(&mut self.slope, qacc, weight);
        add_scaled(&mut self.act_slope, act_dot, weight);
    }
}

/// One step; the first stage is the current forward dynamics.
#[doc(alias = "mj_RungeKutta")]
pub(crate) fn step<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) -> Result<(), StepError> {
    let model = engine.model;
    let (time, timestep) = (data.state.time, model.opt.timestep);
    let mut stages = core::mem::take(&mut data.integration.stages);
    stages.begin(&data.state);
    // Stages do not touch what sensors share: what is recorded reads the body forces of the step.
    let has_body_forces = data.acceleration.body_force.is_current;

    for stage in 0..4 {
        if stage > 0 {
            next_stage(model, data, &stages, STAGE_STEPS[stage - 1] * timestep);
            data.state.time = time + STAGE_STEPS[stage - 1] * timestep;
            // The storage is back in its place while user code may run.
            data.integration.stages = stages;
            pipeline::forward(engine, data, Stage::None, Sensors::Skipped);
            stages = core::mem::take(&mut data.integration.stages);
            if engine.is_interrupted() {
                stages.restore(&mut data.state);
                data.state.time = time;
                data.integration.stages = stages;
                return Err(StepError::Interrupted);
            }
        }
        stages.add(
            &data.state.qvel,
            &data.acceleration.solution.qacc,
            &data.acceleration.actuation.act_dot,
            STAGE_WEIGHTS[stage],
        );
    }

    data.acceleration.body_force.is_current = has_body_forces;
    data.state.time = time;
    stages.restore(&mut data.state);
    sensor::record(model, data);
    let state = &mut data.state;
    advance(
        model,
        state,
        &data.input,
        &stages.act_slope,
        &stages.slope,
        Some(&stages.velocity),
    );
    state
        .qacc_warmstart
        .copy_from_slice(&data.acceleration.solution.qacc);
    data.integration.stages = stages;
    Ok(())
}

/// Sets the state to the starting state plus a step along the slopes just computed.
fn next_stage(model: &Model, data: &mut Data, start: &Stages, step: f64) {
    let Data {
        state,
        acceleration,
        integration: Integration {
            acceleration: previous,
            ..
        },
        ..
    } = data;
    previous.copy_from_slice(&state.qvel);
    state.qpos.copy_from_slice(&start.qpos);
    move_position(model, &mut state.qpos, previous, step);
    state.qvel.copy_from_slice(&start.qvel);
    add_scaled(&mut state.qvel, &acceleration.solution.qacc, step);
    state.act.copy_from_slice(&start.act);
    add_scaled(&mut state.act, &acceleration.actuation.act_dot, step);
}
