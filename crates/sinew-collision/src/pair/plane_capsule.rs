//! Plane and capsule: the two end spheres, with the first tangent along the capsule.

use super::{Shape, Touches, plane_sphere};
use sinew_math::Real;

/// Up to two contacts, one for each end of the capsule.
#[doc(alias = "mjc_PlaneCapsule")]
#[inline(always)]
pub fn plane_capsule<T: Real, Out: Touches<T>>(
    plane: &Shape<T>,
    capsule: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let (normal, radius) = (plane.axis(), capsule.size[0]);
    let axis = capsule.axis();
    let segment = axis * capsule.size[1];
    for &centre in &[capsule.pos + segment, capsule.pos - segment] {
        let found = plane_sphere::touch(plane.pos, normal, centre, radius, margin);
        if let Some((exists, mut touch)) = found {
            touch.tangent = axis;
            out.add(exists, touch);
        }
    }
}
