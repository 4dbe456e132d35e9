//! Exact minimisation of the cost along a line a + α·v.
//!
//! Along a line every row's cost is piecewise polynomial in α, so value, slope and curvature at a
//! point come from one pass over the rows. Newton's method on the slope first jumps to the
//! minimum of the local parabola, then walks in one direction until the slope changes sign, then
//! shrinks the bracket with Newton points of both ends and the midpoint.

use crate::problem::{Cone, Problem};
use sinew_math::MIN_VALUE;
use sinew_math::dense::{dot, norm};
use std::cell::Cell;

/// Cost along the line at one α.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    alpha: f64,
    cost: f64,
    slope: f64,
    curvature: f64,
}

/// c₀ + c₁α + c₂α²
type Quadratic = [f64; 3];

/// A cone along the line: N(α) = u0 + αv0, T²(α) = uu + 2α·uv + α²·vv.
#[derive(Clone, Copy, Debug, Default)]
struct ConeLine {
    u0: f64,
    v0: f64,
    uu: f64,
    uv: f64,
    vv: f64,
    stiffness: f64,
}

/// Storage that one solver keeps between calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineSearch {
    quadratics: Vec<Quadratic>,
    cones: Vec<ConeLine>,
    /// Evaluations so far.
    pub evaluations: usize,
    /// Scaled slope where the search ended; 1 when not computed.
    pub slope: f64,
}

/// The line: direction v, with M·v, J·v and what they start from.
pub(crate) struct Line<'a> {
    pub direction: &'a [f64],
    pub inertia_direction: &'a [f64],
    pub jacobian_direction: &'a [f64],
    /// M·a at the start.
    pub inertia_start: &'a [f64],
    /// J·a − a_ref at the start.
    pub residual: &'a [f64],
    /// ½(a − aₛ)ᵀM(a − aₛ) at the start.
    pub gauss: f64,
}

impl LineSearch {
    /// The best step α; 0 when the cost cannot be lowered.
    pub fn minimise(
        &mut self,
        problem: &Problem<'_>,
        line: &Line<'_>,
        tolerance: f64,
        most_evaluations: usize,
    ) -> f64 {
        self.evaluations = 0;
        self.slope = 1.0;
        let length = norm(line.direction);
        if length < MIN_VALUE {
            return 0.0;
        }
        let slope_tolerance = tolerance * length / problem.scale;
        let slope_scale = problem.scale / length;
        let gauss = self.prepare(problem, line);
        let used = Cell::new(0);
        let at = |alpha: f64| {
            used.set(used.get() + 1);
            evaluate(problem, line, &gauss, &self.quadratics, &self.cones, alpha)
        };
        let newton = |p: &Point| at(p.alpha - p.slope / p.curvature);

        let start = at(0.0);
        let mut p1 = newton(&start);
        let result = 'search: {
            if p1.slope.abs() < slope_tolerance {
                break 'search p1;
            }

            // One-sided: Newton steps until the slope changes sign.
            let direction = if p1.slope < 0.0 { 1.0 } else { -1.0 };
            let mut p2 = start;
            while p1.slope * direction <= -slope_tolerance && used.get() < most_evaluations {
                p2 = p1;
                p1 = newton(&p1);
                if p1.slope.abs() < slope_tolerance {
                    break 'search p1;
                }
            }
            if used.get() >= most_evaluations {
                break 'search p1;
            }

            // Bracketed between p1 and p2.
            let mut p2_next = p1;
            let mut p1_next = newton(&p1);
            while used.get() < most_evaluations {
                let middle = at(0.5 * (p1.alpha + p2.alpha));
                let candidates = [p1_next, p2_next, middle];
                let mut best: Option<Point> = None;
                for candidate in candidates {
                    let is_better = best.is_none_or(|best| candidate.cost < best.cost);
                    if candidate.slope.abs() < slope_tolerance && is_better {
                        best = Some(candidate);
                    }
                }
                if let Some(best) = best {
                    break 'search best;
                }
                let moved1 = tighten(&mut p1, &candidates);
                if moved1 {
                    p1_next = newton(&p1);
                }
                let moved2 = tighten(&mut p2, &candidates);
                if moved2 {
                    p2_next = newton(&p2);
                }
                // The limit of accuracy.
                if !moved1 && !moved2 {
                    break 'search middle;
                }
            }
            if p1.cost <= p2.cost && p1.cost < start.cost {
                p1
            } else if p2.cost <= p1.cost && p2.cost < start.cost {
                p2
            } else {
                self.evaluations = used.get();
                return 0.0;
            }
        };
        self.evaluations = used.get();
        self.slope = result.slope.abs() * slope_scale;
        result.alpha
    }

    /// Polynomials of all rows; returns that of the inertial cost.
    fn prepare(&mut self, problem: &Problem<'_>, line: &Line<'_>) -> Quadratic {
        let v = line.direction;
        let linear = dot(v, line.inertia_start) - dot(problem.qfrc_smooth, v);
        let gauss = [line.gauss, linear, 0.5 * dot(v, line.inertia_direction)];

        let (r, jv, D) = (line.residual, line.jacobian_direction, problem.D);
        self.quadratics.clear();
        self.quadratics.extend((0..r.len()).map(|i| {
            let dr = D[i] * r[i];
            [0.5 * (r[i] * dr), jv[i] * dr, 0.5 * (jv[i] * D[i] * jv[i])]
        }));
        self.cones.clear();
        for cone in problem.cones {
            self.cones.push(cone_line(cone, D, r, jv));
            // The first row of a contact carries the sum over its rows.
            for j in 1..cone.dim {
                let row = self.quadratics[cone.row + j];
                add(&mut self.quadratics[cone.row], &row);
            }
        }
        gauss
    }
}

