//! A fingerprint of a model's structure.

use crate::ModelArrays;
use crate::column::Meaning;

impl ModelArrays {
    /// FNV-1a over the sizes and all columns of structure; assets and names are left out. Two models with
    /// equal fingerprints differ in numbers at most, not in what the arrays of a simulation mean.
    pub fn structure_signature(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add =
            |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        for (_, size) in self.sizes() {
            (size as u64).to_le_bytes().into_iter().for_each(&mut add);
        }
        for column in self.columns() {
            if column.meaning == Meaning::Structure {
                column.bytes.iter().copied().for_each(&mut add);
            }
        }
        hash
    }
}
