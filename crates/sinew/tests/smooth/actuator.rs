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

#[test]
fn filtered_servos_follow_their_activation() {
    let servo = r#"<position joint="j" kp="100" timeconst="0.1"/>"#;
    let case = actuated(servo).ctrl(&[1.0]).forward();
    assert_eq!(
        (case.actuator_force(), case.data.state.act[0]),
        (&[0.0][..], 0.0)
    );
    close(case.act_dot(), &[10.0], 1e-12);
    // Held in place, the activation reaches the control; the force is that of the servo throughout.
    let mut case = actuated(servo).ctrl(&[1.0]);
    for _ in 0..3000 {
        case = case.qpos(&[0.25]).qvel(&[0.0]);
        let act = case.data.state.act[0];
        case = case.steps(1);
        close(case.actuator_force(), &[100.0 * (act - 0.25)], 1e-12);
    }
    close(&case.data.state.act, &[1.0], 1e-12);
    for (timeconst, na) in [("", 0), (r#"timeconst="0""#, 0), (r#"timeconst="0.1""#, 1)] {
        let case = actuated(&format!(r#"<position joint="j" {timeconst}/>"#));
        assert_eq!(case.model.na, na);
    }
    assert_eq!(actuated(r#"<velocity joint="j"/>"#).model.na, 0);
}

#[test]
fn pressure_converges_to_the_control() {
    let case = actuated(r#"<cylinder joint="j" timeconst="0.05"/>"#)
        .ctrl(&[4.0])
        .steps(2000);
    close(&case.data.state.act, &[4.0], 1e-9);
    let model = actuated(r#"<cylinder joint="j"/>"#).model;
    assert_eq!(model.actuator_dynprm[0][0], 1.0);
}

#[test]
fn stateful_actuators_act_through_their_activation() {
    let case = actuated(r#"<general joint="j" dyntype="integrator"/>"#)
        .act(&[3.0])
        .ctrl(&[0.7])
        .forward();
    close(case.actuator_force(), &[3.0], 1e-15);
    close(case.act_dot(), &[0.7], 1e-15);
    for (early, expected) in [("false", 0.0), ("true", 0.2)] {
        let case = actuated(&format!(
            r#"<general joint="j" dyntype="filter" dynprm="0.1" gainprm="10" actearly="{early}"/>"#
        ))
        .ctrl(&[1.0])
        .forward();
        close(case.actuator_force(), &[expected], 1e-14);
    }
    // A filter of no time is as fast as rounding allows.
    let case = actuated(r#"<general joint="j" dyntype="filter" dynprm="0"/>"#)
        .ctrl(&[2.0])
        .forward();
    close(&[case.act_dot()[0] / 2e15], &[1.0], 1e-14);
}

#[test]
fn clamping_of_controls_may_be_switched_off() {
    let xml = slide(
        "",
        "",
        r#"<actuator><motor joint="j" ctrlrange="-3 3"/></actuator>"#,
    )
    .replace(
        r#"gravity="0 0 0" />"#,
        r#"gravity="0 0 0"><flag clampctrl="disable"/></option>"#,
    );
    let case = Case::new(&xml).ctrl(&[5.0]).forward();
    assert_eq!(
        (case.actuator_force(), case.data.input.ctrl[0]),
        (&[5.0][..], 5.0)
    );
    // A damper is limited by itself; a clamped control is not written back.
    let case = actuated(r#"<damper joint="j" kv="5" ctrlrange="0 1"/>"#)
        .qvel(&[2.0])
        .ctrl(&[3.0])
        .forward();
    assert_eq!(case.model.actuator_ctrllimited, [1]);
    close(case.actuator_force(), &[-10.0], 1e-14);
    assert_eq!(case.data.input.ctrl, [3.0]);
}

#[test]
fn delayed_controls_arrive_late() {
    let xml = slide(
        r#"timestep="0.01""#,
        "",
        r#"<actuator><motor joint="j" delay="0.03" nsample="4"/></actuator>"#,
    );
    let mut case = Case::new(&xml).ctrl(&[1.0]);
    for expected in [0.0, 0.0, 0.0, 1.0, 1.0] {
        case = case.steps(1);
        assert_eq!(case.actuator_force(), [expected]);
    }
}

#[test]
fn other_joints_transmit_along_their_axes() {
    let on = |joint: &str, actuator: &str| {
        let mut case = Case::new(&format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="{joint}"/>
                 <geom type="box" size=".1 .2 .3" mass="1"/></body></worldbody>
               <actuator>{actuator}</actuator></mujoco>"#
        ));
        let n = case.model.nq - 4;
        case.data.state.qpos[n..].copy_from_slice(&[0.8, 0.2, -0.4, 0.4]);
        case.ctrl(&[2.0]).forward()
    };
    // A quarter turn of a ball: the gear is an axis in the child's or in the parent's frame.
    let gear = r#"gear="1 2 3 0 0 0""#;
    let child = on("ball", &format!(r#"<motor joint="j" {gear}/>"#));
    close(&child.moment(0), &[1.0, 2.0, 3.0], 1e-14);
    let parent = on("ball", &format!(r#"<motor jointinparent="j" {gear}/>"#));
    let moment = parent.moment(0);
    let norm: f64 = moment.iter().map(|m| m * m).sum();
    close(&[norm], &[14.0], 1e-12);
    let mat = parent.data.position.kinematics.xmat[1];
    for k in 0..3 {
        let turned: f64 = (0..3).map(|i| mat.row(i)[k] * [1.0, 2.0, 3.0][i]).sum();
        close(&[moment[k]], &[turned], 1e-12);
    }
    // A free joint takes a wrench and has no length.
    let free = on("free", r#"<motor joint="j" gear="1 2 3 4 5 6"/>"#);
    close(&free.moment(0), &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 1e-14);
    assert_eq!(free.data.position.transmission.actuator_length, [0.0]);
}

#[test]
fn a_slider_crank_moves_its_slider() {
    // The crank's tip at (0.1·cos q, 0.1·sin q, 0); a rod of 0.3; the slider runs along x.
    let case = |q: f64| {
        Case::new(
            r#"<mujoco><option gravity="0 0 0"/><worldbody><site name="slider" zaxis="1 0 0"/>
                 <body><joint axis="0 0 1"/><geom size=".05"/><site name="crank" pos=".1 0 0"/></body>
               </worldbody><actuator><motor cranksite="crank" slidersite="slider" cranklength=".3"/>
               </actuator></mujoco>"#,
        )
        .qpos(&[q])
        .forward()
    };
    let length = |q: f64| {
        let (s, c) = (sinew::math::sine::sin(q), sinew::math::sine::cos(q));
        0.1 * c - (0.09 - 0.01 * s * s).sqrt()
    };
    for q in [0.0, 0.4, 1.3, -2.0] {
        let found = case(q);
        close(
            &found.data.position.transmission.actuator_length,
            &[length(q)],
            1e-13,
        );
        let slope = (length(q + 1e-6) - length(q - 1e-6)) / 2e-6;
        close(&found.moment(0), &[slope], 1e-9);
    }
}

#[test]
fn adhesion_presses_a_resting_ball() {
    let ball = |z: f64| {
        Case::new(&format!(
            r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="b" pos="0 0 {z}"><freejoint/>
                 <geom size=".1" mass="1"/></body></worldbody>
               <actuator><adhesion body="b" gain="50" ctrlrange="0 1"/></actuator></mujoco>"#
        ))
        .ctrl(&[1.0])
    };
    let rest = ball(0.1).steps(2000);
    close(rest.actuator_force(), &[50.0], 1e-12);
    close(&rest.qfrc_actuator()[2..3], &[-50.0], 1e-9);
    // Weight and adhesion together press on the plane.
    close(&rest.qfrc_constraint()[2..3], &[59.81], 1e-6);
    let air = ball(1.0).forward();
    close(air.actuator_force(), &[50.0], 1e-12);
    assert_eq!(air.qfrc_actuator(), [0.0; 6]);
}
