//! LᵀDL factorisation of matrices whose sparsity is a tree.
//!
//! A joint-space inertia M has `M[i,j]` ≠ 0 (i > j) only where degree of freedom j is an ancestor of
//! i. Rows are compressed: row i holds its ancestors in ascending order and the diagonal last.
//! Factoring from the last row to the first, M = Lᵀ·D·L with unit lower triangular L, creates no
//! fill-in, so the factor uses the same layout: D on the diagonal slots, L elsewhere, 1/D apart.
//! Cost is Σ depth². R. Featherstone, "Rigid Body Dynamics Algorithms", 2008, section 6.5.
//!
//! Nothing is repaired: a zero pivot gives infinities. Conforms to MuJoCo's `mj_factorI`,
//! `mj_solveLD`, `mj_solveM2`, `mju_mulSymVecSparse`.

use crate::dense::add_scaled;
use crate::mask::Mask;
use crate::real::Real;
use crate::wide::{self, Work};
use core::ops::Range;

/// The layout of a tree-sparse matrix: lower triangle in compressed rows, diagonal last.
#[derive(Clone, Copy, Debug)]
pub struct TreeRows<'a> {
    /// Entries of each row.
    pub rownnz: &'a [i32],
    /// Address of each row's first entry.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
}

impl TreeRows<'_> {
    /// Number of rows.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.rownnz.len()
    }

    /// First entry and diagonal entry of row `i`.
    #[inline(always)]
    fn row(&self, i: usize) -> (usize, usize) {
        let start = self.rowadr[i] as usize;
        (start, start + self.rownnz[i] as usize - 1)
    }
}

/// Scalar product of a compressed row with a dense vector, with four interleaved partial sums.
#[doc(alias = "mju_dotSparse")]
#[inline(always)]
pub fn dot_sparse<T: Real>(values: &[T], columns: &[i32], x: &[T]) -> T {
    let (blocks, rest) = values.as_chunks::<4>();
    let (column_blocks, column_rest) = columns.as_chunks::<4>();
    let mut sum = [T::ZERO; 4];
    for (v, c) in blocks.iter().zip(column_blocks) {
        for k in 0..4 {
            sum[k] += v[k] * x[c[k] as usize];
        }
    }
    let mut total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    for (&v, &c) in rest.iter().zip(column_rest) {
        total += v * x[c as usize];
    }
    total
}

/// Most rows that are eliminated together.
const RUN: usize = 4;

/// Factors `matrix` in place and writes 1/D to `diagonal_inverse`.
///
/// Consecutive rows, each the child of the one before, are taken out of their common ancestors in
/// one pass. Every entry still sees the same operations in the same order as row by row.
#[doc(alias = "mj_factorI")]
#[inline(always)]
pub fn factor<T: Real>(rows: TreeRows<'_>, matrix: &mut [T], diagonal_inverse: &mut [T]) {
    factor_range(rows, 0..rows.size(), matrix, diagonal_inverse);
}

/// Goes on with a factorisation whose rows after a range are done: takes the range's rows out, too. Ranges one
/// after the other, from the last row to the first, give the bits of [`factor`].
#[inline(always)]
pub fn factor_range<T: Real>(
    rows: TreeRows<'_>,
    range: Range<usize>,
    matrix: &mut [T],
    diagonal_inverse: &mut [T],
) {
    wide::run_with::<T, _>(Factor {
        rows,
        range,
        matrix,
        diagonal_inverse,
    });
}

struct Factor<'a, T> {
    rows: TreeRows<'a>,
    range: Range<usize>,
    matrix: &'a mut [T],
    diagonal_inverse: &'a mut [T],
}

impl<T: Real> Work for Factor<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        eliminate_all(self.rows, self.range, self.matrix, self.diagonal_inverse);
    }
}

#[inline(always)]
fn eliminate_all<T: Real>(
    rows: TreeRows<'_>,
    range: Range<usize>,
    matrix: &mut [T],
    diagonal_inverse: &mut [T],
) {
    let mut end = range.end;
    while end > range.start {
        let count = run_before(rows, range.start..end);
        match count {
            1 => eliminate::<T, 1>(rows, matrix, diagonal_inverse, end),
            2 => eliminate::<T, 2>(rows, matrix, diagonal_inverse, end),
            3 => eliminate::<T, 3>(rows, matrix, diagonal_inverse, end),
            _ => eliminate::<T, RUN>(rows, matrix, diagonal_inverse, end),
        }
        end -= count;
    }
}

