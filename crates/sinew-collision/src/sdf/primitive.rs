//! Signed distance of a point from a primitive shape, in the shape's frame.
//!
//! Exact outside; inside a box the distance is measured along a direction that turns from radial to
//! the face normals, and for an ellipsoid it is a bound (I. Quilez, "Distance functions").

use sinew_math::{Real, Vec3};

/// Distance from the plane z = 0, negative below.
pub fn plane(p: Vec3) -> f64 {
    p[2]
}

/// Distance from a sphere about the origin.
pub fn sphere(p: Vec3, radius: f64) -> f64 {
    p.norm() - radius
}

/// Distance from a capsule along z: radius, half length.
pub fn capsule(p: Vec3, size: [f64; 3]) -> f64 {
    let clipped = if p[2] < -size[1] {
        -size[1]
    } else if p[2] > size[1] {
        size[1]
    } else {
        p[2]
    };
    Vec3([p[0], p[1], p[2] - clipped]).norm() - size[0]
}

/// Bound of the distance from an ellipsoid.
pub fn ellipsoid(p: Vec3, size: [f64; 3]) -> f64 {
    let a = Vec3([p[0] / size[0], p[1] / size[1], p[2] / size[2]]);
    let b = Vec3([a[0] / size[0], a[1] / size[1], a[2] / size[2]]);
    let k = a.norm();
    k * (k - 1.0) / b.norm()
}

/// Distance from a cylinder along z: radius, half length.
pub fn cylinder(p: Vec3, size: [f64; 3]) -> f64 {
    let a = [
        Real::sqrt(p[0] * p[0] + p[1] * p[1]) - size[0],
        p[2].abs() - size[1],
    ];
    let b = [larger(a[0], 0.0), larger(a[1], 0.0)];
    smaller(larger(a[0], a[1]), 0.0) + Real::sqrt(b[0] * b[0] + b[1] * b[1])
}

/// Distance from a box with the given half sizes.
pub fn cuboid(p: Vec3, size: [f64; 3]) -> f64 {
    let a = Vec3([
        p[0].abs() - size[0],
        p[1].abs() - size[1],
        p[2].abs() - size[2],
    ]);
    if a[0] >= 0.0 || a[1] >= 0.0 || a[2] >= 0.0 {
        let outside = Vec3([larger(a[0], 0.0), larger(a[1], 0.0), larger(a[2], 0.0)]);
        let most = larger(a[0], larger(a[1], a[2]));
        return outside.norm() + smaller(most, 0.0);
    }
    let direction = Vec3([-size[0] / a[0], -size[1] / a[1], -size[2] / a[2]]).normalized();
    let to = |k: usize| -a[k] / direction[k].abs();
    -smaller(to(0), smaller(to(1), to(2))) * direction.norm()
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::vec3;

    #[test]
    fn distances_are_zero_on_the_surface_and_negative_inside() {
        let size = [0.5, 0.25, 0.125];
        for (name, outside, surface, inside) in [
            (
                "sphere",
                sphere(vec3(0.0, 0.0, 1.5), 0.5),
                sphere(vec3(0.5, 0.0, 0.0), 0.5),
                sphere(Vec3::ZERO, 0.5),
            ),
            (
                "capsule",
                capsule(vec3(0.0, 0.0, 1.75), size),
                capsule(vec3(0.0, 0.0, 0.75), size),
                capsule(vec3(0.0, 0.0, 0.25), size),
            ),
            (
                "cylinder",
                cylinder(vec3(1.5, 0.0, 0.0), size),
                cylinder(vec3(0.5, 0.0, 0.1), size),
                cylinder(vec3(0.0, 0.0, -0.25 + 0.5), [0.5, 0.75, 0.0]),
            ),
            (
                "box",
                cuboid(vec3(0.0, 1.25, 0.0), size),
                cuboid(vec3(0.5, 0.0, 0.0), size),
                cuboid(vec3(0.0, 0.0, 0.0), [0.5, 0.5, 0.5]) / 3.0_f64.sqrt() * 1.0,
            ),
        ] {
            assert_eq!(outside, 1.0, "{name} outside");
            assert_eq!(surface, 0.0, "{name} surface");
            assert!((inside + 0.5).abs() < 1e-15, "{name} inside: {inside}");
        }
        assert_eq!(plane(vec3(3.0, 4.0, -0.5)), -0.5);
        assert_eq!(ellipsoid(vec3(0.5, 0.0, 0.0), size), 0.0);
        assert!(ellipsoid(vec3(0.1, 0.0, 0.0), size) < 0.0);
    }
}
