//! Normalisation by division, as the reference's model compiler does it.
//!
//! The stepping code multiplies by the reciprocal of the length; the compiler divides by the
//! length and leaves vectors alone that are short (squared length below 1e-14) or already of
//! unit length (within 1e-14). Compiled models are compared to the last bits, so both exist.

use crate::quat::Quat;
use crate::vec3::Vec3;

/// The compiler's threshold for "zero" and for "already normalised".
pub const EPSILON: f64 = 1e-14;

/// Unit vector and former length; a vector too short is returned as it is, with length 0.
#[doc(alias = "mjuu_normvec")]
#[inline]
pub fn normalize3(v: Vec3) -> (Vec3, f64) {
    let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if square < EPSILON {
        return (v, 0.0);
    }
    let length = crate::Real::sqrt(square);
    if f64::abs(length - 1.0) > EPSILON {
        (Vec3([v[0] / length, v[1] / length, v[2] / length]), length)
    } else {
        (v, length)
    }
}

/// Unit quaternion; a quaternion too short is returned as it is.
#[doc(alias = "mjuu_normvec")]
#[inline]
pub fn normalized4(q: Quat) -> Quat {
    let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if square < EPSILON {
        return q;
    }
    let length = crate::Real::sqrt(square);
    if f64::abs(length - 1.0) > EPSILON {
        Quat([q[0] / length, q[1] / length, q[2] / length, q[3] / length])
    } else {
        q
    }
}

/// Unit normal of the triangle a b c by the right-hand rule, and twice its area.
///
/// A degenerate triangle yields what the reference yields: non-finite or huge components.
#[doc(alias = "mjuu_makenormal")]
#[inline]
pub fn triangle_normal(a: Vec3, b: Vec3, c: Vec3) -> (Vec3, f64) {
    let mut normal = (b - a).cross(c - a);
    let length = crate::Real::sqrt(normal.dot(normal));
    if length < EPSILON {
        normal = Vec3::X;
    }
    (
        Vec3([normal[0] / length, normal[1] / length, normal[2] / length]),
        length,
    )
}
