//! Exact minimisation of the cost along a line a + α·v.
//!
//! Along a line every row's cost is piecewise polynomial in α, so value, slope and curvature at a
//! point come from one pass over the rows. Newton's method on the slope first jumps to the
//! minimum of the local parabola, then walks in one direction until the slope changes sign, then
//! shrinks the bracket with Newton points of both ends and the midpoint. Lanes go through these parts
//! together; one that has found its minimum, or used up its evaluations, keeps it.

use crate::cost::circular;
use crate::problem::{Cone, ConeShape, Problem, Settings};
use core::ops::Range;
use sinew_math::dense::dot_with_four;
use sinew_math::{MIN_VALUE, Mask, Real};

/// c₀ + c₁α + c₂α²
pub(crate) type Quadratic<T> = [T; 3];

/// A cone along the line, N(α) = u₀ + αv₀, T²(α) = uu + 2α·uv + α²·vv: u₀, v₀, uu, uv, vv and the
/// stiffness of its side.
pub(crate) type ConeLine<T> = [T; 6];

/// The line: what is known along its direction v.
pub(crate) struct Line<'a, T, J> {
    pub problem: &'a Problem<'a, T, J>,
    pub inertial: Inertial<T>,
    /// What the inertia and the equalities cost.
    pub always: Quadratic<T>,
    /// J·v
    pub jacobian_direction: &'a [T],
    /// J·a − a_ref at the start.
    pub residual: &'a [T],
}

/// What the inertia costs along a line with direction v.
pub(crate) struct Inertial<T> {
    /// ‖v‖
    length: T,
    pub quadratic: Quadratic<T>,
}

impl<T: Real> Inertial<T> {
    /// Along a direction, with M·v and M·a at the start, where the cost is given.
    #[inline(always)]
    pub fn along<J>(
        problem: &Problem<'_, T, J>,
        direction: &[T],
        inertia_direction: &[T],
        inertia_start: &[T],
        cost: T,
    ) -> Self {
        let others = [
            direction,
            inertia_start,
            problem.qfrc_smooth,
            inertia_direction,
        ];
        let [square, start, smooth, curvature] = dot_with_four(direction, others);
        Inertial {
            length: square.sqrt(),
            quadratic: [cost, start - smooth, T::from_f64(0.5) * curvature],
        }
    }
}

/// How far to go along the line.
pub(crate) struct Step<T> {
    /// The best α; 0 where the cost cannot be lowered.
    pub alpha: T,
    /// Scaled slope there; 1 where not computed.
    pub slope: T,
    /// Evaluations it took.
    pub evaluations: T,
}

impl<T: Real> Step<T> {
    /// No step.
    pub const NONE: Self = Step {
        alpha: T::ZERO,
        slope: T::ONE,
        evaluations: T::ZERO,
    };
}

/// Cost along the line at one α.
#[derive(Clone, Copy)]
struct Point<T> {
    alpha: T,
    cost: T,
    slope: T,
    curvature: T,
}

impl<T: Real> Point<T> {
    /// Where the parabola through this point is lowest.
    #[inline(always)]
    fn newton(&self) -> T {
        self.alpha - self.slope / self.curvature
    }

    /// Becomes the other where the mask holds.
    #[inline(always)]
    fn replace(&mut self, mask: T::Mask, other: &Self) {
        self.alpha = T::select(mask, other.alpha, self.alpha);
        self.cost = T::select(mask, other.cost, self.cost);
        self.slope = T::select(mask, other.slope, self.slope);
        self.curvature = T::select(mask, other.curvature, self.curvature);
    }

    /// Moves an end of the bracket to the candidate nearest to the minimum on its side; returns
    /// where it moved.
    #[inline(always)]
    fn tighten(&mut self, goes: T::Mask, candidates: &[Self; 3]) -> T::Mask {
        let mut moved = T::Mask::NONE;
        for candidate in candidates {
            let (slope, other) = (self.slope, candidate.slope);
            let zero = T::ZERO;
            let is_closer_below = slope.less(zero) & other.less(zero) & slope.less(other);
            let is_closer_above = slope.greater(zero) & other.greater(zero) & slope.greater(other);
            let is_closer = goes & (is_closer_below | is_closer_above);
            self.replace(is_closer, candidate);
            moved = moved | is_closer;
        }
        moved
    }
}

