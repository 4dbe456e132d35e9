//! Actuator shortcuts, gains, biases and limits.

use crate::{Case, close, slide};

fn actuated(actuator: &str) -> Case {
    Case::new(&slide("", "", &format!("<actuator>{actuator}</actuator>")))
}

/// Force of one actuator at a position, velocity and control.
fn force(actuator: &str, q: f64, v: f64, ctrl: f64) -> f64 {
    let case = actuated(actuator)
        .qpos(&[q])
        .qvel(&[v])
        .ctrl(&[ctrl])
        .forward();
    case.actuator_force()[0]
}

#[test]
fn shortcuts_give_their_forces() {
    let cases = [
        (r#"<motor joint="j"/>"#, 0.0, 0.0, 5.0, 5.0),
        (r#"<general joint="j"/>"#, 0.0, 0.0, 5.0, 5.0),
        (r#"<position joint="j" kp="100"/>"#, 0.5, 0.0, 1.0, 50.0),
        (
            r#"<position joint="j" kp="100" kv="10"/>"#,
            0.5,
            0.2,
            1.0,
            48.0,
        ),
        (r#"<velocity joint="j" kv="10"/>"#, 0.0, 0.2, 1.0, 8.0),
        (r#"<velocity joint="j"/>"#, 0.0, 0.2, 1.0, 0.8),
        (
            r#"<damper joint="j" kv="5" ctrlrange="0 1"/>"#,
            0.0,
            2.0,
            0.8,
            -8.0,
        ),
        (r#"<damper joint="j" ctrlrange="0 1"/>"#, 0.0, 2.0, 0.8, 0.0),
        (
            r#"<general joint="j" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 6"/>"#,
            0.5,
            0.2,
            2.0,
            12.9,
        ),
    ];
    for (actuator, q, v, ctrl, expected) in cases {
        close(&[force(actuator, q, v, ctrl)], &[expected], 1e-12);
    }
}

#[test]
fn servos_store_their_parameters() {
    let model = actuated(r#"<position joint="j" kp="100"/>"#).model;
    assert_eq!(model.actuator_gainprm[0][0], 100.0);
    assert_eq!(model.actuator_biasprm[0][..3], [0.0, -100.0, 0.0]);
    assert_eq!(model.na, 0);
    let case = actuated(r#"<position joint="j" kp="100" timeconst="0.1"/>"#).ctrl(&[1.0]);
    assert_eq!(case.model.na, 1);
    close(
        case.steps(1).data.state.act.as_slice(),
        &[0.019801326693],
        1e-12,
    );
}

#[test]
fn cylinders_filter_their_pressure() {
    let cylinder = |attributes: &str| {
        let xml = format!(r#"<cylinder joint="j" area="0.01" {attributes}/>"#);
        let case = actuated(&xml).qvel(&[0.1]).act(&[500000.0]).forward();
        case.actuator_force()[0]
    };
    close(&[cylinder("")], &[5000.0], 1e-12);
    close(&[cylinder(r#"bias="0 0 -100""#)], &[5000.0], 1e-12);
    close(&[cylinder(r#"bias="7 8 9""#)], &[5007.0], 1e-12);
    let wide = actuated(r#"<cylinder joint="j" diameter="0.5"/>"#).model;
    close(&[wide.actuator_gainprm[0][0]], &[0.196349540849], 1e-12);
    let case = actuated(r#"<cylinder joint="j" timeconst="0.5"/>"#)
        .ctrl(&[4.0])
        .act(&[1.0])
        .forward();
    close(case.act_dot(), &[6.0], 1e-12);
    let general = r#"<general joint="j" dyntype="filter" gainprm="0.01" biastype="affine" biasprm="0 0 -100"/>"#;
    let case = actuated(general).qvel(&[0.1]).act(&[500000.0]).forward();
    close(case.actuator_force(), &[4990.0], 1e-12);
}

#[test]
fn damping_ratios_become_dampings() {
    let damping = |actuator: &str, joint: &str| {
        let sections = format!("<actuator>{actuator}</actuator>");
        Case::new(&slide("", joint, &sections))
            .model
            .actuator_biasprm[0][2]
    };
    let servo = |more: &str| format!(r#"<position joint="j" kp="100" {more}/>"#);
    close(&[damping(&servo(r#"dampratio="1""#), "")], &[-20.0], 1e-12);
    close(
        &[damping(&servo(r#"dampratio="0.5" gear="2""#), "")],
        &[-5.0],
        1e-12,
    );
    close(
        &[damping(&servo(r#"dampratio="1""#), r#"armature="3""#)],
        &[-40.0],
        1e-12,
    );
}

#[test]
fn gears_scale_lengths_and_forces() {
    let case = actuated(r#"<motor joint="j" gear="2"/>"#)
        .ctrl(&[3.0])
        .forward();
    close(
        &[case.actuator_force()[0], case.qfrc_actuator()[0]],
        &[3.0, 6.0],
        1e-12,
    );
    let case = actuated(r#"<position joint="j" kp="10" kv="1" gear="2"/>"#)
        .qpos(&[1.0])
        .qvel(&[1.0])
        .ctrl(&[3.0])
        .forward();
    close(
        &[case.actuator_force()[0], case.qfrc_actuator()[0]],
        &[8.0, 16.0],
        1e-12,
    );
}

#[test]
fn limits_clamp_controls_and_forces() {
    let motor = |attributes: &str| {
        force(
            &format!(r#"<motor joint="j" {attributes}/>"#),
            0.0,
            0.0,
            5.0,
        )
    };
    close(
        &[motor(r#"forcerange="-3 3""#), motor(r#"ctrlrange="-3 3""#)],
        &[3.0, 3.0],
        1e-15,
    );
    close(
        &[motor(r#"ctrlrange="-3 3" ctrllimited="false""#)],
        &[5.0],
        1e-15,
    );
    let actuator = r#"<actuator><motor joint="j"/></actuator>"#;
    let case = Case::new(&slide("", r#"actuatorfrcrange="-1 1""#, actuator))
        .ctrl(&[5.0])
        .forward();
    close(
        &[case.actuator_force()[0], case.qfrc_actuator()[0]],
        &[5.0, 1.0],
        1e-15,
    );
    let grouped = r#"<actuator><motor joint="j" group="2"/></actuator>"#;
    let case = Case::new(&slide(r#"actuatorgroupdisable="2""#, "", grouped))
        .ctrl(&[5.0])
        .forward();
    assert_eq!(case.actuator_force(), [0.0]);
}

#[test]
fn a_bad_control_silences_all_and_is_counted() {
    use sinew::model::kinds::Warning;
    let two = r#"<motor joint="j"/><motor joint="j"/>"#;
    let case = actuated(two).ctrl(&[f64::NAN, 3.0]).forward();
    assert_eq!(case.actuator_force(), [0.0, 0.0]);
    assert_eq!(case.data.warnings.get(Warning::Badctrl).number, 1);
}
