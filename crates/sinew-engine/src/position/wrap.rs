//! Shortest path of a string between two points around a sphere or a cylinder.
//!
//! Both shapes reduce to a circle in a plane: for the sphere the plane through its centre and the
//! two points, for the cylinder the plane across its axis, where the path then climbs evenly. On
//! the circle the string either passes outside along two tangents and an arc, or, when a side site
//! lies within the circle, inside and touches it in one point where angles of incidence are equal.
//! Conforms to MuJoCo's `mju_wrap`, discrete choices included.

use sinew_math::arc::{acos, asin};
use sinew_math::sine::{cos, sin};
use sinew_math::{MIN_VALUE, Mat3, Vec3, vec3};

/// The part of a string that touches an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap {
    /// Length along the object.
    pub length: f64,
    /// Where the string meets and leaves the object, world frame.
    pub points: [Vec3; 2],
}

/// Which object a string passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// A sphere about the origin of the object's frame.
    Sphere,
    /// An infinite cylinder about the z axis of the object's frame.
    Cylinder,
}

type Point = [f64; 2];

/// The contact of a string from `start` to `end` with an object, or `None` if it passes freely.
#[doc(alias = "mju_wrap")]
pub(crate) fn wrap(
    around: Around,
    (start, end): (Vec3, Vec3),
    (position, axes, radius): (Vec3, &Mat3, f64),
    side: Option<Vec3>,
) -> Option<Wrap> {
    let local = |point: Vec3| axes.transpose_mul(point - position);
    let (p0, p1) = (local(start), local(end));
    let is_tiny = |p: Vec3| p.dot(p) < MIN_VALUE * MIN_VALUE;
    if is_tiny(p0) || is_tiny(p1) {
        return None;
    }

    // Reduce to the plane of the circle.
    let (x, y) = match around {
        Around::Sphere => plane_of(p0, p1),
        Around::Cylinder => (Vec3::X, Vec3::Y),
    };
    let flat = |p: Vec3| [p.dot(x), p.dot(y)];
    let ends = [flat(p0), flat(p1)];
    let (touch, mut length) = match side.map(local) {
        Some(site) if is_within(site, radius) => (inside(ends, radius)?, 0.0),
        site => {
            let side = site.map(|site| {
                let unit = normalized(flat(site));
                [unit[0] * radius, unit[1] * radius]
            });
            outside(ends, side, radius)?
        }
    };

    // Back to space.
    let lift = |p: Point| x * p[0] + y * p[1];
    let mut points = [lift(touch[0]), lift(touch[1])];
    if around == Around::Cylinder {
        let run = |p: Vec3, q: Vec3| {
            ((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])).sqrt()
        };
        let (before, after) = (run(p0, points[0]), run(p1, points[1]));
        let (climb, total) = (p1[2] - p0[2], before + length + after);
        points[0][2] = p0[2] + climb * before / total;
        points[1][2] = p0[2] + climb * (before + length) / total;
        let height = (points[1][2] - points[0][2]).abs();
        length = (length * length + height * height).sqrt();
    }
    Some(Wrap {
        length,
        points: points.map(|p| *axes * p + position),
    })
}

/// Whether a point is nearer to the origin than a distance. A root is only taken where rounding
/// could decide.
#[inline]
fn is_within(point: Vec3, distance: f64) -> bool {
    let (square, limit) = (point.dot(point), distance * distance);
    if (square - limit).abs() > 1e-12 * limit {
        square < limit && distance > 0.0
    } else {
        square.sqrt() < distance
    }
}

