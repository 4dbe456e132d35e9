//! The stages that depend on positions alone.

use super::Dynamics;
use crate::data::Data;
use crate::energy;
use crate::engine::Engine;
use crate::parts::Moment::{Begin, End, Pause};
use crate::parts::{ElasticitySlot, Laws, Observer, Parts};
use crate::position::{
    com, constraint, contact, flex, inertia, island, kinematics, tendon, transmission, view,
};
use sinew_model::Model;
use sinew_model::kinds::{TimerKind, Warning};

/// All of them in order.
pub(crate) fn compute<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data, dynamics: Dynamics) {
    let model = engine.model;
    engine.observe(Begin(TimerKind::Position));
    engine.observe(Begin(TimerKind::PosKinematics));
    all_kinematics(model, data);
    engine.observe(End(TimerKind::PosKinematics));
    inertia(engine, data);
    factor(engine, data);
    contacts(engine, data);
    engine.observe(Begin(TimerKind::PosMake));
    rows(engine, data);
    if engine.is_interrupted() {
        // What comes next then has little to do.
        data.position.contacts.contact.clear();
        data.position.clear_rows(model);
    }
    if dynamics == Dynamics::Forward {
        islands(model, data);
    }
    engine.observe(End(TimerKind::PosMake));
    engine.observe(Begin(TimerKind::PosKinematics));
    transmission(model, data);
    engine.observe(Pause(TimerKind::PosKinematics));
    engine.observe(End(TimerKind::Position));
    if dynamics == Dynamics::Forward {
        // The couplings of the rows are computed when they are solved; the reference counts them here.
        engine.observe(Begin(TimerKind::PosProject));
        engine.observe(End(TimerKind::PosProject));
    }
    count_dropped_contacts(data);
    data.energy.has_potential = false;
}

/// Poses, centres of mass, cameras and lights, flexes, tendons.
pub(crate) fn all_kinematics(model: &Model, data: &mut Data) {
    kinematics(model, data);
    com(model, data);
    view(model, data);
    flex(model, data);
    tendon(model, data);
}

/// Poses of bodies, joints, geoms and sites.
pub(crate) fn kinematics(model: &Model, data: &mut Data) {
    let out = &mut data.position.kinematics;
    kinematics::compute(model, &data.state, &data.input, out);
}

/// Centres of mass, inertias and motion axes about them.
pub(crate) fn com(model: &Model, data: &mut Data) {
    let position = &mut data.position;
    com::compute(model, &position.kinematics, &mut position.com);
}

/// Poses of cameras and lights.
pub(crate) fn view(model: &Model, data: &mut Data) {
    let position = &mut data.position;
    let (kinematics, com) = (&position.kinematics, &position.com);
    view::compute(model, kinematics, com, &mut position.view);
}

/// Vertices, boxes and edges of flexes.
pub(crate) fn flex(model: &Model, data: &mut Data) {
    let position = &mut data.position;
    let (kinematics, com) = (&position.kinematics, &position.com);
    flex::compute(model, kinematics, com, &mut position.flex);
}

/// Tendon lengths, paths and Jacobians.
pub(crate) fn tendon(model: &Model, data: &mut Data) {
    let position = &mut data.position;
    let (kinematics, com) = (&position.kinematics, &position.com);
    let (out, scratch) = (&mut position.tendon, &mut data.scratch);
    tendon::compute(model, &data.state, kinematics, com, out, scratch);
}

/// Joint-space inertia.
pub(crate) fn inertia<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    engine.observe(Begin(TimerKind::PosInertia));
    let position = &mut data.position;
    let (com, tendon) = (&position.com, &position.tendon);
    inertia::compute(engine.model, com, tendon, &mut position.inertia);
    engine.observe(End(TimerKind::PosInertia));
}

/// Joint-space inertia of the bodies alone; [`inertia`] computes it as well.
pub(crate) fn body_inertia(model: &Model, data: &mut Data) {
    let position = &mut data.position;
    inertia::bodies(model, &position.com, &mut position.inertia);
}

/// Factor of the joint-space inertia.
pub(crate) fn factor<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    engine.observe(Begin(TimerKind::PosInertia));
    let (model, out) = (engine.model, &mut data.position.inertia);
    inertia::factor(model, out, || !engine.is_interrupted());
    engine.observe(Pause(TimerKind::PosInertia));
}

/// Contacts between geoms, and with flexes. The rows are those of older contacts until they are made again.
#[inline(never)]
pub(crate) fn contacts<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    let (state, position) = (&data.state, &mut data.position);
    let positions = (&position.kinematics, &position.flex);
    let out = &mut position.contacts;
    contact::compute(engine.model, state, positions, &mut engine.parts, out);
}

/// Constraint rows. Contacts whose rows do not fit the memory leave the list. There are no islands until
/// they are found again.
pub(crate) fn rows<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    let model = engine.model;
    let Data {
        state,
        input,
        position,
        ..
    } = data;
    if model.nflex > 0 {
        let (moving, out) = (
            (&position.com, &position.flex),
            &mut position.constraints.of_laws,
        );
        out.clear();
        engine
            .parts
            .laws()
            .elasticity()
            .add_rows(model, moving, out);
    }
    constraint::compute(
        model,
        state,
        input,
        &position.kinematics,
        &position.com,
        (&position.tendon, &position.flex),
        &position.contacts,
        engine.parts.observer().patience(),
        &mut position.constraints,
    );
    let dropped = position.constraints.storage.dropped;
    position.contacts.drop_last(dropped);
    position.islands.clear();
}

/// Groups of trees that constraints tie together.
pub(crate) fn islands(model: &Model, data: &mut Data) {
    let position = &mut data.position;
    let (contacts, constraints) = (&position.contacts, &position.constraints);
    island::compute(model, contacts, constraints, &mut position.islands);
}

/// Actuator lengths and moments.
pub(crate) fn transmission(model: &Model, data: &mut Data) {
    let position = &mut data.position;
    transmission::compute(
        model,
        &data.state,
        &position.kinematics,
        &position.com,
        &position.tendon,
        (&position.contacts, &position.constraints),
        &mut position.transmission,
        &mut data.scratch,
    );
}

/// Potential energy.
pub(crate) fn energy(model: &Model, data: &mut Data) {
    data.energy.values[0] = energy::potential(model, &data.state, &data.position);
    data.energy.has_potential = true;
}

/// Counts contacts that did not fit the memory, with how many contacts or rows did.
fn count_dropped_contacts(data: &mut Data) {
    let (contacts, time) = (&data.position.contacts, data.state.time);
    if contacts.storage.dropped > 0 {
        let kept = contacts.contact.len();
        data.warnings.count(Warning::Contactfull, kept, time);
    }
    let constraints = &data.position.constraints;
    if constraints.storage.dropped > 0 {
        let rows = constraints.nefc();
        data.warnings.count(Warning::Cnstrfull, rows, time);
    }
}
