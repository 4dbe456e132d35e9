//! A lane as a simulation of its own: what sensors and derived arrays are read from.
//!
//! Lanes compute what a step needs. What only a reader needs follows from that, one world at a time, after the last of the
//! steps that a call makes.

use super::group::Group;
use super::plan::Reason;
use crate::needs::Needs;
use crate::worlds::Shape;
use sinew_engine::energy::Energy;
use sinew_engine::position::contact::Contact;
use sinew_engine::{Data, Engine};
use sinew_math::{Mat3, Real, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, ObjectType, SensorType, Stage};

/// What is read of a world after its last step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    /// Sensors.
    pub senses: bool,
    /// What the sensors read.
    sensed: Parts,
    /// Arrays that are kept besides the state, and what they need.
    derives: Option<Needs>,
    /// Energies.
    has_energy: bool,
}

/// Parts of a simulation.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    /// Where bodies are and how they move.
    motion: bool,
    /// Lengths of tendons and actuators.
    lengths: bool,
    /// Contacts and forces of constraint rows.
    rows: bool,
    /// Poses of cameras.
    views: bool,
    /// The inertia matrix.
    inertia: bool,
}

impl Parts {
    const ALL: Parts = Parts {
        motion: true,
        lengths: true,
        rows: true,
        views: false,
        inertia: true,
    };

    /// Adds what a sensor reads; or why lanes do not have it.
    fn add_sensor(&mut self, model: &Model, sensor: usize) -> Result<(), Reason> {
        use SensorType::{
            Accelerometer, Actuatorfrc, Actuatorpos, Actuatorvel, Ballangvel, Ballquat, Clock,
            Contact, EKinetic, EPotential, Force, Frameangacc, Framelinacc, Jointactfrc,
            Jointlimitfrc, Jointlimitpos, Jointlimitvel, Jointpos, Jointvel, Plugin, Tactile,
            Tendonactfrc, Tendonlimitfrc, Tendonlimitpos, Tendonlimitvel, Tendonpos, Tendonvel,
            Torque, Touch, User,
        };
        let kind = SensorType::from_code(model.sensor_type[sensor]);
        match kind.unwrap_or(User) {
            Contact | Tactile => return Err("sensors that list contacts"),
            Jointlimitvel | Tendonlimitvel => return Err("sensors of velocities at limits"),
            EPotential | EKinetic => return Err("sensors of energies"),
            User | Plugin => return Err("sensors of user code"),
            Jointpos | Jointvel | Ballquat | Ballangvel | Clock | Actuatorfrc | Jointactfrc
            | Tendonactfrc => {}
            Actuatorpos | Actuatorvel => self.lengths = true,
            Tendonpos | Tendonvel => (self.motion, self.lengths) = (true, true),
            Jointlimitpos | Jointlimitfrc | Tendonlimitpos | Tendonlimitfrc => self.rows = true,
            Touch | Accelerometer | Force | Torque | Framelinacc | Frameangacc => {
                (self.motion, self.rows) = (true, true);
            }
            _ => self.motion = true,
        }
        let camera = ObjectType::Camera.code();
        let objects = [model.sensor_objtype[sensor], model.sensor_reftype[sensor]];
        self.views |= kind == Some(SensorType::Camprojection) || objects.contains(&camera);
        Ok(())
    }
}

impl Reading {
    /// What a model's sensors and the arrays of a batch read; or why lanes do not have it.
    pub fn new(model: &Model, shapes: &[Shape]) -> Result<Self, Reason> {
        let is_silent = model.opt.disableflags & DisableFlag::Sensor.code() != 0;
        let senses = model.nsensor > 0 && !is_silent;
        let mut sensed = Parts::default();
        for sensor in (0..model.nsensor).filter(|_| senses) {
            sensed.add_sensor(model, sensor)?;
        }
        let derives = shapes.iter().any(|shape| !shape.field.is_kept_always());
        Ok(Reading {
            senses,
            sensed,
            derives: derives.then(|| Needs::of(shapes)),
            has_energy: model.opt.enableflags & EnableFlag::Energy.code() != 0,
        })
    }

    /// Whether there are arrays to fill besides the state.
    pub fn derives(&self) -> bool {
        self.derives.is_some()
    }
}

/// The readings of the sensors in a lane.
pub(super) fn sense<P: Real>(
    model: &Model,
    group: &Group<P>,
    lane: usize,
    reading: &Reading,
    data: &mut Data,
) {
    take(
        model,
        group,
        (&group.qpos, &group.qvel),
        lane,
        reading.sensed,
        data,
    );
    let engine = &mut Engine::new(model);
    // The simulation is one of this very model: nothing is refused.
    for stage in [Stage::Pos, Stage::Vel, Stage::Acc] {
        let _ = engine.compute_sensors(data, stage);
    }
}

/// The derived arrays of a lane after its step.
pub(super) fn derive<P: Real>(
    model: &Model,
    group: &Group<P>,
    lane: usize,
    reading: &Reading,
    data: &mut Data,
) {
    let Some(needs) = reading.derives else {
        return;
    };
    let from = &group.derived_from;
    take(
        model,
        group,
        (&from.qpos, &from.qvel),
        lane,
        Parts::ALL,
        data,
    );
    data.energy = Energy::default();
    if reading.has_energy {
        let engine = &mut Engine::new(model);
        let _ = engine.compute_potential_energy(data);
        let _ = engine.compute_kinetic_energy(data);
    }
    // What is not part of a step is computed from the state after it, as for one world.
    put(&mut data.state.qpos, &group.qpos, lane);
    put(&mut data.state.qvel, &group.qvel, lane);
    needs.complete(model, data);
}

