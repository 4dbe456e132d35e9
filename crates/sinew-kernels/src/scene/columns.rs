//! The columns of a packed model, one after the other.

use super::Head;
use crate::Number;
use bytemuck::{Pod, cast_slice};

/// What is left to read. A place is where a column begins and how many words, bytes or numbers it has.
pub(super) struct Columns<'a, 'b, T> {
    header: &'b [i32],
    words: &'a [i32],
    numbers: &'a [T],
    own: &'a [T],
    next: usize,
}

impl<'a, 'b, T: Number> Columns<'a, 'b, T> {
    /// Places come after sizes and options.
    #[inline(always)]
    pub fn new(header: &'b [i32], words: &'a [i32], (numbers, own): (&'a [T], &'a [T])) -> Self {
        Columns {
            header,
            words,
            numbers,
            own,
            next: Head::LENGTH,
        }
    }

    #[inline(always)]
    fn place(&mut self) -> (usize, usize) {
        let at = self.next;
        self.next += 2;
        (self.header[at] as usize, self.header[at + 1] as usize)
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

    /// Numbers that worlds may have of their own.
    #[inline(always)]
    pub fn numbers<C: Pod>(&mut self) -> &'a [C] {
        let (start, count) = self.place();
        cast_slice(&self.own[start..start + count])
    }

    /// Numbers that all worlds have in common.
    #[inline(always)]
    pub fn common(&mut self) -> &'a [T] {
        let (start, count) = self.place();
        &self.numbers[start..start + count]
    }
}
