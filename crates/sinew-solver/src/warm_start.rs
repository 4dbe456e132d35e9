//! Where a solver starts: the acceleration of the previous step or the one without constraints,
//! whichever costs less.

use crate::problem::{Method, Problem, Settings};
use crate::solve::Solution;
use crate::{cost, primal};
use sinew_math::dense::dot;
use sinew_math::tree;

/// Chooses the start, and leaves J·qacc − aref there in the workspace.
pub(crate) fn choose(problem: &Problem<'_>, settings: &Settings, out: &mut Solution<'_>) {
    let residual = &mut out.work.residual;
    let Some(warm) = problem.warm_start else {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        out.force.fill(0.0);
        residual.clear();
        residual.extend_from_slice(out.b);
        return;
    };
    out.qacc.copy_from_slice(warm);
    residual.resize(problem.row_count(), 0.0);
    problem.residual(warm, residual);
    match settings.method {
        Method::GaussSeidel => choose_forces(problem, out),
        _ => choose_acceleration(problem, warm, out),
    }
    // What no constraint touches moves as if there were none.
    if let Some(islands) = problem.islands {
        for &dof in &islands.map_idof2dof[islands.nidof..] {
            out.qacc[dof as usize] = problem.qacc_smooth[dof as usize];
        }
    }
}

/// For solving over accelerations.
fn choose_acceleration(problem: &Problem<'_>, warm: &[f64], out: &mut Solution<'_>) {
    let (residual, product) = (&mut out.work.residual, &mut out.work.product);
    let mut warm_cost = cost::update(problem, residual, out.state, out.force);
    product.resize(problem.dof_count(), 0.0);
    tree::multiply(problem.inertia_rows, problem.inertia, warm, product);
    warm_cost += primal::inertial_cost(problem, product, warm);
    let cold_cost = cost::update(problem, out.b, out.state, out.force);
    if warm_cost > cold_cost {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        residual.copy_from_slice(out.b);
    }
}

/// For solving over forces: those of the acceleration, if they are better than none.
fn choose_forces(problem: &Problem<'_>, out: &mut Solution<'_>) {
    let product = &mut out.work.product;
    cost::update(problem, &out.work.residual, out.state, out.force);
    product.clear();
    product.resize(problem.row_count(), 0.0);
    out.projection.multiply(out.force, product);
    if dot(out.force, out.b) + 0.5 * dot(out.force, product) > 0.0 {
        out.force.fill(0.0);
    }
}
