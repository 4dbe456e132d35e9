//! The Hessian of the primal cost, H = M + Jᵀ·diag(D of quadratic rows)·J + cone blocks, and its
//! Cholesky factor.
//!
//! Small problems keep H dense ([`dense`]); large ones use the sparsity that kinematic trees and
//! few-body contacts leave ([`sparse`]). Both are told which rows changed state and refactor.

mod dense;
mod sparse;

use crate::problem::{Problem, state};

/// Problems up to this many degrees of freedom are dense.
const MOST_DENSE: usize = 80;

/// Either form, with storage kept between solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hessian {
    dense: dense::DenseHessian,
    sparse: sparse::SparseHessian,
    is_dense: bool,
    /// Rank-one changes since the last factorisation, as the reference counts them.
    pub update_count: usize,
}

impl Hessian {
    /// Builds and factors H for the given row states.
    pub fn build(&mut self, problem: &Problem<'_>, row_state: &[i32], residual: &[f64]) {
        self.is_dense = problem.dof_count() <= MOST_DENSE;
        self.update_count = problem.row_count();
        if self.is_dense {
            self.dense.build(problem, row_state, residual);
        } else {
            self.sparse.analyse(problem);
            self.sparse.factor(problem, row_state, residual);
        }
    }

    /// Follows the rows whose state changed.
    pub fn update(
        &mut self,
        problem: &Problem<'_>,
        old_state: &[i32],
        row_state: &[i32],
        residual: &[f64],
    ) {
        let is_quadratic = |s: i32| s == state::QUADRATIC;
        let changed = old_state
            .iter()
            .zip(row_state)
            .filter(|(old, new)| is_quadratic(**old) != is_quadratic(**new))
            .count();
        let cone_rows = row_state.iter().filter(|s| **s == state::CONE).count();
        let had_cones = old_state.contains(&state::CONE);
        self.update_count = changed + cone_rows;
        if changed == 0 && cone_rows == 0 && !had_cones {
            return;
        }
        if self.is_dense {
            self.dense.update(problem, old_state, row_state, residual);
        } else {
            self.sparse.factor(problem, row_state, residual);
        }
    }

    /// x ← H⁻¹·x
    pub fn solve(&self, x: &mut [f64]) {
        if self.is_dense {
            self.dense.solve(x);
        } else {
            self.sparse.solve(x);
        }
    }
}
