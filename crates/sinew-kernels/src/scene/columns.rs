//! The columns of a packed model, one after the other.

use crate::Number;
use bytemuck::{Pod, cast_slice};

/// What is left to read. A place is where a column begins and how many words, bytes or numbers it has.
pub(super) struct Columns<'a, T> {
    words: &'a [i32],
    numbers: &'a [T],
    next: usize,
}

impl<'a, T: Number> Columns<'a, T> {
    /// The first place is a word of the given number.
    #[inline(always)]
    pub fn new(words: &'a [i32], numbers: &'a [T], next: usize) -> Self {
        Columns {
            words,
            numbers,
            next,
        }
    }

    #[inline(always)]
    fn place(&mut self) -> (usize, usize) {
        let at = self.next;
        self.next += 2;
        (self.words[at] as usize, self.words[at + 1] as usize)
    }

    #[inline(always)]
    pub fn integers<C: Pod>(&mut self) -> &'a [C] {
        let (start, count) = self.place();
        cast_slice(&self.words[start..start + count])
    }

    #[inline(always)]
    pub fn bytes(&mut self) -> &'a [u8] {
        let (start, count) = self.place();
        &cast_slice(&self.words[start..start + count.div_ceil(4)])[..count]
    }

    #[inline(always)]
    pub fn numbers<C: Pod>(&mut self) -> &'a [C] {
        let (start, count) = self.place();
        cast_slice(&self.numbers[start..start + count])
    }
}
