//! Four numbers of double or eight of single precision in a register of 256 bits.

use super::{double, vector};
use crate::lanes::pack::Pack;
use crate::lanes::register::{DoubleRegister, Register};
use crate::mask::Mask;
use crate::sine_single;
use bytemuck::{Pod, Zeroable, must_cast};
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, Not};

vector!(
    /// Four numbers of double precision.
    Double4, __m256d, [f64; 4], Mask4, crate::lanes::sine::sin_cos,
    _mm256_set1_pd, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_div_pd,
    negate_double, absolute_double, _mm256_sqrt_pd,
    less_double, at_most_double, equals_double, select_double
);
double!(Double4, truncate, top, rows);
vector!(
    /// Eight numbers of single precision.
    Single8, __m256, [f32; 8], Mask8, sine_single::sin_cos,
    _mm256_set1_ps, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps,
    negate_single, absolute_single, _mm256_sqrt_ps,
    less_single, at_most_single, equals_single, select_single
);

/// Lanes of all ones or all zeros.
macro_rules! mask {
    ($name:ident, $raw:ident, [$bits:ty; $lanes:literal], $and:ident, $or:ident, $xor:ident, $signs:ident) => {
        #[derive(Clone, Copy, Debug)]
        pub struct $name($raw);

        #[allow(unsafe_code)]
        impl $name {
            /// One bit per lane.
            #[inline(always)]
            fn bits(self) -> i32 {
                // SAFETY: the register types exist only where the processor has AVX2.
                unsafe { $signs(self.0) }
            }
        }

        #[allow(unsafe_code)]
        impl BitAnd for $name {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                // SAFETY: the register types exist only where the processor has AVX2.
                $name(unsafe { $and(self.0, other.0) })
            }
        }

        #[allow(unsafe_code)]
        impl BitOr for $name {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                // SAFETY: the register types exist only where the processor has AVX2.
                $name(unsafe { $or(self.0, other.0) })
            }
        }

        #[allow(unsafe_code)]
        impl Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: the register types exist only where the processor has AVX2.
                $name(unsafe { $xor(self.0, Self::ALL.0) })
            }
        }

        impl Mask for $name {
            const NONE: Self = $name(must_cast([0 as $bits; $lanes]));
            const ALL: Self = $name(must_cast([<$bits>::MAX; $lanes]));
            #[inline(always)]
            fn any(self) -> bool {
                self.bits() != 0
            }
            #[inline(always)]
            fn all(self) -> bool {
                self.bits() == (1 << $lanes) - 1
            }
            #[inline(always)]
            fn count(self) -> usize {
                self.bits().count_ones() as usize
            }
            #[inline(always)]
            fn lane(self, lane: usize) -> bool {
                let lanes: [$bits; $lanes] = must_cast(self.0);
                lanes[lane] != 0
            }
            #[inline(always)]
            fn set_lane(&mut self, lane: usize, holds: bool) {
                let mut lanes: [$bits; $lanes] = must_cast(self.0);
                lanes[lane] = if holds { <$bits>::MAX } else { 0 };
                self.0 = must_cast(lanes);
            }
        }
    };
}

mask!(
    Mask4,
    __m256d,
    [u64; 4],
    _mm256_and_pd,
    _mm256_or_pd,
    _mm256_xor_pd,
    _mm256_movemask_pd
);
mask!(
    Mask8,
    __m256,
    [u32; 8],
    _mm256_and_ps,
    _mm256_or_ps,
    _mm256_xor_ps,
    _mm256_movemask_ps
);

#[inline]
#[target_feature(enable = "avx2")]
fn negate_double(a: __m256d) -> __m256d {
    _mm256_xor_pd(a, _mm256_set1_pd(-0.0))
}

#[inline]
#[target_feature(enable = "avx2")]
fn negate_single(a: __m256) -> __m256 {
    _mm256_xor_ps(a, _mm256_set1_ps(-0.0))
}

#[inline]
#[target_feature(enable = "avx2")]
fn absolute_double(a: __m256d) -> __m256d {
    _mm256_andnot_pd(_mm256_set1_pd(-0.0), a)
}

#[inline]
#[target_feature(enable = "avx2")]
fn absolute_single(a: __m256) -> __m256 {
    _mm256_andnot_ps(_mm256_set1_ps(-0.0), a)
}

#[inline]
#[target_feature(enable = "avx2")]
fn less_double(a: __m256d, b: __m256d) -> __m256d {
    _mm256_cmp_pd::<_CMP_LT_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn less_single(a: __m256, b: __m256) -> __m256 {
    _mm256_cmp_ps::<_CMP_LT_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn at_most_double(a: __m256d, b: __m256d) -> __m256d {
    _mm256_cmp_pd::<_CMP_LE_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn at_most_single(a: __m256, b: __m256) -> __m256 {
    _mm256_cmp_ps::<_CMP_LE_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn equals_double(a: __m256d, b: __m256d) -> __m256d {
    _mm256_cmp_pd::<_CMP_EQ_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn equals_single(a: __m256, b: __m256) -> __m256 {
    _mm256_cmp_ps::<_CMP_EQ_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn select_double(mask: __m256d, yes: __m256d, no: __m256d) -> __m256d {
    _mm256_blendv_pd(no, yes, mask)
}

#[inline]
#[target_feature(enable = "avx2")]
fn select_single(mask: __m256, yes: __m256, no: __m256) -> __m256 {
    _mm256_blendv_ps(no, yes, mask)
}

#[inline]
#[target_feature(enable = "avx2")]
fn truncate(a: __m256d) -> __m256d {
    _mm256_cvtepi32_pd(_mm256_cvttpd_epi32(a))
}

#[inline]
#[target_feature(enable = "avx2")]
fn top(a: __m256d) -> __m256d {
    _mm256_and_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(!0x07ff_ffff)))
}

/// Four rows, transposed.
#[inline]
#[target_feature(enable = "avx2")]
pub fn rows<const N: usize>(a: __m256d, table: &[[f64; 4]; N]) -> [__m256d; 4] {
    let index: [u32; 4] = must_cast(_mm256_cvttpd_epi32(a));
    let row = |k: usize| must_cast::<[f64; 4], __m256d>(table[(index[k] as usize).min(N - 1)]);
    let (first, second, third, fourth) = (row(0), row(1), row(2), row(3));
    let even = _mm256_unpacklo_pd(first, second);
    let odd = _mm256_unpackhi_pd(first, second);
    let even_after = _mm256_unpacklo_pd(third, fourth);
    let odd_after = _mm256_unpackhi_pd(third, fourth);
    [
        _mm256_permute2f128_pd::<0x20>(even, even_after),
        _mm256_permute2f128_pd::<0x20>(odd, odd_after),
        _mm256_permute2f128_pd::<0x31>(even, even_after),
        _mm256_permute2f128_pd::<0x31>(odd, odd_after),
    ]
}
