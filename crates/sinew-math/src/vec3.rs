//! Three-dimensional vectors.

use crate::mask::Mask;
use crate::real::{self, Real};
use core::ops::{Add, AddAssign, Deref, DerefMut, Mul, MulAssign, Neg, Sub, SubAssign};

/// A vector of three numbers, stored x y z. Indexes and iterates like the array it wraps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Vec3<T = f64>(pub [T; 3]);

// SAFETY: a transparent wrapper of an array of plain numbers: zero bytes are a valid value.
#[allow(unsafe_code)]
unsafe impl<T: bytemuck::Zeroable> bytemuck::Zeroable for Vec3<T> {}
// SAFETY: a transparent wrapper of an array of plain numbers: no padding, every bit pattern valid.
#[allow(unsafe_code)]
unsafe impl<T: bytemuck::Pod> bytemuck::Pod for Vec3<T> {}

/// Builds a vector from its components.
#[inline(always)]
pub const fn vec3<T>(x: T, y: T, z: T) -> Vec3<T> {
    Vec3([x, y, z])
}

impl Vec3<f64> {
    /// (0, 0, 0)
    pub const ZERO: Self = Vec3([0.0; 3]);
    /// (1, 0, 0)
    pub const X: Self = Vec3([1.0, 0.0, 0.0]);
    /// (0, 1, 0)
    pub const Y: Self = Vec3([0.0, 1.0, 0.0]);
    /// (0, 0, 1)
    pub const Z: Self = Vec3([0.0, 0.0, 1.0]);
}

impl<T: Real> Vec3<T> {
    /// (0, 0, 0)
    #[inline(always)]
    pub fn zero() -> Self {
        Vec3([T::ZERO; 3])
    }

    /// `yes` where the mask holds, `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        Vec3(real::select(mask, yes.0, no.0))
    }

    /// Where all components are equal.
    #[inline(always)]
    pub fn equals(self, other: Self) -> T::Mask {
        let (a, b) = (self.0, other.0);
        a[0].equals(b[0]) & a[1].equals(b[1]) & a[2].equals(b[2])
    }

    /// Scalar product, summed from x to z.
    #[inline(always)]
    pub fn dot(self, other: Self) -> T {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    /// Vector product self × other.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        Vec3([
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ])
    }

    /// Euclidean length.
    #[inline(always)]
    pub fn norm(self) -> T {
        self.dot(self).sqrt()
    }

    /// Unit vector and former length. A vector shorter than 1e-15 becomes (1, 0, 0); compare the
    /// length with [`MIN_VALUE`](crate::MIN_VALUE) to notice.
    #[doc(alias = "mju_normalize3")]
    #[inline(always)]
    pub fn normalize(self) -> (Self, T) {
        let length = self.norm();
        let is_zero = length.less(T::from_f64(crate::MIN_VALUE));
        let unit = self * (T::ONE / length);
        if !is_zero.any() {
            return (unit, length);
        }
        let x = Vec3([T::ONE, T::ZERO, T::ZERO]);
        (Self::select(is_zero, x, unit), length)
    }

    /// Unit vector; (1, 0, 0) for a vector shorter than 1e-15.
    #[inline(always)]
    pub fn normalized(self) -> Self {
        self.normalize().0
    }

    /// Distance to another point.
    #[inline(always)]
    pub fn distance(self, other: Self) -> T {
        (self - other).norm()
    }

    /// self + other · scale.
    #[inline(always)]
    pub fn add_scaled(self, other: Self, scale: T) -> Self {
        Vec3([
            self.0[0] + other.0[0] * scale,
            self.0[1] + other.0[1] * scale,
            self.0[2] + other.0[2] * scale,
        ])
    }

    /// Componentwise product.
    #[inline(always)]
    pub fn component_mul(self, other: Self) -> Self {
        Vec3([
            self.0[0] * other.0[0],
            self.0[1] * other.0[1],
            self.0[2] * other.0[2],
        ])
    }
}

impl<T> Deref for Vec3<T> {
    type Target = [T; 3];
    #[inline(always)]
    fn deref(&self) -> &[T; 3] {
        &self.0
    }
}

impl<T> DerefMut for Vec3<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; 3] {
        &mut self.0
    }
}

impl<T> From<[T; 3]> for Vec3<T> {
    #[inline(always)]
    fn from(a: [T; 3]) -> Self {
        Vec3(a)
    }
}

impl<T: Real> Add for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Vec3([self.0[0] + b.0[0], self.0[1] + b.0[1], self.0[2] + b.0[2]])
    }
}

impl<T: Real> Sub for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Vec3([self.0[0] - b.0[0], self.0[1] - b.0[1], self.0[2] - b.0[2]])
    }
}

impl<T: Real> Neg for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Vec3([-self.0[0], -self.0[1], -self.0[2]])
    }
}

impl<T: Real> Mul<T> for Vec3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Vec3([self.0[0] * s, self.0[1] * s, self.0[2] * s])
    }
}

impl<T: Real> AddAssign for Vec3<T> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl<T: Real> SubAssign for Vec3<T> {
    #[inline(always)]
    fn sub_assign(&mut self, b: Self) {
        *self = *self - b;
    }
}

impl<T: Real> MulAssign<T> for Vec3<T> {
    #[inline(always)]
    fn mul_assign(&mut self, s: T) {
        *self = *self * s;
    }
}
