//! The search for the lowest point along a line: what `sinew_solver::primal` does, whoever evaluates the cost.

use crate::Number;
use sinew_math::MIN_VALUE;

/// Cost along the line at one α.
#[derive(Clone, Copy)]
pub(super) struct Point<T> {
    alpha: T,
    cost: T,
    slope: T,
    curvature: T,
}

impl<T: Number> Point<T> {
    /// At an α, of the polynomial that all parabolas add up to, and what cones add on their side.
    #[inline(always)]
    pub fn new(alpha: T, total: [T; 3], sides: [T; 3]) -> Self {
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

    /// Where the parabola through this point is lowest.
    #[inline(always)]
    fn newton(&self) -> T {
        self.alpha - self.slope / self.curvature
    }

    /// Whether the cost hardly changes here.
    #[inline(always)]
    fn is_level(&self, tolerance: T) -> bool {
        self.slope.abs() < tolerance
    }

    /// Moves an end of the bracket to a point that is nearer to the minimum on its side; returns whether it moved.
    #[inline(always)]
    fn tighten(&mut self, candidate: Self) -> bool {
        let (slope, other, zero) = (self.slope, candidate.slope, T::ZERO);
        let is_closer_below = slope < zero && other < zero && slope < other;
        let is_closer_above = slope > zero && other > zero && slope > other;
        let is_closer = is_closer_below || is_closer_above;
        if is_closer {
            *self = candidate;
        }
        is_closer
    }

    /// The lower of two points, of which this may be none, if the other is level.
    #[inline(always)]
    fn or_lower(self, is_found: bool, candidate: Self, is_level: bool) -> (Self, bool) {
        if is_level && (!is_found || candidate.cost < self.cost) {
            (candidate, true)
        } else {
            (self, is_found)
        }
    }
}

/// Newton's method on the slope: to the minimum of the first parabola, on until the slope changes sign, then between
/// two ends. Points are evaluated in one place, because programs of a device should be short.
#[inline(always)]
pub(super) fn search<T: Number>(line: &Line<T>, mut at: impl FnMut(T) -> Point<T>) -> T {
    let mut tolerance = line.slope_tolerance;
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
        let point = at(alpha);
        used += 1;
        if asked == Asked::Start {
            start = point;
            tolerance = tolerance.max_of(line.least_slope * point.slope.abs());
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
            if p1.is_level(tolerance) {
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
            let (best, is_found) = point.or_lower(false, next1, next1.is_level(tolerance));
            let (best, is_found) = best.or_lower(is_found, next2, next2.is_level(tolerance));
            let (best, is_found) = best.or_lower(is_found, point, point.is_level(tolerance));
            if is_found {
                return best.alpha;
            }
            let moved1 = p1.tighten(next1) | p1.tighten(next2) | p1.tighten(point);
            moved2 = p2.tighten(next1) | p2.tighten(next2) | p2.tighten(point);
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
pub(super) struct Line<T> {
    /// Polynomial of the inertial cost.
    pub gauss: [T; 3],
    /// Slope at which the search ends.
    pub slope_tolerance: T,
    /// Part of the slope at the start at which the search ends as well.
    pub least_slope: T,
    /// Most evaluations.
    pub most: usize,
}
