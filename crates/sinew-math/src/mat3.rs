//! 3×3 matrices, row-major.

use crate::mask::Mask;
use crate::quat::Quat;
use crate::real::{self, Real};
use crate::vec3::Vec3;
use core::ops::{Deref, DerefMut, Mul};

/// A 3×3 matrix stored by rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Mat3<T = f64>(pub [T; 9]);

// SAFETY: a transparent wrapper of an array of plain numbers: zero bytes are a valid value.
#[allow(unsafe_code)]
unsafe impl<T: bytemuck::Zeroable> bytemuck::Zeroable for Mat3<T> {}
// SAFETY: a transparent wrapper of an array of plain numbers: no padding, every bit pattern valid.
#[allow(unsafe_code)]
unsafe impl<T: bytemuck::Pod> bytemuck::Pod for Mat3<T> {}

impl Mat3<f64> {
    /// The identity matrix.
    pub const IDENTITY: Self = Mat3([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
}

impl<T: Real> Mat3<T> {
    /// The identity matrix.
    #[inline(always)]
    pub fn identity() -> Self {
        let (o, i) = (T::ZERO, T::ONE);
        Mat3([i, o, o, o, i, o, o, o, i])
    }

    /// `yes` where the mask holds, `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        Mat3(real::select(mask, yes.0, no.0))
    }

    /// Matrix with the given columns.
    #[inline(always)]
    pub fn from_columns(x: Vec3<T>, y: Vec3<T>, z: Vec3<T>) -> Self {
        Mat3([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
    }

    /// Row `i`.
    #[inline(always)]
    pub fn row(&self, i: usize) -> Vec3<T> {
        Vec3([self.0[3 * i], self.0[3 * i + 1], self.0[3 * i + 2]])
    }

    /// Column `i`.
    #[inline(always)]
    pub fn column(&self, i: usize) -> Vec3<T> {
        Vec3([self.0[i], self.0[i + 3], self.0[i + 6]])
    }

    /// The transposed matrix.
    #[inline(always)]
    pub fn transpose(self) -> Self {
        let m = self.0;
        Mat3([m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]])
    }

    /// Transposed matrix times vector, without forming the transpose.
    #[inline(always)]
    pub fn transpose_mul(&self, v: Vec3<T>) -> Vec3<T> {
        let m = &self.0;
        Vec3([
            m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
            m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
            m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
        ])
    }

    /// Transposed matrix times matrix, without forming the transpose.
    #[inline(always)]
    pub fn transpose_mul_mat(&self, b: &Self) -> Self {
        let mut out = [T::ZERO; 9];
        for i in 0..3 {
            for j in 0..3 {
                out[3 * i + j] =
                    self.0[i] * b.0[j] + self.0[3 + i] * b.0[3 + j] + self.0[6 + i] * b.0[6 + j];
            }
        }
        Mat3(out)
    }

    /// Determinant.
    #[inline(always)]
    pub fn determinant(&self) -> T {
        let m = &self.0;
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
            + m[2] * (m[3] * m[7] - m[4] * m[6])
    }

    /// The rotation as a unit quaternion, by the largest of the four candidate pivots.
    #[doc(alias = "mju_mat2Quat")]
    #[inline(always)]
    pub fn to_quat(&self) -> Quat<T> {
        let m = &self.0;
        let (one, half, quarter) = (T::ONE, T::from_f64(0.5), T::from_f64(0.25));
        let by_w = (m[0] + m[4] + m[8]).greater(T::ZERO);
        let by_x = !by_w & m[0].greater(m[4]) & m[0].greater(m[8]);
        let by_y = !(by_w | by_x) & m[4].greater(m[8]);
        let by_z = !(by_w | by_x | by_y);
        let mut q = Quat::identity();
        if by_w.any() {
            let w = half * (one + m[0] + m[4] + m[8]).sqrt();
            let found = Quat([
                w,
                quarter * (m[7] - m[5]) / w,
                quarter * (m[2] - m[6]) / w,
                quarter * (m[3] - m[1]) / w,
            ]);
            q = Quat::select(by_w, found, q);
        }
        if by_x.any() {
            let x = half * (one + m[0] - m[4] - m[8]).sqrt();
            let found = Quat([
                quarter * (m[7] - m[5]) / x,
                x,
                quarter * (m[1] + m[3]) / x,
                quarter * (m[2] + m[6]) / x,
            ]);
            q = Quat::select(by_x, found, q);
        }
        if by_y.any() {
            let y = half * (one - m[0] + m[4] - m[8]).sqrt();
            let found = Quat([
                quarter * (m[2] - m[6]) / y,
                quarter * (m[1] + m[3]) / y,
                y,
                quarter * (m[5] + m[7]) / y,
            ]);
            q = Quat::select(by_y, found, q);
        }
        if by_z.any() {
            let z = half * (one - m[0] - m[4] + m[8]).sqrt();
            let found = Quat([
                quarter * (m[3] - m[1]) / z,
                quarter * (m[2] + m[6]) / z,
                quarter * (m[5] + m[7]) / z,
                z,
            ]);
            q = Quat::select(by_z, found, q);
        }
        q.normalized()
    }
}

impl<T: Real> Mul<Vec3<T>> for Mat3<T> {
    type Output = Vec3<T>;
    #[inline(always)]
    fn mul(self, v: Vec3<T>) -> Vec3<T> {
        let m = &self.0;
        Vec3([
            m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
            m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
            m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
        ])
    }
}

impl<T: Real> Mul for Mat3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        let mut out = [T::ZERO; 9];
        for i in 0..3 {
            for j in 0..3 {
                out[3 * i + j] = self.0[3 * i] * b.0[j]
                    + self.0[3 * i + 1] * b.0[3 + j]
                    + self.0[3 * i + 2] * b.0[6 + j];
            }
        }
        Mat3(out)
    }
}

impl<T> Deref for Mat3<T> {
    type Target = [T; 9];
    #[inline(always)]
    fn deref(&self) -> &[T; 9] {
        &self.0
    }
}

impl<T> DerefMut for Mat3<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; 9] {
        &mut self.0
    }
}

impl<T> From<[T; 9]> for Mat3<T> {
    #[inline(always)]
    fn from(a: [T; 9]) -> Self {
        Mat3(a)
    }
}
