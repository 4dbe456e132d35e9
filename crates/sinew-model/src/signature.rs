//! A fingerprint of a model's structure.

use crate::ModelArrays;
use crate::column::Meaning;

/// The prime of FNV-1a.
const PRIME: u64 = 0x0000_0100_0000_01b3;
/// Words that are mixed side by side, so that none waits for the one before.
const LANES: usize = 4;
/// Bytes between two looks at whether to go on.
const PIECE: usize = 1 << 22;

impl ModelArrays {
    /// A hash of the sizes and all columns of structure; assets and names are left out. Two models with
    /// equal fingerprints differ in numbers at most, not in what the arrays of a simulation mean.
    pub fn structure_signature(&self) -> u64 {
        self.structure_signature_while(&mut || true)
            .unwrap_or_default()
    }

    /// As [`ModelArrays::structure_signature`], as long as `may_go_on` says so; nothing otherwise.
    pub fn structure_signature_while(&self, may_go_on: &mut dyn FnMut() -> bool) -> Option<u64> {
        let mut hash = Hash::new();
        for (_, size) in self.sizes() {
            hash.add(&(size as u64).to_le_bytes());
        }
        for column in self.columns() {
            if column.meaning == Meaning::Structure {
                for piece in column.bytes.chunks(PIECE) {
                    if piece.len() == PIECE && !may_go_on() {
                        return None;
                    }
                    hash.add(piece);
                }
            }
        }
        Some(hash.finish())
    }
}

/// FNV-1a over words of eight bytes, in lanes that are joined at the end. The upper half of each product is
/// folded into the lower one, where FNV would never see it.
struct Hash([u64; LANES]);

impl Hash {
    fn new() -> Self {
        Hash(core::array::from_fn(|lane| {
            0xcbf2_9ce4_8422_2325_u64.wrapping_add(lane as u64)
        }))
    }

    fn mix(state: u64, word: u64) -> u64 {
        let product = (state ^ word).wrapping_mul(PRIME);
        product ^ (product >> 32)
    }

    fn add(&mut self, bytes: &[u8]) {
        let mut blocks = bytes.chunks_exact(8 * LANES);
        for block in &mut blocks {
            for (state, word) in self.0.iter_mut().zip(block.chunks_exact(8)) {
                *state = Self::mix(*state, word_of(word));
            }
        }
        for (rest, state) in blocks.remainder().chunks(8).zip(&mut self.0) {
            *state = Self::mix(*state, word_of(rest));
        }
    }

    fn finish(self) -> u64 {
        self.0.into_iter().fold(0, Self::mix)
    }
}

/// At most eight bytes as a number.
fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(bytes: &[u8]) -> u64 {
        let mut hash = Hash::new();
        hash.add(bytes);
        hash.finish()
    }

    /// Whichever bit of whichever byte is another one, so is the hash.
    #[test]
    fn every_bit_counts() {
        let bytes: Vec<u8> = (0..75).collect();
        let mut seen = vec![hash(&bytes)];
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                seen.push(hash(&other));
            }
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 1 + 8 * bytes.len());
    }

    #[test]
    fn a_structure_has_one_signature_and_another_has_another() {
        let mut model = ModelArrays::default();
        let before = model.structure_signature();
        assert_eq!(model.structure_signature(), before);
        model.nbody = 1;
        model.allocate();
        let after = model.structure_signature();
        assert_ne!(after, before);
        model.body_parentid[0] = 1;
        assert_ne!(model.structure_signature(), after);
    }
}
