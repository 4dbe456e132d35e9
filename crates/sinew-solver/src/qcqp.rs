//! Minimise ½xᵀAx + bᵀx subject to Σ(x_i/d_i)² ≤ r², for the friction part of one contact.
//!
//! Scaling by d turns the bound into a sphere. If the free minimum lies outside it, the multiplier
//! λ with ‖(A + λI)⁻¹b‖ = r is found by Newton's method; the norm decreases with λ, so starting
//! from 0 it is approached from below.

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
    // The reference tests definiteness of 2×2 and 3×3 matrices by their determinant.
    let is_definite = |shifted: &[f64]| match n {
        2 => shifted[0] * shifted[3] - shifted[1] * shifted[1] >= TINY,
        3 => determinant3(shifted) >= TINY,
        _ => true,
    };

    let mut lambda = 0.0;
    let mut x = [0.0; 5];
    for _ in 0..MOST_ITERATIONS {
        let mut factor = scaled;
        for i in 0..n {
            factor[i * n + i] += lambda;
        }
        let minimum = if n <= 3 { f64::MIN_POSITIVE } else { TINY };
        if !is_definite(&factor) || cholesky_factor(&mut factor[..n * n], n, minimum) < n {
            return ([0.0; 5], false);
        }
        for i in 0..n {
            x[i] = -right[i];
        }
        cholesky_solve(&factor[..n * n], &mut x[..n]);
        let excess = dot(&x[..n], &x[..n]) - r * r;
        if excess < TINY {
            break;
        }
        let mut y = x;
        cholesky_solve(&factor[..n * n], &mut y[..n]);
        let slope = -2.0 * dot(&x[..n], &y[..n]);
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

fn determinant3(a: &[f64]) -> f64 {
    let p11 = a[4] * a[8] - a[5] * a[5];
    let p12 = a[2] * a[5] - a[1] * a[8];
    let p13 = a[1] * a[5] - a[2] * a[4];
    a[0] * p11 + a[1] * p12 + a[2] * p13
}
