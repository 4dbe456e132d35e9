//! What solvers ask of the Jacobian, however that is stored.
//!
//! One world has compressed rows ([`Rows`](crate::Rows)). The rows of worlds side by side have their
//! entries in different columns, so lanes start from full rows ([`FullRows`]); another layout is
//! another implementation of [`Jacobian`].

use crate::cost::ConeHessian;
use core::ops::Range;
use sinew_math::dense::{add_scaled, dot};
use sinew_math::{Mask, Real};

/// Products with J. Where a lane has no entry, its entry is a zero; products with it change no bit,
/// because no sum here starts from −0.
pub trait Jacobian<T: Real> {
    /// out = J·x
    fn multiply(&self, x: &[T], out: &mut [T]);

    /// out = Jᵀ·f
    fn multiply_transposed(&self, f: &[T], out: &mut [T]);

    /// h += weight · JᵢᵀJᵢ for one row, in the lower triangle of an n × n matrix without −0.
    fn add_row(&self, row: usize, weight: T, h: &mut [T], n: usize);

    /// How many rows [`Jacobian::add_rows`] takes at once; 1: none but single ones.
    const ROWS_AT_ONCE: usize = 1;

    /// Whether a row has the same columns as the one before, so that they can be added at once.
    #[inline(always)]
    fn repeats(&self, _row: usize) -> bool {
        false
    }

    /// Adds as many rows with the same columns as there are weights, one after the other.
    #[inline(always)]
    fn add_rows(&self, first: usize, weights: &[T], h: &mut [T], n: usize) {
        for (row, &weight) in (first..).zip(weights) {
            self.add_row(row, weight, h, n);
        }
    }

    /// Writes a row over one of zeros, in the lanes of the mask.
    fn write_row(&self, row: usize, lanes: T::Mask, out: &mut [T]);

    /// h += JᵀWJ for the rows of one contact and their symmetric W, in the same triangle.
    fn add_contact(&self, rows: Range<usize>, weight: &ConeHessian<T>, h: &mut [T], n: usize);
}

/// J as a full matrix, row by row.
#[derive(Clone, Copy, Debug)]
pub struct FullRows<'a, T> {
    /// The entries, as many per row as there are degrees of freedom.
    pub value: &'a [T],
}

impl<'a, T: Real> FullRows<'a, T> {
    #[inline(always)]
    fn row(&self, i: usize, n: usize) -> &'a [T] {
        &self.value[i * n..(i + 1) * n]
    }
}

impl<T: Real> Jacobian<T> for FullRows<'_, T> {
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
                add_scaled(out, self.row(i, out.len()), force);
            }
        }
    }

    #[inline(always)]
    fn add_row(&self, row: usize, weight: T, h: &mut [T], n: usize) {
        let values = self.row(row, n);
        for a in 0..n {
            if !values[a].equals(T::ZERO).all() {
                let scaled = weight * values[a];
                add_scaled(&mut h[a * n..=a * n + a], &values[..=a], scaled);
            }
        }
    }

    #[inline(always)]
    fn write_row(&self, row: usize, lanes: T::Mask, out: &mut [T]) {
        let values = self.row(row, out.len());
        for (out, &entry) in out.iter_mut().zip(values) {
            *out = T::select(lanes, entry, *out);
        }
    }

    #[inline(always)]
    fn add_contact(&self, rows: Range<usize>, weight: &ConeHessian<T>, h: &mut [T], n: usize) {
        for a in 0..n {
            let weighted = weighted_column(rows.clone(), weight, |row| self.row(row, n)[a]);
            for (row, &weight) in rows.clone().zip(&weighted) {
                if !weight.equals(T::ZERO).all() {
                    let target = &mut h[a * n..=a * n + a];
                    add_scaled(target, &self.row(row, n)[..=a], weight);
                }
            }
        }
    }
}

/// One column of W·J for the rows of one contact, whose entries in that column are given.
#[inline(always)]
pub(crate) fn weighted_column<T: Real>(
    rows: Range<usize>,
    weight: &ConeHessian<T>,
    entry: impl Fn(usize) -> T,
) -> [T; 6] {
    let dim = rows.len();
    let mut out = [T::ZERO; 6];
    for j in 0..dim {
        let value = entry(rows.start + j);
        for k in 0..dim {
            out[k] += weight[j * dim + k] * value;
        }
    }
    out
}
