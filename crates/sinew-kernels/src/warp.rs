//! Threads that compute one world together.
//!
//! On a device a warp is 32 threads that run the same program; elsewhere one thread does the work of all.

use crate::Number;
#[cfg(not(target_arch = "nvptx64"))]
use bytemuck::Pod;
use core::cell::Cell;

#[cfg(target_arch = "nvptx64")]
pub use on_device::{get_four, read, read_four, set_four};

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

/// A number of each thread of a warp: on a device a register.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<T> {
    #[cfg(not(target_arch = "nvptx64"))]
    numbers: [T; LANES],
    #[cfg(target_arch = "nvptx64")]
    own: T,
}

impl<T: Copy> Lanes<T> {
    /// The same in all threads.
    #[inline(always)]
    pub fn splat(x: T) -> Self {
        Lanes::new(|_| x)
    }
}

impl<T: Number> Lanes<T> {
    /// All numbers, in the order of the threads, added to a number one after the other.
    #[inline(always)]
    pub fn add_to(self, start: T) -> T {
        if T::MAY_REORDER {
            return start + self.sum();
        }
        let mut sum = start;
        for lane in 0..LANES {
            sum += self.from(lane);
        }
        sum
    }
}

impl<T: Number> Lanes<T> {
    /// The sum of all numbers, each with that of the thread half a warp away, and so on. All threads are told what one of
    /// them has: where operations are fused they might disagree.
    #[inline(always)]
    pub fn sum(self) -> T {
        let mut sum = self;
        let mut distance = LANES / 2;
        while distance > 0 {
            let other = sum.across(distance);
            sum = Lanes::new(|lane| sum.own(lane) + other.own(lane));
            distance /= 2;
        }
        sum.from(0)
    }
}

/// The sums of four numbers of each thread, in which order ever: pairs of threads take over one of two numbers each, twice, so
/// that what is left to add up is one. All threads are told the same.
#[inline(always)]
pub fn four_sums<T: Number>([a, b, c, d]: [Lanes<T>; 4]) -> [T; 4] {
    let both = |low: Lanes<T>, high: Lanes<T>, distance: usize| {
        let is_high = |lane: usize| lane & distance != 0;
        let given = Lanes::new(|lane| match is_high(lane) {
            true => low.own(lane),
            false => high.own(lane),
        });
        let taken = given.across(distance);
        Lanes::new(|lane| match is_high(lane) {
            true => high.own(lane) + taken.own(lane),
            false => low.own(lane) + taken.own(lane),
        })
    };
    let mut sum = both(both(a, b, 16), both(c, d, 16), 8);
    let mut distance = 4;
    while distance > 0 {
        let other = sum.across(distance);
        sum = Lanes::new(|lane| sum.own(lane) + other.own(lane));
        distance /= 2;
    }
    [sum.from(0), sum.from(16), sum.from(8), sum.from(24)]
}

/// The threads that have a world.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warp {
    #[cfg(not(target_arch = "nvptx64"))]
    order: Order,
}

impl Lanes<i32> {
    /// The sum of the numbers of the threads before each, and of all.
    #[inline(always)]
    pub fn sums(self) -> (Self, i32) {
        let mut sums = self;
        let mut distance = 1;
        while distance < LANES {
            let other = sums.before(distance);
            sums = Lanes::new(|lane| match lane < distance {
                true => sums.own(lane),
                false => sums.own(lane) + other.own(lane),
            });
            distance *= 2;
        }
        let before = Lanes::new(|lane| sums.own(lane) - self.own(lane));
        (before, sums.from(LANES - 1))
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl<T: Copy> Lanes<T> {
    /// What each thread computes.
    #[inline(always)]
    pub fn new(work: impl FnMut(usize) -> T) -> Self {
        Lanes {
            numbers: core::array::from_fn(work),
        }
    }

    /// The number of the thread that asks.
    #[inline(always)]
    pub fn own(self, lane: usize) -> T {
        self.numbers[lane]
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl<T: Pod> Lanes<T> {
    /// The number of a thread, told to all.
    #[inline(always)]
    pub fn from(self, lane: usize) -> T {
        self.numbers[lane]
    }

    /// The number of the thread whose place differs in one bit.
    #[inline(always)]
    pub fn across(self, distance: usize) -> Self {
        Lanes::new(|lane| self.numbers[lane ^ distance])
    }

    /// The number of the thread so many places before; any where there is none.
    #[inline(always)]
    pub fn before(self, distance: usize) -> Self {
        Lanes::new(|lane| self.numbers[lane.saturating_sub(distance)])
    }
}

/// A number of a list. Whether it exists is checked only where there is no device: kernels do the same there.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub fn read<T: Copy>(list: &[T], i: usize) -> T {
    list[i]
}

/// Four numbers of a list that begins, as they do, at a multiple of four numbers in memory.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub fn read_four<T: Copy>(list: &[T], i: usize) -> [T; 4] {
    core::array::from_fn(|k| list[i + k])
}

/// The same of memory that all threads see.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub fn get_four<T: Copy>(list: Shared<'_, T>, i: usize) -> [T; 4] {
    core::array::from_fn(|k| list[i + k].get())
}

/// Writes four numbers to memory that all threads see, at a multiple of four.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub fn set_four<T: Copy>(list: Shared<'_, T>, i: usize, numbers: [T; 4]) {
    for k in 0..4 {
        list[i + k].set(numbers[k]);
    }
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
    use super::{LANES, Lanes, Shared, Warp};
    use bytemuck::{Pod, cast};
    use core::arch::nvptx::_thread_idx_x;

