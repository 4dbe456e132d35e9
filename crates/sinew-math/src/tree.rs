//! LᵀDL factorisation of matrices whose sparsity is a tree.
//!
//! A joint-space inertia M has M[i,j] ≠ 0 (i > j) only where degree of freedom j is an ancestor of
//! i. Rows are compressed: row i holds its ancestors in ascending order and the diagonal last.
//! Factoring from the last row to the first, M = Lᵀ·D·L with unit lower triangular L, creates no
//! fill-in, so the factor uses the same layout: D on the diagonal slots, L elsewhere, 1/D apart.
//! Cost is Σ depth². R. Featherstone, "Rigid Body Dynamics Algorithms", 2008, section 6.5.
//!
//! Nothing is repaired: a zero pivot gives infinities. Conforms to MuJoCo's `mj_factorI`,
//! `mj_solveLD`, `mj_solveM2`, `mju_mulSymVecSparse`.

use crate::dense::add_scaled;
use crate::real::Real;

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
    #[inline]
    pub fn size(&self) -> usize {
        self.rownnz.len()
    }

    /// First entry and diagonal entry of row `i`.
    #[inline]
    fn row(&self, i: usize) -> (usize, usize) {
        let start = self.rowadr[i] as usize;
        (start, start + self.rownnz[i] as usize - 1)
    }
}

/// Scalar product of a compressed row with a dense vector, with four interleaved partial sums.
#[doc(alias = "mju_dotSparse")]
#[inline]
pub fn dot_sparse<T: Real>(values: &[T], columns: &[i32], x: &[T]) -> T {
    let mut sum = [T::ZERO; 4];
    let mut blocks = values.chunks_exact(4);
    let mut column_blocks = columns.chunks_exact(4);
    for (v, c) in (&mut blocks).zip(&mut column_blocks) {
        for k in 0..4 {
            sum[k] += v[k] * x[c[k] as usize];
        }
    }
    let mut total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    for (&v, &c) in blocks.remainder().iter().zip(column_blocks.remainder()) {
        total += v * x[c as usize];
    }
    total
}

/// Factors `matrix` in place and writes 1/D to `diagonal_inverse`.
#[doc(alias = "mj_factorI")]
pub fn factor<T: Real>(rows: TreeRows<'_>, matrix: &mut [T], diagonal_inverse: &mut [T]) {
    for k in (0..rows.size()).rev() {
        let (start, diagonal) = rows.row(k);
        let inverse = T::ONE / matrix[diagonal];
        diagonal_inverse[k] = inverse;

        // Every ancestor's row lies before row k: take the outer product of row k out of them.
        let (before, row) = matrix.split_at_mut(start);
        let row = &mut row[..diagonal - start];
        for (entry, &column) in rows.colind[start..diagonal].iter().enumerate().rev() {
            let i = column as usize;
            let ancestor = rows.rowadr[i] as usize;
            let length = rows.rownnz[i] as usize;
            add_scaled(
                &mut before[ancestor..ancestor + length],
                &row[..length],
                -row[entry] * inverse,
            );
        }
        for value in row {
            *value *= inverse;
        }
    }
}

/// Solves M·x = b in place, given the factor.
#[doc(alias = "mj_solveLD")]
pub fn solve<T: Real>(rows: TreeRows<'_>, factor: &[T], diagonal_inverse: &[T], x: &mut [T]) {
    solve_transposed(rows, factor, x);
    for (value, &inverse) in x.iter_mut().zip(diagonal_inverse) {
        *value *= inverse;
    }
    for i in 0..rows.size() {
        let (start, diagonal) = rows.row(i);
        if start < diagonal {
            x[i] -= dot_sparse(&factor[start..diagonal], &rows.colind[start..diagonal], x);
        }
    }
}

/// x ← D^(−½)·L⁻ᵀ·x, so that xᵀx afterwards is xᵀM⁻¹x before.
#[doc(alias = "mj_solveM2")]
pub fn half_solve<T: Real>(
    rows: TreeRows<'_>,
    factor: &[T],
    diagonal_inverse_sqrt: &[T],
    x: &mut [T],
) {
    solve_transposed(rows, factor, x);
    for (value, &inverse) in x.iter_mut().zip(diagonal_inverse_sqrt) {
        *value *= inverse;
    }
}

/// x ← L⁻ᵀ·x.
#[inline]
fn solve_transposed<T: Real>(rows: TreeRows<'_>, factor: &[T], x: &mut [T]) {
    for i in (0..rows.size()).rev() {
        let (start, diagonal) = rows.row(i);
        let value = x[i];
        if value != T::ZERO {
            for (&entry, &column) in factor[start..diagonal]
                .iter()
                .zip(&rows.colind[start..diagonal])
            {
                x[column as usize] -= entry * value;
            }
        }
    }
}

/// out = M·x for the unfactored matrix.
#[doc(alias = "mj_mulM")]
pub fn multiply<T: Real>(rows: TreeRows<'_>, matrix: &[T], x: &[T], out: &mut [T]) {
    for i in 0..rows.size() {
        let (start, diagonal) = rows.row(i);
        let mut value = matrix[diagonal] * x[i];
        for k in (start..diagonal).rev() {
            let j = rows.colind[k] as usize;
            value += matrix[k] * x[j];
            out[j] += matrix[k] * x[i];
        }
        out[i] = value;
    }
}

/// The dense symmetric matrix, row-major.
#[doc(alias = "mj_fullM")]
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

#[cfg(test)]
mod tests;
