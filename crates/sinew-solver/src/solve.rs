//! The one entry: from constraint rows to forces and accelerations.
//!
//! Newton's method and conjugate gradients solve each island on its own, unless noslip follows:
//! that, and Gauss–Seidel, take all rows together. Conforms to `mj_fwdConstraint`.

use crate::dual::projection::{self, Outcome, Projection};
use crate::dual::{self, Dual, Forces, gauss_seidel, no_slip};
use crate::island::Islands;
use crate::island::gather::IslandProblem;
use crate::log::{Bounds, Log, Patience, Question, lend};
use crate::primal::Iterate;
use crate::problem::{Method, Problem, Settings, Statistic, inertia_scale};
use crate::{cost, primal, warm_start};
use sinew_math::dense::dot;

/// What solving writes.
#[derive(Debug)]
pub struct Solution<'a> {
    /// Acceleration.
    pub qacc: &'a mut [f64],
    /// Constraint force in joint space.
    pub qfrc_constraint: &'a mut [f64],
    /// Constraint force, per row.
    pub force: &'a mut [f64],
    /// State, per row: a code of [`crate::problem::state`].
    pub state: &'a mut [i32],
    /// J·qacc_smooth − aref, per row.
    pub b: &'a mut [f64],
    /// J·M⁻¹·Jᵀ + R; computed where forces are solved for.
    pub projection: &'a mut Projection,
    /// Iterations of each island, of as many as there is room for.
    pub iterations: &'a mut [i32],
    /// What each iteration did: as many places for each of those islands.
    pub statistics: &'a mut [Statistic],
    /// Storage kept between solves.
    pub work: &'a mut Workspace,
}

/// Storage kept between solves.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// J·qacc − aref.
    residual: Vec<f64>,
    /// States of the rows, as numbers.
    state: Vec<f64>,
    product: Vec<f64>,
    pub(crate) projection: projection::Workspace,
    primal: primal::Workspace,
    dual: dual::Workspace,
    island: IslandProblem,
}

/// Finds the constraint forces and the acceleration they lead to. Islands are groups of trees that
/// can be solved on their own.
#[doc(alias = "mj_fwdConstraint")]
pub fn solve(
    problem: &Problem<'_>,
    islands: Option<&Islands>,
    settings: &Settings,
    out: &mut Solution<'_>,
) {
    solve_within(problem, islands, settings, Bounds::default(), out);
}

/// As [`solve`], within bounds. Whoever refuses to go on leaves what there is: no solution.
pub fn solve_within(
    problem: &Problem<'_>,
    islands: Option<&Islands>,
    settings: &Settings,
    bounds: Bounds<'_>,
    out: &mut Solution<'_>,
) {
    let Bounds {
        mut patience,
        hessian_bytes,
    } = bounds;
    out.work.primal.hessian_bytes = hessian_bytes;
    out.iterations.fill(0);
    out.qfrc_constraint.fill(0.0);
    if problem.row_count() == 0 {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        return;
    }
    problem.residual(problem.qacc_smooth, out.b);
    out.work.residual.resize(problem.row_count(), 0.0);
    out.work.state.resize(problem.row_count(), 0.0);
    let mut settings = *settings;
    if settings.is_dual() {
        let work = &mut *out.work;
        let question = &mut Question::to(lend(&mut patience));
        match out.projection.compute_while(problem, work, question) {
            Outcome::Done => {}
            Outcome::Refused => return,
            // The same minimum, without the matrix.
            Outcome::NoMemory => {
                out.projection.clear();
                settings = settings.as_primal();
            }
        }
    }
    match settings.method {
        Method::GaussSeidel => {
            start_forces(problem, out);
            sweep(problem, &settings, &mut patience, out, gauss_seidel::solve);
        }
        _ => {
            descend(problem, islands, &settings, &mut patience, out);
            write_states(&out.work.state, out.state);
        }
    }
    if settings.noslip_iterations > 0 {
        sweep(problem, &settings, &mut patience, out, no_slip::solve);
    }
}

