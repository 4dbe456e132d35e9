//! Sphere and triangle with thickness: the point of the triangle nearest to the centre is a sphere.

use super::{Touch, Touches};
use sinew_math::{MIN_VALUE, Vec3};

/// A triangle where it stands, with a layer of a radius around it.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corners, world.
    pub corners: [Vec3; 3],
    /// Thickness of the layer.
    pub radius: f64,
}

/// At most one contact.
#[doc(alias = "mjraw_SphereTriangle")]
pub fn sphere_triangle<Out: Touches<f64>>(
    centre: Vec3,
    radius: f64,
    triangle: &Triangle,
    margin: f64,
    out: &mut Out,
) {
    let reach = margin + radius + triangle.radius;
    let Some(towards) = nearest(centre, &triangle.corners, reach) else {
        return;
    };
    let (normal, length) = towards.normalize();
    if length > reach {
        return;
    }
    let dist = length - radius - triangle.radius;
    let pos = centre.add_scaled(normal, radius + dist / 2.0);
    out.add(true, Touch::new(dist, pos, normal));
}

/// From a point to the nearest point of a triangle; `None` if it is beyond reach of the plane.
fn nearest(point: Vec3, [origin, second, third]: &[Vec3; 3], reach: f64) -> Option<Vec3> {
    let (point, a, b) = (point - *origin, *second - *origin, *third - *origin);
    let normal = a.cross(b).normalized();
    let height = normal.dot(point);
    if height.abs() > reach {
        return None;
    }
    let projected = point.add_scaled(normal, -height);

    // In the plane, with the first corner as origin and the first edge as first axis.
    let (first_axis, length) = a.normalize();
    let second_axis = normal.cross(a).normalized();
    let flat = |v: Vec3| [first_axis.dot(v), second_axis.dot(v)];
    let corners = [[0.0, 0.0], [length, 0.0], flat(b)];
    let inside = flat(projected);
    let sides = [0, 1, 2].map(|k| turn(inside, corners[k], corners[(k + 1) % 3]));
    if sides[0] == sides[1] && sides[1] == sides[2] {
        return Some(projected - point);
    }
    let [x, y, z] = [0, 1, 2].map(|k| on_segment(inside, corners[k], corners[(k + 1) % 3]));
    let [u, v] = if x.1 < y.1 && x.1 < z.1 {
        x.0
    } else if y.1 < z.1 {
        y.0
    } else {
        z.0
    };
    Some((first_axis * u).add_scaled(second_axis, v) - point)
}

/// Which way round three points of a plane run: −1, 1, or 0 on a line.
fn turn(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> i32 {
    let area = (p[0] - r[0]) * (q[1] - r[1]) - (q[0] - r[0]) * (p[1] - r[1]);
    i32::from(area > 0.0) - i32::from(area < 0.0)
}

/// The point of a segment nearest to p, and its distance.
fn on_segment(p: [f64; 2], from: [f64; 2], to: [f64; 2]) -> ([f64; 2], f64) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let away = [p[0] - from[0], p[1] - from[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let share = (along[0] * away[0] + along[1] * away[1]) / squared.max(MIN_VALUE);
    let nearest = if share <= 0.0 {
        from
    } else if share >= 1.0 {
        to
    } else {
        [from[0] + along[0] * share, from[1] + along[1] * share]
    };
    let [dx, dy] = [nearest[0] - p[0], nearest[1] - p[1]];
    (nearest, (dx * dx + dy * dy).sqrt())
}
