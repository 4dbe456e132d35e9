//! H as a dense lower triangle.
//!
//! The part without cones is kept and follows the rows that enter or leave the quadratic state by
//! rank-one terms; cones are added to the copy that is factored. At these sizes one factorisation
//! costs about as much as one rank-one update of a factor, so the factor itself is never updated.

use crate::cost::cone_hessian;
use crate::problem::{Problem, state};
use sinew_math::MIN_VALUE;
use sinew_math::dense::{reverse_cholesky_factor, reverse_cholesky_solve};

#[derive(Clone, Debug, Default)]
pub(super) struct DenseHessian {
    n: usize,
    base: Vec<f64>,
    factor: Vec<f64>,
}

impl DenseHessian {
    pub fn build(&mut self, problem: &Problem<'_>, row_state: &[i32], residual: &[f64]) {
        let n = problem.dof_count();
        self.n = n;
        self.base.clear();
        self.base.resize(n * n, 0.0);
        let rows = problem.inertia_rows;
        for i in 0..n {
            let start = rows.rowadr[i] as usize;
            for k in start..start + rows.rownnz[i] as usize {
                self.base[i * n + rows.colind[k] as usize] = problem.inertia[k];
            }
        }
        for i in 0..problem.row_count() {
            if row_state[i] == state::QUADRATIC {
                self.add_row(problem, i, problem.D[i]);
            }
        }
        self.refactor(problem, row_state, residual);
    }

    pub fn update(
        &mut self,
        problem: &Problem<'_>,
        old_state: &[i32],
        row_state: &[i32],
        residual: &[f64],
    ) {
        for i in 0..problem.row_count() {
            let was = old_state[i] == state::QUADRATIC;
            let is = row_state[i] == state::QUADRATIC;
            if is && !was {
                self.add_row(problem, i, problem.D[i]);
            } else if was && !is {
                self.add_row(problem, i, -problem.D[i]);
            }
        }
        self.refactor(problem, row_state, residual);
    }

    pub fn solve(&self, x: &mut [f64]) {
        reverse_cholesky_solve(&self.factor, x);
    }

    /// base += weight · JᵢᵀJᵢ
    fn add_row(&mut self, problem: &Problem<'_>, i: usize, weight: f64) {
        let (columns, values) = problem.jacobian.row(i);
        for (a, (&column, &value)) in columns.iter().zip(values).enumerate() {
            let scaled = weight * value;
            let start = column as usize * self.n;
            let row = &mut self.base[start..start + column as usize + 1];
            for (&c, &v) in columns[..=a].iter().zip(&values[..=a]) {
                row[c as usize] += scaled * v;
            }
        }
    }

    fn refactor(&mut self, problem: &Problem<'_>, row_state: &[i32], residual: &[f64]) {
        self.factor.clear();
        self.factor.extend_from_slice(&self.base);
        for cone in problem.cones {
            if row_state[cone.row] != state::CONE {
                continue;
            }
            let hessian = cone_hessian(cone, problem.D, residual);
            let (columns, _) = problem.jacobian.row(cone.row);
            for a in 0..columns.len() {
                // One column of Hc·J, then its products with the columns of J up to it.
                let mut weighted = [0.0; 6];
                for j in 0..cone.dim {
                    let value = problem.jacobian.row(cone.row + j).1[a];
                    for k in 0..cone.dim {
                        weighted[k] += hessian[j * cone.dim + k] * value;
                    }
                }
                let start = columns[a] as usize * self.n;
                for (k, &weight) in weighted[..cone.dim].iter().enumerate() {
                    let values = problem.jacobian.row(cone.row + k).1;
                    for (&c, &v) in columns[..=a].iter().zip(&values[..=a]) {
                        self.factor[start + c as usize] += weight * v;
                    }
                }
            }
        }
        reverse_cholesky_factor(&mut self.factor, self.n, MIN_VALUE);
    }
}
