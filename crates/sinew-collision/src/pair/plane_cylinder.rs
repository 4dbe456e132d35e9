//! Plane and cylinder: the deepest rim point of the near cap, the matching point of the far cap,
//! and two more on the near rim that complete a triangle when the cap lies almost flat.

use super::{Shape, Touch};
use sinew_math::MIN_VALUE;

/// Up to four contacts.
#[doc(alias = "mjc_PlaneCylinder")]
pub fn plane_cylinder(plane: &Shape, cylinder: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let normal = plane.axis();
    let (radius, half_length) = (cylinder.size[0], cylinder.size[1]);

    // The axis towards the plane and its component along the normal, which is then not positive.
    let mut axis = cylinder.axis();
    let mut axis_height = normal.dot(axis);
    if axis_height > 0.0 {
        axis *= -1.0;
        axis_height = -axis_height;
    }
    let centre_height = (cylinder.pos - plane.pos).dot(normal);

    // From the cap's centre to its lowest rim point: the part of −normal across the axis. A cap
    // parallel to the plane has no lowest point; its x axis serves.
    let across = axis * axis_height - normal;
    let squared = across.dot(across);
    let rim = if squared >= MIN_VALUE * MIN_VALUE {
        across * (radius / squared.sqrt())
    } else {
        cylinder.mat.column(0) * radius
    };
    let rim_height = rim.dot(normal);
    let axis = axis * half_length;
    let axis_height = axis_height * half_length;

    let nearest = centre_height + axis_height + rim_height;
    if nearest > margin {
        return;
    }
    let mut add = |dist: f64, point| {
        let pos = normal * (-dist * 0.5);
        out.push(Touch::new(dist, point + pos, normal));
    };
    add(nearest, cylinder.pos + rim + axis);

    let far = centre_height - axis_height + rim_height;
    if far <= margin {
        add(far, cylinder.pos + rim - axis);
    }

    // Two rim points at ±120° from the lowest one.
    let side = centre_height + axis_height - rim_height * 0.5;
    if side <= margin {
        let sideways = rim.cross(axis).normalized() * (radius * 3f64.sqrt() / 2.0);
        add(side, (cylinder.pos + sideways + axis).add_scaled(rim, -0.5));
        add(side, (cylinder.pos - sideways + axis).add_scaled(rim, -0.5));
    }
}
