//! Projected Gauss–Seidel over any number: one problem, or one per lane.
//!
//! Sums over forces run over the rows that a world has, and their order follows from how many those are. So the rows of
//! each lane are moved together first (`own_rows`): the k-th row is the k-th of every lane, whatever it is
//! there, and kinds differ by the bounds of their forces only. A lane then has the bits that `solve` has for its
//! problem alone, with a full J and without elliptic contacts.

mod own_rows;
mod projection;

use crate::cost;
use crate::jacobian::Jacobian;
use crate::problem::{Problem, Settings};
use own_rows::{Extent, OwnRows};
use projection::Projection;
use sinew_math::{Mask, Real, tree};

/// A cost change above this counts as a rise.
const MOST_RISE: f64 = 1e-10;

/// What solving writes.
#[derive(Debug)]
pub struct Solution<'a, T> {
    /// Acceleration.
    pub qacc: &'a mut [T],
    /// Constraint force in joint space.
    pub qfrc_constraint: &'a mut [T],
    /// Constraint force, per row.
    pub force: &'a mut [T],
    /// Number of sweeps.
    pub iterations: T,
}

/// Numbers of working memory that a problem takes whose rows exist where the given numbers are 1.
pub fn memory_length<T: Real, J>(problem: &Problem<'_, T, J>, exists: &[T]) -> usize {
    let (dofs, rows) = (problem.dof_count(), problem.row_count());
    let most = &Extent::of(exists, T::Mask::ALL);
    4 * rows + OwnRows::length(most, dofs) + Projection::length(most, dofs)
}

/// Finds the constraint forces and the acceleration they lead to, in the lanes that are `active`; others, without a
/// world or whose world has no rows, move as if there were no constraints. `exists` is 1 in the lanes that have a row.
/// The memory holds at least [`memory_length`] numbers; what is in them does not matter.
#[doc(alias = "mj_solPGS")]
#[inline(always)]
pub fn solve<T: Real, J: Jacobian<T>>(
    problem: &Problem<'_, T, J>,
    exists: &[T],
    settings: &Settings,
    active: T::Mask,
    out: &mut Solution<'_, T>,
    memory: &mut [T],
) {
    let (dofs, rows) = (problem.dof_count(), problem.row_count());
    let (b, memory) = memory.split_at_mut(rows);
    let (place, memory) = memory.split_at_mut(rows);
    let (residual, memory) = memory.split_at_mut(rows);
    let (state, memory) = memory.split_at_mut(rows);
    let extent = Extent::of(exists, active);
    let (own, memory) = memory.split_at_mut(OwnRows::length(&extent, dofs));
    problem.residual(problem.qacc_smooth, b);
    out.force.fill(T::ZERO);
    if let Some(warm) = problem.warm_start {
        problem.residual(warm, residual);
        cost::update(problem, residual, state, out.force);
    }
    let own = &mut OwnRows::cut(extent, dofs, own);
    own.gather(problem, (exists, active), (b, out.force), place);
    let projection = &Projection::compute(problem, own, memory);
    own.start(projection);
    out.iterations = sweep(problem, projection, settings, active, own);

    own.scatter(place, out.force);
    let qfrc = &mut *out.qfrc_constraint;
    problem.jacobian.multiply_transposed(out.force, qfrc);
    out.qacc.copy_from_slice(qfrc);
    let (factor, inverse) = (problem.factor, problem.factor_inverse);
    tree::solve(problem.inertia_rows, factor, inverse, out.qacc);
    for (a, &smooth) in out.qacc.iter_mut().zip(problem.qacc_smooth) {
        *a = T::select(active, *a + smooth, smooth);
    }
}

/// Sweeps from the forces given until little is gained; returns how often.
#[inline(always)]
fn sweep<T: Real, J>(
    problem: &Problem<'_, T, J>,
    projection: &Projection<'_, T>,
    settings: &Settings,
    mut active: T::Mask,
    own: &mut OwnRows<'_, T>,
) -> T {
    let (half, most_rise) = (T::from_f64(0.5), T::from_f64(MOST_RISE));
    let tolerance = T::from_f64(settings.tolerance);
    let mut count = T::ZERO;
    for _ in 0..settings.iterations {
        if !active.any() {
            break;
        }
        let mut improvement = T::ZERO;
        for i in 0..own.extent.rows() {
            let gradient = own.b[i] + projection.product(i, own);
            let (old, [lower, upper]) = (own.force[i], own.bounds[i]);
            let free = old - gradient * projection.inverse_diagonal[i];
            let new = T::select(free.greater(upper), upper, free);
            let new = T::select(free.less(lower), lower, new);
            let delta = new - old;
            let change = half * delta * delta * projection.curvature[i] + delta * gradient;
            // An update that raises the cost is not made. That is rare: the next row need not wait to know.
            let is_made = active & !change.greater(most_rise);
            own.force[i] = T::select(active, new, old);
            if (active & !is_made).any() {
                own.force[i] = T::select(is_made, new, old);
            }
            improvement = T::select(is_made, improvement - change, improvement);
        }
        count = T::select(active, count + T::ONE, count);
        active = active & !(improvement * problem.scale).less(tolerance);
    }
    count
}
