//! Two spheres: at most one contact.

use super::{Shape, Touch, Touches};
use sinew_math::{MIN_VALUE, Mask, Real, Vec3};

/// One contact on the line of centres. Concentric spheres touch along the cross product of their
/// z axes, or along x if those are parallel.
#[doc(alias = "mjc_SphereSphere")]
#[inline(always)]
pub fn sphere_sphere<T: Real, Out: Touches<T>>(
    first: &Shape<T>,
    second: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    if let Some((exists, touch)) = touch(first, second, margin) {
        out.add(exists, touch);
    }
}

/// The contact of two spheres, and where it exists.
#[inline(always)]
pub(super) fn touch<T: Real>(
    first: &Shape<T>,
    second: &Shape<T>,
    margin: T,
) -> Option<(T::Mask, Touch<T>)> {
    let (radius1, radius2) = (first.size[0], second.size[0]);
    let between = first.pos - second.pos;
    let squared = between.dot(between);
    let reach = margin + radius1 + radius2;
    let exists = !squared.greater(reach * reach);
    if !exists.any() {
        return None;
    }
    let dist = squared.sqrt() - radius1 - radius2;
    let (mut normal, length) = (second.pos - first.pos).normalize();
    let is_concentric = length.less(T::from_f64(MIN_VALUE));
    if is_concentric.any() {
        let across = first.axis().cross(second.axis()).normalized();
        normal = Vec3::select(is_concentric, across, normal);
    }
    let pos = normal * (radius1 + dist / T::from_f64(2.0)) + first.pos;
    Some((exists, Touch::new(dist, pos, normal)))
}
