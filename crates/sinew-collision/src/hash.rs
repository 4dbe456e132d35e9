//! A quick hash for small integer keys.
//!
//! Folded multiplication with a seed drawn per process, so that no file can be made to collide
//! on purpose. Nothing may depend on the order of a table that uses it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

/// Builds [`QuickHasher`]s.
#[derive(Clone, Copy, Debug)]
pub struct QuickHash {
    seed: u64,
}

impl Default for QuickHash {
    fn default() -> Self {
        static SEED: OnceLock<u64> = OnceLock::new();
        QuickHash {
            seed: *SEED.get_or_init(|| RandomState::new().hash_one(0_u8)),
        }
    }
}

impl BuildHasher for QuickHash {
    type Hasher = QuickHasher;
    fn build_hasher(&self) -> QuickHasher {
        QuickHasher { state: self.seed }
    }
}

/// The state of one hash.
#[derive(Clone, Copy, Debug)]
pub struct QuickHasher {
    state: u64,
}

impl Hasher for QuickHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.state ^ value) * 0xF39C_C060_5CED_C835;
        self.state = (product >> 64) as u64 ^ product as u64;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}

/// A hash table with this hash.
pub type QuickMap<K, V> = std::collections::HashMap<K, V, QuickHash>;
