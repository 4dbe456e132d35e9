//! Worlds side by side, one per lane: a step of four or eight worlds in the time of little more than one.
//!
//! Every lane has the bits that its world has alone. What a model has that lanes do not have keeps the
//! whole model to one world at a time ([`LaneWorker::new`] says what), what only a state has (a bad number, a touch
//! that the reference may lose, a pair of shapes without lanes) leaves that world alone for the step.
//!
//! ```text
//! plan        what is known of a model beforehand
//! group       the arrays
//! numbers     the numbers of the model: everybody's, or those of the world in each lane
//! smooth      poses, inertias, velocities, forces without constraints
//! pushed      forces on bodies as wholes
//! contact     pairs of geoms in all lanes
//! merge       which contacts of different worlds share rows
//! constraint  rows; rows.rs: where they are kept
//! solve       the forces that satisfy them; jacobian.rs: what it asks of rows; island.rs: where there are several trees;
//!             alone.rs: one world at a time
//! integrate   how the state moves
//! sense       sensors and derived arrays
//! ```

mod alone;
mod constraint;
mod contact;
mod group;
mod integrate;
mod island;
mod jacobian;
mod merge;
mod numbers;
mod plan;
mod pushed;
mod rows;
mod sense;
mod smooth;
mod solve;

use crate::batch::{CHUNK, GoesOn};
use crate::step::Shared;
use crate::values::{OwnModel, Values};
use crate::worlds::{Chunk, Shape};
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use constraint::Rows;
use contact::Contacts;
use group::Group;
use integrate::{Advance, finish_stages};
use merge::LaneSet;
use numbers::{Everybodys, Numbers, OwnNumbers, Supply};
use plan::Plan;
pub(crate) use plan::Reason;
use sense::Reading;
use sinew_engine::Data;
use sinew_math::Real;
use sinew_math::lanes::{self, Double4, Double8, Single8, Single16, Work};
use sinew_model::Model;
use smooth::{Acceleration, BodyAcceleration, Position};
use solve::Solve;

/// Several worlds side by side in the widest registers that the processor has.
#[derive(Clone, Debug)]
pub(crate) struct LaneWorker {
    width: Width,
    reading: Reading,
}

#[derive(Clone, Debug)]
enum Width {
    Double4(Box<Side<Double4>>),
    Double8(Box<Side<Double8>>),
    Single8(Box<Side<Single8>>),
    Single16(Box<Side<Single16>>),
}

/// A group, and the numbers of the model that its worlds have of their own.
#[derive(Clone, Debug)]
struct Side<P> {
    group: Group<P>,
    own: Option<OwnNumbers<P>>,
}

impl<P: InRegisters> Side<P> {
    fn new(model: &Model, plan: Plan, values: &Values) -> Result<Box<Self>, Reason> {
        let own = match values.is_empty() {
            true => None,
            false => Some(OwnNumbers::new(model, values)?),
        };
        let group = Group::new(model, plan);
        Ok(Box::new(Side { group, own }))
    }

    fn step(&mut self, chunk: &mut Chunk<'_, '_>, worlds: &[usize], call: &mut Call<'_, '_>) {
        match &mut self.own {
            None => step(&mut self.group, &mut Everybodys, chunk, worlds, call),
            Some(own) => step(&mut self.group, own, chunk, worlds, call),
        }
    }
}

/// How exact the numbers of worlds side by side are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 64 bits: every world has the bits that it has alone.
    #[default]
    Double,
    /// 32 bits, twice as many worlds side by side: results are near those of 64 bits. A world that cannot go on side by
    /// side makes that step in 64 bits.
    Single,
}

/// How many worlds go side by side; in single precision twice as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lanes {
    /// One at a time.
    One,
    /// Four, in registers of 256 bits or pairs of 128.
    Four,
    /// Eight, in registers of 512 bits.
    Eight,
}

impl Lanes {
    /// The most that the processor has registers for.
    pub fn widest() -> Self {
        struct Nothing;
        impl Work for Nothing {
            type Output = ();
            #[inline(always)]
            fn run<T: Real + Pod>(self) {}
        }
        if lanes::double8_in_registers(Nothing).is_ok() {
            Lanes::Eight
        } else if lanes::double4_in_registers(Nothing).is_ok() {
            Lanes::Four
        } else {
            Lanes::One
        }
    }

