//! Working memory, cut into arrays.

#[cfg(not(target_arch = "nvptx64"))]
use crate::Number;
#[cfg(not(target_arch = "nvptx64"))]
use bytemuck::{Pod, cast_slice_mut};
use sinew_math::series::Series;

/// Memory that is left.
#[derive(Debug)]
pub struct Arena<'a, T> {
    rest: &'a mut Series<T>,
}

#[cfg(not(target_arch = "nvptx64"))]
impl<'a, T: Number> Arena<'a, T> {
    /// All of a series.
    #[inline(always)]
    pub fn new(memory: &'a mut Series<T>) -> Self {
        Arena { rest: memory }
    }

    /// The next cells, each of some numbers. What is in them does not matter.
    #[inline(always)]
    pub fn cells<C: Pod>(&mut self, count: usize) -> &'a mut Series<C> {
        let numbers = count * (size_of::<C>() / size_of::<T>());
        let rest = core::mem::take(&mut self.rest);
        let (cut, rest) = rest.split_at_mut(numbers);
        self.rest = rest;
        cast_slice_mut(cut)
    }

    /// How many numbers are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }
}

#[cfg(target_arch = "nvptx64")]
mod on_device {
    use super::Arena;
    use crate::Number;
    use bytemuck::Pod;
    use sinew_math::series::Series;

    impl<'a, T: Number> Arena<'a, T> {
        /// All of a series.
        #[inline(always)]
        pub fn new(memory: &'a mut Series<T>) -> Self {
            Arena { rest: memory }
        }

        /// The next cells, each of some numbers. What is in them does not matter.
        #[inline(always)]
        pub fn cells<C: Pod>(&mut self, count: usize) -> &'a mut Series<C> {
            let (cut, rest) = core::mem::take(&mut self.rest).split(count);
            self.rest = rest;
            cut
        }
    }
}
