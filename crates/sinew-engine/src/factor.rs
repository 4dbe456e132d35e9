//! Factorisations over the tree that ask, where they take long, whether to go on.
//!
//! The cost grows with the cube of the longest path: a chain of three thousand degrees of freedom takes a
//! second. Pieces give the bits of the whole.

use core::ops::Range;
use sinew_math::tree::{self, TreeRows};
use sinew_math::tree_lu::{self, TreePairs};

/// Entries of a matrix that is factored without asking: some milliseconds at most.
const SMALL: usize = 1 << 18;
/// Rows of a large matrix between two questions.
const ROWS: usize = 16;

/// Factors a symmetric matrix. False: `may_go_on` has refused, and the factor is unfinished.
#[inline]
pub(crate) fn symmetric(
    rows: TreeRows<'_>,
    matrix: &mut [f64],
    inverse: &mut [f64],
    may_go_on: impl FnMut() -> bool,
) -> bool {
    if matrix.len() <= SMALL {
        tree::factor(rows, matrix, inverse);
        return true;
    }
    pieces(rows.size(), may_go_on, |range| {
        tree::factor_range(rows, range, matrix, inverse);
    })
}

/// Factors a matrix with both triangles; `remaining` is working memory. False: `may_go_on` has refused, and the
/// factor is unfinished.
#[inline]
pub(crate) fn both_triangles(
    pairs: TreePairs<'_>,
    matrix: &mut [f64],
    remaining: &mut [i32],
    may_go_on: impl FnMut() -> bool,
) -> bool {
    if matrix.len() <= SMALL {
        tree_lu::factor(pairs, matrix, remaining);
        return true;
    }
    remaining.copy_from_slice(pairs.rownnz);
    pieces(pairs.rownnz.len(), may_go_on, |range| {
        tree_lu::factor_range(pairs, range, matrix, remaining);
    })
}

/// Does rows piece by piece, from the last to the first. False: refused before all were done.
#[inline(never)]
fn pieces(
    count: usize,
    mut may_go_on: impl FnMut() -> bool,
    mut work: impl FnMut(Range<usize>),
) -> bool {
    let mut end = count;
    while end > 0 {
        if !may_go_on() {
            return false;
        }
        let start = end.saturating_sub(ROWS);
        work(start..end);
        end = start;
    }
    true
}