fn put<P: Real>(out: &mut [f64], cells: &[P], lane: usize) {
    for (x, cell) in out.iter_mut().zip(cells) {
        *x = cell.lane(lane);
    }
}

/// What lanes know of a world.
fn take<P: Real>(
    model: &Model,
    group: &Group<P>,
    (qpos, qvel): (&[P], &[P]),
    lane: usize,
    parts: Parts,
    data: &mut Data,
) {
    data.state.time = group.time[lane];
    put(&mut data.state.qpos, qpos, lane);
    put(&mut data.state.qvel, qvel, lane);
    put(&mut data.state.act, &group.act, lane);
    // Worlds that are pushed do not go side by side.
    data.input.xfrc_applied.fill([0.0; 6]);
    let (position, velocity) = (&mut data.position, &mut data.velocity);
    if parts.motion {
        group.kinematics.take_lane(lane, &mut position.kinematics);
        group.com.take_lane(lane, &mut position.com);
        group.velocity.take_lane(lane, &mut velocity.com);
    }
    if parts.inertia {
        group.inertia.take_lane(lane, &mut position.inertia);
    }
    put(&mut velocity.passive.qfrc_passive, &group.passive, lane);
    put(&mut velocity.bias.qfrc_bias, &group.bias, lane);
    velocity.momentum.is_current = false;
    let acceleration = &mut data.acceleration;
    acceleration.body_force.is_current = false;
    let actuation = &mut acceleration.actuation;
    put(&mut actuation.act_dot, &group.act_dot, lane);
    put(&mut actuation.actuator_force, &group.actuator_force, lane);
    put(&mut actuation.qfrc_actuator, &group.actuator, lane);
    group.smooth.take_lane(lane, &mut acceleration.smooth);
    let solution = &mut acceleration.solution;
    put(&mut solution.qacc, &group.qacc, lane);
    put(&mut solution.qfrc_constraint, &group.constraint, lane);
    if parts.rows {
        rows(group, lane, data);
    }
    let engine = &mut Engine::new(model);
    // The simulation is one of this very model: nothing is refused.
    if parts.lengths {
        let _ = engine.compute_tendon(data);
        let _ = engine.compute_transmission(data);
        let _ = engine.compute_length_velocity(data);
    }
    if parts.views {
        let _ = engine.compute_view(data);
    }
}

/// Contacts and the forces of rows, in the order that the world has alone.
fn rows<P: Real>(group: &Group<P>, lane: usize, data: &mut Data) {
    let contacts = &mut data.position.contacts.contact;
    let constraints = &mut data.position.constraints;
    let force = &mut data.acceleration.solution.efc_force;
    contacts.clear();
    force.clear();
    for list in [
        &mut constraints.efc_type,
        &mut constraints.efc_id,
        &mut constraints.contact_efc_address,
    ] {
        list.clear();
    }
    constraints.efc_pos.clear();
    constraints.efc_margin.clear();
    let store = &group.rows;
    let mut counts = [0; 3];
    let others = store.kind.len();
    for row in (0..others).filter(|&row| store.exists[row].lane(lane) != 0.0) {
        constraints.efc_type.push(store.kind[row]);
        constraints.efc_id.push(store.id[row]);
        constraints.efc_pos.push(store.pos[row].lane(lane));
        constraints.efc_margin.push(store.margin[row].lane(lane));
        force.push(store.force[row].lane(lane));
        let kind = match row {
            _ if row < store.equality_count => 0,
            _ if row < store.equality_count + store.friction_count => 1,
            _ => 2,
        };
        counts[kind] += 1;
    }
    [constraints.ne, constraints.nf, constraints.nl] = counts;
    if group.contacts.is_empty() {
        return;
    }
    let shares = group.merge.shares.iter();
    for share in shares.filter(|share| share.lanes & (1 << lane) != 0) {
        let slot = &group.contacts[share.contact];
        let candidate = &group.plan.pairs[slot.pair].candidate;
        let parameters = &candidate.parameters;
        let before = &group.merge.shared[..share.shared];
        let first = others + before.iter().map(|s| s.friction.rows()).sum::<usize>();
        let rows = group.merge.shared[share.shared].friction.rows();
        constraints.contact_efc_address.push(force.len() as i32);
        force.extend((first..first + rows).map(|row| store.force[row].lane(lane)));
        contacts.push(Contact {
            dist: slot.dist.lane(lane),
            pos: Vec3(slot.pos.0.map(|x| x.lane(lane))),
            frame: Mat3(slot.frame.0.map(|x| x.lane(lane))),
            includemargin: parameters.includemargin,
            friction: parameters.friction,
            solref: parameters.solref,
            solreffriction: parameters.solreffriction,
            solimp: parameters.solimp,
            dim: parameters.dim,
            geom: candidate.geoms.map(|geom| geom as i32),
            ..Contact::default()
        });
    }
}
