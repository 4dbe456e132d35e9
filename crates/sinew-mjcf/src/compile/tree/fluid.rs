//! Fluid interaction of a geom: the added mass and inertia of the ellipsoid it is taken for.
//!
//! κ_x = ∫₀^∞ abc / ((a² + λ)^(3/2) √((b² + λ)(c² + λ))) dλ is integrated by 15-point
//! Gauss–Kronrod quadrature after the substitution λ = s x³ / (1 − x)², s = (a³ b c)^(2/5); the
//! nodes below are x³ / (1 − x)² and its derivative. Conforms to `mjCGeom::SetFluidCoefs`.

use super::shape::larger;
use crate::compile::pose::EPSILON;
use core::f64::consts::PI;
use sinew_model::kinds::GeomType;

const WEIGHT: [f64; 15] = [
    0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107,
    0.10221647, 0.09517529, 0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766,
];

const NODE: [f64; 15] = [
    7.865151709349917e-08,
    1.7347976913907274e-05,
    0.0003548008144506193,
    0.002846636252924549,
    0.014094260903596077,
    0.053063261727396636,
    0.17041978741317773,
    0.5,
    1.4036301548686991,
    3.9353484827022642,
    11.644841677041734,
    39.53187807410903,
    177.5711362220801,
    1429.4772912937397,
    54087.416549217705,
];

const SLOPE: [f64; 15] = [
    5.538677720489877e-05,
    0.002080868285293228,
    0.016514126520723166,
    0.07261900344370877,
    0.23985243401862602,
    0.6868318249020725,
    1.8551129519182894,
    5.0,
    14.060031152313941,
    43.28941239611009,
    156.58546376397112,
    747.9826085305024,
    5827.4042950027115,
    116754.0197944512,
    25482945.327264845,
];

/// The fluid parameters of a geom: a flag, five coefficients, virtual mass and virtual inertia.
pub fn parameters(kind: GeomType, size: [f64; 3], coefficients: [f64; 5]) -> [f64; 12] {
    let [s0, s1, _] = size;
    let [a, b, c] = match kind {
        GeomType::Sphere => [s0, s0, s0],
        GeomType::Capsule => [s0, s0, s1 + s0],
        GeomType::Cylinder => [s0, s0, s1],
        _ => size,
    };
    let volume = 4.0 / 3.0 * PI * a * b * c;
    let kx = kappa(a, b, c);
    let ky = kappa(b, c, a);
    let kz = kappa(c, a, b);
    let mass = |k: f64| volume * k / larger(EPSILON, 2.0 - k);
    let inertia = |p: f64, q: f64, kp: f64, kq: f64| {
        let (p2, q2) = (p * p, q * q);
        let difference = p2 - q2;
        let factor = difference * difference * (kq - kp).abs()
            / larger(EPSILON, (2.0 * (p2 - q2) + (p2 + q2) * (kp - kq)).abs());
        volume * factor / 5.0
    };
    let [c0, c1, c2, c3, c4] = coefficients;
    [
        1.0,
        c0,
        c1,
        c2,
        c3,
        c4,
        mass(kx),
        mass(ky),
        mass(kz),
        inertia(b, c, ky, kz),
        inertia(c, a, kz, kx),
        inertia(a, b, kx, ky),
    ]
}

/// The integral above, symmetric in its last two arguments.
fn kappa(a: f64, b: f64, c: f64) -> f64 {
    let (a2, b2, c2) = (1.0 / (a * a), 1.0 / (b * b), 1.0 / (c * c));
    let scale = libm::pow(a * a * a * b * c, 0.4);
    let mut sum = 0.0;
    for i in 0..15 {
        let lambda = scale * NODE[i];
        let denominator = (1.0 + lambda * a2)
            * ((1.0 + lambda * a2) * (1.0 + lambda * b2) * (1.0 + lambda * c2)).sqrt();
        sum += scale * SLOPE[i] / denominator * WEIGHT[i];
    }
    sum * a2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_gauss_kronrod_after_the_substitution() {
        assert_eq!((NODE[7], SLOPE[7]), (0.5, 5.0));
        let sum: f64 = WEIGHT.iter().sum();
        assert!((sum - 1.00000001).abs() < 1e-12);
        let half = [
            0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638, 0.29707742, 0.39610752, 0.5,
        ];
        for (i, node) in NODE.iter().enumerate() {
            let x = if i < 8 { half[i] } else { 1.0 - half[14 - i] };
            let y = 1.0 - x;
            let expected = [x * x * x / (y * y), x * x * (3.0 - x) / (y * y * y)];
            assert!((node / expected[0] - 1.0).abs() < 1e-12, "{i}");
            assert!((SLOPE[i] / expected[1] - 1.0).abs() < 1e-12, "{i}");
            assert_eq!(WEIGHT[i], WEIGHT[14 - i]);
        }
    }

    #[test]
    fn the_integral_has_the_reference_values() {
        for (axes, expected) in [
            ([1.0, 1.0, 1.0], 0.666666404877494),
            ([1.0, 1.0, 3.0], 0.891290708168717),
            ([3.0, 1.0, 1.0], 0.217418921632246),
            ([3.0, 3.0, 1.0], 0.364611121028011),
            ([1.0, 3.0, 3.0], 1.270777722607698),
            ([1.0, 2.0, 3.0], 1.153090603046138),
        ] {
            let [a, b, c] = axes;
            assert!((kappa(a, b, c) - expected).abs() < 1e-14, "{axes:?}");
        }
    }

    #[test]
    fn shapes_stand_for_ellipsoids() {
        let of = |kind, size| parameters(kind, size, [0.0; 5]);
        let same = |kind, size, axes| assert_eq!(of(kind, size), of(GeomType::Ellipsoid, axes));
        same(GeomType::Sphere, [0.1, 7.0, 7.0], [0.1, 0.1, 0.1]);
        same(GeomType::Capsule, [0.1, 0.3, 7.0], [0.1, 0.1, 0.4]);
        same(GeomType::Cylinder, [0.1, 0.3, 7.0], [0.1, 0.1, 0.3]);
        same(GeomType::Box, [0.1, 0.2, 0.3], [0.1, 0.2, 0.3]);
        same(GeomType::Mesh, [0.1, 0.2, 0.3], [0.1, 0.2, 0.3]);
    }
}
