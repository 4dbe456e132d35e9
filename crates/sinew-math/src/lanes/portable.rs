//! Registers that are arrays: they compile everywhere, and each operation is a loop over lanes.

use super::pack::Pack;
use super::register::{DoubleRegister, Register};
use crate::mask::Mask;
use crate::real::Real;
use crate::{sine, sine_single};
use bytemuck::{Pod, Zeroable};
use core::ops::{BitAnd, BitOr, Not};

/// Truths, one per lane.
#[derive(Clone, Copy, Debug)]
pub struct Truths<const N: usize>([bool; N]);

impl<const N: usize> BitAnd for Truths<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Truths(zip(self.0, other.0, |a, b| a & b))
    }
}

impl<const N: usize> BitOr for Truths<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Truths(zip(self.0, other.0, |a, b| a | b))
    }
}

impl<const N: usize> Not for Truths<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Truths(zip(self.0, self.0, |a, _| !a))
    }
}

impl<const N: usize> Mask for Truths<N> {
    const NONE: Self = Truths([false; N]);
    const ALL: Self = Truths([true; N]);
    #[inline(always)]
    fn any(self) -> bool {
        self.count() > 0
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.count() == N
    }
    #[inline(always)]
    fn count(self) -> usize {
        let mut count = 0;
        for k in 0..N {
            count += usize::from(self.0[k]);
        }
        count
    }
    #[inline(always)]
    fn lane(self, lane: usize) -> bool {
        self.0[lane]
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, holds: bool) {
        self.0[lane] = holds;
    }
}

/// A function of each lane's two values.
#[inline(always)]
fn zip<A: Copy, B: Copy + Default, const N: usize>(
    a: [A; N],
    b: [A; N],
    function: impl Fn(A, A) -> B,
) -> [B; N] {
    let mut out = [B::default(); N];
    for k in 0..N {
        out[k] = function(a[k], b[k]);
    }
    out
}

macro_rules! array {
    ($(#[$doc:meta])* $name:ident, $element:ty, $lanes:literal, $align:literal, $sin_cos:path) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Zeroable, Pod)]
        #[repr(C, align($align))]
        pub struct $name([$element; $lanes]);

        impl Register for $name {
            type Element = $element;
            type Array = [$element; $lanes];
            type Mask = Truths<$lanes>;
            const LANES: usize = $lanes;
            const ZERO: Self = $name([0.0; $lanes]);
            const ONE: Self = $name([1.0; $lanes]);
            #[inline(always)]
            fn splat(x: $element) -> Self {
                $name([x; $lanes])
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                $name(zip(self.0, other.0, |a, b| a + b))
            }
            #[inline(always)]
            fn subtract(self, other: Self) -> Self {
                $name(zip(self.0, other.0, |a, b| a - b))
            }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                $name(zip(self.0, other.0, |a, b| a * b))
            }
            #[inline(always)]
            fn divide(self, other: Self) -> Self {
                $name(zip(self.0, other.0, |a, b| a / b))
            }
            #[inline(always)]
            fn negate(self) -> Self {
                $name(zip(self.0, self.0, |a, _| -a))
            }
            #[inline(always)]
            fn absolute(self) -> Self {
                $name(zip(self.0, self.0, |a, _| Real::abs(a)))
            }
            #[inline(always)]
            fn root(self) -> Self {
                $name(zip(self.0, self.0, |a, _| Real::sqrt(a)))
            }
            #[inline(always)]
            fn less(self, other: Self) -> Self::Mask {
                Truths(zip(self.0, other.0, |a, b| a < b))
            }
            #[inline(always)]
            fn at_most(self, other: Self) -> Self::Mask {
                Truths(zip(self.0, other.0, |a, b| a <= b))
            }
            #[inline(always)]
            fn equals(self, other: Self) -> Self::Mask {
                Truths(zip(self.0, other.0, |a, b| a == b))
            }
            #[inline(always)]
            fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                let mut out = no;
                for k in 0..$lanes {
                    out.0[k] = if mask.0[k] { yes.0[k] } else { no.0[k] };
                }
                out
            }
            // Compiled for every processor, so that one copy serves all callers.
            #[inline(never)]
            fn sin_cos(x: Pack<Self>) -> (Pack<Self>, Pack<Self>) {
                $sin_cos(x)
            }
        }
    };
}

macro_rules! double {
    ($name:ident) => {
        impl DoubleRegister for $name {
            #[inline(always)]
            fn truncate(self) -> Self {
                $name(zip(self.0, self.0, |a, _| f64::from(a as i32)))
            }
            #[inline(always)]
            fn top(self) -> Self {
                $name(zip(self.0, self.0, |a, _| sine::top(a)))
            }
            #[inline(always)]
            fn rows<const N: usize>(self, table: &[[f64; 4]; N]) -> [Self; 4] {
                let mut out = [Self::ZERO; 4];
                for k in 0..Self::LANES {
                    let row = table[(self.0[k] as i32 as usize).min(N - 1)];
                    for column in 0..4 {
                        out[column].0[k] = row[column];
                    }
                }
                out
            }
        }
    };
}

array!(
    /// Four numbers of double precision.
    Double4, f64, 4, 32, super::sine::sin_cos
);
array!(
    /// Eight numbers of double precision.
    Double8, f64, 8, 64, super::sine::sin_cos
);
array!(
    /// Eight numbers of single precision.
    Single8, f32, 8, 32, sine_single::sin_cos
);
array!(
    /// Sixteen numbers of single precision.
    Single16, f32, 16, 64, sine_single::sin_cos
);
double!(Double4);
double!(Double8);
