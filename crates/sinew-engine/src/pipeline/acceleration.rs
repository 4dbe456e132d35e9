//! The stages that depend on positions, velocities and inputs.

use super::velocity;
use crate::acceleration::actuation::{self, Actuation, UserTerms};
use crate::acceleration::{body_force, constraint, smooth};
use crate::data::Data;
use crate::engine::Engine;
use crate::is_disabled;
use crate::parts::Moment::{Begin, End, Pause};
use crate::parts::{GainSlot, Laws, Observer, Parts, SolverSlot, UserActuators};
use sinew_model::Model;
use sinew_model::kinds::{BiasType, DisableFlag, DynamicsType, GainType, TimerKind};

/// All of them in order.
pub(crate) fn compute<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    actuation(engine, data);
    smooth(engine.model, data);
    solution(engine, data);
}

/// Actuator forces and activation rates.
#[inline(never)]
pub(crate) fn actuation<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    let model = engine.model;
    engine.observe(Begin(TimerKind::Actuation));
    let out = &mut data.acceleration.actuation;
    let (state, control) = (&data.state, &mut data.scratch.control);
    if !actuation::begin(model, state, &data.input, out, control, &mut data.warnings) {
        return engine.observe(Pause(TimerKind::Actuation));
    }
    for i in 0..model.nu {
        if model.actuator_dyntype[i] == DynamicsType::User.code() {
            user_activation_rates(engine, data, i);
        }
    }
    let has_laws = gain_laws(engine, data);
    for i in 0..model.nu {
        if !actuation::is_driven(model, i) {
            continue;
        }
        let mut user = UserTerms::default();
        if has_laws && let Some(law) = data.acceleration.actuation.laws.force[i] {
            if model.actuator_biastype[i] == BiasType::User.code() {
                user.bias = Some(engine.parts.actuators().bias(model, data, i));
            }
            let length = data.position.transmission.actuator_length[i];
            let speed = data.velocity.length.actuator_velocity[i];
            let bias = actuation::bias(model, (i, length, speed), user);
            data.acceleration.actuation.actuator_force[i] = law.force + bias;
            continue;
        }
        if model.actuator_gaintype[i] == GainType::User.code() {
            user.gain = Some(engine.parts.actuators().gain(model, data, i));
        }
        if model.actuator_biastype[i] == BiasType::User.code() {
            user.bias = Some(engine.parts.actuators().bias(model, data, i));
        }
        let (position, velocity) = (&data.position, &data.velocity);
        let act_dot = &data.acceleration.actuation.act_dot;
        let driven = (i, data.scratch.control[i]);
        let force = actuation::force(
            model,
            &data.state,
            position,
            velocity,
            act_dot,
            driven,
            user,
        );
        data.acceleration.actuation.actuator_force[i] = force;
    }
    let (position, velocity) = (&data.position, &data.velocity);
    let out = &mut data.acceleration.actuation;
    actuation::finish(model, position, velocity, out, &mut data.scratch);
    engine.observe(End(TimerKind::Actuation));
}

/// Asks the gains in place of the model's, if there are any.
#[inline(always)]
fn gain_laws<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) -> bool {
    let (model, is_present) = (engine.model, has_gain_laws(engine));
    if is_present {
        let gain = engine.parts.laws().gain();
        let moving = (&data.position, &data.velocity);
        let Actuation { laws, act_dot, .. } = &mut data.acceleration.actuation;
        let driven = (&data.scratch.control[..], &act_dot[..]);
        laws.compute(gain, model, &data.state, moving, driven);
    }
    is_present
}

/// What gains in place of the model's give for the current state, where nothing asks for the forces.
#[inline(always)]
pub(crate) fn refresh_gain_laws<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    let model = engine.model;
    if has_gain_laws(engine) && model.nu > 0 && !is_disabled(model, DisableFlag::Actuation) {
        let (control, warnings) = (&mut data.scratch.control, &mut data.warnings);
        actuation::controls(model, &data.state, &data.input, control, warnings);
        gain_laws(engine, data);
    }
}

