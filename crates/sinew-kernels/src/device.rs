//! The kernels, as a device starts them: shells that find worlds and their memory.
//!
//! Built for one kind of number at a time. Kernels of a team are started with a block of warps for each 32 worlds, the
//! others with a warp for each world. Those that work in memory of their block are there in two sizes: the other
//! works where the host says. For plain models, and for few degrees of freedom, there are kernels of their own.

#![allow(unsafe_code)]

mod gauge;

use crate::block::{Event, Problem, ProblemLayout, State, StateLayout, WordLayout, Words, range};
use crate::contact::Finder;
use crate::episode::{self, Marks, Start};
use crate::meeting::{self, Meeting, Place};
use crate::near;
#[cfg(feature = "double")]
use crate::newton::narrow;
#[cfg(not(feature = "double"))]
use crate::newton::quick;
use crate::newton::{self, Given, Solution, parts};
use crate::scene::{Head, Scene};
use crate::team::Team;
use crate::warp::{LANES, Lanes, Warp};
use crate::{adhesion, advance, derive, forward, sense};
use bytemuck::cast_slice;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};
use core::cell::Cell;
use core::hint::unreachable_unchecked;
use core::slice::{from_raw_parts, from_raw_parts_mut};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use sinew_math::random::{Noise, Spread, Stream};
use sinew_math::series::Series;

#[cfg(not(feature = "double"))]
type Real = f32;
#[cfg(feature = "double")]
type Real = f64;

/// Words of a scene that come with the arguments.
const HEADER: usize = Scene::<Real>::HEADER;

/// Where everything is: the same arguments for all kernels. All arrays have room for whole tiles of 32 worlds.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Arguments {
    words: *const i32,
    numbers: *const Real,
    /// What worlds have of their own of these, `own_stride` numbers apart; 0: all have the same.
    own: *const Real,
    time: *mut f64,
    states: *mut Real,
    ctrl: *const Real,
    problems: *mut Real,
    events: *mut i32,
    /// Memory of worlds through a step, in tiles.
    tiles: *mut Real,
    /// Working memory of warps, and quick memory of teams, for which their block has no room.
    scratch: *mut Real,
    /// What users ask for besides the state, a row for each world.
    derived: *mut Real,
    /// Flags of the worlds that a kernel is about, for those that ask; null: all.
    mask: *const u8,
    word_count: u32,
    number_count: u32,
    own_count: u32,
    own_stride: u32,
    worlds: u32,
    /// Numbers of working memory for each warp, and of quick memory for each world of a team.
    warp_memory: u32,
    team_memory: u32,
    /// Rows of worlds that a solver is started for.
    fewest_rows: u32,
    most_rows: u32,
    unused: u32,
    /// Pairs that threads look at: four counters, then the pairs.
    queues: *mut u32,
    /// The first words of the scene.
    header: [i32; HEADER],
}

/// What is known of the last call of each world, and which worlds a call is about.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Episodes {
    seen: *mut i32,
    failed: *mut u8,
    terminated: *mut u8,
    truncated: *mut u8,
    over: *const u8,
    /// Flags of the worlds that a call is about; null: all.
    mask: *const u8,
    limit: f64,
}

/// How worlds begin anew.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Resetting {
    /// Flags that must be set besides the mask; null: all are.
    also: *const u8,
    draws: *mut u64,
    start: *const Real,
    start_ctrl: *const Real,
    /// How far the starts of worlds are apart, in numbers; 0: all have the same.
    start_stride: u32,
    start_ctrl_stride: u32,
    start_time: f64,
    seed: u64,
    position: f64,
    velocity: f64,
    /// 0: no noise; 1: uniform; 2: normal.
    spread: u32,
}

/// Worlds as they were before a call that is not about all of them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Kept {
    time: *mut f64,
    states: *mut Real,
    ctrl: *mut Real,
    events: *mut i32,
    /// What sensors read, a row for each world.
    readings: *mut Real,
}

unsafe extern "C" {
    /// Memory that the threads of a block share; declared beside the program, since Rust has no word for it.
    fn sinew_shared() -> *mut u8;
}

