//! States that are not numbers, with contacts: counted, reset, never fatal.

use crate::{CONES, Case, SOLVERS, box_on_slope, stack_of_boxes};
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
                    assert!(case.data.warnings.get(warning).number > 0, "{what}");
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
                        let _ = case.data.step(&case.model);
                    }
                    assert!(case.data.warnings.get(warning).number > 0, "{what}");
                    assert!(case.data.state.time > 0.01);
                    let model = &case.model;
                    case.data.reset(model).expect("its own model");
                    case.model.opt.gravity.0 = [0.0, 0.0, -9.81];
                    assert!(case.steps(20).qvel_of().iter().all(|x| x.is_finite()));
                }
            }
        }
    }
}

/// Shapes of the convex algorithms at spoilt and at huge poses.
#[test]
fn convex_shapes_at_spoilt_poses() {
    let shapes = ["ellipsoid", "cylinder", "capsule", "box"];
    let bodies: String = shapes
        .iter()
        .map(|shape| {
            format!(r#"<body><freejoint/><geom type="{shape}" size=".1 .12 .14"/></body>"#)
        })
        .collect();
    let xml = format!(
        r#"<mujoco><option><flag autoreset="disable"/></option><worldbody>
           <geom type="plane" size="1 1 1"/><geom type="box" size=".3 .3 .3"/>{bodies}
           </worldbody></mujoco>"#
    );
    for value in [f64::NAN, f64::INFINITY, -1e300, 1e12, 1e-300, 0.0] {
        for place in 0..28 {
            let mut case = Case::new(&xml);
            case.data.state.qpos[place] = value;
            for _ in 0..2 {
                let _ = case.data.step(&case.model);
            }
        }
    }
}
