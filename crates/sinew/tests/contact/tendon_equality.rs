//! Equality constraints on tendons.

use crate::{Case, SOLVERS, close, near};
use sinew::mjcf::load_text;
use sinew::model::kinds::Solver;

/// Two pendulums with one fixed tendon each, and equality constraints.
fn pendulums(option: &str, equality: &str) -> String {
    let body = |x: i32, name: &str| {
        format!(
            r#"<body pos="{x} 0 0"><joint name="{name}" axis="0 1 0"/>
                 <geom size=".1" mass="1" pos="0 0 -.5"/></body>"#
        )
    };
    let tendon = |name: &str, joint: &str| {
        format!(r#"<fixed name="{name}"><joint joint="{joint}" coef="1"/></fixed>"#)
    };
    format!(
        r#"<mujoco><option {option}/><worldbody>{}{}</worldbody>
           <equality>{equality}</equality><tendon>{}{}</tendon></mujoco>"#,
        body(0, "q1"),
        body(1, "q2"),
        tendon("T1", "q1"),
        tendon("T2", "q2")
    )
}

const FREE: &str = r#"gravity="0 0 0""#;

fn tied(polycoef: &str) -> String {
    format!(r#"<tendon tendon1="T1" tendon2="T2" {polycoef}/>"#)
}

fn coefficients(numbers: &str) -> String {
    tied(&format!(r#"polycoef="{numbers}""#))
}

fn at(equality: &str, q: [f64; 2]) -> Case {
    Case::new(&pendulums(FREE, equality)).qpos(&q).forward()
}

/// Lines 1 and 2.
#[test]
fn two_tendons_are_tied() {
    let case = Case::new(&pendulums(FREE, &tied("")))
        .qpos(&[0.5, 0.2])
        .qvel(&[1.0, 0.5])
        .forward();
    assert_eq!((case.rows().ne, case.nefc()), (1, 1));
    close(&case.rows().efc_pos, &[0.3], 1e-12);
    assert_eq!(case.jacobian(0), [1.0, -1.0]);
    close(case.efc_vel(), &[0.5], 1e-12);
    close(&case.rows().efc_diagApprox, &[7.874015748031496], 1e-8);
    close(&case.rows().efc_R, &[0.414421881475342], 1e-8);
    close(case.aref(), &[-842.1052631578947], 1e-8);
    close(case.force(), &[-101.6], 1e-8);
    close(case.qacc(), &[-400.0, 400.0], 1e-8);
}

/// Line 3.
#[test]
fn tied_tendons_meet() {
    let case = Case::new(&pendulums(FREE, &tied("")))
        .qpos(&[0.5, 0.0])
        .steps(1000);
    close(case.qpos_of(), &[0.25, 0.25], 1e-12);
    let case = Case::new(&pendulums("", &tied("")))
        .qpos(&[0.5, 0.0])
        .steps(1000);
    near(case.qpos_of()[0], case.qpos_of()[1], 1e-13);
}

/// Lines 4, 7 and 8.
#[test]
fn the_residual_is_a_polynomial() {
    let check = |numbers: &str, q: [f64; 2], residual: f64, slope: f64, tolerance: f64| {
        let case = at(&coefficients(numbers), q);
        near(case.rows().efc_pos[0], residual, tolerance);
        close(&case.jacobian(0), &[1.0, slope], tolerance);
    };
    check("0.1 1 0 0 0", [0.5, 0.2], 0.2, -1.0, 1e-12);
    check("0.1", [0.5, 0.2], 0.2, -1.0, 1e-12);
    for (q, residual) in [
        (-0.4, 0.2),
        (-0.2, 0.1),
        (0.0, 0.0),
        (0.2, -0.1),
        (0.4, -0.2),
    ] {
        check("0 0.5 0 0 0", [0.0, q], residual, -0.5, 1e-12);
    }
    for (q, residual, slope) in [
        (-0.4, 0.484, -0.92),
        (-0.2, 0.296, -0.96),
        (0.0, 0.1, -1.0),
        (0.2, -0.104, -1.04),
        (0.4, -0.316, -1.08),
    ] {
        check("0 1 0.1 0 0", [0.1, q], residual, slope, 1e-8);
    }
    check("0.05 1 0.1 0.2 0.3", [0.1, 0.4], -0.38648, -1.2528, 1e-8);
}

/// Lines 5 and 6.
#[test]
fn one_tendon_is_held_at_a_length() {
    for rest in ["0 0 0 0", "5 6 7 8"] {
        let equality = format!(r#"<tendon tendon1="T1" polycoef="0.1 {rest}"/>"#);
        let case = at(&equality, [0.4, 0.0]);
        near(case.rows().efc_pos[0], 0.3, 1e-12);
        assert_eq!(case.jacobian(0), [1.0, 0.0]);
        for (option, tolerance) in [(FREE, 1e-12), ("", 1e-4)] {
            let case = Case::new(&pendulums(option, &equality)).steps(1000);
            near(case.qpos_of()[0], 0.1, tolerance);
        }
    }
}

/// Line 9.
#[test]
fn every_solver_holds_it() {
    for (_, solver) in SOLVERS {
        let case = Case::new(&pendulums("", &tied("")))
            .solver(solver)
            .qpos(&[0.5, 0.0])
            .steps(500);
        near(case.qpos_of()[0], case.qpos_of()[1], 1e-12);
        near(case.qpos_of()[0], -0.0820379, 1e-6);
        assert!(case.force()[0].is_finite());
    }
}

/// Line 10.
#[test]
fn a_soft_tie_lags_behind_a_stiff_one() {
    let violation = |solref: &str| {
        let equality = tied(&format!(r#"solref="{solref}""#));
        let case = Case::new(&pendulums(FREE, &equality))
            .qpos(&[0.5, 0.0])
            .steps(200);
        (case.qpos_of()[0] - case.qpos_of()[1]).abs()
    };
    near(violation("0.02 1"), 3.47e-7, 0.01e-7);
    near(violation("0.1 1"), 4.59e-2, 0.01e-2);
}

/// Lines 11 and 12.
#[test]
fn an_inactive_tie_is_no_tie() {
    let run = |equality: &str| {
        let case = Case::new(&pendulums("", equality))
            .qpos(&[0.5, 0.0])
            .steps(100);
        (case.qpos_of().to_vec(), case.rows().ne)
    };
    let inactive = tied(r#"active="false""#);
    assert_eq!(run(&inactive), run(""));
    assert_eq!(run(&inactive).1, 0);
    let mut case = Case::new(&pendulums("", &inactive));
    case.data.input.eq_active[0] = 1;
    assert_eq!(case.forward().rows().ne, 1);
    let flag = pendulums("", &tied("")).replace(
        "<option />",
        r#"<option><flag equality="disable"/></option>"#,
    );
    assert_eq!(Case::new(&flag).forward().nefc(), 0);
}

/// Line 13.
#[test]
fn the_path_of_two_tied_pendulums() {
    let mut case = Case::new(&pendulums(FREE, &tied("")))
        .solver(Solver::Newton)
        .qpos(&[0.5, 0.0]);
    let path = [
        (1, [0.4975, 0.0025], -158.75),
        (10, [0.42608205352164, 0.07391794647836], 1.300228380136981),
        (50, [0.261058717215389, 0.238941282784611], 4.16539910844765),
        (
            100,
            [0.250253706278139, 0.249746293721862],
            0.100401619263599,
        ),
    ];
    let mut step = 0;
    for (until, q, force) in path {
        while step < until {
            case.step();
            step += 1;
        }
        close(case.qpos_of(), &q, 1e-6);
        near(case.force()[0], force, 1e-6);
    }
}

/// Line 14.
#[test]
fn lengths_are_measured_from_the_reference_pose() {
    let xml = pendulums(r#"gravity="0 0 0""#, &tied(""))
        .replace("<mujoco>", r#"<mujoco><compiler angle="radian"/>"#)
        .replace(r#"name="q1" axis"#, r#"name="q1" ref="0.5" axis"#)
        .replace(r#"joint="q1" coef="1""#, r#"joint="q1" coef="2""#);
    let case = Case::new(&xml).qpos(&[0.7, 0.2]).forward();
    assert_eq!(case.model.tendon_length0, [1.0, 0.0]);
    near(case.rows().efc_pos[0], 0.2, 1e-12);
    assert_eq!(case.jacobian(0), [2.0, -1.0]);
}

/// Line 15.
#[test]
fn spatial_tendons_are_tied_alike() {
    let body = |x: i32| {
        format!(
            r#"<body pos="{x} 0 0"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="1"/>
                 <site name="s{x}"/></body>"#
        )
    };
    let tendon = |name: &str, x: i32| {
        format!(r#"<spatial name="{name}"><site site="w"/><site site="s{x}"/></spatial>"#)
    };
    let xml = format!(
        r#"<mujoco><worldbody><site name="w" pos="0 0 1"/>{}{}</worldbody>
           <tendon>{}{}</tendon><equality>{}</equality></mujoco>"#,
        body(0),
        body(1),
        tendon("T1", 0),
        tendon("T2", 1),
        tied("")
    );
    let case = Case::new(&xml).qpos(&[0.1, 0.3]).forward();
    close(&case.model.tendon_length0, &[1.0, 1.414213562373095], 1e-12);
    near(case.rows().efc_pos[0], 0.09355800079972487, 1e-10);
    close(&case.jacobian(0), &[-1.0, 0.5734623443633283], 1e-10);
}

/// Line 16.
#[test]
fn equalities_keep_their_order() {
    let equality = format!(
        r#"{}<joint joint1="q1" joint2="q2"/>{}"#,
        coefficients("0.1"),
        coefficients("0.2")
    );
    let case = at(&equality, [0.5, 0.2]);
    assert_eq!(case.rows().efc_id, [0, 1, 2]);
    close(&case.rows().efc_pos, &[0.2, 0.3, 0.1], 1e-12);
}

/// Defaults of a class reach tendon equalities.
#[test]
fn a_class_sets_solver_parameters() {
    let classes = r#"<default><default class="soft"><equality solref=".3 1" active="false"/></default>
        </default>"#;
    let xml =
        pendulums("", &tied(r#"class="soft""#)).replace("<mujoco>", &format!("<mujoco>{classes}"));
    let model = load_text(&xml).expect("loads").model;
    assert_eq!(model.eq_solref, [[0.3, 1.0]]);
    assert_eq!(model.eq_active0, [0]);
}
