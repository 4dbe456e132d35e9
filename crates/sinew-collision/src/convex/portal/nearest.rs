//! The point of a triangle nearest to the origin.

use super::{ZERO, are_equal};
use sinew_math::Vec3;

/// Squared distance and point.
pub(super) fn nearest_of_triangle([a, b, c]: [Vec3; 3]) -> (f64, Vec3) {
    // a + s·ab + t·ac
    let (ab, ac) = (b - a, c - a);
    let (v, w) = (ab.dot(ab), ac.dot(ac));
    let (p, q, r) = (a.dot(ab), a.dot(ac), ab.dot(ac));
    let determinant = w * v - r * r;
    if determinant.abs() >= ZERO {
        let s = (q * r - w * p) / determinant;
        let t = (-s * r - q) / w;
        let is_share = |x: f64| x > -ZERO && is_at_most_one(x);
        if is_share(s) && is_share(t) && is_at_most_one(t + s) {
            let point = a + ab * s + ac * t;
            return (point.dot(point), point);
        }
    }
    // Outside of the triangle, or it has no area: of one of its sides.
    let mut best = nearest_of_segment(a, b);
    for other in [nearest_of_segment(a, c), nearest_of_segment(b, c)] {
        if other.0 < best.0 {
            best = other;
        }
    }
    best
}

fn nearest_of_segment(a: Vec3, b: Vec3) -> (f64, Vec3) {
    let along = b - a;
    let t = -a.dot(along) / along.dot(along);
    let point = if t < ZERO {
        a
    } else if t > 1.0 || are_equal(t, 1.0) {
        b
    } else {
        along * t + a
    };
    (point.dot(point), point)
}

fn is_at_most_one(x: f64) -> bool {
    x < 1.0 || are_equal(x, 1.0)
}
