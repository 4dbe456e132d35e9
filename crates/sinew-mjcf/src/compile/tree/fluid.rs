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
