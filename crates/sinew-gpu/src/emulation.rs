//! The kernels without a device: one world after the other, phases as loops.

use crate::scene::Scene;
use bytemuck::cast_slice;
use core::cell::Cell;
use sinew_kernels::block::{Event, Problem, State, Words, range};
use sinew_kernels::contact::Finder;
use sinew_kernels::meeting::{self, Meeting, Place};
use sinew_kernels::newton::{self, Form, Given, Solution, narrow, parts, quick};
use sinew_kernels::scene::{Head, Scene as Read};
use sinew_kernels::team::Team;
use sinew_kernels::warp::{Order, Warp};
use sinew_kernels::{Number, adhesion, advance, derive, forward, gauge, sense};

/// Worlds that the kernels compute on the processor.
#[derive(Clone, Debug)]
pub struct Emulation<T> {
    pub(crate) scene: Scene<T>,
    /// Numbers that worlds have of their own, a row each; none where all have those of the scene.
    pub(crate) own: Vec<T>,
    team: Team,
    warp: Warp,
    /// Time of each world.
    pub time: Vec<f64>,
    /// Blocks of states, one per world.
    pub states: Vec<T>,
    /// Controls, a row per world.
    pub ctrl: Vec<T>,
    pub(crate) problems: Vec<T>,
    pub(crate) words: Vec<i32>,
    pub(crate) step_memory: Vec<T>,
    quick_memory: Vec<T>,
    row_memory: Vec<T>,
    polytope: Vec<T>,
    warp_memory: Vec<T>,
}

/// What a warp needs that looks for pairs or makes rows.
fn row_memory_length(head: &Head) -> usize {
    forward::row_memory_length(head).max(meeting::memory_length(head))
}

impl<T: Emulated> Emulation<T> {
    /// As many worlds at their start.
    pub fn new(scene: Scene<T>, worlds: usize, order: Order) -> Self {
        let head = &scene.head;
        Emulation {
            team: Team::new(order),
            warp: Warp::new(order),
            time: vec![0.0; worlds],
            states: scene.start.repeat(worlds),
            ctrl: vec![T::ZERO; worlds * head.nu],
            problems: vec![T::ZERO; worlds * scene.problem.length],
            words: vec![0; worlds * scene.words.length],
            step_memory: vec![T::ZERO; forward::memory_length::<T>(head)],
            quick_memory: vec![T::ZERO; forward::quick_length::<T>(head)],
            row_memory: vec![T::ZERO; row_memory_length(head)],
            polytope: vec![T::ZERO; meeting::polytope_length(head)],
            warp_memory: vec![T::ZERO; Form::of::<T>(head).memory_length(head)],
            own: Vec::new(),
            scene,
        }
    }

    /// Goes on with another scene in which worlds have the same blocks, and with numbers of their own, or none.
    pub(crate) fn set_scene(&mut self, scene: Scene<T>, own: Vec<T>) {
        let head = &scene.head;
        let resize = |memory: &mut Vec<T>, length| memory.resize(length, T::ZERO);
        resize(&mut self.step_memory, forward::memory_length::<T>(head));
        resize(&mut self.quick_memory, forward::quick_length::<T>(head));
        resize(&mut self.row_memory, row_memory_length(head));
        resize(&mut self.polytope, meeting::polytope_length(head));
        resize(
            &mut self.warp_memory,
            Form::of::<T>(head).memory_length(head),
        );
        (self.scene, self.own) = (scene, own);
    }

    /// The packed model.
    pub fn scene(&self) -> &Scene<T> {
        &self.scene
    }

    /// How often something happened to a world.
    pub fn count(&self, world: usize, event: Event) -> usize {
        let [start, _] = self.scene.words.events;
        self.words[world * self.scene.words.length + start + event as usize] as usize
    }

    /// Positions of a world.
    pub fn qpos(&mut self, world: usize) -> &mut [T] {
        let place = range(self.scene.state.qpos);
        &mut self.states[world * self.scene.state.length..][place]
    }

    /// Velocities of a world.
    pub fn qvel(&mut self, world: usize) -> &mut [T] {
        let place = range(self.scene.state.qvel);
        &mut self.states[world * self.scene.state.length..][place]
    }

    /// Forces and torques that are applied to the bodies of a world, six numbers each, if there is room for them.
    pub fn wrenches(&mut self, world: usize) -> &mut [T] {
        let place = range(self.scene.state.wrenches);
        &mut self.states[world * self.scene.state.length..][place]
    }

