//! Arc tangent, arc sine and arc cosine, rounded correctly for all but a few arguments in a hundred
//! thousand.
//!
//! All three are the angle of a point, turned into the octant 0 ≤ y ≤ x. With k the multiple of 1/64
//! nearest to y/x,
//!
//! ```text
//! atan(y/x) = atan k + atan v,   v = (y − k x) / (x + k y),   |v| ≤ 1/128
//! ```
//!
//! where atan k comes from a table with twice the usual precision, v is known to as much, and the
//! other terms of its series are so small that their rounding does not show. The other side of the
//! triangle of an arc sine or cosine, √(1 − x²), is carried with twice the precision as well.
//!
//! Why: orientations in models are written as angles and directions, and what they become decides
//! the last bits of poses, of principal axes and of ties between features in collision.

use crate::real::Real;
use crate::sine::{Pair, minus, sum, top, two_sum};

/// Points nearer to the axes or farther out than this are left to `libm`.
const ORDINARY: core::ops::Range<f64> = 1e-100..1e100;

/// π/2 and what rounding it left out.
pub(crate) const HALF_PI: Pair = (core::f64::consts::FRAC_PI_2, 6.123233995736766e-17);
/// π and what rounding it left out.
const PI: Pair = (core::f64::consts::PI, 2.0 * HALF_PI.1);

/// Angle of the point (x, y) in radians.
pub fn atan2(y: f64, x: f64) -> f64 {
    let (x_size, y_size) = (f64::abs(x), f64::abs(y));
    if !ORDINARY.contains(&x_size) || !ORDINARY.contains(&y_size) {
        return libm::atan2(y, x);
    }
    let angle = match (y_size <= x_size, x > 0.0) {
        (true, true) => sum(octant((y_size, 0.0), (x_size, 0.0))),
        (true, false) => difference(PI, octant((y_size, 0.0), (x_size, 0.0))),
        (false, true) => difference(HALF_PI, octant((x_size, 0.0), (y_size, 0.0))),
        (false, false) => difference(HALF_PI, minus(octant((x_size, 0.0), (y_size, 0.0)))),
    };
    f64::copysign(angle, y)
}

/// Arc sine in radians.
pub fn asin(x: f64) -> f64 {
    let size = f64::abs(x);
    if size.is_nan() || size >= 1.0 {
        return libm::asin(x);
    }
    let other = other_side(size);
    let angle = if size <= other.0 {
        sum(octant((size, 0.0), other))
    } else {
        difference(HALF_PI, octant(other, (size, 0.0)))
    };
    f64::copysign(angle, x)
}

/// Arc cosine in radians.
pub fn acos(x: f64) -> f64 {
    let size = f64::abs(x);
    if size.is_nan() || size >= 1.0 {
        return libm::acos(x);
    }
    let other = other_side(size);
    match (size <= other.0, x < 0.0) {
        (true, false) => difference(HALF_PI, octant((size, 0.0), other)),
        (true, true) => difference(HALF_PI, minus(octant((size, 0.0), other))),
        (false, false) => sum(octant(other, (size, 0.0))),
        (false, true) => difference(PI, octant(other, (size, 0.0))),
    }
}

/// a − b, rounded once.
#[inline]
fn difference(a: Pair, b: Pair) -> f64 {
    let (value, rest) = two_sum(a.0, -b.0);
    value + (rest + (a.1 - b.1))
}

/// √(1 − x²) of a number in [0, 1).
#[inline(always)]
fn other_side(x: f64) -> Pair {
    // 1 − x² = 2m − m² with m = 1 − x, which is exact where cancellation would hurt.
    let m = 1.0 - x;
    let (whole, side) = if x < 0.5 { (1.0, x) } else { (2.0 * m, m) };
    let side_top = top(side);
    let (square, first_error) = two_sum(whole, -side_top * side_top);
    let (square, second_error) = two_sum(square, -(side - side_top) * (side + side_top));
    let root = Real::sqrt(square);
    let root_top = top(root);
    let residual = (square - root_top * root_top) - (root - root_top) * (root + root_top);
    (
        root,
        (residual + (first_error + second_error)) * (0.5 / root),
    )
}

/// atan(y/x) for 0 ≤ y ≤ x.
#[inline(always)]
fn octant((y, y_low): Pair, (x, x_low): Pair) -> Pair {
    let index = (y / x * 64.0 + 0.5) as i32;
    let [angle, angle_low] = TABLE[(index as usize).min(TABLE.len() - 1)];
    let k = f64::from(index) * (1.0 / 64.0);

    // y − k x and x + k y. Products with the few bits of k are exact in two parts.
    let (x_top, y_top) = (top(x), top(y));
    let (over, over_error) = two_sum(y - k * x_top, -k * (x - x_top));
    let (under, under_error) = two_sum(x, k * y);
    let over_low = over_error + (y_low - k * x_low);
    let product_error = (k * y_top - k * y) + k * (y - y_top);
    let under_low = under_error + (product_error + (x_low + k * y_low));

    // Their quotient, and what is left of the numerator over the denominator.
    let inverse = 1.0 / under;
    let v = over * inverse;
    let (v_top, under_top) = (top(v), top(under));
    let left = (over - v_top * under_top) - v_top * (under - under_top) - (v - v_top) * under;
    let v_low = (left + (over_low - v * under_low)) * inverse;

    let z = v * v;
    let series = v * z * (-1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * (1.0 / 9.0))));
    let (value, rest) = two_sum(angle, v);
    (value, rest + (angle_low + (v_low + series)))
}

