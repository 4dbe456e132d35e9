//! Conjugate gradients, preconditioned by the inertia: d = −M⁻¹g + β·d_old with the non-negative
//! Polak–Ribière β. For one problem: it amplifies rounding, so that even the order of sums in Jᵀf is
//! that of the reference.

use super::line_search::{Equalities, Quadratic};
use super::products::Products;
use super::{Descent, Iterate, Place, inertial_term};
use crate::cost;
use crate::problem::Problem;
use crate::rows::Rows;
use sinew_math::MIN_VALUE;
use sinew_math::dense::dot;
use sinew_math::tree;

/// Storage kept between solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConjugateGradient {
    preconditioned: Vec<f64>,
    old_gradient: Vec<f64>,
    old_preconditioned: Vec<f64>,
    /// Where J is sparse.
    products: Products,
}

impl ConjugateGradient {
    /// Gets ready for a problem. What makes it faster may take so many bytes.
    pub fn prepare(&mut self, problem: &Problem<'_>, bytes: Option<usize>) {
        let n = problem.dof_count();
        for vector in [
            &mut self.preconditioned,
            &mut self.old_gradient,
            &mut self.old_preconditioned,
        ] {
            vector.resize(n, 0.0);
        }
        // The reference sums Jᵀf column by column where J is sparse.
        if problem.jacobian.full.is_none() {
            self.products.prepare(problem, bytes);
        }
    }

    /// M⁻¹g
    #[inline(always)]
    fn precondition(&mut self, place: &Place<'_>) {
        let problem = place.problem;
        let x = &mut self.preconditioned;
        x.copy_from_slice(place.gradient);
        match problem.jacobian.full {
            None => self.products.solve_inertia(problem, x),
            Some(_) => {
                let (factor, inverse) = (problem.factor, problem.factor_inverse);
                tree::solve(problem.inertia_rows, factor, inverse, x);
            }
        }
    }

    /// How much of the last direction stays.
    #[inline(always)]
    fn beta(&mut self, place: &Place<'_>) -> f64 {
        let scale = dot(&self.old_gradient, &self.old_preconditioned);
        let change = &mut self.old_preconditioned;
        for (old, new) in change.iter_mut().zip(&self.preconditioned) {
            *old = new - *old;
        }
        (dot(place.gradient, change) / scale.max(MIN_VALUE)).max(0.0)
    }

    #[inline(always)]
    fn keep(&mut self, place: &Place<'_>) {
        self.old_gradient.copy_from_slice(place.gradient);
        core::mem::swap(&mut self.old_preconditioned, &mut self.preconditioned);
    }
}

impl<'a> Descent<f64, Rows<'a>> for ConjugateGradient {
    #[inline(always)]
    fn choose(&mut self, place: &Place<'_, f64, Rows<'a>>, direction: &mut [f64]) {
        self.precondition(place);
        if place.old_state.is_none() {
            for (d, p) in direction.iter_mut().zip(&self.preconditioned) {
                *d = -p;
            }
        } else {
            let beta = self.beta(place);
            for (d, p) in direction.iter_mut().zip(&self.preconditioned) {
                *d = beta * *d - p;
            }
        }
        self.keep(place);
    }

    #[inline(always)]
    fn costs(
        &self,
        problem: &Problem<'_>,
        at: &mut Iterate<'_>,
        inertia_acceleration: &[f64],
    ) -> (f64, f64) {
        let mut gauss = 0.0;
        let Iterate {
            residual,
            state,
            force,
            qacc,
            ..
        } = at;
        let n = qacc.len();
        let (qacc, inertia_acceleration) = (&qacc[..n], &inertia_acceleration[..n]);
        let (smooth_force, smooth) = (&problem.qfrc_smooth[..n], &problem.qacc_smooth[..n]);
        let rows = cost::update_beside(problem, residual, state, force, n, |i| {
            gauss += inertial_term(
                inertia_acceleration[i] - smooth_force[i],
                qacc[i] - smooth[i],
            );
        });
        (rows, gauss)
    }

    #[inline(always)]
    fn multiply_inertia(&self, problem: &Problem<'_>, x: &[f64], out: &mut [f64]) {
        match problem.jacobian.full {
            None => self.products.multiply_inertia(problem, x, out),
            Some(_) => tree::multiply(problem.inertia_rows, problem.inertia, x, out),
        }
    }

    #[inline(always)]
    fn multiply_jacobian(
        &self,
        problem: &Problem<'_>,
        x: &[f64],
        (residual, sum): (&[f64], Quadratic<f64>),
        out: &mut [f64],
    ) -> Quadratic<f64> {
        let equalities = Equalities::on(sum, problem.equality_count, problem.D, residual);
        let jacobian = &problem.jacobian;
        match jacobian.full {
            None => self.products.multiply_along(jacobian, x, equalities, out),
            Some(_) => {
                jacobian.multiply(x, out);
                equalities.add_all_of_lanes(out)
            }
        }
    }

    #[inline(always)]
    fn joint_force(&self, problem: &Problem<'_>, force: &[f64], out: &mut [f64]) {
        match problem.jacobian.full {
            None => self.products.multiply_transposed(force, out),
            Some(_) => problem.jacobian.multiply_transposed(force, out),
        }
    }
}
