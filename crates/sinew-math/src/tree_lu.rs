//! LU factorisation of non-symmetric matrices whose sparsity is a tree.
//!
//! Entries exist where one index is an ancestor of the other; rows hold ancestors, diagonal and
//! descendants in ascending order. Eliminating from the last row to the first, A = (U + I)·L with U
//! strictly upper and L lower triangular, creates no fill-in. Nothing is repaired: a zero pivot
//! gives infinities. Conforms to MuJoCo's `mju_factorLUSparse` and `mju_solveLUSparse`.

use crate::real::Real;
use crate::tree::dot_sparse;
use core::ops::Range;

/// The layout of a matrix over pairs of ancestor and descendant.
#[derive(Clone, Copy, Debug)]
pub struct TreePairs<'a> {
    /// Entries of each row.
    pub rownnz: &'a [i32],
    /// Address of each row's first entry.
    pub rowadr: &'a [i32],
    /// Position of the diagonal within each row: the number of ancestors.
    pub diag: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
}

impl TreePairs<'_> {
    #[inline(always)]
    fn row(&self, i: usize) -> (usize, usize) {
        let start = self.rowadr[i] as usize;
        (start, start + self.diag[i] as usize)
    }
}

/// Factors in place. `remaining` is working memory, one number per row.
#[doc(alias = "mju_factorLUSparse")]
#[inline(always)]
pub fn factor<T: Real>(pairs: TreePairs<'_>, lu: &mut [T], remaining: &mut [i32]) {
    remaining.copy_from_slice(pairs.rownnz);
    factor_range(pairs, 0..pairs.rownnz.len(), lu, remaining);
}

/// Goes on with a factorisation whose rows after a range are done. `remaining` starts as the entries of each row.
#[inline(always)]
pub fn factor_range<T: Real>(
    pairs: TreePairs<'_>,
    range: Range<usize>,
    lu: &mut [T],
    remaining: &mut [i32],
) {
    for i in range.rev() {
        let (start, diagonal) = pairs.row(i);
        let pivot = lu[diagonal];
        for k in (start..diagonal).rev() {
            // Column i is the last one left in the row of each of its ancestors.
            let j = pairs.colind[k] as usize;
            remaining[j] -= 1;
            let row = pairs.rowadr[j] as usize;
            let entry = row + remaining[j] as usize;
            let ratio = lu[entry] / pivot;
            lu[entry] = ratio;
            // Row i has its ancestors left, all of which row j has too.
            let mut at = row;
            for source in start..diagonal {
                while pairs.colind[at] != pairs.colind[source] {
                    at += 1;
                }
                let value = lu[source];
                lu[at] -= value * ratio;
                at += 1;
            }
        }
    }
}

/// Solves A·x = b in place, given the factor.
#[doc(alias = "mju_solveLUSparse")]
#[inline(always)]
pub fn solve<T: Real>(pairs: TreePairs<'_>, lu: &[T], x: &mut [T]) {
    let n = pairs.rownnz.len();
    for i in (0..n).rev() {
        let (start, diagonal) = pairs.row(i);
        let end = start + pairs.rownnz[i] as usize;
        if diagonal + 1 < end {
            x[i] -= dot_sparse(&lu[diagonal + 1..end], &pairs.colind[diagonal + 1..end], x);
        }
    }
    for i in 0..n {
        let (start, diagonal) = pairs.row(i);
        if start < diagonal {
            x[i] -= dot_sparse(&lu[start..diagonal], &pairs.colind[start..diagonal], x);
        }
        x[i] /= lu[diagonal];
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::test_random::Random;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn solution_satisfies_the_system() {
        // A root with two branches of two, and a tree of its own.
        let parents = [-1, 0, 1, 0, 3, -1];
        let n = parents.len();
        let is_ancestor = |a: usize, mut b: usize| loop {
            if a == b {
                return true;
            }
            match parents[b] {
                -1 => return false,
                p => b = p as usize,
            }
        };
        let (mut rownnz, mut rowadr, mut diag, mut colind) = (vec![], vec![], vec![], vec![]);
        for i in 0..n {
            rowadr.push(colind.len() as i32);
            let row: Vec<i32> = (0..n)
                .filter(|&j| is_ancestor(i, j) || is_ancestor(j, i))
                .map(|j| j as i32)
                .collect();
            rownnz.push(row.len() as i32);
            diag.push(row.iter().position(|&j| j == i as i32).unwrap_or(0) as i32);
            colind.extend(row);
        }
        let pairs = TreePairs {
            rownnz: &rownnz,
            rowadr: &rowadr,
            diag: &diag,
            colind: &colind,
        };
        let mut random = Random::new(7);
        for _ in 0..20 {
            let matrix: Vec<f64> = (0..colind.len())
                .map(|k| {
                    random.normal()
                        + if (colind[k] as usize).is_multiple_of(2) {
                            6.0
                        } else {
                            4.0
                        }
                })
                .collect();
            let b: Vec<f64> = (0..n).map(|_| random.normal()).collect();
            let (mut lu, mut x) = (matrix.clone(), b.clone());
            factor(pairs, &mut lu, &mut vec![0; n]);
            solve(pairs, &lu, &mut x);
            for i in 0..n {
                let start = rowadr[i] as usize;
                let product: f64 = (start..start + rownnz[i] as usize)
                    .map(|k| matrix[k] * x[colind[k] as usize])
                    .sum();
                let scale = x.iter().fold(1.0f64, |a, v| a.max(v.abs()));
                assert!((product - b[i]).abs() < 1e-10 * scale);
            }
        }
    }
}
