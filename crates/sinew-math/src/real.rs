//! The floating-point number the leaf mathematics is written for.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// `f32` or `f64`. Transcendental functions come from `libm` or from this crate, so that their bits
/// do not depend on the platform.
pub trait Real:
    Copy
    + Default
    + bytemuck::Zeroable
    + PartialOrd
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The nearest value of this type.
    fn from_f64(x: f64) -> Self;
    /// The value as `f64`.
    fn to_f64(self) -> f64;
    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// Sine of an angle in radians.
    fn sin(self) -> Self;
    /// Cosine of an angle in radians.
    fn cos(self) -> Self;
    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);
    /// Angle of the point (x, self) in radians.
    fn atan2(self, x: Self) -> Self;
    /// Arc cosine in radians.
    fn acos(self) -> Self;
    /// Arc sine in radians.
    fn asin(self) -> Self;
    /// Natural exponential.
    fn exp(self) -> Self;
    /// self raised to a real power.
    fn pow(self, exponent: Self) -> Self;
    /// The smaller of the two; `self` when they compare equal.
    fn min_of(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
    /// The larger of the two; `self` when they compare equal.
    fn max_of(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// Square roots: an instruction where the standard library is there, a function otherwise. Both
/// round correctly.
mod root {
    #[inline]
    pub fn single(x: f32) -> f32 {
        #[cfg(feature = "std")]
        return x.sqrt();
        #[cfg(not(feature = "std"))]
        libm::sqrtf(x)
    }

    #[inline]
    pub fn double(x: f64) -> f64 {
        #[cfg(feature = "std")]
        return x.sqrt();
        #[cfg(not(feature = "std"))]
        libm::sqrt(x)
    }
}

macro_rules! real {
    ($t:ty, $sqrt:path, $abs:path, $sin:path, $cos:path, $sin_cos:path, $atan2:path, $acos:path, $asin:path, $exp:path, $pow:path) => {
        impl Real for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[inline]
            fn from_f64(x: f64) -> Self {
                x as $t
            }
            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline]
            fn sqrt(self) -> Self {
                $sqrt(self)
            }
            #[inline]
            fn abs(self) -> Self {
                $abs(self)
            }
            #[inline]
            fn sin(self) -> Self {
                $sin(self)
            }
            #[inline]
            fn cos(self) -> Self {
                $cos(self)
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                $sin_cos(self)
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                $atan2(self, x)
            }
            #[inline]
            fn acos(self) -> Self {
                $acos(self)
            }
            #[inline]
            fn asin(self) -> Self {
                $asin(self)
            }
            #[inline]
            fn exp(self) -> Self {
                $exp(self)
            }
            #[inline]
            fn pow(self, exponent: Self) -> Self {
                $pow(self, exponent)
            }
        }
    };
}

real!(
    f32,
    root::single,
    f32::abs,
    libm::sinf,
    libm::cosf,
    libm::sincosf,
    libm::atan2f,
    libm::acosf,
    libm::asinf,
    libm::expf,
    libm::powf
);
real!(
    f64,
    root::double,
    f64::abs,
    crate::sine::sin,
    crate::sine::cos,
    crate::sine::sin_cos,
    crate::arc::atan2,
    crate::arc::acos,
    crate::arc::asin,
    libm::exp,
    libm::pow
);