/// A search under way: which lanes still look, what the others found.
struct Search<'a, T: Real, J> {
    rows: RowsAlong<'a, T, J>,
    slope_tolerance: T,
    most_evaluations: T,
    /// Evaluations so far.
    used: T,
    open: T::Mask,
    result: Point<T>,
}

/// Sums over equalities, which are on their parabolas wherever a line goes, in the order of the rows.
pub(crate) struct Equalities<'a, T> {
    D: &'a [T],
    residual: &'a [T],
    /// How many have been added.
    next: usize,
    // Three sums by name: those of an array may stay in memory, where each waits for the one before.
    constant: T,
    linear: T,
    square: T,
}

impl<'a, T: Real> Equalities<'a, T> {
    /// None of the first rows so far, on top of a given polynomial.
    #[inline(always)]
    pub fn on(sum: Quadratic<T>, count: usize, D: &'a [T], residual: &'a [T]) -> Self {
        let [constant, linear, square] = sum;
        Equalities {
            D: &D[..count],
            residual: &residual[..count],
            next: 0,
            constant,
            linear,
            square,
        }
    }

    /// Adds those below `end` that have not been added yet; J·v is known for them.
    #[inline(always)]
    pub fn add_until(&mut self, end: usize, jacobian_direction: &[T]) {
        let range = self.next..end;
        self.next = end;
        let (D, r) = (&self.D[range.clone()], &self.residual[range.clone()]);
        let jv = &jacobian_direction[range];
        for i in 0..jv.len() {
            let [c0, c1, c2] = quadratic(D[i], r[i], jv[i]);
            self.constant += c0;
            self.linear += c1;
            self.square += c2;
        }
    }

    /// Adds the rest.
    #[inline(always)]
    pub fn add_all(mut self, jacobian_direction: &[T]) -> Quadratic<T> {
        self.add_until(self.D.len(), jacobian_direction);
        [self.constant, self.linear, self.square]
    }

    /// The same in a function of its own, which has registers for its sums.
    #[inline(never)]
    fn add_all_apart(self, jacobian_direction: &[T]) -> Quadratic<T> {
        self.add_all(jacobian_direction)
    }

    /// The same, but packs need it where they are, compiled for their registers.
    #[inline(always)]
    pub fn add_all_of_lanes(self, jacobian_direction: &[T]) -> Quadratic<T> {
        if T::LANES == 1 {
            self.add_all_apart(jacobian_direction)
        } else {
            self.add_all(jacobian_direction)
        }
    }
}

/// The parabola of a row with a weight, a residual and its slope along the line. No closure: lanes need it in place.
#[inline(always)]
fn quadratic<T: Real>(weight: T, residual: T, slope: T) -> Quadratic<T> {
    let half = T::from_f64(0.5);
    let weighted = weight * residual;
    [
        half * (residual * weighted),
        slope * weighted,
        half * (slope * weight * slope),
    ]
}

