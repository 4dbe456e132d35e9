//! A lane as a simulation of its own: what sensors and derived arrays are read from.
//!
//! Lanes compute what a step needs. What only a reader needs follows from that, one world at a time, after the last of the
//! steps that a call makes.

use super::InRegisters;
use super::group::Group;
use super::plan::Reason;
use crate::needs::Needs;
use crate::worlds::Shape;
use bytemuck::{cast_slice, cast_slice_mut};
use sinew_engine::energy::Energy;
use sinew_engine::position::contact::Contact;
use sinew_engine::{Data, Engine, position, velocity};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, ObjectType, SensorType, Stage, WrapType};

/// What is read of a world after its last step.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// Sensors.
    pub senses: bool,
    /// What the sensors read.
    sensed: Parts,
    /// Arrays that are kept besides the state: what they need, and what they follow from.
    derives: Option<(Needs, Parts)>,
    /// Energies.
    has_energy: bool,
}

/// Parts of a simulation.
#[derive(Clone, Debug, Default)]
struct Parts {
    /// Where bodies are and how they move.
    motion: bool,
    /// Frames of everything, with [`Parts::motion`]; without, positions of bodies only.
    frames: bool,
    /// The motion of some of them.
    bodies: Vec<usize>,
    sites: Vec<usize>,
    geoms: Vec<usize>,
    /// Accelerations of those.
    accelerations: bool,
    /// Lengths of tendons and actuators.
    lengths: bool,
    /// Forces of actuators and of everything else in joint space, and accelerations there.
    forces: bool,
    /// Contacts and forces of constraint rows.
    rows: bool,
    /// Poses of cameras.
    views: bool,
    /// The inertia matrix.
    inertia: bool,
}

/// Derived arrays that are lengths of tendons and actuators, or their rates.
const LENGTHS: [&str; 4] = [
    "ten_length",
    "actuator_length",
    "ten_velocity",
    "actuator_velocity",
];

/// Derived arrays that belong to frames other than positions of bodies.
const FRAMES: [&str; 9] = [
    "xquat",
    "xmat",
    "ximat",
    "xanchor",
    "xaxis",
    "geom_xpos",
    "geom_xmat",
    "site_xpos",
    "site_xmat",
];

impl Parts {
    /// What derived arrays follow from.
    fn of_arrays(model: &Model, shapes: &[Shape], needs: Needs, has_energy: bool) -> Self {
        let has_any = |names: &[&str]| shapes.iter().any(|s| names.contains(&s.field.name));
        let lengths = has_energy || has_any(&LENGTHS);
        let is_path = |&kind: &i32| kind != WrapType::Joint.code();
        let has_paths = lengths && model.wrap_type.iter().any(is_path);
        // Forces of equalities between bodies act at points of their frames.
        let has_points = needs.body_force && model.neq > 0;
        let has_frames = has_any(&FRAMES) || needs.momentum || has_energy;
        Parts {
            motion: true,
            frames: has_frames || has_paths || has_points,
            lengths,
            forces: true,
            rows: needs.body_force,
            inertia: has_energy,
            ..Parts::default()
        }
    }

    /// Adds what a sensor reads; or why lanes do not have it.
    fn add_sensor(&mut self, model: &Model, sensor: usize) -> Result<(), Reason> {
        use SensorType::{
            Accelerometer, Actuatorfrc, Actuatorpos, Actuatorvel, Ballangvel, Ballquat, Clock,
            Contact, EKinetic, EPotential, Frameangacc, Frameangvel, Framelinacc, Framelinvel,
            Framepos, Framequat, Framexaxis, Frameyaxis, Framezaxis, Gyro, Jointactfrc,
            Jointlimitfrc, Jointlimitpos, Jointlimitvel, Jointpos, Jointvel, Magnetometer, Plugin,
            Subtreeangmom, Subtreecom, Subtreelinvel, Tactile, Tendonactfrc, Tendonlimitfrc,
            Tendonlimitpos, Tendonlimitvel, Touch, User, Velocimeter,
        };
        let kind = SensorType::from_code(model.sensor_type[sensor]);
        let kind = kind.unwrap_or(User);
        match kind {
            Contact | Tactile => return Err("sensors that list contacts".into()),
            Jointlimitvel | Tendonlimitvel => return Err("sensors of velocities at limits".into()),
            EPotential | EKinetic => return Err("sensors of energies".into()),
            User | Plugin => return Err("sensors of user code".into()),
            Jointpos | Jointvel | Ballquat | Ballangvel | Clock => {}
            Actuatorfrc | Jointactfrc | Tendonactfrc => self.forces = true,
            Actuatorpos | Actuatorvel => self.lengths = true,
            Jointlimitpos | Jointlimitfrc | Tendonlimitpos | Tendonlimitfrc => self.rows = true,
            Framepos | Framequat | Framexaxis | Frameyaxis | Framezaxis | Framelinvel
            | Frameangvel | Velocimeter | Gyro | Magnetometer | Subtreecom => {
                self.add_objects(model, sensor);
            }
            Touch => {
                self.add_objects(model, sensor);
                self.rows = true;
            }
            Accelerometer | Framelinacc | Frameangacc => {
                self.add_objects(model, sensor);
                self.accelerations = true;
            }
            Subtreelinvel | Subtreeangmom => self.bodies.extend(0..model.nbody),
            // Forces between bodies, rays, distances, tendons and cameras look at everything.
            _ => {
                (self.motion, self.frames, self.rows) = (true, true, true);
                (self.lengths, self.views) = (true, true);
                self.forces = true;
            }
        }
        Ok(())
    }

