//! Numbers that views outside may write: bindings show them as arrays.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

/// A number that can be shared.
pub trait SharedNumber: Copy + PartialEq {
    /// What holds it.
    type Word: Send + Sync;
    /// A word with a number.
    fn word(self) -> Self::Word;
    /// The number of a word.
    fn load(word: &Self::Word) -> Self;
    /// Replaces the number of a word.
    fn store(self, word: &Self::Word);
}

macro_rules! shared_number {
    ($($number:ty: $word:ty, $to:expr, $from:expr;)*) => { $(
        impl SharedNumber for $number {
            type Word = $word;
            fn word(self) -> $word {
                <$word>::new($to(self))
            }
            fn load(word: &$word) -> Self {
                $from(word.load(Ordering::Relaxed))
            }
            fn store(self, word: &$word) {
                word.store($to(self), Ordering::Relaxed);
            }
        }
    )* };
}

shared_number! {
    f64: AtomicU64, f64::to_bits, f64::from_bits;
    f32: AtomicU32, f32::to_bits, f32::from_bits;
    i32: AtomicI32, std::convert::identity, std::convert::identity;
}

/// Numbers in memory of their own, which stays where it is as long as somebody has it. A copy has
/// memory of its own.
pub struct Shared<T: SharedNumber>(Arc<[T::Word]>);

impl<T: SharedNumber> Shared<T> {
    /// Takes over numbers.
    pub fn new(numbers: impl IntoIterator<Item = T>) -> Self {
        Shared(numbers.into_iter().map(T::word).collect())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number.
    pub fn get(&self, index: usize) -> Option<T> {
        self.0.get(index).map(T::load)
    }

    /// All numbers.
    pub fn to_vec(&self) -> Vec<T> {
        self.0.iter().map(T::load).collect()
    }

    /// Replaces the first numbers.
    pub fn fill(&self, numbers: &[T]) {
        for (word, number) in self.0.iter().zip(numbers) {
            number.store(word);
        }
    }

    /// The memory, held together with it.
    pub fn words(&self) -> Arc<[T::Word]> {
        self.0.clone()
    }
}

impl<T: SharedNumber> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared::new(self.to_vec())
    }
}

impl<T: SharedNumber + std::fmt::Debug> std::fmt::Debug for Shared<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_vec().fmt(formatter)
    }
}