/// No kernel panics: what could, as an index beyond its list, is checked where kernels run without a device. To say so
/// here makes the checks vanish.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: never reached, as the tests without a device show.
    unsafe { unreachable_unchecked() }
}

/// Number of the thread among all.
#[inline(always)]
fn thread() -> usize {
    // SAFETY: reads registers.
    unsafe { (_block_idx_x() * _block_dim_x() + _thread_idx_x()) as usize }
}

/// Number of warps.
#[inline(always)]
fn warps() -> usize {
    // SAFETY: reads registers.
    unsafe { (_grid_dim_x() * _block_dim_x()) as usize / LANES }
}

impl Arguments {
    /// The model of all worlds.
    #[inline(always)]
    fn scene<'a>(&self) -> Scene<'a, Real> {
        self.scene_with(self.numbers)
    }

    /// The model with the numbers that a world has.
    #[inline(always)]
    fn scene_of<'a>(&self, world: usize) -> Scene<'a, Real> {
        self.scene_with(self.own.wrapping_add(world * self.own_stride as usize))
    }

    #[inline(always)]
    fn scene_with<'a>(&self, own: *const Real) -> Scene<'a, Real> {
        // SAFETY: the host gives arrays of that many words and numbers, which nobody writes.
        unsafe {
            Scene::read(
                &self.header,
                from_raw_parts(self.words, self.word_count as usize),
                (
                    from_raw_parts(self.numbers, self.number_count as usize),
                    from_raw_parts(own, self.own_count as usize),
                ),
            )
        }
    }

    /// The model for a kernel: those for plain models know but one.
    #[inline(always)]
    fn scene_for<'a, const GENERAL: bool>(&self, world: usize) -> Scene<'a, Real> {
        match GENERAL {
            true => self.scene_of(world),
            false => self.scene(),
        }
    }

    #[inline(always)]
    fn block<'a, N>(&self, all: *mut N, world: usize, length: usize) -> &'a mut [N] {
        // SAFETY: the array has a block for every world, and only its thread or warp writes it.
        unsafe { from_raw_parts_mut(all.add(world * length), length) }
    }

    /// The memory of a world through a step.
    #[inline(always)]
    fn series<'a>(&self, all: *mut Real, world: usize, length: usize) -> &'a mut Series<Real> {
        // SAFETY: the array has that much for every world of every tile.
        unsafe {
            Series::new(
                all.add(world / LANES * LANES * length + world % LANES),
                length,
            )
        }
    }

    #[inline(always)]
    fn smooth<const GENERAL: bool>(&self, world: usize, quick: &mut Series<Real>) {
        let scene = &self.scene_for::<GENERAL>(world);
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        forward::smooth::<Real, GENERAL>(
            Team::default(),
            scene,
            &mut State::cut(state, self.block(self.states, world, state.length)),
            &mut self.block(self.time, world, 1)[0],
            self.block(self.ctrl.cast_mut(), world, head.nu),
            &mut Problem::cut(problem, self.block(self.problems, world, problem.length)),
            &mut Words::cut(words, self.block(self.events, world, words.length)),
            self.series(self.tiles, world, forward::memory_length::<Real>(head)),
            quick,
        );
    }

    #[inline(always)]
    fn rows<const GENERAL: bool>(&self, world: usize, memory: *mut Real) {
        let scene = &self.scene_for::<GENERAL>(world);
        let head = &scene.head;
        let state = &StateLayout::new(head);
        // SAFETY: the host reserves that much for every warp.
        let own = unsafe { from_raw_parts_mut(memory, forward::row_memory_length(head)) };
        let (problem, words) = &mut self.problem(world, head);
        forward::rows::<Real, GENERAL>(
            Warp::default(),
            scene,
            &State::cut(state, self.block(self.states, world, state.length)),
            problem,
            words,
            self.memory(world, head),
            own,
        );
    }

    #[inline(always)]
    fn adhere(&self, world: usize, quick: &mut Series<Real>) {
        let scene = &self.scene_of(world);
        let head = &scene.head;
        let state = &StateLayout::new(head);
        let (problem, words) = &mut self.problem(world, head);
        adhesion::adhere(
            Team::default(),
            scene,
            &State::cut(state, self.block(self.states, world, state.length)),
            self.block(self.ctrl.cast_mut(), world, head.nu),
            problem,
            words,
            self.series(self.tiles, world, forward::memory_length::<Real>(head)),
            quick,
        );
    }

