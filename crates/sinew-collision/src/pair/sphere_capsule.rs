//! Sphere and capsule: the nearest point of the capsule's segment is a sphere.

use super::{Shape, Touches, clip, sphere_sphere};
use sinew_math::Real;

/// At most one contact.
#[doc(alias = "mjc_SphereCapsule")]
#[inline(always)]
pub fn sphere_capsule<T: Real, Out: Touches<T>>(
    sphere: &Shape<T>,
    capsule: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let half_length = capsule.size[1];
    let axis = capsule.axis();
    let along = clip(axis.dot(sphere.pos - capsule.pos), half_length);
    let nearest = axis * along + capsule.pos;
    sphere_sphere(sphere, &capsule.at(nearest), margin, out);
}
