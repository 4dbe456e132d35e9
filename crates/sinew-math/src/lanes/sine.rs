//! Sine and cosine of double precision in every lane.
//!
//! The operations of [`crate::sine`] in the same order: what is a branch there is a selection here,
//! both series are always summed, and quarter turns are counted in whole numbers of double precision.
//! Packs with an argument that is left to `libm` go lane by lane.

use super::pack::Pack;
use super::register::DoubleRegister;
use crate::mask::Mask;
use crate::real::Real;
use crate::sine::{self, HALF_PI, LARGEST, SMALLEST, TABLE, UNREDUCED};

/// sin x and cos x, each lane equal to [`sine::sin_cos`].
#[inline(always)]
pub fn sin_cos<R: DoubleRegister>(x: Pack<R>) -> (Pack<R>, Pack<R>) {
    let number = Pack::<R>::from_f64;
    let (zero, one, two) = (Pack::<R>::ZERO, Pack::<R>::ONE, number(2.0));
    let size = x.abs();
    if !size.at_most(number(LARGEST)).all() {
        return by_lane(x);
    }

    // x − count · π/2, where there is something to take away.
    let (mut high, mut low, mut count) = (x, zero, zero);
    let is_reduced = size.less(number(UNREDUCED));
    if !is_reduced.all() {
        let half = Pack::select(x.less(zero), number(-0.5), number(0.5));
        let whole = truncate(x * number(core::f64::consts::FRAC_2_PI) + half);
        let (first, first_error) = two_sum(x, -whole * number(HALF_PI[0]));
        let (second, second_error) = two_sum(first, -whole * number(HALF_PI[1]));
        let rest = (first_error + second_error) - whole * number(HALF_PI[2]);
        let (sum, error) = two_sum(second, rest);
        high = Pack::select(is_reduced, x, sum);
        low = Pack::select(is_reduced, zero, error);
        count = Pack::select(is_reduced, zero, whole);
    }

    // Sine and cosine of the rest's size.
    let is_negative = high.less(zero);
    let low = Pack::select(is_negative, -low, low);
    let high = high.abs();
    let index = truncate(high * number(64.0) + number(0.5));
    let [s, s_low, c, c_low] = index.0.rows(&TABLE);
    let [s, s_low, c, c_low] = [Pack(s), Pack(s_low), Pack(c), Pack(c_low)];
    let d = high - index * number(1.0 / 64.0);
    let sine = combine(d, low, [s, s_low], [c, c_low]);
    let mut sine = Pack::select(is_negative, -sine, sine);
    let mut cosine = combine(d, low, [c, c_low], [-s, -s_low]);

    // Quarter turns: swap for odd ones, then the signs.
    if !is_reduced.all() {
        let four = number(4.0);
        let remainder = count - four * truncate(count * number(0.25));
        let quarter = Pack::select(remainder.less(zero), remainder + four, remainder);
        let is_first = quarter.equals(one);
        let is_second = quarter.equals(two);
        let is_swapped = is_first | quarter.greater(two);
        (sine, cosine) = (
            Pack::select(is_swapped, cosine, sine),
            Pack::select(is_swapped, sine, cosine),
        );
        sine = Pack::select(quarter.at_least(two), -sine, sine);
        cosine = Pack::select(is_first | is_second, -cosine, cosine);
    }
    let is_tiny = size.at_most(number(SMALLEST));
    (
        Pack::select(is_tiny, x, sine),
        Pack::select(is_tiny, one, cosine),
    )
}

/// Argument by argument.
#[cold]
#[inline(never)]
fn by_lane<R: DoubleRegister>(x: Pack<R>) -> (Pack<R>, Pack<R>) {
    let (mut sine, mut cosine) = (x.to_array(), x.to_array());
    for (s, c) in sine.as_mut().iter_mut().zip(cosine.as_mut()) {
        (*s, *c) = sine::sin_cos(*s);
    }
    (Pack::from_array(sine), Pack::from_array(cosine))
}

/// As in [`crate::sine`], with the sum taken at once.
#[inline(always)]
fn combine<R: DoubleRegister>(
    d: Pack<R>,
    low: Pack<R>,
    [value, value_low]: [Pack<R>; 2],
    [slope, slope_low]: [Pack<R>; 2],
) -> Pack<R> {
    let number = Pack::<R>::from_f64;
    let z = d * d;
    let sine_rest =
        d * z * (number(-1.0 / 6.0) + z * (number(1.0 / 120.0) + z * number(-1.0 / 5040.0)));
    let cosine_rest = z * (number(-0.5) + z * (number(1.0 / 24.0) + z * number(-1.0 / 720.0)));
    let (slope_top, d_top) = (top(slope), top(d));
    let (sum, error) = two_sum(value, slope_top * d_top);
    let product_rest = slope * (d - d_top) + (slope - slope_top) * d_top + slope_low * d;
    let bracket = value * (cosine_rest - d * low) + slope * (sine_rest + low);
    sum + (error + (value_low + (product_rest + bracket)))
}

#[inline(always)]
fn two_sum<R: DoubleRegister>(a: Pack<R>, b: Pack<R>) -> (Pack<R>, Pack<R>) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

#[inline(always)]
fn truncate<R: DoubleRegister>(x: Pack<R>) -> Pack<R> {
    Pack(x.0.truncate())
}

#[inline(always)]
fn top<R: DoubleRegister>(x: Pack<R>) -> Pack<R> {
    Pack(x.0.top())
}
