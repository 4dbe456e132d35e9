//! Series of cells of one world: numbers, vectors, matrices.
//!
//! Where a processor computes a world, a series is a slice. On a graphics processor the 32 threads of a warp compute
//! a world each, in step, and a series is one world's part of the numbers of 32: the first numbers of all of them, then the
//! second ones. So the threads of a warp read and write neighbours. Code over series is written once: it copies
//! cells with [`Reads::at`] and [`Writes::put`], and indexes where cells are numbers.

use core::ops::Range;

/// Worlds whose numbers lie side by side on a graphics processor.
pub const WORLDS: usize = 32;

/// A series for reading.
#[cfg(not(target_arch = "nvptx64"))]
pub type Series<'a, C> = &'a [C];

/// A series for writing.
#[cfg(not(target_arch = "nvptx64"))]
pub type SeriesMut<'a, C> = &'a mut [C];

#[cfg(target_arch = "nvptx64")]
pub use on_device::{Series, SeriesMut, frozen};

/// A series that is written to no more.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub fn frozen<C>(series: SeriesMut<'_, C>) -> Series<'_, C> {
    series
}

/// Cells that can be read.
pub trait Reads {
    /// What a cell is.
    type Cell: Copy;

    /// A copy of a cell.
    fn at(&self, i: usize) -> Self::Cell;

    /// Some of the cells.
    fn part(&self, range: Range<usize>) -> Series<'_, Self::Cell>;

    /// All of the cells.
    fn view(&self) -> Series<'_, Self::Cell>;
}

/// Cells that can be written.
pub trait Writes: Reads {
    /// Replaces a cell.
    fn put(&mut self, i: usize, cell: Self::Cell);

    /// All of the cells, for a while.
    fn lend(&mut self) -> SeriesMut<'_, Self::Cell>;
}

#[cfg(not(target_arch = "nvptx64"))]
impl<C: Copy> Reads for [C] {
    type Cell = C;

    #[inline(always)]
    fn at(&self, i: usize) -> C {
        self[i]
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> Series<'_, C> {
        &self[range]
    }

    #[inline(always)]
    fn view(&self) -> Series<'_, C> {
        self
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl<C: Copy> Writes for [C] {
    #[inline(always)]
    fn put(&mut self, i: usize, cell: C) {
        self[i] = cell;
    }

    #[inline(always)]
    fn lend(&mut self) -> SeriesMut<'_, C> {
        self
    }
}

#[cfg(target_arch = "nvptx64")]
#[allow(unsafe_code)]
mod on_device {
    use super::{Reads, WORLDS, Writes};
    use crate::real::Real;
    use core::marker::PhantomData;
    use core::mem::MaybeUninit;
    use core::ops::{Index, IndexMut, Range};

    /// Numbers of a cell.
    const fn numbers<C>() -> usize {
        size_of::<C>() / align_of::<C>()
    }