/// Axes of the plane through the origin and two points: x towards the first.
fn plane_of(p0: Vec3, p1: Vec3) -> (Vec3, Vec3) {
    let x = p0.normalized();
    let (mut normal, length) = p0.cross(p1).normalize();
    if length < MIN_VALUE {
        // Parallel points: any plane through them.
        let a = [x[0].abs(), x[1].abs(), x[2].abs()];
        let other = if a[2] > a[0] && a[2] > a[1] {
            vec3(1.0, 1.0, 0.0)
        } else if a[1] > a[0] && a[1] > a[2] {
            vec3(1.0, 0.0, 1.0)
        } else {
            vec3(0.0, 1.0, 1.0)
        };
        normal = x.cross(other).normalized();
    }
    (x, normal.cross(x).normalized())
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn difference(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

fn normalized(a: Point) -> Point {
    let length = dot(a, a).sqrt();
    if length < MIN_VALUE {
        [1.0, 0.0]
    } else {
        let inverse = 1.0 / length;
        [a[0] * inverse, a[1] * inverse]
    }
}

/// Whether segments a–b and c–d cross.
#[inline]
fn segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    let (ab, cd, ca) = (difference(b, a), difference(d, c), difference(a, c));
    let determinant = cd[1] * ab[0] - cd[0] * ab[1];
    if determinant.abs() < MIN_VALUE {
        return false;
    }
    // Where along each the lines meet, as a quotient that need not be computed to be compared.
    let is_within = |numerator: f64| {
        numerator.abs() <= determinant.abs()
            && (numerator == 0.0 || (numerator > 0.0) == (determinant > 0.0))
    };
    is_within(cd[0] * ca[1] - cd[1] * ca[0]) && is_within(ab[0] * ca[1] - ab[1] * ca[0])
}

/// Tangent points and arc length of a string around the outside of a circle about the origin. With
/// a side point the string goes round on that side even if it could pass straight.
fn outside(ends: [Point; 2], side: Option<Point>, radius: f64) -> Option<([Point; 2], f64)> {
    let [p, q] = ends;
    let (square_p, square_q, square_r) = (dot(p, p), dot(q, q), radius * radius);
    if square_p < square_r || square_q < square_r || radius < MIN_VALUE {
        return None;
    }
    let step = difference(q, p);
    let square_step = dot(step, step);
    if square_step < MIN_VALUE {
        return None;
    }

    // The point of the straight segment nearest to the centre.
    let a = (-dot(step, p) / square_step).clamp(0.0, 1.0);
    let nearest = [a * step[0] + p[0], a * step[1] + p[1]];
    if dot(nearest, nearest) > square_r && side.is_none_or(|side| dot(side, nearest) >= 0.0) {
        return None;
    }

    // Two candidate pairs of tangent points, one for each way round.
    let (root_p, root_q) = ((square_p - square_r).sqrt(), (square_q - square_r).sqrt());
    let candidate = |sign: f64| -> [Point; 2] {
        [
            [
                (p[0] * square_r + sign * radius * p[1] * root_p) / square_p,
                (p[1] * square_r - sign * radius * p[0] * root_p) / square_p,
            ],
            [
                (q[0] * square_r - sign * radius * q[1] * root_q) / square_q,
                (q[1] * square_r + sign * radius * q[0] * root_q) / square_q,
            ],
        ]
    };
    const CROSSED: f64 = -10000.0;
    let goodness = |touch: [Point; 2]| {
        if segments_cross(p, touch[0], q, touch[1]) {
            return CROSSED;
        }
        match side {
            Some(side) => {
                let middle = [touch[0][0] + touch[1][0], touch[0][1] + touch[1][1]];
                dot(normalized(middle), side)
            }
            None => {
                let chord = difference(touch[0], touch[1]);
                -dot(chord, chord)
            }
        }
    };
    let (forward, backward) = (candidate(1.0), candidate(-1.0));
    let (forward_goodness, backward_goodness) = (goodness(forward), goodness(backward));
    let is_forward = forward_goodness > backward_goodness;
    let (touch, best) = match is_forward {
        true => (forward, forward_goodness),
        false => (backward, backward_goodness),
    };
    if best == CROSSED && segments_cross(p, touch[0], q, touch[1]) {
        return None;
    }
    Some((touch, arc(touch, is_forward, radius)))
}

/// Length of the arc between two points of a circle, the long way round if the direction asks.
fn arc(touch: [Point; 2], is_forward: bool, radius: f64) -> f64 {
    let mut angle = acos(dot(normalized(touch[0]), normalized(touch[1])));
    let cross = touch[0][1] * touch[1][0] - touch[0][0] * touch[1][1];
    if (cross > 0.0 && !is_forward) || (cross < 0.0 && is_forward) {
        angle = 2.0 * core::f64::consts::PI - angle;
    }
    radius * angle
}

/// The one point where a string between two outer points touches the circle from inside; the arc
/// has no length. Solves asin(Az) + asin(Bz) − 2 asin(z) + G = 0 by Newton's method from the right,
/// with z the sine of the angle of incidence; if that fails, the middle direction serves.
fn inside(ends: [Point; 2], radius: f64) -> Option<[Point; 2]> {
    const MAX_ITERATIONS: usize = 20;
    const START: f64 = 1.0 - 1e-7;
    const TOLERANCE: f64 = 1e-6;

    let [p, q] = ends;
    let (length_p, length_q) = (dot(p, p).sqrt(), dot(q, q).sqrt());
    let step = difference(q, p);
    let square_step = dot(step, step);
    if length_p <= radius
        || length_q <= radius
        || radius < MIN_VALUE
        || length_p < MIN_VALUE
        || length_q < MIN_VALUE
    {
        return None;
    }
    if square_step > MIN_VALUE {
        let a = -dot(step, p) / square_step;
        if a > 0.0 && a < 1.0 {
            let nearest = [p[0] + step[0] * a, p[1] + step[1] * a];
            if dot(nearest, nearest).sqrt() <= radius {
                return None;
            }
        }
    }

    let middle = normalized([0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])]);
    let middle = [middle[0] * radius, middle[1] * radius];
    let fallback = Some([middle, middle]);

    let (a, b) = (radius / length_p, radius / length_q);
    let cosine =
        (length_p * length_p + length_q * length_q - square_step) / (2.0 * length_p * length_q);
    if cosine < -1.0 + MIN_VALUE {
        return None;
    } else if cosine > 1.0 - MIN_VALUE {
        return fallback;
    }
    let angle = acos(cosine);
    let value = |z: f64| asin(a * z) + asin(b * z) - 2.0 * asin(z) + angle;

    let mut z = START;
    let mut f = value(z);
    if f > 0.0 {
        return fallback;
    }
    let mut iterations = 0;
    while iterations < MAX_ITERATIONS && f.abs() > TOLERANCE {
        let slope = |c: f64| c / (1.0 - z * z * c * c).sqrt().max(MIN_VALUE);
        let derivative = slope(a) + slope(b) - 2.0 / (1.0 - z * z).sqrt().max(MIN_VALUE);
        if derivative > -MIN_VALUE {
            return fallback;
        }
        let next = z - f / derivative;
        if next > z {
            return fallback;
        }
        z = next;
        f = value(z);
        if f > TOLERANCE {
            return fallback;
        }
        iterations += 1;
    }
    if iterations >= MAX_ITERATIONS {
        return fallback;
    }

    // Turn from the end that comes first counter-clockwise.
    let (from, ratio) = if p[0] * q[1] - p[1] * q[0] > 0.0 {
        (p, a)
    } else {
        (q, b)
    };
    let turn = asin(z) - asin(ratio * z);
    let (sine, cosine) = (sin(turn), cos(turn));
    let unit = normalized(from);
    let touch = [
        radius * (cosine * unit[0] - sine * unit[1]),
        radius * (sine * unit[0] + cosine * unit[1]),
    ];
    Some([touch, touch])
}
