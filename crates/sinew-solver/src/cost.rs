//! Cost, force and state of the rows for given residuals r = J·a − a_ref.
//!
//! | row | cost s(r) | force −∂s/∂r |
//! |---|---|---|
//! | equality | ½Dr² | −Dr |
//! | dry friction, bound η | ½Dr² for abs(r) < Rη, else η·abs(r) − ½Rη² | −Dr, else ∓η |
//! | limit, frictionless, pyramidal | ½Dr² for r < 0, else 0 | −Dr, else 0 |
//! | elliptic contact | by zone, below | |
//!
//! An elliptic contact is mapped to a circular cone by U₀ = μr₀, U_j = f_j r_j; with N = U₀ and
//! T = ‖U₁…‖ it is *satisfied* for N ≥ μT, *quadratic* (½ΣDr²) for μN + T ≤ 0, and between them
//! costs ½D_m(N − μT)², D_m = D₀/(μ²(1 + μ²)). Conforms to `mj_constraintUpdate`.
//!
//! States are codes of [`state`], kept as numbers, so that each lane has its own.

use crate::problem::{Cone, ConeShape, Problem, state};
use core::ops::Range;
use sinew_math::dense::norm;
use sinew_math::{Mask, Real};

/// Hessian of a contact in the cone state, dim × dim, row-major.
pub type ConeHessian<T = f64> = [T; 36];

/// A state as a number.
#[inline(always)]
pub(crate) fn code<T: Real>(state: i32) -> T {
    T::from_f64(f64::from(state))
}

/// What the rows cost, one after the other, and what comes of it.
struct Tally<'a, T> {
    D: &'a [T],
    residual: &'a [T],
    state: &'a mut [T],
    force: &'a mut [T],
    cost: T,
}

/// Fills `force` and `row_state`; returns the cost.
#[doc(alias = "mj_constraintUpdate")]
#[inline(always)]
pub fn update<T: Real, J>(
    problem: &Problem<'_, T, J>,
    residual: &[T],
    row_state: &mut [T],
    force: &mut [T],
) -> T {
    // One function for all who ask, but packs need it where they are, compiled for their registers.
    if T::LANES == 1 {
        update_apart(problem, residual, row_state, force)
    } else {
        update_here(problem, residual, row_state, force)
    }
}

/// As [`update`], and calls `beside` with the numbers below `count`. Sums over both wait less for each other than
/// for themselves.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn update_beside<T: Real, J>(
    problem: &Problem<'_, T, J>,
    residual: &[T],
    row_state: &mut [T],
    force: &mut [T],
    count: usize,
    mut beside: impl FnMut(usize),
) -> T {
    let mut tally = Tally {
        D: problem.D,
        residual,
        state: row_state,
        force,
        cost: T::ZERO,
    };
    let together = problem.equality_count.min(count);
    for i in 0..together {
        tally.equality(i);
        beside(i);
    }
    (together..count).for_each(beside);
    tally.equalities(together..problem.equality_count);
    tally.add_others(problem)
}

#[inline(never)]
fn update_apart<T: Real, J>(
    problem: &Problem<'_, T, J>,
    residual: &[T],
    row_state: &mut [T],
    force: &mut [T],
) -> T {
    update_here(problem, residual, row_state, force)
}

#[inline(always)]
fn update_here<T: Real, J>(
    problem: &Problem<'_, T, J>,
    residual: &[T],
    row_state: &mut [T],
    force: &mut [T],
) -> T {
    let tally = Tally {
        D: problem.D,
        residual,
        state: row_state,
        force,
        cost: T::ZERO,
    };
    tally.add_all(problem)
}