    /// Adds the object that a sensor is attached to, and that of its reference frame.
    fn add_objects(&mut self, model: &Model, sensor: usize) {
        for (kind, id) in [
            (model.sensor_objtype[sensor], model.sensor_objid[sensor]),
            (model.sensor_reftype[sensor], model.sensor_refid[sensor]),
        ] {
            let Ok(id) = usize::try_from(id) else {
                continue;
            };
            match ObjectType::from_code(kind) {
                Some(ObjectType::Body | ObjectType::Xbody) => self.bodies.push(id),
                Some(ObjectType::Geom) => {
                    self.geoms.push(id);
                    self.bodies.push(model.geom_bodyid[id] as usize);
                }
                Some(ObjectType::Site) => {
                    self.sites.push(id);
                    self.bodies.push(model.site_bodyid[id] as usize);
                }
                _ => {
                    (self.motion, self.frames) = (true, true);
                    (self.forces, self.views) = (true, true);
                }
            }
        }
    }

    /// Each object once.
    fn finish(mut self) -> Self {
        for list in [&mut self.bodies, &mut self.sites, &mut self.geoms] {
            list.sort_unstable();
            list.dedup();
        }
        self
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
        let has_energy = model.opt.enableflags & EnableFlag::Energy.code() != 0;
        let needs = Needs::of(shapes);
        Ok(Reading {
            senses,
            sensed: sensed.finish(),
            derives: derives.then(|| (needs, Parts::of_arrays(model, shapes, needs, has_energy))),
            has_energy,
        })
    }

    /// Whether sensors read accelerations of bodies.
    pub fn accelerates(&self) -> bool {
        self.sensed.accelerations && !self.sensed.motion
    }

    /// Whether there are arrays to fill besides the state.
    pub fn derives(&self) -> bool {
        self.derives.is_some()
    }
}

/// The readings of the sensors in a lane.
pub(super) fn sense<P: InRegisters>(
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
        &reading.sensed,
        data,
    );
    let engine = &mut Engine::new(model);
    // The simulation is one of this very model: nothing is refused.
    for stage in [Stage::Pos, Stage::Vel, Stage::Acc] {
        let _ = engine.compute_sensors(data, stage);
    }
}

