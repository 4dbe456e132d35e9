//! Two capsules: nearest points of two segments.
//!
//! With scaled half axes a₁, a₂ the points c₁ + x₁a₁ and c₂ + x₂a₂ (−1 ≤ x ≤ 1) are nearest where
//! the gradient of their squared distance vanishes, a 2×2 system; parallel axes make it singular
//! and are treated by their ends, which gives two contacts.

use super::{Shape, Touches, clip, sphere_sphere};
use sinew_math::{MIN_VALUE, Mask, Real, Vec3};

/// One contact, or up to two when the axes are parallel.
#[doc(alias = "mjc_CapsuleCapsule")]
#[inline(always)]
pub fn capsule_capsule<T: Real, Out: Touches<T>>(
    first: &Shape<T>,
    second: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let one = T::ONE;
    let capsules = Capsules {
        first,
        second,
        axis1: first.axis() * first.size[1],
        axis2: second.axis() * second.size[1],
        margin,
    };
    let (axis1, axis2) = (capsules.axis1, capsules.axis2);
    let between = first.pos - second.pos;

    // [a b; b c] (x₁ x₂)ᵀ = (u v)ᵀ
    let a = axis1.dot(axis1);
    let b = -axis1.dot(axis2);
    let c = axis2.dot(axis2);
    let u = -axis1.dot(between);
    let v = axis2.dot(between);
    let determinant = a * c - b * b;

    let is_crossing = determinant.abs().at_least(T::from_f64(MIN_VALUE));
    if is_crossing.any() {
        let mut x1 = (c * u - b * v) / determinant;
        let mut x2 = (a * v - b * u) / determinant;
        // Beyond an end of one segment: from that end to the nearest point of the other.
        let is_beyond = x1.abs().greater(one);
        if is_beyond.any() {
            let end = T::select(x1.less(T::ZERO), -one, one);
            x1 = T::select(is_beyond, end, x1);
            x2 = T::select(is_beyond, (v - b * end) / c, x2);
        }
        let is_beyond = x2.abs().greater(one);
        if is_beyond.any() {
            let end = T::select(x2.less(T::ZERO), -one, one);
            x2 = T::select(is_beyond, end, x2);
            x1 = T::select(is_beyond, clip((u - b * end) / a, one), x1);
        }
        capsules.test(is_crossing, x1, x2, out);
        if is_crossing.all() {
            return;
        }
    }

    // Parallel: the ends of the first against the second, then, while fewer than two contacts are
    // found, the ends of the second against the first.
    let is_parallel = !is_crossing;
    let above = capsules.test(is_parallel, one, clip((v - b) / c, one), out);
    let below = capsules.test(is_parallel, -one, clip((v + b) / c, one), out);
    let is_short = is_parallel & !(above & below);
    if !is_short.any() {
        return;
    }
    let next = capsules.test(is_short, clip((u - b) / a, one), one, out);
    let is_short = is_short & !((above | below) & next);
    if is_short.any() {
        capsules.test(is_short, clip((u + b) / a, one), -one, out);
    }
}

struct Capsules<'a, T> {
    first: &'a Shape<T>,
    second: &'a Shape<T>,
    /// From the centre of the first to the end of its segment.
    axis1: Vec3<T>,
    /// The same of the second.
    axis2: Vec3<T>,
    margin: T,
}

impl<T: Real> Capsules<'_, T> {
    /// Adds the contact of the spheres at two points of the segments, in the lanes of the mask.
    /// Gives those in which there is one.
    #[inline(always)]
    fn test<Out: Touches<T>>(&self, mask: T::Mask, x1: T, x2: T, out: &mut Out) -> T::Mask {
        let near1 = self.first.at(self.axis1 * x1 + self.first.pos);
        let near2 = self.second.at(self.axis2 * x2 + self.second.pos);
        match sphere_sphere::touch(&near1, &near2, self.margin) {
            Some((exists, touch)) => {
                out.add(exists & mask, touch);
                exists & mask
            }
            None => T::Mask::NONE,
        }
    }
}
