//! Solvers over packs of worlds: every lane has the bits that its world has alone.

use crate::case::{Case, Random, difference};
use crate::group::{Group, Outcome, Relax, Solve, USUAL, full, rounded, thinned, with_pyramids};
use bytemuck::Pod;
use sinew_math::Real;
use sinew_math::lanes::{self, Double4, Double8, Single8, Work};
use sinew_solver::{Method, Problem, Projection, Rows, Settings, Solution, Statistic, Workspace};

/// Numbers and lengths of trees that are solved with a dense Hessian.
const TREES: [(usize, usize); 3] = [(1, 6), (2, 7), (1, 19)];
/// Worlds with the same trees.
const WORLDS: usize = 160;

/// Where a world that has gone wrong has no number.
const GONE_WRONG: usize = 1;

/// A world, and an acceleration to start from.
type World = (Case, Vec<f64>);

/// Worlds with the same trees and any rows: both cones, some rounded, some with few rows or none, some
/// gone wrong.
fn worlds(chains: usize, length: usize, has_cones: bool) -> Vec<World> {
    let random = &mut Random(5);
    let mut worlds = Vec::new();
    for seed in 0..WORLDS as u64 {
        let mut case = Case::random(seed, chains, length, has_cones && seed % 3 > 0);
        case = thinned(case, random);
        if seed % 2 == 0 && !case.big_d.is_empty() {
            case = with_pyramids(case, random);
        }
        if seed % 4 == 1 {
            case = rounded(case);
        }
        if seed % 50 == 7 {
            case.qfrc_smooth[GONE_WRONG] = f64::NAN;
        }
        let smooth = case.qacc_smooth.iter();
        let distance = random.between(0.0, 3.0);
        let near = |&acceleration: &f64| acceleration + distance * random.between(-1.0, 1.0);
        let warm = smooth.map(near).collect();
        worlds.push((case, warm));
    }
    worlds
}

/// What the solver of one world finds.
fn alone((case, warm): &World, settings: &Settings) -> Outcome {
    let full = full(case);
    let without = case.problem();
    let problem = Problem {
        jacobian: Rows {
            full: Some(&full),
            ..without.jacobian
        },
        warm_start: Some(warm),
        ..without
    };
    let (n, rows) = (problem.dof_count(), problem.row_count());
    let mut out = Outcome {
        qacc: vec![0.0; n],
        qfrc_constraint: vec![0.0; n],
        force: vec![0.0; rows],
        b: vec![0.0; rows],
        statistics: vec![Statistic::default(); settings.iterations],
        ..Outcome::default()
    };
    let (mut state, mut iterations) = (vec![0; rows], [0]);
    sinew_solver::solve(
        &problem,
        None,
        settings,
        &mut Solution {
            qacc: &mut out.qacc,
            qfrc_constraint: &mut out.qfrc_constraint,
            force: &mut out.force,
            state: &mut state,
            b: &mut out.b,
            projection: &mut Projection::default(),
            iterations: &mut iterations,
            statistics: &mut out.statistics,
            work: &mut Workspace::default(),
        },
    );
    out.state = state.iter().map(|&code| f64::from(code)).collect();
    out.statistics.truncate(iterations[0] as usize);
    out
}

/// Equal bits.
fn assert_same(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        let is_same = a.to_bits() == b.to_bits();
        assert!(is_same, "{what}: {found:?} {expected:?}");
    }
}

/// Holds every lane to what its world has alone.
fn check<P: Real + Pod>(form: &str, run: impl Fn(Solve<'_, '_, P>)) {
    let (mut iterations, mut empty, mut padded) = (0, 0, 0);
    for (chains, length) in TREES {
        let worlds = worlds(chains, length, true);
        let random = &mut Random(3);
        for (index, side_by_side) in worlds.chunks_exact(P::LANES).enumerate() {
            let mut group = Group::<P>::new(side_by_side, random);
            run(Solve(&mut group));
            for (lane, world) in side_by_side.iter().enumerate() {
                let (found, expected) = (group.outcome(lane), alone(world, &USUAL));
                let what = |field| format!("{form} {chains}×{length} {index} {lane}: {field}");
                if world.0.qfrc_smooth[GONE_WRONG].is_nan() {
                    // It spoils no other, and is not compared itself.
                    continue;
                }
                let count = expected.statistics.len();
                assert_eq!(found.statistics.len(), count, "{}", what("iterations"));
                assert_same(&found.qacc, &expected.qacc, &what("qacc"));
                let force = &expected.qfrc_constraint;
                assert_same(&found.qfrc_constraint, force, &what("qfrc"));
                assert_same(&found.force, &expected.force, &what("force"));
                assert_same(&found.state, &expected.state, &what("state"));
                assert_same(&found.b, &expected.b, &what("b"));
                for (found, expected) in found.statistics.iter().zip(&expected.statistics) {
                    assert_same(&numbers(found), &numbers(expected), &what("statistic"));
                }
                iterations += count;
                empty += usize::from(force.iter().all(|f| *f == 0.0));
                padded += group.row_count() - expected.force.len();
            }
        }
    }
    assert!(iterations > 3 * 2 * WORLDS, "{form}: {iterations}");
    assert!(empty > 10, "{form}: worlds without forces {empty}");
    assert!(P::LANES == 1 || padded > WORLDS, "{form}: padded {padded}");
}

