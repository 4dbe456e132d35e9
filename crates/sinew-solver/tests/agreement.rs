//! Three solvers, one problem: on random problems with every kind of row they find the same
//! minimum, and that minimum satisfies the equations of motion and the bounds on forces.

#![allow(non_snake_case)]

mod case;

use case::{Case, Random};
use sinew_math::tree;
use sinew_solver::primal::{self, Method, Solution};
use sinew_solver::problem::Settings;
use sinew_solver::{cost, dual};

const TIGHT: Settings = Settings {
    iterations: 10_000,
    tolerance: 1e-15,
    ls_tolerance: 0.01,
    ls_iterations: 50,
};

fn solve(case: &Case, method: Method, settings: &Settings) -> (Vec<f64>, Vec<f64>, usize) {
    let problem = case.problem();
    let mut qacc = case.qacc_smooth.clone();
    let mut qfrc = vec![0.0; qacc.len()];
    let mut force = vec![0.0; case.big_d.len()];
    let mut state = vec![0; case.big_d.len()];
    let mut residual = vec![0.0; case.big_d.len()];
    problem.jacobian.multiply(&qacc, &mut residual);
    for (r, aref) in residual.iter_mut().zip(&case.aref) {
        *r -= aref;
    }
    let mut work = primal::Workspace::default();
    let mut last = f64::INFINITY;
    let count = primal::solve(
        method,
        &problem,
        settings,
        &mut Solution {
            qacc: &mut qacc,
            qfrc_constraint: &mut qfrc,
            force: &mut force,
            state: &mut state,
            residual: &residual,
        },
        &mut work,
        |_, statistic| {
            assert!(
                statistic.improvement >= -1e-12,
                "the cost rose by {}",
                statistic.improvement
            );
            last = statistic.gradient;
        },
    );
    (qacc, force, count)
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(x, y)| (x - y).abs())
        .fold(0.0, f64::max)
}

#[test]
fn solvers_agree_on_every_kind_of_row() {
    for seed in 0..40 {
        for is_elliptic in [false, true] {
            // 8 degrees of freedom are solved dense, more chains in blocks.
            for chains in [2, 3, 30] {
                let case = Case::random(seed, chains, 4, is_elliptic);
                let (newton, force, count) = solve(&case, Method::Newton, &TIGHT);
                assert!(count < 40, "Newton took {count} iterations");
                let (gradient, _, _) = solve(&case, Method::ConjugateGradient, &TIGHT);
                assert!(
                    difference(&newton, &gradient) < 1e-6,
                    "{}",
                    difference(&newton, &gradient)
                );

                // M·a = qfrc_smooth + Jᵀf
                let problem = case.problem();
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
                for cone in &case.cones {
                    let tangential: f64 = (1..cone.dim)
                        .map(|j| {
                            let ratio = force[cone.row + j] / cone.friction[j - 1];
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
                let (blocks, _, count) = solve(&case, Method::Newton, &usual);
                case.tree.fill(0);
                let (rows, _, count_of_rows) = solve(&case, Method::Newton, &usual);
                assert!(difference(&blocks, &rows) < 1e-9);
                assert_eq!(count, count_of_rows);
            }
        }
    }
}

#[test]
fn gauss_seidel_reaches_newtons_forces() {
    for seed in 0..20 {
        for is_elliptic in [false, true] {
            let case = Case::random(seed, 3, 4, is_elliptic);
            let problem = case.problem();
            let (newton, newton_force, _) = solve(&case, Method::Newton, &TIGHT);
            let rows = problem.row_count();
            let mut b = vec![0.0; rows];
            problem.jacobian.multiply(&case.qacc_smooth, &mut b);
            for i in 0..rows {
                b[i] -= case.aref[i];
            }
            let mut projection = dual::Projection::default();
            projection.compute(&problem);
            // A sweep leaves a contact without force alone when its normal gradient is positive,
            // even where normal and friction together would help: as in the reference. So start
            // with the right contacts closed.
            let mut force: Vec<f64> = newton_force.iter().map(|f| 0.5 * f).collect();
            let mut state = vec![0; rows];
            let mut work = dual::Workspace::default();
            dual::solve(
                &problem,
                &projection,
                &b,
                &TIGHT,
                &mut force,
                &mut state,
                &mut work,
                |_, _| {},
            );
            let (mut qfrc, mut qacc) = (vec![0.0; newton.len()], vec![0.0; newton.len()]);
            dual::finish(&problem, &force, &mut qfrc, &mut qacc);
            assert!(
                difference(&qacc, &newton) < 1e-5,
                "{} for seed {seed}, elliptic {is_elliptic}",
                difference(&qacc, &newton)
            );
        }
    }
}

#[test]
fn force_is_minus_the_gradient_of_the_cost() {
    let case = Case::random(7, 3, 4, true);
    let problem = case.problem();
    let rows = problem.row_count();
    let random = &mut Random(99);
    let (mut force, mut state, mut scratch) = (vec![0.0; rows], vec![0; rows], vec![0.0; rows]);
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
