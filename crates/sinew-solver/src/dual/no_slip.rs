//! Noslip: sweeps over friction only, without the regularisation R and with normal forces held, so
//! that what should stick sticks. Conforms to `mj_solNoSlip`.

use super::{Dual, Forces, Workspace, block, zone};
use crate::log::Log;
use crate::problem::{Cone, ConeShape, Settings, Statistic};
use sinew_math::MIN_VALUE;
use sinew_math::dense::dot;

/// Sweeps from the forces given until little is gained.
pub(crate) fn solve(
    dual: &Dual<'_>,
    settings: &Settings,
    out: &mut Forces<'_>,
    work: &mut Workspace,
    log: &mut Log<'_>,
) {
    let (problem, R) = (dual.problem, dual.problem.R);
    let rows = problem.row_count();
    work.inverse_diagonal.clear();
    work.inverse_diagonal.extend((0..rows).map(|i| {
        let diagonal = dual.projection.entry(i, i) - R[i];
        1.0 / diagonal.max(MIN_VALUE)
    }));
    zone::classify(problem, out.force, out.state);

    for sweep in 0..settings.noslip_iterations {
        let force = &mut *out.force;
        let mut improvement = 0.0;
        // Dropping R lowers the cost by what it contributed.
        if sweep == 0 {
            improvement = (0..rows).map(|i| 0.5 * force[i] * force[i] * R[i]).sum();
        }
        improvement = slide_joints(dual, &work.inverse_diagonal, force, improvement);
        for pyramid in problem.pyramids {
            for row in (pyramid.row..pyramid.row + 2 * (pyramid.dim - 1)).step_by(2) {
                improvement -= slide_pair(dual, row, force);
            }
        }
        for (cone, shape) in problem.cones.iter().zip(problem.cone_shapes) {
            improvement -= slide_cone(dual, cone, shape, force);
        }
        improvement *= problem.scale;
        let (nactive, nchange) = zone::reclassify(problem, out, &mut work.old_state);
        let may_go_on = log.add(Statistic {
            improvement,
            nactive,
            nchange,
            ..Statistic::default()
        });
        if improvement < settings.noslip_tolerance || !may_go_on {
            break;
        }
    }
}

/// Dry friction, row by row; returns the improvement with it.
fn slide_joints(
    dual: &Dual<'_>,
    inverse_diagonal: &[f64],
    force: &mut [f64],
    mut improvement: f64,
) -> f64 {
    let problem = dual.problem;
    let first = problem.equality_count;
    for i in first..first + problem.friction_count {
        let gradient = dual.gradient_without_regularisation(i, force);
        let old = force[i];
        let bound = problem.frictionloss[i];
        let inverse = inverse_diagonal[i];
        let free = old - gradient * inverse;
        force[i] = if free < -bound {
            -bound
        } else if free > bound {
            bound
        } else {
            free
        };
        let delta = force[i] - old;
        improvement -= 0.5 * delta * delta / inverse + delta * gradient;
    }
    improvement
}

/// Noslip on one elliptic contact.
fn slide_cone(dual: &Dual<'_>, cone: &Cone, shape: &ConeShape, force: &mut [f64]) -> f64 {
    let n = cone.dim - 1;
    let first = cone.row + 1;
    let a = block::diagonal_without_regularisation(dual.projection, dual.problem.R, first, n);
    let mut old = [0.0; 5];
    let mut gradient = [0.0; 5];
    let mut right = [0.0; 5];
    old[..n].copy_from_slice(&force[first..first + n]);
    for j in 0..n {
        gradient[j] = dual.gradient_without_regularisation(first + j, force);
        right[j] = gradient[j] - dot(&a[j * n..(j + 1) * n], &old[..n]);
    }
    let f = &mut force[cone.row..cone.row + cone.dim];
    block::solve_friction(&a, &right, shape, f);
    block::accept(&a[..n * n], &mut f[1..], &old[..n], &gradient[..n])
}

/// Noslip on two opposing edges of a pyramid: their sum is held.
fn slide_pair(dual: &Dual<'_>, row: usize, force: &mut [f64]) -> f64 {
    let a = block::diagonal_without_regularisation(dual.projection, dual.problem.R, row, 2);
    let old = [force[row], force[row + 1]];
    let mut gradient = [0.0; 2];
    let mut right = [0.0; 2];
    for k in 0..2 {
        gradient[k] = dual.gradient_without_regularisation(row + k, force);
        right[k] = gradient[k] - dot(&a[2 * k..2 * k + 2], &old);
    }
    let f = &mut force[row..row + 2];
    let middle = 0.5 * (f[0] + f[1]);
    let curvature = a[0] + a[3] - a[1] - a[2];
    let slope = middle * (a[0] - a[3]) + right[0] - right[1];
    if curvature < MIN_VALUE {
        f.fill(middle);
    } else {
        let y = -slope / curvature;
        if y < -middle {
            f.copy_from_slice(&[0.0, 2.0 * middle]);
        } else if y > middle {
            f.copy_from_slice(&[2.0 * middle, 0.0]);
        } else {
            f.copy_from_slice(&[middle + y, middle - y]);
        }
    }
    block::accept(&a[..4], f, &old, &gradient)
}
