//! Newton's method and conjugate gradients over accelerations.
//!
//! Both descend along exact line searches. Newton's direction is −H⁻¹g; conjugate gradients are
//! preconditioned by the inertia, d = −M⁻¹g + β·d_old with the non-negative Polak–Ribière β.
//! A run ends when a step improves the scaled cost by less than the tolerance, the scaled gradient
//! is below it, the line search finds nothing, or the iterations are used up.
//! E. Todorov, "Convex and analytically-invertible dynamics with contacts and constraints", 2014.

use crate::cost;
use crate::hessian::Hessian;
use crate::line_search::{Line, LineSearch};
use crate::log::Log;
use crate::problem::{Method, Problem, Settings, Statistic, state};
use crate::rows::Columns;
use sinew_math::MIN_VALUE;
use sinew_math::dense::{add_scaled, dot, norm};
use sinew_math::tree;

/// Storage kept between solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    residual: Vec<f64>,
    jacobian_direction: Vec<f64>,
    inertia_acceleration: Vec<f64>,
    inertia_direction: Vec<f64>,
    gradient: Vec<f64>,
    preconditioned: Vec<f64>,
    direction: Vec<f64>,
    old_gradient: Vec<f64>,
    old_preconditioned: Vec<f64>,
    old_state: Vec<i32>,
    columns: Columns,
    hessian: Hessian,
    line_search: LineSearch,
}

/// Where the solver is: the start on entry, the solution on return.
pub(crate) struct Iterate<'a> {
    /// Acceleration.
    pub qacc: &'a mut [f64],
    /// Constraint force in joint space.
    pub qfrc_constraint: &'a mut [f64],
    /// Constraint force, per row.
    pub force: &'a mut [f64],
    /// State, per row.
    pub state: &'a mut [i32],
    /// J·qacc − aref at the start.
    pub residual: &'a [f64],
}

/// Solves the problem from `solution.qacc` by Newton's method or conjugate gradients.
#[doc(alias = "mj_solNewton")]
#[doc(alias = "mj_solCG")]
pub(crate) fn solve(
    problem: &Problem<'_>,
    settings: &Settings,
    solution: &mut Iterate<'_>,
    work: &mut Workspace,
    log: &mut Log<'_>,
) {
    let method = settings.method;
    let (n, rows) = (problem.dof_count(), problem.row_count());
    work.resize(n, rows);
    let sums_columns = sums_columns(method, problem);
    if sums_columns {
        work.columns.collect(&problem.jacobian, n);
    }

    let inertia = problem.inertia_rows;
    tree::multiply(
        inertia,
        problem.inertia,
        solution.qacc,
        &mut work.inertia_acceleration,
    );
    work.residual.copy_from_slice(solution.residual);

    let (mut cost, mut gauss) = work.update_constraint(problem, sums_columns, solution);
    if method == Method::Newton {
        work.hessian.build(problem, solution.state, &work.residual);
    }
    work.update_gradient(problem, solution);
    work.precondition(method, problem);
    for (d, p) in work.direction.iter_mut().zip(&work.preconditioned) {
        *d = -p;
    }

    let mut iteration = 0;
    while iteration < settings.iterations {
        tree::multiply(
            inertia,
            problem.inertia,
            &work.direction,
            &mut work.inertia_direction,
        );
        problem
            .jacobian
            .multiply(&work.direction, &mut work.jacobian_direction);
        let line = Line {
            direction: &work.direction,
            inertia_direction: &work.inertia_direction,
            jacobian_direction: &work.jacobian_direction,
            inertia_start: &work.inertia_acceleration,
            residual: &work.residual,
            gauss,
        };
        let alpha = work.line_search.minimise(
            problem,
            &line,
            settings.tolerance * settings.ls_tolerance,
            settings.ls_iterations,
        );
        if alpha == 0.0 {
            break;
        }
        add_scaled(solution.qacc, &work.direction, alpha);
        add_scaled(
            &mut work.inertia_acceleration,
            &work.inertia_direction,
            alpha,
        );
        add_scaled(&mut work.residual, &work.jacobian_direction, alpha);

        if method == Method::ConjugateGradient {
            work.old_gradient.copy_from_slice(&work.gradient);
            work.old_preconditioned
                .copy_from_slice(&work.preconditioned);
        }
        work.old_state.copy_from_slice(solution.state);
        let old_cost = cost;
        (cost, gauss) = work.update_constraint(problem, sums_columns, solution);
        work.update_gradient(problem, solution);
        if method == Method::Newton {
            work.hessian.count_changes(&work.old_state, solution.state);
        }

        let improvement = problem.scale * (old_cost - cost);
        let gradient = problem.scale * norm(&work.gradient);
        let is_changed = |(old, new): (&i32, &i32)| i32::from(old != new);
        log.add(Statistic {
            improvement,
            gradient,
            lineslope: work.line_search.slope,
            nactive: solution
                .state
                .iter()
                .filter(|s| **s != state::SATISFIED)
                .count() as i32,
            nchange: work
                .old_state
                .iter()
                .zip(&*solution.state)
                .map(is_changed)
                .sum(),
            neval: work.line_search.evaluations as i32,
            nupdate: work.hessian.update_count as i32,
        });
        iteration += 1;
        if improvement < settings.tolerance
            || gradient < settings.tolerance
            || iteration == settings.iterations
        {
            break;
        }

        // Only now is it known that another direction is wanted.
        if method == Method::Newton {
            work.hessian
                .update(problem, &work.old_state, solution.state, &work.residual);
        }
        work.precondition(method, problem);
        work.next_direction(method);
    }
}

