//! Matrices in compressed rows and columns.

use crate::cost::ConeHessian;
use crate::jacobian::{Jacobian, weighted_column};
use core::ops::Range;
use sinew_math::dense::dot;
use sinew_math::tree::{dot_contiguous, dot_sparse};
use sinew_math::{Mask, Real};

/// A matrix in compressed rows. Columns ascend within a row; rows of one contact share columns.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, T = f64> {
    /// Entries of each row.
    pub rownnz: &'a [i32],
    /// Address of each row's first entry.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
    /// Whether the row has the same columns as the one before.
    pub repeats: &'a [bool],
    /// The entries.
    pub value: &'a [T],
    /// The full matrix, row-major, where sums run in its order.
    pub full: Option<&'a [T]>,
}

/// Rows with up to this many entries have their part of a vector gathered once for all rows that
/// share the columns.
const MOST_GATHERED: usize = 64;

impl<'a, T: Real> Rows<'a, T> {
    /// Number of rows.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.rownnz.len()
    }

    /// Columns and entries of row `i`.
    #[inline(always)]
    pub fn row(&self, i: usize) -> (&'a [i32], &'a [T]) {
        let start = self.rowadr[i] as usize;
        let end = start + self.rownnz[i] as usize;
        (&self.colind[start..end], &self.value[start..end])
    }

    /// out = J·x
    pub fn multiply(&self, x: &[T], out: &mut [T]) {
        if let Some(full) = self.full {
            for (i, out) in out.iter_mut().enumerate() {
                *out = dot(&full[i * x.len()..(i + 1) * x.len()], x);
            }
            return;
        }
        self.multiply_range(0..out.len(), x, out);
    }

    /// out = J·x for some rows of compressed ones.
    #[inline(always)]
    pub(crate) fn multiply_range(&self, rows: Range<usize>, x: &[T], out: &mut [T]) {
        let mut gathered = [T::ZERO; MOST_GATHERED];
        let mut start = rows.start;
        let out = &mut out[..rows.len()];
        while start < rows.end {
            let end = self.end_of_run(start, rows.end);
            let own = &mut out[start - rows.start..end - rows.start];
            let (columns, _) = self.row(start);
            match gathered.get_mut(..columns.len()) {
                Some(part) if own.len() > 1 => {
                    for (slot, &column) in part.iter_mut().zip(columns) {
                        *slot = x[column as usize];
                    }
                    // One free body, or two.
                    match part.len() {
                        6 => self.dot_run::<6>(start, part, own),
                        12 => self.dot_run::<12>(start, part, own),
                        _ => {
                            for (k, out) in own.iter_mut().enumerate() {
                                *out = dot_contiguous(self.row(start + k).1, part);
                            }
                        }
                    }
                }
                _ => {
                    for (k, out) in own.iter_mut().enumerate() {
                        *out = dot_sparse(self.row(start + k).1, columns, x);
                    }
                }
            }
            start = end;
        }
    }

    /// Products of the rows from `start` on, which have `N` entries each, with what was gathered for them.
    #[inline(always)]
    fn dot_run<const N: usize>(&self, start: usize, part: &[T], out: &mut [T]) {
        let addresses = &self.rowadr[start..start + out.len()];
        for (out, &address) in out.iter_mut().zip(addresses) {
            let values = self.value[address as usize..].first_chunk::<N>();
            if let (Some(values), Some(part)) = (values, part.first_chunk::<N>()) {
                *out = dot_contiguous(values, part);
            }
        }
    }

    /// Where the rows end, below `end`, that have the columns of row `start`.
    #[inline(always)]
    pub(crate) fn end_of_run(&self, start: usize, end: usize) -> usize {
        let repeats = &self.repeats[..end];
        let mut next = start + 1;
        while next < end && repeats[next] {
            next += 1;
        }
        next
    }

    /// Writes the full matrix with `width` columns over whatever `out` holds.
    #[cfg(feature = "std")]
    pub fn expand(&self, width: usize, out: &mut Vec<T>) {
        out.resize(self.rownnz.len() * width, T::ZERO);
        for (i, full) in out.chunks_exact_mut(width.max(1)).enumerate() {
            full.fill(T::ZERO);
            let (columns, values) = self.row(i);
            for (&column, &value) in columns.iter().zip(values) {
                full[column as usize] = value;
            }
        }
    }

    /// out = Jᵀ·f
    pub fn multiply_transposed(&self, f: &[T], out: &mut [T]) {
        out.fill(T::ZERO);
        for (i, &force) in f.iter().enumerate() {
            if !force.equals(T::ZERO).all() {
                let (columns, values) = self.row(i);
                for (&column, &value) in columns.iter().zip(values) {
                    out[column as usize] += value * force;
                }
            }
        }
    }
}

