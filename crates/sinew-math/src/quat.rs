//! Unit quaternions, `w` first.

use crate::mask::Mask;
use crate::mat3::Mat3;
use crate::real::{self, Real, Scalar};
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
    #[inline(always)]
    fn default() -> Self {
        Self::identity()
    }
}

impl Quat<f64> {
    /// No rotation.
    pub const IDENTITY: Self = Quat([1.0, 0.0, 0.0, 0.0]);
}

impl<T: Real> Quat<T> {
    /// No rotation.
    #[inline(always)]
    pub fn identity() -> Self {
        Quat([T::ONE, T::ZERO, T::ZERO, T::ZERO])
    }

    /// `yes` where the mask holds, `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        Quat(real::select(mask, yes.0, no.0))
    }

    /// Rotation by `angle` radians about a unit axis; an angle of exactly 0 gives the identity.
    #[doc(alias = "mju_axisAngle2Quat")]
    #[inline(always)]
    pub fn from_axis_angle(axis: Vec3<T>, angle: T) -> Self {
        let is_still = angle.equals(T::ZERO);
        if is_still.all() {
            return Self::identity();
        }
        let half = angle * T::from_f64(0.5);
        let (s, c) = half.sin_cos();
        let turned = Quat([c, axis[0] * s, axis[1] * s, axis[2] * s]);
        Self::select(is_still, Self::identity(), turned)
    }

    /// The inverse rotation of a unit quaternion.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        let q = self.0;
        Quat([q[0], -q[1], -q[2], -q[3]])
    }

    /// Unit quaternion and former length. Shorter than 1e-15: the identity. A length within 1e-15
    /// of 1 leaves the components untouched.
    #[doc(alias = "mju_normalize4")]
    #[inline(always)]
    pub fn normalize(self) -> (Self, T) {
        let q = self.0;
        let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        let tiny = T::from_f64(crate::MIN_VALUE);
        let is_off = (length - T::ONE).abs().greater(tiny);
        if !is_off.any() {
            return (self, length);
        }
        let inverse = T::ONE / length;
        let scaled = Quat([
            q[0] * inverse,
            q[1] * inverse,
            q[2] * inverse,
            q[3] * inverse,
        ]);
        let unit = Self::select(is_off, scaled, self);
        let is_zero = length.less(tiny);
        if !is_zero.any() {
            return (unit, length);
        }
        (Self::select(is_zero, Self::identity(), unit), length)
    }

    /// Unit quaternion; the identity for a zero quaternion.
    #[inline(always)]
    pub fn normalized(self) -> Self {
        self.normalize().0
    }

    /// The smallest rotation that takes the z axis to the direction of `v`; the identity for a
    /// zero vector, half a turn about x for −z.
    #[doc(alias = "mju_quatZ2Vec")]
    #[inline(always)]
    pub fn from_z_to(v: Vec3<T>) -> Self {
        let tiny = T::from_f64(crate::MIN_VALUE);
        let (direction, length) = v.normalize();
        let z = Vec3([T::ZERO, T::ZERO, T::ONE]);
        let (axis, sine) = z.cross(direction).normalize();
        let cosine = direction.dot(z);
        // A zero vector counts as x here, which does not point downwards either.
        let half_turn = Quat([T::ZERO, T::ONE, T::ZERO, T::ZERO]);
        let straight = Self::select(cosine.less(T::ZERO), half_turn, Self::identity());
        let is_straight = length.less(tiny) | sine.less(tiny);
        if is_straight.all() {
            return straight;
        }
        let turned = Self::from_axis_angle(axis, sine.atan2(cosine));
        Self::select(is_straight, straight, turned)
    }

    /// The angular velocity (in the local frame) that produces this rotation in time `duration`,
    /// turning the short way round.
    #[doc(alias = "mju_quat2Vel")]
    #[inline(always)]
    pub fn to_velocity(self, duration: T) -> Vec3<T> {
        let q = self.0;
        let (axis, sine_half) = Vec3([q[1], q[2], q[3]]).normalize();
        let angle = T::from_f64(2.0) * sine_half.atan2(q[0]);
        let is_long = angle.greater(T::from_f64(core::f64::consts::PI));
        let shorter = angle - T::from_f64(2.0 * core::f64::consts::PI);
        axis * (T::select(is_long, shorter, angle) / duration)
    }

    /// The rotation vector r in the frame of `other` with other · rotation(r) = self.
    #[doc(alias = "mju_subQuat")]
    #[inline(always)]
    pub fn difference(self, other: Self) -> Vec3<T> {
        (other.conjugate() * self).to_velocity(T::ONE)
    }

    /// Time derivative of the quaternion under an angular velocity in the fixed (parent) frame.
    #[doc(alias = "mju_derivQuat")]
    #[inline(always)]
    pub fn derivative(self, velocity: Vec3<T>) -> [T; 4] {
        let (q, v, half) = (self.0, velocity, T::from_f64(0.5));
        [
            half * (-v[0] * q[1] - v[1] * q[2] - v[2] * q[3]),
            half * (v[0] * q[0] + v[1] * q[3] - v[2] * q[2]),
            half * (-v[0] * q[3] + v[1] * q[0] + v[2] * q[1]),
            half * (v[0] * q[2] - v[1] * q[1] + v[2] * q[0]),
        ]
    }

    /// The orientation after turning with a local angular velocity for time `duration`. The
    /// starting orientation is normalised, the result is not.
    #[doc(alias = "mju_quatIntegrate")]
    #[inline(always)]
    pub fn integrate(self, velocity: Vec3<T>, duration: T) -> Self {
        let (axis, speed) = velocity.normalize();
        self.normalized() * Self::from_axis_angle(axis, duration * speed)
    }

    /// Quaternion product with the pure quaternion (0, axis).
    #[doc(alias = "mju_mulQuatAxis")]
    #[inline(always)]
    pub fn mul_axis(self, axis: Vec3<T>) -> Self {
        let (q, a) = (self.0, axis);
        Quat([
            -q[1] * a[0] - q[2] * a[1] - q[3] * a[2],
            q[0] * a[0] + q[2] * a[2] - q[3] * a[1],
            q[0] * a[1] + q[3] * a[0] - q[1] * a[2],
            q[0] * a[2] + q[1] * a[1] - q[2] * a[0],
        ])
    }

    /// Rotates a vector.
    #[doc(alias = "mju_rotVecQuat")]
    #[inline(always)]
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
    #[inline(always)]
    pub fn to_mat(self) -> Mat3<T> {
        let q = self.0;
        let (o, i) = (T::ZERO, T::ONE);
        let mut is_identity = q[0].equals(i);
        if is_identity.any() {
            is_identity = is_identity & q[1].equals(o) & q[2].equals(o) & q[3].equals(o);
            if is_identity.all() {
                return Mat3::identity();
            }
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
        let frame = Mat3([
            q00 + q11 - q22 - q33,
            two * (q12 - q03),
            two * (q13 + q02),
            two * (q12 + q03),
            q00 - q11 + q22 - q33,
            two * (q23 - q01),
            two * (q13 - q02),
            two * (q23 + q01),
            q00 - q11 - q22 + q33,
        ]);
        if !is_identity.any() {
            return frame;
        }
        Mat3::select(is_identity, Mat3::identity(), frame)
    }
}

