//! Volume, inertia and extent of the primitive shapes.
//!
//! Sizes are half sizes in the shape's own frame, whose axes are its principal axes. A *shell* has
//! all its mass on the surface, with equal area density.

use core::f64::consts::PI;
use sinew_math::power::pow;
use sinew_math::{Vec3, vec3};
use sinew_model::kinds::GeomType;

/// Volume of a solid, or surface of a shell; 0 for shapes without either.
#[doc(alias = "mjCGeom::GetVolume")]
pub fn volume(kind: GeomType, size: [f64; 3], is_shell: bool) -> f64 {
    let [a, b, c] = size;
    let (radius, height) = (a, 2.0 * b);
    match (kind, is_shell) {
        (GeomType::Sphere, false) => 4.0 * PI * radius * radius * radius / 3.0,
        (GeomType::Sphere, true) => 4.0 * PI * radius * radius,
        (GeomType::Capsule, false) => {
            PI * (radius * radius * height + 4.0 * radius * radius * radius / 3.0)
        }
        (GeomType::Capsule, true) => 4.0 * PI * radius * radius + 2.0 * PI * radius * height,
        (GeomType::Cylinder, false) => PI * radius * radius * height,
        (GeomType::Cylinder, true) => 2.0 * PI * radius * radius + 2.0 * PI * radius * height,
        (GeomType::Ellipsoid, false) => 4.0 * PI * a * b * c / 3.0,
        (GeomType::Ellipsoid, true) => {
            // Thomsen's approximation of the surface.
            let p = 1.6075;
            let sum = pow(a * b, p) + pow(b * c, p) + pow(c * a, p);
            4.0 * PI * pow(sum / 3.0, 1.0 / p)
        }
        (GeomType::Box | GeomType::Hfield, false) => a * b * c * 8.0,
        (GeomType::Box | GeomType::Hfield, true) => 8.0 * (a * b + b * c + c * a),
        _ => 0.0,
    }
}

/// Principal moments of inertia about the centre.
#[doc(alias = "mjCGeom::SetInertia")]
pub fn moments(kind: GeomType, size: [f64; 3], is_shell: bool, mass: f64) -> Vec3 {
    let [a, b, c] = size;
    match (kind, is_shell) {
        (GeomType::Sphere, false) => Vec3([2.0 * mass * a * a / 5.0; 3]),
        (GeomType::Sphere, true) => Vec3([2.0 * mass * a * a / 3.0; 3]),
        (GeomType::Capsule, false) => solid_capsule(a, b, mass),
        (GeomType::Capsule, true) => shell_capsule(a, b, mass),
        (GeomType::Cylinder, false) => {
            let height = 2.0 * b;
            let across = mass * (3.0 * a * a + height * height) / 12.0;
            vec3(across, across, mass * a * a / 2.0)
        }
        (GeomType::Cylinder, true) => shell_cylinder(a, b, mass),
        (GeomType::Ellipsoid, false) => solid_ellipsoid(a * a, b * b, c * c, mass),
        (GeomType::Ellipsoid, true) => shell_ellipsoid(size, mass),
        (GeomType::Box | GeomType::Hfield, false) => vec3(
            mass * (b * b + c * c) / 3.0,
            mass * (a * a + c * c) / 3.0,
            mass * (a * a + b * b) / 3.0,
        ),
        (GeomType::Box | GeomType::Hfield, true) => shell_box(size, mass),
        _ => Vec3::ZERO,
    }
}

/// A cylinder and two hemispheres moved apart along z.
fn solid_capsule(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let sphere = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let cylinder = mass - sphere;
    let round = 2.0 * sphere * radius * radius / 5.0;
    let mut across = cylinder * (3.0 * radius * radius + height * height) / 12.0;
    across += round + sphere * height * (3.0 * radius + 2.0 * height) / 8.0;
    let mut along = cylinder * radius * radius / 2.0;
    along += round;
    vec3(across, across, along)
}

fn shell_capsule(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let sphere_area = 4.0 * PI * radius * radius;
    let cylinder_area = 2.0 * PI * radius * height;
    let sphere = mass * sphere_area / (sphere_area + cylinder_area);
    let cylinder = mass - sphere;
    let round = 2.0 * sphere * radius * radius / 3.0;
    // The centre of mass of a hemisphere shell lies half a radius above its rim.
    let rise = radius / 2.0;
    let position = half + rise;
    let mut across = cylinder * (6.0 * radius * radius + height * height) / 12.0;
    across += round + sphere * (position * position - rise * rise);
    let mut along = cylinder * radius * radius;
    along += round;
    vec3(across, across, along)
}

