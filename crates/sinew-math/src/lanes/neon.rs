//! The registers of ARM processors of 64 bits: NEON. A pack is two registers of 128 bits.
//!
//! Every processor of this architecture has NEON, and the compiler uses it without being asked: that is the reason why all
//! calls of its instructions here are sound.

#![allow(unsafe_code)]

use super::pack::Pack;
use super::register::{DoubleRegister, Register};
use super::{Work, sine};
use crate::mask::Mask;
use crate::sine_single;
use bytemuck::{Pod, Zeroable, must_cast};
use core::arch::aarch64::*;
use core::ops::{BitAnd, BitOr, Not};

/// Does work made for [`super::Double4`].
#[inline]
pub fn double4<W: Work>(work: W) -> Result<W::Output, W> {
    Ok(work.run::<Pack<Double4>>())
}

/// Does work made for [`super::Single8`].
#[inline]
pub fn single8<W: Work>(work: W) -> Result<W::Output, W> {
    Ok(work.run::<Pack<Single8>>())
}

/// Hands the work back: four registers for each number leave too few for a step.
#[inline(always)]
pub fn double8<W: Work>(work: W) -> Result<W::Output, W> {
    Err(work)
}

/// Hands the work back.
#[inline(always)]
pub fn single16<W: Work>(work: W) -> Result<W::Output, W> {
    Err(work)
}

/// A pair of registers as a [`Register`], by their instructions.
macro_rules! pair {
    ($(#[$doc:meta])* $name:ident, $raw:ident, [$element:ty; $lanes:literal], $sin_cos:path,
        $mask:ident, $bits:ident, $bit:ty,
        $splat:ident, $add:ident, $subtract:ident, $multiply:ident, $divide:ident,
        $negate:ident, $absolute:ident, $root:ident,
        $less:ident, $at_most:ident, $equals:ident, $select:ident,
        $and:ident, $or:ident, $exclusive:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Zeroable, Pod)]
        #[repr(C, align(32))]
        pub struct $name([$raw; 2]);

        /// Lanes of all ones or all zeros.
        #[derive(Clone, Copy, Debug)]
        pub struct $mask([$bits; 2]);

                impl Register for $name {
            type Element = $element;
            type Array = [$element; $lanes];
            type Mask = $mask;
            const LANES: usize = $lanes;
            const ZERO: Self = $name(must_cast([0.0 as $element; $lanes]));
            const ONE: Self = $name(must_cast([1.0 as $element; $lanes]));
            #[inline(always)]
            fn splat(x: $element) -> Self {
                $name(unsafe { [$splat(x); 2] })
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                let ([a, b], [x, y]) = (self.0, other.0);
                $name(unsafe { [$add(a, x), $add(b, y)] })
            }
            #[inline(always)]
            fn subtract(self, other: Self) -> Self {
                let ([a, b], [x, y]) = (self.0, other.0);
                $name(unsafe { [$subtract(a, x), $subtract(b, y)] })
            }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                let ([a, b], [x, y]) = (self.0, other.0);
                $name(unsafe { [$multiply(a, x), $multiply(b, y)] })
            }
            #[inline(always)]
            fn divide(self, other: Self) -> Self {
                let ([a, b], [x, y]) = (self.0, other.0);
                $name(unsafe { [$divide(a, x), $divide(b, y)] })
            }
            #[inline(always)]
            fn negate(self) -> Self {
                $name(self.0.map(|a| unsafe { $negate(a) }))
            }
            #[inline(always)]
            fn absolute(self) -> Self {
                $name(self.0.map(|a| unsafe { $absolute(a) }))
            }
            #[inline(always)]
            fn root(self) -> Self {
                $name(self.0.map(|a| unsafe { $root(a) }))
            }
            #[inline(always)]
            fn less(self, other: Self) -> $mask {
                let ([a, b], [x, y]) = (self.0, other.0);
                $mask(unsafe { [$less(a, x), $less(b, y)] })
            }
            #[inline(always)]
            fn at_most(self, other: Self) -> $mask {
                let ([a, b], [x, y]) = (self.0, other.0);
                $mask(unsafe { [$at_most(a, x), $at_most(b, y)] })
            }
            #[inline(always)]
            fn equals(self, other: Self) -> $mask {
                let ([a, b], [x, y]) = (self.0, other.0);
                $mask(unsafe { [$equals(a, x), $equals(b, y)] })
            }
            #[inline(always)]
            fn select(mask: $mask, yes: Self, no: Self) -> Self {
                let ([m, n], [a, b], [x, y]) = (mask.0, yes.0, no.0);
                $name(unsafe { [$select(m, a, x), $select(n, b, y)] })
            }
            #[inline(always)]
            fn sin_cos(x: Pack<Self>) -> (Pack<Self>, Pack<Self>) {
                $sin_cos(x)
            }
        }

                impl BitAnd for $mask {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                let ([a, b], [x, y]) = (self.0, other.0);
                $mask(unsafe { [$and(a, x), $and(b, y)] })
            }
        }

                impl BitOr for $mask {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                let ([a, b], [x, y]) = (self.0, other.0);
                $mask(unsafe { [$or(a, x), $or(b, y)] })
            }
        }

                impl Not for $mask {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                let ([a, b], [x, y]) = (self.0, Self::ALL.0);
                $mask(unsafe { [$exclusive(a, x), $exclusive(b, y)] })
            }
        }

                impl Mask for $mask {
            const NONE: Self = $mask(must_cast([0 as $bit; $lanes]));
            const ALL: Self = $mask(must_cast([<$bit>::MAX; $lanes]));
            #[inline(always)]
            fn any(self) -> bool {
                let [a, b] = self.0;
                unsafe { vmaxvq_u32(must_cast($or(a, b))) != 0 }
            }
            #[inline(always)]
            fn all(self) -> bool {
                let [a, b] = self.0;
                unsafe { vminvq_u32(must_cast($and(a, b))) != 0 }
            }
            #[inline(always)]
            fn count(self) -> usize {
                let lanes: [$bit; $lanes] = must_cast(self.0);
                lanes.iter().filter(|&&lane| lane != 0).count()
            }
            #[inline(always)]
            fn lane(self, lane: usize) -> bool {
                let lanes: [$bit; $lanes] = must_cast(self.0);
                lanes[lane] != 0
            }
            #[inline(always)]
            fn set_lane(&mut self, lane: usize, holds: bool) {
                let mut lanes: [$bit; $lanes] = must_cast(self.0);
                lanes[lane] = if holds { <$bit>::MAX } else { 0 };
                self.0 = must_cast(lanes);
            }
        }
    };
}

