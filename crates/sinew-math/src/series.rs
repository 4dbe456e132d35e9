//! Series of cells of one world: numbers, vectors, matrices.
//!
//! Where a processor computes a world, a series is a slice. On a graphics processor the 32 threads of a warp compute
//! a world each, in step, and a series is one world's part of the numbers of 32: the first numbers of all of them, then the
//! second ones. So the threads of a warp read and write neighbours. Code over series is written once: cells are
//! borrowed with [`Cells::at`] and [`Cells::at_mut`], and indexed where they are numbers. On a processor these are
//! references; on a device they are copies, which are written back when they end.

use core::ops::Range;

/// Worlds whose numbers lie side by side on a graphics processor.
pub const WORLDS: usize = 32;

#[cfg(target_arch = "nvptx64")]
pub use on_device::{Held, Lent, Series};

/// A series.
#[cfg(not(target_arch = "nvptx64"))]
pub type Series<C> = [C];

/// A cell for reading.
#[cfg(not(target_arch = "nvptx64"))]
pub type Held<'a, C> = &'a C;

/// A cell for writing.
#[cfg(not(target_arch = "nvptx64"))]
pub type Lent<'a, C> = &'a mut C;

/// Access to the cells of a series.
pub trait Cells {
    /// What a cell is.
    type Cell: Copy;

    /// A cell.
    fn at(&self, i: usize) -> Held<'_, Self::Cell>;

    /// A cell to write to.
    fn at_mut(&mut self, i: usize) -> Lent<'_, Self::Cell>;

    /// Some of the cells.
    fn part(&self, range: Range<usize>) -> &Series<Self::Cell>;

    /// Some of the cells, to write to.
    fn part_mut(&mut self, range: Range<usize>) -> &mut Series<Self::Cell>;

    /// Takes over all cells of a series of the same length.
    fn copy_cells(&mut self, from: &Series<Self::Cell>);
}

#[cfg(not(target_arch = "nvptx64"))]
impl<C: Copy> Cells for [C] {
    type Cell = C;

    #[inline(always)]
    fn at(&self, i: usize) -> &C {
        &self[i]
    }

    #[inline(always)]
    fn at_mut(&mut self, i: usize) -> &mut C {
        &mut self[i]
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> &[C] {
        &self[range]
    }

    #[inline(always)]
    fn part_mut(&mut self, range: Range<usize>) -> &mut [C] {
        &mut self[range]
    }

    #[inline(always)]
    fn copy_cells(&mut self, from: &[C]) {
        self.copy_from_slice(from);
    }
}

#[cfg(target_arch = "nvptx64")]
#[allow(unsafe_code)]
mod on_device {
    use super::{Cells, WORLDS};
    use crate::real::Real;
    use core::cell::UnsafeCell;
    use core::marker::{PhantomData, PhantomPinned};
    use core::mem::MaybeUninit;
    use core::ops::{Deref, DerefMut, Index, IndexMut, Range};
    use core::ptr::{NonNull, slice_from_raw_parts, slice_from_raw_parts_mut};

    /// Numbers of a cell.
    const fn numbers<C>() -> usize {
        size_of::<C>() / align_of::<C>()
    }

    /// A series. A reference to it has the place of its first number, and the number of cells. Whether a cell exists is
    /// checked only where there is no device: kernels do the same there. Threads of other warps may write to it
    /// between two barriers, so the compiler must not think that a reference is the only one.
    #[derive(Debug)]
    pub struct Series<C> {
        _shared: PhantomPinned,
        cells: [UnsafeCell<C>],
    }

    /// A copy of a cell.
    #[derive(Debug)]
    pub struct Held<'a, C> {
        cell: C,
        owner: PhantomData<&'a C>,
    }

    impl<C> Deref for Held<'_, C> {
        type Target = C;

