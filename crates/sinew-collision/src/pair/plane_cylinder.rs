//! Plane and cylinder: the deepest rim point of the near cap, the matching point of the far cap,
//! and two more on the near rim that complete a triangle when the cap lies almost flat.

use super::{Shape, Touch, Touches};
use sinew_math::{MIN_VALUE, Mask, Real, Vec3};

/// Up to four contacts.
#[doc(alias = "mjc_PlaneCylinder")]
#[inline(always)]
pub fn plane_cylinder<T: Real, Out: Touches<T>>(
    plane: &Shape<T>,
    cylinder: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let half = T::from_f64(0.5);
    let normal = plane.axis();
    let (radius, half_length) = (cylinder.size[0], cylinder.size[1]);

    // The axis towards the plane and its component along the normal, which is then not positive.
    let upwards = cylinder.axis();
    let axis_height = normal.dot(upwards);
    let is_turned = axis_height.greater(T::ZERO);
    let axis = Vec3::select(is_turned, upwards * -T::ONE, upwards);
    let axis_height = T::select(is_turned, -axis_height, axis_height);
    let centre_height = (cylinder.pos - plane.pos).dot(normal);

    // From the cap's centre to its lowest rim point: the part of −normal across the axis. A cap
    // parallel to the plane has no lowest point; its x axis serves.
    let across = axis * axis_height - normal;
    let squared = across.dot(across);
    let mut rim = across * (radius / squared.sqrt());
    let has_lowest = squared.at_least(T::from_f64(MIN_VALUE * MIN_VALUE));
    if !has_lowest.all() {
        rim = Vec3::select(has_lowest, rim, cylinder.mat.column(0) * radius);
    }
    let rim_height = rim.dot(normal);
    let axis = axis * half_length;
    let axis_height = axis_height * half_length;

    let nearest = centre_height + axis_height + rim_height;
    let exists = !nearest.greater(margin);
    if !exists.any() {
        return;
    }
    let rim_point = cylinder.pos + rim;
    out.add(exists, touch(nearest, rim_point + axis, normal));

    let far = centre_height - axis_height + rim_height;
    let is_far_near = exists & far.at_most(margin);
    if is_far_near.any() {
        out.add(is_far_near, touch(far, rim_point - axis, normal));
    }

    // Two rim points at ±120° from the lowest one.
    let side = centre_height + axis_height - rim_height * half;
    let is_side_near = exists & side.at_most(margin);
    if is_side_near.any() {
        let height = radius * T::from_f64(3.0).sqrt() / T::from_f64(2.0);
        let sideways = rim.cross(axis).normalized() * height;
        for &corner in &[cylinder.pos + sideways, cylinder.pos - sideways] {
            let point = (corner + axis).add_scaled(rim, -half);
            out.add(is_side_near, touch(side, point, normal));
        }
    }
}

/// The contact of a plane with a point of the surface at a height.
#[inline(always)]
fn touch<T: Real>(dist: T, point: Vec3<T>, normal: Vec3<T>) -> Touch<T> {
    Touch::new(dist, point + normal * (-dist * T::from_f64(0.5)), normal)
}
