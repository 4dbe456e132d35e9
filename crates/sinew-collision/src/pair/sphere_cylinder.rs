//! Sphere and cylinder: side, cap or rim, whichever the sphere's centre faces.

use super::{Shape, Touches, plane_sphere, sphere_sphere};
use sinew_math::{Mask, Real, Vec3};

/// At most one contact.
#[doc(alias = "mjc_SphereCylinder")]
#[inline(always)]
pub fn sphere_cylinder<T: Real, Out: Touches<T>>(
    sphere: &Shape<T>,
    cylinder: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let (radius, height) = (cylinder.size[0], cylinder.size[1]);
    let axis = cylinder.axis();

    // The sphere's centre along the axis, and across it.
    let offset = sphere.pos - cylinder.pos;
    let along = axis.dot(offset);
    let on_axis = axis * along;
    let across = offset - on_axis;
    let across_squared = across.dot(across);

    // A centre inside both slabs lies in the cylinder: push out through the nearer surface.
    let mut faces_side = along.abs().less(height);
    let mut faces_cap = across_squared.less(radius * radius);
    let is_inside = faces_side & faces_cap;
    if is_inside.any() {
        let is_near_cap = (height - along.abs()).less(radius - across_squared.sqrt());
        faces_side = faces_side & !(is_inside & is_near_cap);
        faces_cap = faces_cap & !(is_inside & !is_near_cap);
    }
    let faces_rim = !(faces_side | faces_cap);

    let is_upper = along.greater(T::ZERO);
    if faces_side.any() {
        let side = cylinder.at(on_axis + cylinder.pos);
        if let Some((exists, touch)) = sphere_sphere::touch(sphere, &side, margin) {
            out.add(exists & faces_side, touch);
        }
    }
    if faces_cap.any() {
        // The cap is a plane facing outwards; the plane comes first there, so the normal flips.
        let normal = Vec3::select(is_upper, axis, -axis);
        let to_cap = T::select(is_upper, height, -height);
        let origin = cylinder.pos.add_scaled(axis, to_cap);
        let found = plane_sphere::touch(origin, normal, sphere.pos, sphere.size[0], margin);
        if let Some((exists, mut touch)) = found {
            touch.normal *= -T::ONE;
            out.add(exists & faces_cap, touch);
        }
    }
    if faces_rim.any() {
        let rim = across * (radius / across_squared.sqrt());
        let cap = axis * T::select(is_upper, height, -height);
        let corner = Shape {
            pos: cap + rim + cylinder.pos,
            mat: cylinder.mat,
            size: [T::ZERO; 3],
        };
        if let Some((exists, touch)) = sphere_sphere::touch(sphere, &corner, margin) {
            out.add(exists & faces_rim, touch);
        }
    }
}
