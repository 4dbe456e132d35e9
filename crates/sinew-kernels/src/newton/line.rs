//! Exact minimisation of the cost along a line: what `sinew_solver::primal` does.

use super::Solver;
use super::cost::Cone;
use super::search::{Line, Point, search};
use crate::Number;
use crate::warp::LANES;
use sinew_math::MIN_VALUE;

impl<T: Number, const PARTS: bool> Solver<'_, T, PARTS> {
    /// The best step along the direction; 0 where the cost cannot be lowered. `gauss` is the inertial cost at its start.
    #[inline(always)]
    pub(super) fn minimise(&self, gauss: T) -> T {
        let (work, given) = (&self.work, self.given);
        let v = work.direction;
        self.warp.each(self.dofs(), |i| {
            work.inertial_terms[i].set(given.qfrc_smooth[self.dof(i)]);
        });
        let [square, start, force, inertial] = self.dots(|k| match k {
            0 => (v, v),
            1 => (v, work.inertia_acceleration),
            2 => (work.inertial_terms, v),
            _ => (v, work.inertia_direction),
        });
        let length = square.sqrt();
        if length < T::from_f64(MIN_VALUE) {
            return T::ZERO;
        }
        self.prepare();
        let line = Line {
            gauss: [gauss, start - force, T::from_f64(0.5) * inertial],
            slope_tolerance: self.scene.constants.slope_tolerance * length / self.part.scale,
            least_slope: self.scene.constants.least_slope,
            most: self.scene.head.ls_iterations,
        };
        search(&line, |alpha| self.at(&line, alpha))
    }

    /// Polynomials of all rows.
    #[inline(always)]
    fn prepare(&self) {
        let (given, part, work) = (self.given, &self.part, &self.work);
        let half = T::from_f64(0.5);
        self.warp.each(part.rows, |i| {
            let (r, jv, D) = (
                work.residual[i].get(),
                work.jacobian_direction[i].get(),
                given.D[self.row(i)],
            );
            let dr = D * r;
            let polynomial = [half * (r * dr), jv * dr, half * (jv * D * jv)];
            for k in 0..3 {
                work.quadratics[3 * i + k].set(polynomial[k]);
            }
        });
        if part.cones == 0 {
            return;
        }
        self.warp.each(part.cones, |index| {
            let cone = self.cone(index);
            let along = self.cone_line(&cone);
            for k in 0..6 {
                work.cone_lines[6 * index + k].set(along[k]);
            }
            // The first row of a contact carries the sum over its rows.
            for j in 1..cone.dim {
                for k in 0..3 {
                    let first = &work.quadratics[3 * cone.row + k];
                    first.set(first.get() + work.quadratics[3 * (cone.row + j) + k].get());
                }
            }
        });
    }

    #[inline(always)]
    fn cone_line(&self, cone: &Cone<'_, T>) -> [T; 6] {
        let mu = cone.shape[0];
        let u = cone.circular(self.work.residual);
        let v = cone.circular(self.work.jacobian_direction);
        let (mut uu, mut uv, mut vv) = (T::ZERO, T::ZERO, T::ZERO);
        for j in 1..6 {
            if j < cone.dim {
                uu += u[j] * u[j];
                uv += u[j] * v[j];
                vv += v[j] * v[j];
            }
        }
        let stiffness = cone.D / ((mu * mu) * (T::ONE + mu * mu));
        [u[0], v[0], uu, uv, vv, stiffness]
    }

    /// Value, slope and curvature at α.
    #[inline(always)]
    fn at(&self, line: &Line<T>, alpha: T) -> Point<T> {
        let (part, work) = (&self.part, &self.work);
        let push_start = part.equality_count + part.friction_count;
        let friction = part.equality_count..push_start;
        if part.friction_count > 0 {
            self.warp.each(part.friction_count, |k| {
                self.arm(part.equality_count + k, k, alpha)
            });
        }
        if part.cones > 0 {
            self.warp.each(part.rows, |i| work.terms[i].set(T::ZERO));
            self.warp.each(part.cones, |k| self.side(k, alpha));
        }
        // Three threads add up the polynomial, each one of its coefficients.
        self.warp.each(3, |k| work.parts[k].set(line.gauss[k]));
        let mut first = 0;
        while first < part.rows {
            let is_added = |i: usize| {
                if i < push_start {
                    return true;
                }
                if part.cones > 0 {
                    // What belongs to a cone has been decided.
                    let decided = work.terms[i].get();
                    if decided != T::ZERO {
                        return decided > T::ZERO;
                    }
                }
                work.residual[i].get() + alpha * work.jacobian_direction[i].get() < T::ZERO
            };
            let added = self.warp.which(first, part.rows, is_added);
            self.warp.each(3, |k| {
                let mut sum = work.parts[k].get();
                let mut rows = added;
                while rows != 0 {
                    let row = first + rows.trailing_zeros() as usize;
                    rows &= rows - 1;
                    sum += match friction.contains(&row) {
                        true => work.arms[3 * (row - friction.start) + k].get(),
                        false => work.quadratics[3 * row + k].get(),
                    };
                }
                work.parts[k].set(sum);
            });
            first += LANES;
        }
        let total = [0, 1, 2].map(|k| work.parts[k].get());
        let mut sides = [T::ZERO; 3];
        if part.cones > 0 {
            self.warp.each(3, |k| {
                let mut sum = T::ZERO;
                for index in 0..part.cones {
                    sum += work.sides[3 * index + k].get();
                }
                work.parts[4 + k].set(sum);
            });
            sides = [4, 5, 6].map(|k| work.parts[k].get());
        }
        self.warp.each(0, |_| {});
        Point::new(alpha, total, sides)
    }

    /// What a row of dry friction adds: its parabola between the bounds, an arm beyond.
    #[inline(always)]
    fn arm(&self, i: usize, place: usize, alpha: T) {
        let (given, work) = (self.given, &self.work);
        let (r, jv) = (work.residual[i].get(), work.jacobian_direction[i].get());
        let loss = given.frictionloss[self.row(i)];
        let (x, bound) = (r + alpha * jv, given.R[self.row(i)] * loss);
        let is_inside = -bound < x && x < bound;
        let is_below = x <= -bound;
        let distance = if is_below { -r } else { r };
        let slope = if is_below { -loss } else { loss };
        let low = -T::from_f64(0.5) * bound;
        let arm = [loss * (low + distance), slope * jv, T::ZERO];
        for k in 0..3 {
            let parabola = work.quadratics[3 * i + k].get();
            work.arms[3 * place + k].set(if is_inside { parabola } else { arm[k] });
        }
    }

    /// Decides where a cone is: its rows are marked 1 if they add their sum, −1 if they do not, and what it adds on its
    /// side is written.
    #[inline(always)]
    fn side(&self, index: usize, alpha: T) {
        let work = &self.work;
        let cone = self.cone(index);
        let mu = cone.shape[0];
        let [u0, v0, uu, uv, vv, stiffness] =
            [0, 1, 2, 3, 4, 5].map(|k| work.cone_lines[6 * index + k].get());
        let n = u0 + alpha * v0;
        let t_squared = uu + alpha * (T::from_f64(2.0) * uv + alpha * vv);
        let is_flat = t_squared <= T::ZERO;
        let t = t_squared.sqrt();
        let is_satisfied = !is_flat && n >= mu * t;
        let is_bottom = (is_flat && n < T::ZERO) || (!is_flat && mu * n + t <= T::ZERO);
        let is_quadratic = !is_satisfied && is_bottom;
        for j in 0..cone.dim {
            let is_added = is_quadratic && j == 0;
            work.terms[cone.row + j].set(if is_added { T::ONE } else { -T::ONE });
        }
        let mut added = [T::ZERO; 3];
        if !(is_flat || is_satisfied || is_bottom) {
            let t1 = (uv + alpha * vv) / t;
            let t2 = vv / t - (uv + alpha * vv) * t1 / (t * t);
            let (depth, depth1) = (n - mu * t, v0 - mu * t1);
            added = [
                T::from_f64(0.5) * stiffness * depth * depth,
                stiffness * depth * depth1,
                stiffness * (depth1 * depth1 + depth * (-mu * t2)),
            ];
        }
        for k in 0..3 {
            work.sides[3 * index + k].set(added[k]);
        }
    }
}
