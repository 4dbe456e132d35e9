//! The form of the Hessian that suits one problem.

use super::block::BlockHessian;
use super::dense::DenseHessian;
use super::order;
use super::sparse::SparseHessian;
use super::{is_changed, negate};
use crate::primal::{Descent, Place};
use crate::problem::Problem;
use crate::rows::Rows;

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
    /// Memory of the dense form, of which the problem takes as much.
    dense: Vec<f64>,
    dense_length: usize,
    blocks: BlockHessian,
    sparse: SparseHessian,
    form: Form,
}

impl Hessian {
    #[inline(never)]
    fn build(&mut self, place: &Place<'_>) {
        let problem = place.problem;
        self.form = Form::for_problem(problem);
        match self.form {
            Form::Dense => {
                self.dense_length = DenseHessian::<f64>::length(problem.dof_count());
                if self.dense.len() < self.dense_length {
                    self.dense.resize(self.dense_length, 0.0);
                }
                self.dense().build(place);
            }
            Form::Blocks => self.blocks.build(problem, place.state, place.residual),
            Form::Sparse => {
                self.sparse.analyse(problem);
                self.sparse.factor(problem, place.state, place.residual);
            }
        }
    }

    fn dense(&mut self) -> DenseHessian<'_, f64> {
        DenseHessian::new(&mut self.dense[..self.dense_length])
    }

    /// Follows the rows whose state changed.
    #[inline(never)]
    fn update(&mut self, place: &Place<'_>, old_state: &[f64]) {
        let Place {
            problem,
            state,
            residual,
            ..
        } = *place;
        match self.form {
            Form::Dense => self.dense().update(place, old_state),
            Form::Blocks => self.blocks.update(problem, old_state, state, residual),
            Form::Sparse => self.sparse.update(problem, old_state, state, residual),
        }
    }

    /// x ← H⁻¹·x
    #[inline(never)]
    fn solve(&mut self, x: &mut [f64]) {
        match self.form {
            Form::Dense => self.dense().solve(x),
            Form::Blocks => self.blocks.solve(x),
            Form::Sparse => self.sparse.solve(x),
        }
    }
}

impl<'a> Descent<f64, Rows<'a>> for Hessian {
    fn choose(&mut self, place: &Place<'_, f64, Rows<'a>>, direction: &mut [f64]) {
        match place.old_state {
            None => self.build(place),
            Some(old_state) if is_changed(place, old_state) => self.update(place, old_state),
            Some(_) => {}
        }
        direction.copy_from_slice(place.gradient);
        self.solve(direction);
        negate(direction);
    }
}
