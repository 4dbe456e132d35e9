//! Capsule and triangle with thickness: the ends of the capsule against the triangle, then its
//! corners against the segment between them.

use super::{Shape, Touch, Touches, Triangle, sphere_triangle};
use sinew_math::MIN_VALUE;

/// Up to five contacts.
#[doc(alias = "mjraw_CapsuleTriangle")]
pub fn capsule_triangle<Out: Touches<f64>>(
    capsule: &Shape,
    triangle: &Triangle,
    margin: f64,
    out: &mut Out,
) {
    let [radius, half_length, _] = capsule.size;
    let axis = capsule.axis();
    let ends = [-half_length, half_length].map(|along| capsule.pos.add_scaled(axis, along));
    for end in ends {
        sphere_triangle(end, radius, triangle, margin, out);
    }
    let along = ends[1] - ends[0];
    for corner in triangle.corners {
        // The ends themselves were treated above.
        let share = (corner - ends[0]).dot(along) / (4.0 * half_length * half_length);
        if share <= MIN_VALUE || share >= 1.0 - MIN_VALUE {
            continue;
        }
        let nearest = ends[0].add_scaled(along, share);
        let (normal, length) = (corner - nearest).normalize();
        if length > radius + triangle.radius + margin {
            continue;
        }
        let dist = length - radius - triangle.radius;
        let pos = (nearest + corner).add_scaled(normal, radius - triangle.radius) * 0.5;
        out.add(true, Touch::new(dist, pos, normal));
    }
}