impl<T: Scalar> Quat<T> {
    /// The rotational part of an arbitrary matrix, found by iteration from `self` (Müller et al.,
    /// "A robust method to extract the rotational part of deformations", 2016); and how many
    /// iterations it took.
    #[doc(alias = "mju_mat2Rot")]
    pub fn extract_rotation(self, matrix: &Mat3<T>) -> (Self, usize) {
        const MOST: usize = 500;
        let mut quat = self;
        for iteration in 0..MOST {
            let frame = quat.to_mat();
            let mut omega = Vec3([T::ZERO; 3]);
            let mut overlap = T::ZERO;
            for k in 0..3 {
                let (r, a) = (frame.column(k), matrix.column(k));
                omega = if k == 0 {
                    r.cross(a)
                } else {
                    omega + r.cross(a)
                };
                overlap = if k == 0 { r.dot(a) } else { overlap + r.dot(a) };
            }
            omega *= T::ONE / (overlap.abs() + T::from_f64(crate::MIN_VALUE));
            let (axis, angle) = omega.normalize();
            if angle < T::from_f64(1e-9) {
                return (quat, iteration);
            }
            quat = (Self::from_axis_angle(axis, angle) * quat).normalized();
        }
        (quat, MOST)
    }
}

impl<T: Real> Mul for Quat<T> {
    type Output = Self;
    /// Rotation `b` first, then `self`.
    #[inline(always)]
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
    #[inline(always)]
    fn deref(&self) -> &[T; 4] {
        &self.0
    }
}