    unsafe extern "C" {
        #[link_name = "llvm.nvvm.bar.warp.sync"]
        fn wait_for(lanes: u32);
        #[link_name = "llvm.nvvm.vote.ballot.sync"]
        fn vote(lanes: u32, holds: bool) -> u32;
        #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
        fn tell(lanes: u32, word: u32, from: u32, within: u32) -> u32;
        #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
        fn exchange(lanes: u32, word: u32, distance: u32, within: u32) -> u32;
    }

    const ALL: u32 = u32::MAX;

    /// Number of the thread in its warp.
    #[inline(always)]
    fn lane() -> usize {
        // SAFETY: reads a register.
        unsafe { _thread_idx_x() as usize % LANES }
    }

    /// A number of a list. Whether it exists is checked only where there is no device: kernels do the same there.
    #[inline(always)]
    pub fn read<T: Copy>(list: &[T], i: usize) -> T {
        // SAFETY: without a device the same code runs with a check.
        unsafe { *list.get_unchecked(i) }
    }

    /// Numbers that are read at once.
    #[derive(Clone, Copy)]
    #[repr(C, align(16))]
    struct Four<T>([T; 4]);

    /// Four numbers of a list that begins, as they do, at a multiple of four numbers in memory.
    #[inline(always)]
    pub fn read_four<T: Copy>(list: &[T], i: usize) -> [T; 4] {
        // SAFETY: without a device the same code runs with a check; memory of devices is aligned so.
        unsafe { (*list.as_ptr().add(i).cast::<Four<T>>()).0 }
    }

    /// The same of memory that all threads see.
    #[inline(always)]
    pub fn get_four<T: Copy>(list: Shared<'_, T>, i: usize) -> [T; 4] {
        // SAFETY: as above; nobody writes it in the same phase.
        unsafe { (*list.as_ptr().add(i).cast::<Four<T>>()).0 }
    }

    /// Writes four numbers to memory that all threads see, at a multiple of four.
    #[inline(always)]
    pub fn set_four<T: Copy>(list: Shared<'_, T>, i: usize, numbers: [T; 4]) {
        // SAFETY: as above; cells may be written through a shared reference.
        unsafe { *list.as_ptr().add(i).cast_mut().cast::<Four<T>>() = Four(numbers) }
    }

    impl<T: Copy> Lanes<T> {
        /// What each thread computes.
        #[inline(always)]
        pub fn new(mut work: impl FnMut(usize) -> T) -> Self {
            Lanes { own: work(lane()) }
        }

        /// The number of the thread that asks.
        #[inline(always)]
        pub fn own(self, _: usize) -> T {
            self.own
        }
    }

    impl<T: Pod> Lanes<T> {
        /// The number of a thread, told to all.
        #[inline(always)]
        pub fn from(self, lane: usize) -> T {
            // SAFETY: all threads of a warp come here.
            let told = |word: u32| unsafe { tell(ALL, word, lane as u32, 31) };
            if size_of::<T>() == 4 {
                cast(told(cast(self.own)))
            } else {
                let [low, high]: [u32; 2] = cast(self.own);
                cast([told(low), told(high)])
            }
        }

        /// The number of the thread whose place differs in one bit.
        #[inline(always)]
        pub fn across(self, distance: usize) -> Self {
            // SAFETY: all threads of a warp come here.
            let told = |word: u32| unsafe { exchange(ALL, word, distance as u32, 31) };
            let own = if size_of::<T>() == 4 {
                cast(told(cast(self.own)))
            } else {
                let [low, high]: [u32; 2] = cast(self.own);
                cast([told(low), told(high)])
            };
            Lanes { own }
        }
    }

    impl Lanes<i32> {
        /// The number of the thread so many places before; any where there is none.
        #[inline(always)]
        pub fn before(self, distance: usize) -> Self {
            // SAFETY: all threads of a warp come here.
            let own = unsafe {
                tell(
                    ALL,
                    self.own as u32,
                    (lane().wrapping_sub(distance) % LANES) as u32,
                    31,
                )
            };
            Lanes { own: own as i32 }
        }
    }

    impl Warp {
        /// One phase: does all of `0..count`. When it ends, all threads see what was written.
        #[inline(always)]
        pub fn each(&self, count: usize, mut work: impl FnMut(usize)) {
            let mut i = lane();
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
            let i = first + lane();
            let holds = i < count && test(i);
            // SAFETY: all threads of a warp come here.
            unsafe { vote(ALL, holds) }
        }
    }
}
