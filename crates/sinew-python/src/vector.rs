//! Vectors of any length, of 3 and of 4 numbers, and single numbers.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::functions;
use crate::array::{Fixed, Number, Numbers, Target, Vector};
use pyo3::prelude::*;
use sinew::math::{MIN_VALUE, Quat, Vec3, dense};

/// Numbers above this are too large for a state.
const MAX_VALUE: f64 = 1e10;

/// Writes what a function makes of each number.
fn map<T: Number, U: Number>(
    res: &Target<U>,
    vec: &Numbers<T>,
    call: impl Fn(T) -> U,
) -> PyResult<()> {
    let made: Vec<U> = vec.slice().iter().map(|&x| call(x)).collect();
    res.put(&made)
}

/// Writes what a function makes of each pair of numbers.
fn combine(
    res: &Target,
    vec1: &Numbers,
    vec2: &Numbers,
    call: impl Fn(f64, f64) -> f64,
) -> PyResult<()> {
    let first = vec1.slice();
    let second = vec2.exactly(first.len())?;
    let made: Vec<f64> = first
        .iter()
        .zip(second)
        .map(|(&x, &y)| call(x, y))
        .collect();
    res.put(&made)
}

/// Changes each number of an array by one of another.
fn update(res: &Target, vec: &Numbers, call: impl Fn(f64, f64) -> f64) -> PyResult<()> {
    let mut made = res.values()?;
    for (x, &y) in made.iter_mut().zip(vec.exactly(res.len())?) {
        *x = call(*x, y);
    }
    res.put(&made)
}

