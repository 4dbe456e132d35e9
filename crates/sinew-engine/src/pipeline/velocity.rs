//! The stages that depend on positions and velocities.

use crate::data::Data;
use crate::energy;
use crate::engine::Engine;
use crate::parts::Moment::{Begin, End};
use crate::parts::{Parts, PassiveForce};
use crate::velocity::{bias, com, length, momentum, passive, reference};
use sinew_model::Model;
use sinew_model::kinds::TimerKind;

/// All of them in order.
pub(crate) fn compute<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    let model = engine.model;
    engine.observe(Begin(TimerKind::Velocity));
    data.velocity.momentum.is_current = false;
    length(model, data);
    com(model, data);
    data.energy.has_kinetic = false;
    passive(engine, data);
    reference(data);
    bias(model, data);
    engine.observe(End(TimerKind::Velocity));
}

/// Rates of tendon and actuator lengths.
pub(crate) fn length(model: &Model, data: &mut Data) {
    let out = &mut data.velocity.length;
    length::compute(model, &data.state, &data.position, out);
}

/// Spatial velocities about the centres of mass.
pub(crate) fn com(model: &Model, data: &mut Data) {
    let out = &mut data.velocity.com;
    com::compute(model, &data.state, &data.position.com, out);
}

/// Springs, dampers, gravity compensation, fluid, and the user's passive force.
pub(crate) fn passive<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    let (model, velocity) = (engine.model, &mut data.velocity);
    let moving = (&velocity.com, &velocity.length);
    let (laws, out) = (engine.parts.laws(), &mut velocity.passive);
    passive::compute(model, &data.state, &data.position, moving, laws, out);
    if let Some(flex) = velocity.passive.flex.loads.inverted.take() {
        data.warnings.count_inverted(flex, data.state.time);
    }
    if passive::is_active(model) {
        engine.parts.passive_force().add_force(model, data);
    }
}

/// What the constraint rows aim at.
pub(crate) fn reference(data: &mut Data) {
    let out = &mut data.velocity.reference;
    reference::compute(&data.state, &data.position.constraints, out);
}

/// What rows aim at that were made after the velocities' part.
pub(crate) fn complete_reference(data: &mut Data) {
    if data.velocity.reference.efc_aref.len() != data.position.constraints.nefc() {
        reference(data);
    }
}

/// Coriolis, centrifugal and gravitational force.
pub(crate) fn bias(model: &Model, data: &mut Data) {
    let velocity = &mut data.velocity;
    let (com, out) = (&velocity.com, &mut velocity.bias);
    bias::compute(
        model,
        &data.state,
        &data.position,
        com,
        out,
        &mut data.scratch,
    );
}

/// Kinetic energy.
pub(crate) fn energy(model: &Model, data: &mut Data) {
    let (state, position) = (&data.state, &data.position);
    data.energy.values[1] = energy::kinetic(model, state, position, &mut data.scratch);
    data.energy.has_kinetic = true;
}

/// Linear velocity and angular momentum of subtrees; computed on demand.
pub(crate) fn momentum(model: &Model, data: &mut Data) {
    let velocity = &mut data.velocity;
    let (com, out) = (&velocity.com, &mut velocity.momentum);
    momentum::compute(model, &data.position, com, out);
}