fn cone_line(cone: &Cone, D: &[f64], r: &[f64], jv: &[f64]) -> ConeLine {
    let u = crate::cost::circular(cone, r);
    let v = crate::cost::circular(cone, jv);
    let mut out = ConeLine {
        u0: u[0],
        v0: v[0],
        stiffness: D[cone.row] / ((cone.mu * cone.mu) * (1.0 + cone.mu * cone.mu)),
        ..ConeLine::default()
    };
    for j in 1..cone.dim {
        out.uu += u[j] * u[j];
        out.uv += u[j] * v[j];
        out.vv += v[j] * v[j];
    }
    out
}

#[inline]
fn add(total: &mut Quadratic, other: &Quadratic) {
    total[0] += other[0];
    total[1] += other[1];
    total[2] += other[2];
}

/// Value, slope and curvature at α.
fn evaluate(
    problem: &Problem<'_>,
    line: &Line<'_>,
    gauss: &Quadratic,
    quadratics: &[Quadratic],
    cones: &[ConeLine],
    alpha: f64,
) -> Point {
    let mut total = *gauss;
    let (mut cost, mut slope, mut curvature) = (0.0, 0.0, 0.0);
    let friction_start = problem.equality_count;
    let push_start = friction_start + problem.friction_count;
    let (r, jv) = (line.residual, line.jacobian_direction);

    for quadratic in &quadratics[..friction_start] {
        add(&mut total, quadratic);
    }
    for i in friction_start..push_start {
        let x = r[i] + alpha * jv[i];
        let loss = problem.frictionloss[i];
        let bound = problem.R[i] * loss;
        if -bound < x && x < bound {
            add(&mut total, &quadratics[i]);
        } else if x <= -bound {
            add(
                &mut total,
                &[loss * (-0.5 * bound - r[i]), -loss * jv[i], 0.0],
            );
        } else {
            add(
                &mut total,
                &[loss * (-0.5 * bound + r[i]), loss * jv[i], 0.0],
            );
        }
    }
    let pushing = |rows: std::ops::Range<usize>, total: &mut Quadratic| {
        for i in rows {
            if r[i] + alpha * jv[i] < 0.0 {
                add(total, &quadratics[i]);
            }
        }
    };
    let mut i = push_start;
    for (cone, along) in problem.cones.iter().zip(cones) {
        pushing(i..cone.row, &mut total);
        i = cone.row + cone.dim;

        let n = along.u0 + alpha * along.v0;
        let t_squared = along.uu + alpha * (2.0 * along.uv + alpha * along.vv);
        if t_squared <= 0.0 {
            if n < 0.0 {
                add(&mut total, &quadratics[cone.row]);
            }
            continue;
        }
        let mu = cone.mu;
        let t = t_squared.sqrt();
        if n >= mu * t {
            continue;
        }
        if mu * n + t <= 0.0 {
            add(&mut total, &quadratics[cone.row]);
            continue;
        }
        let n1 = along.v0;
        let t1 = (along.uv + alpha * along.vv) / t;
        let t2 = along.vv / t - (along.uv + alpha * along.vv) * t1 / (t * t);
        let (depth, depth1) = (n - mu * t, n1 - mu * t1);
        cost += 0.5 * along.stiffness * depth * depth;
        slope += along.stiffness * depth * depth1;
        curvature += along.stiffness * (depth1 * depth1 + depth * (-mu * t2));
    }
    pushing(i..r.len(), &mut total);

    cost += alpha * alpha * total[2] + alpha * total[1] + total[0];
    slope += 2.0 * alpha * total[2] + total[1];
    curvature += 2.0 * total[2];
    // A convex cost curves upwards; rounding may say otherwise.
    if curvature <= 0.0 {
        curvature = MIN_VALUE;
    }
    Point {
        alpha,
        cost,
        slope,
        curvature,
    }
}

/// Moves an end of the bracket to the candidate nearest to the minimum on its side.
fn tighten(point: &mut Point, candidates: &[Point; 3]) -> bool {
    let mut is_moved = false;
    for candidate in candidates {
        let is_closer_below =
            point.slope < 0.0 && candidate.slope < 0.0 && point.slope < candidate.slope;
        let is_closer_above =
            point.slope > 0.0 && candidate.slope > 0.0 && point.slope > candidate.slope;
        if is_closer_below || is_closer_above {
            *point = *candidate;
            is_moved = true;
        }
    }
    is_moved
}
