//! Activation dynamics and their limits.

use crate::{Case, close, slide};

fn actuated(actuator: &str) -> Case {
    Case::new(&slide("", "", &format!("<actuator>{actuator}</actuator>")))
}

const INTEGRATOR: &str =
    r#"<general joint="j" dyntype="integrator" actlimited="true" actrange="-1 1"/>"#;

#[test]
fn an_integrator_stops_at_its_limit() {
    let mut case = actuated(INTEGRATOR).ctrl(&[1.0]);
    let mut running = 0.0_f64;
    for _ in 0..2000 {
        case = case.steps(1);
        running = (running + 0.002).min(1.0);
        assert!((case.data.state.act[0] - running).abs() < 1e-12);
    }
    assert_eq!(case.data.state.act, [1.0]);
    let case = actuated(INTEGRATOR)
        .ctrl(&[1.0])
        .steps(1000)
        .ctrl(&[-1.0])
        .steps(1000);
    close(&case.data.state.act, &[-1.0], 1e-12);
    let free = actuated(r#"<general joint="j" dyntype="integrator"/>"#)
        .ctrl(&[1.0])
        .steps(1000);
    close(&free.data.state.act, &[2.0], 1e-12);
}

#[test]
fn muscles_have_no_activation_limit_of_their_own() {
    let muscle = || actuated(r#"<muscle joint="j" lengthrange="0 1"/>"#);
    let model = &muscle().model;
    assert_eq!(
        (model.actuator_actlimited[0], model.actuator_actrange[0]),
        (0, [0.0, 0.0])
    );
    close(
        &muscle().act(&[1.4]).steps(1).data.state.act,
        &[1.26],
        1e-12,
    );
    close(
        &muscle().act(&[-0.3]).steps(1).data.state.act,
        &[-0.18],
        1e-12,
    );
    let mut rising = muscle().ctrl(&[5.0]);
    for _ in 0..2000 {
        rising = rising.steps(1);
        assert!((0.0..=1.0).contains(&rising.data.state.act[0]));
    }
    close(&rising.data.state.act, &[1.0], 1e-6);
}

#[test]
fn an_exact_filter_follows_the_exponential() {
    let filter = |dyntype: &str| {
        actuated(&format!(
            r#"<general joint="j" dyntype="{dyntype}" dynprm="0.05" actlimited="true" actrange="-.5 .5"/>"#
        ))
        .ctrl(&[1.0])
    };
    close(
        &filter("filterexact").steps(1).data.state.act,
        &[0.039210560847677],
        1e-14,
    );
    assert_eq!(filter("filterexact").steps(1000).data.state.act, [0.5]);
    close(&filter("filter").steps(1).data.state.act, &[0.04], 1e-14);
    for (integrator, expected) in [
        ("Euler", 0.039210560847677),
        ("implicit", 0.039210560847677),
        ("implicitfast", 0.039210560847677),
        ("RK4", 0.038436701218787),
    ] {
        let actuator = r#"<actuator><general joint="j" dyntype="filterexact" dynprm="0.05"
                            actlimited="true" actrange="-.5 .5"/></actuator>"#;
        let xml = slide(&format!(r#"integrator="{integrator}""#), "", actuator);
        close(
            &Case::new(&xml).ctrl(&[1.0]).steps(1).data.state.act,
            &[expected],
            1e-13,
        );
        assert_eq!(
            Case::new(&xml).ctrl(&[1.0]).steps(1000).data.state.act,
            [0.5]
        );
    }
}

#[test]
fn early_activation_acts_one_step_ahead() {
    let integrator = |more: &str| {
        actuated(&format!(
            r#"<general joint="j" dyntype="integrator" gainprm="10" {more}/>"#
        ))
        .ctrl(&[1.0])
    };
    close(integrator("").forward().actuator_force(), &[0.0], 1e-15);
    let stepped = integrator("").steps(1);
    close(&stepped.data.state.act, &[0.002], 1e-15);
    close(stepped.forward().actuator_force(), &[0.02], 1e-15);
    let early = r#"actearly="true""#;
    close(integrator(early).forward().actuator_force(), &[0.02], 1e-15);
    let stepped = integrator(early).steps(1);
    close(&stepped.data.state.act, &[0.002], 1e-15);
    close(stepped.forward().actuator_force(), &[0.04], 1e-15);
    let limited =
        integrator(r#"actearly="true" actlimited="true" actrange="-.001 .001""#).forward();
    close(limited.actuator_force(), &[0.01], 1e-15);
    assert_eq!(
        (limited.data.state.act[0], limited.act_dot()[0]),
        (0.0, 1.0)
    );
}

#[test]
fn rates_see_the_activation_as_it_is() {
    let case = actuated(
        r#"<general joint="j" dyntype="filter" dynprm="0.1" gainprm="3" actlimited="true" actrange="-1 1"/>"#,
    )
    .act(&[5.0])
    .forward();
    close(case.act_dot(), &[-50.0], 1e-12);
    close(case.actuator_force(), &[15.0], 1e-12);
    assert_eq!(
        actuated(INTEGRATOR).act(&[5.0]).steps(1).data.state.act,
        [1.0]
    );
}

#[test]
fn disabled_actuators_keep_only_their_limit() {
    let xml = |option: &str| {
        let actuator = r#"<actuator><general joint="j" group="3" dyntype="integrator"
                            actlimited="true" actrange="-1 1"/></actuator>"#;
        slide(option, "", actuator)
    };
    let case = Case::new(&xml(r#"actuatorgroupdisable="3""#))
        .ctrl(&[1.0])
        .act(&[3.0])
        .steps(1);
    assert_eq!(
        (case.data.state.act[0], case.actuator_force()[0]),
        (1.0, 0.0)
    );
    let xml = xml("").replace(
        r#"gravity="0 0 0" />"#,
        r#"gravity="0 0 0"><flag actuation="disable"/></option>"#,
    );
    let case = Case::new(&xml).ctrl(&[1.0]).act(&[3.0]).steps(1);
    assert_eq!(case.data.state.act, [3.0]);
}

#[test]
fn an_integrator_adds_up_its_control() {
    let mut case = actuated(INTEGRATOR).ctrl(&[1.0]);
    for expected in [0.002, 0.004, 0.006] {
        case = case.steps(1);
        close(&case.data.state.act, &[expected], 1e-15);
    }
    assert_eq!(case.steps(997).data.state.act, [1.0]);
}

#[test]
fn muscle_activation_falls_to_zero_from_within() {
    let mut case = actuated(r#"<muscle joint="j" lengthrange="0 1"/>"#)
        .act(&[0.5])
        .ctrl(&[-5.0]);
    for _ in 0..2000 {
        case = case.steps(1);
        assert!(case.data.state.act[0] >= 0.0);
    }
    close(&case.data.state.act, &[0.0], 1e-6);
}

#[test]
fn a_general_actuator_may_limit_muscle_activation() {
    let muscle = r#"<general joint="j" dyntype="muscle" gaintype="muscle" biastype="muscle"
        dynprm="0.01 0.04" gainprm=".75 1.05 100 200 .5 1.6 1.5 1.3 1.2"
        biasprm=".75 1.05 100 200 .5 1.6 1.5 1.3 1.2" lengthrange="0 1"
        actlimited="true" actrange="-0.5 1.5"/>"#;
    assert_eq!(actuated(muscle).model.actuator_actrange, [[-0.5, 1.5]]);
    for (start, end) in [(3.0, 1.5), (-3.0, -0.5)] {
        assert_eq!(
            actuated(muscle).act(&[start]).steps(1).data.state.act,
            [end]
        );
    }
}

#[test]
fn a_servo_takes_its_activation_range_from_the_class() {
    let xml = slide(
        "",
        "",
        r#"<actuator><position joint="j" timeconst="0.05"/></actuator>
           <default><general actrange="-.5 .5"/></default>"#,
    );
    let case = Case::new(&xml).ctrl(&[1.0]).steps(1);
    close(&case.data.state.act, &[0.039210560847677], 1e-14);
    assert_eq!(case.steps(999).data.state.act, [0.5]);
}

#[test]
fn every_activation_of_an_actuator_is_limited_and_the_last_one_acts() {
    let case = actuated(
        r#"<general joint="j" dyntype="user" actdim="3" gainprm="10" actlimited="true" actrange="-1 1"/>"#,
    )
    .act(&[5.0, -5.0, 0.5])
    .steps(1);
    assert_eq!(case.data.state.act, [1.0, -1.0, 0.5]);
    close(case.actuator_force(), &[5.0], 1e-14);
}

#[test]
fn activations_of_keyframes_are_kept_as_they_are() {
    let sections =
        format!(r#"<actuator>{INTEGRATOR}</actuator><keyframe><key act="7"/></keyframe>"#);
    let mut case = Case::new(&slide("", "", &sections));
    case.data
        .reset_to_keyframe(&case.model, 0)
        .expect("a keyframe");
    assert_eq!(case.data.state.act, [7.0]);
    assert_eq!(case.forward().data.state.act, [7.0]);
}

#[test]
fn early_activation_without_a_state_changes_nothing() {
    let with = |early: &str| {
        let case = actuated(&format!(
            r#"<general joint="j" gainprm="3" actearly="{early}"/>"#
        ));
        case.ctrl(&[2.0]).forward().actuator_force().to_vec()
    };
    assert_eq!(with("true"), with("false"));
}
