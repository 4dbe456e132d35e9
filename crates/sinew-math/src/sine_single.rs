//! Sine and cosine of single precision, right to two units in the last place.
//!
//! The argument is reduced by the nearest multiple of π/2 to r in [−π/4, π/4]; polynomials in r² do
//! the rest. Written over [`Real`], so that a single number and a lane of a pack have the same bits.

use crate::mask::Mask;
use crate::real::Real;

/// Arguments beyond this lose bits in the reduction below; double precision takes them.
const LARGEST: f64 = 8192.0;
/// Added and taken away again, it leaves the nearest whole number of single precision.
const ROUNDER: f64 = 12_582_912.0;
/// π/2 in three parts; products of the first two with a count are exact.
const HALF_PI: [f64; 3] = [
    1.570_312_5,
    4.837_512_969_970_703e-4,
    7.549_789_948_768_648e-8,
];
/// (sin r − r) / r³ in powers of r².
const SINE: [f64; 3] = [-1.666_665_5e-1, 8.332_161e-3, -1.951_529_6e-4];
/// (cos r − 1 + r²/2) / r⁴ in powers of r².
const COSINE: [f64; 3] = [4.166_664_6e-2, -1.388_731_6e-3, 2.443_315_7e-5];

/// sin x.
#[inline(always)]
pub fn sin<T: Real>(x: T) -> T {
    sin_cos(x).0
}

/// cos x.
#[inline(always)]
pub fn cos<T: Real>(x: T) -> T {
    sin_cos(x).1
}

/// sin x and cos x.
#[inline(always)]
pub fn sin_cos<T: Real>(x: T) -> (T, T) {
    let number = T::from_f64;
    #[cfg(target_arch = "nvptx64")]
    let x = without_turns(x);
    let count = nearest(x * number(core::f64::consts::FRAC_2_PI));
    let r = x - count * number(HALF_PI[0]);
    let r = (r - count * number(HALF_PI[1])) - count * number(HALF_PI[2]);

    let z = r * r;
    let sine_rest = number(SINE[0]) + z * (number(SINE[1]) + z * number(SINE[2]));
    let cosine_rest = number(COSINE[0]) + z * (number(COSINE[1]) + z * number(COSINE[2]));
    let sine = r + r * z * sine_rest;
    let cosine = (T::ONE - number(0.5) * z) + z * z * cosine_rest;

    // Quarter turns from −2 to 2: swap for odd ones, then the signs.
    let quarter = count - number(4.0) * nearest(count * number(0.25));
    let is_swapped = quarter.abs().equals(T::ONE);
    let is_half_turn = quarter.abs().equals(number(2.0));
    let s = T::select(is_swapped, cosine, sine);
    let c = T::select(is_swapped, sine, cosine);
    let is_sine_negative = is_half_turn | quarter.equals(-T::ONE);
    let is_cosine_negative = is_half_turn | quarter.equals(T::ONE);
    let found = (
        T::select(is_sine_negative, -s, s),
        T::select(is_cosine_negative, -c, c),
    );
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let is_small = x.abs().at_most(number(LARGEST));
        if !is_small.all() {
            return replaced(!is_small, x, found);
        }
    }
    found
}

/// A large angle without its whole turns, as double precision tells them: right to 1e-6 up to 1e10, where states count as bad.
/// On a device, whose kernels have no stack for the exact reduction.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn without_turns<T: Real>(x: T) -> T {
    if x.abs().at_most(T::from_f64(LARGEST)).all() {
        return x;
    }
    let (large, mut small) = (x.lane(0), x);
    let turns = (large * TURN[0]) as i64 as f64;
    small.set_lane(0, (large - turns * TURN[1]) - turns * TURN[2]);
    small
}

/// 1/2π, and 2π in two parts, the first of 33 bits.
#[cfg(target_arch = "nvptx64")]
const TURN: [f64; 3] = [
    0.5 * core::f64::consts::FRAC_1_PI,
    4.0 * crate::sine::HALF_PI[0],
    4.0 * crate::sine::HALF_PI[1],
];

/// The nearest whole number, for sizes below 2²².
#[inline(always)]
fn nearest<T: Real>(x: T) -> T {
    let rounder = T::from_f64(ROUNDER);
    (x + rounder) - rounder
}

/// Sine and cosine by double precision in the lanes of the mask.
#[cfg(not(target_arch = "nvptx64"))]
#[cold]
#[inline(never)]
fn replaced<T: Real>(mask: T::Mask, x: T, mut found: (T, T)) -> (T, T) {
    for lane in (0..T::LANES).filter(|&lane| mask.lane(lane)) {
        let (sine, cosine) = crate::sine::sin_cos(x.lane(lane));
        found.0.set_lane(lane, sine);
        found.1.set_lane(lane, cosine);
    }
    found
}
