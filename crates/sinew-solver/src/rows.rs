//! Matrices in compressed rows and columns.

use sinew_math::dense::dot;
use sinew_math::tree::{dot_contiguous, dot_sparse};

/// A matrix in compressed rows. Columns ascend within a row; rows of one contact share columns.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Entries of each row.
    pub rownnz: &'a [i32],
    /// Address of each row's first entry.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
    /// Whether the row has the same columns as the one before.
    pub repeats: &'a [bool],
    /// The entries.
    pub value: &'a [f64],
    /// The full matrix, row-major, where sums run in its order.
    pub full: Option<&'a [f64]>,
}

/// Rows with up to this many entries have their part of a vector gathered once for all rows that
/// share the columns.
const MOST_GATHERED: usize = 64;

impl<'a> Rows<'a> {
    /// Number of rows.
    #[inline]
    pub fn count(&self) -> usize {
        self.rownnz.len()
    }

    /// Columns and entries of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> (&'a [i32], &'a [f64]) {
        let start = self.rowadr[i] as usize;
        let end = start + self.rownnz[i] as usize;
        (&self.colind[start..end], &self.value[start..end])
    }

    /// out = J·x
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        if let Some(full) = self.full {
            for (i, out) in out.iter_mut().enumerate() {
                *out = dot(&full[i * x.len()..(i + 1) * x.len()], x);
            }
            return;
        }
        let mut gathered = [0.0; MOST_GATHERED];
        for (i, out) in out.iter_mut().enumerate() {
            let (columns, values) = self.row(i);
            *out = match gathered.get_mut(..columns.len()) {
                Some(part) => {
                    if !self.repeats[i] {
                        for (slot, &column) in part.iter_mut().zip(columns) {
                            *slot = x[column as usize];
                        }
                    }
                    dot_contiguous(values, part)
                }
                None => dot_sparse(values, columns, x),
            };
        }
    }

    /// Writes the full matrix with `width` columns.
    pub fn expand(&self, width: usize, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.rownnz.len() * width, 0.0);
        for (i, full) in out.chunks_exact_mut(width.max(1)).enumerate() {
            let (columns, values) = self.row(i);
            for (&column, &value) in columns.iter().zip(values) {
                full[column as usize] = value;
            }
        }
    }

    /// out = Jᵀ·f
    pub fn multiply_transposed(&self, f: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (i, &force) in f.iter().enumerate() {
            if force != 0.0 {
                let (columns, values) = self.row(i);
                for (&column, &value) in columns.iter().zip(values) {
                    out[column as usize] += value * force;
                }
            }
        }
    }
}

/// The columns of a sparse J, for products with Jᵀ in the order of sums of compressed columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// First entry of each column, and the end.
    start: Vec<usize>,
    row: Vec<i32>,
    value: Vec<f64>,
}

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

    /// out = Jᵀ·f
    pub fn multiply(&self, f: &[f64], out: &mut [f64]) {
        for (out, bounds) in out.iter_mut().zip(self.start.windows(2)) {
            let entries = bounds[0]..bounds[1];
            *out = dot_sparse(&self.value[entries.clone()], &self.row[entries], f);
        }
    }
}
