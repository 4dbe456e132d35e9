//! Cost, force and state of rows, each by a thread: what `sinew_solver::cost` does.

use super::Solver;
use crate::Number;
use crate::warp::Shared;
use sinew_math::dense::norm;
use sinew_solver::problem::state;

/// A state as a number.
#[inline(always)]
pub(super) fn code<T: Number>(state: i32) -> T {
    T::from_f64(f64::from(state))
}

/// A contact with an elliptic cone.
pub(super) struct Cone<'a, T> {
    pub row: usize,
    pub dim: usize,
    pub shape: &'a [T; 6],
    /// Inverse regularisation of its first row.
    pub D: T,
}

impl<T: Number> Cone<'_, T> {
    /// Residuals of the contact in the space where its cone is circular.
    #[inline(always)]
    pub fn circular(&self, r: Shared<'_, T>) -> [T; 6] {
        let mut u = [T::ZERO; 6];
        for j in 0..6 {
            if j < self.dim {
                u[j] = r[self.row + j].get() * self.shape[j];
            }
        }
        u
    }

    /// Stiffness of its side.
    #[inline(always)]
    pub fn stiffness(&self) -> T {
        let mu = self.shape[0];
        self.D / (mu * mu * (T::ONE + mu * mu))
    }
}

impl<T: Number, const PARTS: bool> Solver<'_, T, PARTS> {
    #[inline(always)]
    pub(super) fn cone(&self, index: usize) -> Cone<'_, T> {
        let (row, index) = match PARTS {
            true => self.maps.cone(index),
            false => (self.given.cone_rows[index] as usize, index),
        };
        Cone {
            row,
            dim: self.given.cone_dims[index] as usize,
            shape: &self.given.cone_shapes[index],
            D: self.given.D[self.row(row)],
        }
    }

    /// Fills force, state and what each row adds to the cost, for given residuals. Rows of cones come after the others.
    #[inline(always)]
    pub(super) fn update_rows(&self, residual: Shared<'_, T>) {
        let part = &self.part;
        let push_start = part.equality_count + part.friction_count;
        self.warp.each(part.rows, |i| {
            let r = residual[i].get();
            if i >= part.equality_count && i < push_start {
                self.friction_row(i, r);
            } else {
                let is_off = i >= push_start && r >= T::ZERO;
                self.parabola_except(is_off, i, r);
            }
        });
        if part.cones > 0 {
            self.warp
                .each(part.cones, |k| self.elliptic(&self.cone(k), residual));
        }
    }

    #[inline(always)]
    fn set_row(&self, i: usize, cost: T, force: T, row_state: i32) {
        self.work.terms[i].set(cost);
        self.work.force[i].set(force);
        self.work.state[i].set(code(row_state));
    }

    /// A row on the parabola; no force and no cost where it is not.
    #[inline(always)]
    fn parabola_except(&self, is_off: bool, i: usize, r: T) {
        let D = self.given.D[self.row(i)];
        if is_off {
            self.set_row(i, T::ZERO, T::ZERO, state::SATISFIED);
        } else {
            let cost = T::from_f64(0.5) * D * r * r;
            self.set_row(i, cost, -D * r, state::QUADRATIC);
        }
    }

    /// Dry friction up to its bound.
    #[inline(always)]
    fn friction_row(&self, i: usize, r: T) {
        let row = self.row(i);
        let (R, loss) = (self.given.R[row], self.given.frictionloss[row]);
        let bound = R * loss;
        let arm = -T::from_f64(0.5) * R * loss * loss;
        if r <= -bound {
            self.set_row(i, arm - loss * r, loss, state::LINEAR_NEGATIVE);
        } else if r >= bound {
            self.set_row(i, arm + loss * r, -loss, state::LINEAR_POSITIVE);
        } else {
            self.parabola_except(false, i, r);
        }
    }

    /// One elliptic contact.
    #[inline(always)]
    fn elliptic(&self, cone: &Cone<'_, T>, residual: Shared<'_, T>) {
        let mu = cone.shape[0];
        let u = cone.circular(residual);
        let n = u[0];
        let t = norm(&u[1..cone.dim]);
        let is_flat = t <= T::ZERO;
        let is_satisfied = n >= mu * t || (is_flat && n >= T::ZERO);
        let is_bottom = mu * n + t <= T::ZERO || (is_flat && n < T::ZERO);
        if is_satisfied || is_bottom {
            for i in cone.row..cone.row + cone.dim {
                self.parabola_except(is_satisfied, i, residual[i].get());
            }
            return;
        }
        let stiffness = cone.stiffness();
        let depth = n - mu * t;
        let normal = -stiffness * depth * mu;
        let cost = T::from_f64(0.5) * stiffness * depth * depth;
        self.set_row(cone.row, cost, normal, state::CONE);
        for j in 1..6 {
            if j < cone.dim {
                let tangential = -normal / t * u[j] * cone.shape[j];
                self.set_row(cone.row + j, T::ZERO, tangential, state::CONE);
            }
        }
    }
}
