//! J of worlds side by side: full rows, of which some columns are known to be zero in all lanes.

use core::ops::Range;
use sinew_math::dense::dot;
use sinew_math::{Mask, Real};
use sinew_solver::cost::ConeHessian;
use sinew_solver::jacobian::Jacobian;

/// Full rows with the columns that may be other than zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownRows<'a, T> {
    pub entries: &'a [T],
    pub columns: &'a [i32],
    pub start: &'a [u32],
}

impl<'a, T: Real> KnownRows<'a, T> {
    #[inline(always)]
    fn row(&self, i: usize, n: usize) -> &'a [T] {
        &self.entries[i * n..(i + 1) * n]
    }

    #[inline(always)]
    fn columns(&self, i: usize) -> &'a [i32] {
        &self.columns[self.start[i] as usize..self.start[i + 1] as usize]
    }
}

impl<T: Real> Jacobian<T> for KnownRows<'_, T> {
    #[inline(always)]
    fn multiply(&self, x: &[T], out: &mut [T]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = dot(self.row(i, x.len()), x);
        }
    }

    #[inline(always)]
    fn multiply_transposed(&self, f: &[T], out: &mut [T]) {
        out.fill(T::ZERO);
        for (i, &force) in f.iter().enumerate() {
            if !force.equals(T::ZERO).all() {
                let row = self.row(i, out.len());
                for &column in self.columns(i) {
                    out[column as usize] += row[column as usize] * force;
                }
            }
        }
    }

    #[inline(always)]
    fn add_row(&self, row: usize, weight: T, h: &mut [T], n: usize) {
        let (values, columns) = (self.row(row, n), self.columns(row));
        for (k, &a) in columns.iter().enumerate() {
            let a = a as usize;
            let scaled = weight * values[a];
            for &b in &columns[..=k] {
                let b = b as usize;
                h[a * n + b] += values[b] * scaled;
            }
        }
    }

    #[inline(always)]
    fn add_contact(&self, rows: Range<usize>, weight: &ConeHessian<T>, h: &mut [T], n: usize) {
        let (dim, columns) = (rows.len(), self.columns(rows.start));
        for (k, &a) in columns.iter().enumerate() {
            let mut weighted = [T::ZERO; 6];
            for j in 0..dim {
                let value = self.row(rows.start + j, n)[a as usize];
                for i in 0..dim {
                    weighted[i] += weight[j * dim + i] * value;
                }
            }
            for (row, &weight) in rows.clone().zip(&weighted) {
                let values = self.row(row, n);
                for &b in &columns[..=k] {
                    h[a as usize * n + b as usize] += values[b as usize] * weight;
                }
            }
        }
    }
}
