//! Working memory, cut into arrays.

use crate::Number;
use bytemuck::{Pod, cast_slice_mut};

/// Memory that is left.
#[derive(Debug)]
pub struct Arena<'a, T> {
    rest: &'a mut [T],
}

impl<'a, T: Number> Arena<'a, T> {
    /// All of a slice.
    #[inline(always)]
    pub fn new(memory: &'a mut [T]) -> Self {
        Arena { rest: memory }
    }

    /// The next cells, each of some numbers. What is in them does not matter.
    #[inline(always)]
    pub fn cells<C: Pod>(&mut self, count: usize) -> &'a mut [C] {
        let numbers = count * (size_of::<C>() / size_of::<T>());
        let rest = core::mem::take(&mut self.rest);
        let (cut, rest) = rest.split_at_mut(numbers);
        self.rest = rest;
        cast_slice_mut(cut)
    }

    /// The next numbers.
    #[inline(always)]
    pub fn numbers(&mut self, count: usize) -> &'a mut [T] {
        self.cells(count)
    }

    /// How many numbers are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }
}
