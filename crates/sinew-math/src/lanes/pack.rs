//! A pack of numbers, one per lane, as a number of its own.

use super::register::Register;
use crate::lift::Lift;
use crate::real::{Real, Scalar};
use bytemuck::{Pod, Zeroable, must_cast, must_cast_ref};
use core::fmt::{self, Debug, Formatter};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// Numbers side by side. Outside this crate it appears as one of the packs of
/// [`lanes`](crate::lanes), or as a number that [`Work`](super::Work) is done with.
#[derive(Clone, Copy, Zeroable, Pod)]
#[repr(transparent)]
pub struct Pack<R>(pub(super) R);

impl<R: Register> Pack<R> {
    /// The numbers, lane by lane.
    #[inline(always)]
    pub fn to_array(self) -> R::Array {
        must_cast(self)
    }

    /// A pack of the numbers of an array.
    #[inline(always)]
    pub fn from_array(array: R::Array) -> Self {
        must_cast(array)
    }

    /// What a function of single numbers gives in each lane.
    #[inline(always)]
    fn map(self, function: impl Fn(R::Element) -> R::Element) -> Self {
        let mut array = self.to_array();
        for x in array.as_mut() {
            *x = function(*x);
        }
        Self::from_array(array)
    }

    /// What a function of two single numbers gives in each lane.
    #[inline(always)]
    fn zip(self, other: Self, function: impl Fn(R::Element, R::Element) -> R::Element) -> Self {
        let mut array = self.to_array();
        for (x, &y) in array.as_mut().iter_mut().zip(other.to_array().as_ref()) {
            *x = function(*x, y);
        }
        Self::from_array(array)
    }
}

impl<R: Register> Real for Pack<R> {
    type Mask = R::Mask;
    const LANES: usize = R::LANES;
    const ZERO: Self = Pack(R::ZERO);
    const ONE: Self = Pack(R::ONE);

    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Pack(R::splat(R::Element::from_f64(x)))
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> f64 {
        self.to_array().as_ref()[lane].to_f64()
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, x: f64) {
        let mut array = self.to_array();
        array.as_mut()[lane] = R::Element::from_f64(x);
        *self = Self::from_array(array);
    }
    #[inline(always)]
    fn read_lane(&self, lane: usize) -> f64 {
        must_cast_ref::<Self, R::Array>(self).as_ref()[lane].to_f64()
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Pack(self.0.root())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Pack(self.0.absolute())
    }
    #[inline(always)]
    fn sin(self) -> Self {
        R::sin_cos(self).0
    }
    #[inline(always)]
    fn cos(self) -> Self {
        R::sin_cos(self).1
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        R::sin_cos(self)
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        self.zip(x, Real::atan2)
    }
    #[inline(always)]
    fn acos(self) -> Self {
        self.map(Real::acos)
    }
    #[inline(always)]
    fn asin(self) -> Self {
        self.map(Real::asin)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        self.map(Real::exp)
    }
    #[inline(always)]
    fn pow(self, exponent: Self) -> Self {
        self.zip(exponent, Real::pow)
    }
    #[inline(always)]
    fn less(self, other: Self) -> R::Mask {
        self.0.less(other.0)
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> R::Mask {
        self.0.at_most(other.0)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> R::Mask {
        self.0.equals(other.0)
    }
    #[inline(always)]
    fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Pack(R::select(mask, yes.0, no.0))
    }
}

impl<R: Register> Lift<Pack<R>> for Pack<R> {
    #[inline(always)]
    fn lift(self) -> Self {
        self
    }
}

impl<R: Register> Default for Pack<R> {
    #[inline(always)]
    fn default() -> Self {
        Self::ZERO
    }
}

impl<R: Register> Debug for Pack<R> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.to_array().as_ref().fmt(formatter)
    }
}

impl<R: Register> Add for Pack<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Pack(self.0.add(other.0))
    }
}

impl<R: Register> Sub for Pack<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Pack(self.0.subtract(other.0))
    }
}

impl<R: Register> Mul for Pack<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Pack(self.0.multiply(other.0))
    }
}

impl<R: Register> Div for Pack<R> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Pack(self.0.divide(other.0))
    }
}

impl<R: Register> Neg for Pack<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Pack(self.0.negate())
    }
}

impl<R: Register> AddAssign for Pack<R> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<R: Register> SubAssign for Pack<R> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<R: Register> MulAssign for Pack<R> {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl<R: Register> DivAssign for Pack<R> {
    #[inline(always)]
    fn div_assign(&mut self, other: Self) {
        *self = *self / other;
    }
}
