//! Support functions of the older algorithm. They differ from the native ones where several points are farthest: a direction
//! along a face gets the middle of the face, and climbs over hulls begin at the height of their start.

use super::super::{Convex, Kind, Mesh};
use sinew_math::{MIN_VALUE, Vec3, vec3};

/// The point farthest along a unit direction, with half the margin around it.
#[doc(alias = "mjccd_support")]
pub(super) fn support(shape: &mut Convex<'_>, direction: Vec3) -> Vec3 {
    let [a, b, c] = shape.size;
    let local = shape.mat.transpose_mul(direction);
    let mut point = match &shape.kind {
        Kind::Prism(_) | Kind::Simplex { .. } | Kind::Point | Kind::Segment => {
            return shape.support(direction);
        }
        Kind::Sphere => local * a,
        Kind::Capsule => local * a + vec3(0.0, 0.0, sign(local[2]) * b),
        Kind::Ellipsoid => {
            let on_sphere = local.component_mul(Vec3(shape.size)).normalized();
            on_sphere.component_mul(Vec3(shape.size))
        }
        Kind::Cylinder => {
            let across = (local[0] * local[0] + local[1] * local[1]).sqrt();
            let round = |x: f64| {
                if across > MIN_VALUE {
                    x / across * a
                } else {
                    0.0
                }
            };
            vec3(round(local[0]), round(local[1]), sign(local[2]) * b)
        }
        Kind::Box => vec3(sign(local[0]) * a, sign(local[1]) * b, sign(local[2]) * c),
        Kind::Mesh(mesh) => {
            let (vertex, top) = mesh.first_farthest(local, shape.start.max(0) as usize);
            if let Some(top) = top {
                shape.start = top as i32;
            }
            mesh.vertex(vertex)
        }
    };
    point += local * shape.margin * 0.5;
    shape.mat * point + shape.pos
}

/// −1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
