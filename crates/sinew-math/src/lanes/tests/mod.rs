//! Every lane of every pack against single numbers, in the portable form and in registers.

mod algebra;
mod matrices;
mod operations;
mod sines;

extern crate std;
use super::*;
use crate::real::Scalar;
use crate::test_random::Random;
use core::marker::PhantomData;
use std::vec::Vec;

/// Something computed from numbers, the same for one world and for many.
trait Formula {
    /// Numbers it takes.
    const INPUTS: usize;
    /// Computes the results.
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>);
}

/// Checks a formula on many inputs: `worlds` has [`Formula::INPUTS`] numbers for each world. Arrays
/// differ only in their length, so that two of them are enough.
fn check<F: Formula>(worlds: &[f64]) {
    let double = Compare::<F, f64>(worlds, PhantomData);
    let single = Compare::<F, f32>(worlds, PhantomData);
    portably::<Double4, _>(double);
    portably::<Single8, _>(single);
    // The processor may lack them; then there is nothing to check.
    let _ = registers::double4(double);
    let _ = registers::double8(double);
    let _ = registers::single8(single);
    let _ = registers::single16(single);
}

/// Compares the lanes of a number with single numbers of type `S`.
struct Compare<'a, F, S>(&'a [f64], PhantomData<(F, S)>);

impl<F, S> Clone for Compare<'_, F, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, S> Copy for Compare<'_, F, S> {}

impl<F: Formula, S: Scalar> Work for Compare<'_, F, S> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let (mut packed, mut packed_out) = (Vec::new(), Vec::new());
        let (mut alone, mut alone_out) = (Vec::new(), Vec::new());
        for worlds in self.0.chunks(F::INPUTS * T::LANES) {
            let count = worlds.len() / F::INPUTS;
            packed.clear();
            packed.resize(F::INPUTS, T::ZERO);
            for (lane, world) in worlds.chunks(F::INPUTS).enumerate() {
                for (pack, &x) in packed.iter_mut().zip(world) {
                    pack.set_lane(lane, x);
                }
            }
            packed_out.clear();
            F::apply(&packed, &mut packed_out);
            for lane in 0..count {
                alone.clear();
                alone.extend(packed.iter().map(|pack| S::from_f64(pack.lane(lane))));
                alone_out.clear();
                F::apply(&alone, &mut alone_out);
                for (k, (pack, &expected)) in packed_out.iter().zip(&alone_out).enumerate() {
                    let (found, expected) = (pack.lane(lane), expected.to_f64());
                    assert!(
                        is_same(found, expected),
                        "result {k} of {alone:?} in lane {lane} of {}: {found:?} {expected:?}",
                        T::LANES
                    );
                }
            }
        }
    }
}

/// Equal to the bit, or both not a number.
fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Zeros, subnormal numbers, limits, infinities, not a number.
const SPECIAL: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.0,
    1e-15,
    1e-300,
    -1e-300,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    1e-40,
    f64::MAX,
    f64::MIN,
    1e38,
    f64::EPSILON,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Random numbers: of every size, ordinary ones, special ones.
fn any_number(random: &mut Random) -> f64 {
    match random.bits() % 4 {
        0 => f64::from_bits(random.bits()),
        1 => SPECIAL[random.bits() as usize % SPECIAL.len()],
        _ => random.normal(),
    }
}
