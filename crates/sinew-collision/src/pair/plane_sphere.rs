//! Plane and sphere: at most one contact.

use super::{Shape, Touch};

/// One contact where the sphere comes closest to the plane.
#[doc(alias = "mjc_PlaneSphere")]
pub fn plane_sphere(plane: &Shape, sphere: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let normal = plane.axis();
    let radius = sphere.size[0];
    let height = (sphere.pos - plane.pos).dot(normal);
    if height > margin + radius {
        return;
    }
    let dist = height - radius;
    let pos = sphere.pos + normal * (-dist / 2.0 - radius);
    out.push(Touch::new(dist, pos, normal));
}
