//! The kernels, as a device starts them: shells that find worlds and their memory.
//!
//! Built for one kind of number at a time. Kernels of a team are started with a block of warps for each 32 worlds, the
//! others with a warp for each world. Those that work in memory of their block are there in two sizes: the other
//! works where the host says. For worlds without equalities, and for few degrees of freedom, there are kernels of their own.

#![allow(unsafe_code)]

use crate::block::{Event, Problem, ProblemLayout, State, StateLayout, WordLayout, Words};
use crate::newton::{self, Form, Given, Solution, narrow, parts};
use crate::scene::Scene;
use crate::team::Team;
use crate::warp::{LANES, Warp};
use crate::{advance, forward};
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
    fn rows<const EQUALITIES: bool>(&self, world: usize, memory: *mut Real) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let length = forward::memory_length::<Real>(head);
        let at = || self.series(self.tiles, world, length);
        forward::rows::<Real, EQUALITIES>(
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

    #[inline(always)]
    fn solve<const FORM: usize>(&self, world: usize, memory: *mut Real) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let state = State::cut(state, self.block(self.states, world, state.length));
        let problem = Problem::cut(problem, self.block(self.problems, world, problem.length));
        let words = Words::cut(words, self.block(self.events, world, words.length));
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
            row_dofs: words.row_dofs,
            rows: words.counts[0] as usize,
            equality_count: words.counts[1] as usize,
            friction_count: words.counts[2] as usize,
            cones: words.counts[3] as usize,
        };
        let out = Solution {
            qacc: Cell::from_mut(problem.qacc).as_slice_of_cells(),
            qfrc_constraint: Cell::from_mut(problem.qfrc_constraint).as_slice_of_cells(),
        };
        let form = [Form::Narrow, Form::Whole, Form::Parts][FORM];
        let length = form.memory_length(head);
        // SAFETY: the host reserves that much for every warp.
        let memory = unsafe { from_raw_parts(memory.cast(), length) };
        let warp = Warp::default();
        let iterations = match form {
            Form::Narrow => narrow::solve(warp, scene, given, out, memory),
            Form::Whole => newton::solve(warp, scene, given, out, memory),
            Form::Parts => {
                let own = Cell::from_mut(words.parts).as_slice_of_cells();
                parts::solve(warp, scene, given, out, own, memory)
            }
        };
        // SAFETY: reads a register.
        if unsafe { _thread_idx_x() } as usize % LANES == 0 {
            words.events[Event::Iterations as usize] += iterations as i32;
        }
    }
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
    ($( $name:ident = $memory:ident, $method:ident $(::<$narrow:literal>)?; )*) => { $(
        /// A warp has a world.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(arguments: Arguments) {
            let world = thread() / LANES;
            if world < arguments.worlds as usize {
                arguments.$method $(::<$narrow>)? (world, $memory(&arguments, world));
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
    advance_small = shared_series, advance;
    advance_large = scratch_series, advance;
}

warp_kernels! {
    rows_plain = shared, rows::<false>;
    rows_small = shared, rows::<true>;
    rows_large = scratch, rows::<true>;
    solve_narrow = shared, solve::<0>;
    solve_small = shared, solve::<1>;
    solve_large = scratch, solve::<1>;
    parts_small = shared, solve::<2>;
    parts_large = scratch, solve::<2>;
}
