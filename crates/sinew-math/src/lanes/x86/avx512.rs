//! Eight numbers of double or sixteen of single precision in a register of 512 bits.

use super::{avx2, double, vector};
use crate::lanes::pack::Pack;
use crate::lanes::register::{DoubleRegister, Register};
use crate::mask::Mask;
use crate::sine_single;
use bytemuck::{Pod, Zeroable, must_cast};
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, Not};

vector!(
    /// Eight numbers of double precision.
    Double8, __m512d, [f64; 8], Mask8, crate::lanes::sine::sin_cos,
    _mm512_set1_pd, _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd, _mm512_div_pd,
    negate_double, _mm512_abs_pd, _mm512_sqrt_pd,
    less_double, at_most_double, equals_double, select_double
);
double!(Double8, truncate, top, rows);
vector!(
    /// Sixteen numbers of single precision.
    Single16, __m512, [f32; 16], Mask16, sine_single::sin_cos,
    _mm512_set1_ps, _mm512_add_ps, _mm512_sub_ps, _mm512_mul_ps, _mm512_div_ps,
    negate_single, _mm512_abs_ps, _mm512_sqrt_ps,
    less_single, at_most_single, equals_single, select_single
);

/// One bit per lane.
macro_rules! mask {
    ($name:ident, $bits:ty) => {
        #[derive(Clone, Copy, Debug)]
        pub struct $name($bits);

        impl BitAnd for $name {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                $name(self.0 & other.0)
            }
        }

        impl BitOr for $name {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                $name(self.0 | other.0)
            }
        }

        impl Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                $name(!self.0)
            }
        }

        impl Mask for $name {
            const NONE: Self = $name(0);
            const ALL: Self = $name(<$bits>::MAX);
            #[inline(always)]
            fn any(self) -> bool {
                self.0 != 0
            }
            #[inline(always)]
            fn all(self) -> bool {
                self.0 == <$bits>::MAX
            }
            #[inline(always)]
            fn count(self) -> usize {
                self.0.count_ones() as usize
            }
            #[inline(always)]
            fn lane(self, lane: usize) -> bool {
                assert!(lane < <$bits>::BITS as usize, "no such lane");
                self.0 >> lane & 1 != 0
            }
            #[inline(always)]
            fn set_lane(&mut self, lane: usize, holds: bool) {
                assert!(lane < <$bits>::BITS as usize, "no such lane");
                self.0 = self.0 & !(1 << lane) | <$bits>::from(holds) << lane;
            }
        }
    };
}

mask!(Mask8, u8);
mask!(Mask16, u16);

#[inline]
#[target_feature(enable = "avx512f")]
fn negate_double(a: __m512d) -> __m512d {
    let sign = _mm512_set1_epi64(i64::MIN);
    _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(a), sign))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn negate_single(a: __m512) -> __m512 {
    let sign = _mm512_set1_epi32(i32::MIN);
    _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(a), sign))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn less_double(a: __m512d, b: __m512d) -> u8 {
    _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn less_single(a: __m512, b: __m512) -> u16 {
    _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn at_most_double(a: __m512d, b: __m512d) -> u8 {
    _mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn at_most_single(a: __m512, b: __m512) -> u16 {
    _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn equals_double(a: __m512d, b: __m512d) -> u8 {
    _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn equals_single(a: __m512, b: __m512) -> u16 {
    _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn select_double(mask: u8, yes: __m512d, no: __m512d) -> __m512d {
    _mm512_mask_blend_pd(mask, no, yes)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn select_single(mask: u16, yes: __m512, no: __m512) -> __m512 {
    _mm512_mask_blend_ps(mask, no, yes)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn truncate(a: __m512d) -> __m512d {
    _mm512_cvtepi32_pd(_mm512_cvttpd_epi32(a))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn top(a: __m512d) -> __m512d {
    let bits = _mm512_and_si512(_mm512_castpd_si512(a), _mm512_set1_epi64(!0x07ff_ffff));
    _mm512_castsi512_pd(bits)
}

/// Rows are whole loads; each half of the lanes is transposed on its own.
#[inline]
#[target_feature(enable = "avx512f")]
fn rows<const N: usize>(a: __m512d, table: &[[f64; 4]; N]) -> [__m512d; 4] {
    let low = avx2::rows(_mm512_castpd512_pd256(a), table);
    let high = avx2::rows(_mm512_extractf64x4_pd::<1>(a), table);
    let column = |k: usize| _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low[k]), high[k]);
    [column(0), column(1), column(2), column(3)]
}
