//! Threads that share out the bodies, joints and degrees of freedom of a world.
//!
//! On a device a team is a block of warps: each has 32 worlds, one per thread, and the threads with the same place in
//! their warps have the same world. Elsewhere one thread does the work of all.

#[cfg(not(target_arch = "nvptx64"))]
use crate::warp::{Order, Warp};

/// The threads that have a world.
#[derive(Clone, Copy, Debug, Default)]
pub struct Team {
    #[cfg(not(target_arch = "nvptx64"))]
    one: Warp,
}

#[cfg(not(target_arch = "nvptx64"))]
impl Team {
    /// One that works through each phase in an order.
    pub fn new(order: Order) -> Self {
        Team {
            one: Warp::new(order),
        }
    }

    /// One phase: does all of `0..count`, in any order. When it ends, all threads see what was written.
    #[inline(always)]
    pub fn each(&self, count: usize, work: impl FnMut(usize)) {
        self.one.each(count, work);
    }
}

#[cfg(target_arch = "nvptx64")]
#[allow(unsafe_code)]
mod on_device {
    use super::Team;
    use crate::warp::LANES;
    use core::arch::nvptx::{_block_dim_x, _syncthreads, _thread_idx_x};

    impl Team {
        /// One phase: does all of `0..count`. When it ends, all threads see what was written.
        #[inline(always)]
        pub fn each(&self, count: usize, mut work: impl FnMut(usize)) {
            // SAFETY: reads registers; all threads of a block come here.
            unsafe {
                let mut i = _thread_idx_x() as usize / LANES;
                while i < count {
                    work(i);
                    i += _block_dim_x() as usize / LANES;
                }
                _syncthreads();
            }
        }
    }
}
