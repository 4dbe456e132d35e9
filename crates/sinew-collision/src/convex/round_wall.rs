//! Normals of round shapes.
//!
//! The distance algorithms approach a round wall by flat faces, which shows in the normal of a thin
//! triangle on it. Where the point of contact lies on or near such a wall, the normal of the wall there is taken
//! instead. Conforms to `mjc_fixNormal`.

use super::{Convex, Kind};
use crate::pair::Touch;
use sinew_math::{MIN_VALUE, Vec3};

/// Most steps of the iterations below, and the change that ends them.
const MOST_STEPS: usize = 30;
const TOLERANCE: f64 = 1e-6;

/// Points of a cylinder beyond this share of its half length belong to a flat end.
const WALL_SHARE: f64 = 0.95;
/// An end is meant where it is nearer than this share of the distance to the wall.
const END_SHARE: f64 = 0.25;

/// Replaces the normal of a contact by that of its sides, as far as they are given and round; of two normals the mean.
pub(super) fn correct(first: Option<&Convex<'_>>, second: Option<&Convex<'_>>, touch: &mut Touch) {
    let normal1 = first.and_then(|shape| wall_normal(shape, touch.pos, touch.normal));
    let normal2 = second.and_then(|shape| wall_normal(shape, touch.pos, -touch.normal));
    touch.normal = match (normal1, normal2) {
        (Some(normal1), Some(normal2)) => (normal1 - normal2).normalized(),
        (Some(normal1), None) => normal1,
        (None, Some(normal2)) => -normal2,
        (None, None) => touch.normal,
    };
}

/// The normal of a shape's wall near a point, where that is round. `guess` points out of the shape.
fn wall_normal(shape: &Convex<'_>, pos: Vec3, guess: Vec3) -> Option<Vec3> {
    let point = shape.mat.transpose_mul(pos - shape.pos);
    let normal = match shape.kind {
        Kind::Sphere => Some(point),
        Kind::Capsule => Some(of_capsule(point, shape.size[1])),
        Kind::Ellipsoid => {
            let start = shape.mat.transpose_mul(guess);
            of_ellipsoid(point, Vec3(shape.size), start)
        }
        Kind::Cylinder => of_cylinder(point, shape.size),
        _ => None,
    };
    normal.map(|normal| shape.mat * normal.normalized())
}

fn of_capsule(Vec3([x, y, z]): Vec3, half_length: f64) -> Vec3 {
    // Not `clamp`, which panics where the length is not a number.
    let along = z.max(-half_length).min(half_length);
    Vec3([x, y, z - along])
}

fn of_cylinder(point: Vec3, [radius, half_length, _]: [f64; 3]) -> Option<Vec3> {
    let height = point[2].abs();
    let away = (point[0] * point[0] + point[1] * point[1]).sqrt();
    let (to_end, to_wall) = ((half_length - height).abs(), (radius - away).abs());
    let is_on_wall = height <= WALL_SHARE * half_length && to_end >= END_SHARE * to_wall;
    is_on_wall.then_some(Vec3([point[0], point[1], 0.0]))
}

fn of_ellipsoid(point: Vec3, size: Vec3, start: Vec3) -> Option<Vec3> {
    if size.iter().any(|size| *size < MIN_VALUE) {
        return None;
    }
    let squared = size.component_mul(size);
    let part = |k: usize| point[k] * point[k] / squared[k];
    if part(0) + part(1) + part(2) <= 1.0 {
        from_inside(point, Vec3(squared.map(|x| 1.0 / x)), start)
    } else {
        Some(from_outside(point, squared))
    }
}

/// Shoots a ray along the normal to the surface and takes the normal there, again and again. `weights` are the inverse
/// squares of the semi-axes.
fn from_inside(point: Vec3, weights: Vec3, start: Vec3) -> Option<Vec3> {
    let product = |u: Vec3, v: Vec3| {
        u[0] * v[0] * weights[0] + u[1] * v[1] * weights[1] + u[2] * v[2] * weights[2]
    };
    let c = product(point, point) - 1.0;
    if c > 0.0 {
        return None;
    }
    let mut normal = start.normalized();
    for step in 0..MOST_STEPS {
        let (a, b) = (product(normal, normal), product(point, normal));
        let determinant = b * b - a * c;
        if determinant < MIN_VALUE || a < MIN_VALUE {
            return (step > 0).then_some(normal);
        }
        let along = (-b + determinant.sqrt()) / a;
        if along < 0.0 {
            return (step > 0).then_some(normal);
        }
        let on_surface = point.add_scaled(normal, along);
        let next = on_surface.component_mul(weights).normalized();
        let change = normal.distance(next);
        normal = next;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// The normal at the nearest point of the surface, whose multiplier is found by Newton's method. `squared` are the
/// squares of the semi-axes.
fn from_outside(point: Vec3, squared: Vec3) -> Vec3 {
    let scaled = point.component_mul(point).component_mul(squared);
    let mut multiplier = 0.0;
    for _ in 0..MOST_STEPS {
        let r = squared.map(|x| 1.0 / (x + multiplier));
        let value =
            scaled[0] * r[0] * r[0] + scaled[1] * r[1] * r[1] + scaled[2] * r[2] * r[2] - 1.0;
        if value < TOLERANCE {
            break;
        }
        let cube = |k: usize| scaled[k] * r[k] * r[k] * r[k];
        let slope = -2.0 * (cube(0) + cube(1) + cube(2));
        if slope > -MIN_VALUE {
            break;
        }
        let step = -value / slope;
        if step < TOLERANCE {
            break;
        }
        multiplier += step;
    }
    let part = |k: usize| point[k] / (squared[k] + multiplier);
    Vec3([part(0), part(1), part(2)]).normalized()
}
