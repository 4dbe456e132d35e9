//! Rays against shapes.
//!
//! A ray is a point and a direction of any length; a hit is the multiple of the direction at which
//! the ray first meets the surface, from outside or inside, and the outward normal there. Primitive
//! shapes solve a quadratic equation in their own frame. Conforms to MuJoCo's `mju_rayGeom`,
//! `mj_rayMesh` and `mj_rayHfield`.

pub mod field;
pub mod mesh;

use sinew_math::{MIN_VALUE, Mat3, Real, Vec3};

/// A half line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it points; hits are in units of its length.
    pub direction: Vec3,
}

/// Where a ray meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Multiple of the ray's direction, not negative.
    pub distance: f64,
    /// Normal of the surface.
    pub normal: Vec3,
}

/// The frame of a shape.
#[derive(Clone, Copy, Debug)]
pub struct Pose<'a> {
    /// Position.
    pub pos: Vec3,
    /// Orientation.
    pub mat: &'a Mat3,
}

impl Ray {
    /// The ray in the frame of a shape.
    pub fn into_frame(self, pose: Pose<'_>) -> Ray {
        Ray {
            origin: pose.mat.transpose_mul(self.origin - pose.pos),
            direction: pose.mat.transpose_mul(self.direction),
        }
    }

    /// The point at a multiple of the direction.
    pub fn at(self, distance: f64) -> Vec3 {
        self.origin.add_scaled(self.direction, distance)
    }
}

/// Both solutions of a·x² + 2·b·x + c = 0 in ascending order; (−1, −1) if there is none.
fn quadratic(a: f64, b: f64, c: f64) -> [f64; 2] {
    let determinant = b * b - a * c;
    if determinant < 0.0 || a < MIN_VALUE {
        return [-1.0, -1.0];
    }
    let root = Real::sqrt(determinant);
    [(-b - root) / a, (-b + root) / a]
}

/// The smallest non-negative of two ascending solutions.
fn first([low, high]: [f64; 2]) -> Option<f64> {
    if low >= 0.0 {
        Some(low)
    } else if high >= 0.0 {
        Some(high)
    } else {
        None
    }
}

/// Solutions for a sphere of squared radius `square` about the origin.
fn sphere_solutions(ray: &Ray, square: f64) -> [f64; 2] {
    let (p, v) = (ray.origin, ray.direction);
    quadratic(v.dot(v), v.dot(p), p.dot(p) - square)
}

/// Whether a ray meets a sphere of squared radius `square`.
pub fn meets_bound(ray: &Ray, centre: Vec3, square: f64) -> bool {
    let ray = Ray {
        origin: ray.origin - centre,
        ..*ray
    };
    first(sphere_solutions(&ray, square)).is_some()
}

/// The nearer of two hits.
fn nearer(a: Option<Hit>, b: Option<Hit>) -> Option<Hit> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if y.distance < x.distance { y } else { x }),
        (hit, None) | (None, hit) => hit,
    }
}

/// Turns the normal of a hit from a shape's frame into the world.
fn into_world(hit: Option<Hit>, pose: Pose<'_>) -> Option<Hit> {
    hit.map(|hit| Hit {
        normal: *pose.mat * hit.normal,
        ..hit
    })
}

