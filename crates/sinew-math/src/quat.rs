//! Unit quaternions, `w` first.

use crate::mat3::Mat3;
use crate::real::Real;
use crate::vec3::Vec3;
use core::ops::{Deref, DerefMut, Mul};

/// A rotation as a quaternion w x y z.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Quat<T = f64>(pub [T; 4]);

// SAFETY: a transparent wrapper of an array of plain numbers: zero bytes are a valid value.
#[allow(unsafe_code)]
unsafe impl<T: bytemuck::Zeroable> bytemuck::Zeroable for Quat<T> {}
// SAFETY: a transparent wrapper of an array of plain numbers: no padding, every bit pattern valid.
#[allow(unsafe_code)]
unsafe impl<T: bytemuck::Pod> bytemuck::Pod for Quat<T> {}

impl<T: Real> Default for Quat<T> {
    fn default() -> Self {
        Quat([T::ONE, T::ZERO, T::ZERO, T::ZERO])
    }
}

impl Quat<f64> {
    /// No rotation.
    pub const IDENTITY: Self = Quat([1.0, 0.0, 0.0, 0.0]);
}

impl<T: Real> Quat<T> {
    /// Rotation by `angle` radians about a unit axis; an angle of exactly 0 gives the identity.
    #[doc(alias = "mju_axisAngle2Quat")]
    #[inline]
    pub fn from_axis_angle(axis: Vec3<T>, angle: T) -> Self {
        if angle == T::ZERO {
            return Self::default();
        }
        let half = angle * T::from_f64(0.5);
        let s = half.sin();
        Quat([half.cos(), axis[0] * s, axis[1] * s, axis[2] * s])
    }

    /// The inverse rotation of a unit quaternion.
    #[inline]
    pub fn conjugate(self) -> Self {
        let q = self.0;
        Quat([q[0], -q[1], -q[2], -q[3]])
    }

    /// Unit quaternion and former length. Shorter than 1e-15: the identity with length 0. A
    /// length within 1e-15 of 1 leaves the components untouched.
    #[doc(alias = "mju_normalize4")]
    #[inline]
    pub fn normalize(self) -> (Self, T) {
        let q = self.0;
        let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        let tiny = T::from_f64(crate::MIN_VALUE);
        if length < tiny {
            (Self::default(), T::ZERO)
        } else if (length - T::ONE).abs() > tiny {
            let inverse = T::ONE / length;
            (
                Quat([
                    q[0] * inverse,
                    q[1] * inverse,
                    q[2] * inverse,
                    q[3] * inverse,
                ]),
                length,
            )
        } else {
            (self, length)
        }
    }

    /// Unit quaternion; the identity for a zero quaternion.
    #[inline]
    pub fn normalized(self) -> Self {
        self.normalize().0
    }

    /// Rotates a vector.
    #[doc(alias = "mju_rotVecQuat")]
    #[inline]
    pub fn rotate(self, v: Vec3<T>) -> Vec3<T> {
        let q = self.0;
        // v + 2 (u × (w v + u × v)) with u the vector part.
        let t = [
            q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
            q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
            q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
        ];
        let two = T::from_f64(2.0);
        Vec3([
            v[0] + two * (q[2] * t[2] - q[3] * t[1]),
            v[1] + two * (q[3] * t[0] - q[1] * t[2]),
            v[2] + two * (q[1] * t[1] - q[2] * t[0]),
        ])
    }

    /// The rotation matrix; exactly the identity for the exact identity quaternion.
    #[doc(alias = "mju_quat2Mat")]
    #[inline]
    pub fn to_mat(self) -> Mat3<T> {
        let q = self.0;
        let (o, i) = (T::ZERO, T::ONE);
        if q[0] == i && q[1] == o && q[2] == o && q[3] == o {
            return Mat3([i, o, o, o, i, o, o, o, i]);
        }
        let q00 = q[0] * q[0];
        let q01 = q[0] * q[1];
        let q02 = q[0] * q[2];
        let q03 = q[0] * q[3];
        let q11 = q[1] * q[1];
        let q12 = q[1] * q[2];
        let q13 = q[1] * q[3];
        let q22 = q[2] * q[2];
        let q23 = q[2] * q[3];
        let q33 = q[3] * q[3];
        let two = T::from_f64(2.0);
        Mat3([
            q00 + q11 - q22 - q33,
            two * (q12 - q03),
            two * (q13 + q02),
            two * (q12 + q03),
            q00 - q11 + q22 - q33,
            two * (q23 - q01),
            two * (q13 - q02),
            two * (q23 + q01),
            q00 - q11 - q22 + q33,
        ])
    }
}

impl<T: Real> Mul for Quat<T> {
    type Output = Self;
    /// Rotation `b` first, then `self`.
    #[inline]
    fn mul(self, b: Self) -> Self {
        let (p, q) = (self.0, b.0);
        Quat([
            p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
            p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
        ])
    }
}

impl<T> Deref for Quat<T> {
    type Target = [T; 4];
    #[inline]
    fn deref(&self) -> &[T; 4] {
        &self.0
    }
}

impl<T> DerefMut for Quat<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T; 4] {
        &mut self.0
    }
}

impl<T> From<[T; 4]> for Quat<T> {
    #[inline]
    fn from(a: [T; 4]) -> Self {
        Quat(a)
    }
}
