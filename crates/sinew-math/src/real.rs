//! The number that physics is written for.
//!
//! A [`Real`] is one number (`f64`, `f32`) or a pack of them, one per world. Comparisons therefore
//! give a [`Mask`]: one truth, or one per lane. Leaf mathematics computes both sides where lanes may
//! disagree and selects, and leaves early where all lanes agree; branches on the structure of a
//! model stay branches, because all lanes share it.

use crate::lift::Lift;
use crate::mask::Mask;
use bytemuck::Zeroable;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// One number or one per lane. Every lane does what a single number would do, in the same order and
/// with the same rounding. Transcendental functions come from `libm` or from this crate, so that
/// their bits do not depend on the platform.
pub trait Real:
    Copy
    + Default
    + Debug
    + Zeroable
    + Lift<Self>
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
    /// What a comparison gives.
    type Mask: Mask;
    /// Numbers in one value.
    const LANES: usize;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The nearest value of this type, in every lane.
    fn from_f64(x: f64) -> Self;
    /// The number in one lane.
    fn lane(self, lane: usize) -> f64;
    /// The number in one lane of a value that is in memory, of which nothing else is read.
    #[inline(always)]
    fn read_lane(&self, lane: usize) -> f64 {
        self.lane(lane)
    }
    /// Replaces the number in one lane by the nearest value of this type.
    fn set_lane(&mut self, lane: usize, x: f64);
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
    /// self < other; false where one is not a number.
    fn less(self, other: Self) -> Self::Mask;
    /// self ≤ other; false where one is not a number.
    fn at_most(self, other: Self) -> Self::Mask;
    /// self = other; false where one is not a number.
    fn equals(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// self > other; false where one is not a number.
    #[inline(always)]
    fn greater(self, other: Self) -> Self::Mask {
        other.less(self)
    }
    /// self ≥ other; false where one is not a number.
    #[inline(always)]
    fn at_least(self, other: Self) -> Self::Mask {
        other.at_most(self)
    }
    /// The smaller of the two; `self` when they compare equal.
    #[inline(always)]
    fn min_of(self, other: Self) -> Self {
        Self::select(other.less(self), other, self)
    }
    /// The larger of the two; `self` when they compare equal.
    #[inline(always)]
    fn max_of(self, other: Self) -> Self {
        Self::select(other.greater(self), other, self)
    }
}

/// A single number: what iterates until it is done is written for these.
pub trait Scalar: Real<Mask = bool> + PartialOrd {
    /// The value as `f64`.
    fn to_f64(self) -> f64;
}

/// `yes` where the mask holds, `no` elsewhere, component by component.
#[inline(always)]
pub fn select<T: Real, const N: usize>(mask: T::Mask, yes: [T; N], no: [T; N]) -> [T; N] {
    let mut out = no;
    for k in 0..N {
        out[k] = T::select(mask, yes[k], no[k]);
    }
    out
}

/// Square roots: an instruction where there is one, a function otherwise. Both round correctly.
mod root {
    #[inline(always)]
    pub fn single(x: f32) -> f32 {
        #[cfg(feature = "std")]
        return x.sqrt();
        #[cfg(all(not(feature = "std"), target_arch = "nvptx64"))]
        return core::f32::math::sqrt(x);
        #[cfg(all(not(feature = "std"), not(target_arch = "nvptx64")))]
        libm::sqrtf(x)
    }

    #[inline(always)]
    pub fn double(x: f64) -> f64 {
        #[cfg(feature = "std")]
        return x.sqrt();
        #[cfg(all(not(feature = "std"), target_arch = "nvptx64"))]
        return core::f64::math::sqrt(x);
        #[cfg(all(not(feature = "std"), not(target_arch = "nvptx64")))]
        libm::sqrt(x)
    }
}

macro_rules! scalar {
    ($t:ty, $sqrt:path, $sin:path, $cos:path, $sin_cos:path, $atan2:path, $acos:path, $asin:path, $exp:path, $pow:path) => {
        impl Real for $t {
            type Mask = bool;
            const LANES: usize = 1;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn lane(self, _: usize) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn set_lane(&mut self, _: usize, x: f64) {
                *self = x as $t;
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn sin(self) -> Self {
                $sin(self)
            }
            #[inline(always)]
            fn cos(self) -> Self {
                $cos(self)
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                $sin_cos(self)
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                $atan2(self, x)
            }
            #[inline(always)]
            fn acos(self) -> Self {
                $acos(self)
            }
            #[inline(always)]
            fn asin(self) -> Self {
                $asin(self)
            }
            #[inline(always)]
            fn exp(self) -> Self {
                $exp(self)
            }
            #[inline(always)]
            fn pow(self, exponent: Self) -> Self {
                $pow(self, exponent)
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn at_most(self, other: Self) -> bool {
                self <= other
            }
            #[inline(always)]
            fn equals(self, other: Self) -> bool {
                self == other
            }
            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
        }

        impl Scalar for $t {
            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
        }
    };
}

scalar!(
    f32,
    root::single,
    crate::sine_single::sin,
    crate::sine_single::cos,
    crate::sine_single::sin_cos,
    libm::atan2f,
    libm::acosf,
    libm::asinf,
    libm::expf,
    libm::powf
);
scalar!(
    f64,
    root::double,
    crate::sine::sin,
    crate::sine::cos,
    crate::sine::sin_cos,
    crate::arc::atan2,
    crate::arc::acos,
    crate::arc::asin,
    libm::exp,
    libm::pow
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_and_non_numbers_keep_the_first() {
        let signs = |x: f64, y: f64| {
            (
                x.min_of(y).is_sign_negative(),
                x.max_of(y).is_sign_negative(),
            )
        };
        assert_eq!(signs(0.0, -0.0), (false, false));
        assert_eq!(signs(-0.0, 0.0), (true, true));
        assert_eq!((3.0.min_of(2.0), 3.0.max_of(2.0)), (2.0, 3.0));
        assert_eq!((1.0.min_of(f64::NAN), 1.0.max_of(f64::NAN)), (1.0, 1.0));
        assert!(f64::NAN.min_of(1.0).is_nan() && f64::NAN.max_of(1.0).is_nan());
    }

    #[test]
    fn comparisons_with_non_numbers_are_false() {
        let (x, y) = (f64::NAN, 1.0);
        for (a, b) in [(x, y), (y, x), (x, x)] {
            assert!(!a.less(b) && !a.at_most(b) && !a.greater(b) && !a.at_least(b));
            assert!(!a.equals(b));
        }
        let (one, two) = (1.0_f64, 2.0);
        assert!(one.less(two) && two.greater(one) && one.at_most(one) && one.at_least(one));
        assert!(0.0_f64.equals(-0.0) && !one.less(one) && !one.greater(one));
    }
}
