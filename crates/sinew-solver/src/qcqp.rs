//! Minimise ½xᵀAx + bᵀx subject to Σ(x_i/d_i)² ≤ r², for the friction part of one contact.
//!
//! Scaling by d turns the bound into a sphere. If the free minimum lies outside it, the multiplier
//! λ with ‖(A + λI)⁻¹b‖ = r is found by Newton's method; the norm decreases with λ, so starting
//! from 0 it is approached from below. Two and three unknowns have closed forms.

use sinew_math::dense::{cholesky_factor, cholesky_solve, dot};

const MOST_ITERATIONS: usize = 20;
const TINY: f64 = 1e-10;

/// Solves for `n` ≤ 5 unknowns; `a` is n × n. Returns the minimum and whether the bound is active.
/// A matrix that is not positive definite gives zero.
#[doc(alias = "mju_QCQP")]
pub(crate) fn minimise(a: &[f64], b: &[f64], d: &[f64], r: f64, n: usize) -> ([f64; 5], bool) {
    let mut scaled = [0.0; 25];
    let mut right = [0.0; 5];
    for i in 0..n {
        right[i] = b[i] * d[i];
        for j in 0..n {
            scaled[i * n + j] = a[i * n + j] * d[i] * d[j];
        }
    }

    let mut lambda = 0.0;
    let mut x = [0.0; 5];
    for _ in 0..MOST_ITERATIONS {
        let mut shifted = scaled;
        for i in 0..n {
            shifted[i * n + i] += lambda;
        }
        let found = match n {
            2 => point2(&shifted, &right, &mut x),
            3 => point3(&shifted, &right, &mut x),
            _ => point(&mut shifted[..n * n], &right[..n], &mut x[..n]),
        };
        let Some((square, slope)) = found else {
            return ([0.0; 5], false);
        };
        let excess = square - r * r;
        if excess < TINY {
            break;
        }
        let step = -excess / slope;
        if step < TINY {
            break;
        }
        lambda += step;
    }
    for i in 0..n {
        x[i] *= d[i];
    }
    (x, lambda != 0.0)
}

/// x = −A⁻¹b; returns its squared length and the slope of that along λ. `None`: not definite.
fn point2(a: &[f64], b: &[f64], x: &mut [f64]) -> Option<(f64, f64)> {
    let determinant = a[0] * a[3] - a[1] * a[1];
    if determinant < TINY {
        return None;
    }
    let inverse = 1.0 / determinant;
    let (p11, p22, p12) = (a[3] * inverse, a[0] * inverse, -a[1] * inverse);
    let u = -p11 * b[0] - p12 * b[1];
    let v = -p12 * b[0] - p22 * b[1];
    (x[0], x[1]) = (u, v);
    let slope = -2.0 * (p11 * u * u + 2.0 * p12 * u * v + p22 * v * v);
    Some((u * u + v * v, slope))
}

/// [`point2`] for three unknowns.
fn point3(a: &[f64], b: &[f64], x: &mut [f64]) -> Option<(f64, f64)> {
    let [a11, a12, a13, a22, a23, a33] = [a[0], a[1], a[2], a[4], a[5], a[8]];
    let mut p = [
        a22 * a33 - a23 * a23,
        a11 * a33 - a13 * a13,
        a11 * a22 - a12 * a12,
        a13 * a23 - a12 * a33,
        a12 * a23 - a13 * a22,
        a12 * a13 - a23 * a11,
    ];
    let determinant = a11 * p[0] + a12 * p[3] + a13 * p[4];
    if determinant < TINY {
        return None;
    }
    let inverse = 1.0 / determinant;
    p = p.map(|cofactor| cofactor * inverse);
    let [p11, p22, p33, p12, p13, p23] = p;
    let u = -p11 * b[0] - p12 * b[1] - p13 * b[2];
    let v = -p12 * b[0] - p22 * b[1] - p23 * b[2];
    let w = -p13 * b[0] - p23 * b[1] - p33 * b[2];
    (x[0], x[1], x[2]) = (u, v, w);
    let slope = -2.0 * (p11 * u * u + p22 * v * v + p33 * w * w)
        - 4.0 * (p12 * u * v + p13 * u * w + p23 * v * w);
    Some((u * u + v * v + w * w, slope))
}

/// [`point2`] for any number of unknowns; `a` is replaced by its factor.
fn point(a: &mut [f64], b: &[f64], x: &mut [f64]) -> Option<(f64, f64)> {
    let n = b.len();
    if cholesky_factor(a, n, TINY) < n {
        return None;
    }
    for i in 0..n {
        x[i] = -b[i];
    }
    cholesky_solve(a, x);
    let mut y = [0.0; 5];
    y[..n].copy_from_slice(x);
    cholesky_solve(a, &mut y[..n]);
    Some((dot(x, x), -2.0 * dot(x, &y[..n])))
}
