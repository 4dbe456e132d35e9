//! X = J·L⁻¹·D^(−½), from which A = J·M⁻¹·Jᵀ = X·Xᵀ.

use crate::problem::Problem;
use crate::rows::{Columns, Rows};

/// X in compressed rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Half {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    value: Vec<f64>,
    /// Its columns.
    pub columns: Columns,
    buffer: Vec<f64>,
    mark: Vec<usize>,
}

impl Half {
    /// Solves row by row. A row of X has the columns of J's row and all their ancestors.
    pub fn compute(&mut self, problem: &Problem<'_>, inverse_sqrt: &[f64]) {
        let (n, rows) = (problem.dof_count(), problem.row_count());
        let tree = problem.inertia_rows;
        for list in [&mut self.rownnz, &mut self.rowadr, &mut self.colind] {
            list.clear();
        }
        self.value.clear();
        self.buffer.clear();
        self.buffer.resize(n, 0.0);
        self.mark.clear();
        self.mark.resize(n, 0);
        for i in 0..rows {
            let (columns, values) = problem.jacobian.row(i);
            let start = self.colind.len();
            for (&column, &value) in columns.iter().zip(values) {
                self.buffer[column as usize] = value;
                let ancestors = tree.rowadr[column as usize] as usize;
                let end = ancestors + tree.rownnz[column as usize] as usize;
                for &ancestor in &tree.colind[ancestors..end] {
                    if self.mark[ancestor as usize] != i + 1 {
                        self.mark[ancestor as usize] = i + 1;
                        self.colind.push(ancestor);
                    }
                }
            }
            let pattern = &mut self.colind[start..];
            pattern.sort_unstable();

            // Substitution from the last column to the first.
            for &column in pattern.iter().rev() {
                let value = self.buffer[column as usize];
                if value == 0.0 {
                    continue;
                }
                let first = tree.rowadr[column as usize] as usize;
                let diagonal = first + tree.rownnz[column as usize] as usize - 1;
                let entries = problem.factor[first..diagonal].iter();
                for (&ancestor, &entry) in tree.colind[first..diagonal].iter().zip(entries) {
                    self.buffer[ancestor as usize] -= entry * value;
                }
            }
            for &column in pattern.iter() {
                let column = column as usize;
                self.value.push(self.buffer[column] * inverse_sqrt[column]);
                self.buffer[column] = 0.0;
            }
            self.rowadr.push(start as i32);
            self.rownnz.push((self.colind.len() - start) as i32);
        }
        let matrix = Rows {
            rownnz: &self.rownnz,
            rowadr: &self.rowadr,
            colind: &self.colind,
            repeats: problem.jacobian.repeats,
            value: &self.value,
            full: None,
        };
        self.columns.collect(&matrix, n);
    }

    /// Columns and entries of row `i`.
    pub fn row(&self, i: usize) -> (&[i32], &[f64]) {
        let start = self.rowadr[i] as usize;
        let end = start + self.rownnz[i] as usize;
        (&self.colind[start..end], &self.value[start..end])
    }
}