    /// The problem and the words of a world.
    #[inline(always)]
    fn problem<'a>(&self, world: usize, head: &Head) -> (Problem<'a, Real>, Words<'a, i32>) {
        let (problem, words) = (&ProblemLayout::new(head), &WordLayout::new(head));
        (
            Problem::cut(problem, self.block(self.problems, world, problem.length)),
            Words::cut(words, self.block(self.events, world, words.length)),
        )
    }

    /// The memory of a world through a step, for who reads it.
    #[inline(always)]
    fn memory<'a>(
        &self,
        world: usize,
        head: &Head,
    ) -> (&'a mut Series<Real>, &'a mut Series<Real>) {
        let length = forward::memory_length::<Real>(head);
        let at = || self.series(self.tiles, world, length);
        (at(), at())
    }

    /// Lists the pairs of a world that are close, and sends those that take long to who looks at them.
    #[inline(always)]
    fn near(&self, world: usize, memory: *mut Real) {
        let scene = &self.scene_of(world);
        let head = &scene.head;
        // SAFETY: the host reserves that much for every warp.
        let own = unsafe { from_raw_parts_mut(memory, meeting::memory_length(head)) };
        let (_, words) = &mut self.problem(world, head);
        let send = |finder: Finder, threads: u32, slots: Lanes<i32>| {
            let queue = self.queue(finder, head);
            let first = Lanes::new(|lane| match lane {
                0 => queue.reserve(threads.count_ones()),
                _ => 0,
            });
            let first = first.from(0) as usize;
            Warp::default().each(LANES, |lane| {
                if threads >> lane & 1 != 0 {
                    let place = first + near::before(threads, lane);
                    queue.put(place, [world as u32, slots.own(lane) as u32]);
                }
            });
        };
        meeting::find(
            Warp::default(),
            scene,
            self.memory(world, head),
            own,
            words,
            send,
        );
    }

    /// The pairs that are found so.
    #[inline(always)]
    fn queue(&self, finder: Finder, head: &Head) -> Queue {
        let number = finder as usize - Finder::Formula as usize;
        let room = head.meetings * self.worlds as usize;
        // SAFETY: the host gives a counter for each queue, and as much room.
        unsafe {
            Queue {
                counter: self.queues.add(number),
                list: self.queues.add(4 + 2 * room * number).cast(),
                room,
            }
        }
    }

    /// Has each pair of a queue looked at by a thread.
    #[inline(always)]
    fn meet(
        &self,
        finder: Finder,
        mut look: impl FnMut(&Scene<'_, Real>, &Met<'_>, &mut Place<'_, '_, Real>),
    ) {
        let queue = self.queue(finder, &self.scene().head);
        let count = queue.count();
        let mut i = thread();
        while i < count {
            let [world, slot] = queue.get(i).map(|word| word as usize);
            let scene = &self.scene_of(world);
            let (mut problem, mut words) = self.problem(world, &scene.head);
            let meeting = Meeting::new(scene, &words, slot);
            let met = &Met {
                meeting,
                world,
                slot,
            };
            let place = &mut Place {
                memory: self.memory(world, &scene.head),
                problem: &mut problem,
                words: &mut words,
            };
            look(scene, met, place);
            i += warps() * LANES;
        }
    }

    #[inline(always)]
    fn sense<const MORE: bool>(&self, world: usize, quick: &mut Series<Real>) {
        let scene = &self.scene_of(world);
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let words = &Words::cut(words, self.block(self.events, world, words.length));
        // Within a step, in which all worlds are at the same place, nobody reads.
        if words.stage[0] != 0 {
            return;
        }
        sense::sense::<Real, MORE>(
            Team::default(),
            scene,
            &State::cut(state, self.block(self.states, world, state.length)),
            self.block(self.time, world, 1)[0],
            &mut Problem::cut(problem, self.block(self.problems, world, problem.length)),
            words,
            self.series(self.tiles, world, forward::memory_length::<Real>(head)),
            quick,
        );
    }

    #[inline(always)]
    fn derive(&self, world: usize, quick: &mut Series<Real>) {
        let scene = &self.scene_of(world);
        let head = &scene.head;
        let (state, words) = (&StateLayout::new(head), &WordLayout::new(head));
        let length = ProblemLayout::new(head).length;
        let memory = self.series(self.tiles, world, forward::memory_length::<Real>(head));
        derive::derive(
            Team::default(),
            scene,
            &State::cut(state, self.block(self.states, world, state.length)),
            self.block(self.problems, world, length),
            &Words::cut(words, self.block(self.events, world, words.length)),
            (memory, quick),
            has(self.mask, world),
            self.block(self.derived, world, scene.tables.derived_sources.len()),
        );
    }

    #[inline(always)]
    fn advance<const GENERAL: bool>(&self, world: usize, quick: &mut Series<Real>) {
        let scene = &self.scene_for::<GENERAL>(world);
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        advance::advance::<Real, GENERAL>(
            Team::default(),
            scene,
            &mut State::cut(state, self.block(self.states, world, state.length)),
            &mut self.block(self.time, world, 1)[0],
            self.block(self.ctrl.cast_mut(), world, head.nu),
            &Problem::cut(problem, self.block(self.problems, world, problem.length)),
            &mut Words::cut(words, self.block(self.events, world, words.length)),
            self.series(self.tiles, world, forward::memory_length::<Real>(head)),
            quick,
        );
    }

    /// Solves the problem of a world, if it has a number of rows that these threads are there for.
    #[inline(always)]
    fn solve(
        &self,
        world: usize,
        by: impl FnOnce(
            Warp,
            &Scene<'_, Real>,
            &Given<'_, Real>,
            Solution<'_, Real>,
            &[Cell<i32>],
        ) -> usize,
    ) {
        let scene = &self.scene_of(world);
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let words = Words::cut(words, self.block(self.events, world, words.length));
        let rows = words.counts[0] as u32;
        if rows < self.fewest_rows || rows > self.most_rows {
            return;
        }
        let state = State::cut(state, self.block(self.states, world, state.length));
        let problem = Problem::cut(problem, self.block(self.problems, world, problem.length));
        let length = forward::memory_length::<Real>(head);
        let at = || self.series(self.tiles, world, length);
        let smooth = forward::solved(head, at(), at());
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
            rows: rows as usize,
            equality_count: words.counts[1] as usize,
            friction_count: words.counts[2] as usize,
            cones: words.counts[3] as usize,
        };
        let out = Solution {
            qacc: Cell::from_mut(problem.qacc).as_slice_of_cells(),
            qfrc_constraint: Cell::from_mut(problem.qfrc_constraint).as_slice_of_cells(),
            force: Cell::from_mut(problem.force).as_slice_of_cells(),
        };
        let own = Cell::from_mut(words.parts).as_slice_of_cells();
        let iterations = by(Warp::default(), scene, given, out, own);
        // SAFETY: reads a register.
        if unsafe { _thread_idx_x() } as usize % LANES == 0 {
            words.events[Event::Iterations as usize] += iterations as i32;
        }
    }

    #[inline(always)]
    fn solve_any(&self, world: usize, memory: *mut Real) {
        self.solve(world, |warp, scene, given, out, _| {
            let length = newton::memory_length(&scene.head);
            newton::solve(warp, scene, given, out, shown(memory, length))
        });
    }

    #[inline(always)]
    fn solve_parts(&self, world: usize, memory: *mut Real) {
        self.solve(world, |warp, scene, given, out, own| {
            let length = parts::memory_length(&scene.head);
            parts::solve(warp, scene, given, out, own, shown(memory, length))
        });
    }

    #[inline(always)]
    #[cfg(feature = "double")]
    fn solve_narrow(&self, world: usize, memory: *mut Real) {
        self.solve(world, |warp, scene, given, out, _| {
            let length = narrow::memory_length(&scene.head);
            narrow::solve(warp, scene, given, out, shown(memory, length))
        });
    }

    #[inline(always)]
    #[cfg(not(feature = "double"))]
    fn solve_quick<const N: usize, const CONES: bool>(&self, world: usize, memory: *mut Real) {
        // Where few worlds are expected to be this warp's business, it looks at several.
        let mut world = world;
        while world < self.worlds as usize {
            self.solve(world, |warp, scene, given, out, _| {
                let length = quick::memory_length(&scene.head, given.rows);
                quick::solve::<Real, N, CONES>(warp, scene, given, out, shown(memory, length))
            });
            Warp::default().each(0, |_| {});
            world += warps();
        }
    }
}

