//! States that are not numbers, with contacts: counted, reset, never fatal.

use crate::{CONES, Case, SOLVERS, box_on_slope, close, stack_of_boxes};
use sinew::model::kinds::{DisableFlag, Jacobian, Warning};

/// What is spoilt, and which counter tells.
const POISONS: [(&str, Warning); 7] = [
    ("qpos", Warning::Badqpos),
    ("quat", Warning::Badqpos),
    ("qvel", Warning::Badqvel),
    ("fast", Warning::Badqvel),
    ("xfrc", Warning::Badqacc),
    ("push", Warning::Badqacc),
    ("gravity", Warning::Badqacc),
];

fn spoil(case: &mut Case, what: &str) {
    let nan = f64::NAN;
    match what {
        "qpos" => case.data.state.qpos[2] = nan,
        "quat" => case.data.state.qpos[3] = f64::INFINITY,
        "qvel" => case.data.state.qvel[4] = nan,
        "fast" => case.data.state.qvel[0] = 1e30,
        "xfrc" => case.data.input.xfrc_applied[1][2] = nan,
        "push" => case.data.input.qfrc_applied[3] = nan,
        _ => case.model.opt.gravity.0[2] = nan,
    }
}

/// Every kind of spoilt state with every solver and cone.
#[test]
fn a_spoilt_step_is_counted_and_reset() {
    for cone in CONES {
        for (_, solver) in SOLVERS {
            for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
                for (what, warning) in POISONS {
                    let xml = stack_of_boxes(3, &format!(r#"cone="{cone}""#));
                    let mut case = Case::new(&xml).solver(solver).steps(5);
                    case.model.opt.jacobian = jacobian.code();
                    let gravity = case.model.opt.gravity;
                    spoil(&mut case, what);
                    assert!(case.data.step(&case.model).is_err(), "{what}");
                    assert_eq!(case.data.warnings.get(warning).number, 1, "{what}");
                    case.model.opt.gravity = gravity;
                    if what != "gravity" {
                        assert!(case.data.state.time <= 0.002 + 1e-15, "{what}");
                        assert!(case.qpos_of().iter().all(|x| x.is_finite()));
                        assert_eq!(case.data.input.qfrc_applied, vec![0.0; case.model.nv]);
                    } else {
                        let model = &case.model;
                        case.data.reset(model).expect("its own model");
                    }
                    // It goes on as a fresh simulation does.
                    let case = case.steps(20);
                    assert!(case.qvel_of().iter().all(|x| x.is_finite()), "{what}");
                }
            }
        }
    }
}

/// Without automatic resets nothing is repaired, and nothing ends either.
#[test]
fn spoilt_states_without_resets_are_only_counted() {
    let scenes = |cone: &str| {
        let option = format!(r#"cone="{cone}" noslip_iterations="3""#);
        [
            stack_of_boxes(3, &option),
            box_on_slope(20.0, 0.5, 1e-3, &option),
        ]
    };
    for cone in CONES {
        for xml in scenes(cone) {
            for (_, solver) in SOLVERS {
                for (what, warning) in POISONS {
                    let mut case = Case::new(&xml)
                        .solver(solver)
                        .disable(DisableFlag::Autoreset)
                        .steps(5);
                    spoil(&mut case, what);
                    for _ in 0..5 {
                        assert!(case.data.step(&case.model).is_err(), "{what}");
                    }
                    // The reference counts a value twice in a step where nothing resets.
                    let number = case.data.warnings.get(warning).number;
                    assert_eq!((number, case.data.warnings.resets()), (10, 0), "{what}");
                    close(&[case.data.state.time], &[0.02], 1e-15);
                    let model = &case.model;
                    case.data.reset(model).expect("its own model");
                    case.model.opt.gravity.0 = [0.0, 0.0, -9.81];
                    assert!(case.steps(20).qvel_of().iter().all(|x| x.is_finite()));
                }
            }
        }
    }
}

/// How often positions, velocities and accelerations were bad so far.
fn counts(case: &Case) -> [i32; 3] {
    [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc]
        .map(|warning| case.data.warnings.get(warning).number)
}

/// Four shapes of the convex algorithms, inside a box and one another, two steps after coordinate
/// `place` was set; each body has three coordinates of position and four of orientation. Nothing is
/// reset. Says which of the steps succeeded.
fn shapes_after(place: usize, value: f64) -> (Case, [bool; 2]) {
    let bodies = ["ellipsoid", "cylinder", "capsule", "box"].map(|shape| {
        format!(r#"<body><freejoint/><geom type="{shape}" size=".1 .12 .14"/></body>"#)
    });
    let mut case = Case::new(&format!(
        r#"<mujoco><option><flag autoreset="disable"/></option><worldbody>
           <geom type="plane" size="1 1 1"/><geom type="box" size=".3 .3 .3"/>{}
           </worldbody></mujoco>"#,
        bodies.concat()
    ));
    case.data.state.qpos[place] = value;
    let steps = [(); 2].map(|()| case.data.step(&case.model).is_ok());
    close(&[case.data.state.time], &[0.004], 1e-15);
    assert_eq!(case.data.warnings.resets(), 0);
    (case, steps)
}

/// The counts are the reference's. Once positions are no numbers, velocities are none in the second
/// step and accelerations in both.
#[test]
fn convex_shapes_at_poses_that_are_no_numbers() {
    for value in [f64::NAN, f64::INFINITY] {
        for place in 0..28 {
            let (mut case, steps) = shapes_after(place, value);
            assert_eq!(steps, [false; 2], "{value} {place}");
            assert_eq!(counts(&case), [4, 2, 4], "{value} {place}");
            assert!(!case.data.state.qpos[place].is_finite());
            // Shapes at good poses keep their contacts, and a reset by hand restores everything.
            assert!(case.contacts().len() >= 10, "{value} {place}");
            case.data.reset(&case.model).expect("its own model");
            let case = case.steps(2);
            let (fresh, _) = shapes_after(0, 0.0);
            assert_eq!(case.qpos_of(), fresh.qpos_of(), "{value} {place}");
            assert_eq!(counts(&case), [0; 3]);
        }
    }
}

/// Beyond the largest number allowed: a position stays bad, an orientation is normalised by the
/// first step and good in the second.
#[test]
fn convex_shapes_at_huge_poses() {
    for value in [-1e300, 1e12] {
        for place in 0..28 {
            let (case, steps) = shapes_after(place, value);
            if place % 7 >= 3 {
                assert_eq!(steps, [false, true], "{value} {place}");
                assert_eq!(counts(&case), [2, 0, 0], "{value} {place}");
                assert!(case.qpos_of().iter().all(|x| x.is_finite()));
                assert_eq!(case.contacts().len(), 22);
            } else {
                assert_eq!(steps, [false; 2], "{value} {place}");
                assert_eq!(counts(&case)[0], 4, "{value} {place}");
            }
            // The squares of 1e300 are infinite; those of 1e12 are ordinary numbers.
            if value == 1e12 && place % 7 < 3 {
                assert_eq!(counts(&case), [4, 0, 0], "{place}");
                close(&[case.qpos_of()[place]], &[value], 1e-14);
                assert!(case.qpos_of().iter().all(|x| x.is_finite()));
            }
        }
    }
}

/// Tiny numbers are as good as none, and an orientation of zeros is none.
#[test]
fn convex_shapes_at_poses_next_to_nothing() {
    for value in [1e-300, 0.0] {
        for place in 0..28 {
            let (case, steps) = shapes_after(place, value);
            assert_eq!(steps, [true; 2], "{value} {place}");
            assert_eq!(counts(&case), [0; 3], "{value} {place}");
            assert!(case.qpos_of().iter().all(|x| x.is_finite()));
            assert_eq!(case.contacts().len(), 22, "{value} {place}");
        }
    }
}