    /// Numbers of rows, of equality rows, of rows of dry friction and of cones that a world had in its last step.
    pub fn counts(&self, world: usize) -> [usize; 4] {
        let [start, _] = self.scene.words.counts;
        let at = world * self.scene.words.length + start;
        [0, 1, 2, 3].map(|k| self.words[at + k] as usize)
    }

    /// What the sensors of a world read in its last step.
    pub fn sensordata(&self, world: usize) -> &[T] {
        let place = range(self.scene.problem.sensordata);
        &self.problems[world * self.scene.problem.length..][place]
    }

    /// A step of all worlds.
    pub fn step(&mut self) {
        for world in 0..self.time.len() {
            self.step_world(world);
        }
    }

    /// Bytes that all worlds take.
    pub(crate) fn bytes(&self) -> usize {
        let numbers = self.states.len() + self.ctrl.len() + self.problems.len();
        numbers * size_of::<T>() + 4 * self.words.len() + 8 * self.time.len()
    }

    /// A step of one world.
    pub(crate) fn step_world(&mut self, world: usize) {
        for _ in 0..self.scene.head.stages {
            T::run_kernels(self, world, true);
        }
    }

    /// All of a step of one world but the motion.
    pub(crate) fn forward_world(&mut self, world: usize) {
        T::run_kernels(self, world, false);
    }

    /// Gathers what is asked for of a world besides its state. The memory must still be as it left it.
    pub(crate) fn derive_world(&mut self, world: usize, out: &mut [T]) {
        let scene = &self.scene;
        let block = |length: usize| world * length..(world + 1) * length;
        derive::derive(
            self.team,
            &read(scene, own_of(scene, &self.own, world)),
            &State::cut(&scene.state, &mut self.states[block(scene.state.length)]),
            &self.problems[block(scene.problem.length)],
            &Words::cut(&scene.words, &mut self.words[block(scene.words.length)]),
            (&mut self.step_memory, &mut self.quick_memory),
            true,
            out,
        );
    }
}

/// A scene as kernels read it, with numbers that a world has of its own, if there are any.
pub(crate) fn read<'a, T: Number>(scene: &'a Scene<T>, own: &'a [T]) -> Read<'a, T> {
    let (all, numbers) = (&scene.packed.words, &scene.packed.numbers);
    let own = if own.is_empty() { numbers } else { own };
    Read::read(&all[..Read::<T>::HEADER], all, (numbers, own))
}

/// The numbers of a world among those that worlds have of their own, if there are any.
fn own_of<'a, T>(scene: &Scene<T>, own: &'a [T], world: usize) -> &'a [T] {
    let stride = scene.packed.own;
    own.get(world * stride..(world + 1) * stride)
        .unwrap_or_default()
}