impl<T: Real, J> Line<'_, T, J> {
    /// Finds the best step in the active lanes; in others it is 0.
    #[inline(always)]
    pub fn minimise(
        &self,
        settings: &Settings,
        active: T::Mask,
        quadratics: &mut [Quadratic<T>],
        cones: &mut [ConeLine<T>],
    ) -> Step<T> {
        let length = self.inertial.length;
        let is_long = active & !length.less(T::from_f64(MIN_VALUE));
        if !is_long.any() {
            return Step::NONE;
        }
        let scale = self.problem.scale;
        let tolerance = T::from_f64(settings.tolerance * settings.ls_tolerance);
        let rows = self.prepare(quadratics, cones);
        let start = rows.at(T::ZERO);
        let first = rows.at(start.newton());
        let mut search = Search {
            rows,
            slope_tolerance: tolerance * length / scale,
            most_evaluations: T::from_f64(settings.ls_iterations as f64),
            used: T::from_f64(2.0),
            open: is_long,
            result: first,
        };
        let failed = search.run(start, first);
        let is_found = is_long & !failed;
        let Search { result, used, .. } = search;
        Step {
            alpha: T::select(is_found, result.alpha, T::ZERO),
            slope: T::select(is_found, result.slope.abs() * (scale / length), T::ONE),
            evaluations: T::select(is_long, used, T::ZERO),
        }
    }

    /// Polynomials of the rows that are not always on their parabolas.
    #[inline(always)]
    fn prepare<'a>(
        &'a self,
        quadratics: &'a mut [Quadratic<T>],
        cones: &'a mut [ConeLine<T>],
    ) -> RowsAlong<'a, T, J> {
        let problem = self.problem;
        let r = self.residual;
        let (jv, D) = (&self.jacobian_direction[..r.len()], &problem.D[..r.len()]);
        for i in problem.equality_count..r.len() {
            quadratics[i] = quadratic(D[i], r[i], jv[i]);
        }
        let shaped = problem.cones.iter().zip(problem.cone_shapes);
        for ((cone, shape), along) in shaped.zip(&mut *cones) {
            *along = cone_line(cone, shape, D, r, jv);
            // The first row of a contact carries the sum over its rows.
            for j in 1..cone.dim {
                let row = quadratics[cone.row + j];
                add(&mut quadratics[cone.row], &row);
            }
        }
        RowsAlong {
            problem,
            residual: r,
            jacobian_direction: jv,
            always: self.always,
            quadratics,
            cones,
        }
    }
}

impl<T: Real, J> Search<'_, T, J> {
    #[inline(always)]
    fn at(&mut self, goes: T::Mask, alpha: T) -> Point<T> {
        self.used = T::select(goes, self.used + T::ONE, self.used);
        self.rows.at(alpha)
    }

    /// Whether the slope is as good as zero.
    #[inline(always)]
    fn is_level(&self, point: &Point<T>) -> T::Mask {
        point.slope.abs().less(self.slope_tolerance)
    }

    /// These lanes are done.
    #[inline(always)]
    fn close(&mut self, found: T::Mask, point: &Point<T>) {
        self.result.replace(found, point);
        self.open = self.open & !found;
    }

    /// From the start and the first Newton point to the end; returns where nothing better than the
    /// start was found.
    #[inline(always)]
    fn run(&mut self, start: Point<T>, first: Point<T>) -> T::Mask {
        let mut p1 = first;
        self.close(self.is_level(&p1), &p1);

        // One-sided: Newton steps until the slope changes sign.
        let direction = T::select(p1.slope.less(T::ZERO), T::ONE, -T::ONE);
        let mut p2 = start;
        loop {
            let is_ahead = (p1.slope * direction).at_most(-self.slope_tolerance);
            let walks = self.open & is_ahead & self.used.less(self.most_evaluations);
            if !walks.any() {
                break;
            }
            p2.replace(walks, &p1);
            let next = self.at(walks, p1.newton());
            p1.replace(walks, &next);
            self.close(walks & self.is_level(&p1), &p1);
        }
        let is_spent = !self.used.less(self.most_evaluations);
        self.close(self.open & is_spent, &p1);
        if !self.open.any() {
            return T::Mask::NONE;
        }
        let mut ends = [p1, p2];
        self.shrink(&mut ends);

        // The evaluations are used up.
        let [p1, p2] = ends;
        let first_is_best = p1.cost.at_most(p2.cost) & p1.cost.less(start.cost);
        self.close(self.open & first_is_best, &p1);
        let second_is_best = p2.cost.at_most(p1.cost) & p2.cost.less(start.cost);
        self.close(self.open & second_is_best, &p2);
        self.open
    }

    /// Bracketed between two points.
    #[inline(always)]
    fn shrink(&mut self, ends: &mut [Point<T>; 2]) {
        // The Newton points of both ends, and the middle. That of the second end is the first.
        let mut candidates = [ends[0]; 3];
        let mut moved = [self.open, T::Mask::NONE];
        loop {
            for k in 0..2 {
                if moved[k].any() {
                    let next = self.at(moved[k], ends[k].newton());
                    candidates[k].replace(moved[k], &next);
                }
            }
            let goes = self.open & self.used.less(self.most_evaluations);
            if !goes.any() {
                break;
            }
            candidates[2] = self.at(goes, T::from_f64(0.5) * (ends[0].alpha + ends[1].alpha));
            let mut best = candidates[0];
            let mut is_found = T::Mask::NONE;
            for candidate in &candidates {
                let is_better = !is_found | candidate.cost.less(best.cost);
                let is_best = goes & is_better & self.is_level(candidate);
                best.replace(is_best, candidate);
                is_found = is_found | is_best;
            }
            self.close(is_found, &best);
            let goes = goes & !is_found;
            for k in 0..2 {
                moved[k] = ends[k].tighten(goes, &candidates);
            }
            // The limit of accuracy.
            self.close(goes & !(moved[0] | moved[1]), &candidates[2]);
        }
    }
}