/// How many rows at the end of a range, up to [`RUN`], are each the child of the one before.
#[inline(always)]
fn run_before(rows: TreeRows<'_>, range: Range<usize>) -> usize {
    let mut count = 1;
    while count < RUN && count < range.len() {
        let child = range.end - count;
        let (start, diagonal) = rows.row(child);
        let follows = start < diagonal && rows.colind[diagonal - 1] as usize == child - 1;
        if !follows {
            break;
        }
        count += 1;
    }
    count
}

/// Eliminates the N rows before `end`, each the child of the one before.
#[inline(always)]
fn eliminate<T: Real, const N: usize>(
    rows: TreeRows<'_>,
    matrix: &mut [T],
    diagonal_inverse: &mut [T],
    end: usize,
) {
    // All ancestors' rows lie before the run; entries of common ancestors come first in each row.
    let first = end - N;
    let (start, diagonal) = rows.row(first);
    let common = diagonal - start;
    let (before, run) = matrix.split_at_mut(start);
    // Row n of the run starts here and has `common + n` entries before its diagonal.
    let offset = |n: usize| n * (common + 1) + n * (n.saturating_sub(1)) / 2;

    let mut inverse = [T::ZERO; N];
    for n in (0..N).rev() {
        let (above, row) = run.split_at_mut(offset(n));
        inverse[n] = T::ONE / row[common + n];
        diagonal_inverse[first + n] = inverse[n];
        for m in (0..n).rev() {
            let length = common + m + 1;
            let ancestor = &mut above[offset(m)..offset(m) + length];
            add_scaled(ancestor, &row[..length], -row[common + m] * inverse[n]);
        }
    }

    let mut parts: [&[T]; N] = [&[]; N];
    for n in 0..N {
        parts[n] = &run[offset(n)..offset(n) + common];
    }
    for (entry, &column) in rows.colind[start..diagonal].iter().enumerate().rev() {
        let ancestor = rows.rowadr[column as usize] as usize;
        let target = &mut before[ancestor..ancestor + entry + 1];
        let mut scale = [T::ZERO; N];
        for n in 0..N {
            scale[n] = -parts[n][entry] * inverse[n];
        }
        add_all_scaled(target, &parts, &scale);
    }

    for n in 0..N {
        for value in &mut run[offset(n)..offset(n) + common + n] {
            *value *= inverse[n];
        }
    }
}

/// target += Σ parts·scale, last part first.
#[inline(always)]
fn add_all_scaled<T: Real, const N: usize>(target: &mut [T], parts: &[&[T]; N], scale: &[T; N]) {
    let length = target.len();
    let mut trimmed: [&[T]; N] = [&[]; N];
    for n in 0..N {
        trimmed[n] = &parts[n][..length];
    }
    for k in 0..length {
        let mut value = target[k];
        for n in (0..N).rev() {
            value += trimmed[n][k] * scale[n];
        }
        target[k] = value;
    }
}

/// Solves M·x = b in place, given the factor.
#[doc(alias = "mj_solveLD")]
#[inline(always)]
pub fn solve<T: Real>(rows: TreeRows<'_>, factor: &[T], diagonal_inverse: &[T], x: &mut [T]) {
    solve_range(rows, 0..rows.size(), factor, diagonal_inverse, x);
}

/// Solves for a range of rows that holds whole trees; entries outside are neither read nor written.
#[inline(always)]
pub fn solve_range<T: Real>(
    rows: TreeRows<'_>,
    range: Range<usize>,
    factor: &[T],
    diagonal_inverse: &[T],
    x: &mut [T],
) {
    solve_transposed(rows, range.clone(), factor, x);
    for (value, &inverse) in x[range.clone()]
        .iter_mut()
        .zip(&diagonal_inverse[range.clone()])
    {
        *value *= inverse;
    }
    for i in range {
        let (start, diagonal) = rows.row(i);
        if start < diagonal {
            let columns = &rows.colind[start..diagonal];
            let entries = &factor[start..diagonal];
            x[i] -= match contiguous(columns) {
                Some(first) => dot_contiguous(entries, &x[first..first + entries.len()]),
                None => dot_sparse(entries, columns, x),
            };
        }
    }
}

/// The first of ascending columns that follow each other without a gap.
#[inline(always)]
fn contiguous(columns: &[i32]) -> Option<usize> {
    let (first, last) = (columns[0], columns[columns.len() - 1]);
    (last - first + 1 == columns.len() as i32).then_some(first as usize)
}

