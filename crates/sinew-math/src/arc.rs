//! Arc tangent, arc sine and arc cosine, rounded correctly for all but a few arguments in a thousand.
//!
//! `libm` gives an angle θ that is right to about one unit in the last place. With sine and cosine
//! of θ known to some seventy bits, one step of Newton's method tells how far θ is off:
//!
//! ```text
//! atan2(y, x) ≈ θ + (y cos θ − x sin θ) / (x cos θ + y sin θ)
//! asin x      ≈ θ + (x − sin θ) / cos θ
//! acos x      ≈ θ + (cos θ − x) / sin θ
//! ```
//!
//! Why: orientations in models are written as angles and directions, and what they become decides
//! the last bits of poses, of principal axes and of ties between features in collision.

use crate::sine::{pairs, top, two_sum};

/// Points nearer to the axes or farther out than this are left to `libm`.
const ORDINARY: core::ops::Range<f64> = 1e-100..1e100;

/// Angle of the point (x, y) in radians.
pub fn atan2(y: f64, x: f64) -> f64 {
    let guess = libm::atan2(y, x);
    let (x_size, y_size) = (f64::abs(x), f64::abs(y));
    if !ORDINARY.contains(&x_size) || !ORDINARY.contains(&y_size) {
        return guess;
    }
    let (sine, cosine) = pairs(guess);
    let [first, first_rest] = product(y, cosine.0);
    let [second, second_rest] = product(x, sine.0);
    let (across, rest) = two_sum(first, -second);
    let across = across + (rest + (first_rest - second_rest) + (y * cosine.1 - x * sine.1));
    guess + across / (x * cosine.0 + y * sine.0)
}

/// Arc sine in radians.
pub fn asin(x: f64) -> f64 {
    let guess = libm::asin(x);
    let (sine, cosine) = pairs(guess);
    let correction = ((x - sine.0) - sine.1) / cosine.0;
    if is_small(correction) {
        guess + correction
    } else {
        guess
    }
}

/// Arc cosine in radians.
pub fn acos(x: f64) -> f64 {
    let guess = libm::acos(x);
    let (sine, cosine) = pairs(guess);
    let correction = ((cosine.0 - x) + cosine.1) / sine.0;
    if is_small(correction) {
        guess + correction
    } else {
        guess
    }
}

/// Whether a correction is one of rounding; near ±1 and outside [−1, 1] the quotient is worthless.
fn is_small(correction: f64) -> bool {
    f64::abs(correction) < 1e-15
}