impl<T: Real> Jacobian<T> for Rows<'_, T> {
    #[inline(always)]
    fn multiply(&self, x: &[T], out: &mut [T]) {
        Rows::multiply(self, x, out);
    }

    #[inline(always)]
    fn multiply_transposed(&self, f: &[T], out: &mut [T]) {
        Rows::multiply_transposed(self, f, out);
    }

    fn add_row(&self, row: usize, weight: T, h: &mut [T], n: usize) {
        let (columns, values) = self.row(row);
        for (a, (&column, &value)) in columns.iter().zip(values).enumerate() {
            let scaled = weight * value;
            let start = column as usize * n;
            let row = &mut h[start..start + column as usize + 1];
            for (&c, &v) in columns[..=a].iter().zip(&values[..=a]) {
                row[c as usize] += scaled * v;
            }
        }
    }

    fn write_row(&self, row: usize, lanes: T::Mask, out: &mut [T]) {
        let (columns, values) = self.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            let entry = &mut out[column as usize];
            *entry = T::select(lanes, value, *entry);
        }
    }

    fn add_contact(&self, rows: Range<usize>, weight: &ConeHessian<T>, h: &mut [T], n: usize) {
        let (columns, _) = self.row(rows.start);
        for a in 0..columns.len() {
            let weighted = weighted_column(rows.clone(), weight, |row| self.row(row).1[a]);
            let start = columns[a] as usize * n;
            for (row, &weight) in rows.clone().zip(&weighted) {
                let values = self.row(row).1;
                for (&c, &v) in columns[..=a].iter().zip(&values[..=a]) {
                    h[start + c as usize] += weight * v;
                }
            }
        }
    }
}

/// The columns of a sparse J, for products with Jᵀ in the order of sums of compressed columns.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// First entry of each column, and the end.
    start: Vec<usize>,
    row: Vec<i32>,
    value: Vec<f64>,
}

#[cfg(feature = "std")]
impl Columns {
    /// Collects the entries of J by column.
    pub fn collect(&mut self, jacobian: &Rows<'_>, width: usize) {
        let count = jacobian.rownnz.len();
        self.start.clear();
        self.start.resize(width + 2, 0);
        for i in 0..count {
            for &column in jacobian.row(i).0 {
                self.start[column as usize + 2] += 1;
            }
        }
        for column in 0..width {
            self.start[column + 2] += self.start[column + 1];
        }
        let total = self.start[width + 1];
        self.row.resize(total, 0);
        self.value.resize(total, 0.0);
        // What is the start of the next column serves as the end of this one while it fills.
        for i in 0..count {
            let (columns, values) = jacobian.row(i);
            for (&column, &value) in columns.iter().zip(values) {
                let entry = &mut self.start[column as usize + 1];
                self.row[*entry] = i as i32;
                self.value[*entry] = value;
                *entry += 1;
            }
        }
    }

    /// Rows and entries of one column.
    pub fn column(&self, i: usize) -> (&[i32], &[f64]) {
        let entries = self.start[i]..self.start[i + 1];
        (&self.row[entries.clone()], &self.value[entries])
    }
}