/// Whether Jᵀf is summed column by column, as the reference does with a sparse J. Conjugate
/// gradients amplify rounding, so they need it; Newton's method forgets it in one step.
fn sums_columns(method: Method, problem: &Problem<'_>) -> bool {
    method == Method::ConjugateGradient && problem.jacobian.full.is_none()
}

impl Workspace {
    fn resize(&mut self, n: usize, rows: usize) {
        self.residual.resize(rows, 0.0);
        self.jacobian_direction.resize(rows, 0.0);
        self.old_state.resize(rows, 0);
        for vector in [
            &mut self.inertia_acceleration,
            &mut self.inertia_direction,
            &mut self.gradient,
            &mut self.preconditioned,
            &mut self.direction,
            &mut self.old_gradient,
            &mut self.old_preconditioned,
        ] {
            vector.resize(n, 0.0);
        }
    }

    /// Forces and states at the current point; returns the total and the inertial cost.
    fn update_constraint(
        &mut self,
        problem: &Problem<'_>,
        sums_columns: bool,
        solution: &mut Iterate<'_>,
    ) -> (f64, f64) {
        let cost = cost::update(problem, &self.residual, solution.state, solution.force);
        if sums_columns {
            let force = &*solution.force;
            self.columns.multiply(force, solution.qfrc_constraint);
        } else {
            let jacobian = &problem.jacobian;
            jacobian.multiply_transposed(solution.force, solution.qfrc_constraint);
        }
        let gauss = inertial_cost(problem, &self.inertia_acceleration, solution.qacc);
        (cost + gauss, gauss)
    }

    /// g = M·a − qfrc_smooth − Jᵀf.
    fn update_gradient(&mut self, problem: &Problem<'_>, solution: &Iterate<'_>) {
        for i in 0..self.gradient.len() {
            self.gradient[i] =
                self.inertia_acceleration[i] - problem.qfrc_smooth[i] - solution.qfrc_constraint[i];
        }
    }

    /// H⁻¹g or M⁻¹g.
    fn precondition(&mut self, method: Method, problem: &Problem<'_>) {
        self.preconditioned.copy_from_slice(&self.gradient);
        match method {
            Method::Newton => self.hessian.solve(&mut self.preconditioned),
            _ => tree::solve(
                problem.inertia_rows,
                problem.factor,
                problem.factor_inverse,
                &mut self.preconditioned,
            ),
        }
    }

    fn next_direction(&mut self, method: Method) {
        let beta = match method {
            Method::Newton => 0.0,
            _ => {
                let scale = dot(&self.old_gradient, &self.old_preconditioned);
                let change = &mut self.old_preconditioned;
                for (old, new) in change.iter_mut().zip(&self.preconditioned) {
                    *old = new - *old;
                }
                (dot(&self.gradient, change) / scale.max(MIN_VALUE)).max(0.0)
            }
        };
        for (d, p) in self.direction.iter_mut().zip(&self.preconditioned) {
            *d = beta * *d - p;
        }
    }
}

/// ½(a − aₛ)ᵀ(M·a − qfrc_smooth)
pub(crate) fn inertial_cost(
    problem: &Problem<'_>,
    inertia_acceleration: &[f64],
    qacc: &[f64],
) -> f64 {
    let mut cost = 0.0;
    for i in 0..qacc.len() {
        cost += 0.5
            * (inertia_acceleration[i] - problem.qfrc_smooth[i])
            * (qacc[i] - problem.qacc_smooth[i]);
    }
    cost
}
