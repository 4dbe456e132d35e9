//! The Hessian of the primal cost, H = M + Jᵀ·diag(D of quadratic rows)·J + cone blocks, and its
//! Cholesky factor.
//!
//! Small problems keep H dense ([`dense`]). Many small trees give dense blocks that are eliminated
//! in a good order ([`block`]); large trees leave sparse rows ([`sparse`]). All are told which rows
//! changed state and refactor.

mod block;
mod dense;
mod order;
mod sparse;

use crate::problem::{Problem, state};

/// Problems up to this many degrees of freedom are dense.
const MOST_DENSE: usize = 80;
/// Blocks pay from this many trees on, and with trees of up to this many degrees of freedom.
const FEWEST_BLOCKS: usize = 3;
const LARGEST_BLOCK: usize = 12;

/// How H is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    #[default]
    Dense,
    Blocks,
    Sparse,
}

impl Form {
    fn for_problem(problem: &Problem<'_>) -> Form {
        let (blocks, largest) = order::block_sizes(problem);
        if (FEWEST_BLOCKS..=order::MOST_BLOCKS).contains(&blocks) && largest <= LARGEST_BLOCK {
            Form::Blocks
        } else if problem.dof_count() <= MOST_DENSE {
            Form::Dense
        } else {
            Form::Sparse
        }
    }
}

/// All forms, with storage kept between solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hessian {
    dense: dense::DenseHessian,
    blocks: block::BlockHessian,
    sparse: sparse::SparseHessian,
    form: Form,
    /// Rank-one changes by the last step, as the reference counts them.
    pub update_count: usize,
}

impl Hessian {
    /// Builds and factors H for the given row states.
    pub fn build(&mut self, problem: &Problem<'_>, row_state: &[i32], residual: &[f64]) {
        self.form = Form::for_problem(problem);
        self.update_count = problem.row_count();
        match self.form {
            Form::Dense => self.dense.build(problem, row_state, residual),
            Form::Blocks => self.blocks.build(problem, row_state, residual),
            Form::Sparse => {
                self.sparse.analyse(problem);
                self.sparse.factor(problem, row_state, residual);
            }
        }
    }

    /// Counts the rank-one changes between two states of the rows.
    pub fn count_changes(&mut self, old_state: &[i32], row_state: &[i32]) {
        let is_quadratic = |s: i32| s == state::QUADRATIC;
        let changed = old_state
            .iter()
            .zip(row_state)
            .filter(|(old, new)| is_quadratic(**old) != is_quadratic(**new))
            .count();
        let cone_rows = row_state.iter().filter(|s| **s == state::CONE).count();
        self.update_count = changed + cone_rows;
    }

    /// Follows the rows whose state changed; the changes are counted already.
    pub fn update(
        &mut self,
        problem: &Problem<'_>,
        old_state: &[i32],
        row_state: &[i32],
        residual: &[f64],
    ) {
        if self.update_count == 0 && !old_state.contains(&state::CONE) {
            return;
        }
        match self.form {
            Form::Dense => self.dense.update(problem, old_state, row_state, residual),
            Form::Blocks => self.blocks.update(problem, old_state, row_state, residual),
            Form::Sparse => self.sparse.update(problem, old_state, row_state, residual),
        }
    }

    /// x ← H⁻¹·x
    pub fn solve(&self, x: &mut [f64]) {
        match self.form {
            Form::Dense => self.dense.solve(x),
            Form::Blocks => self.blocks.solve(x),
            Form::Sparse => self.sparse.solve(x),
        }
    }
}

/// Gives a vector a length and one value, keeping its memory.
fn refill<T: Copy>(vector: &mut Vec<T>, length: usize, value: T) {
    vector.clear();
    vector.resize(length, value);
}