/// A pair that a thread looks at, and where it is from.
struct Met<'a> {
    meeting: Meeting<'a, Real>,
    world: usize,
    slot: usize,
}

/// Pairs of all worlds that threads look at, in whichever order: each is told its world and its number there.
struct Queue {
    counter: *mut u32,
    list: *mut [u32; 2],
    room: usize,
}

impl Queue {
    /// Takes places; the first of them.
    #[inline(always)]
    fn reserve(&self, count: u32) -> i32 {
        // SAFETY: the host gives a counter, which all threads count alike.
        unsafe { AtomicU32::from_ptr(self.counter) }.fetch_add(count, Relaxed) as i32
    }

    #[inline(always)]
    fn put(&self, place: usize, pair: [u32; 2]) {
        if place < self.room {
            // SAFETY: there is room, and no other thread has the place.
            unsafe { *self.list.add(place) = pair }
        }
    }

    #[inline(always)]
    fn get(&self, place: usize) -> [u32; 2] {
        // SAFETY: it was put there by a kernel before.
        unsafe { *self.list.add(place) }
    }

    /// How many there are.
    #[inline(always)]
    fn count(&self) -> usize {
        // SAFETY: no kernel counts on while others read.
        let count = unsafe { *self.counter } as usize;
        count.min(self.room)
    }
}