    /// A series for reading. Whether a cell exists is checked only where there is no device: kernels do the same there.
    #[derive(Debug)]
    pub struct Series<'a, C> {
        first: *const C,
        count: usize,
        owner: PhantomData<&'a C>,
    }

    /// A series for writing.
    #[derive(Debug)]
    pub struct SeriesMut<'a, C> {
        first: *mut C,
        count: usize,
        owner: PhantomData<&'a mut C>,
    }

    /// A series that is written to no more.
    #[inline(always)]
    pub fn frozen<'a, C>(series: SeriesMut<'a, C>) -> Series<'a, C> {
        Series {
            first: series.first,
            count: series.count,
            owner: PhantomData,
        }
    }

    impl<C> Clone for Series<'_, C> {
        #[inline(always)]
        fn clone(&self) -> Self {
            *self
        }
    }

    impl<C> Copy for Series<'_, C> {}

    /// Copies the numbers of a cell; neighbours are so many numbers apart.
    #[inline(always)]
    unsafe fn copy<C>(from: *const C, from_stride: usize, to: *mut C, to_stride: usize) {
        let mut k = 0;
        while k < numbers::<C>() {
            // SAFETY: both are as long; numbers have four or eight bytes, and lie at multiples of that.
            unsafe {
                if align_of::<C>() == 8 {
                    let number = *from.cast::<u64>().add(k * from_stride);
                    *to.cast::<u64>().add(k * to_stride) = number;
                } else {
                    let number = *from.cast::<u32>().add(k * from_stride);
                    *to.cast::<u32>().add(k * to_stride) = number;
                }
            }
            k += 1;
        }
    }

    impl<'a, C: Copy> Series<'a, C> {
        /// How many cells there are.
        #[inline(always)]
        pub fn len(&self) -> usize {
            self.count
        }

        /// Whether there are none.
        #[inline(always)]
        pub fn is_empty(&self) -> bool {
            self.count == 0
        }

        #[inline(always)]
        fn place(&self, i: usize) -> *const C {
            // SAFETY: cells of a world are that far apart.
            unsafe { self.first.byte_add(i * size_of::<C>() * WORLDS) }
        }
    }

    impl<'a, C: Copy> SeriesMut<'a, C> {
        /// The series whose first number is there, if there is one of as many cells.
        ///
        /// # Safety
        ///
        /// The memory is there for `'a`, with its numbers [`WORLDS`] numbers apart, and no other thread writes what this
        /// one reads without both waiting for each other in between.
        #[inline(always)]
        pub unsafe fn new(first: *mut C, count: usize) -> Self {
            SeriesMut {
                first,
                count,
                owner: PhantomData,
            }
        }

        /// How many cells there are.
        #[inline(always)]
        pub fn len(&self) -> usize {
            self.count
        }

        /// Whether there are none.
        #[inline(always)]
        pub fn is_empty(&self) -> bool {
            self.count == 0
        }

        /// The first cells as cells of another type with numbers of the same size, and what comes after.
        #[inline(always)]
        pub fn split<Other: Copy>(&mut self, count: usize) -> (SeriesMut<'a, Other>, Self) {
            let taken = count * (size_of::<Other>() / size_of::<C>());
            // SAFETY: the parts do not overlap.
            unsafe {
                let rest = self.first.byte_add(taken * size_of::<C>() * WORLDS);
                (
                    SeriesMut::new(self.first.cast(), count),
                    SeriesMut::new(rest, self.count - taken),
                )
            }
        }
    }

    impl<C: Copy> Reads for Series<'_, C> {
        type Cell = C;

        #[inline(always)]
        fn at(&self, i: usize) -> C {
            let mut cell = MaybeUninit::<C>::uninit();
            // SAFETY: all numbers of the cell are written.
            unsafe {
                copy(self.place(i), WORLDS, cell.as_mut_ptr(), 1);
                cell.assume_init()
            }
        }

        #[inline(always)]
        fn part(&self, range: Range<usize>) -> Series<'_, C> {
            Series {
                first: self.place(range.start),
                count: range.end - range.start,
                owner: PhantomData,
            }
        }

        #[inline(always)]
        fn view(&self) -> Series<'_, C> {
            *self
        }
    }

    impl<C: Copy> Reads for SeriesMut<'_, C> {
        type Cell = C;

        #[inline(always)]
        fn at(&self, i: usize) -> C {
            self.view().at(i)
        }

        #[inline(always)]
        fn part(&self, range: Range<usize>) -> Series<'_, C> {
            Series {
                first: self.view().place(range.start),
                count: range.end - range.start,
                owner: PhantomData,
            }
        }

        #[inline(always)]
        fn view(&self) -> Series<'_, C> {
            Series {
                first: self.first,
                count: self.count,
                owner: PhantomData,
            }
        }
    }

    impl<C: Copy> Writes for SeriesMut<'_, C> {
        #[inline(always)]
        fn put(&mut self, i: usize, cell: C) {
            // SAFETY: the cell exists.
            unsafe { copy(&raw const cell, 1, self.view().place(i).cast_mut(), WORLDS) }
        }

        #[inline(always)]
        fn lend(&mut self) -> SeriesMut<'_, C> {
            SeriesMut {
                first: self.first,
                count: self.count,
                owner: PhantomData,
            }
        }
    }

    impl<T: Real> Index<usize> for Series<'_, T> {
        type Output = T;

        #[inline(always)]
        fn index(&self, i: usize) -> &T {
            // SAFETY: the number exists.
            unsafe { &*self.place(i) }
        }
    }

    impl<T: Real> Index<usize> for SeriesMut<'_, T> {
        type Output = T;

        #[inline(always)]
        fn index(&self, i: usize) -> &T {
            // SAFETY: the number exists.
            unsafe { &*self.view().place(i) }
        }
    }

    impl<T: Real> IndexMut<usize> for SeriesMut<'_, T> {
        #[inline(always)]
        fn index_mut(&mut self, i: usize) -> &mut T {
            // SAFETY: the number exists, and this thread is the only one that has it.
            unsafe { &mut *self.view().place(i).cast_mut() }
        }
    }
}
