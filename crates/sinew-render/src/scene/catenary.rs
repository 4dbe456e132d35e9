//! The curve of a hanging string.
//!
//! Between points with a horizontal distance h and a difference of heights v, a string of length ℓ has the height
//! c·cosh((x − m)/c) + const., where c = h/(2a) and a solves sinh(a)/a = √(ℓ² − v²)/h.

use libm::{cosh, log, sinh, sqrt};
use sinew_math::Vec3;

/// Points of a string between two ends; two where it is taut, three where it hangs down almost vertically.
#[doc(alias = "mjv_catenary")]
pub(super) fn points((from, to): (Vec3, Vec3), up: Vec3, length: f64, count: usize) -> Vec<Vec3> {
    let way = to - from;
    if way.norm() > length {
        return vec![from, to];
    }
    let height = way.dot(up);
    let level = way - up * height;
    let distance = level.norm();
    let across = if distance < sinew_math::MIN_VALUE {
        Vec3::ZERO
    } else {
        level.normalized()
    };
    if length > 100.0 * distance {
        // As a bead on a thread.
        let down = -0.5 * (sqrt(length * length - distance * distance) - height);
        let aside = distance * down / (2.0 * down - height);
        return vec![from, from + up * down + across * aside, to];
    }
    let ratio = sqrt(length * length - height * height) / distance;
    let c = distance / (2.0 * inverse_sinhc(ratio));
    let middle = 0.5 * (distance - c * log((length + height) / (length - height)));
    let lowest = c * cosh(middle / c);
    let mut out = vec![from];
    // The reference leaves the last step twice as long.
    out.extend((1..count - 1).map(|k| {
        let x = k as f64 * distance / count as f64;
        from + across * x + up * (c * cosh((x - middle) / c) - lowest)
    }));
    out.push(to);
    out
}

/// The a ≥ 0 for which sinh(a)/a is a number from 1 on, by Newton's method from above: the function is convex.
fn inverse_sinhc(ratio: f64) -> f64 {
    // sinh(a)/a ≥ 1 + a²/6 gives the first bound, sinh(a)/a ≥ exp(a/2)/2 − … a second for large ones.
    let mut a = sqrt(6.0 * (ratio - 1.0).max(1e-18)).min(2.0 * log(2.0 * ratio) + 4.0);
    for _ in 0..60 {
        let (s, c) = (sinh(a), cosh(a));
        let step = (s / a - ratio) * a * a / (a * c - s);
        if step.abs() <= 1e-13 * a || !step.is_finite() {
            break;
        }
        a = (a - step).max(0.25 * a);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The polygon is as long as the string, but for its corners.
    #[test]
    fn strings_are_as_long_as_they_say() {
        let up = Vec3([0.0, 0.0, 1.0]);
        for (to, length) in [
            (Vec3([1.0, 0.0, 0.0]), 1.001),
            (Vec3([1.0, 2.0, 0.7]), 3.0),
            (Vec3([0.3, 0.1, -1.0]), 12.0),
            (Vec3([0.1, 0.0, 0.0]), 9.0),
        ] {
            let points = points((Vec3::ZERO, to), up, length, 2000);
            let sum: f64 = points
                .windows(2)
                .map(|pair| pair[0].distance(pair[1]))
                .sum();
            assert!((sum / length - 1.0).abs() < 2e-3, "{sum} {length}");
        }
        let taut = points((Vec3::ZERO, up), up, 0.5, 9);
        assert_eq!(taut, [Vec3::ZERO, up]);
        let steep = points((Vec3::ZERO, Vec3([0.0, 0.0, -1.0])), up, 3.0, 9);
        assert_eq!(steep[1], Vec3([0.0, 0.0, -2.0]));
    }
}
