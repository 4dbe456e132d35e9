//! Two solvers, one problem: on random problems with every kind of row they find the same
//! minimum, and that minimum satisfies the equations of motion and the bounds on forces.

use crate::case::{Case, Found, Random, TIGHT, difference, solve};
use sinew_math::tree;
use sinew_solver::{Method, Settings, cost};

#[test]
fn solvers_agree_on_every_kind_of_row() {
    for seed in 0..40 {
        for is_elliptic in [false, true] {
            // 8 degrees of freedom are solved dense, more chains in blocks.
            for chains in [2, 3, 30] {
                let case = Case::random(seed, chains, 4, is_elliptic);
                let problem = case.problem();
                let Found {
                    qacc: newton,
                    force,
                    iterations,
                } = solve(&problem, &TIGHT);
                assert!(iterations[0] < 40, "Newton took {iterations:?} iterations");
                let gradient = Settings {
                    method: Method::ConjugateGradient,
                    ..TIGHT
                };
                let apart = difference(&newton, &solve(&problem, &gradient).qacc);
                assert!(apart < 1e-6, "{apart}");

                // M·a = qfrc_smooth + Jᵀf
                let n = newton.len();
                let (mut left, mut right) = (vec![0.0; n], vec![0.0; n]);
                tree::multiply(problem.inertia_rows, problem.inertia, &newton, &mut left);
                problem.jacobian.multiply_transposed(&force, &mut right);
                for i in 0..n {
                    right[i] += case.qfrc_smooth[i];
                }
                assert!(difference(&left, &right) < 1e-9);

                // Bounds.
                let push = case.equality_count + case.friction_count;
                for i in case.equality_count..push {
                    assert!(force[i].abs() <= case.loss[i] + 1e-12);
                }
                for (cone, shape) in case.cones.iter().zip(&case.cone_shapes) {
                    let tangential: f64 = (1..cone.dim)
                        .map(|j| {
                            let ratio = force[cone.row + j] / shape[j];
                            ratio * ratio
                        })
                        .sum();
                    assert!(tangential.sqrt() <= force[cone.row] + 1e-9);
                }
            }
        }
    }
}

#[test]
fn forms_of_the_hessian_agree() {
    let usual = Settings {
        tolerance: 1e-10,
        ..TIGHT
    };
    for seed in 0..8 {
        for is_elliptic in [false, true] {
            for (chains, length) in [(3, 6), (5, 4), (12, 6), (12, 9), (70, 6)] {
                // One tree is solved dense or sparse, many in blocks.
                let mut case = Case::random(seed, chains, length, is_elliptic);
                let blocks = solve(&case.problem(), &usual);
                case.tree.fill(0);
                let rows = solve(&case.problem(), &usual);
                assert!(difference(&blocks.qacc, &rows.qacc) < 1e-9);
                assert_eq!(blocks.iterations, rows.iterations);
            }
        }
    }
}

#[test]
fn force_is_minus_the_gradient_of_the_cost() {
    let case = Case::random(7, 3, 4, true);
    let problem = case.problem();
    let rows = problem.row_count();
    let random = &mut Random(99);
    let [mut force, mut state, mut scratch] = [(); 3].map(|()| vec![0.0; rows]);
    for _ in 0..200 {
        let residual: Vec<f64> = (0..rows).map(|_| random.between(-1.0, 1.0)).collect();
        cost::update(&problem, &residual, &mut state, &mut force);
        let before = force.clone();
        for i in 0..rows {
            let h = 1e-6;
            let mut at = |offset: f64| {
                let mut moved = residual.clone();
                moved[i] += offset;
                cost::update(&problem, &moved, &mut state, &mut scratch)
            };
            let slope = (at(h) - at(-h)) / (2.0 * h);
            assert!(
                (before[i] + slope).abs() < 1e-3,
                "row {i}: {} and {slope}",
                before[i]
            );
        }
    }
}