/// Whether gains are in place of the model's.
#[inline(always)]
pub(crate) fn has_gain_laws<P: Parts>(engine: &mut Engine<'_, P>) -> bool {
    let is_named = !engine.model.laws().gain.is_empty();
    is_named || engine.parts.laws().gain().is_present()
}

/// Rates of the activations of one actuator, from the user.
fn user_activation_rates<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data, actuator: usize) {
    let model = engine.model;
    let Some(range) = actuation::activations(model, actuator) else {
        return;
    };
    let mut rates = core::mem::take(&mut data.scratch.rates);
    rates.clear();
    rates.resize(range.len(), 0.0);
    let actuators = engine.parts.actuators();
    actuators.activation_rates(model, data, actuator, &mut rates);
    data.acceleration.actuation.act_dot[range].copy_from_slice(&rates);
    data.scratch.rates = rates;
}

/// Sum of the smooth forces and the acceleration it causes.
pub(crate) fn smooth(model: &Model, data: &mut Data) {
    let (input, position, velocity) = (&data.input, &data.position, &data.velocity);
    let acceleration = &mut data.acceleration;
    let (actuation, out) = (&acceleration.actuation, &mut acceleration.smooth);
    smooth::compute(model, input, position, velocity, actuation, out);
}

/// Couplings of the constraint rows, where the solver needs them; solving computes them as well.
pub(crate) fn projection(model: &Model, data: &mut Data) {
    velocity::complete_reference(data);
    let (reference, acceleration) = (&data.velocity.reference, &mut data.acceleration);
    let (smooth, out) = (&acceleration.smooth, &mut acceleration.solution);
    constraint::project(model, &data.position, reference, smooth, out);
}

/// Constraint forces and the resulting acceleration.
pub(crate) fn solution<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    engine.observe(Begin(TimerKind::Constraint));
    velocity::complete_reference(data);
    let (reference, acceleration) = (&data.velocity.reference, &mut data.acceleration);
    acceleration.body_force.is_current = false;
    if has_solver(engine) || acceleration.solution.law.is_in_use {
        law_solution(engine, data);
    } else {
        constraint::compute(
            engine.model,
            &data.state,
            &data.position,
            reference,
            &acceleration.smooth,
            engine.parts.observer().patience(),
            &mut acceleration.solution,
        );
    }
    engine.observe(End(TimerKind::Constraint));
}

/// Whether a solver is in the place of the model's.
#[inline(always)]
fn has_solver<P: Parts>(engine: &mut Engine<'_, P>) -> bool {
    let is_named = engine.model.laws().solver.is_some();
    is_named || engine.parts.laws().solver().is_present()
}

/// Constraint forces by a solver in the place of the model's, or by the model's after another one.
#[inline(never)]
fn law_solution<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    let (model, has_solver) = (engine.model, has_solver(engine));
    let solution = &mut data.acceleration.solution;
    if solution.law.is_in_use != has_solver {
        // What one solver ended with says nothing about where another may start.
        data.state.qacc_warmstart.fill(0.0);
        solution.law.is_in_use = has_solver;
        solution.law.shift.clear();
    }
    let (laws, patience) = engine.parts.laws_and_patience();
    constraint::compute_by_law(
        model,
        &data.state,
        &data.position,
        (&data.velocity.reference, &data.acceleration.smooth),
        (laws.solver(), patience),
        &mut data.acceleration.solution,
    );
}

/// Constraint forces at the current accelerations.
pub(crate) fn inverse_solution<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    engine.observe(Begin(TimerKind::Constraint));
    velocity::complete_reference(data);
    let (reference, acceleration) = (&data.velocity.reference, &mut data.acceleration);
    let (smooth, out) = (&acceleration.smooth, &mut acceleration.solution);
    constraint::inverse(engine.model, &data.position, reference, smooth, out);
    engine.observe(End(TimerKind::Constraint));
}

/// Accelerations of bodies and forces between them; computed on demand.
pub(crate) fn body_force(model: &Model, data: &mut Data) {
    let acceleration = &mut data.acceleration;
    body_force::compute(
        model,
        &data.state,
        &data.input,
        &data.position,
        &data.velocity.com,
        &acceleration.solution,
        &mut acceleration.body_force,
    );
}
