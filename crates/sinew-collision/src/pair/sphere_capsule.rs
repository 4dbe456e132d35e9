//! Sphere and capsule: the nearest point of the capsule's segment is a sphere.

use super::{Shape, Touch, clip, sphere_sphere};

/// At most one contact.
#[doc(alias = "mjc_SphereCapsule")]
pub fn sphere_capsule(sphere: &Shape, capsule: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let half_length = capsule.size[1];
    let axis = capsule.axis();
    let along = clip(axis.dot(sphere.pos - capsule.pos), half_length);
    let nearest = axis * along + capsule.pos;
    sphere_sphere(sphere, &capsule.at(nearest), margin, out);
}