/// atan(i/64) and what rounding it left out.
#[rustfmt::skip]
#[expect(clippy::approx_constant, reason = "a table of angles")]
const TABLE: [[f64; 2]; 65] = [
    [0.0, 0.0],
    [0.015623728620476831, -4.913600136566304e-19],
    [0.031239833430268277, -1.188442711587748e-18],
    [0.046840712915969654, -1.655677442254952e-19],
    [0.06241880999595735, -1.5490756308295046e-18],
    [0.0779666338315423, 5.804551873143357e-18],
    [0.09347678115858947, -6.2844725995420954e-18],
    [0.10894195698986579, 6.8267122072409585e-18],
    [0.12435499454676144, -3.1253241424539383e-18],
    [0.13970887428916365, -2.9579864247315813e-18],
    [0.15499674192394097, 9.585415594114324e-18],
    [0.1702119252854744, -3.541164079802125e-18],
    [0.18534794999569476, 4.180692268843079e-18],
    [0.2003985538258785, 3.1399542871844493e-18],
    [0.21535769969773805, 4.738160130078733e-19],
    [0.23021958727684372, 1.2313404529142703e-17],
    [0.24497866312686414, 1.0698755618734451e-17],
    [0.2596296294082575, 1.9238754924615304e-17],
    [0.2741674511196588, 8.261353575163773e-18],
    [0.2885873618940774, -1.428369957377257e-17],
    [0.3028848683749714, -1.1010827903001369e-17],
    [0.31705575320914703, -1.893928924292642e-17],
    [0.3310960767041321, -7.952610375793799e-18],
    [0.34500217720710513, -2.2938804755578304e-17],
    [0.35877067027057225, -2.4623815582638635e-17],
    [0.3723984466767542, 1.9612311504845653e-17],
    [0.38588266939807375, 2.378822732491941e-17],
    [0.39922076957525254, 2.246598105617042e-17],
    [0.4124104415973873, -1.587652227770689e-17],
    [0.42544963737004227, 2.3315530741892885e-17],
    [0.43833655985795783, -2.494277030626541e-17],
    [0.4510696559885235, -2.2703795229420475e-17],
    [0.4636476090008061, 2.2698777452961687e-17],
    [0.4760693303227612, 1.4654487332256713e-17],
    [0.48833395105640554, -1.1373236189329585e-17],
    [0.5004408131472942, -4.7181675085518756e-17],
    [0.5123894603107377, -2.5462781472855804e-17],
    [0.5241796287829132, 5.520094119641666e-18],
    [0.5358112379604637, -4.0637956834825575e-18],
    [0.5472843809874369, 4.923709671396255e-17],
    [0.5585993153435624, -5.4556305485916264e-18],
    [0.5697564534829784, 1.2255062085054184e-17],
    [0.5807563535676704, -1.441464378193067e-17],
    [0.5915997103351114, 4.920495453686772e-17],
    [0.6022873461349642, 2.950430737228402e-17],
    [0.6128202021652414, -3.1552061848586226e-17],
    [0.6231993299340659, 2.672403885140095e-17],
    [0.6334258829691446, -2.7290767436015276e-17],
    [0.6435011087932844, 1.5834785051444286e-17],
    [0.6534263411807619, 3.5800634857340095e-17],
    [0.6632029927060933, -3.076054864429649e-17],
    [0.6728325475937632, -1.899315009714705e-17],
    [0.6823165548747481, 6.943223671560008e-18],
    [0.6916566218531999, -8.117151192285796e-18],
    [0.7008544078844502, -1.987626234335816e-17],
    [0.7099116184635249, -4.597166450584887e-17],
    [0.7188299996216245, -2.1478388444456983e-17],
    [0.7276113326265107, 2.569325697391839e-18],
    [0.7362574289814281, 3.473937648299457e-17],
    [0.7447701257160751, 3.708315849135547e-17],
    [0.7531512809621944, -2.4256934659182068e-17],
    [0.7614027698055784, 9.850030332752822e-18],
    [0.7695264804056583, -3.704991905602721e-17],
    [0.7775243103733478, -2.6676490951944502e-17],
    [0.7853981633974483, 3.061616997868383e-17],
];

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