/// a · b exactly, as a product and its rounding error.
pub(crate) fn product(a: f64, b: f64) -> [f64; 2] {
    let (a_top, b_top) = (top(a), top(b));
    let (a_rest, b_rest) = (a - a_top, b - b_top);
    let value = a * b;
    let error = ((a_top * b_top - value) + a_top * b_rest + a_rest * b_top) + a_rest * b_rest;
    [value, error]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y, x, atan2(y, x); z, asin z, acos z: correctly rounded from 300-bit arithmetic.
    #[rustfmt::skip]
    const CASES: &[(f64, f64, f64, f64, f64, f64)] = &[
        (-0.00027843065219752854, -0.0002527120476023115, -2.3078110092180246, -0.8669698086408202, -1.0490894618241542, 2.619885788619051),
        (-52.45055065574367, 13.644066283980326, -1.3163046368177174, -0.5561436486193647, -0.5897384226485716, 2.1605347494434683),
        (0.0006342170650723808, -0.000362498414631245, 2.090047821930277, -0.571199134842167, -0.6079660276324665, 2.1787623544273633),
        (54.2477462106744, 24.592980079403983, 1.1451636367576878, -0.6131287639615199, -0.6600150787024391, 2.230811405497336),
        (-0.9310127741105261, 44.551193302570894, -0.02089455328228296, 0.7601015027223987, 0.8634693057978783, 0.7073270209970184),
        (-1.439591940953877, 0.11953095927275403, -1.487955212140819, -0.6444196515184311, -0.7002640894440165, 2.271060416238913),
        (-2.229752109988123e-05, 99.42538488782704, -2.2426386505857833e-07, 0.09527773917410776, 0.09542248404358301, 1.4753738427513137),
        (-91.96404651478866, 21.7165110789166, -1.3389030550740018, 0.6960881764472693, 0.769934447715529, 0.8008618790793677),
        (0.001322820714522594, 0.0205864837286803, 0.0641685397639646, -0.677358787756783, -0.7441663756176764, 2.314962702412573),
        (-19.009129275125115, -0.000192740734025536, -1.5708064661722048, 0.2527014910798069, 0.2554713524688063, 1.3153249743260904),
        (-0.2426326319811283, -0.0014445096082776206, -1.5767497409356799, 0.9945577483442247, 1.4664201304395137, 0.10437619635538296),
        (-0.047214462855172425, -1.5955951187553157, -3.1120107820732157, -0.44739033008063367, -0.4638452140322121, 2.0346415408271086),
        (-4.880916610509442, -0.2913321978898216, -1.6304136049426883, 0.8086302030613155, 0.9418200450787331, 0.6289762817161635),
        (-0.00021542542833423821, -12.31244080785123, -3.1415751570241914, 0.23086415025739426, 0.23296573196428547, 1.337830594830611),
        (-0.010908506335567824, -0.10535072369875867, -3.038415668608167, -0.9143776244359607, -1.15396799011791, 2.7247643169128066),
        (73.7282055563257, 12.674666905421738, 1.4005497329402752, 0.9197351832259022, 1.167405326467156, 0.40339100032774067),
        (-0.010159756778319165, 24.894204687494824, -0.0004081173245656603, -0.179144637862249, -0.18011695522567336, 1.75091328202057),
        (1.955731471722125, 0.007198305543685356, 1.5671157228147707, -0.6171695903825214, -0.6651403753694618, 2.2359367021643584),
    ];

    #[test]
    fn values_are_rounded_correctly() {
        for &(y, x, angle, z, sine, cosine) in CASES {
            assert_eq!(atan2(y, x), angle, "atan2 {y:?} {x:?}");
            assert_eq!(asin(z), sine, "asin {z:?}");
            assert_eq!(acos(z), cosine, "acos {z:?}");
        }
    }

    #[test]
    fn close_to_another_implementation_everywhere() {
        for i in -2000..=2000 {
            let x = f64::from(i) / 2000.0;
            assert!((asin(x) - libm::asin(x)).abs() < 5e-16, "asin {x:?}");
            assert!((acos(x) - libm::acos(x)).abs() < 1e-15, "acos {x:?}");
            assert!(
                (atan2(x, 0.3) - libm::atan2(x, 0.3)).abs() < 5e-16,
                "atan2 {x:?}"
            );
            assert!(
                (atan2(0.3, x) - libm::atan2(0.3, x)).abs() < 1e-15,
                "atan2 {x:?}"
            );
        }
    }

    #[test]
    fn special_arguments() {
        use core::f64::consts::{FRAC_PI_2, PI};
        assert_eq!(atan2(0.0, -1.0), PI);
        assert_eq!(atan2(-0.0, 1.0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(atan2(1.0, 0.0), FRAC_PI_2);
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(f64::INFINITY, 1.0), FRAC_PI_2);
        assert!(atan2(f64::NAN, 1.0).is_nan());
        assert_eq!(
            [asin(0.0), asin(1.0), asin(-1.0)],
            [0.0, FRAC_PI_2, -FRAC_PI_2]
        );
        assert_eq!([acos(0.0), acos(1.0), acos(-1.0)], [FRAC_PI_2, 0.0, PI]);
        assert!(asin(1.5).is_nan() && acos(-1.5).is_nan() && acos(f64::NAN).is_nan());
    }
}
