//! Which branch of their cost rows are on, told by their forces.

use super::Forces;
use crate::problem::{Problem, state};
use sinew_math::dense::norm;

/// States that forces imply; returns the number of active rows.
pub(super) fn classify(problem: &Problem<'_>, force: &[f64], row_state: &mut [i32]) -> i32 {
    let friction_start = problem.equality_count;
    let push_start = friction_start + problem.friction_count;
    let mut active = push_start;
    row_state[..friction_start].fill(state::QUADRATIC);
    for i in friction_start..push_start {
        let bound = problem.frictionloss[i];
        row_state[i] = if force[i] <= -bound {
            state::LINEAR_POSITIVE
        } else if force[i] >= bound {
            state::LINEAR_NEGATIVE
        } else {
            state::QUADRATIC
        };
    }
    let mut cones = problem.cones.iter().zip(problem.cone_shapes).peekable();
    let mut i = push_start;
    while i < problem.row_count() {
        if let Some((cone, shape)) = cones.next_if(|(cone, _)| cone.row == i) {
            let mut f = [0.0; 6];
            for j in 0..cone.dim {
                f[j] = force[i + j] / shape[j];
            }
            let (n, t, mu) = (f[0], norm(&f[1..cone.dim]), shape[0]);
            let zone = if mu * n >= t {
                state::SATISFIED
            } else if n + mu * t <= 0.0 {
                state::QUADRATIC
            } else {
                state::CONE
            };
            if zone != state::SATISFIED {
                active += cone.dim;
            }
            row_state[i..i + cone.dim].fill(zone);
            i += cone.dim;
        } else {
            row_state[i] = if force[i] <= 0.0 {
                state::SATISFIED
            } else {
                state::QUADRATIC
            };
            active += usize::from(force[i] > 0.0);
            i += 1;
        }
    }
    active as i32
}

/// Classifies again; returns the number of active and of changed rows.
pub(super) fn reclassify(
    problem: &Problem<'_>,
    forces: &mut Forces<'_>,
    old: &mut Vec<i32>,
) -> (i32, i32) {
    old.clear();
    old.extend_from_slice(forces.state);
    let active = classify(problem, forces.force, forces.state);
    let changed = old.iter().zip(&*forces.state).filter(|(a, b)| a != b);
    let changed = changed.count();
    (active, changed as i32)
}
