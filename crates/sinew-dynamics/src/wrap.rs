//! Shortest path of a string between two points around a sphere or a cylinder.
//!
//! Both shapes reduce to a circle in a plane: for the sphere the plane through its centre and the
//! two points, for the cylinder the plane across its axis, where the path then climbs evenly. On
//! the circle the string either passes outside along two tangents and an arc, or, when a side site
//! lies within the circle, inside and touches it in one point where angles of incidence are equal.
//! Numbers decide which way is taken, so worlds are computed one by one. Conforms to MuJoCo's `mju_wrap`, discrete choices
//! included.

use core::f64::consts::PI;
use sinew_math::{MIN_VALUE, Mat3, Scalar, Vec3};

/// The part of a string that touches an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap<T = f64> {
    /// Length along the object.
    pub length: T,
    /// Where the string meets and leaves the object, world frame.
    pub points: [Vec3<T>; 2],
}

/// Which object a string passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// A sphere about the origin of the object's frame.
    Sphere,
    /// An infinite cylinder about the z axis of the object's frame.
    Cylinder,
}

type Point<T> = [T; 2];

/// A number that is not less than another; the other one where it is no number.
#[inline(always)]
fn at_least<T: Scalar>(x: T, least: T) -> T {
    if x > least { x } else { least }
}

