//! H as a dense lower triangle, for one problem or one per lane.
//!
//! The part without cones is kept and follows the rows that enter or leave the quadratic state by
//! rank-one terms; cones are added to the copy that is factored. At these sizes one factorisation
//! costs about as much as one rank-one update of a factor, so the factor itself is never updated.

use super::{is_changed, negate};
use crate::cost::{code, cone_hessian};
use crate::jacobian::Jacobian;
use crate::primal::{Descent, Place};
use crate::problem::state;
use sinew_math::dense::{
    reverse_cholesky_factor, reverse_cholesky_factor_of, reverse_cholesky_solve,
};
use sinew_math::{MIN_VALUE, Mask, Real};

/// Rows that are added at once, at most.
const MOST_ROWS: usize = 4;

/// H in memory of its owner, n² numbers each.
pub(crate) struct DenseHessian<'a, T> {
    /// Without cones.
    base: &'a mut [T],
    factor: &'a mut [T],
}

impl<'a, T: Real> DenseHessian<'a, T> {
    /// Numbers that H takes for `n` degrees of freedom.
    pub fn length(n: usize) -> usize {
        2 * n * n
    }

    /// In memory of that length.
    #[inline(always)]
    pub fn new(memory: &'a mut [T]) -> Self {
        let (base, factor) = memory.split_at_mut(memory.len() / 2);
        DenseHessian { base, factor }
    }

    /// Builds and factors H.
    #[cfg(feature = "std")]
    #[inline(always)]
    pub fn build<J: Jacobian<T>>(&mut self, place: &Place<'_, T, J>) {
        self.build_base(place);
        self.refactor(place);
    }

    /// Follows the rows whose state changed.
    #[cfg(feature = "std")]
    #[inline(always)]
    pub fn update<J: Jacobian<T>>(&mut self, place: &Place<'_, T, J>, old_state: &[T]) {
        self.update_base(place, old_state);
        self.refactor(place);
    }

    /// x ← H⁻¹·x
    #[inline(always)]
    pub fn solve(&self, x: &mut [T]) {
        reverse_cholesky_solve(self.factor, x);
    }

    #[inline(always)]
    fn build_base<J: Jacobian<T>>(&mut self, place: &Place<'_, T, J>) {
        let problem = place.problem;
        let (n, rows) = (problem.dof_count(), problem.inertia_rows);
        for i in 0..n {
            // The upper triangle need not be touched.
            self.base[i * n..=i * n + i].fill(T::ZERO);
            let start = rows.rowadr[i] as usize;
            let entries = start..start + rows.rownnz[i] as usize;
            let row = &mut self.base[i * n..(i + 1) * n];
            let columns = rows.colind[entries.clone()].iter();
            for (&column, &entry) in columns.zip(&problem.inertia[entries]) {
                // Not −0: rows that a lane does not have add zeros.
                row[column as usize] = entry + T::ZERO;
            }
        }
        self.add_rows(place, None);
    }

    /// Adds the rows that have a weight, several with the same columns at once: H is read and written once for them.
    #[inline(always)]
    fn add_rows<J: Jacobian<T>>(&mut self, place: &Place<'_, T, J>, old_state: Option<&[T]>) {
        let problem = place.problem;
        let (n, count) = (problem.dof_count(), problem.row_count());
        let mut i = 0;
        while i < count {
            let first = i;
            i += 1;
            let Some(own) = weight(place, old_state, first) else {
                continue;
            };
            let mut weights = [own; MOST_ROWS];
            let most = J::ROWS_AT_ONCE.min(MOST_ROWS);
            while i < count && i - first < most && problem.jacobian.repeats(i) {
                let Some(next) = weight(place, old_state, i) else {
                    break;
                };
                weights[i - first] = next;
                i += 1;
            }
            let weights = &weights[..i - first];
            problem.jacobian.add_rows(first, weights, self.base, n);
        }
    }

    #[inline(always)]
    fn update_base<J: Jacobian<T>>(&mut self, place: &Place<'_, T, J>, old_state: &[T]) {
        self.add_rows(place, Some(old_state));
    }

    #[inline(always)]
    fn refactor<J: Jacobian<T>>(&mut self, place: &Place<'_, T, J>) {
        let problem = place.problem;
        let n = problem.dof_count();
        let minimum = T::from_f64(MIN_VALUE);
        if problem.cones.is_empty() {
            reverse_cholesky_factor_of(self.base, self.factor, n, minimum);
            return;
        }
        for i in 0..n {
            let row = i * n..=i * n + i;
            self.factor[row.clone()].copy_from_slice(&self.base[row]);
        }
        for (cone, shape) in problem.cones.iter().zip(problem.cone_shapes) {
            let is_cone = place.state[cone.row].equals(code(state::CONE));
            if is_cone.any() {
                let mut hessian = cone_hessian(cone, shape, problem.D, place.residual);
                for entry in &mut hessian[..cone.dim * cone.dim] {
                    *entry = T::select(is_cone, *entry, T::ZERO);
                }
                let rows = cone.row..cone.row + cone.dim;
                let jacobian = &problem.jacobian;
                jacobian.add_contact(rows, &hessian, self.factor, n);
            }
        }
        reverse_cholesky_factor(self.factor, n, minimum);
    }
}

/// With which weight a row enters H, from the start or after a change of states; none if it does not.
#[inline(always)]
fn weight<T: Real, J>(place: &Place<'_, T, J>, old_state: Option<&[T]>, row: usize) -> Option<T> {
    let (new, stiffness) = (place.state[row], place.problem.D[row]);
    let is = new.equals(code(state::QUADRATIC));
    let Some(old_state) = old_state else {
        return is.any().then_some(T::select(is, stiffness, T::ZERO));
    };
    let old = old_state[row];
    if old.equals(new).all() {
        return None;
    }
    let was = old.equals(code(state::QUADRATIC));
    let (enters, leaves) = (is & !was, was & !is);
    let weight = T::select(leaves, -stiffness, T::ZERO);
    let weight = T::select(enters, stiffness, weight);
    (enters | leaves).any().then_some(weight)
}

impl<T: Real, J: Jacobian<T>> Descent<T, J> for DenseHessian<'_, T> {
    #[inline(always)]
    fn choose(&mut self, place: &Place<'_, T, J>, direction: &mut [T]) {
        let is_new = match place.old_state {
            None => {
                self.build_base(place);
                true
            }
            Some(old_state) => {
                self.update_base(place, old_state);
                is_changed(place, old_state)
            }
        };
        if is_new {
            self.refactor(place);
        }
        direction.copy_from_slice(place.gradient);
        self.solve(direction);
        negate(direction);
    }
}