/// Upper face of a plane; sizes that are not positive are infinite.
pub fn plane(ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<Hit> {
    let local = ray.into_frame(pose);
    if local.direction[2] > -MIN_VALUE {
        return None;
    }
    let distance = -local.origin[2] / local.direction[2];
    if distance < 0.0 {
        return None;
    }
    let is_within = (0..2).all(|k| {
        let coordinate = local.origin[k] + distance * local.direction[k];
        size[k] <= 0.0 || coordinate.abs() <= size[k]
    });
    is_within.then(|| Hit {
        distance,
        normal: pose.mat.column(2),
    })
}

/// A sphere of radius `size[0]`.
pub fn sphere(ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<Hit> {
    let centred = Ray {
        origin: ray.origin - pose.pos,
        ..*ray
    };
    let distance = first(sphere_solutions(&centred, size[0] * size[0]))?;
    Some(Hit {
        distance,
        normal: (ray.at(distance) - pose.pos).normalized(),
    })
}

/// The round side of a cylinder about z between ±height.
fn tube(local: &Ray, radius: f64, height: f64) -> Option<Hit> {
    let (p, v) = (local.origin, local.direction);
    let solutions = quadratic(
        v[0] * v[0] + v[1] * v[1],
        v[0] * p[0] + v[1] * p[1],
        p[0] * p[0] + p[1] * p[1] - radius * radius,
    );
    let distance = first(solutions)?;
    ((p[2] + distance * v[2]).abs() <= height).then(|| Hit {
        distance,
        normal: Vec3([p[0] + v[0] * distance, p[1] + v[1] * distance, 0.0]).normalized(),
    })
}

/// A capsule of radius `size[0]` and half length `size[1]` along z.
pub fn capsule(ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<Hit> {
    let (radius, half) = (size[0], size[1]);
    if !meets_bound(ray, pose.pos, (radius + half) * (radius + half)) {
        return None;
    }
    let local = ray.into_frame(pose);
    let mut hit = tube(&local, radius, half);
    for side in [1.0, -1.0] {
        let centre = Vec3([0.0, 0.0, side * half]);
        let from_centre = Ray {
            origin: local.origin - centre,
            ..local
        };
        for distance in sphere_solutions(&from_centre, radius * radius) {
            let point = local.at(distance);
            if distance >= 0.0 && side * point[2] >= half {
                let normal = (point - centre).normalized();
                hit = nearer(hit, Some(Hit { distance, normal }));
            }
        }
    }
    into_world(hit, pose)
}

/// An ellipsoid with the given semi-axes.
pub fn ellipsoid(ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<Hit> {
    let local = ray.into_frame(pose);
    let (p, v) = (local.origin, local.direction);
    let s = Vec3(size.map(|axis| 1.0 / (axis * axis)));
    let weighted = |a: Vec3, b: Vec3| s[0] * a[0] * b[0] + s[1] * a[1] * b[1] + s[2] * a[2] * b[2];
    let distance = first(quadratic(
        weighted(v, v),
        weighted(v, p),
        weighted(p, p) - 1.0,
    ))?;
    let normal = s.component_mul(local.at(distance)).normalized();
    into_world(Some(Hit { distance, normal }), pose)
}

/// A cylinder of radius `size[0]` and half length `size[1]` along z.
pub fn cylinder(ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<Hit> {
    let (radius, half) = (size[0], size[1]);
    if !meets_bound(ray, pose.pos, radius * radius + half * half) {
        return None;
    }
    let local = ray.into_frame(pose);
    let (p, v) = (local.origin, local.direction);
    let mut hit = None;
    if v[2].abs() > MIN_VALUE {
        for side in [-1.0, 1.0] {
            let distance = (side * half - p[2]) / v[2];
            let (x, y) = (p[0] + distance * v[0], p[1] + distance * v[1]);
            if distance >= 0.0 && x * x + y * y <= radius * radius {
                let normal = Vec3([0.0, 0.0, side]);
                hit = nearer(hit, Some(Hit { distance, normal }));
            }
        }
    }
    into_world(nearer(hit, tube(&local, radius, half)), pose)
}

/// A box with the given half sizes.
pub fn cuboid(ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<Hit> {
    let faces = cuboid_faces(ray, pose, size)?;
    let mut hit = None;
    for (face, distance) in faces.into_iter().enumerate() {
        if let Some(distance) = distance {
            let mut normal = Vec3::ZERO;
            normal[face / 2] = if face % 2 == 0 { -1.0 } else { 1.0 };
            hit = nearer(hit, Some(Hit { distance, normal }));
        }
    }
    into_world(hit, pose)
}

/// Where a ray meets each face of a box: −x, +x, −y, +y, −z, +z. `None` if it misses the sphere
/// around the box.
pub fn cuboid_faces(ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<[Option<f64>; 6]> {
    let square = size[0] * size[0] + size[1] * size[1] + size[2] * size[2];
    if !meets_bound(ray, pose.pos, square) {
        return None;
    }
    let local = ray.into_frame(pose);
    let (p, v) = (local.origin, local.direction);
    let mut faces = [None; 6];
    for axis in 0..3 {
        if v[axis].abs() <= MIN_VALUE {
            continue;
        }
        let others = [(axis + 1) % 3, (axis + 2) % 3];
        for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let distance = (sign * size[axis] - p[axis]) / v[axis];
            let is_within = |k: usize| (p[k] + distance * v[k]).abs() <= size[k];
            if distance >= 0.0 && others.into_iter().all(is_within) {
                faces[2 * axis + side] = Some(distance);
            }
        }
    }
    Some(faces)
}

/// Two directions across a ray, for many triangles against one ray.
#[derive(Clone, Copy, Debug)]
pub struct Across(Vec3, Vec3);

impl Across {
    /// Directions across the ray, in its frame.
    pub fn new(ray: &Ray) -> Self {
        let v = ray.direction;
        let a = [v[0].abs(), v[1].abs(), v[2].abs()];
        let mut start = Vec3([1.0, 1.0, 1.0]);
        if a[0] >= a[1] && a[0] >= a[2] {
            start[0] = 0.0;
        } else if a[1] >= a[2] {
            start[1] = 0.0;
        } else {
            start[2] = 0.0;
        }
        let second = start.add_scaled(v, -v.dot(start) / v.dot(v)).normalized();
        Across(second.cross(v).normalized(), second)
    }
}

/// A triangle; the normal follows its winding. The distance may be negative: behind the origin.
pub fn triangle(ray: &Ray, across: Across, v: [Vec3; 3]) -> Option<Hit> {
    // Project the corners along the ray.
    let planar = v.map(|corner| {
        let offset = corner - ray.origin;
        [across.0.dot(offset), across.1.dot(offset)]
    });
    for k in 0..2 {
        if planar.iter().all(|p| p[k] > 0.0) || planar.iter().all(|p| p[k] < 0.0) {
            return None;
        }
    }

    // Is the ray inside the projection? Barycentric coordinates of the origin.
    let [p0, p1, p2] = planar;
    let a = [p0[0] - p2[0], p1[0] - p2[0], p0[1] - p2[1], p1[1] - p2[1]];
    let determinant = a[0] * a[3] - a[1] * a[2];
    if determinant.abs() < MIN_VALUE {
        return None;
    }
    let t0 = (a[3] * -p2[0] - a[1] * -p2[1]) / determinant;
    let t1 = (-a[2] * -p2[0] + a[0] * -p2[1]) / determinant;
    if t0 < 0.0 || t1 < 0.0 || t0 + t1 > 1.0 {
        return None;
    }

    let normal = (v[0] - v[2]).cross(v[1] - v[2]);
    let denominator = ray.direction.dot(normal);
    if denominator.abs() < MIN_VALUE {
        return None;
    }
    Some(Hit {
        distance: -(ray.origin - v[2]).dot(normal) / denominator,
        normal: normal.normalized(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::vec3;

    fn check(hit: Option<Hit>, distance: f64, normal: [f64; 3]) {
        let hit = hit.expect("the ray meets the shape");
        assert!((hit.distance - distance).abs() < 1e-14);
        for k in 0..3 {
            assert!((hit.normal[k] - normal[k]).abs() < 1e-14);
        }
    }

    const DOWN: Ray = Ray {
        origin: Vec3([0.1, 0.0, 5.0]),
        direction: Vec3([0.0, 0.0, -2.0]),
    };
    const HERE: Pose<'_> = Pose {
        pos: Vec3([0.1, 0.0, 0.0]),
        mat: &Mat3::IDENTITY,
    };

    #[test]
    fn shapes_are_hit_from_above() {
        let size = [0.5, 1.0, 1.5];
        let up = [0.0, 0.0, 1.0];
        check(plane(&DOWN, HERE, size), 2.5, up);
        check(sphere(&DOWN, HERE, size), 2.25, up);
        check(capsule(&DOWN, HERE, size), 1.75, up);
        check(cylinder(&DOWN, HERE, size), 2.0, up);
        check(ellipsoid(&DOWN, HERE, size), 1.75, up);
        check(cuboid(&DOWN, HERE, size), 1.75, up);
    }

    #[test]
    fn rays_from_inside_leave_through_the_far_side() {
        let inside = Ray {
            origin: vec3(0.1, 0.0, 0.0),
            direction: vec3(1.0, 0.0, 0.0),
        };
        let size = [0.5, 1.0, 1.5];
        let x = [1.0, 0.0, 0.0];
        check(sphere(&inside, HERE, size), 0.5, x);
        check(capsule(&inside, HERE, size), 0.5, x);
        check(cylinder(&inside, HERE, size), 0.5, x);
        check(cuboid(&inside, HERE, size), 0.5, x);
        assert_eq!(plane(&inside, HERE, size), None);
    }

    #[test]
    fn a_triangle_is_hit_within_its_edges_only() {
        let v = [
            vec3(0.0, 0.0, 0.0),
            vec3(1.0, 0.0, 0.0),
            vec3(0.0, 1.0, 0.0),
        ];
        let at = |x: f64, y: f64| Ray {
            origin: vec3(x, y, 2.0),
            direction: vec3(0.0, 0.0, -1.0),
        };
        let ray = at(0.2, 0.2);
        check(triangle(&ray, Across::new(&ray), v), 2.0, [0.0, 0.0, 1.0]);
        let ray = at(0.8, 0.8);
        assert_eq!(triangle(&ray, Across::new(&ray), v), None);
    }
}
