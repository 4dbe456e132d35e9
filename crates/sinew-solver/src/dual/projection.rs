//! A + R = J·M⁻¹·Jᵀ + R: how the force of one row accelerates another.

use super::half::Half;
use crate::hessian::can_hold;
use crate::log::Question;
use crate::problem::Problem;
use sinew_math::dense::{add_scaled, dot};
use sinew_math::tree::{self, dot_sparse};

/// A + R in compressed rows (columns ascending), with the sparsity of shared kinematic trees.
#[derive(Clone, Debug, Default)]
pub struct Projection {
    /// First entry of each row; one more than rows.
    pub start: Vec<usize>,
    /// Column of each entry.
    pub colind: Vec<i32>,
    /// The entries.
    pub value: Vec<f64>,
    /// Whether sums over a row run in the order they would have in a full matrix.
    pub(super) is_dense: bool,
}

/// How a computation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// Somebody did not want to go on.
    Refused,
    NoMemory,
}

/// Entries that are made without asking for memory first.
const ALWAYS: usize = 1 << 16;

/// Storage kept between computations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    half: Half,
    /// X as a full matrix, by column.
    full: Vec<f64>,
    inverse_sqrt: Vec<f64>,
    sum: Vec<f64>,
    mark: Vec<usize>,
}

impl Projection {
    /// No rows. Storage stays.
    pub fn clear(&mut self) {
        self.start.clear();
        self.colind.clear();
        self.value.clear();
    }

    /// Computes A + R. Rows are coupled where they share a degree of freedom after the half solve;
    /// each entry is summed over the shared degrees of freedom in ascending order.
    #[doc(alias = "mj_projectConstraint")]
    pub fn compute(&mut self, problem: &Problem<'_>, work: &mut crate::Workspace) {
        self.compute_while(problem, work, &mut Question::to(None));
    }

    /// The same, unless somebody does not want to go on or there is no memory.
    pub(crate) fn compute_while(
        &mut self,
        problem: &Problem<'_>,
        work: &mut crate::Workspace,
        question: &mut Question<'_>,
    ) -> Outcome {
        let work = &mut work.projection;
        let (n, rows) = (problem.dof_count(), problem.row_count());
        let tree = problem.inertia_rows;
        self.is_dense = problem.jacobian.full.is_some();
        work.inverse_sqrt.clear();
        work.inverse_sqrt.extend((0..n).map(|i| {
            let diagonal = tree.rowadr[i] + tree.rownnz[i] - 1;
            1.0 / problem.factor[diagonal as usize].sqrt()
        }));
        if self.is_dense {
            return self.compute_full(problem, work, question);
        }
        work.half.compute(problem, &work.inverse_sqrt);

        self.start.clear();
        self.colind.clear();
        self.value.clear();
        self.start.push(0);
        work.sum.clear();
        work.sum.resize(rows, 0.0);
        work.mark.clear();
        work.mark.resize(rows, 0);
        for i in 0..rows {
            if !self.has_room(rows) {
                return Outcome::NoMemory;
            }
            let (columns, values) = work.half.row(i);
            let mut products = rows;
            for (&column, &value) in columns.iter().zip(values) {
                let (others, entries) = work.half.columns.column(column as usize);
                products += others.len();
                for (&j, &entry) in others.iter().zip(entries) {
                    let j = j as usize;
                    if work.mark[j] != i + 1 {
                        work.mark[j] = i + 1;
                        work.sum[j] = 0.0;
                    }
                    work.sum[j] += entry * value;
                }
            }
            // A row without any degree of freedom still has its diagonal.
            work.mark[i] = i + 1;
            work.sum[i] = dot(values, values) + problem.R[i];
            for j in 0..rows {
                if work.mark[j] == i + 1 {
                    self.colind.push(j as i32);
                    self.value.push(work.sum[j]);
                }
            }
            self.start.push(self.colind.len());
            if !question.may_go_on(products) {
                return Outcome::Refused;
            }
        }
        Outcome::Done
    }

    /// Makes room for another row. A matrix that is large already grows by a sixteenth, and only if there is memory.
    #[inline]
    fn has_room(&mut self, rows: usize) -> bool {
        let wanted = self.value.len() + rows;
        if wanted <= self.value.capacity().min(self.colind.capacity()) || wanted < ALWAYS {
            return true;
        }
        let length = wanted + self.value.len() / 16;
        can_hold(&mut self.value, length) && can_hold(&mut self.colind, length)
    }

    /// All entries, from the columns of a full X.
    fn compute_full(
        &mut self,
        problem: &Problem<'_>,
        work: &mut Workspace,
        question: &mut Question<'_>,
    ) -> Outcome {
        let (n, rows) = (problem.dof_count(), problem.row_count());
        let entries = rows.saturating_mul(rows);
        let has_room = can_hold(&mut work.full, n.saturating_mul(rows))
            && can_hold(&mut self.value, entries)
            && can_hold(&mut self.colind, entries);
        if !has_room {
            return Outcome::NoMemory;
        }
        work.sum.clear();
        work.sum.resize(n, 0.0);
        // Column c of X starts at c · rows.
        let half = &mut work.full;
        half.clear();
        half.resize(n * rows, 0.0);
        for i in 0..rows {
            work.sum.fill(0.0);
            let (columns, values) = problem.jacobian.row(i);
            for (&column, &value) in columns.iter().zip(values) {
                work.sum[column as usize] = value;
            }
            tree::half_solve(
                problem.inertia_rows,
                problem.factor,
                &work.inverse_sqrt,
                &mut work.sum,
            );
            for (column, &value) in work.sum.iter().enumerate() {
                half[column * rows + i] = value;
            }
        }
        self.start.clear();
        self.start.extend((0..=rows).map(|i| i * rows));
        self.colind.clear();
        self.value.clear();
        self.value.resize(rows * rows, 0.0);
        for (i, out) in self.value.chunks_exact_mut(rows.max(1)).enumerate() {
            self.colind.extend(0..rows as i32);
            for column in half.chunks_exact(rows) {
                if column[i] != 0.0 {
                    add_scaled(out, column, column[i]);
                }
            }
            out[i] += problem.R[i];
            if !question.may_go_on(n * rows) {
                return Outcome::Refused;
            }
        }
        Outcome::Done
    }

    /// Columns and entries of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> (&[i32], &[f64]) {
        let range = self.start[i]..self.start[i + 1];
        (&self.colind[range.clone()], &self.value[range])
    }

    /// Entry (i, j).
    pub(super) fn entry(&self, i: usize, j: usize) -> f64 {
        let (columns, values) = self.row(i);
        if self.is_dense {
            return values[j];
        }
        columns
            .binary_search(&(j as i32))
            .map_or(0.0, |k| values[k])
    }

    /// Row i of (A + R)·f
    #[inline]
    pub(super) fn product(&self, i: usize, f: &[f64]) -> f64 {
        let (columns, values) = self.row(i);
        if self.is_dense {
            dot(values, f)
        } else {
            dot_sparse(values, columns, f)
        }
    }

    /// out = (A + R)·f
    pub fn multiply(&self, f: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.product(i, f);
        }
    }
}
