//! Exact minimisation of the cost along a line: what `sinew_solver::primal` does.

use super::Solver;
use super::cost::Cone;
use crate::Number;
use crate::warp::LANES;
use sinew_math::MIN_VALUE;

/// Cost along the line at one α.
#[derive(Clone, Copy)]
struct Point<T> {
    alpha: T,
    cost: T,
    slope: T,
    curvature: T,
}

impl<T: Number> Point<T> {
    /// Where the parabola through this point is lowest.
    #[inline(always)]
    fn newton(&self) -> T {
        self.alpha - self.slope / self.curvature
    }

    /// Moves an end of the bracket to the candidate nearest to the minimum on its side; returns whether it moved.
    #[inline(always)]
    fn tighten(&mut self, candidates: [&Self; 3]) -> bool {
        let mut moved = false;
        for candidate in candidates {
            let (slope, other, zero) = (self.slope, candidate.slope, T::ZERO);
            let is_closer_below = slope < zero && other < zero && slope < other;
            let is_closer_above = slope > zero && other > zero && slope > other;
            if is_closer_below || is_closer_above {
                *self = *candidate;
                moved = true;
            }
        }
        moved
    }
}

impl<T: Number> Solver<'_, T> {
    /// The best step along the direction; 0 where the cost cannot be lowered. `gauss` is the inertial cost at its start.
    #[inline(always)]
    pub(super) fn minimise(&self, gauss: T) -> T {
        let (work, given) = (&self.work, self.given);
        let v = work.direction;
        self.warp.each(self.dofs(), |i| {
            work.inertial_terms[i].set(given.qfrc_smooth[i]);
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
            slope_tolerance: self.scene.constants.slope_tolerance * length / given.scale,
            most: self.scene.head.ls_iterations,
        };
        self.search(&line)
    }

    /// Polynomials of all rows.
    #[inline(always)]
    fn prepare(&self) {
        let (given, work) = (self.given, &self.work);
        let half = T::from_f64(0.5);
        self.warp.each(given.rows, |i| {
            let (r, jv, D) = (
                work.residual[i].get(),
                work.jacobian_direction[i].get(),
                given.D[i],
            );
            let dr = D * r;
            let polynomial = [half * (r * dr), jv * dr, half * (jv * D * jv)];
            for k in 0..3 {
                work.quadratics[3 * i + k].set(polynomial[k]);
            }
        });
        if given.cones == 0 {
            return;
        }
        self.warp.each(given.cones, |index| {
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
        let stiffness = self.given.D[cone.row] / ((mu * mu) * (T::ONE + mu * mu));
        [u[0], v[0], uu, uv, vv, stiffness]
    }

    /// Newton's method on the slope: to the minimum of the first parabola, on until the slope changes sign, then between
    /// two ends. Points are evaluated in one place, because programs of a device should be short.
    #[inline(always)]
    fn search(&self, line: &Line<T>) -> T {
        let tolerance = line.slope_tolerance;
        let is_level = |point: &Point<T>| point.slope.abs() < tolerance;
        let none = Point {
            alpha: T::ZERO,
            cost: T::ZERO,
            slope: T::ZERO,
            curvature: T::ONE,
        };
        let (mut start, mut p1, mut p2) = (none, none, none);
        // The Newton points of both ends. That of the second end is the first.
        let (mut next1, mut next2) = (none, none);
        let mut direction = T::ONE;
        let mut moved2 = false;
        let mut used = 0;
        let mut alpha = T::ZERO;
        let mut asked = Asked::Start;
        loop {
            let point = self.at(line, alpha);
            used += 1;
            if asked == Asked::Start {
                start = point;
                (alpha, asked) = (point.newton(), Asked::First);
                continue;
            }
            if asked == Asked::First || asked == Asked::Ahead {
                if asked == Asked::First {
                    direction = if point.slope < T::ZERO {
                        T::ONE
                    } else {
                        -T::ONE
                    };
                    p2 = start;
                }
                p1 = point;
                if is_level(&p1) {
                    return p1.alpha;
                }
                alpha = p1.newton();
                if p1.slope * direction <= -tolerance && used < line.most {
                    p2 = p1;
                    asked = Asked::Ahead;
                    continue;
                }
                if used >= line.most {
                    return p1.alpha;
                }
                next2 = p1;
                asked = Asked::Next1;
                continue;
            }
            if asked == Asked::Middle {
                let mut best: Option<Point<T>> = None;
                for candidate in [&next1, &next2, &point] {
                    let is_better = best.is_none_or(|best| candidate.cost < best.cost);
                    if is_better && is_level(candidate) {
                        best = Some(*candidate);
                    }
                }
                if let Some(best) = best {
                    return best.alpha;
                }
                let moved1 = p1.tighten([&next1, &next2, &point]);
                moved2 = p2.tighten([&next1, &next2, &point]);
                // The limit of accuracy.
                if !moved1 && !moved2 {
                    return point.alpha;
                }
                (alpha, asked) = match moved1 {
                    true => (p1.newton(), Asked::Next1),
                    false => (p2.newton(), Asked::Next2),
                };
                continue;
            }
            if asked == Asked::Next1 {
                next1 = point;
                if moved2 {
                    (alpha, asked) = (p2.newton(), Asked::Next2);
                    continue;
                }
            } else {
                next2 = point;
            }
            if used >= line.most {
                break;
            }
            alpha = T::from_f64(0.5) * (p1.alpha + p2.alpha);
            asked = Asked::Middle;
        }
        if p1.cost <= p2.cost && p1.cost < start.cost {
            p1.alpha
        } else if p2.cost <= p1.cost && p2.cost < start.cost {
            p2.alpha
        } else {
            T::ZERO
        }
    }

    /// Value, slope and curvature at α.
    #[inline(always)]
    fn at(&self, line: &Line<T>, alpha: T) -> Point<T> {
        let (given, work) = (self.given, &self.work);
        let push_start = given.equality_count + given.friction_count;
        let friction = given.equality_count..push_start;
        if given.friction_count > 0 {
            self.warp.each(given.friction_count, |k| {
                self.arm(given.equality_count + k, k, alpha)
            });
        }
        if given.cones > 0 {
            self.warp.each(given.rows, |i| work.terms[i].set(T::ZERO));
            self.warp.each(given.cones, |k| self.side(k, alpha));
        }
        // Three threads add up the polynomial, each one of its coefficients.
        self.warp.each(3, |k| work.parts[k].set(line.gauss[k]));
        let mut first = 0;
        while first < given.rows {
            let is_added = |i: usize| {
                if i < push_start {
                    return true;
                }
                if given.cones > 0 {
                    // What belongs to a cone has been decided.
                    let decided = work.terms[i].get();
                    if decided != T::ZERO {
                        return decided > T::ZERO;
                    }
                }
                work.residual[i].get() + alpha * work.jacobian_direction[i].get() < T::ZERO
            };
            let added = self.warp.which(first, given.rows, is_added);
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
        if given.cones > 0 {
            self.warp.each(3, |k| {
                let mut sum = T::ZERO;
                for index in 0..given.cones {
                    sum += work.sides[3 * index + k].get();
                }
                work.parts[4 + k].set(sum);
            });
            sides = [4, 5, 6].map(|k| work.parts[k].get());
        }
        self.warp.each(0, |_| {});
        let two = T::from_f64(2.0);
        let curvature = sides[2] + two * total[2];
        Point {
            alpha,
            cost: sides[0] + (alpha * alpha * total[2] + alpha * total[1] + total[0]),
            slope: sides[1] + (two * alpha * total[2] + total[1]),
            // A convex cost curves upwards; rounding may say otherwise.
            curvature: if curvature <= T::ZERO {
                T::from_f64(MIN_VALUE)
            } else {
                curvature
            },
        }
    }

    /// What a row of dry friction adds: its parabola between the bounds, an arm beyond.
    #[inline(always)]
    fn arm(&self, i: usize, place: usize, alpha: T) {
        let (given, work) = (self.given, &self.work);
        let (r, jv) = (work.residual[i].get(), work.jacobian_direction[i].get());
        let loss = given.frictionloss[i];
        let (x, bound) = (r + alpha * jv, given.R[i] * loss);
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

/// Which point of a search was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Start,
    First,
    Ahead,
    Next1,
    Next2,
    Middle,
}

/// What stays the same along a line.
struct Line<T> {
    /// Polynomial of the inertial cost.
    gauss: [T; 3],
    slope_tolerance: T,
    /// Most evaluations.
    most: usize,
}