#[inline(always)]
fn cone_line<T: Real>(
    cone: &Cone,
    shape: &ConeShape<T>,
    D: &[T],
    r: &[T],
    jv: &[T],
) -> ConeLine<T> {
    let mu = shape[0];
    let u = circular(cone, shape, r);
    let v = circular(cone, shape, jv);
    let (mut uu, mut uv, mut vv) = (T::ZERO, T::ZERO, T::ZERO);
    for j in 1..cone.dim {
        uu += u[j] * u[j];
        uv += u[j] * v[j];
        vv += v[j] * v[j];
    }
    let stiffness = D[cone.row] / ((mu * mu) * (T::ONE + mu * mu));
    [u[0], v[0], uu, uv, vv, stiffness]
}

#[inline(always)]
fn add<T: Real>(total: &mut Quadratic<T>, other: &Quadratic<T>) {
    for k in 0..3 {
        total[k] += other[k];
    }
}

#[inline(always)]
fn add_where<T: Real>(mask: T::Mask, total: &mut Quadratic<T>, other: &Quadratic<T>) {
    for k in 0..3 {
        total[k] = T::select(mask, total[k] + other[k], total[k]);
    }
}

/// The cost of all rows along the line.
struct RowsAlong<'a, T, J> {
    problem: &'a Problem<'a, T, J>,
    residual: &'a [T],
    jacobian_direction: &'a [T],
    /// What the inertia and the equalities cost.
    always: Quadratic<T>,
    quadratics: &'a [Quadratic<T>],
    cones: &'a [ConeLine<T>],
}