/// Forces, states and their cost at given residuals J·qacc − aref.
#[doc(alias = "mj_constraintUpdate")]
pub fn update(problem: &Problem<'_>, residual: &[f64], out: &mut Solution<'_>) -> f64 {
    let state = &mut out.work.state;
    state.resize(problem.row_count(), 0.0);
    let cost = cost::update(problem, residual, state, out.force);
    write_states(state, out.state);
    let jacobian = &problem.jacobian;
    jacobian.multiply_transposed(out.force, out.qfrc_constraint);
    cost
}

/// Forces and states at the acceleration `out.qacc`.
#[doc(alias = "mj_invConstraint")]
pub fn invert(problem: &Problem<'_>, out: &mut Solution<'_>) {
    let mut residual = core::mem::take(&mut out.work.residual);
    residual.resize(problem.row_count(), 0.0);
    problem.residual(out.qacc, &mut residual);
    update(problem, &residual, out);
    out.work.residual = residual;
}

/// States as the codes they are.
fn write_states(states: &[f64], out: &mut [i32]) {
    for (out, &state) in out.iter_mut().zip(states) {
        *out = state as i32;
    }
}

/// Solves over accelerations.
fn descend(
    problem: &Problem<'_>,
    islands: Option<&Islands>,
    settings: &Settings,
    patience: &mut Option<&mut dyn Patience>,
    out: &mut Solution<'_>,
) {
    let work = &mut *out.work;
    let mut whole = Iterate {
        qacc: out.qacc,
        qfrc_constraint: out.qfrc_constraint,
        force: out.force,
        state: &mut work.state,
        residual: &mut work.residual,
    };
    work.product.resize(problem.dof_count(), 0.0);
    warm_start::choose(problem, true, out.b, &mut whole, &mut work.product);
    if let Some(islands) = islands {
        // What no constraint touches moves as if there were none.
        for &dof in &islands.map_idof2dof[islands.nidof..] {
            whole.qacc[dof as usize] = problem.qacc_smooth[dof as usize];
        }
    }
    let mut problem = *problem;
    match islands {
        Some(islands) if settings.noslip_iterations == 0 => {
            if !islands.is_everything(problem.dof_count()) {
                for island in 0..islands.nisland {
                    let patience = lend(patience);
                    let log = &mut Log::of_island(island, out.iterations, out.statistics, patience);
                    if !log.may_go_on() {
                        return;
                    }
                    let part = &mut work.island;
                    part.gather(&problem, islands, island, &whole);
                    if !log.may_go_on() {
                        return;
                    }
                    part.solve(settings, &mut work.primal, log);
                    part.scatter(islands, island, &mut whole);
                }
                return;
            }
            // Nothing to gather.
            problem.scale = inertia_scale(problem.inertia_rows, problem.inertia);
        }
        _ => {}
    }
    let log = &mut Log::of_island(0, out.iterations, out.statistics, lend(patience));
    work.primal.solve(&problem, settings, &mut whole, log);
}

/// Puts forces where Gauss–Seidel starts: those of the previous acceleration, if they are better
/// than none.
fn start_forces(problem: &Problem<'_>, out: &mut Solution<'_>) {
    let Some(warm) = problem.warm_start else {
        return out.force.fill(0.0);
    };
    let work = &mut *out.work;
    problem.residual(warm, &mut work.residual);
    cost::update(problem, &work.residual, &mut work.state, out.force);
    work.product.resize(problem.row_count(), 0.0);
    out.projection.multiply(out.force, &mut work.product);
    if dot(out.force, out.b) + 0.5 * dot(out.force, &work.product) > 0.0 {
        out.force.fill(0.0);
    }
}

/// Solves over forces, and finds the acceleration they lead to.
fn sweep(
    problem: &Problem<'_>,
    settings: &Settings,
    patience: &mut Option<&mut dyn Patience>,
    out: &mut Solution<'_>,
    solve: fn(&Dual<'_>, &Settings, &mut Forces<'_>, &mut dual::Workspace, &mut Log<'_>),
) {
    let dual = Dual {
        problem,
        projection: out.projection,
        b: out.b,
    };
    let mut forces = Forces {
        force: out.force,
        state: out.state,
    };
    let mut log = Log::of_island(0, out.iterations, out.statistics, lend(patience));
    solve(&dual, settings, &mut forces, &mut out.work.dual, &mut log);
    dual::finish(problem, out.force, out.qfrc_constraint, out.qacc);
}
