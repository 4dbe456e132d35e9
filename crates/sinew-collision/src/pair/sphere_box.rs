//! Sphere and box: the point of the box nearest to the sphere's centre, in the box frame.

use super::{Shape, Touch, clip};
use sinew_math::{MIN_VALUE, Vec3, vec3};

/// At most one contact. A centre inside the box is pushed out through the nearest face.
#[doc(alias = "mjc_SphereBox")]
pub fn sphere_box(sphere: &Shape, cuboid: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let radius = sphere.size[0];
    let size = cuboid.size;
    let centre = cuboid.mat.transpose_mul(sphere.pos - cuboid.pos);
    let nearest = vec3(
        clip(centre[0], size[0]),
        clip(centre[1], size[1]),
        clip(centre[2], size[2]),
    );
    let (direction, gap) = (nearest - centre).normalize();
    if gap - radius > margin {
        return;
    }

    let (dist, pos, normal) = if gap <= MIN_VALUE {
        // The nearest of the six faces; the first wins a tie.
        let mut depth = (size[0] + size[1] + size[2]) * 2.0;
        let mut inwards = Vec3::ZERO;
        for face in 0..6 {
            let axis = face / 2;
            let side = if face % 2 == 1 { 1.0 } else { -1.0 };
            let to_face = (side * size[axis] - centre[axis]).abs();
            if depth > to_face {
                depth = to_face;
                inwards = Vec3::ZERO;
                inwards[axis] = -side;
            }
        }
        (
            -depth,
            centre.add_scaled(inwards, (radius - depth) / 2.0),
            inwards,
        )
    } else {
        let deepest = centre.add_scaled(direction, radius);
        let midpoint = Vec3::ZERO.add_scaled(nearest, 0.5).add_scaled(deepest, 0.5);
        (gap, midpoint, direction)
    };
    out.push(Touch::new(
        dist - radius,
        cuboid.mat * pos + cuboid.pos,
        cuboid.mat * normal,
    ));
}
