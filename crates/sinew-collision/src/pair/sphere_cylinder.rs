//! Sphere and cylinder: side, cap or rim, whichever the sphere's centre faces.

use super::{Shape, Touch, plane_sphere, sphere_sphere};
use sinew_math::Mat3;

/// At most one contact.
#[doc(alias = "mjc_SphereCylinder")]
pub fn sphere_cylinder(sphere: &Shape, cylinder: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let (radius, height) = (cylinder.size[0], cylinder.size[1]);
    let axis = cylinder.axis();

    // The sphere's centre along the axis, and across it.
    let offset = sphere.pos - cylinder.pos;
    let along = axis.dot(offset);
    let on_axis = axis * along;
    let across = offset - on_axis;
    let across_squared = across.dot(across);

    // A centre inside both slabs lies in the cylinder: push out through the nearer surface.
    let mut faces_side = along.abs() < height;
    let mut faces_cap = across_squared < radius * radius;
    if faces_side && faces_cap {
        if height - along.abs() < radius - across_squared.sqrt() {
            faces_side = false;
        } else {
            faces_cap = false;
        }
    }

    if faces_side {
        sphere_sphere(sphere, &cylinder.at(on_axis + cylinder.pos), margin, out);
    } else if faces_cap {
        // The cap is a plane facing outwards; the plane comes first there, so the normal flips.
        let m = cylinder.mat.0;
        let (pos, mat) = if along > 0.0 {
            (cylinder.pos.add_scaled(axis, height), cylinder.mat)
        } else {
            let flipped = Mat3([-m[0], m[1], -m[2], -m[3], m[4], -m[5], -m[6], m[7], -m[8]]);
            (cylinder.pos.add_scaled(axis, -height), flipped)
        };
        let first = out.len();
        plane_sphere(
            &Shape {
                pos,
                mat,
                size: cylinder.size,
            },
            sphere,
            margin,
            out,
        );
        for touch in &mut out[first..] {
            touch.normal *= -1.0;
        }
    } else {
        let rim = across * (radius / across_squared.sqrt());
        let cap = axis * (if along > 0.0 { height } else { -height });
        let corner = Shape {
            pos: cap + rim + cylinder.pos,
            mat: cylinder.mat,
            size: [0.0; 3],
        };
        sphere_sphere(sphere, &corner, margin, out);
    }
}
