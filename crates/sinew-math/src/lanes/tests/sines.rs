use super::*;
use core::f64::consts::FRAC_PI_2;

struct SineAndCosine;

impl Formula for SineAndCosine {
    const INPUTS: usize = 1;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let (sine, cosine) = x[0].sin_cos();
        out.extend([sine, cosine]);
    }
}

/// A number and its neighbours, with both signs.
fn around(worlds: &mut Vec<f64>, x: f64) {
    for neighbour in -3..=3_i64 {
        let near = f64::from_bits(x.to_bits().wrapping_add_signed(neighbour));
        worlds.extend([near, -near]);
    }
}

#[test]
fn sines_are_those_of_single_numbers() {
    let mut random = Random::new(12);
    let mut worlds = SPECIAL.to_vec();
    // Where the reduction, the table or the method changes.
    for x in [1e-8, 0.785, 1e6, 8192.0, 2e6, 1e22] {
        around(&mut worlds, x);
    }
    for k in 0..4000 {
        around(&mut worlds, f64::from(k) * FRAC_PI_2);
        around(&mut worlds, f64::from(k) / 128.0);
    }
    // Ordinary angles, many turns, every size. Packs share lanes with all kinds.
    for range in [0.8, 4.0, 100.0, 1e6] {
        worlds.extend((0..700_000).map(|_| (2.0 * random.uniform() - 1.0) * range));
    }
    for _ in 0..200_000 {
        let size = libm::exp(-25.0 + 39.0 * random.uniform());
        worlds.extend([size, (2.0 * random.uniform() - 1.0) * 3.0]);
    }
    worlds.extend((0..100_000).map(|_| f64::from_bits(random.bits())));
    check::<SineAndCosine>(&worlds);
}

#[test]
fn single_precision_is_right_to_two_units_in_the_last_place() {
    let mut random = Random::new(13);
    for range in [0.01, 1.0, 10.0, 8192.0, 1e5] {
        for _ in 0..300_000 {
            let x = ((2.0 * random.uniform() - 1.0) * range) as f32;
            let (sine, cosine) = Real::sin_cos(x);
            let (expected_sine, expected_cosine) = crate::sine::sin_cos(f64::from(x));
            for (found, expected) in [(sine, expected_sine), (cosine, expected_cosine)] {
                // Near the zeros of the function the rest of the reduction is what counts.
                let size = (expected as f32).abs();
                let limit = (2.0 * f64::from(size.next_up() - size)).max(1e-10);
                let error = (f64::from(found) - expected).abs();
                assert!(error < limit, "{x:?}: {found:?} {expected:?}");
            }
        }
    }
    assert_eq!(Real::sin_cos(0.0_f32), (0.0, 1.0));
    assert!(Real::sin(f32::INFINITY).is_nan() && Real::cos(f32::NAN).is_nan());
}