/// The contact of a string from `start` to `end` with an object, or `None` if it passes freely.
#[doc(alias = "mju_wrap")]
#[inline(always)]
pub fn wrap<T: Scalar>(
    around: Around,
    (start, end): (Vec3<T>, Vec3<T>),
    (position, axes, radius): (Vec3<T>, &Mat3<T>, T),
    side: Option<Vec3<T>>,
) -> Option<Wrap<T>> {
    let least = T::from_f64(MIN_VALUE);
    let local = |point: Vec3<T>| axes.transpose_mul(point - position);
    let (p0, p1) = (local(start), local(end));
    let is_tiny = |p: Vec3<T>| p.dot(p) < least * least;
    if is_tiny(p0) || is_tiny(p1) {
        return None;
    }

    // Reduce to the plane of the circle.
    let (x, y) = match around {
        Around::Sphere => plane_of(p0, p1),
        Around::Cylinder => (
            Vec3([T::ONE, T::ZERO, T::ZERO]),
            Vec3([T::ZERO, T::ONE, T::ZERO]),
        ),
    };
    let flat = |p: Vec3<T>| [p.dot(x), p.dot(y)];
    let ends = [flat(p0), flat(p1)];
    let (touch, mut length) = match side.map(local) {
        Some(site) if is_within(site, radius) => (inside(ends, radius)?, T::ZERO),
        site => {
            let side = site.map(|site| {
                let unit = normalized(flat(site));
                [unit[0] * radius, unit[1] * radius]
            });
            outside(ends, side, radius)?
        }
    };

    // Back to space.
    let lift = |p: Point<T>| x * p[0] + y * p[1];
    let mut points = [lift(touch[0]), lift(touch[1])];
    if around == Around::Cylinder {
        let run = |p: Vec3<T>, q: Vec3<T>| {
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
#[inline(always)]
fn is_within<T: Scalar>(point: Vec3<T>, distance: T) -> bool {
    let (square, limit) = (point.dot(point), distance * distance);
    if (square - limit).abs() > T::from_f64(1e-12) * limit {
        square < limit && distance > T::ZERO
    } else {
        square.sqrt() < distance
    }
}

/// Axes of the plane through the origin and two points: x towards the first.
#[inline(always)]
fn plane_of<T: Scalar>(p0: Vec3<T>, p1: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
    let (zero, one) = (T::ZERO, T::ONE);
    let x = p0.normalized();
    let (mut normal, length) = p0.cross(p1).normalize();
    if length < T::from_f64(MIN_VALUE) {
        // Parallel points: any plane through them.
        let a = [x[0].abs(), x[1].abs(), x[2].abs()];
        let other = if a[2] > a[0] && a[2] > a[1] {
            Vec3([one, one, zero])
        } else if a[1] > a[0] && a[1] > a[2] {
            Vec3([one, zero, one])
        } else {
            Vec3([zero, one, one])
        };
        normal = x.cross(other).normalized();
    }
    (x, normal.cross(x).normalized())
}

#[inline(always)]
fn dot<T: Scalar>(a: Point<T>, b: Point<T>) -> T {
    a[0] * b[0] + a[1] * b[1]
}

#[inline(always)]
fn difference<T: Scalar>(a: Point<T>, b: Point<T>) -> Point<T> {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn normalized<T: Scalar>(a: Point<T>) -> Point<T> {
    let length = dot(a, a).sqrt();
    if length < T::from_f64(MIN_VALUE) {
        [T::ONE, T::ZERO]
    } else {
        let inverse = T::ONE / length;
        [a[0] * inverse, a[1] * inverse]
    }
}

/// Whether segments a–b and c–d cross.
#[inline(always)]
fn segments_cross<T: Scalar>(a: Point<T>, b: Point<T>, c: Point<T>, d: Point<T>) -> bool {
    let (ab, cd, ca) = (difference(b, a), difference(d, c), difference(a, c));
    let determinant = cd[1] * ab[0] - cd[0] * ab[1];
    if determinant.abs() < T::from_f64(MIN_VALUE) {
        return false;
    }
    // Where along each the lines meet, as a quotient that need not be computed to be compared.
    let is_within = |numerator: T| {
        numerator.abs() <= determinant.abs()
            && (numerator == T::ZERO || (numerator > T::ZERO) == (determinant > T::ZERO))
    };
    is_within(cd[0] * ca[1] - cd[1] * ca[0]) && is_within(ab[0] * ca[1] - ab[1] * ca[0])
}

/// Tangent points and arc length of a string around the outside of a circle about the origin. With
/// a side point the string goes round on that side even if it could pass straight.
#[inline(always)]
fn outside<T: Scalar>(
    ends: [Point<T>; 2],
    side: Option<Point<T>>,
    radius: T,
) -> Option<([Point<T>; 2], T)> {
    let (zero, one, least) = (T::ZERO, T::ONE, T::from_f64(MIN_VALUE));
    let [p, q] = ends;
    let (square_p, square_q, square_r) = (dot(p, p), dot(q, q), radius * radius);
    if square_p < square_r || square_q < square_r || radius < least {
        return None;
    }
    let step = difference(q, p);
    let square_step = dot(step, step);
    if square_step < least {
        return None;
    }

    // The point of the straight segment nearest to the centre.
    let a = -dot(step, p) / square_step;
    let a = if a < zero {
        zero
    } else if a > one {
        one
    } else {
        a
    };
    let nearest = [a * step[0] + p[0], a * step[1] + p[1]];
    if dot(nearest, nearest) > square_r && side.is_none_or(|side| dot(side, nearest) >= zero) {
        return None;
    }

    // Two candidate pairs of tangent points, one for each way round.
    let (root_p, root_q) = ((square_p - square_r).sqrt(), (square_q - square_r).sqrt());
    let candidate = |sign: T| -> [Point<T>; 2] {
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
    let crossed = T::from_f64(-10000.0);
    let goodness = |touch: [Point<T>; 2]| {
        if segments_cross(p, touch[0], q, touch[1]) {
            return crossed;
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
    let (forward, backward) = (candidate(one), candidate(-one));
    let (forward_goodness, backward_goodness) = (goodness(forward), goodness(backward));
    let is_forward = forward_goodness > backward_goodness;
    let (touch, best) = match is_forward {
        true => (forward, forward_goodness),
        false => (backward, backward_goodness),
    };
    if best == crossed && segments_cross(p, touch[0], q, touch[1]) {
        return None;
    }
    Some((touch, arc(touch, is_forward, radius)))
}

/// Length of the arc between two points of a circle, the long way round if the direction asks.
#[inline(always)]
fn arc<T: Scalar>(touch: [Point<T>; 2], is_forward: bool, radius: T) -> T {
    let mut angle = dot(normalized(touch[0]), normalized(touch[1])).acos();
    let cross = touch[0][1] * touch[1][0] - touch[0][0] * touch[1][1];
    if (cross > T::ZERO && !is_forward) || (cross < T::ZERO && is_forward) {
        angle = T::from_f64(2.0 * PI) - angle;
    }
    radius * angle
}

/// The one point where a string between two outer points touches the circle from inside; the arc
/// has no length. Solves asin(Az) + asin(Bz) − 2 asin(z) + G = 0 by Newton's method from the right,
/// with z the sine of the angle of incidence; if that fails, the middle direction serves.
#[inline(always)]
fn inside<T: Scalar>(ends: [Point<T>; 2], radius: T) -> Option<[Point<T>; 2]> {
    const MAX_ITERATIONS: usize = 20;
    let (zero, one, least) = (T::ZERO, T::ONE, T::from_f64(MIN_VALUE));
    let (half, two) = (T::from_f64(0.5), T::from_f64(2.0));
    let (start, tolerance) = (T::from_f64(1.0 - 1e-7), T::from_f64(1e-6));

    let [p, q] = ends;
    let (length_p, length_q) = (dot(p, p).sqrt(), dot(q, q).sqrt());
    let step = difference(q, p);
    let square_step = dot(step, step);
    if length_p <= radius
        || length_q <= radius
        || radius < least
        || length_p < least
        || length_q < least
    {
        return None;
    }
    if square_step > least {
        let a = -dot(step, p) / square_step;
        if a > zero && a < one {
            let nearest = [p[0] + step[0] * a, p[1] + step[1] * a];
            if dot(nearest, nearest).sqrt() <= radius {
                return None;
            }
        }
    }

    let middle = normalized([half * (p[0] + q[0]), half * (p[1] + q[1])]);
    let middle = [middle[0] * radius, middle[1] * radius];
    let fallback = Some([middle, middle]);

    let (a, b) = (radius / length_p, radius / length_q);
    let cosine =
        (length_p * length_p + length_q * length_q - square_step) / (two * length_p * length_q);
    if cosine < -one + least {
        return None;
    } else if cosine > one - least {
        return fallback;
    }
    let angle = cosine.acos();
    let value = |z: T| (a * z).asin() + (b * z).asin() - two * z.asin() + angle;

    let mut z = start;
    let mut f = value(z);
    if f > zero {
        return fallback;
    }
    let mut iterations = 0;
    while iterations < MAX_ITERATIONS && f.abs() > tolerance {
        let slope = |c: T| c / at_least((one - z * z * c * c).sqrt(), least);
        let derivative = slope(a) + slope(b) - two / at_least((one - z * z).sqrt(), least);
        if derivative > -least {
            return fallback;
        }
        let next = z - f / derivative;
        if next > z {
            return fallback;
        }
        z = next;
        f = value(z);
        if f > tolerance {
            return fallback;
        }
        iterations += 1;
    }
    if iterations >= MAX_ITERATIONS {
        return fallback;
    }

    // Turn from the end that comes first counter-clockwise.
    let (from, ratio) = if p[0] * q[1] - p[1] * q[0] > zero {
        (p, a)
    } else {
        (q, b)
    };
    let turn = z.asin() - (ratio * z).asin();
    let (sine, cosine) = (turn.sin(), turn.cos());
    let unit = normalized(from);
    let touch = [
        radius * (cosine * unit[0] - sine * unit[1]),
        radius * (sine * unit[0] + cosine * unit[1]),
    ];
    Some([touch, touch])
}
