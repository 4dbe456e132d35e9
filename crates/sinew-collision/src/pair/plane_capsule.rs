//! Plane and capsule: the two end spheres, with the first tangent along the capsule.

use super::{Shape, Touch, plane_sphere};

/// Up to two contacts, one for each end of the capsule.
#[doc(alias = "mjc_PlaneCapsule")]
pub fn plane_capsule(plane: &Shape, capsule: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let axis = capsule.axis();
    let segment = axis * capsule.size[1];
    let first = out.len();
    plane_sphere(plane, &capsule.at(capsule.pos + segment), margin, out);
    plane_sphere(plane, &capsule.at(capsule.pos - segment), margin, out);
    for touch in &mut out[first..] {
        touch.tangent = axis;
    }
}