/// Pairs whose contacts a formula finds. A thread has a pair at a time.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn meet_formula(arguments: Arguments) {
    arguments.meet(Finder::Formula, |scene, met, place| {
        met.meeting.compute(scene, place);
    });
}

/// Pairs of convex shapes: those that overlap are sent on.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn meet_distance(arguments: Arguments) {
    arguments.meet(Finder::Distance, |scene, met, place| {
        if !met.meeting.measure(scene, place) {
            let queue = arguments.queue(Finder::Polytope, &scene.head);
            let place = queue.reserve(1) as usize;
            queue.put(place, [met.world as u32, met.slot as u32]);
        }
    });
}

/// Pairs that take memory, of which each thread has some.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn meet_polytope(arguments: Arguments) {
    let memory = scratch(&arguments, thread());
    arguments.meet(Finder::Polytope, |scene, met, place| {
        let length = meeting::polytope_length(&scene.head);
        // SAFETY: the host reserves that much for every thread.
        let memory = unsafe { from_raw_parts_mut(memory, length) };
        met.meeting.expand(scene, place, memory);
    });
}

/// Working memory of a warp as its threads share it.
#[inline(always)]
fn shown<'a>(memory: *mut Real, length: usize) -> &'a [Cell<Real>] {
    // SAFETY: the host reserves that much for every warp.
    unsafe { from_raw_parts(memory.cast(), length) }
}

/// Whether the flag of a world is set, or there are none.
#[inline(always)]
fn has(flags: *const u8, world: usize) -> bool {
    // SAFETY: the host gives a flag for every world.
    flags.is_null() || unsafe { *flags.add(world) } != 0
}

impl Episodes {
    #[inline(always)]
    fn marks<'a>(&self, world: usize) -> Marks<'a> {
        // SAFETY: the host gives an entry for every world, which only its thread writes.
        unsafe {
            Marks {
                seen: &mut *self.seen.add(world),
                failed: &mut *self.failed.add(world),
                terminated: &mut *self.terminated.add(world),
                truncated: &mut *self.truncated.add(world),
            }
        }
    }
}

