//! The kernels, as a device starts them: shells that find worlds and their memory.
//!
//! Built for one kind of number at a time. Kernels of a team are started with a block of warps for each 32 worlds, the
//! others with a warp for each world. Those that work in memory of their block are there in two sizes: the other
//! works where the host says. For worlds without equalities, and for few degrees of freedom, there are kernels of their own.

#![allow(unsafe_code)]

use crate::block::{Event, Problem, ProblemLayout, State, StateLayout, WordLayout, Words};
use crate::contact::{BOXES, CONVEX, PLAIN};
#[cfg(feature = "double")]
use crate::newton::narrow;
#[cfg(not(feature = "double"))]
use crate::newton::quick;
use crate::newton::{self, Given, Solution};
use crate::scene::Scene;
use crate::team::Team;
use crate::warp::{LANES, Warp};
use crate::{advance, forward, sense};
use bytemuck::cast_slice;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};
use core::cell::Cell;
use core::hint::unreachable_unchecked;
use core::slice::{from_raw_parts, from_raw_parts_mut};
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
    time: *mut f64,
    states: *mut Real,
    ctrl: *const Real,
    problems: *mut Real,
    events: *mut i32,
    /// Memory of worlds through a step, in tiles.
    tiles: *mut Real,
    /// Working memory of warps, and quick memory of teams, for which their block has no room.
    scratch: *mut Real,
    word_count: u32,
    number_count: u32,
    worlds: u32,
    /// Numbers of that memory for each warp, and for each world of a team.
    warp_memory: u32,
    team_memory: u32,
    /// Rows of worlds that a solver is started for.
    fewest_rows: u32,
    most_rows: u32,
    /// The first words of the scene.
    header: [i32; HEADER],
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

impl Arguments {
    #[inline(always)]
    fn scene<'a>(&self) -> Scene<'a, Real> {
        // SAFETY: the host gives arrays of that many words and numbers, which nobody writes.
        unsafe {
            Scene::read(
                &self.header,
                from_raw_parts(self.words, self.word_count as usize),
                from_raw_parts(self.numbers, self.number_count as usize),
            )
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
    fn smooth(&self, world: usize, quick: &mut Series<Real>) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        forward::smooth(
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
    fn rows<const EQUALITIES: bool, const SKILL: usize>(&self, world: usize, memory: *mut Real) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let length = forward::memory_length::<Real>(head);
        let at = || self.series(self.tiles, world, length);
        forward::rows::<Real, EQUALITIES, SKILL>(
            Warp::default(),
            scene,
            &State::cut(state, self.block(self.states, world, state.length)),
            &mut Problem::cut(problem, self.block(self.problems, world, problem.length)),
            &mut Words::cut(words, self.block(self.events, world, words.length)),
            (at(), at()),
            // SAFETY: the host reserves that much for every warp.
            unsafe { from_raw_parts_mut(memory, forward::row_memory_length(head)) },
        );
    }

    #[inline(always)]
    fn sense(&self, world: usize, quick: &mut Series<Real>) {
        let scene = &self.scene();
        let head = &scene.head;
        let problem = &ProblemLayout::new(head);
        sense::sense(
            Team::default(),
            scene,
            self.block(self.time, world, 1)[0],
            &mut Problem::cut(problem, self.block(self.problems, world, problem.length)),
            self.series(self.tiles, world, forward::memory_length::<Real>(head)),
            quick,
        );
    }

    #[inline(always)]
    fn advance(&self, world: usize, quick: &mut Series<Real>) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        advance::advance(
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
        by: impl FnOnce(Warp, &Scene<'_, Real>, &Given<'_, Real>, Solution<'_, Real>) -> usize,
    ) {
        let scene = &self.scene();
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
            rows: rows as usize,
            equality_count: words.counts[1] as usize,
            friction_count: words.counts[2] as usize,
            cones: words.counts[3] as usize,
        };
        let out = Solution {
            qacc: Cell::from_mut(problem.qacc).as_slice_of_cells(),
            qfrc_constraint: Cell::from_mut(problem.qfrc_constraint).as_slice_of_cells(),
        };
        let iterations = by(Warp::default(), scene, given, out);
        // SAFETY: reads a register.
        if unsafe { _thread_idx_x() } as usize % LANES == 0 {
            words.events[Event::Iterations as usize] += iterations as i32;
        }
    }

    #[inline(always)]
    fn solve_any(&self, world: usize, memory: *mut Real) {
        self.solve(world, |warp, scene, given, out| {
            let length = newton::memory_length(&scene.head);
            newton::solve(warp, scene, given, out, shown(memory, length))
        });
    }

    #[inline(always)]
    #[cfg(feature = "double")]
    fn solve_narrow(&self, world: usize, memory: *mut Real) {
        self.solve(world, |warp, scene, given, out| {
            let length = narrow::memory_length(&scene.head);
            narrow::solve(warp, scene, given, out, shown(memory, length))
        });
    }

    #[inline(always)]
    #[cfg(not(feature = "double"))]
    fn solve_quick<const N: usize>(&self, world: usize, memory: *mut Real) {
        self.solve(world, |warp, scene, given, out| {
            let length = quick::memory_length(&scene.head, given.rows);
            quick::solve::<Real, N>(warp, scene, given, out, shown(memory, length))
        });
    }
}

/// Working memory of a warp as its threads share it.
#[inline(always)]
fn shown<'a>(memory: *mut Real, length: usize) -> &'a [Cell<Real>] {
    // SAFETY: the host reserves that much for every warp.
    unsafe { from_raw_parts(memory.cast(), length) }
}

/// Working memory of a warp in its block, of which it is the only one.
#[inline(always)]
fn shared(_: &Arguments, _: usize) -> *mut Real {
    // SAFETY: the host starts blocks with memory for their warp.
    unsafe { sinew_shared().cast() }
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
    ($( $name:ident = $memory:ident, $method:ident; )*) => { $(
        /// A block has 32 worlds, one for each thread of a warp.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(arguments: Arguments) {
            // SAFETY: reads registers.
            let world = unsafe {
                _block_idx_x() as usize * LANES + _thread_idx_x() as usize % LANES
            };
            arguments.$method(world, $memory(&arguments, world));
        }
    )* };
}

team_kernels! {
    smooth_small = shared_series, smooth;
    smooth_large = scratch_series, smooth;
    sense_small = shared_series, sense;
    sense_large = scratch_series, sense;
    advance_small = shared_series, advance;
    advance_large = scratch_series, advance;
}

warp_kernels! {
    rows_plain = shared, rows::<false, PLAIN>;
    rows_small = shared, rows::<true, PLAIN>;
    rows_boxes = shared, rows::<true, BOXES>;
    rows_convex = scratch, rows::<true, CONVEX>;
    rows_large = scratch, rows::<true, BOXES>;
    solve_small = shared, solve_any;
    solve_large = scratch, solve_any;
}

#[cfg(feature = "double")]
warp_kernels! {
    solve_narrow = shared, solve_narrow;
}

#[cfg(not(feature = "double"))]
warp_kernels! {
    solve_quick_4 = shared, solve_quick::<4>;
    solve_quick_8 = shared, solve_quick::<8>;
    solve_quick_12 = shared, solve_quick::<12>;
    solve_quick_16 = shared, solve_quick::<16>;
    solve_quick_20 = shared, solve_quick::<20>;
    solve_quick_24 = shared, solve_quick::<24>;
    solve_quick_28 = shared, solve_quick::<28>;
    solve_quick_32 = shared, solve_quick::<32>;
}
