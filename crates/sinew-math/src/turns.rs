//! Quarter turns out of angles of any size.
//!
//! An angle is m · 2ᵉ with a whole number m of 53 bits. Of the binary digits of 2/π those before 2⁻ᵉ⁺¹ make whole
//! turns, which do not matter; m times the 192 digits behind them is the count of quarter turns, modulo 4, and a
//! fraction. No double is nearer than 2⁻⁶² to a multiple of π/2, so the fraction has more digits than are needed.

use crate::arc::HALF_PI;
use crate::sine::{Pair, top, two_sum};

/// Digits of 2/π, after as many zeros as words have.
const TWO_OVER_PI: [u64; 20] = [
    0x0000_0000_0000_0000,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// Exponent, as it is stored, of the angles for which the digits that matter are the first ones of the table.
const FIRST: u32 = 1013;

/// How many quarter turns are nearest to an angle, modulo 4, and what is left of it: a sum of two numbers. The angle is not
/// below 2⁻¹⁰ in size.
pub(crate) fn reduce(x: f64) -> (i64, Pair) {
    if !x.is_finite() {
        return (0, (f64::NAN, 0.0));
    }
    let bits = x.to_bits();
    let exponent = (bits >> 52) as u32 & 0x7ff;
    let whole = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let digits = digits(exponent.saturating_sub(FIRST));

    let last = whole * u128::from(digits[2]);
    let middle = whole * u128::from(digits[1]) + (last >> 64);
    let first = (whole * u128::from(digits[0]) + (middle >> 64)) as u64;
    let quarters = first >> 62;
    let fraction =
        u128::from(first) << 66 | u128::from(middle as u64) << 2 | (last as u64 >> 62) as u128;

    // Beyond a half the next quarter turn is nearer.
    let is_beyond = fraction >> 127 != 0;
    let size = if is_beyond {
        fraction.wrapping_neg()
    } else {
        fraction
    };
    let quarters = quarters as i64 + i64::from(is_beyond);
    let (high, low) = by_half_pi(numbers(size));
    match (x < 0.0, is_beyond) {
        (false, false) => (quarters, (high, low)),
        (false, true) => (quarters, (-high, -low)),
        (true, false) => (-quarters, (-high, -low)),
        (true, true) => (-quarters, (high, low)),
    }
}

/// 192 digits of 2/π from a place on.
#[inline(always)]
fn digits(place: u32) -> [u64; 3] {
    let (word, shift) = ((place / 64) as usize, place % 64);
    let last = TWO_OVER_PI.len() - 1;
    [0, 1, 2].map(|k| {
        let [own, next] = [0, 1].map(|more| TWO_OVER_PI[(word + k + more).min(last)]);
        own << shift | next >> 1 >> (63 - shift)
    })
}

/// A fraction of 128 digits as the sum of two numbers.
#[inline(always)]
fn numbers(fraction: u128) -> Pair {
    if fraction == 0 {
        return (0.0, 0.0);
    }
    let zeros = fraction.leading_zeros();
    let digits = fraction << zeros;
    let power = |exponent: u32| f64::from_bits(u64::from(1023 - exponent) << 52);
    let high = (digits >> 75) as u64 as f64 * power(53 + zeros);
    let low = (digits << 53 >> 64) as u64 as f64 * power(117 + zeros);
    (high, low)
}

/// Times π/2.
#[inline(always)]
fn by_half_pi((high, low): Pair) -> Pair {
    let (half_pi, rest) = HALF_PI;
    // The product of two numbers of 26 bits is exact.
    let (high_top, half_pi_top) = (top(high), top(half_pi));
    let product_rest = high_top * (half_pi - half_pi_top) + (high - high_top) * half_pi;
    two_sum(
        high_top * half_pi_top,
        product_rest + (high * rest + low * half_pi),
    )
}

#[cfg(test)]
mod tests {
    use crate::sine::{cos, sin, sin_cos};

    /// Angle, sine and cosine, from 1,200 digits.
    const CASES: [(f64, f64, f64); 11] = [
        (1_000_000.5, 0.141954699000744, 0.9898731552232378),
        (-1_234_567.875, 0.4811407782643116, -0.8766433433792858),
        (2_147_483_648.0, -0.9713101757929392, 0.23781619457280337),
        (1e10, -0.4875060250875107, 0.873119622676856),
        (-1e16, -0.7796880066069788, -0.6261681981330862),
        (1e22, -0.8522008497671888, 0.523214785395139),
        // The nearest of all to a multiple of π/2.
        (5.319372648326541e255, 1.0, -4.687165924254628e-19),
        (1e300, -0.8178819121159085, -0.5753861119575491),
        (f64::MAX, 0.004961954789184062, -0.9999876894265599),
        (
            1.2157665459056929e19,
            0.8019535773740835,
            -0.597386357173404,
        ),
        (
            -8.673617379884035e41,
            0.7895805120861952,
            0.6136469790797489,
        ),
    ];

    #[test]
    fn large_angles_are_rounded_correctly() {
        for (x, sine, cosine) in CASES {
            assert_eq!(sin(x), sine, "sin {x:?}");
            assert_eq!(cos(x), cosine, "cos {x:?}");
            assert_eq!(sin_cos(x), (sine, cosine), "both of {x:?}");
            assert_eq!(sin_cos(-x), (-sine, cosine), "both of {:?}", -x);
        }
    }

    #[test]
    fn both_reductions_meet() {
        let mut x = 12_345.678;
        while x < 1e6 {
            let (quarters, (high, low)) = super::reduce(x);
            let (other, near, rest) = crate::sine::reduce(x);
            assert_eq!(quarters & 3, other & 3, "{x:?}");
            let left_out = (high - near) + (low - rest);
            assert!(left_out.abs() < 1e-21, "{x:?}: {left_out:e}");
            x *= 1.000_7;
        }
    }

    #[test]
    fn angles_of_all_exponents_are_near_to_those_of_another_implementation() {
        for exponent in 1043..2047_u64 {
            for mantissa in [0, 0x9_1234_5678_9abc, 0xf_ffff_ffff_ffff] {
                let x = f64::from_bits(exponent << 52 | mantissa);
                assert!((sin(x) - libm::sin(x)).abs() < 2.3e-16, "sin {x:?}");
                assert!((cos(x) - libm::cos(x)).abs() < 2.3e-16, "cos {x:?}");
            }
        }
    }
}
