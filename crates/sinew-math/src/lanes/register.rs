//! What a pack is made of: so many numbers side by side and the operations on all of them.

use super::pack::Pack;
use crate::mask::Mask;
use crate::real::Scalar;
use bytemuck::Pod;

/// A row of numbers, in an array or in a register of the processor. Every operation does in each
/// lane what it does for a single number.
pub trait Register: Pod {
    /// One number.
    type Element: Scalar + Pod;
    /// The numbers as an array.
    type Array: Pod + AsRef<[Self::Element]> + AsMut<[Self::Element]>;
    /// What comparisons give.
    type Mask: Mask;
    /// How many numbers.
    const LANES: usize;
    /// 0 in every lane.
    const ZERO: Self;
    /// 1 in every lane.
    const ONE: Self;
    /// The same number in every lane.
    fn splat(x: Self::Element) -> Self;
    /// self + other.
    fn add(self, other: Self) -> Self;
    /// self − other.
    fn subtract(self, other: Self) -> Self;
    /// self · other.
    fn multiply(self, other: Self) -> Self;
    /// self / other.
    fn divide(self, other: Self) -> Self;
    /// The other sign.
    fn negate(self) -> Self;
    /// The positive sign.
    fn absolute(self) -> Self;
    /// √self.
    fn root(self) -> Self;
    /// self < other.
    fn less(self, other: Self) -> Self::Mask;
    /// self ≤ other.
    fn at_most(self, other: Self) -> Self::Mask;
    /// self = other.
    fn equals(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Sine and cosine.
    fn sin_cos(x: Pack<Self>) -> (Pack<Self>, Pack<Self>);
}

/// What the sine of double precision needs besides.
pub trait DoubleRegister: Register<Element = f64> {
    /// The whole number next to it towards zero, for sizes below 2³¹.
    fn truncate(self) -> Self;
    /// The leading 26 bits of each number.
    fn top(self) -> Self;
    /// The rows of a table that whole numbers name, by column; the last row for a number beyond it.
    fn rows<const N: usize>(self, table: &[[f64; 4]; N]) -> [Self; 4];
}
