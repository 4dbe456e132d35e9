//! The kernels, as a device starts them: shells that find a thread's world.
//!
//! Built for one kind of number at a time. A kernel that keeps a world on its stack is there in two sizes, because a
//! stack has to be as large as its kernel says for every thread that the device could run.

#![allow(unsafe_code)]

use crate::block::{Event, Problem, ProblemLayout, State, StateLayout, WordLayout, Words};
use crate::newton::{self, Given, Solution};
use crate::scene::Scene;
use crate::warp::{LANES, Warp};
use crate::{advance, forward};
use bytemuck::cast_slice;
use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x, trap};
use core::cell::Cell;
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
    /// Working memory of warps that do not fit into the memory of their block.
    scratch: *mut Real,
    word_count: u32,
    number_count: u32,
    worlds: u32,
    /// Numbers of working memory of a warp.
    warp_memory: u32,
}

unsafe extern "C" {
    /// Memory that the threads of a block share; declared beside the program, since Rust has no word for it.
    fn sinew_shared() -> *mut u8;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: ends the kernel, which the host sees as an error.
    unsafe { trap() }
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
    fn forward<const N: usize>(&self, world: usize) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let mut memory = core::mem::MaybeUninit::<[Real; N]>::uninit();
        // SAFETY: what a number was before does not matter: all are written before they are read.
        let memory = unsafe { &mut *memory.as_mut_ptr() };
        forward::forward(
            scene,
            &mut State::cut(state, self.block(self.states, world, state.length)),
            &mut self.block(self.time, world, 1)[0],
            self.block(self.ctrl.cast_mut(), world, head.nu),
            &mut Problem::cut(problem, self.block(self.problems, world, problem.length)),
            &mut Words::cut(words, self.block(self.events, world, words.length)),
            memory,
        );
    }

    #[inline(always)]
    fn advance<const N: usize>(&self, world: usize) {
        let scene = &self.scene();
        let head = &scene.head;
        let (state, problem) = (&StateLayout::new(head), &ProblemLayout::new(head));
        let words = &WordLayout::new(head);
        let mut memory = core::mem::MaybeUninit::<[Real; N]>::uninit();
        // SAFETY: as above.
        let memory = unsafe { &mut *memory.as_mut_ptr() };
        advance::advance(
            scene,
            &mut State::cut(state, self.block(self.states, world, state.length)),
            &mut self.block(self.time, world, 1)[0],
            self.block(self.ctrl.cast_mut(), world, head.nu),
            &Problem::cut(problem, self.block(self.problems, world, problem.length)),
            &mut Words::cut(words, self.block(self.events, world, words.length)),
            memory,
        );
    }

    #[inline(always)]
    fn solve(&self, world: usize, memory: *mut Real) {
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
        // SAFETY: the host reserves that much for every warp.
        let memory = unsafe { from_raw_parts(memory.cast(), self.warp_memory as usize) };
        let iterations = newton::solve(Warp::default(), scene, given, out, memory);
        // SAFETY: reads a register.
        if unsafe { _thread_idx_x() } as usize % LANES == 0 {
            words.events[Event::Iterations as usize] += iterations as i32;
        }
    }
}

macro_rules! of_threads {
    ($( $name:ident = $method:ident::<$size:tt>; )*) => { $(
        /// A thread has a world.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(arguments: Arguments) {
            let world = thread();
            if world < arguments.worlds as usize {
                arguments.$method::<$size>(world);
            }
        }
    )* };
}

of_threads! {
    forward_small = forward::<{ forward::STACKS[0] }>;
    forward_large = forward::<{ forward::STACKS[1] }>;
    advance_small = advance::<{ advance::STACKS[0] }>;
    advance_large = advance::<{ advance::STACKS[1] }>;
}

/// A warp has a world, with working memory in its block.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn solve_small(arguments: Arguments) {
    let world = thread() / LANES;
    if world < arguments.worlds as usize {
        // SAFETY: the host starts blocks with memory for each of their warps.
        let memory = unsafe {
            let warp = _thread_idx_x() as usize / LANES;
            sinew_shared()
                .cast::<Real>()
                .add(warp * arguments.warp_memory as usize)
        };
        arguments.solve(world, memory);
    }
}

/// A warp has a world, with working memory where the host says.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn solve_large(arguments: Arguments) {
    let world = thread() / LANES;
    if world < arguments.worlds as usize {
        // SAFETY: the host gives that much for every world.
        let memory = unsafe {
            arguments
                .scratch
                .add(world * arguments.warp_memory as usize)
        };
        arguments.solve(world, memory);
    }
}