impl<T> DerefMut for Quat<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; 4] {
        &mut self.0
    }
}

impl<T> From<[T; 4]> for Quat<T> {
    #[inline(always)]
    fn from(a: [T; 4]) -> Self {
        Quat(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vec3::vec3;

    fn close(a: &[f64], b: &[f64]) {
        for (x, y) in a.iter().zip(b) {
            assert!((x - y).abs() < 1e-14, "{a:?} {b:?}");
        }
    }

    #[test]
    fn z_to_vector_covers_its_special_cases() {
        assert_eq!(Quat::from_z_to(Vec3::ZERO), Quat::IDENTITY);
        assert_eq!(Quat::from_z_to(vec3(0.0, 0.0, 3.0)), Quat::IDENTITY);
        assert_eq!(
            Quat::from_z_to(vec3(0.0, 0.0, -2.0)),
            Quat([0.0, 1.0, 0.0, 0.0])
        );
        let direction = vec3(0.3, -0.5, 0.2);
        let turned = Quat::from_z_to(direction).rotate(Vec3::Z);
        close(&turned.0, &direction.normalized().0);
    }

    #[test]
    fn difference_inverts_integration() {
        let start = Quat([0.5, -0.5, 0.1, 0.7]).normalized();
        let velocity = vec3(0.3, -1.2, 0.8);
        let end = start.integrate(velocity, 0.5);
        close(&end.difference(start).0, &(velocity * 0.5).0);
        // More than half a turn comes back as the shorter turn the other way.
        let far = start.integrate(Vec3::X, 4.0);
        close(
            &far.difference(start).0,
            &[4.0 - 2.0 * core::f64::consts::PI, 0.0, 0.0],
        );
    }

    #[test]
    fn derivative_is_the_slope_of_integration() {
        let q = Quat([0.2, 0.4, -0.6, 0.1]).normalized();
        let velocity = vec3(0.7, 0.2, -0.4);
        let local = q.conjugate().rotate(velocity);
        let (ahead, behind) = (q.integrate(local, 1e-5), q.integrate(local, -1e-5));
        let slope = q.derivative(velocity);
        for k in 0..4 {
            assert!(((ahead[k] - behind[k]) / 2e-5 - slope[k]).abs() < 1e-10);
        }
    }

    #[test]
    fn rotation_is_recovered_from_a_stretched_matrix() {
        let q = Quat([0.9, 0.2, -0.3, 0.1]).normalized();
        let stretch = Mat3([2.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.5]);
        let (found, iterations) = Quat::IDENTITY.extract_rotation(&(q.to_mat() * stretch));
        assert!((1..50).contains(&iterations));
        for k in 0..4 {
            assert!((found[k] - q[k]).abs() < 1e-8);
        }
    }
}
