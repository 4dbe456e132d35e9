//! Two spheres: at most one contact.

use super::{Shape, Touch};
use sinew_math::MIN_VALUE;

/// One contact on the line of centres. Concentric spheres touch along the cross product of their
/// z axes, or along x if those are parallel.
#[doc(alias = "mjc_SphereSphere")]
pub fn sphere_sphere(first: &Shape, second: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let (radius1, radius2) = (first.size[0], second.size[0]);
    let between = first.pos - second.pos;
    let squared = between.dot(between);
    let reach = margin + radius1 + radius2;
    if squared > reach * reach {
        return;
    }
    let dist = squared.sqrt() - radius1 - radius2;
    let (mut normal, length) = (second.pos - first.pos).normalize();
    if length < MIN_VALUE {
        normal = first.axis().cross(second.axis()).normalized();
    }
    let pos = normal * (radius1 + dist / 2.0) + first.pos;
    out.push(Touch::new(dist, pos, normal));
}
