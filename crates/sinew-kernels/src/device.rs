//! The kernels, as a device starts them: shells that find a warp's world and its working memory.
//!
//! Built for one kind of number at a time. Each kernel is there in two sizes: with working memory in the block of a warp,
//! which is fast and small, and with working memory where the host says.

#![allow(unsafe_code)]

use crate::block::{Event, Problem, ProblemLayout, State, StateLayout, WordLayout, Words};
use crate::newton::{self, Given, Solution, narrow};
use crate::scene::Scene;
use crate::warp::{LANES, Warp};
use crate::{advance, forward};
use bytemuck::cast_slice;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};
use core::cell::Cell;
use core::hint::unreachable_unchecked;
use core::slice::{from_raw_parts, from_raw_parts_mut};

#[cfg(not(feature = "double"))]
type Real = f32;
#[cfg(feature = "double")]
type Real = f64;

/// Where everything is: the same arguments for all kernels.
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
    /// Working memory of warps for which their block has no room.
    scratch: *mut Real,
    word_count: u32,
    number_count: u32,
    worlds: u32,
    /// Numbers of that memory for each warp.
    warp_memory: u32,
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

    #[inline(always)]
    fn forward(&self, world: usize, memory: *mut Real) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let length = forward::memory_length::<Real>(head);
        forward::forward(
            Warp::default(),
            scene,
            &mut State::cut(state, self.block(self.states, world, state.length)),
            &mut self.block(self.time, world, 1)[0],
            self.block(self.ctrl.cast_mut(), world, head.nu),
            &mut Problem::cut(problem, self.block(self.problems, world, problem.length)),
            &mut Words::cut(words, self.block(self.events, world, words.length)),
            // SAFETY: the host reserves that much for every warp.
            unsafe { from_raw_parts_mut(memory, length) },
        );
    }

    #[inline(always)]
    fn advance(&self, world: usize, memory: *mut Real) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let length = advance::memory_length(head);
        advance::advance(
            Warp::default(),
            scene,
            &mut State::cut(state, self.block(self.states, world, state.length)),
            &mut self.block(self.time, world, 1)[0],
            self.block(self.ctrl.cast_mut(), world, head.nu),
            &Problem::cut(problem, self.block(self.problems, world, problem.length)),
            &mut Words::cut(words, self.block(self.events, world, words.length)),
            // SAFETY: as above.
            unsafe { from_raw_parts_mut(memory, length) },
        );
    }

    #[inline(always)]
    fn solve<const NARROW: bool>(&self, world: usize, memory: *mut Real) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let state = State::cut(state, self.block(self.states, world, state.length));
        let problem = Problem::cut(problem, self.block(self.problems, world, problem.length));
        let words = Words::cut(words, self.block(self.events, world, words.length));
        let given = &Given {
            M: problem.M,
            qfrc_smooth: problem.qfrc_smooth,
            qacc_smooth: problem.qacc_smooth,
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
            rows: words.counts[0] as usize,
            equality_count: words.counts[1] as usize,
            friction_count: words.counts[2] as usize,
            cones: words.counts[3] as usize,
        };
        let out = Solution {
            qacc: Cell::from_mut(problem.qacc).as_slice_of_cells(),
            qfrc_constraint: Cell::from_mut(problem.qfrc_constraint).as_slice_of_cells(),
        };
        let length = match NARROW {
            true => narrow::memory_length(head),
            false => newton::memory_length(head),
        };
        // SAFETY: the host reserves that much for every warp.
        let memory = unsafe { from_raw_parts(memory.cast(), length) };
        let warp = Warp::default();
        let iterations = match NARROW {
            true => narrow::solve(warp, scene, given, out, memory),
            false => newton::solve(warp, scene, given, out, memory),
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

macro_rules! kernels {
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

kernels! {
    forward_small = shared, forward;
    forward_large = scratch, forward;
    solve_narrow = shared, solve::<true>;
    solve_small = shared, solve::<false>;
    solve_large = scratch, solve::<false>;
    advance_small = shared, advance;
    advance_large = scratch, advance;
}
