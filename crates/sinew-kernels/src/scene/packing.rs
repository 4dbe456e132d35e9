//! How a model becomes words and numbers.

use super::Head;
use crate::Number;
use bytemuck::{Pod, cast_slice};

/// A packed model.
#[derive(Clone, Debug)]
pub struct Packed<T> {
    /// Words.
    pub words: Vec<i32>,
    /// Numbers.
    pub numbers: Vec<T>,
    /// How many of them, the first ones, worlds may have of their own.
    pub own: usize,
}

/// A model that is being packed.
pub(super) struct Packing<T> {
    places: Vec<[usize; 2]>,
    words: Vec<i32>,
    numbers: Vec<T>,
    own: usize,
}

impl<T: Number> Packing<T> {
    /// The first numbers are constants.
    pub fn new<const N: usize>(constants: [T; N]) -> Self {
        Packing {
            places: Vec::new(),
            words: Vec::new(),
            numbers: constants.to_vec(),
            own: 0,
        }
    }

    pub fn integers<C: Pod>(&mut self, cells: &[C]) {
        let words = cast_slice::<C, i32>(cells);
        self.places.push([self.words.len() << 1, words.len()]);
        self.words.extend_from_slice(words);
    }

    pub fn bytes(&mut self, cells: &[u8]) {
        self.places.push([self.words.len() << 1, cells.len()]);
        for bytes in cells.chunks(4) {
            let mut word = [0; 4];
            word[..bytes.len()].copy_from_slice(bytes);
            self.words.push(i32::from_le_bytes(word));
        }
    }

    pub fn numbers<C: Pod>(&mut self, cells: &[C]) {
        let numbers = cast_slice::<C, f64>(cells);
        self.places
            .push([self.numbers.len() << 1 | 1, numbers.len()]);
        self.numbers.extend(numbers.iter().map(|&x| T::from_f64(x)));
    }

    /// Numbers that come from now on are those of all worlds.
    pub fn end_own(&mut self) {
        self.own = self.numbers.len();
    }

    /// Puts head and places before the words.
    pub fn finish(self, head: &Head) -> Packed<T> {
        let before = Head::LENGTH + 2 * self.places.len();
        let mut words = head.words().to_vec();
        for [place, count] in self.places {
            let is_number = place & 1 == 1;
            let start = (place >> 1) + if is_number { 0 } else { before };
            words.extend([start as i32, count as i32]);
        }
        words.extend(self.words);
        Packed {
            words,
            numbers: self.numbers,
            own: self.own,
        }
    }
}
