//! Lists of a polytope: on the heap, or in memory that somebody lends.

use bytemuck::{Pod, cast};
use core::marker::PhantomData;

/// A list of plain values.
pub trait List<X: Copy> {
    /// How many there are.
    fn count(&self) -> usize;
    /// How many there can be.
    fn room(&self) -> usize;
    /// One of them.
    fn get(&self, i: usize) -> X;
    /// Changes one of them.
    fn update(&mut self, i: usize, change: impl FnOnce(&mut X));
    /// Adds one; where there is no room left, nothing.
    fn push(&mut self, x: X);
    /// Takes the last one away.
    fn pop(&mut self) -> Option<X>;
    /// Forgets all.
    fn clear(&mut self);
    /// All of them, in their order.
    fn values(&self) -> impl Iterator<Item = X>;
    /// Takes one away, whose place the last one takes.
    fn swap_remove(&mut self, i: usize);
}

/// Where lists of values over a number are.
pub trait Storage<T> {
    /// A list.
    type List<X: Record<T>>: List<X>;
}

/// On the heap.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

#[cfg(feature = "std")]
impl<T> Storage<T> for Heap {
    type List<X: Record<T>> = Vec<X>;
}

#[cfg(feature = "std")]
impl<X: Copy> List<X> for Vec<X> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn room(&self) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn get(&self, i: usize) -> X {
        self[i]
    }

    #[inline(always)]
    fn update(&mut self, i: usize, change: impl FnOnce(&mut X)) {
        change(&mut self[i]);
    }

    #[inline(always)]
    fn push(&mut self, x: X) {
        Vec::push(self, x);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<X> {
        Vec::pop(self)
    }

    #[inline(always)]
    fn clear(&mut self) {
        Vec::clear(self);
    }

    #[inline(always)]
    fn values(&self) -> impl Iterator<Item = X> {
        self.iter().copied()
    }

    #[inline(always)]
    fn swap_remove(&mut self, i: usize) {
        Vec::swap_remove(self, i);
    }
}

/// In numbers that are lent.
#[derive(Clone, Copy, Debug)]
pub struct Lent<'a>(PhantomData<&'a ()>);

impl<'a, T: Pod> Storage<T> for Lent<'a> {
    type List<X: Record<T>> = LentList<'a, T, X>;
}

/// What can be written as numbers.
pub trait Record<T>: Copy {
    /// How many.
    const NUMBERS: usize;
    /// From as many numbers.
    fn read(numbers: &[T]) -> Self
    where
        T: Pod;
    /// Into as many numbers.
    fn write(&self, numbers: &mut [T])
    where
        T: Pod;
}

/// Values, each written as some numbers.
#[derive(Debug)]
pub struct LentList<'a, T, X> {
    numbers: &'a mut [T],
    count: usize,
    values: PhantomData<X>,
}

impl<'a, T: Pod, X: Record<T>> LentList<'a, T, X> {
    /// An empty list with room for so many, cut from the front of some memory.
    #[inline(always)]
    pub fn cut(memory: &mut &'a mut [T], room: usize) -> Self {
        let (numbers, rest) = core::mem::take(memory).split_at_mut(room * X::NUMBERS);
        *memory = rest;
        LentList {
            numbers,
            count: 0,
            values: PhantomData,
        }
    }
}

impl<T: Pod, X: Record<T>> List<X> for LentList<'_, T, X> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn room(&self) -> usize {
        self.numbers.len() / X::NUMBERS
    }

    #[inline(always)]
    fn get(&self, i: usize) -> X {
        X::read(&self.numbers[i * X::NUMBERS..][..X::NUMBERS])
    }

    #[inline(always)]
    fn update(&mut self, i: usize, change: impl FnOnce(&mut X)) {
        let numbers = &mut self.numbers[i * X::NUMBERS..][..X::NUMBERS];
        let mut x = X::read(numbers);
        change(&mut x);
        x.write(numbers);
    }

    #[inline(always)]
    fn push(&mut self, x: X) {
        if self.count < self.room() {
            x.write(&mut self.numbers[self.count * X::NUMBERS..][..X::NUMBERS]);
            self.count += 1;
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<X> {
        self.count = self.count.checked_sub(1)?;
        Some(self.get(self.count))
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    fn values(&self) -> impl Iterator<Item = X> {
        (0..self.count).map(|i| self.get(i))
    }

    #[inline(always)]
    fn swap_remove(&mut self, i: usize) {
        if let Some(last) = self.pop()
            && i < self.count
        {
            self.update(i, |x| *x = last);
        }
    }
}

/// A word in the bits of a number.
#[inline(always)]
pub(super) fn to_number<T: Pod>(word: u32) -> T {
    match size_of::<T>() {
        4 => cast(word),
        _ => cast([word, 0]),
    }
}

/// And back.
#[inline(always)]
pub(super) fn to_word<T: Pod>(number: T) -> u32 {
    match size_of::<T>() {
        4 => cast(number),
        _ => cast::<T, [u32; 2]>(number)[0],
    }
}

impl<T, const N: usize> Record<T> for [u32; N] {
    const NUMBERS: usize = N;

    #[inline(always)]
    fn read(numbers: &[T]) -> Self
    where
        T: Pod,
    {
        core::array::from_fn(|k| to_word(numbers[k]))
    }

    #[inline(always)]
    fn write(&self, numbers: &mut [T])
    where
        T: Pod,
    {
        for k in 0..N {
            numbers[k] = to_number(self[k]);
        }
    }
}
