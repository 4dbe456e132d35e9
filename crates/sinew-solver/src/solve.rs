//! The one entry: from constraint rows to forces and accelerations.
//!
//! Newton's method and conjugate gradients solve each island on its own, unless noslip follows:
//! that, and Gauss–Seidel, take all rows together. Conforms to `mj_fwdConstraint`.

use crate::dual::projection::{self, Projection};
use crate::dual::{self, Dual, Forces, gauss_seidel, no_slip};
use crate::island::Islands;
use crate::island::gather::{IslandProblem, inertia_scale};
use crate::log::Log;
use crate::primal::{self, Iterate};
use crate::problem::{Method, Problem, Settings, Statistic};
use crate::{cost, warm_start};

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
    /// J·qacc − aref at the start.
    pub(crate) residual: Vec<f64>,
    pub(crate) product: Vec<f64>,
    pub(crate) projection: projection::Workspace,
    primal: primal::Workspace,
    dual: dual::Workspace,
    island: IslandProblem,
}

/// Finds the constraint forces and the acceleration they lead to.
#[doc(alias = "mj_fwdConstraint")]
pub fn solve(problem: &Problem<'_>, settings: &Settings, out: &mut Solution<'_>) {
    out.iterations.fill(0);
    out.qfrc_constraint.fill(0.0);
    if problem.row_count() == 0 {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        return;
    }
    problem.residual(problem.qacc_smooth, out.b);
    if settings.is_dual() {
        out.projection.compute(problem, out.work);
    }
    warm_start::choose(problem, settings, out);
    match (settings.method, problem.islands) {
        (Method::GaussSeidel, _) => sweep(problem, settings, out, gauss_seidel::solve),
        (_, Some(islands)) if settings.noslip_iterations == 0 => {
            descend_by_island(problem, islands, settings, out);
        }
        _ => descend(problem, settings, out),
    }
    if settings.noslip_iterations > 0 {
        sweep(problem, settings, out, no_slip::solve);
    }
}

/// Forces, states and their cost at given residuals J·qacc − aref.
#[doc(alias = "mj_constraintUpdate")]
pub fn update(problem: &Problem<'_>, residual: &[f64], out: &mut Solution<'_>) -> f64 {
    let cost = cost::update(problem, residual, out.state, out.force);
    let jacobian = &problem.jacobian;
    jacobian.multiply_transposed(out.force, out.qfrc_constraint);
    cost
}

/// Forces and states at the acceleration `out.qacc`.
#[doc(alias = "mj_invConstraint")]
pub fn invert(problem: &Problem<'_>, out: &mut Solution<'_>) {
    let mut residual = std::mem::take(&mut out.work.residual);
    residual.resize(problem.row_count(), 0.0);
    problem.residual(out.qacc, &mut residual);
    update(problem, &residual, out);
    out.work.residual = residual;
}

/// Solves over accelerations, all rows together.
fn descend(problem: &Problem<'_>, settings: &Settings, out: &mut Solution<'_>) {
    let mut log = Log::of_island(0, out.iterations, out.statistics);
    let mut iterate = Iterate {
        qacc: out.qacc,
        qfrc_constraint: out.qfrc_constraint,
        force: out.force,
        state: out.state,
        residual: &out.work.residual,
    };
    let work = &mut out.work.primal;
    primal::solve(problem, settings, &mut iterate, work, &mut log);
}

/// Solves over accelerations, each island on its own.
fn descend_by_island(
    problem: &Problem<'_>,
    islands: &Islands,
    settings: &Settings,
    out: &mut Solution<'_>,
) {
    if islands.nisland == 1 && islands.nidof == problem.dof_count() {
        // The only island is everything: nothing to gather.
        let problem = Problem {
            scale: inertia_scale(problem.inertia_rows, problem.inertia),
            ..*problem
        };
        return descend(&problem, settings, out);
    }
    for island in 0..islands.nisland {
        let mut log = Log::of_island(island, out.iterations, out.statistics);
        let mut whole = Iterate {
            qacc: out.qacc,
            qfrc_constraint: out.qfrc_constraint,
            force: out.force,
            state: out.state,
            residual: &out.work.residual,
        };
        let part = &mut out.work.island;
        part.gather(problem, islands, island, &whole);
        part.solve(settings, &mut out.work.primal, &mut log);
        part.scatter(islands, island, &mut whole);
    }
}

/// Solves over forces, and finds the acceleration they lead to.
fn sweep(
    problem: &Problem<'_>,
    settings: &Settings,
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
    let mut log = Log::of_island(0, out.iterations, out.statistics);
    solve(&dual, settings, &mut forces, &mut out.work.dual, &mut log);
    dual::finish(problem, out.force, out.qfrc_constraint, out.qacc);
}
