//! Two capsules: nearest points of two segments.
//!
//! With scaled half axes a₁, a₂ the points c₁ + x₁a₁ and c₂ + x₂a₂ (−1 ≤ x ≤ 1) are nearest where
//! the gradient of their squared distance vanishes, a 2×2 system; parallel axes make it singular
//! and are treated by their ends, which gives two contacts.

use super::{Shape, Touch, clip, sphere_sphere};
use sinew_math::MIN_VALUE;

/// One contact, or up to two when the axes are parallel.
#[doc(alias = "mjc_CapsuleCapsule")]
pub fn capsule_capsule(first: &Shape, second: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let axis1 = first.axis() * first.size[1];
    let axis2 = second.axis() * second.size[1];
    let between = first.pos - second.pos;

    // [a b; b c] (x₁ x₂)ᵀ = (u v)ᵀ
    let a = axis1.dot(axis1);
    let b = -axis1.dot(axis2);
    let c = axis2.dot(axis2);
    let u = -axis1.dot(between);
    let v = axis2.dot(between);
    let determinant = a * c - b * b;

    let clip = |x: f64| clip(x, 1.0);
    let start = out.len();
    let mut test = |x1: f64, x2: f64| {
        let near1 = first.at(axis1 * x1 + first.pos);
        let near2 = second.at(axis2 * x2 + second.pos);
        sphere_sphere(&near1, &near2, margin, out);
        out.len()
    };

    if determinant.abs() >= MIN_VALUE {
        let mut x1 = (c * u - b * v) / determinant;
        let mut x2 = (a * v - b * u) / determinant;
        if x1 > 1.0 {
            x1 = 1.0;
            x2 = (v - b) / c;
        } else if x1 < -1.0 {
            x1 = -1.0;
            x2 = (v + b) / c;
        }
        if x2 > 1.0 {
            x2 = 1.0;
            x1 = clip((u - b) / a);
        } else if x2 < -1.0 {
            x2 = -1.0;
            x1 = clip((u + b) / a);
        }
        test(x1, x2);
        return;
    }

    // Parallel: the ends of the first against the second, then, while fewer than two contacts are
    // found, the ends of the second against the first.
    test(1.0, clip((v - b) / c));
    if test(-1.0, clip((v + b) / c)) - start >= 2 {
        return;
    }
    if test(clip((u - b) / a), 1.0) - start >= 2 {
        return;
    }
    test(clip((u + b) / a), -1.0);
}
