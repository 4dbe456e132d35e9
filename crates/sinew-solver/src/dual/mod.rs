//! Solving over forces: projected Gauss–Seidel, and noslip.
//!
//! The dual problem is: minimise ½fᵀ(A + R)f + fᵀb over the admissible forces, A = J·M⁻¹·Jᵀ and
//! b = J·aₛ − a_ref. Whichever way the forces come about, a = aₛ + M⁻¹Jᵀf satisfies the equations
//! of motion.
//!
//! ```text
//! half.rs          J·L⁻¹·D^(−½)
//! projection.rs    A + R
//! gauss_seidel.rs  sweeps over rows and contacts
//! no_slip.rs       sweeps over friction, without R
//! block.rs         the rows of one contact together
//! zone.rs          states that forces imply
//! ```

mod block;
pub(crate) mod gauss_seidel;
mod half;
pub(crate) mod no_slip;
pub(crate) mod projection;
mod zone;

use crate::problem::Problem;
use projection::Projection;
use sinew_math::tree;

/// The dual problem.
#[derive(Clone, Copy)]
pub(crate) struct Dual<'a> {
    pub problem: &'a Problem<'a>,
    /// A + R.
    pub projection: &'a Projection,
    /// J·aₛ − a_ref.
    pub b: &'a [f64],
}

impl Dual<'_> {
    /// Gradient of the dual cost for one row: b + (A + R)f.
    #[inline(always)]
    fn gradient(&self, i: usize, force: &[f64]) -> f64 {
        self.b[i] + self.projection.product(i, force)
    }

    /// Gradient without the regularisation: b + Af.
    #[inline(always)]
    fn gradient_without_regularisation(&self, i: usize, force: &[f64]) -> f64 {
        self.gradient(i, force) - self.problem.R[i] * force[i]
    }
}

/// What is solved for.
pub(crate) struct Forces<'a> {
    pub force: &'a mut [f64],
    pub state: &'a mut [i32],
}

/// Storage kept between solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// 1 over the diagonal.
    inverse_diagonal: Vec<f64>,
    /// The diagonal, as 1 over that.
    curvature: Vec<f64>,
    old_state: Vec<i32>,
}

/// qfrc_constraint = Jᵀf, qacc = aₛ + M⁻¹·Jᵀf
pub(crate) fn finish(
    problem: &Problem<'_>,
    force: &[f64],
    qfrc_constraint: &mut [f64],
    qacc: &mut [f64],
) {
    problem.jacobian.multiply_transposed(force, qfrc_constraint);
    qacc.copy_from_slice(qfrc_constraint);
    tree::solve(
        problem.inertia_rows,
        problem.factor,
        problem.factor_inverse,
        qacc,
    );
    for (a, smooth) in qacc.iter_mut().zip(problem.qacc_smooth) {
        *a += smooth;
    }
}