    /// Number of worlds.
    pub fn count(self) -> usize {
        match self {
            Lanes::One => 1,
            Lanes::Four => 4,
            Lanes::Eight => 8,
        }
    }
}

/// Makes steps of one world: with its model and a simulation, of a chunk, which world, and how many. It is asked through a pointer so
/// that lanes are compiled once, not for every task of users.
pub(crate) type Alone<'a> = dyn FnMut(&Model, &mut Data, &mut Chunk<'_, '_>, usize, usize) + 'a;

/// What a call asks for.
pub(crate) struct LanePart<'a> {
    /// Which worlds of the chunk make steps.
    pub is_meant: &'a dyn Fn(usize) -> bool,
    /// How many.
    pub steps: usize,
    pub goes_on: GoesOn<'a>,
}

impl LaneWorker {
    /// A worker for a model, or why its worlds are computed one at a time.
    pub fn new(
        model: &Model,
        values: &Values,
        shapes: &[Shape],
        lanes: Lanes,
        precision: Precision,
    ) -> Result<Self, Reason> {
        let plan = Plan::new(model)?;
        let reading = Reading::new(model, shapes)?;
        use Precision::{Double, Single};
        let width = match (lanes, precision) {
            (Lanes::One, _) => return Err("a processor without wide registers".into()),
            (Lanes::Four, Double) => Width::Double4(Side::new(model, plan, values)?),
            (Lanes::Eight, Double) => Width::Double8(Side::new(model, plan, values)?),
            (Lanes::Four, Single) => Width::Single8(Side::new(model, plan, values)?),
            (Lanes::Eight, Single) => Width::Single16(Side::new(model, plan, values)?),
        };
        Ok(LaneWorker { width, reading })
    }

    /// Number of worlds side by side.
    pub fn count(&self) -> usize {
        match &self.width {
            Width::Double4(_) => 4,
            Width::Double8(_) | Width::Single8(_) => 8,
            Width::Single16(_) => 16,
        }
    }

    /// Advances worlds of a chunk. A world that cannot be computed in its lane is told to `alone`, with the number of
    /// steps.
    pub fn step(
        &mut self,
        shared: &Shared<'_>,
        chunk: &mut Chunk<'_, '_>,
        part: &LanePart<'_>,
        (data, own): (&mut Data, &mut OwnModel),
        alone: &mut Alone<'_>,
    ) {
        // Worlds with as much to do go side by side: a group takes as long as its slowest lane.
        let mut order = [0; CHUNK];
        let meant = (0..chunk.count()).filter(|&world| (part.is_meant)(world));
        let count = order
            .iter_mut()
            .zip(meant)
            .map(|(place, world)| *place = world)
            .count();
        let order = &mut order[..count];
        order.sort_by_key(|&world| chunk.effort[world]);
        let call = &mut Call {
            shared,
            places: Places::of(shared.shapes),
            reading: &self.reading,
            part,
            data,
            own,
            alone,
        };
        let count = self.count();
        for worlds in order.chunks(count) {
            if (part.goes_on)() {
                match &mut self.width {
                    Width::Double4(side) => side.step(chunk, worlds, call),
                    Width::Double8(side) => side.step(chunk, worlds, call),
                    Width::Single8(side) => side.step(chunk, worlds, call),
                    Width::Single16(side) => side.step(chunk, worlds, call),
                }
            }
        }
    }
}

/// What all groups of a call share.
struct Call<'a, 'b> {
    shared: &'a Shared<'a>,
    places: Places,
    reading: &'a Reading,
    part: &'a LanePart<'a>,
    /// A simulation to compute with, one world at a time, and its model.
    data: &'a mut Data,
    own: &'a mut OwnModel,
    alone: &'a mut Alone<'b>,
}

impl Call<'_, '_> {
    /// Makes steps of one world.
    fn step_alone(&mut self, chunk: &mut Chunk<'_, '_>, world: usize, steps: usize) {
        let Shared { model, values, .. } = *self.shared;
        let model = self.own.of(model, values, chunk.first + world);
        (self.alone)(model, self.data, chunk, world, steps);
    }
}

/// Packs whose work is done in registers.
trait InRegisters: Real + Pod {
    /// Does it. A worker is only made after the processor was asked, so it has the registers.
    fn run(work: impl Work<Output = ()>);

    /// Writes a row into a lane.
    fn put(cells: &mut [Self], lane: usize, row: &[f64]);

