//! Derivatives of differences and integrals of orientations, in their tangent spaces.
//!
//! With K the cross-product matrix of a rotation's axis and θ its angle,
//! ∂(a ⊖ b)/∂a = 1 + θ/2·K + (1 − θ/2·cot(θ/2))·K², and ∂(a ⊖ b)/∂b is minus its transpose. Turning
//! with velocity v for time h is the exponential of s = h·v. Conforms to MuJoCo's `mjd_subQuat` and
//! `mjd_quatIntegrate`.

use sinew_math::{Mat3, Quat, Vec3};

/// Below this half angle the cotangent's limit is exact.
const SMALL_HALF_ANGLE: f64 = 6e-8;
/// Below this angle series are used.
const SMALL_ANGLE: f64 = 1.0 / 32.0;

fn sum(terms: [(f64, &Mat3); 3]) -> Mat3 {
    let [(a, x), (b, y), (c, z)] = terms;
    let mut out = Mat3([0.0; 9]);
    for i in 0..9 {
        out.0[i] = a * x.0[i] + b * y.0[i] + c * z.0[i];
    }
    out
}

/// v × as a matrix.
fn cross(v: Vec3) -> Mat3 {
    Mat3([0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0])
}

/// Derivatives of the rotation vector from `b` to `a` by `a` and by `b`.
#[doc(alias = "mjd_subQuat")]
pub fn difference_derivatives(a: Quat, b: Quat) -> [Mat3; 2] {
    let (axis, angle) = a.difference(b).normalize();
    let half = 0.5 * angle;
    let k = cross(axis);
    let coefficient = 1.0
        - if half < SMALL_HALF_ANGLE {
            1.0
        } else {
            half / libm::tan(half)
        };
    let by_a = sum([(1.0, &Mat3::IDENTITY), (half, &k), (coefficient, &(k * k))]);
    let mut by_b = by_a.transpose();
    for value in &mut by_b.0 {
        *value *= -1.0;
    }
    [by_a, by_b]
}

/// How the orientation after turning with a velocity for a time depends on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntegralDerivatives {
    /// By the orientation at the start.
    pub by_start: Mat3,
    /// By the velocity.
    pub by_velocity: Mat3,
    /// By the time.
    pub by_time: Vec3,
}

/// Derivatives of turning with a local velocity for a time.
#[doc(alias = "mjd_quatIntegrate")]
pub fn integral_derivatives(velocity: Vec3, time: f64) -> IntegralDerivatives {
    let s = velocity * time;
    let turn = cross(s).transpose();
    let mut outer = Mat3([0.0; 9]);
    for i in 0..3 {
        for j in 0..3 {
            outer.0[3 * i + j] = s[i] * s[j];
        }
    }
    // cos x, sin x / x, (1 − cos x) / x², (x − sin x) / x³
    let squared = s.dot(s);
    let x = squared.sqrt();
    let a = libm::cos(x);
    let (b, c, d) = if x > SMALL_ANGLE {
        let b = libm::sin(x) / x;
        (b, (1.0 - a) / squared, (1.0 - b) / squared)
    } else {
        let series =
            |p: f64, q: f64, r: f64| 1.0 + squared / p * (squared / q * (1.0 - squared / r) - 1.0);
        (
            series(6.0, 20.0, 42.0),
            series(12.0, 30.0, 56.0) / 2.0,
            series(20.0, 42.0, 72.0) / 6.0,
        )
    };
    let by_velocity = sum([(b, &Mat3::IDENTITY), (c, &turn), (d, &outer)]);
    IntegralDerivatives {
        by_start: sum([(a, &Mat3::IDENTITY), (b, &turn), (c, &outer)]),
        by_velocity,
        by_time: by_velocity * velocity,
    }
}
