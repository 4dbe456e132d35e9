//! One number for a pair of bodies, and the order it gives.

/// Lower body id in the upper 16 bits, higher body id in the lower ones.
pub fn body_pair_signature(low: i32, high: i32) -> i32 {
    low.wrapping_shl(16).wrapping_add(high)
}

/// Positions in ascending order of signature; equal signatures keep the order they were written in.
pub fn sort_by_signature(signatures: impl Iterator<Item = i32>) -> Vec<usize> {
    let signatures: Vec<i32> = signatures.collect();
    let mut order: Vec<usize> = (0..signatures.len()).collect();
    order.sort_by_key(|&i| signatures[i]);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_signatures_keep_their_order() {
        let signatures = [(2, 3), (1, 2), (2, 3), (0, 5)].map(|(a, b)| body_pair_signature(a, b));
        assert_eq!(sort_by_signature(signatures.into_iter()), [3, 1, 0, 2]);
        assert_eq!(body_pair_signature(1, 2), 65_538);
    }
}
