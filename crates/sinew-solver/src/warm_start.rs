//! Where a solver starts: the acceleration of the previous step or the one without constraints,
//! whichever costs less.

use crate::cost;
use crate::jacobian::Jacobian;
use crate::primal::{self, Iterate};
use crate::problem::Problem;
use sinew_math::{Mask, Real, tree};

/// Puts `at` where a descent over accelerations starts; lanes that are not `solved` stay at the
/// acceleration without constraints. `b` is J·qacc_smooth − aref, `product` has room for a vector of
/// degrees of freedom.
#[inline(always)]
pub(crate) fn choose<T: Real, J: Jacobian<T>>(
    problem: &Problem<'_, T, J>,
    solved: T::Mask,
    b: &[T],
    at: &mut Iterate<'_, T>,
    product: &mut [T],
) {
    let Some(warm) = problem.warm_start else {
        at.qacc.copy_from_slice(problem.qacc_smooth);
        at.residual.copy_from_slice(b);
        return;
    };
    at.qacc.copy_from_slice(warm);
    problem.residual(warm, at.residual);
    let mut warm_cost = cost::update(problem, at.residual, at.state, at.force);
    tree::multiply(problem.inertia_rows, problem.inertia, warm, product);
    warm_cost += primal::inertial_cost(problem, product, warm);
    let cold_cost = cost::update(problem, b, at.state, at.force);
    let is_cold = !solved | warm_cost.greater(cold_cost);
    if is_cold.any() {
        replace(is_cold, at.qacc, problem.qacc_smooth);
        replace(is_cold, at.residual, b);
    }
}

#[inline(always)]
fn replace<T: Real>(mask: T::Mask, out: &mut [T], other: &[T]) {
    for (out, &other) in out.iter_mut().zip(other) {
        *out = T::select(mask, other, *out);
    }
}