/// The derived arrays of a lane after its step.
pub(super) fn derive<P: InRegisters>(
    model: &Model,
    group: &Group<P>,
    lane: usize,
    reading: &Reading,
    data: &mut Data,
) {
    let Some((needs, parts)) = &reading.derives else {
        return;
    };
    let from = &group.derived_from;
    take(model, group, (&from.qpos, &from.qvel), lane, parts, data);
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

fn put<P: InRegisters>(out: &mut [f64], cells: &[P], lane: usize) {
    P::take(cells, lane, out);
}

/// The numbers of a lane. Packs are read where they are, not copied.
fn of_lane<P: InRegisters, const N: usize>(cells: &[P; N], lane: usize) -> [f64; N] {
    let mut numbers = [0.0; N];
    P::take(cells, lane, &mut numbers);
    numbers
}

/// What lanes know of a world.
fn take<P: InRegisters>(
    model: &Model,
    group: &Group<P>,
    (qpos, qvel): (&[P], &[P]),
    lane: usize,
    parts: &Parts,
    data: &mut Data,
) {
    data.state.time = group.time[lane];
    put(&mut data.state.qpos, qpos, lane);
    put(&mut data.state.qvel, qvel, lane);
    put(&mut data.state.act, &group.act, lane);
    data.input.xfrc_applied.fill([0.0; 6]);
    if group.pushed & (1 << lane) != 0 {
        let wrenches = data.input.xfrc_applied.iter_mut();
        for (wrench, cell) in wrenches.zip(&group.wrenches) {
            *wrench = of_lane(cell, lane);
        }
    }
    let (position, velocity) = (&mut data.position, &mut data.velocity);
    let body_force = &mut data.acceleration.body_force;
    body_force.is_current = false;
    if parts.motion {
        if parts.frames {
            group.kinematics.take_lane(lane, &mut position.kinematics);
        } else {
            let (from, to) = (&group.kinematics, &mut position.kinematics);
            put::<P>(cast_slice_mut(&mut to.xpos), cast_slice(&from.xpos), lane);
            put::<P>(cast_slice_mut(&mut to.xipos), cast_slice(&from.xipos), lane);
        }
        group.com.take_lane(lane, &mut position.com);
        group.velocity.take_lane(lane, &mut velocity.com);
    } else {
        objects(model, group, lane, parts, position, velocity);
        if parts.accelerations {
            for &body in &parts.bodies {
                body_force.cacc[body] = of_lane(&group.body_acceleration[body], lane);
            }
            body_force.is_current = true;
        }
    }
    if parts.inertia {
        group.inertia.take_lane(lane, &mut position.inertia);
    }
    velocity.momentum.is_current = false;
    if parts.forces {
        forces(group, lane, data);
    }
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

/// Forces and accelerations in joint space.
fn forces<P: InRegisters>(group: &Group<P>, lane: usize, data: &mut Data) {
    let velocity = &mut data.velocity;
    put(&mut velocity.passive.qfrc_passive, &group.passive, lane);
    put(&mut velocity.bias.qfrc_bias, &group.bias, lane);
    let acceleration = &mut data.acceleration;
    let actuation = &mut acceleration.actuation;
    put(&mut actuation.act_dot, &group.act_dot, lane);
    put(&mut actuation.actuator_force, &group.actuator_force, lane);
    put(&mut actuation.qfrc_actuator, &group.actuator, lane);
    group.smooth.take_lane(lane, &mut acceleration.smooth);
    let solution = &mut acceleration.solution;
    put(&mut solution.qacc, &group.qacc, lane);
    put(&mut solution.qfrc_constraint, &group.constraint, lane);
}

/// The motion of some objects.
fn objects<P: InRegisters>(
    model: &Model,
    group: &Group<P>,
    lane: usize,
    parts: &Parts,
    position: &mut position::Position,
    velocity: &mut velocity::Velocity,
) {
    let (from, to) = (&group.kinematics, &mut position.kinematics);
    let vec3 = |cell: &Vec3<P>| Vec3(of_lane(&cell.0, lane));
    let mat3 = |cell: &Mat3<P>| Mat3(of_lane(&cell.0, lane));
    for &body in &parts.bodies {
        to.xpos[body] = vec3(&from.xpos[body]);
        to.xquat[body] = Quat(of_lane(&from.xquat[body].0, lane));
        to.xmat[body] = mat3(&from.xmat[body]);
        to.xipos[body] = vec3(&from.xipos[body]);
        to.ximat[body] = mat3(&from.ximat[body]);
        velocity.com.cvel[body] = of_lane(&group.velocity.cvel[body], lane);
        for body in [body, model.body_rootid[body] as usize] {
            position.com.subtree_com[body] = vec3(&group.com.subtree_com[body]);
        }
    }
    for &site in &parts.sites {
        to.site_xpos[site] = vec3(&from.site_xpos[site]);
        to.site_xmat[site] = mat3(&from.site_xmat[site]);
    }
    for &geom in &parts.geoms {
        to.geom_xpos[geom] = vec3(&from.geom_xpos[geom]);
        to.geom_xmat[geom] = mat3(&from.geom_xmat[geom]);
    }
}

/// Contacts and the forces of rows, in the order that the world has alone.
fn rows<P: InRegisters>(group: &Group<P>, lane: usize, data: &mut Data) {
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
        force.push(group.answer.force[row].lane(lane));
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
        let numbers = &group.merged[share.shared].numbers;
        let shared = &group.merge.shared[share.shared];
        let (first, rows) = (others + shared.row, shared.friction.rows());
        constraints.contact_efc_address.push(force.len() as i32);
        force.extend((first..first + rows).map(|row| group.answer.force[row].lane(lane)));
        contacts.push(Contact {
            dist: slot.dist.lane(lane),
            pos: Vec3(of_lane(&slot.pos.0, lane)),
            frame: Mat3(of_lane(&slot.frame.0, lane)),
            includemargin: numbers.includemargin.lane(lane),
            friction: of_lane(&numbers.friction, lane),
            solref: of_lane(&numbers.solref, lane),
            solreffriction: of_lane(&numbers.solreffriction, lane),
            solimp: of_lane(&numbers.solimp, lane),
            dim: candidate.parameters.dim,
            geom: candidate.geoms.map(|geom| geom as i32),
            ..Contact::default()
        });
    }
}
