//! The registers of x86 processors: AVX2 with 256 bits, AVX-512 with 512.
//!
//! The types here are reachable only through the functions of this module, which hand them to a
//! [`Work`] after the processor has said that it has the instructions. That is why their operations
//! may use those instructions without asking again.

mod avx2;
mod avx512;

use super::{Pack, Work};
use crate::real::Real;
use bytemuck::Pod;

macro_rules! dispatch {
    ($name:ident, $vector:ty, $is_there:ident, $run:ident) => {
        /// Does work made for packs of this width, or hands it back if the registers are missing.
        #[inline]
        pub fn $name<W: Work>(work: W) -> Result<W::Output, W> {
            if !$is_there() {
                return Err(work);
            }
            #[allow(unsafe_code)]
            // SAFETY: the processor has the instructions that the function is compiled for.
            Ok(unsafe { $run::<Pack<$vector>, W>(work) })
        }
    };
}

dispatch!(double4, avx2::Double4, has_avx2, run_avx2);
dispatch!(single8, avx2::Single8, has_avx2, run_avx2);
dispatch!(double8, avx512::Double8, has_avx512, run_avx512);
dispatch!(single16, avx512::Single16, has_avx512, run_avx512);

#[inline]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[inline]
fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl")
        && std::arch::is_x86_feature_detected!("avx512bw")
}

#[target_feature(enable = "avx2")]
fn run_avx2<T: Real + Pod, W: Work>(work: W) -> W::Output {
    work.run::<T>()
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw")]
fn run_avx512<T: Real + Pod, W: Work>(work: W) -> W::Output {
    work.run::<T>()
}

/// A register of the processor as a [`Register`](super::register::Register), by its instructions.
macro_rules! vector {
    ($(#[$doc:meta])* $name:ident, $raw:ident, [$element:ty; $lanes:literal], $mask:ident, $sin_cos:path,
        $splat:ident, $add:ident, $subtract:ident, $multiply:ident, $divide:ident,
        $negate:ident, $absolute:ident, $root:ident,
        $less:ident, $at_most:ident, $equals:ident, $select:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Zeroable, Pod)]
        #[repr(transparent)]
        pub struct $name($raw);

        #[allow(unsafe_code)]
        impl Register for $name {
            type Element = $element;
            type Array = [$element; $lanes];
            type Mask = $mask;
            const LANES: usize = $lanes;
            const ZERO: Self = $name(must_cast([0.0 as $element; $lanes]));
            const ONE: Self = $name(must_cast([1.0 as $element; $lanes]));
            #[inline(always)]
            fn splat(x: $element) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $splat(x) })
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn subtract(self, other: Self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $subtract(self.0, other.0) })
            }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $multiply(self.0, other.0) })
            }
            #[inline(always)]
            fn divide(self, other: Self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $divide(self.0, other.0) })
            }
            #[inline(always)]
            fn negate(self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $negate(self.0) })
            }
            #[inline(always)]
            fn absolute(self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $absolute(self.0) })
            }
            #[inline(always)]
            fn root(self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $root(self.0) })
            }
            #[inline(always)]
            fn less(self, other: Self) -> $mask {
                // SAFETY: this type exists only where the processor has the instruction.
                $mask(unsafe { $less(self.0, other.0) })
            }
            #[inline(always)]
            fn at_most(self, other: Self) -> $mask {
                // SAFETY: this type exists only where the processor has the instruction.
                $mask(unsafe { $at_most(self.0, other.0) })
            }
            #[inline(always)]
            fn equals(self, other: Self) -> $mask {
                // SAFETY: this type exists only where the processor has the instruction.
                $mask(unsafe { $equals(self.0, other.0) })
            }
            #[inline(always)]
            fn select(mask: $mask, yes: Self, no: Self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $select(mask.0, yes.0, no.0) })
            }
            #[inline(always)]
            fn sin_cos(x: Pack<Self>) -> (Pack<Self>, Pack<Self>) {
                $sin_cos(x)
            }
        }
    };
}

/// What the sine needs besides, by its instructions.
macro_rules! double {
    ($name:ident, $truncate:ident, $top:ident, $rows:ident) => {
        #[allow(unsafe_code)]
        impl DoubleRegister for $name {
            #[inline(always)]
            fn truncate(self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $truncate(self.0) })
            }
            #[inline(always)]
            fn top(self) -> Self {
                // SAFETY: this type exists only where the processor has the instruction.
                $name(unsafe { $top(self.0) })
            }
            #[inline(always)]
            fn rows<const N: usize>(self, table: &[[f64; 4]; N]) -> [Self; 4] {
                // SAFETY: this type exists only where the processor has the instruction.
                let [a, b, c, d] = unsafe { $rows(self.0, table) };
                [$name(a), $name(b), $name(c), $name(d)]
            }
        }
    };
}

use {double, vector};