impl<T: Real> Tally<'_, T> {
    #[inline(always)]
    fn add_all<J>(mut self, problem: &Problem<'_, T, J>) -> T {
        self.equalities(0..problem.equality_count);
        self.add_others(problem)
    }

    /// All rows but equalities.
    #[inline(always)]
    fn add_others<J>(mut self, problem: &Problem<'_, T, J>) -> T {
        let friction_start = problem.equality_count;
        let push_start = friction_start + problem.friction_count;
        self.friction(friction_start..push_start, problem.R, problem.frictionloss);
        let mut i = push_start;
        for (cone, shape) in problem.cones.iter().zip(problem.cone_shapes) {
            self.pushing(i..cone.row);
            self.elliptic(cone, shape);
            i = cone.row + cone.dim;
        }
        self.pushing(i..problem.row_count());
        self.cost
    }

    /// Rows on their parabola. Costs are added one by one, in the order of the rows.
    #[inline(always)]
    fn equalities(&mut self, rows: Range<usize>) {
        for i in rows {
            self.equality(i);
        }
    }

    #[inline(always)]
    fn equality(&mut self, i: usize) {
        let on_parabola = self.parabola_except(T::Mask::NONE, self.D[i], self.residual[i]);
        (self.force[i], self.state[i]) = on_parabola;
    }

    /// Dry friction up to `loss`.
    #[inline(always)]
    fn friction(&mut self, rows: Range<usize>, R: &[T], loss: &[T]) {
        for i in rows {
            let (r, R, loss) = (self.residual[i], R[i], loss[i]);
            let bound = R * loss;
            let is_below = r.at_most(-bound);
            let is_beyond = is_below | r.at_least(bound);
            let (mut force, mut state) = self.parabola_except(is_beyond, self.D[i], r);
            if is_beyond.any() {
                let arm = -half::<T>() * R * loss * loss;
                let cost = T::select(is_below, arm - loss * r, arm + loss * r);
                self.cost = T::select(is_beyond, self.cost + cost, self.cost);
                force = T::select(is_beyond, T::select(is_below, loss, -loss), force);
                let (below, above) = (state::LINEAR_NEGATIVE, state::LINEAR_POSITIVE);
                let arm = T::select(is_below, code(below), code(above));
                state = T::select(is_beyond, arm, state);
            }
            (self.force[i], self.state[i]) = (force, state);
        }
    }

    /// Rows that only push.
    #[inline(always)]
    fn pushing(&mut self, rows: Range<usize>) {
        for i in rows {
            let r = self.residual[i];
            let where_it_is = self.parabola_except(r.at_least(T::ZERO), self.D[i], r);
            (self.force[i], self.state[i]) = where_it_is;
        }
    }

    /// Force and state of a row on the parabola; no force and no cost where it is not.
    #[inline(always)]
    fn parabola_except(&mut self, is_off: T::Mask, D: T, r: T) -> (T, T) {
        let (satisfied, quadratic) = (code(state::SATISFIED), code(state::QUADRATIC));
        if is_off.all() {
            return (T::ZERO, satisfied);
        }
        let cost = half::<T>() * D * r * r;
        self.cost = T::select(is_off, self.cost, self.cost + cost);
        (
            T::select(is_off, T::ZERO, -D * r),
            T::select(is_off, satisfied, quadratic),
        )
    }

    /// One elliptic contact.
    #[inline(always)]
    fn elliptic(&mut self, cone: &Cone, shape: &ConeShape<T>) {
        let (rows, mu) = (cone.row..cone.row + cone.dim, shape[0]);
        let u = circular(cone, shape, self.residual);
        let n = u[0];
        let t = norm(&u[1..cone.dim]);
        let is_flat = t.at_most(T::ZERO);
        let is_satisfied = n.at_least(mu * t) | (is_flat & n.at_least(T::ZERO));
        let is_bottom = (mu * n + t).at_most(T::ZERO) | (is_flat & n.less(T::ZERO));
        let is_quadratic = !is_satisfied & is_bottom;
        let is_between = !(is_satisfied | is_bottom);

        if !is_between.all() {
            for i in rows.clone() {
                let (D, r) = (self.D[i], self.residual[i]);
                (self.force[i], self.state[i]) = self.parabola_except(!is_quadratic, D, r);
            }
        }
        if is_between.any() {
            let stiffness = self.D[cone.row] / (mu * mu * (T::ONE + mu * mu));
            let depth = n - mu * t;
            let cost = half::<T>() * stiffness * depth * depth;
            self.cost = T::select(is_between, self.cost + cost, self.cost);
            let normal = -stiffness * depth * mu;
            self.set_force(cone.row, is_between, normal);
            for j in 1..cone.dim {
                let tangential = -normal / t * u[j] * shape[j];
                self.set_force(cone.row + j, is_between, tangential);
            }
            for i in rows {
                self.state[i] = T::select(is_between, code(state::CONE), self.state[i]);
            }
        }
    }

    #[inline(always)]
    fn set_force(&mut self, i: usize, mask: T::Mask, force: T) {
        self.force[i] = T::select(mask, force, self.force[i]);
    }
}

#[inline(always)]
fn half<T: Real>() -> T {
    T::from_f64(0.5)
}

/// Residuals of a contact in the space where its cone is circular.
#[inline(always)]
pub(crate) fn circular<T: Real>(cone: &Cone, shape: &ConeShape<T>, r: &[T]) -> [T; 6] {
    let mut u = [T::ZERO; 6];
    for j in 0..cone.dim {
        u[j] = r[cone.row + j] * shape[j];
    }
    u
}

/// Hessian of the cost of a contact in the cone state with respect to its residuals.
#[inline(always)]
pub(crate) fn cone_hessian<T: Real>(
    cone: &Cone,
    shape: &ConeShape<T>,
    D: &[T],
    residual: &[T],
) -> ConeHessian<T> {
    let (dim, mu) = (cone.dim, shape[0]);
    let u = circular(cone, shape, residual);
    let n = u[0];
    let t = norm(&u[1..dim]);
    let stiffness = D[cone.row] / (mu * mu * (T::ONE + mu * mu));
    let mut h = [T::ZERO; 36];

    // In the circular space: first row (1, −μU/T), then μN/T³·UUᵀ + (μ² − μN/T)·I.
    h[0] = T::ONE;
    for j in 1..dim {
        h[j] = -mu / t * u[j];
    }
    let outer = mu * n / (t * t * t);
    let diagonal = mu * mu - mu * n / t;
    for k in 1..dim {
        for j in k..dim {
            h[k * dim + j] = outer * u[j] * u[k];
        }
        h[k * dim + k] += diagonal;
    }

    // Back to residuals: scale both sides by diag(μ, f).
    for k in 0..dim {
        for j in k..dim {
            h[k * dim + j] *= stiffness * shape[k] * shape[j];
            h[j * dim + k] = h[k * dim + j];
        }
    }
    h
}