fn shell_cylinder(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let disk_area = PI * radius * radius;
    let side_area = 2.0 * PI * radius * height;
    let disk = mass * disk_area / (2.0 * disk_area + side_area);
    let side = mass - 2.0 * disk;
    let mut across = side * (6.0 * radius * radius + height * height) / 12.0;
    across += 2.0 * (disk * radius * radius / 4.0 + disk * half * half);
    let mut along = side * radius * radius;
    along += 2.0 * (disk * radius * radius / 2.0);
    vec3(across, across, along)
}

/// From squared half axes.
fn solid_ellipsoid(a2: f64, b2: f64, c2: f64, mass: f64) -> Vec3 {
    vec3(
        mass * (b2 + c2) / 5.0,
        mass * (a2 + c2) / 5.0,
        mass * (a2 + b2) / 5.0,
    )
}

/// The difference of two solid ellipsoids, one slightly larger.
fn shell_ellipsoid([a, b, c]: [f64; 3], mass: f64) -> Vec3 {
    let thickness = 1e-6;
    let inner_volume = 4.0 * PI * a * b * c / 3.0;
    let (d, e, f) = (a + thickness, b + thickness, c + thickness);
    let outer_volume = 4.0 * PI * d * e * f / 3.0;
    let density = mass / (outer_volume - inner_volume);
    let inner = solid_ellipsoid(a * a, b * b, c * c, inner_volume * density);
    let outer = solid_ellipsoid(d * d, e * e, f * f, outer_volume * density);
    outer - inner
}

/// Three pairs of rectangles.
fn shell_box([a, b, c]: [f64; 3], mass: f64) -> Vec3 {
    let (x, y, z) = (2.0 * a, 2.0 * b, 2.0 * c);
    let (xy, yz, zx) = (x * y, y * z, z * x);
    let total = 2.0 * (xy + yz + zx);

    let m0 = mass * xy / total;
    let (x0, y0, z0) = (
        m0 * y * y / 12.0,
        m0 * x * x / 12.0,
        m0 * (x * x + y * y) / 12.0,
    );
    let m1 = mass * yz / total;
    let (x1, y1, z1) = (
        m1 * (y * y + z * z) / 12.0,
        m1 * z * z / 12.0,
        m1 * y * y / 12.0,
    );
    let m2 = mass * zx / total;
    let (x2, y2, z2) = (
        m2 * z * z / 12.0,
        m2 * (x * x + z * z) / 12.0,
        m2 * x * x / 12.0,
    );

    let (a2, b2, c2) = (a * a, b * b, c * c);
    vec3(
        2.0 * (m0 * c2 + m2 * b2 + x0 + x1 + x2),
        2.0 * (m0 * c2 + m1 * a2 + y0 + y1 + y2),
        2.0 * (m1 * a2 + m2 * b2 + z0 + z1 + z2),
    )
}

/// Radius of a bounding sphere around the origin; 0 for a plane.
#[doc(alias = "mjCGeom::GetRBound")]
pub fn bounding_radius(kind: GeomType, size: [f64; 3]) -> f64 {
    let [a, b, c] = size;
    match kind {
        GeomType::Sphere => a,
        GeomType::Capsule => a + b,
        GeomType::Cylinder => (a * a + b * b).sqrt(),
        GeomType::Ellipsoid => larger(larger(a, b), c),
        GeomType::Box => (a * a + b * b + c * c).sqrt(),
        _ => 0.0,
    }
}

/// The larger of two; the first if they compare equal or not at all.
pub fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// Smallest and largest coordinates of the shape in its own frame.
pub fn extent(kind: GeomType, size: [f64; 3]) -> [f64; 6] {
    let [a, b, c] = size;
    match kind {
        GeomType::Sphere => [-a, -a, -a, a, a, a],
        GeomType::Capsule => [-a, -a, -(a + b), a, a, a + b],
        GeomType::Cylinder => [-a, -a, -b, a, a, b],
        // A plane is infinite; the reference's largest number stands for infinity.
        GeomType::Plane => [-1e10, -1e10, -1e10, 1e10, 1e10, 0.0],
        _ => [-a, -b, -c, a, b, c],
    }
}

/// Centre and half sizes of a box given by its smallest and largest coordinates.
pub fn centre_and_half([a, b, c, d, e, f]: [f64; 6]) -> [f64; 6] {
    [
        (d + a) / 2.0,
        (e + b) / 2.0,
        (f + c) / 2.0,
        (d - a) / 2.0,
        (e - b) / 2.0,
        (f - c) / 2.0,
    ]
}
