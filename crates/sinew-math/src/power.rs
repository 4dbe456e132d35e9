//! Powers, rounded correctly for all but a few arguments in ten thousand.
//!
//! `libm` gives a power r of x that is right to about one unit in the last place. With both logarithms
//! known to some hundred bits, one step of Newton's method tells how far r is off:
//!
//! ```text
//! xᵖ ≈ r + r (p ln x − ln r)
//! ```
//!
//! Good C libraries round powers almost always correctly. Where the difference of two nearly equal
//! volumes follows from one, as in the inertia of a shell, its last bit is worth 10⁵ others.
//!
//! Not for inner loops: a logarithm of this kind costs half a microsecond.

use crate::sine::{Pair, top, two_sum};

/// Arguments and results outside are left to `libm`.
const ORDINARY: core::ops::Range<f64> = 1e-200..1e200;
/// ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact.
const LN_2: Pair = (6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10);
/// Terms of the series below; the argument is at most 0.172.
const TERMS: u32 = 24;

/// x to the power p.
pub fn pow(x: f64, p: f64) -> f64 {
    let guess = libm::pow(x, p);
    if !ORDINARY.contains(&x) || !ORDINARY.contains(&guess) {
        return guess;
    }
    let (expected, reached) = (times(logarithm(x), (p, 0.0)), logarithm(guess));
    let correction = (expected.0 - reached.0) + (expected.1 - reached.1);
    guess + guess * correction
}

/// ln x: with x = 2ᵏ m and s = (m − 1)/(m + 1), it is k ln 2 + 2 (s + s³/3 + s⁵/5 + …).
fn logarithm(x: f64) -> Pair {
    let (mut m, mut k) = libm::frexp(x);
    if m < core::f64::consts::FRAC_1_SQRT_2 {
        m *= 2.0;
        k -= 1;
    }
    let s = over((m - 1.0, 0.0), two_sum(m, 1.0));
    let square = times(s, s);
    let mut series = (0.0, 0.0);
    for term in (0..TERMS).rev() {
        let inverse = over((1.0, 0.0), (f64::from(2 * term + 1), 0.0));
        series = plus(times(series, square), inverse);
    }
    let k = f64::from(k);
    let twos = plus((k * LN_2.0, 0.0), (k * LN_2.1, 0.0));
    plus(twos, times((2.0 * s.0, 2.0 * s.1), series))
}

fn plus(a: Pair, b: Pair) -> Pair {
    let (sum, rest) = two_sum(a.0, b.0);
    two_sum(sum, rest + (a.1 + b.1))
}

fn times(a: Pair, b: Pair) -> Pair {
    let [value, rest] = product(a.0, b.0);
    two_sum(value, rest + (a.0 * b.1 + a.1 * b.0))
}

fn over(a: Pair, b: Pair) -> Pair {
    let quotient = a.0 / b.0;
    let [value, rest] = product(quotient, b.0);
    let left = ((a.0 - value) - rest) + (a.1 - quotient * b.1);
    two_sum(quotient, left / b.0)
}

/// a · b exactly, as a product and its rounding error.
fn product(a: f64, b: f64) -> [f64; 2] {
    let (a_top, b_top) = (top(a), top(b));
    let (a_rest, b_rest) = (a - a_top, b - b_top);
    let value = a * b;
    let error = ((a_top * b_top - value) + a_top * b_rest + a_rest * b_top) + a_rest * b_rest;
    [value, error]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x, p, x^p: correctly rounded from 300-bit arithmetic.
    #[rustfmt::skip]
    const CASES: &[(f64, f64, f64)] = &[
        (12151938.797897354, 1.6075, 244662697408.17813),
        (0.8405077724021451, 1.6075, 0.7563117317527203),
        (0.3724215622067449, 1.6075, 0.20438003498783774),
        (41.40695444247689, 1.6075, 397.5990255085627),
        (0.13962865098050425, 1.6075, 0.042222755893706256),
        (0.21024692611262277, 0.6220839813374806, 0.3790364425498012),
        (8.216906568807457e-08, -3.031209560739674, 2.9991887178274067e+21),
        (0.2994901089560139, 0.4, 0.6173806213837046),
        (1.2055767531347941e-12, 1.6075, 6.926610158122921e-20),
        (82.03328939006, -3.152267599015058, 9.259572573566676e-07),
        (0.7049644650067683, 0.4, 0.8694946026071794),
        (2.7886860024744817, 1.6075, 5.199719114816132),
        (0.4533694312027125, 0.6220839813374806, 0.6113422880187371),
        (94.26233911334224, 0.4, 6.1621928398428425),
        (11.697234037418458, 1.6075, 52.11271630479853),
        (1.0083270852339068e-07, 0.6220839813374806, 4.442756638911774e-05),
        (92.49556432335127, 0.4, 6.115730828385823),
        (3.739668196441558e-09, -1.9069641830975703, 1.1757243117236708e+16),
        (479488958476.116, 1.6075, 5.982071738534273e+18),
        (59.80206184863639, 0.6220839813374806, 12.742852647450336),
        (91.69086549575711, 0.6220839813374806, 16.623850158792994),
        (62397257650.03744, 3.9649601867802104, 6.344558830944578e+42),
        (44.02096386944328, -2.0518707378802894, 0.00042405586231888346),
        (1.1559999598118621e-08, -0.4646001040837664, 4870.242917092012),
    ];

    #[test]
    fn values_are_rounded_correctly() {
        for &(x, p, power) in CASES {
            assert_eq!(pow(x, p), power, "{x:?} to the {p:?}");
        }
    }

    #[test]
    fn special_arguments() {
        assert_eq!(
            [pow(0.0, 2.0), pow(1.0, 1e9), pow(7.0, 0.0)],
            [0.0, 1.0, 1.0]
        );
        assert_eq!([pow(-2.0, 3.0), pow(2.0, 2000.0)], [-8.0, f64::INFINITY]);
        assert!(pow(f64::NAN, 1.0).is_nan() && pow(-1.0, 0.5).is_nan());
    }
}
