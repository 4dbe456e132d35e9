//! Shapes given by a formula for their signed distance: bolt, bowl, gear, nut and torus.
//!
//! The distance is negative inside. Formulas are built from unions (minimum), intersections
//! (maximum) and differences (maximum with the negated second) of simpler ones; some hold only as
//! a bound away from the surface, which is where they come from: graphics (I. Quilez' distance
//! functions; the involute gear and the screw are well-known pieces of that kind). Their numbers
//! are those of the reference's plugins, so that a surface extracted from them is the same.

pub mod octree;
pub mod primitive;

use core::f64::consts::PI;
use sinew_math::{Real, Vec3};

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A screw with a hexagonal head.
    Bolt {
        /// Radius of the thread.
        radius: f64,
    },
    /// A sphere cut off by a plane, hollow.
    Bowl {
        /// Height of the cut.
        height: f64,
        /// Radius of the sphere.
        radius: f64,
        /// Half the thickness of the wall.
        thickness: f64,
    },
    /// An involute gear.
    Gear {
        /// Angle it is turned by.
        alpha: f64,
        /// Pitch diameter.
        diameter: f64,
        /// Number of teeth.
        teeth: f64,
        /// Thickness of the wheel.
        thickness: f64,
        /// Diameter of the hole; negative: automatic.
        innerdiameter: f64,
    },
    /// A hexagonal nut.
    Nut {
        /// Radius of the thread.
        radius: f64,
    },
    /// A ring.
    Torus {
        /// From the axis to the middle of the tube.
        radius1: f64,
        /// Radius of the tube.
        radius2: f64,
    },
}