impl<T: Real, J> RowsAlong<'_, T, J> {
    /// Value, slope and curvature at α.
    #[inline(always)]
    fn at(&self, alpha: T) -> Point<T> {
        // One function for all who ask, but packs need it where they are, compiled for their registers.
        if T::LANES == 1 {
            self.evaluate_apart(alpha)
        } else {
            self.evaluate(alpha)
        }
    }

    #[inline(never)]
    fn evaluate_apart(&self, alpha: T) -> Point<T> {
        self.evaluate(alpha)
    }

    #[inline(always)]
    fn evaluate(&self, alpha: T) -> Point<T> {
        let problem = self.problem;
        let friction_start = problem.equality_count;
        let push_start = friction_start + problem.friction_count;
        let mut total = self.always;
        self.add_friction(friction_start..push_start, alpha, &mut total);
        let mut point = Point {
            alpha,
            cost: T::ZERO,
            slope: T::ZERO,
            curvature: T::ZERO,
        };
        let mut i = push_start;
        let shaped = problem.cones.iter().zip(problem.cone_shapes);
        for ((cone, shape), along) in shaped.zip(self.cones) {
            self.add_pushing(i..cone.row, alpha, &mut total);
            let parabola = &self.quadratics[cone.row];
            add_cone(shape[0], along, parabola, &mut total, &mut point);
            i = cone.row + cone.dim;
        }
        self.add_pushing(i..self.residual.len(), alpha, &mut total);

        let two = T::from_f64(2.0);
        point.cost += alpha * alpha * total[2] + alpha * total[1] + total[0];
        point.slope += two * alpha * total[2] + total[1];
        point.curvature += two * total[2];
        // A convex cost curves upwards; rounding may say otherwise.
        let is_flat = point.curvature.at_most(T::ZERO);
        point.curvature = T::select(is_flat, T::from_f64(MIN_VALUE), point.curvature);
        point
    }

    /// Rows of dry friction: on the parabola between the bounds, on an arm beyond.
    #[inline(always)]
    fn add_friction(&self, rows: Range<usize>, alpha: T, total: &mut Quadratic<T>) {
        let Problem {
            R, frictionloss, ..
        } = *self.problem;
        let (R, losses) = (&R[rows.clone()], &frictionloss[rows.clone()]);
        let residual = &self.residual[rows.clone()];
        let jacobian_direction = &self.jacobian_direction[rows.clone()];
        let quadratics = &self.quadratics[rows];
        for k in 0..residual.len() {
            let (r, jv, loss) = (residual[k], jacobian_direction[k], losses[k]);
            let (x, bound) = (r + alpha * jv, R[k] * loss);
            let is_inside = (-bound).less(x) & x.less(bound);
            if is_inside.all() {
                add(total, &quadratics[k]);
                continue;
            }
            let is_below = x.at_most(-bound);
            let distance = T::select(is_below, -r, r);
            let slope = T::select(is_below, -loss, loss);
            let low = -T::from_f64(0.5) * bound;
            let arm = [loss * (low + distance), slope * jv, T::ZERO];
            for (j, total) in total.iter_mut().enumerate() {
                *total += T::select(is_inside, quadratics[k][j], arm[j]);
            }
        }
    }

    /// Rows that only push.
    #[inline(always)]
    fn add_pushing(&self, rows: Range<usize>, alpha: T, total: &mut Quadratic<T>) {
        let r = &self.residual[rows.clone()];
        let jv = &self.jacobian_direction[rows.clone()];
        let quadratics = &self.quadratics[rows];
        for k in 0..r.len() {
            let pushes = (r[k] + alpha * jv[k]).less(T::ZERO);
            if pushes.any() {
                add_where(pushes, total, &quadratics[k]);
            }
        }
    }
}

/// Adds a cone of slope μ: to the polynomial where it is on its parabola, to the point on its side.
#[inline(always)]
fn add_cone<T: Real>(
    mu: T,
    along: &ConeLine<T>,
    parabola: &Quadratic<T>,
    total: &mut Quadratic<T>,
    point: &mut Point<T>,
) {
    let &[u0, v0, uu, uv, vv, stiffness] = along;
    let alpha = point.alpha;
    let n = u0 + alpha * v0;
    let t_squared = uu + alpha * (T::from_f64(2.0) * uv + alpha * vv);
    let is_flat = t_squared.at_most(T::ZERO);
    let t = t_squared.sqrt();
    let is_satisfied = !is_flat & n.at_least(mu * t);
    if is_satisfied.all() {
        return;
    }
    let is_bottom = (is_flat & n.less(T::ZERO)) | (!is_flat & (mu * n + t).at_most(T::ZERO));
    let is_quadratic = !is_satisfied & is_bottom;
    if is_quadratic.any() {
        add_where(is_quadratic, total, parabola);
    }
    let is_between = !(is_flat | is_satisfied | is_bottom);
    if is_between.any() {
        let t1 = (uv + alpha * vv) / t;
        let t2 = vv / t - (uv + alpha * vv) * t1 / (t * t);
        let (depth, depth1) = (n - mu * t, v0 - mu * t1);
        let mut side = *point;
        side.cost += T::from_f64(0.5) * stiffness * depth * depth;
        side.slope += stiffness * depth * depth1;
        side.curvature += stiffness * (depth1 * depth1 + depth * (-mu * t2));
        point.replace(is_between, &side);
    }
}
