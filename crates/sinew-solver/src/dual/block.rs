//! The rows of one contact together: their block of A, and what an update of their forces gains.

use super::projection::Projection;
use crate::problem::ConeShape;
use crate::qcqp;
use sinew_math::MIN_VALUE;
use sinew_math::dense::dot;

/// The n × n block of A + R on the diagonal from row `start` on.
pub(super) fn diagonal(projection: &Projection, start: usize, n: usize) -> [f64; 36] {
    let mut out = [0.0; 36];
    for i in 0..n {
        for j in 0..n {
            out[i * n + j] = projection.entry(start + i, start + j);
        }
    }
    out
}

/// [`diagonal`] of A, with the diagonal kept above 1e-10.
pub(super) fn diagonal_without_regularisation(
    projection: &Projection,
    R: &[f64],
    start: usize,
    n: usize,
) -> [f64; 36] {
    let mut out = diagonal(projection, start, n);
    for i in 0..n {
        out[i * n + i] = (out[i * n + i] - R[start + i]).max(1e-10);
    }
    out
}

/// A cost change above this counts as a rise.
pub(super) const MOST_RISE: f64 = 1e-10;

/// Cost change of a block update; an update that raises the cost is taken back.
pub(super) fn accept(a: &[f64], force: &mut [f64], old: &[f64], gradient: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    for i in 0..n {
        delta[i] = force[i] - old[i];
    }
    let delta = &delta[..n];
    let change = 0.5 * quadratic(a, delta) + dot(delta, gradient);
    if change > MOST_RISE {
        force.copy_from_slice(old);
        return 0.0;
    }
    change
}

/// xᵀAx
fn quadratic(a: &[f64], x: &[f64]) -> f64 {
    let n = x.len();
    let mut sum = 0.0;
    for i in 0..n {
        sum += x[i] * dot(&a[i * n..(i + 1) * n], x);
    }
    sum
}

/// Friction of one contact with the normal force `f[0]` held: the bounded quadratic minimum, put
/// exactly onto the cone where the bound is active.
pub(super) fn solve_friction(a: &[f64], b: &[f64], shape: &ConeShape, f: &mut [f64]) {
    let (n, friction) = (f.len() - 1, &shape[1..]);
    if f[0] < MIN_VALUE {
        f[1..].fill(0.0);
        return;
    }
    let (mut x, is_bounded) = qcqp::minimise(a, b, friction, f[0], n);
    if is_bounded {
        let mut sum = 0.0;
        for j in 0..n {
            sum += x[j] * x[j] / (friction[j] * friction[j]);
        }
        let scale = (f[0] * f[0] / sum.max(MIN_VALUE)).sqrt();
        for value in &mut x[..n] {
            *value *= scale;
        }
    }
    f[1..].copy_from_slice(&x[..n]);
}
