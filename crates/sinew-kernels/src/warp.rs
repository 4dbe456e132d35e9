//! Threads that compute one world together.
//!
//! On a device a warp is 32 threads that run the same program; elsewhere one thread does the work of all.

use core::cell::Cell;

/// Threads of a warp.
pub const LANES: usize = 32;

/// Memory that all threads of a warp see.
pub type Shared<'a, T> = &'a [Cell<T>];

/// In which order the work of a phase is done where there is no warp. Results are the same for both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From the first.
    #[default]
    Ascending,
    /// From the last.
    Descending,
}

/// The threads that have a world.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warp {
    #[cfg(not(target_arch = "nvptx64"))]
    order: Order,
}

#[cfg(not(target_arch = "nvptx64"))]
impl Warp {
    /// One that works through each phase in an order.
    pub fn new(order: Order) -> Self {
        Warp { order }
    }

    /// One phase: does all of `0..count`, in any order. When it ends, all threads see what was written.
    #[inline(always)]
    pub fn each(&self, count: usize, mut work: impl FnMut(usize)) {
        match self.order {
            Order::Ascending => (0..count).for_each(&mut work),
            Order::Descending => (0..count).rev().for_each(&mut work),
        }
    }

    /// Which of the 32 from `first` on, below `count`, a test holds for: a bit each.
    #[inline(always)]
    pub fn which(&self, first: usize, count: usize, test: impl Fn(usize) -> bool) -> u32 {
        let mut bits = 0;
        for lane in 0..LANES.min(count - first) {
            bits |= u32::from(test(first + lane)) << lane;
        }
        bits
    }
}

#[cfg(target_arch = "nvptx64")]
#[allow(unsafe_code)]
mod on_device {
    use super::{LANES, Warp};
    use core::arch::nvptx::_thread_idx_x;

    unsafe extern "C" {
        #[link_name = "llvm.nvvm.bar.warp.sync"]
        fn wait_for(lanes: u32);
        #[link_name = "llvm.nvvm.vote.ballot.sync"]
        fn vote(lanes: u32, holds: bool) -> u32;
    }

    const ALL: u32 = u32::MAX;

    impl Warp {
        #[inline(always)]
        fn lane(&self) -> usize {
            // SAFETY: reads a register.
            unsafe { _thread_idx_x() as usize % LANES }
        }

        /// One phase: does all of `0..count`. When it ends, all threads see what was written.
        #[inline(always)]
        pub fn each(&self, count: usize, mut work: impl FnMut(usize)) {
            let mut i = self.lane();
            while i < count {
                work(i);
                i += LANES;
            }
            // SAFETY: all threads of a warp come here.
            unsafe { wait_for(ALL) }
        }

        /// Which of the 32 from `first` on, below `count`, a test holds for: a bit each.
        #[inline(always)]
        pub fn which(&self, first: usize, count: usize, test: impl Fn(usize) -> bool) -> u32 {
            let i = first + self.lane();
            let holds = i < count && test(i);
            // SAFETY: all threads of a warp come here.
            unsafe { vote(ALL, holds) }
        }
    }
}