/// [`dot_sparse`] for contiguous columns, with the same order of additions.
#[inline(always)]
pub fn dot_contiguous<T: Real>(values: &[T], x: &[T]) -> T {
    let (blocks, rest) = values.as_chunks::<4>();
    let (x_blocks, x_rest) = x.as_chunks::<4>();
    let mut sum = [T::ZERO; 4];
    for (v, x) in blocks.iter().zip(x_blocks) {
        for k in 0..4 {
            sum[k] += v[k] * x[k];
        }
    }
    let mut total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    for (&v, &x) in rest.iter().zip(x_rest) {
        total += v * x;
    }
    total
}

/// x ← D^(−½)·L⁻ᵀ·x, so that xᵀx afterwards is xᵀM⁻¹x before.
#[doc(alias = "mj_solveM2")]
#[inline(always)]
pub fn half_solve<T: Real>(
    rows: TreeRows<'_>,
    factor: &[T],
    diagonal_inverse_sqrt: &[T],
    x: &mut [T],
) {
    solve_transposed(rows, 0..rows.size(), factor, x);
    for (value, &inverse) in x.iter_mut().zip(diagonal_inverse_sqrt) {
        *value *= inverse;
    }
}

/// x ← L⁻ᵀ·x.
#[inline(always)]
fn solve_transposed<T: Real>(rows: TreeRows<'_>, range: Range<usize>, factor: &[T], x: &mut [T]) {
    for i in range.rev() {
        let (start, diagonal) = rows.row(i);
        let value = x[i];
        let is_zero = value.equals(T::ZERO);
        if is_zero.all() || start == diagonal {
            continue;
        }
        let (entries, columns) = (&factor[start..diagonal], &rows.colind[start..diagonal]);
        if is_zero.any() {
            // A lane without a value stays as it is, to the bit.
            for (&entry, &column) in entries.iter().zip(columns) {
                let target = &mut x[column as usize];
                *target = T::select(is_zero, *target, *target - entry * value);
            }
        } else if let Some(first) = contiguous(columns) {
            for (target, &entry) in x[first..first + entries.len()].iter_mut().zip(entries) {
                *target -= entry * value;
            }
        } else {
            for (&entry, &column) in entries.iter().zip(columns) {
                x[column as usize] -= entry * value;
            }
        }
    }
}

/// out = D^½·L·x, so that outᵀout is xᵀMx.
#[doc(alias = "mj_mulM2")]
pub fn half_multiply<T: Real>(rows: TreeRows<'_>, factor: &[T], x: &[T], out: &mut [T]) {
    for i in 0..rows.size() {
        let (start, diagonal) = rows.row(i);
        let (entries, columns) = (&factor[start..diagonal], &rows.colind[start..diagonal]);
        out[i] = (x[i] + dot_sparse(entries, columns, x)) * factor[diagonal].sqrt();
    }
}

/// out = M·x for the unfactored matrix.
#[doc(alias = "mj_mulM")]
#[inline(always)]
pub fn multiply<T: Real>(rows: TreeRows<'_>, matrix: &[T], x: &[T], out: &mut [T]) {
    multiply_range(rows, 0..rows.size(), matrix, x, out);
}

/// The product for a range of rows that holds whole trees; entries outside are neither read nor written.
#[inline(always)]
pub fn multiply_range<T: Real>(
    rows: TreeRows<'_>,
    range: Range<usize>,
    matrix: &[T],
    x: &[T],
    out: &mut [T],
) {
    for i in range {
        let (start, diagonal) = rows.row(i);
        let (entries, columns) = (&matrix[start..diagonal], &rows.colind[start..diagonal]);
        let own = x[i];
        let mut value = matrix[diagonal] * own;
        let columns = &columns[..entries.len()];
        for k in (0..entries.len()).rev() {
            let (entry, column) = (entries[k], columns[k] as usize);
            value += entry * x[column];
            out[column] += entry * own;
        }
        out[i] = value;
    }
}

/// The dense symmetric matrix, row-major.
#[doc(alias = "mj_fullM")]
#[inline(always)]
pub fn expand<T: Real>(rows: TreeRows<'_>, matrix: &[T], out: &mut [T]) {
    let n = rows.size();
    assert_eq!(out.len(), n * n, "a square matrix has n² entries");
    out.fill(T::ZERO);
    for i in 0..n {
        let (start, diagonal) = rows.row(i);
        for k in start..=diagonal {
            let j = rows.colind[k] as usize;
            out[i * n + j] = matrix[k];
            out[j * n + i] = matrix[k];
        }
    }
}

mod many;
pub use many::solve_many;

#[cfg(test)]
mod tests;
