//! Three solvers, one problem: on random problems with every kind of row they find the same
//! minimum, and that minimum satisfies the equations of motion and the bounds on forces.

#![allow(non_snake_case)]

use sinew_math::tree::{self, TreeRows};
use sinew_solver::primal::{self, Method, Solution};
use sinew_solver::problem::{Cone, Problem, Rows, Settings};
use sinew_solver::{cost, dual};

struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }
}

/// Chains of degrees of freedom with random inertia, and random rows on top.
#[derive(Default)]
struct Case {
    m_rownnz: Vec<i32>,
    m_rowadr: Vec<i32>,
    m_colind: Vec<i32>,
    m: Vec<f64>,
    factor: Vec<f64>,
    factor_inverse: Vec<f64>,
    tree: Vec<i32>,
    j_rownnz: Vec<i32>,
    j_rowadr: Vec<i32>,
    j_colind: Vec<i32>,
    repeats: Vec<bool>,
    j: Vec<f64>,
    cones: Vec<Cone>,
    equality_count: usize,
    friction_count: usize,
    big_d: Vec<f64>,
    big_r: Vec<f64>,
    loss: Vec<f64>,
    aref: Vec<f64>,
    qfrc_smooth: Vec<f64>,
    qacc_smooth: Vec<f64>,
}

impl Case {
    fn random(seed: u64, chains: usize, length: usize, is_elliptic: bool) -> Case {
        let random = &mut Random(seed);
        let n = chains * length;
        let mut case = Case {
            tree: (0..n).map(|i| (i / length) as i32).collect(),
            ..Case::default()
        };
        for i in 0..n {
            let depth = i % length;
            case.m_rowadr.push(case.m.len() as i32);
            case.m_rownnz.push(depth as i32 + 1);
            for k in 0..=depth {
                case.m_colind.push((i - depth + k) as i32);
                let is_diagonal = k == depth;
                case.m.push(if is_diagonal {
                    2.0 + length as f64
                } else {
                    random.between(-1.0, 1.0)
                });
            }
        }
        case.factor = case.m.clone();
        case.factor_inverse = vec![0.0; n];
        let (rownnz, rowadr, colind) = (
            case.m_rownnz.clone(),
            case.m_rowadr.clone(),
            case.m_colind.clone(),
        );
        let rows = TreeRows {
            rownnz: &rownnz,
            rowadr: &rowadr,
            colind: &colind,
        };
        tree::factor(rows, &mut case.factor, &mut case.factor_inverse);

        // A row touches the upper part of one or two chains.
        let columns_of = |random: &mut Random| {
            let mut columns = Vec::new();
            let first = (random.uniform() * chains as f64) as usize;
            let second = (random.uniform() * chains as f64) as usize;
            let (low, high) = (first.min(second), first.max(second));
            for chain in if low == high {
                vec![low]
            } else {
                vec![low, high]
            } {
                let reach = 1 + (random.uniform() * length as f64) as usize;
                columns.extend((0..reach.min(length)).map(|k| (chain * length + k) as i32));
            }
            columns
        };
        let add_row = |case: &mut Case, random: &mut Random, columns: &[i32]| {
            case.j_rowadr.push(case.j.len() as i32);
            case.j_rownnz.push(columns.len() as i32);
            let before = case.j_rowadr.len().checked_sub(2);
            let last = before.map_or(0, |row| case.j_rowadr[row] as usize);
            case.repeats.push(case.j_colind[last..] == *columns);
            case.j_colind.extend(columns);
            case.j
                .extend(columns.iter().map(|_| random.between(-1.0, 1.0)));
            let d = random.between(0.5, 50.0);
            case.big_d.push(d);
            case.big_r.push(1.0 / d);
            case.loss.push(0.0);
            case.aref.push(random.between(-3.0, 3.0));
        };
        for _ in 0..n / 4 {
            let columns = columns_of(random);
            add_row(&mut case, random, &columns);
            case.equality_count += 1;
        }
        for _ in 0..n / 4 {
            let columns = columns_of(random);
            add_row(&mut case, random, &columns);
            *case.loss.last_mut().expect("a row was added") = random.between(0.1, 2.0);
            case.friction_count += 1;
        }
        for k in 0..n / 2 {
            let columns = columns_of(random);
            if is_elliptic && k % 2 == 0 {
                let dim = [3, 4, 6][k / 2 % 3];
                let row = case.big_d.len();
                let friction: [f64; 5] = std::array::from_fn(|_| random.between(0.3, 1.0));
                for _ in 0..dim {
                    add_row(&mut case, random, &columns);
                }
                // A circular cone in regularised space: R_j = R₁·f₁²/f_j², μ = f₁·√(R₁/R₀).
                let (r0, ratio) = (case.big_r[row], 1.0);
                for j in 1..dim {
                    let r = r0 / ratio * (friction[0] * friction[0])
                        / (friction[j - 1] * friction[j - 1]);
                    case.big_r[row + j] = r;
                    case.big_d[row + j] = 1.0 / r;
                }
                case.aref[row] = random.between(0.5, 3.0);
                case.cones.push(Cone {
                    row,
                    dim,
                    mu: friction[0],
                    friction,
                });
            } else {
                add_row(&mut case, random, &columns);
            }
        }
        case.qacc_smooth = (0..n).map(|_| random.between(-3.0, 3.0)).collect();
        case.qfrc_smooth = vec![0.0; n];
        tree::multiply(rows, &case.m, &case.qacc_smooth, &mut case.qfrc_smooth);
        case
    }

    fn problem(&self) -> Problem<'_> {
        Problem {
            equality_count: self.equality_count,
            friction_count: self.friction_count,
            jacobian: Rows {
                rownnz: &self.j_rownnz,
                rowadr: &self.j_rowadr,
                colind: &self.j_colind,
                repeats: &self.repeats,
                value: &self.j,
                full: None,
            },
            cones: &self.cones,
            D: &self.big_d,
            R: &self.big_r,
            frictionloss: &self.loss,
            aref: &self.aref,
            tree: &self.tree,
            inertia_rows: TreeRows {
                rownnz: &self.m_rownnz,
                rowadr: &self.m_rowadr,
                colind: &self.m_colind,
            },
            inertia: &self.m,
            factor: &self.factor,
            factor_inverse: &self.factor_inverse,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            scale: 1.0 / self.qacc_smooth.len() as f64,
        }
    }
}

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
