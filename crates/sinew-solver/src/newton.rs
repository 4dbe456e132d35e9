//! Newton's method with a dense Hessian over any number: one problem, or one per lane.
//!
//! Every lane does what `solve` does with its problem alone, in the same order: where that keeps its
//! Hessian dense (up to 80 degrees of freedom, not three or more small trees), takes everything as
//! one island or knows none, and has a full J, a lane has the same bits after the same number of
//! iterations. A lane that is done keeps what it found while others go on. Blocks per tree, sparse
//! rows and islands follow what one problem touches and are there for one world only.
//!
//! Of a [`Problem`] this does not read the pyramids, the trees and the factor of M.

use crate::hessian::dense::DenseHessian;
use crate::jacobian::Jacobian;
pub use crate::primal::Report;
use crate::primal::{Iterate, Memory, Sizes, descend};
use crate::problem::{Problem, Settings};
use crate::warm_start;
use sinew_math::Real;

/// What solving writes.
#[derive(Debug)]
pub struct Solution<'a, T> {
    /// Acceleration.
    pub qacc: &'a mut [T],
    /// Constraint force in joint space.
    pub qfrc_constraint: &'a mut [T],
    /// Constraint force, per row.
    pub force: &'a mut [T],
    /// State, per row: a code of [`crate::problem::state`] as a number.
    pub state: &'a mut [T],
    /// J·qacc_smooth − aref, per row.
    pub b: &'a mut [T],
    /// Number of iterations.
    pub iterations: T,
}

/// Numbers of working memory that a problem takes.
pub fn memory_length<T: Real, J>(problem: &Problem<'_, T, J>) -> usize {
    let sizes = Sizes::of(problem);
    sizes.rows + sizes.length() + DenseHessian::<T>::length(sizes.dofs)
}

/// Finds the constraint forces and the acceleration they lead to, in the lanes that are `active`;
/// others, without a world or whose world has no rows, move as if there were no constraints. The
/// memory holds at least [`memory_length`] numbers; what is in them does not matter. Each iteration
/// is told to `report`, as long as one lane goes on.
#[doc(alias = "mj_solNewton")]
#[inline(always)]
pub fn solve<T: Real, J: Jacobian<T>>(
    problem: &Problem<'_, T, J>,
    settings: &Settings,
    active: T::Mask,
    out: &mut Solution<'_, T>,
    memory: &mut [T],
    report: impl FnMut(&Report<'_, T>),
) {
    start(problem, active, out, memory);
    solve_from_start(problem, settings, active, out, memory, report);
}

/// Puts the acceleration where a descent begins, and b: what [`solve`] does first. Islands start from where all rows
/// together say.
#[inline(always)]
pub fn start<T: Real, J: Jacobian<T>>(
    problem: &Problem<'_, T, J>,
    active: T::Mask,
    out: &mut Solution<'_, T>,
    memory: &mut [T],
) {
    let sizes = Sizes::of(problem);
    let (residual, memory) = memory.split_at_mut(sizes.rows);
    let (vectors, _) = Memory::cut(sizes, memory);
    problem.residual(problem.qacc_smooth, out.b);
    let mut at = Iterate {
        qacc: out.qacc,
        qfrc_constraint: out.qfrc_constraint,
        force: out.force,
        state: out.state,
        residual,
    };
    warm_start::choose(problem, active, out.b, &mut at, vectors.direction);
}

/// [`solve`] from the acceleration given; whose residual the memory begins with.
#[inline(always)]
fn solve_from_start<T: Real, J: Jacobian<T>>(
    problem: &Problem<'_, T, J>,
    settings: &Settings,
    active: T::Mask,
    out: &mut Solution<'_, T>,
    memory: &mut [T],
    mut report: impl FnMut(&Report<'_, T>),
) {
    let sizes = Sizes::of(problem);
    let (residual, memory) = memory.split_at_mut(sizes.rows);
    let (mut vectors, memory) = Memory::cut(sizes, memory);
    let (hessian, _) = memory.split_at_mut(DenseHessian::<T>::length(sizes.dofs));
    let mut at = Iterate {
        qacc: out.qacc,
        qfrc_constraint: out.qfrc_constraint,
        force: out.force,
        state: out.state,
        residual,
    };
    let descent = &mut DenseHessian::new(hessian);
    let memory = &mut vectors;
    let report = |iteration: &Report<'_, T>| {
        report(iteration);
        true
    };
    out.iterations = descend(problem, settings, active, &mut at, descent, memory, report);
}

/// [`solve`] from the acceleration given.
#[inline(always)]
pub fn solve_from<T: Real, J: Jacobian<T>>(
    problem: &Problem<'_, T, J>,
    settings: &Settings,
    active: T::Mask,
    out: &mut Solution<'_, T>,
    memory: &mut [T],
) {
    problem.residual(out.qacc, &mut memory[..problem.row_count()]);
    solve_from_start(problem, settings, active, out, memory, |_| {});
}
