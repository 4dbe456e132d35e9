//! Cost, force and state of the rows for given residuals r = J·a − a_ref.
//!
//! | row | cost s(r) | force −∂s/∂r |
//! |---|---|---|
//! | equality | ½Dr² | −Dr |
//! | dry friction, bound η | ½Dr² for abs(r) < Rη, else η·abs(r) − ½Rη² | −Dr, else ∓η |
//! | limit, frictionless, pyramidal | ½Dr² for r < 0, else 0 | −Dr, else 0 |
//! | elliptic contact | by zone, below | |
//!
//! An elliptic contact is mapped to a circular cone by U₀ = μr₀, U_j = f_j r_j; with N = U₀ and
//! T = ‖U₁…‖ it is *satisfied* for N ≥ μT, *quadratic* (½ΣDr²) for μN + T ≤ 0, and between them
//! costs ½D_m(N − μT)², D_m = D₀/(μ²(1 + μ²)). Conforms to `mj_constraintUpdate`.

use crate::problem::{Cone, Problem, state};
use sinew_math::dense::norm;

/// Hessian of a contact in the cone state, dim × dim, row-major.
pub type ConeHessian = [f64; 36];

/// Fills `force` and `row_state`; returns the cost.
#[doc(alias = "mj_constraintUpdate")]
pub fn update(
    problem: &Problem<'_>,
    residual: &[f64],
    row_state: &mut [i32],
    force: &mut [f64],
) -> f64 {
    let (D, R, loss) = (problem.D, problem.R, problem.frictionloss);
    let mut cost = 0.0;
    let friction_start = problem.equality_count;
    let push_start = friction_start + problem.friction_count;

    for i in 0..friction_start {
        force[i] = -D[i] * residual[i];
        cost += 0.5 * D[i] * residual[i] * residual[i];
        row_state[i] = state::QUADRATIC;
    }
    for i in friction_start..push_start {
        let (r, bound) = (residual[i], R[i] * loss[i]);
        if r <= -bound {
            cost += -0.5 * R[i] * loss[i] * loss[i] - loss[i] * r;
            force[i] = loss[i];
            row_state[i] = state::LINEAR_NEGATIVE;
        } else if r >= bound {
            cost += -0.5 * R[i] * loss[i] * loss[i] + loss[i] * r;
            force[i] = -loss[i];
            row_state[i] = state::LINEAR_POSITIVE;
        } else {
            cost += 0.5 * D[i] * r * r;
            force[i] = -D[i] * r;
            row_state[i] = state::QUADRATIC;
        }
    }
    let mut i = push_start;
    for cone in problem.cones {
        pushing(D, residual, i..cone.row, row_state, force, &mut cost);
        elliptic(cone, D, residual, row_state, force, &mut cost);
        i = cone.row + cone.dim;
    }
    let rest = i..problem.row_count();
    pushing(D, residual, rest, row_state, force, &mut cost);
    cost
}

/// Rows that only push. Costs are added one by one, in the order of the rows.
fn pushing(
    D: &[f64],
    residual: &[f64],
    rows: std::ops::Range<usize>,
    row_state: &mut [i32],
    force: &mut [f64],
    cost: &mut f64,
) {
    for i in rows {
        let r = residual[i];
        if r >= 0.0 {
            force[i] = 0.0;
            row_state[i] = state::SATISFIED;
        } else {
            force[i] = -D[i] * r;
            *cost += 0.5 * D[i] * r * r;
            row_state[i] = state::QUADRATIC;
        }
    }
}

/// Residuals of a contact in the space where its cone is circular.
#[inline]
pub(crate) fn circular(cone: &Cone, r: &[f64]) -> [f64; 6] {
    let mut u = [0.0; 6];
    u[0] = r[cone.row] * cone.mu;
    for j in 1..cone.dim {
        u[j] = r[cone.row + j] * cone.friction[j - 1];
    }
    u
}

/// One elliptic contact.
fn elliptic(
    cone: &Cone,
    D: &[f64],
    residual: &[f64],
    row_state: &mut [i32],
    force: &mut [f64],
    cost: &mut f64,
) {
    let rows = cone.row..cone.row + cone.dim;
    let mu = cone.mu;
    let u = circular(cone, residual);
    let n = u[0];
    let t = norm(&u[1..cone.dim]);
    let zone = if n >= mu * t || (t <= 0.0 && n >= 0.0) {
        force[rows.clone()].fill(0.0);
        state::SATISFIED
    } else if mu * n + t <= 0.0 || (t <= 0.0 && n < 0.0) {
        for i in rows.clone() {
            force[i] = -D[i] * residual[i];
            *cost += 0.5 * D[i] * residual[i] * residual[i];
        }
        state::QUADRATIC
    } else {
        let stiffness = D[cone.row] / (mu * mu * (1.0 + mu * mu));
        let depth = n - mu * t;
        *cost += 0.5 * stiffness * depth * depth;
        let normal = -stiffness * depth * mu;
        force[cone.row] = normal;
        for j in 1..cone.dim {
            force[cone.row + j] = -normal / t * u[j] * cone.friction[j - 1];
        }
        state::CONE
    };
    row_state[rows].fill(zone);
}

/// Hessian of the cost of a contact in the cone state with respect to its residuals.
pub(crate) fn cone_hessian(cone: &Cone, D: &[f64], residual: &[f64]) -> ConeHessian {
    let (dim, mu) = (cone.dim, cone.mu);
    let u = circular(cone, residual);
    let n = u[0];
    let t = norm(&u[1..dim]);
    let stiffness = D[cone.row] / (mu * mu * (1.0 + mu * mu));
    let mut h = [0.0; 36];

    // In the circular space: first row (1, −μU/T), then μN/T³·UUᵀ + (μ² − μN/T)·I.
    h[0] = 1.0;
    for j in 1..dim {
        h[j] = -mu / t * u[j];
    }
    let outer = mu * n / (t * t * t);
    let diagonal = mu * mu - mu * n / t;
    for k in 1..dim {
        for j in k..dim {
            h[k * dim + j] = outer * u[j] * u[k];
        }
        h[k * dim + k] += diagonal;
    }

    // Back to residuals: scale both sides by diag(μ, f).
    let scale = |j: usize| if j == 0 { mu } else { cone.friction[j - 1] };
    for k in 0..dim {
        for j in k..dim {
            h[k * dim + j] *= stiffness * scale(k) * scale(j);
            h[j * dim + k] = h[k * dim + j];
        }
    }
    h
}