fn union(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn intersection(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn difference(a: f64, b: f64) -> f64 {
    intersection(a, -b)
}

fn fraction(x: f64) -> f64 {
    x - libm::floor(x)
}

fn length(x: f64, y: f64) -> f64 {
    Real::sqrt(x * x + y * y)
}

impl Shape {
    /// Half sizes of the box about the origin that is searched for the surface.
    pub fn half_sizes(&self) -> [f64; 3] {
        match *self {
            Shape::Bolt { .. } | Shape::Nut { .. } => [0.6, 0.6, 1.0],
            Shape::Bowl {
                radius, thickness, ..
            } => [radius + thickness; 3],
            Shape::Gear {
                diameter,
                thickness,
                ..
            } => {
                let wide = diameter / 2.0 * 1.25;
                [wide, wide, thickness / 2.0 * 1.1]
            }
            Shape::Torus { radius1, radius2 } => [radius1 + radius2, radius1 + radius2, radius2],
        }
    }

    /// Signed distance of a point from the surface.
    pub fn distance(&self, p: Vec3) -> f64 {
        match *self {
            Shape::Bolt { radius } => bolt(p, radius),
            Shape::Bowl {
                height,
                radius,
                thickness,
            } => bowl(p, height, radius, thickness),
            Shape::Gear { thickness, .. } => {
                let flat = self.gear_outline(p);
                extrude(p, flat, thickness / 2.0)
            }
            Shape::Nut { radius } => nut(p, radius),
            Shape::Torus { radius1, radius2 } => {
                let q = length(p[0], p[1]) - radius1;
                length(q, p[2]) - radius2
            }
        }
    }

    /// Distance from the outline of a gear in its plane.
    fn gear_outline(&self, p: Vec3) -> f64 {
        let Shape::Gear {
            alpha,
            diameter,
            teeth,
            innerdiameter,
            ..
        } = *self
        else {
            return 0.0;
        };
        let pressure_angle = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
        let pitch_radius = diameter / 2.0;
        let rho = length(p[0], p[1]);
        let diametral_pitch = teeth / diameter;
        let circular_pitch = PI / diametral_pitch;
        let addendum = 1.0 / diametral_pitch;
        let outer = (diameter + 2.0 * addendum) / 2.0;
        let tooth = 2.2 / diametral_pitch;
        let inner = if innerdiameter >= 0.0 {
            innerdiameter / 2.0
        } else {
            outer - tooth - 0.14 * diameter
        };
        if inner - rho > 0.0 {
            return inner - rho;
        }
        if outer - rho < -0.2 {
            return rho - outer;
        }

        // Both flanks of the nearest tooth, as involutes of the base circle.
        let base = diameter * libm::cos(pressure_angle) / 2.0;
        let angle = libm::atan2(p[1], p[0]) + alpha;
        let stride = circular_pitch / pitch_radius;
        let inverse = libm::acos(base / pitch_radius);
        let involute = libm::tan(inverse) - inverse;
        let shift = stride / 2.0 - 2.0 * involute;
        let modulo = |x: f64| x - stride * libm::floor(x / stride);
        let first = modulo(angle + shift / 2.0) - shift / 2.0;
        let second = modulo(-angle - shift + shift / 2.0) - shift / 2.0;
        let (mut flank1, mut flank2) = (-1.0e6, -1.0e6);
        if base < rho {
            let turn = libm::acos(base / rho);
            let tangent = Real::sqrt(rho * rho - base * base);
            flank1 = tangent - base * (first + turn);
            flank2 = tangent - base * (second + turn);
        }

        let walls = intersection(first - (stride - shift), second - (stride - shift));
        let mut cogs = intersection(walls, intersection(flank1, flank2));
        cogs = smooth_intersection(rho - outer, cogs, 0.0035 * diameter);
        cogs = smooth_union(rho - (outer - tooth), cogs, base - outer + tooth);
        difference(cogs, rho - inner)
    }
}

fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    let both = smooth_union(difference(a, b), difference(b, a), k);
    difference(intersection(a, b), both)
}

/// A flat outline drawn out along z.
fn extrude(p: Vec3, flat: f64, half_height: f64) -> f64 {
    let w = [flat, p[2].abs() - half_height];
    let outside = length(intersection(w[0], 0.0), intersection(w[1], 0.0));
    union(intersection(w[0], w[1]), 0.0) + outside
}

fn bowl(p: Vec3, height: f64, radius: f64, thickness: f64) -> f64 {
    let width = Real::sqrt(radius * radius - height * height);
    let q = [length(p[0], p[1]), p[2]];
    let wall = if height * q[0] < width * q[1] {
        length(q[0] - width, q[1] - height)
    } else {
        (length(q[0], q[1]) - radius).abs()
    };
    wall - thickness
}

const THREADS: f64 = 12.0;

/// Half of √2, the sine of the angle at which threads and cones are cut.
fn slant() -> f64 {
    Real::sqrt(2.0_f64) / 2.0
}

/// A thread: a triangle wave wound around the axis.
fn thread(p: Vec3, radius: f64) -> f64 {
    let azimuth = libm::atan2(p[1], p[0]);
    let wave = (fraction(p[2] * THREADS - azimuth / PI / 2.0) - 0.5).abs();
    (radius - wave / THREADS) * slant()
}

/// A hexagonal head, its top rounded by a cone.
fn head(p: Vec3, radius: f64) -> f64 {
    let k = 6.0 / PI / 2.0;
    let angle = -libm::floor(libm::atan2(p[1], p[0]) * k + 0.5) / k;
    let (sine, cosine) = (libm::sin(angle), libm::sin(angle + PI * 0.5));
    let side = cosine * p[0] + -sine * p[1];
    let flat = intersection(side - 0.5, (p[2] + 0.25).abs() - 0.25);
    intersection(flat, (p[2] + radius - 0.22) * slant())
}

fn bolt(p: Vec3, thread_radius: f64) -> f64 {
    let radius = length(p[0], p[1]) - thread_radius;
    let shaft = difference(thread(p, radius), 0.5 - (p[2] + 0.5).abs());
    let cone = (p[2] - radius) * slant();
    union(difference(shaft, cone + 1.0 * slant()), head(p, radius))
}

fn nut(p: Vec3, thread_radius: f64) -> f64 {
    let radius = length(p[0], p[1]) - thread_radius;
    let cone = (p[2] - radius) * slant();
    let hole = difference(thread(p, radius), cone + 0.5 * slant());
    let hole = union(hole, -cone - 0.05 * slant());
    difference(head(p, radius), hole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::vec3;

    #[test]
    fn a_ring_is_negative_inside_its_tube() {
        let ring = Shape::Torus {
            radius1: 0.35,
            radius2: 0.15,
        };
        assert_eq!(ring.half_sizes(), [0.5, 0.5, 0.15]);
        assert!((ring.distance(vec3(0.35, 0.0, 0.0)) + 0.15).abs() < 1e-15);
        assert!((ring.distance(vec3(0.0, 0.0, 0.0)) - 0.2).abs() < 1e-15);
        assert!(ring.distance(vec3(0.0, 0.5, 0.0)).abs() < 1e-15);
    }

    #[test]
    fn a_bowl_has_a_wall_of_twice_its_thickness() {
        let bowl = Shape::Bowl {
            height: 0.4,
            radius: 1.0,
            thickness: 0.02,
        };
        assert!((bowl.distance(vec3(0.0, 0.0, -1.0)) + 0.02).abs() < 1e-15);
        assert!(bowl.distance(vec3(0.0, 0.0, -1.02)).abs() < 1e-15);
        assert!(bowl.distance(vec3(0.0, 0.0, 1.0)) > 0.5);
    }

    #[test]
    fn a_gear_has_a_hole_and_repeats_with_its_teeth() {
        let gear = Shape::Gear {
            alpha: 0.0,
            diameter: 2.8,
            teeth: 25.0,
            thickness: 0.2,
            innerdiameter: -1.0,
        };
        assert!(gear.distance(vec3(0.0, 0.0, 0.0)) > 0.5, "hole");
        assert!(gear.distance(vec3(1.15, 0.0, 0.0)) < 0.0, "rim");
        assert!(gear.distance(vec3(1.15, 0.0, 0.2)) > 0.05, "above");
        let turn = 2.0 * PI / 25.0;
        let a = gear.distance(vec3(1.4, 0.01, 0.0));
        let (x, y) = (1.4, 0.01);
        let turned = vec3(
            x * libm::cos(turn) - y * libm::sin(turn),
            x * libm::sin(turn) + y * libm::cos(turn),
            0.0,
        );
        assert!((gear.distance(turned) - a).abs() < 1e-12);
    }
}