functions! {
    /// res = 0.
    fn mju_zero(res: Target) { res.put(&vec![0.0; res.len()]) }

    /// res = 0.
    fn mju_zero3(res: Fixed<3>) { res.put([0.0; 3]) }

    /// res = 0.
    fn mju_zero4(res: Fixed<4>) { res.put([0.0; 4]) }

    /// res = (1, 0, 0, 0).
    fn mju_unit4(res: Fixed<4>) { res.put(Quat::IDENTITY.0) }

    /// res = val, everywhere.
    fn mju_fill(res: Target, val: f64) { res.put(&vec![val; res.len()]) }

    /// res = vec.
    fn mju_copy(res: Target, vec: Numbers) { map(&res, &vec, |x: f64| x) }

    /// res = data.
    fn mju_copy3(res: Fixed<3>, data: Vector<3>) { res.put(data.0) }

    /// res = data.
    fn mju_copy4(res: Fixed<4>, data: Vector<4>) { res.put(data.0) }

    /// Copies numbers.
    fn mju_n2d(res: Target, vec: Numbers) { map(&res, &vec, |x: f64| x) }

    /// Copies numbers.
    fn mju_d2n(res: Target, vec: Numbers) { map(&res, &vec, |x: f64| x) }

    /// Copies numbers with single precision.
    fn mju_n2f(res: Target<f32>, vec: Numbers) { map(&res, &vec, |x: f64| x as f32) }

    /// Copies numbers of single precision.
    fn mju_f2n(res: Target, vec: Numbers<f32>) { map(&res, &vec, f64::from) }

    /// Sum of the numbers.
    fn mju_sum(vec: Numbers) -> f64 { Ok(vec.slice().iter().fold(0.0, |sum, x| sum + x)) }

    /// Sum of the absolute values.
    fn mju_L1(vec: Numbers) -> f64 { Ok(vec.slice().iter().fold(0.0, |sum, x| sum + x.abs())) }

    /// res = vec·scl.
    fn mju_scl(res: Target, vec: Numbers, scl: f64) { map(&res, &vec, |x: f64| x * scl) }

    /// res = vec·scl.
    fn mju_scl3(res: Fixed<3>, vec: Vector<3>, scl: f64) { res.put(vec.0.map(|x| x * scl)) }

    /// res = vec1 + vec2.
    fn mju_add(res: Target, vec1: Numbers, vec2: Numbers) { combine(&res, &vec1, &vec2, |x, y| x + y) }

    /// res = vec1 + vec2.
    fn mju_add3(res: Fixed<3>, vec1: Vector<3>, vec2: Vector<3>) { res.put((Vec3(vec1.0) + Vec3(vec2.0)).0) }

    /// res = vec1 − vec2.
    fn mju_sub(res: Target, vec1: Numbers, vec2: Numbers) { combine(&res, &vec1, &vec2, |x, y| x - y) }

    /// res = vec1 − vec2.
    fn mju_sub3(res: Fixed<3>, vec1: Vector<3>, vec2: Vector<3>) { res.put((Vec3(vec1.0) - Vec3(vec2.0)).0) }

    /// res += vec.
    fn mju_addTo(res: Target, vec: Numbers) { update(&res, &vec, |x, y| x + y) }

    /// res += vec.
    fn mju_addTo3(res: Fixed<3>, vec: Vector<3>) { res.put((Vec3(res.values()?) + Vec3(vec.0)).0) }

    /// res −= vec.
    fn mju_subFrom(res: Target, vec: Numbers) { update(&res, &vec, |x, y| x - y) }

    /// res −= vec.
    fn mju_subFrom3(res: Fixed<3>, vec: Vector<3>) { res.put((Vec3(res.values()?) - Vec3(vec.0)).0) }

    /// res += vec·scl.
    fn mju_addToScl(res: Target, vec: Numbers, scl: f64) { update(&res, &vec, |x, y| x + y * scl) }

    /// res += vec·scl.
    fn mju_addToScl3(res: Fixed<3>, vec: Vector<3>, scl: f64) {
        res.put(Vec3(res.values()?).add_scaled(Vec3(vec.0), scl).0)
    }

    /// res = vec1 + vec2·scl.
    fn mju_addScl(res: Target, vec1: Numbers, vec2: Numbers, scl: f64) {
        combine(&res, &vec1, &vec2, |x, y| x + y * scl)
    }

    /// res = vec1 + vec2·scl.
    fn mju_addScl3(res: Fixed<3>, vec1: Vector<3>, vec2: Vector<3>, scl: f64) {
        res.put(Vec3(vec1.0).add_scaled(Vec3(vec2.0), scl).0)
    }

    /// Scalar product.
    fn mju_dot(vec1: Numbers, vec2: Numbers) -> f64 {
        let first = vec1.slice();
        Ok(dense::dot(first, vec2.exactly(first.len())?))
    }

    /// Scalar product.
    fn mju_dot3(vec1: Vector<3>, vec2: Vector<3>) -> f64 { Ok(Vec3(vec1.0).dot(Vec3(vec2.0))) }

    /// Length of a vector.
    fn mju_norm(res: Numbers) -> f64 { Ok(dense::norm(res.slice())) }

    /// Length of a vector.
    fn mju_norm3(vec: Vector<3>) -> f64 { Ok(Vec3(vec.0).norm()) }

    /// Distance of two points.
    fn mju_dist3(pos1: Vector<3>, pos2: Vector<3>) -> f64 { Ok(Vec3(pos1.0).distance(Vec3(pos2.0))) }

    /// Makes a vector's length 1, in place; a vector of length 0 becomes (1, 0, …). Returns the length it had.
    fn mju_normalize(res: Target) -> f64 {
        let mut values = res.values()?;
        let length = dense::norm(&values);
        if length < MIN_VALUE {
            values.fill(0.0);
            values.iter_mut().take(1).for_each(|first| *first = 1.0);
        } else {
            let inverse = 1.0 / length;
            values.iter_mut().for_each(|x| *x *= inverse);
        }
        res.put(&values)?;
        Ok(length)
    }

    /// Makes a vector's length 1, in place. Returns the length it had.
    fn mju_normalize3(vec: Fixed<3>) -> f64 {
        let (unit, length) = Vec3(vec.values()?).normalize();
        vec.put(unit.0)?;
        Ok(length)
    }

    /// Makes a quaternion's length 1, in place. Returns the length it had.
    fn mju_normalize4(vec: Fixed<4>) -> f64 {
        let (unit, length) = Quat(vec.values()?).normalize();
        vec.put(unit.0)?;
        Ok(length)
    }

    /// res = a × b.
    fn mju_cross(res: Fixed<3>, a: Vector<3>, b: Vector<3>) { res.put(Vec3(a.0).cross(Vec3(b.0)).0) }

    /// 1 if every number is 0.
    fn mju_isZero(vec: Numbers) -> i64 { Ok(i64::from(vec.slice().iter().all(|&x| x == 0.0))) }

    /// Sorts numbers, in place.
    fn mju_insertionSort(list: Target) {
        let mut values = list.values()?;
        values.sort_by(f64::total_cmp);
        list.put(&values)
    }

    /// Sorts whole numbers, in place.
    fn mju_insertionSortInt(list: Target<i32>) {
        let mut values = list.values()?;
        values.sort_unstable();
        list.put(&values)
    }

    /// The smaller number.
    fn mju_min(a: f64, b: f64) -> f64 { Ok(if a <= b { a } else { b }) }

    /// The larger number.
    fn mju_max(a: f64, b: f64) -> f64 { Ok(if a >= b { a } else { b }) }

    /// x, within two bounds.
    fn mju_clip(x: f64, min: f64, max: f64) -> f64 {
        Ok(if x < min { min } else if x > max { max } else { x })
    }

    /// −1, 0 or 1.
    fn mju_sign(x: f64) -> f64 { Ok(f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))) }

    /// The nearest whole number.
    fn mju_round(x: f64) -> i64 {
        let (low, high) = (x.floor(), x.ceil());
        Ok(if x - low < high - x { low } else { high } as i64)
    }

    /// 1 if a number is not finite or too large.
    fn mju_isBad(x: f64) -> i64 { Ok(i64::from(!(-MAX_VALUE..=MAX_VALUE).contains(&x))) }

    /// An element of Halton's low-discrepancy sequence.
    fn mju_Halton(index: i64, base: i64) -> f64 {
        let (mut value, mut fraction, mut rest) = (0.0, 1.0 / base as f64, index);
        while rest > 0 && base > 1 {
            value += fraction * (rest % base) as f64;
            rest /= base;
            fraction /= base as f64;
        }
        Ok(value)
    }
}
