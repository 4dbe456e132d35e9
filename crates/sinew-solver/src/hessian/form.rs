//! The form of the Hessian that suits one problem.

use super::block::BlockHessian;
use super::dense::DenseHessian;
use super::order;
use super::sparse::SparseHessian;
use super::{is_changed, negate};
use crate::log::{Log, Question};
use crate::primal::{Descent, Place};
use crate::problem::Problem;
use crate::rows::Rows;
use core::cell::RefCell;

/// Problems up to this many degrees of freedom are dense.
const MOST_DENSE: usize = 80;
/// Blocks pay from this many trees on, and with trees of up to this many degrees of freedom.
const FEWEST_BLOCKS: usize = 3;
const LARGEST_BLOCK: usize = 12;

/// Bytes of H per pair of degrees of freedom, in whatever form, at most: half of the pairs have an entry.
const BYTES_PER_PAIR: usize = 16;

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
    /// The pattern of the factor is that of the next problem already.
    is_analysed: bool,
}

impl Hessian {
    /// Whether H of a problem, and its factor, take no more than a number of bytes and can be had. Where all
    /// pairs of degrees of freedom would fit nobody looks closer.
    pub fn fits(&mut self, problem: &Problem<'_>, bytes: Option<usize>, log: &mut Log<'_>) -> bool {
        self.is_analysed = false;
        let n = problem.dof_count();
        let most = bytes.unwrap_or(usize::MAX);
        if n.saturating_mul(n).saturating_mul(BYTES_PER_PAIR) <= most {
            return true;
        }
        match Form::for_problem(problem) {
            Form::Dense => DenseHessian::<f64>::length(n) * size_of::<f64>() <= most,
            Form::Blocks => self.blocks.fits(problem, most),
            Form::Sparse => {
                let question = &mut log.question();
                self.is_analysed = self.sparse.analyse(problem, most, question);
                self.is_analysed
            }
        }
    }

    /// Builds and factors H; false if somebody did not want to go on.
    #[inline(never)]
    fn build(&mut self, place: &Place<'_>, question: &mut Question<'_>) -> bool {
        let problem = place.problem;
        self.form = Form::for_problem(problem);
        let at = (place.state, place.residual);
        match self.form {
            Form::Dense => {
                self.dense_length = DenseHessian::<f64>::length(problem.dof_count());
                if self.dense.len() < self.dense_length {
                    self.dense.resize(self.dense_length, 0.0);
                }
                self.dense().build(place);
                true
            }
            Form::Blocks => self.blocks.build(problem, at, question),
            Form::Sparse => {
                let is_known = std::mem::take(&mut self.is_analysed);
                (is_known || self.sparse.analyse(problem, usize::MAX, question))
                    && self.sparse.factor(problem, at, question)
            }
        }
    }

    fn dense(&mut self) -> DenseHessian<'_, f64> {
        DenseHessian::new(&mut self.dense[..self.dense_length])
    }

    /// Follows the rows whose state changed; false if somebody did not want to go on.
    #[inline(never)]
    fn update(
        &mut self,
        place: &Place<'_>,
        old_state: &[f64],
        question: &mut Question<'_>,
    ) -> bool {
        let (problem, at) = (place.problem, (place.state, place.residual));
        match self.form {
            Form::Dense => {
                self.dense().update(place, old_state);
                true
            }
            Form::Blocks => self.blocks.update(problem, old_state, at, question),
            Form::Sparse => self.sparse.update(problem, old_state, at, question),
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

/// Newton's direction, unless somebody is asked while H is made who does not want to go on.
pub(crate) struct Newton<'a, 'b, 'c> {
    pub hessian: &'a mut Hessian,
    pub log: &'a RefCell<&'b mut Log<'c>>,
}

impl<'a> Descent<f64, Rows<'a>> for Newton<'_, '_, '_> {
    fn choose(&mut self, place: &Place<'_, f64, Rows<'a>>, direction: &mut [f64]) {
        let hessian = &mut *self.hessian;
        let mut log = self.log.borrow_mut();
        let question = &mut log.question();
        let is_made = match place.old_state {
            None => hessian.build(place, question),
            Some(old_state) if is_changed(place, old_state) => {
                hessian.update(place, old_state, question)
            }
            Some(_) => true,
        };
        if !is_made {
            // No direction: the descent ends here.
            return direction.fill(0.0);
        }
        direction.copy_from_slice(place.gradient);
        hessian.solve(direction);
        negate(direction);
    }
}