    /// Reads a row out of a lane.
    fn take(cells: &[Self], lane: usize, row: &mut [f64]);
}

macro_rules! in_registers {
    ($pack:ident, $number:ty, $run:path) => {
        impl InRegisters for $pack {
            #[inline]
            fn run(work: impl Work<Output = ()>) {
                let _ = $run(work);
            }

            #[inline]
            fn put(cells: &mut [Self], lane: usize, row: &[f64]) {
                // A pack is as many numbers.
                let numbers = cast_slice_mut::<Self, $number>(cells);
                for (pack, &x) in numbers.chunks_exact_mut(Self::LANES).zip(row) {
                    pack[lane] = x as $number;
                }
            }

            #[inline]
            fn take(cells: &[Self], lane: usize, row: &mut [f64]) {
                let numbers = cast_slice::<Self, $number>(cells);
                for (x, pack) in row.iter_mut().zip(numbers.chunks_exact(Self::LANES)) {
                    *x = pack[lane] as f64;
                }
            }
        }
    };
}

in_registers!(Double4, f64, lanes::double4_in_registers);
in_registers!(Double8, f64, lanes::double8_in_registers);
in_registers!(Single8, f32, lanes::single8_in_registers);
in_registers!(Single16, f32, lanes::single16_in_registers);

/// Forward dynamics of a group.
fn forward<'m, P: InRegisters>(numbers: impl Numbers<'m, P>, group: &mut Group<P>) {
    P::run(Position(numbers, group));
    P::run(Contacts(numbers, group));
    P::run(Rows(numbers, group));
    P::run(Acceleration(numbers, group));
    P::run(Solve(numbers.model(), group));
}

/// Where the arrays of a world are among those of a chunk.
struct Places {
    time: usize,
    qpos: usize,
    qvel: usize,
    act: usize,
    warm_start: usize,
    ctrl: usize,
    applied: usize,
    wrench: usize,
    mocap_pos: usize,
    mocap_quat: usize,
    sensordata: usize,
}

impl Places {
    fn of(shapes: &[Shape]) -> Self {
        let place = |name: &str| {
            shapes
                .iter()
                .position(|s| s.field.name == name)
                .unwrap_or(0)
        };
        Places {
            time: place("time"),
            qpos: place("qpos"),
            qvel: place("qvel"),
            act: place("act"),
            warm_start: place("qacc_warmstart"),
            ctrl: place("ctrl"),
            applied: place("qfrc_applied"),
            wrench: place("xfrc_applied"),
            mocap_pos: place("mocap_pos"),
            mocap_quat: place("mocap_quat"),
            sensordata: place("sensordata"),
        }
    }
}

fn step<P: InRegisters, S: Supply<P>>(
    group: &mut Group<P>,
    supply: &mut S,
    chunk: &mut Chunk<'_, '_>,
    worlds: &[usize],
    call: &mut Call<'_, '_>,
) {
    let (shared, steps) = (call.shared, call.part.steps);
    let Shared { model, shapes, .. } = *shared;
    let Some(&last) = worlds.last() else {
        return;
    };
    // Lanes beyond the last world have its numbers, and nobody waits for them.
    group.is_alive = P::ZERO;
    for lane in 0..P::LANES {
        let world = worlds.get(lane).copied().unwrap_or(last);
        load(group, &call.places, shapes, chunk, lane, world);
        let (values, index) = (shared.values, chunk.first + world);
        let makes_sense = supply.load(values, index, lane, &mut group.common);
        if lane < worlds.len() {
            if !makes_sense || chunk.outcome.errors[world].is_some() {
                call.step_alone(chunk, world, steps);
            } else {
                chunk.outcome.clear(world);
                group.is_alive.set_lane(lane, 1.0);
            }
        }
    }
    let numbers = supply.of(model);
    for done in 0..steps {
        if done > 0 && !(call.part.goes_on)() {
            break;
        }
        let is_last = done + 1 == steps;
        group.is_left = P::ZERO;
        forward(numbers, group);
        if is_last && call.reading.senses {
            if call.reading.accelerates() {
                P::run(BodyAcceleration(model, group));
            }
            sense_all(group, chunk, worlds, call);
        }
        finish_stages(numbers, group);
        for (lane, &world) in worlds.iter().enumerate() {
            if group.is_alive.lane(lane) == 0.0 {
                continue;
            }
            if group.is_left.lane(lane) != 0.0 {
                store(group, &call.places, chunk, lane, world);
                let has_warned = chunk.outcome.warned[world];
                call.step_alone(chunk, world, 1);
                chunk.outcome.warned[world] |= has_warned;
                let has_failed = chunk.outcome.errors[world].is_some();
                if is_last || has_failed {
                    group.is_alive.set_lane(lane, 0.0);
                }
            } else {
                group.time[lane] += group.common.timesteps[lane];
            }
        }
        if (0..worlds.len()).all(|lane| group.is_alive.lane(lane) == 0.0) {
            return;
        }
        P::run(Advance(numbers, group));
        // Who made this step alone goes on in its lane.
        for (lane, &world) in worlds.iter().enumerate() {
            if group.is_alive.lane(lane) != 0.0 && group.is_left.lane(lane) != 0.0 {
                load(group, &call.places, shapes, chunk, lane, world);
            }
        }
    }
    for (lane, &world) in worlds.iter().enumerate() {
        if group.is_alive.lane(lane) != 0.0 {
            store(group, &call.places, chunk, lane, world);
            chunk.effort[world] = group.effort.lane(lane) as u32;
            if call.reading.derives() && steps > 0 {
                let model = call.own.of(model, shared.values, chunk.first + world);
                sense::derive(model, group, lane, call.reading, call.data);
                chunk.store_derived(shapes, world, call.data);
            }
        }
    }
}

