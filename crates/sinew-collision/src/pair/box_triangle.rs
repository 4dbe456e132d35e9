//! Box and triangle with thickness: its corners against the nearest faces of the box, then the
//! corners of the box against the triangle.

use super::{Shape, Touch, Touches, Triangle, sphere_triangle};
use sinew_math::Vec3;

/// Up to eleven contacts.
#[doc(alias = "mjraw_BoxTriangle")]
pub fn box_triangle<Out: Touches<f64>>(
    cuboid: &Shape,
    triangle: &Triangle,
    margin: f64,
    out: &mut Out,
) {
    for corner in triangle.corners {
        if let Some(touch) = at_face(cuboid, corner, triangle.radius, margin) {
            out.add(true, touch);
        }
    }
    for i in 0..8 {
        let mut corner = Vec3(cuboid.size);
        for k in 0..3 {
            if i >> k & 1 == 0 {
                corner[k] = -corner[k];
            }
        }
        let corner = cuboid.mat * corner + cuboid.pos;
        sphere_triangle(corner, 0.0, triangle, margin, out);
    }
}

/// A point with a radius against the face that it is farthest outside of, or least inside.
fn at_face(cuboid: &Shape, point: Vec3, radius: f64, margin: f64) -> Option<Touch> {
    let local = cuboid.mat.transpose_mul(point - cuboid.pos);
    let height = |k: usize| local[k].abs() - cuboid.size[k];
    let mut axis = 0;
    for k in 1..3 {
        if height(k) > height(axis) {
            axis = k;
        }
    }
    let is_beyond = |k: usize| local[k].abs() > cuboid.size[k] + margin + radius;
    let dist = height(axis) - radius;
    if dist > margin || (0..3).any(is_beyond) {
        return None;
    }
    let mut outward = Vec3::ZERO;
    outward[axis] = if local[axis] > 0.0 { 1.0 } else { -1.0 };
    let normal = cuboid.mat * outward;
    let pos = point.add_scaled(normal, -(radius + dist * 0.5));
    Some(Touch::new(dist, pos, normal))
}