        #[inline(always)]
        fn deref(&self) -> &C {
            &self.cell
        }
    }

    /// A copy of a cell, written back when it ends.
    #[derive(Debug)]
    pub struct Lent<'a, C> {
        cell: C,
        place: *mut C,
        owner: PhantomData<&'a mut C>,
    }

    impl<C> Deref for Lent<'_, C> {
        type Target = C;

        #[inline(always)]
        fn deref(&self) -> &C {
            &self.cell
        }
    }

    impl<C> DerefMut for Lent<'_, C> {
        #[inline(always)]
        fn deref_mut(&mut self) -> &mut C {
            &mut self.cell
        }
    }

    impl<C> Drop for Lent<'_, C> {
        #[inline(always)]
        fn drop(&mut self) {
            // SAFETY: the cell exists, and this thread is the only one that has it.
            unsafe { copy(&raw const self.cell, 1, self.place, WORLDS) }
        }
    }

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

    impl<C: Copy> Series<C> {
        /// The series of as many cells whose first number is there.
        ///
        /// # Safety
        ///
        /// The memory is there for `'a`, with its numbers [`WORLDS`] numbers apart, and no other thread writes what this
        /// one reads without both waiting for each other in between.
        #[inline(always)]
        pub unsafe fn new<'a>(first: *mut C, count: usize) -> &'a mut Self {
            // SAFETY: as promised.
            unsafe { &mut *(slice_from_raw_parts_mut(first, count) as *mut Self) }
        }

        /// How many cells there are.
        #[inline(always)]
        pub fn len(&self) -> usize {
            self.cells.len()
        }

        /// Whether there are none.
        #[inline(always)]
        pub fn is_empty(&self) -> bool {
            self.cells.is_empty()
        }

        #[inline(always)]
        fn place(&self, i: usize) -> *mut C {
            let first = self.cells.as_ptr().cast::<C>().cast_mut();
            // SAFETY: cells of a world are that far apart.
            unsafe { first.byte_add(i * size_of::<C>() * WORLDS) }
        }

        #[inline(always)]
        fn load(&self, i: usize) -> C {
            let mut cell = MaybeUninit::<C>::uninit();
            // SAFETY: all numbers of the cell are written.
            unsafe {
                copy(self.place(i), WORLDS, cell.as_mut_ptr(), 1);
                cell.assume_init()
            }
        }

        /// The numbers of all cells.
        #[inline(always)]
        pub fn numbers<T: Copy>(&mut self) -> &mut Series<T> {
            let each = size_of::<C>() / size_of::<T>();
            // SAFETY: cells are made of such numbers.
            unsafe { Series::new(self.place(0).cast(), each * self.len()) }
        }

        /// The first cells as cells of another type with numbers of the same size, and what comes after.
        #[inline(always)]
        pub fn split<'a, Other: Copy>(
            &'a mut self,
            count: usize,
        ) -> (&'a mut Series<Other>, &'a mut Self) {
            let taken = count * (size_of::<Other>() / size_of::<C>());
            // SAFETY: the parts do not overlap.
            unsafe {
                (
                    Series::new(self.place(0).cast(), count),
                    Series::new(self.place(taken), self.len() - taken),
                )
            }
        }
    }

    impl<C: Copy> Default for &mut Series<C> {
        #[inline(always)]
        fn default() -> Self {
            // SAFETY: there are no cells.
            unsafe { Series::new(NonNull::dangling().as_ptr(), 0) }
        }
    }

    impl<C: Copy> Cells for Series<C> {
        type Cell = C;

        #[inline(always)]
        fn at(&self, i: usize) -> Held<'_, C> {
            Held {
                cell: self.load(i),
                owner: PhantomData,
            }
        }

        #[inline(always)]
        fn at_mut(&mut self, i: usize) -> Lent<'_, C> {
            Lent {
                cell: self.load(i),
                place: self.place(i),
                owner: PhantomData,
            }
        }

        #[inline(always)]
        fn part(&self, range: Range<usize>) -> &Series<C> {
            let count = range.end - range.start;
            let part = slice_from_raw_parts(self.place(range.start).cast_const(), count);
            // SAFETY: the cells exist.
            unsafe { &*(part as *const Series<C>) }
        }

        #[inline(always)]
        fn part_mut(&mut self, range: Range<usize>) -> &mut Series<C> {
            // SAFETY: the cells exist.
            unsafe { Series::new(self.place(range.start), range.end - range.start) }
        }

        #[inline(always)]
        fn copy_cells(&mut self, from: &Series<C>) {
            for i in 0..self.len() {
                *self.at_mut(i) = from.load(i);
            }
        }
    }

    impl<T: Real> Series<T> {
        /// All numbers, for writing.
        #[inline(always)]
        pub fn iter_mut(&mut self) -> Numbers<'_, T> {
            Numbers { left: self }
        }
    }

    /// Numbers of a series that are left.
    #[derive(Debug)]
    pub struct Numbers<'a, T> {
        left: &'a mut Series<T>,
    }

    impl<'a, T: Real> Iterator for Numbers<'a, T> {
        type Item = &'a mut T;

        #[inline(always)]
        fn next(&mut self) -> Option<&'a mut T> {
            let left = core::mem::take(&mut self.left);
            if left.is_empty() {
                return None;
            }
            let (first, rest) = left.split::<T>(1);
            self.left = rest;
            Some(&mut first[0])
        }
    }

    impl<T: Real> Index<usize> for Series<T> {
        type Output = T;

        #[inline(always)]
        fn index(&self, i: usize) -> &T {
            // SAFETY: the number exists.
            unsafe { &*self.place(i) }
        }
    }

    impl<T: Real> IndexMut<usize> for Series<T> {
        #[inline(always)]
        fn index_mut(&mut self, i: usize) -> &mut T {
            // SAFETY: the number exists, and this thread is the only one that has it.
            unsafe { &mut *self.place(i) }
        }
    }
}