impl Arguments {
    #[inline(always)]
    fn reset(&self, world: usize, episodes: &Episodes, resetting: &Resetting) {
        let scene = &self.scene();
        let head = &scene.head;
        let (layout, words) = (&StateLayout::new(head), &WordLayout::new(head));
        // SAFETY: the host gives a block and a row of controls, for each world or for all.
        let start = unsafe {
            &Start {
                block: from_raw_parts(
                    resetting.start.add(world * resetting.start_stride as usize),
                    layout.length,
                ),
                ctrl: from_raw_parts(
                    resetting
                        .start_ctrl
                        .add(world * resetting.start_ctrl_stride as usize),
                    head.nu,
                ),
                time: resetting.start_time,
            }
        };
        let block = self.block(self.states, world, layout.length);
        episode::restart(
            start,
            block,
            self.block(self.ctrl.cast_mut(), world, head.nu),
            &mut self.block(self.time, world, 1)[0],
            (words, self.block(self.events, world, words.length)),
            self.readings(world, &ProblemLayout::new(head)),
            episodes.marks(world),
        );
        let spread = match resetting.spread {
            0 => return,
            1 => Spread::Uniform,
            _ => Spread::Normal,
        };
        let noise = &Noise {
            position: resetting.position,
            velocity: resetting.velocity,
            spread,
        };
        let draw = &mut self.block(resetting.draws, world, 1)[0];
        let stream = Stream::new(resetting.seed, world, *draw);
        *draw += 1;
        let memory = self.series(self.tiles, world, forward::memory_length::<Real>(head));
        episode::scatter(scene, layout, block, noise, stream, memory);
    }

    #[inline(always)]
    fn end(&self, world: usize, episodes: &Episodes) {
        let words = &WordLayout::new(&self.scene().head);
        // SAFETY: the host gives a flag for every world.
        let is_over = unsafe { *episodes.over.add(world) } != 0;
        episode::end(
            (words, self.block(self.events, world, words.length)),
            self.block(self.time, world, 1)[0],
            episodes.limit,
            is_over,
            episodes.marks(world),
        );
    }

    /// What the sensors of a world read.
    #[inline(always)]
    fn readings<'a>(&self, world: usize, layout: &ProblemLayout) -> &'a mut [Real] {
        &mut self.block(self.problems, world, layout.length)[range(layout.sensordata)]
    }

    #[inline(always)]
    fn put_back(&self, world: usize, kept: &Kept) {
        let head = &self.scene().head;
        let (state, words) = (StateLayout::new(head).length, WordLayout::new(head).length);
        let (time, from) = (self.block(self.time, world, 1), &kept.time);
        time[0] = self.block(*from, world, 1)[0];
        let copy = |to: *mut Real, from: *mut Real, length: usize| {
            let (to, from) = (
                self.block(to, world, length),
                self.block(from, world, length),
            );
            for i in 0..length {
                to[i] = from[i];
            }
        };
        copy(self.states, kept.states, state);
        copy(self.ctrl.cast_mut(), kept.ctrl, head.nu);
        let readings = self.readings(world, &ProblemLayout::new(head));
        let from = self.block(kept.readings, world, head.nsensordata);
        for i in 0..head.nsensordata {
            readings[i] = from[i];
        }
        let (to, from) = (
            self.block(self.events, world, words),
            self.block(kept.events, world, words),
        );
        for i in 0..words {
            to[i] = from[i];
        }
    }
}

/// Puts worlds to their start. A thread has a world.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn reset_worlds(
    arguments: Arguments,
    episodes: Episodes,
    resetting: Resetting,
) {
    let world = thread();
    if world < arguments.worlds as usize && has(episodes.mask, world) && has(resetting.also, world)
    {
        arguments.reset(world, &episodes, &resetting);
    }
}

/// Says how worlds have ended. A thread has a world.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn end_worlds(arguments: Arguments, episodes: Episodes) {
    let world = thread();
    if world < arguments.worlds as usize && has(episodes.mask, world) {
        arguments.end(world, &episodes);
    }
}

/// Puts worlds that a call is not about back to where they were. A thread has a world.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn put_back_worlds(
    arguments: Arguments,
    episodes: Episodes,
    kept: Kept,
) {
    let world = thread();
    if world < arguments.worlds as usize && !has(episodes.mask, world) {
        arguments.put_back(world, &kept);
    }
}

/// Working memory of a warp in its block.
#[inline(always)]
fn shared(arguments: &Arguments, _: usize) -> *mut Real {
    // SAFETY: the host starts blocks with that much for each of their warps.
    unsafe {
        let warp = _thread_idx_x() as usize / LANES;
        let memory: *mut Real = sinew_shared().cast();
        memory.add(warp * arguments.warp_memory as usize)
    }
}

