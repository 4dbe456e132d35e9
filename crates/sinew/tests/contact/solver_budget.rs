//! Iterations: how many the solvers take, what few of them leave, where they start, what they
//! report.

use crate::{
    CONES, Case, SOLVERS, box_on_slope, close, near, norm, sphere_on_plane, stack_of_boxes,
};
use sinew::engine::acceleration::constraint::{ISLANDS_COUNTED, ITERATIONS_COUNTED};
use sinew::model::kinds::{DisableFlag, Solver};
use sinew::solver::Statistic;

fn cone(name: &str) -> String {
    format!(r#"cone="{name}""#)
}

/// The sliding sphere: pressed in and moving sideways.
fn sliding(name: &str, solver: Solver) -> Case {
    Case::new(&sphere_on_plane(&cone(name)))
        .solver(solver)
        .z(0.045)
        .qvel(&[1.0, 0.0, -0.1, 0.0, 0.0, 0.0])
}

/// ‖M·qacc − qfrc_smooth − qfrc_constraint‖
fn imbalance(case: &Case) -> f64 {
    let product = case.inertia_times(case.qacc());
    let smooth = &case.data.acceleration.smooth.qfrc_smooth;
    let rest: Vec<f64> = (0..product.len())
        .map(|i| product[i] - smooth[i] - case.qfrc_constraint()[i])
        .collect();
    norm(&rest)
}

/// Line 10.
#[test]
fn one_iteration_is_visible_and_harmless() {
    for name in CONES {
        for boxes in [3, 10] {
            for (_, solver) in SOLVERS {
                let mut case = Case::new(&stack_of_boxes(boxes, &cone(name)))
                    .solver(solver)
                    .tight(1e-15, 1);
                let mut most = 0;
                for _ in 0..100 {
                    case.step();
                    most = most.max(case.contacts().len());
                    let counts = case.data.acceleration.solution.solver_niter;
                    assert!(counts.iter().all(|count| *count <= 1));
                    assert!(case.contact_forces().iter().all(|force| force[0] >= -1e-9));
                }
                assert!(boxes < 10 || most >= 20);
                assert!(case.contact_forces().iter().any(|force| force[0] > 0.0));
            }
        }
        // No other solver steps in: what one iteration leaves is the first iterate of this one.
        let one = sliding(name, Solver::Cg).tight(1e-15, 1).forward();
        let first = &sliding(name, Solver::Cg).tight(1e-15, 100).forward();
        let reports = &first.data.acceleration.solution.solver;
        assert_eq!(one.data.acceleration.solution.solver[0], reports[0]);
    }
}

/// Line 11.
#[test]
fn no_iteration_leaves_the_start() {
    for name in CONES {
        for (_, solver) in SOLVERS {
            let case = sliding(name, solver).tight(1e-8, 0).forward();
            assert_eq!(case.niter(), 0);
            if solver == Solver::Pgs {
                let case = case.cold();
                assert!(case.force().iter().all(|force| *force == 0.0));
                let smooth = &case.data.acceleration.smooth;
                assert_eq!(case.qacc(), smooth.qacc_smooth);
                assert_eq!(imbalance(&case), 0.0);
                continue;
            }
            // The solution as warm start costs less than the unconstrained acceleration.
            let solved = sliding(name, solver).forward();
            let mut case = sliding(name, solver).tight(1e-8, 0);
            case.data
                .state
                .qacc_warmstart
                .copy_from_slice(solved.qacc());
            assert_eq!(case.forward().qacc(), solved.qacc());
            let case = sliding(name, solver).tight(1e-8, 0).forward().cold();
            assert_eq!(case.qacc(), case.data.acceleration.smooth.qacc_smooth);
        }
        let pgs = sliding(name, Solver::Pgs).tight(1e-8, 2).forward();
        near(imbalance(&pgs), 0.0, 1e-12);
        // An elliptic cone is nearly solved by two iterations.
        let cg = sliding(name, Solver::Cg).tight(1e-8, 2).forward();
        let least = if name == "pyramidal" { 1.0 } else { 1e-3 };
        assert!(imbalance(&cg) > least, "{name} {}", imbalance(&cg));
    }
}

/// Line 12.
#[test]
fn a_warm_start_saves_iterations() {
    for name in CONES {
        for (_, solver) in SOLVERS {
            let mut case = Case::new(&stack_of_boxes(3, &cone(name)))
                .solver(solver)
                .steps(500);
            let (mut warm, mut cold) = (0, 0);
            for _ in 0..100 {
                let fresh = case.cold();
                case.step();
                warm += case.niter();
                cold += fresh.niter();
            }
            if solver == Solver::Newton {
                assert!(warm <= 100, "{warm}");
            } else {
                assert!(f64::from(warm) <= 0.7 * f64::from(cold), "{warm} {cold}");
            }
        }
    }
}

/// Line 13.
#[test]
fn the_warm_start_is_the_acceleration_of_the_last_step() {
    for name in CONES {
        for ((_, solver), tolerance) in SOLVERS.into_iter().zip([2e-2, 1e-3, 1e-9]) {
            let mut case = Case::new(&stack_of_boxes(3, &cone(name)))
                .solver(solver)
                .steps(200);
            assert_eq!(case.data.state.qacc_warmstart, case.qacc());
            let before = case.data.state.qacc_warmstart.clone();
            case = case.forward();
            assert_eq!(case.data.state.qacc_warmstart, before);
            let cold = case.cold();
            let difference = crate::relative(case.qfrc_constraint(), cold.qfrc_constraint());
            assert!(difference < tolerance, "{name} {difference}");
            case.data.reset(&case.model).expect("its own model");
            assert!(case.data.state.qacc_warmstart.iter().all(|x| *x == 0.0));
        }
    }
}

/// Line 18, and the shape of the statistics.
#[test]
fn cost_falls_until_a_stop_rule_holds() {
    for name in CONES {
        let scenes = [
            sphere_on_plane(&cone(name)),
            stack_of_boxes(3, &cone(name)),
            box_on_slope(25.0, 0.3, 0.0, &cone(name)),
        ];
        for xml in scenes {
            for solver in [Solver::Cg, Solver::Newton] {
                let mut case = Case::new(&xml).solver(solver);
                for _ in 0..100 {
                    case.step();
                    let solution = &case.data.acceleration.solution;
                    assert_eq!(solution.solver_niter.len(), ISLANDS_COUNTED);
                    assert_eq!(solution.solver.len(), ISLANDS_COUNTED * ITERATIONS_COUNTED);
                    let count = solution.solver_niter[0] as usize;
                    for statistic in &solution.solver[..count] {
                        assert!(statistic.improvement >= -1e-12);
                        assert!(statistic.nactive as usize <= case.nefc());
                        assert!(statistic.neval > 0);
                    }
                    if count == 0 || count == case.model.opt.iterations as usize {
                        continue;
                    }
                    let last = solution.solver[count - 1];
                    let tolerance = case.model.opt.tolerance;
                    // Otherwise the next line search found nothing to gain.
                    if last.improvement >= tolerance && last.gradient >= tolerance {
                        assert!(last.gradient < 1e-3, "{last:?}");
                    }
                }
            }
        }
    }
}

/// Every number that an iteration reports, against the reference.
#[test]
fn statistics_are_the_reference_s() {
    let statistic = |numbers: [f64; 3], counts: [i32; 4]| {
        let [improvement, gradient, lineslope] = numbers;
        let [nactive, nchange, neval, nupdate] = counts;
        Statistic {
            improvement,
            gradient,
            lineslope,
            nactive,
            nchange,
            neval,
            nupdate,
        }
    };
    let cases = [
        (
            "elliptic",
            Solver::Newton,
            vec![
                statistic([25581.47329365766, 0.04330538934119723, 0.0], [3, 3, 3, 3]),
                statistic([0.00014099679648654022, 0.0, 0.0], [3, 0, 2, 0]),
            ],
        ),
        (
            "pyramidal",
            Solver::Cg,
            vec![
                statistic([13289.197140033737, 4.874201811513797, 0.0], [1, 2, 3, 0]),
                statistic([32.846934766364264, 8.726408342029446, 0.0], [1, 0, 2, 0]),
                statistic([11.590977186377096, 1.9023239214295258, 0.0], [3, 2, 3, 0]),
                statistic([0.8184318241629848, 1.2510805864816557, 0.0], [3, 0, 2, 0]),
                statistic([0.26919373183293405, 0.0, 0.0], [3, 0, 2, 0]),
            ],
        ),
        (
            "elliptic",
            Solver::Pgs,
            vec![
                statistic([735.0038240517403, 0.0, 0.0], [0; 4]),
                statistic([0.0; 3], [0; 4]),
            ],
        ),
    ];
    for (name, solver, expected) in cases {
        let case = sliding(name, solver).forward();
        assert_eq!(case.niter() as usize, expected.len());
        let reports = &case.data.acceleration.solution.solver;
        for (found, expected) in reports.iter().zip(&expected) {
            let numbers = |s: &Statistic| [s.improvement, s.gradient, s.lineslope];
            let counts = |s: &Statistic| [s.nactive, s.nchange, s.neval, s.nupdate];
            close(&numbers(found), &numbers(expected), 1e-9);
            assert_eq!(counts(found), counts(expected));
        }
    }
}

/// A code without a meaning is an error, not another solver in silence.
#[test]
fn an_unknown_solver_is_refused() {
    for code in [-1, 3, 99] {
        let mut case = sliding("pyramidal", Solver::Newton);
        case.model.opt.solver = code;
        let before = case.data.state.clone();
        let error = case.data.step(&case.model).expect_err("refused");
        assert_eq!(error.to_string(), format!("option solver cannot be {code}"));
        assert_eq!(case.qpos_of(), before.qpos);
        case.model.opt.solver = Solver::Newton.code();
        case.step();
    }
}

/// Beyond 200 iterations solving goes on without statistics.
#[test]
fn statistics_end_before_the_iterations_do() {
    let start = Case::new(&stack_of_boxes(10, "")).steps(20);
    let mut case = Case::new(&stack_of_boxes(10, ""));
    case.data.state.clone_from(&start.data.state);
    let case = case.solver(Solver::Pgs).tight(0.0, 300).forward();
    assert_eq!(case.niter(), 300);
    let solution = &case.data.acceleration.solution;
    assert_ne!(solution.solver[ITERATIONS_COUNTED - 1].nactive, 0);
    assert_eq!(solution.solver[ITERATIONS_COUNTED], Statistic::default());
}

/// What the reference accepts: counts and tolerances of zero and below.
#[test]
fn odd_settings_are_harmless() {
    for name in CONES {
        for (_, solver) in SOLVERS {
            let solve = |edit: &dyn Fn(&mut Case)| {
                let mut case = sliding(name, solver);
                edit(&mut case);
                let case = case.forward();
                assert!(case.qacc().iter().all(|x| x.is_finite()));
                case
            };
            let none = solve(&|case| case.model.opt.iterations = -5);
            assert_eq!(none.niter(), 0);
            let all = solve(&|case| case.model.opt.tolerance = -1.0);
            if solver == Solver::Pgs {
                assert_eq!(all.niter(), 100);
            } else {
                // Where the line search finds nothing more it ends before that.
                assert!(all.niter() <= 100);
            }
            let plain = solve(&|_| ());
            let noslip = solve(&|case| case.model.opt.noslip_iterations = -3);
            assert_eq!(plain.qacc(), noslip.qacc());
            // Without evaluations the search takes its first Newton point.
            let search = solve(&|case| case.model.opt.ls_iterations = 0);
            let expected = match (name, solver) {
                ("pyramidal", Solver::Pgs) => 16,
                ("pyramidal", Solver::Cg) => 7,
                ("pyramidal", Solver::Newton) => 1,
                (_, Solver::Cg) => 5,
                _ => 2,
            };
            assert_eq!(search.niter(), expected);
            solve(&|case| case.model.opt.impratio = 0.0);
            solve(&|case| case.model.opt.impratio = -1.0);
        }
    }
}

/// A solref of mixed signs counts as the default.
#[test]
fn a_mixed_solref_is_replaced_by_the_default() {
    let sphere = |solref: &str| {
        let xml = sphere_on_plane("").replace("<geom ", &format!("<geom {solref} "));
        Case::new(&xml).z(0.0495).forward().qacc().to_vec()
    };
    let plain = sphere("");
    for solref in ["0.1 -1", "-100 1", "0 1", "0.02 0"] {
        let case = sphere(&format!(r#"solref="{solref}""#));
        close(&case, &plain, 1e-14);
    }
}

/// Warm starts are not used where the flag is off.
#[test]
fn without_warm_start_the_search_begins_at_the_unconstrained_acceleration() {
    let mut case = sliding("pyramidal", Solver::Newton);
    case.data.state.qacc_warmstart.fill(1e3);
    let plain = sliding("pyramidal", Solver::Newton)
        .disable(DisableFlag::Warmstart)
        .forward();
    let case = case.disable(DisableFlag::Warmstart).forward();
    assert_eq!(case.qacc(), plain.qacc());
}