/// The sensors of all worlds that are still in their lanes.
fn sense_all<P: InRegisters>(
    group: &Group<P>,
    chunk: &mut Chunk<'_, '_>,
    worlds: &[usize],
    call: &mut Call<'_, '_>,
) {
    for (lane, &world) in worlds.iter().enumerate() {
        if group.is_alive.lane(lane) != 0.0 && group.is_left.lane(lane) == 0.0 {
            let Shared { model, values, .. } = *call.shared;
            let model = call.own.of(model, values, chunk.first + world);
            sense::sense(model, group, lane, call.reading, call.data);
            let readings = &call.data.sensor.sensordata;
            let row = &mut chunk.rows[call.places.sensordata][world * readings.len()..];
            row[..readings.len()].copy_from_slice(readings);
        }
    }
}

/// Puts a world into a lane.
fn load<P: InRegisters>(
    group: &mut Group<P>,
    places: &Places,
    shapes: &[Shape],
    chunk: &Chunk<'_, '_>,
    lane: usize,
    world: usize,
) {
    let row = |place: usize| {
        let width = shapes[place].width;
        &chunk.rows[place][world * width..][..width]
    };
    let put = |cells: &mut [P], place: usize| P::put(cells, lane, row(place));
    group.time[lane] = row(places.time)[0];
    put(&mut group.qpos, places.qpos);
    put(&mut group.qvel, places.qvel);
    put(&mut group.act, places.act);
    put(&mut group.warm_start, places.warm_start);
    put(&mut group.ctrl, places.ctrl);
    put(&mut group.applied, places.applied);
    put(cast_slice_mut(&mut group.mocap_pos), places.mocap_pos);
    put(cast_slice_mut(&mut group.mocap_quat), places.mocap_quat);
    let count = group.eq_active.len();
    let active = &chunk.eq_active[world * count..][..count];
    for (cell, &is_active) in group.eq_active.iter_mut().zip(active) {
        cell.set_lane(lane, f64::from(u8::from(is_active != 0)));
    }
    // Few worlds are pushed.
    let is_pushed = row(places.wrench).iter().any(|&x| x != 0.0);
    if is_pushed || group.pushed & (1 << lane) != 0 {
        put(cast_slice_mut(&mut group.wrenches), places.wrench);
        group.pushed &= !(1 << lane);
        group.pushed |= LaneSet::from(is_pushed) << lane;
    }
}

/// Writes the state in a lane to its world.
fn store<P: InRegisters>(
    group: &Group<P>,
    places: &Places,
    chunk: &mut Chunk<'_, '_>,
    lane: usize,
    world: usize,
) {
    chunk.rows[places.time][world] = group.time[lane];
    for (place, cells) in [
        (places.qpos, &group.qpos),
        (places.qvel, &group.qvel),
        (places.act, &group.act),
        (places.warm_start, &group.warm_start),
    ] {
        let row = &mut chunk.rows[place][world * cells.len()..][..cells.len()];
        P::take(cells, lane, row);
    }
}