/// Working memory of a warp where the host says.
#[inline(always)]
fn scratch(arguments: &Arguments, world: usize) -> *mut Real {
    // SAFETY: the host gives that much for every world.
    unsafe {
        arguments
            .scratch
            .add(world * arguments.warp_memory as usize)
    }
}

/// Quick memory of a world of a team in their block.
#[inline(always)]
fn shared_series<'a>(arguments: &Arguments, world: usize) -> &'a mut Series<Real> {
    // SAFETY: the host starts blocks with memory for their worlds.
    let memory = unsafe { sinew_shared().cast() };
    arguments.series(memory, world % LANES, arguments.team_memory as usize)
}

/// Quick memory of a world of a team where the host says.
#[inline(always)]
fn scratch_series<'a>(arguments: &Arguments, world: usize) -> &'a mut Series<Real> {
    arguments.series(arguments.scratch, world, arguments.team_memory as usize)
}

macro_rules! warp_kernels {
    ($( $name:ident = $memory:ident, $method:ident $(::<$($kind:tt),*>)?; )*) => { $(
        /// A warp has a world.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(arguments: Arguments) {
            let world = thread() / LANES;
            if world < arguments.worlds as usize {
                arguments.$method $(::<$($kind),*>)? (world, $memory(&arguments, world));
            }
        }
    )* };
}

macro_rules! team_kernels {
    ($( $name:ident = $memory:ident, $method:ident $(::<$general:literal>)?; )*) => { $(
        /// A block has 32 worlds, one for each thread of a warp.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(arguments: Arguments) {
            // SAFETY: reads registers.
            let world = unsafe {
                _block_idx_x() as usize * LANES + _thread_idx_x() as usize % LANES
            };
            arguments.$method $(::<$general>)? (world, $memory(&arguments, world));
        }
    )* };
}

team_kernels! {
    smooth_plain = shared_series, smooth::<false>;
    smooth_small = shared_series, smooth::<true>;
    smooth_large = scratch_series, smooth::<true>;
    adhere_small = shared_series, adhere;
    adhere_large = scratch_series, adhere;
    sense_plain = shared_series, sense::<false>;
    sense_small = shared_series, sense::<true>;
    sense_large = scratch_series, sense::<true>;
    derive_worlds = shared_series, derive;
    advance_plain = shared_series, advance::<false>;
    advance_small = shared_series, advance::<true>;
    advance_large = scratch_series, advance::<true>;
}

warp_kernels! {
    near_small = shared, near;
    near_large = scratch, near;
    rows_plain = shared, rows::<false>;
    rows_small = shared, rows::<true>;
    rows_large = scratch, rows::<true>;
    solve_small = shared, solve_any;
    solve_large = scratch, solve_any;
    parts_small = shared, solve_parts;
    parts_large = scratch, solve_parts;
}

#[cfg(feature = "double")]
warp_kernels! {
    solve_narrow = shared, solve_narrow;
}

#[cfg(not(feature = "double"))]
warp_kernels! {
    solve_quick_4 = shared, solve_quick::<4, false>;
    solve_quick_8 = shared, solve_quick::<8, false>;
    solve_quick_12 = shared, solve_quick::<12, false>;
    solve_quick_16 = shared, solve_quick::<16, false>;
    solve_quick_20 = shared, solve_quick::<20, false>;
    solve_quick_24 = shared, solve_quick::<24, false>;
    solve_quick_28 = shared, solve_quick::<28, false>;
    solve_quick_32 = shared, solve_quick::<32, false>;
    solve_cones_4 = shared, solve_quick::<4, true>;
    solve_cones_8 = shared, solve_quick::<8, true>;
    solve_cones_12 = shared, solve_quick::<12, true>;
    solve_cones_16 = shared, solve_quick::<16, true>;
    solve_cones_20 = shared, solve_quick::<20, true>;
    solve_cones_24 = shared, solve_quick::<24, true>;
    solve_cones_28 = shared, solve_quick::<28, true>;
    solve_cones_32 = shared, solve_quick::<32, true>;
}
