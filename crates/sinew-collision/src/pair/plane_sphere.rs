//! Plane and sphere: at most one contact.

use super::{Shape, Touch, Touches};
use sinew_math::{Mask, Real, Vec3};

/// One contact where the sphere comes closest to the plane.
#[doc(alias = "mjc_PlaneSphere")]
#[inline(always)]
pub fn plane_sphere<T: Real, Out: Touches<T>>(
    plane: &Shape<T>,
    sphere: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let found = touch(plane.pos, plane.axis(), sphere.pos, sphere.size[0], margin);
    if let Some((exists, touch)) = found {
        out.add(exists, touch);
    }
}

/// The contact of a plane through `origin` with a sphere, and where it exists.
#[inline(always)]
pub(super) fn touch<T: Real>(
    origin: Vec3<T>,
    normal: Vec3<T>,
    centre: Vec3<T>,
    radius: T,
    margin: T,
) -> Option<(T::Mask, Touch<T>)> {
    let height = (centre - origin).dot(normal);
    let exists = !height.greater(margin + radius);
    if !exists.any() {
        return None;
    }
    let dist = height - radius;
    let pos = centre + normal * (-dist / T::from_f64(2.0) - radius);
    Some((exists, Touch::new(dist, pos, normal)))
}