/// Gauss and Seidel's method, which seldom ends before its sweeps are used up.
const RELAXED: Settings = Settings {
    method: Method::GaussSeidel,
    tolerance: 1e-6,
    iterations: 30,
    ..USUAL
};

/// The same for Gauss and Seidel's method, without elliptic contacts.
fn check_relaxed<P: Real + Pod>(form: &str, run: impl Fn(Relax<'_, '_, P>)) {
    let (mut sweeps, mut early, mut padded) = (0, 0, 0);
    for (chains, length) in TREES {
        let worlds = worlds(chains, length, false);
        let random = &mut Random(3);
        for (index, side_by_side) in worlds.chunks_exact(P::LANES).enumerate() {
            let mut group = Group::<P>::new(side_by_side, random);
            run(Relax(&mut group, &RELAXED));
            for (lane, world) in side_by_side.iter().enumerate() {
                let (found, expected) = (group.outcome(lane), alone(world, &RELAXED));
                let what = |field| format!("{form} {chains}×{length} {index} {lane}: {field}");
                let count = expected.statistics.len();
                assert_eq!(found.statistics.len(), count, "{}", what("sweeps"));
                assert_same(&found.force, &expected.force, &what("force"));
                assert_same(&found.qacc, &expected.qacc, &what("qacc"));
                let force = &expected.qfrc_constraint;
                assert_same(&found.qfrc_constraint, force, &what("qfrc"));
                sweeps += count;
                early += usize::from(count > 1 && count < RELAXED.iterations);
                padded += group.row_count() - expected.force.len();
            }
        }
    }
    assert!(sweeps > 3 * 5 * WORLDS, "{form}: {sweeps}");
    assert!(early > 20, "{form}: worlds that end early {early}");
    assert!(P::LANES == 1 || padded > WORLDS, "{form}: padded {padded}");
}

#[test]
fn forces_of_gauss_and_seidel_have_the_bits_of_each_world() {
    check_relaxed::<f64>("f64", |relax| relax.run::<f64>());
    check_relaxed::<Double4>("registers", |relax| lanes::double4(relax));
    check_relaxed::<Double8>("registers", |relax| lanes::double8(relax));
}

fn numbers(statistic: &Statistic) -> [f64; 7] {
    let &Statistic {
        improvement,
        gradient,
        lineslope,
        nactive,
        nchange,
        neval,
        nupdate,
    } = statistic;
    let [a, b, c, d] = [nactive, nchange, neval, nupdate].map(f64::from);
    [improvement, gradient, lineslope, a, b, c, d]
}

/// The portable form.
#[inline(never)]
fn portable<P: Real + Pod>(solve: Solve<'_, '_, P>) {
    solve.run::<P>();
}

#[test]
fn one_world_with_a_full_matrix_is_the_solver() {
    check::<f64>("f64", portable);
}

#[test]
fn four_worlds_have_the_bits_of_each() {
    check::<Double4>("portable", portable);
    check::<Double4>("registers", |solve| lanes::double4(solve));
}

#[test]
fn eight_worlds_have_the_bits_of_each() {
    check::<Double8>("portable", portable);
    check::<Double8>("registers", |solve| lanes::double8(solve));
}

/// Single precision on problems without near ties.
#[test]
fn single_precision_is_near_double() {
    for (chains, length) in TREES {
        let random = &mut Random(3);
        for seed in 0..WORLDS as u64 / 8 {
            let worlds: Vec<World> = (8 * seed..8 * seed + 8)
                .map(|seed| {
                    let case = Case::random(seed, chains, length, seed % 2 == 0);
                    let warm = case.qacc_smooth.clone();
                    (case, warm)
                })
                .collect();
            let mut group = Group::<Single8>::new(&worlds, random);
            lanes::single8(Solve(&mut group));
            for (lane, world) in worlds.iter().enumerate() {
                let (found, expected) = (group.outcome(lane), alone(world, &USUAL));
                let apart = difference(&found.qacc, &expected.qacc);
                assert!(apart < 2e-5, "{chains}×{length} {seed} {lane}: {apart:e}");
            }
        }
    }
}