pair!(
    /// Four numbers of double precision.
    Double4, float64x2_t, [f64; 4], sine::sin_cos,
    Mask4, uint64x2_t, u64,
    vdupq_n_f64, vaddq_f64, vsubq_f64, vmulq_f64, vdivq_f64,
    vnegq_f64, vabsq_f64, vsqrtq_f64,
    vcltq_f64, vcleq_f64, vceqq_f64, vbslq_f64,
    vandq_u64, vorrq_u64, veorq_u64
);
pair!(
    /// Eight numbers of single precision.
    Single8, float32x4_t, [f32; 8], sine_single::sin_cos,
    Mask8, uint32x4_t, u32,
    vdupq_n_f32, vaddq_f32, vsubq_f32, vmulq_f32, vdivq_f32,
    vnegq_f32, vabsq_f32, vsqrtq_f32,
    vcltq_f32, vcleq_f32, vceqq_f32, vbslq_f32,
    vandq_u32, vorrq_u32, veorq_u32
);

/// The leading 26 bits of a number.
const TOP: u64 = !0x07ff_ffff;

impl DoubleRegister for Double4 {
    #[inline(always)]
    fn truncate(self) -> Self {
        Double4(self.0.map(|a| unsafe { vcvtq_f64_s64(vcvtq_s64_f64(a)) }))
    }
    #[inline(always)]
    fn top(self) -> Self {
        let top = |a| {
            let bits = unsafe { vandq_u64(vreinterpretq_u64_f64(a), vdupq_n_u64(TOP)) };
            must_cast(bits)
        };
        Double4(self.0.map(top))
    }
    #[inline(always)]
    fn rows<const N: usize>(self, table: &[[f64; 4]; N]) -> [Self; 4] {
        let index: [f64; 4] = must_cast(self.0);
        let rows = index.map(|x| &table[(x as usize).min(N - 1)]);
        [0, 1, 2, 3].map(|column| Double4(must_cast(rows.map(|row| row[column]))))
    }
}