/// The kernels of a stage, for a world.
fn run<T: Number>(worlds: &mut Emulation<T>, world: usize, moves: bool) {
    let Emulation {
        scene,
        own,
        team,
        warp,
        ..
    } = worlds;
    let read = &read(scene, own_of(scene, own, world));
    let block = |length: usize| world * length..(world + 1) * length;
    let time = &mut worlds.time[world];
    let ctrl = &worlds.ctrl[block(scene.head.nu)];
    let state = &mut State::cut(&scene.state, &mut worlds.states[block(scene.state.length)]);
    let numbers = &mut worlds.problems[block(scene.problem.length)];
    let problem = &mut Problem::cut(&scene.problem, numbers);
    let own_words = &mut worlds.words[block(scene.words.length)];
    let words = &mut Words::cut(&scene.words, own_words);
    let (memory, quick) = (&mut worlds.step_memory, &mut worlds.quick_memory);
    let is_general = scene.head.general != 0;
    let smooth = match is_general {
        true => forward::smooth::<T, true>,
        false => forward::smooth::<T, false>,
    };
    smooth(
        *team, read, state, time, ctrl, problem, words, memory, quick,
    );
    let own = &mut worlds.row_memory;
    if scene.head.meetings > 0 {
        let length = meeting::memory_length(&scene.head);
        let at: (&mut [T], &mut [T]) = (memory, quick);
        meeting::find(*warp, read, at, &mut own[..length], words, |_, _, _| {});
        let place = &mut Place {
            memory: (&mut **memory, &mut **quick),
            problem: &mut *problem,
            words: &mut *words,
        };
        look_at_pairs(read, place, &mut worlds.polytope);
    }
    let at: (&mut [T], &mut [T]) = (memory, quick);
    let rows = match scene.head.has_plain_rows() {
        true => forward::rows::<T, false>,
        false => forward::rows::<T, true>,
    };
    let length = forward::row_memory_length(&scene.head);
    rows(*warp, read, state, problem, words, at, &mut own[..length]);
    if scene.head.adheres > 0 {
        adhesion::adhere(*team, read, state, ctrl, problem, words, memory, quick);
    }

    let smooth = forward::solved(&scene.head, memory, quick);
    let given = &Given {
        M: smooth.M,
        qfrc_smooth: smooth.qfrc_smooth,
        qacc_smooth: smooth.qacc_smooth,
        factor: smooth.factor,
        factor_inverse: smooth.factor_inverse,
        warm_start: state.warm_start,
        scale: problem.scale[0],
        D: problem.D,
        R: problem.R,
        frictionloss: problem.frictionloss,
        aref: problem.aref,
        cone_shapes: cast_slice(problem.cone_shapes),
        cone_rows: words.cone_rows,
        cone_dims: words.cone_dims,
        J: problem.J,
        row_dofs: words.row_dofs,
        rows: words.counts[0] as usize,
        equality_count: words.counts[1] as usize,
        friction_count: words.counts[2] as usize,
        cones: words.counts[3] as usize,
    };
    let out = Solution {
        qacc: Cell::from_mut(&mut *problem.qacc).as_slice_of_cells(),
        qfrc_constraint: Cell::from_mut(&mut *problem.qfrc_constraint).as_slice_of_cells(),
        force: Cell::from_mut(&mut *problem.force).as_slice_of_cells(),
    };
    let shared = Cell::from_mut(worlds.warp_memory.as_mut_slice()).as_slice_of_cells();
    let iterations = match Form::of::<T>(&scene.head) {
        Form::Quick => quick::solve_any(*warp, read, given, out, shared),
        Form::Narrow => narrow::solve(*warp, read, given, out, shared),
        Form::Whole => newton::solve(*warp, read, given, out, shared),
        Form::Parts => {
            let own = Cell::from_mut(&mut *words.parts).as_slice_of_cells();
            parts::solve(*warp, read, given, out, own, shared)
        }
    };
    words.events[Event::Iterations as usize] += iterations as i32;
    // Within a step nobody reads.
    if scene.head.sensors > 0 && words.stage[0] == 0 {
        let sense = match scene.head.senses_more {
            0 => sense::sense::<T, false>,
            _ => sense::sense::<T, true>,
        };
        sense(*team, read, state, *time, problem, words, memory, quick);
    }
    let place = &mut Place {
        memory: (&mut **memory, &mut **quick),
        problem: &mut *problem,
        words: &mut *words,
    };
    read_gauges(read, *time, place, &mut worlds.polytope);
    if !moves {
        return;
    }
    let advance = match is_general {
        true => advance::advance::<T, true>,
        false => advance::advance::<T, false>,
    };
    advance(
        *team, read, state, time, ctrl, problem, words, memory, quick,
    );
}

/// The pairs that threads look at.
fn look_at_pairs<T: Number>(scene: &Read<'_, T>, place: &mut Place<'_, '_, T>, memory: &mut [T]) {
    for slot in 0..place.words.near_counts[1] as usize {
        let meeting = Meeting::new(scene, place.words, slot);
        let is_done = match meeting.finder() {
            Finder::Formula => {
                meeting.compute(scene, place);
                true
            }
            Finder::Distance => meeting.measure(scene, place),
            Finder::Rows | Finder::Polytope => false,
        };
        if !is_done {
            meeting.expand(scene, place, memory);
        }
    }
}

/// What threads of their own read.
fn read_gauges<T: Number>(
    scene: &Read<'_, T>,
    time: f64,
    place: &mut Place<'_, '_, T>,
    memory: &mut [T],
) {
    let head = &scene.head;
    // Within a step nobody reads.
    if place.words.stage[0] == 0 {
        (0..head.distances).for_each(|sensor| gauge::distance(scene, sensor, place, memory));
        (0..head.rays).for_each(|sensor| gauge::ray(scene, sensor, place));
        (0..head.taxels).for_each(|taxel| gauge::tactile(scene, taxel, place));
    }
    if head.remembers_energy > 0 {
        gauge::energy(scene, time, place);
    }
}

/// A number for which the kernels are there without a device: compiled once, whoever runs them.
pub trait Emulated: Number {
    /// Runs the kernels of a stage for a world, with or without the last one, which moves its state.
    fn run_kernels(worlds: &mut Emulation<Self>, world: usize, moves: bool);
}

impl Emulated for f32 {
    fn run_kernels(worlds: &mut Emulation<Self>, world: usize, moves: bool) {
        run(worlds, world, moves);
    }
}

impl Emulated for f64 {
    fn run_kernels(worlds: &mut Emulation<Self>, world: usize, moves: bool) {
        run(worlds, world, moves);
    }
}
