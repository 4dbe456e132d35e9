//! Muscles: curves, activation, forces.

use crate::{Case, close};
use sinew::engine::acceleration::muscle;

const PRM: [f64; 10] = [0.75, 1.05, 100.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];

fn hinge(joint: &str, option: &str, sections: &str) -> String {
    format!(
        r#"<mujoco><option gravity="0 0 0" {option}><flag contact="disable"/></option><worldbody><body>
             <joint name="j" axis="0 1 0" {joint}/>
             <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".02" mass="1"/></body></worldbody>
           {sections}</mujoco>"#
    )
}

fn with_muscle(attributes: &str) -> Case {
    let actuator = format!(r#"<actuator><muscle joint="j" {attributes}/></actuator>"#);
    Case::new(&hinge("", "", &actuator))
}

#[test]
fn length_curve_has_four_parabolas() {
    let points = [
        (0.3, 0.0),
        (0.5, 0.0),
        (0.6, 0.08),
        (0.75, 0.5),
        (0.9, 0.92),
        (1.0, 1.0),
        (1.1, 0.9444444444444444),
        (1.3, 0.5),
        (1.5, 0.05555555555555555),
        (1.6, 0.0),
        (1.7, 0.0),
    ];
    for (length, expected) in points {
        close(
            &[muscle::length_curve(length, 0.5, 1.6)],
            &[expected],
            1e-12,
        );
    }
}

/// Length range such that the optimal length is 1 and length l − 0.75 means l.
const UNIT_RANGE: [f64; 2] = [0.0, 0.3];

#[test]
fn velocity_and_passive_curves_have_the_reference_values() {
    let gain = |v: f64| muscle::gain(0.25, v * 1.5, UNIT_RANGE, 1.0, &PRM) / -100.0;
    let points = [
        (-1.5, 0.0),
        (-1.0, 0.0),
        (-0.5, 0.25),
        (-0.1, 0.81),
        (0.0, 1.0),
        (0.05, 1.0875),
        (0.1, 1.15),
        (0.2, 1.2),
        (0.5, 1.2),
    ];
    for (v, expected) in points {
        close(&[gain(v)], &[expected], 1e-12);
    }
    let bias = |l: f64| muscle::bias(l - 0.75, UNIT_RANGE, 1.0, &PRM) / -100.0;
    let points = [
        (0.8, 0.0),
        (1.0, 0.0),
        (1.1, 0.07222222222222222),
        (1.3, 0.65),
        (1.45, 1.3),
        (1.6, 1.95),
        (1.9, 3.25),
    ];
    for (l, expected) in points {
        close(&[bias(l)], &[expected], 1e-12);
    }
}

#[test]
fn gain_derivative_is_the_slope_of_the_gain() {
    for v in [-1.4, -0.7, 0.1, 0.25, 1.0] {
        let at = |v| muscle::gain(0.2, v, UNIT_RANGE, 1.0, &PRM);
        let slope = (at(v + 1e-6) - at(v - 1e-6)) / 2e-6;
        let derivative = muscle::gain_velocity_derivative(0.2, v, UNIT_RANGE, 1.0, &PRM);
        close(&[derivative], &[slope], 1e-7);
    }
}

#[test]
fn activation_rates_have_the_reference_values() {
    let rate = |tau: [f64; 3], ctrl, act| {
        let mut prm = [0.0; 10];
        prm[..3].copy_from_slice(&tau);
        muscle::activation_rate(ctrl, act, &prm)
    };
    let plain = [0.01, 0.04, 0.0];
    for (ctrl, act, expected) in [
        (1.0, 0.0, 200.0),
        (1.0, 0.5, 40.0),
        (0.0, 0.5, -15.625),
        (0.0, 1.0, -50.0),
        (2.0, 0.5, 40.0),
        (-1.0, 0.5, -15.625),
        (0.5, 1.5, -50.0),
        (1.0, -0.2, 240.0),
    ] {
        close(&[rate(plain, ctrl, act)], &[expected], 1e-12);
    }
    let smooth = [0.01, 0.04, 0.2];
    for (ctrl, expected) in [(0.6, 8.0), (0.45, -1.667698120582), (0.9, 32.0)] {
        close(&[rate(smooth, ctrl, 0.5)], &[expected], 1e-12);
    }
    close(
        &[rate([0.02, 0.05, 0.2], 0.7, 0.3)],
        &[21.052631578947],
        1e-12,
    );
    close(
        &[rate([0.02, 0.05, 1.0], 0.5, 0.3)],
        &[8.168387086623],
        1e-12,
    );
    let instant = rate([0.0; 3], 1.0, 0.0);
    assert!(instant.is_finite() && (instant - 1e15).abs() < 1.0);
}

#[test]
fn activation_rises_faster_than_it_falls() {
    let muscle = |act: f64, ctrl: f64| {
        let actuator = r#"<actuator><muscle joint="j"/></actuator>"#;
        let xml = hinge(r#"range="-90 90""#, r#"timestep=".001""#, actuator).replace(
            "<muscle joint=\"j\"/>",
            r#"<muscle joint="j" lengthrange="-1.57 1.57"/>"#,
        );
        Case::new(&xml).act(&[act]).ctrl(&[ctrl])
    };
    close(
        &muscle(0.0, 1.0).steps(100).data.state.act,
        &[0.997369784499],
        1e-11,
    );
    close(
        &muscle(1.0, 0.0).steps(200).data.state.act,
        &[0.021120298372],
        1e-11,
    );
    for (steps, expected) in [(1, 0.2), (2, 0.3), (3, 0.373684210526)] {
        close(
            &muscle(0.0, 1.0).steps(steps).data.state.act,
            &[expected],
            1e-11,
        );
    }
    let count = |mut case: Case, done: fn(f64) -> bool| {
        let mut steps = 0;
        while !done(case.data.state.act[0]) {
            case = case.steps(1);
            steps += 1;
        }
        steps
    };
    let rising = count(muscle(0.0, 1.0), |act| act >= 0.9);
    let falling = count(muscle(1.0, 0.0), |act| act <= 0.1);
    assert_eq!((rising, falling), (31, 93));
}

#[test]
fn forces_follow_length_velocity_and_activation() {
    let muscle = || with_muscle(r#"force="100" lengthrange="0 0.3""#);
    for (q, v, act, force) in [
        (0.25, 0.0, 1.0, -100.0),
        (0.25, 0.0, 0.0, 0.0),
        (0.0, 0.0, 1.0, -50.0),
        (0.1, 0.0, 1.0, -82.0),
        (0.5, 0.0, 1.0, -110.416666667),
        (0.7, 0.0, 1.0, -142.5),
        (0.9, 0.0, 0.5, -216.666666667),
        (0.25, -1.0, 1.0, -11.111111111),
        (0.25, 0.2, 1.0, -117.777777778),
        (0.25, 1.0, 0.3, -36.0),
    ] {
        let case = muscle().qpos(&[q]).qvel(&[v]).act(&[act]).forward();
        close(case.actuator_force(), &[force], 1e-10);
        close(case.qfrc_actuator(), &[force], 1e-10);
        assert_eq!(case.model.na, 1);
    }
    let sections = r#"<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon>
        <actuator><muscle tendon="t" force="100" lengthrange="0 0.3"/></actuator>"#;
    let case = Case::new(&hinge("", "", sections))
        .qpos(&[0.125])
        .act(&[1.0])
        .forward();
    close(case.actuator_force(), &[-100.0], 1e-12);
    close(case.qfrc_actuator(), &[-200.0], 1e-12);
}

#[test]
fn parameters_go_where_the_reference_has_them() {
    let case = with_muscle(
        r#"timeconst=".02 .05" tausmooth=".1" range=".6 1.2" force="123" scale="150" lmin=".4"
           lmax="1.7" vmax="2" fpmax="1.4" fvmax="1.3" lengthrange="0 1""#,
    );
    assert_eq!(case.model.actuator_dynprm[0][..3], [0.02, 0.05, 0.1]);
    let expected = [0.6, 1.2, 123.0, 150.0, 0.4, 1.7, 2.0, 1.4, 1.3];
    assert_eq!(case.model.actuator_gainprm[0][..9], expected);
    assert_eq!(case.model.actuator_biasprm[0][..9], expected);
}

#[test]
fn peak_force_scales_with_the_acceleration_it_causes() {
    let case = |actuator: &str, sections: &str| {
        Case::new(&format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody><body>
                 <joint name="j" axis="0 0 1" range="-90 90"/>
                 <inertial pos="0 0 0" mass="1" diaginertia="2 2 2"/></body></worldbody>
               {sections}<actuator>{actuator}</actuator></mujoco>"#
        ))
    };
    let acc0 = |actuator: &str, sections: &str| case(actuator, sections).model.actuator_acc0[0];
    let tendon = r#"<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon>"#;
    let range = r#"lengthrange="0 .3""#;
    close(
        &[acc0(
            &format!(r#"<muscle joint="j" gear="3" {range}/>"#),
            "",
        )],
        &[1.5],
        1e-10,
    );
    close(
        &[acc0(
            &format!(r#"<muscle tendon="t" gear="-3" {range}/>"#),
            tendon,
        )],
        &[3.0],
        1e-10,
    );
    close(
        &[acc0(&format!(r#"<muscle joint="j" {range}/>"#), "")],
        &[0.5],
        1e-10,
    );
    close(&[acc0(r#"<motor joint="j" gear="3"/>"#, "")], &[1.5], 1e-10);
    let force = |attributes: &str| {
        let case = case(&format!(r#"<muscle joint="j" {range} {attributes}/>"#), "");
        case.qpos(&[0.25]).act(&[1.0]).forward().actuator_force()[0]
    };
    close(
        &[force(""), force(r#"force="500""#)],
        &[-400.0, -500.0],
        1e-10,
    );
}

#[test]
fn trajectories_follow_the_reference() {
    for (integrator, qpos, qvel, act) in [
        ("Euler", -0.895413020246, -6.607519344719, 0.699999701047),
        (
            "implicitfast",
            -0.887791841021,
            -6.581063143452,
            0.699999701047,
        ),
        ("implicit", -0.887791841021, -6.581063143452, 0.699999701047),
        ("RK4", -0.880587589919, -6.591184341650, 0.699999115366),
    ] {
        let actuator =
            r#"<actuator><muscle joint="j" force="5" lengthrange="-1.57 1.57"/></actuator>"#;
        let option = format!(r#"integrator="{integrator}" timestep=".002""#);
        let case = Case::new(&hinge(r#"range="-90 90" damping=".1""#, &option, actuator))
            .ctrl(&[0.7])
            .steps(100);
        let state = &case.data.state;
        close(
            &[state.qpos[0], state.qvel[0], state.act[0]],
            &[qpos, qvel, act],
            1e-7,
        );
    }
}

#[test]
fn muscles_on_a_slide_follow_the_curves_written_out() {
    let on_slide = |attributes: &str| {
        let muscle = format!(r#"<muscle joint="j" lengthrange="0 1" {attributes}/>"#);
        Case::new(&crate::slide(
            "",
            "",
            &format!("<actuator>{muscle}</actuator>"),
        ))
    };
    let at = |case: Case, q: f64, v: f64, act: f64| {
        let case = case.qpos(&[q]).qvel(&[v]).act(&[act]).forward();
        case.actuator_force()[0]
    };
    for (q, v, act, force) in [
        (0.5, 0.0, 1.0, -92.0),
        (0.5, 0.0, 0.0, 0.0),
        (5.0 / 6.0, 0.0, 1.0, -100.0),
        (1.2, 0.0, 0.0, -8.738888888889),
        (1.2, 0.0, 1.0, -102.016666666667),
        (0.5, -1.0, 1.0, -58.88),
        (0.5, 1.0, 0.5, -55.2),
        (3.0, 0.0, 0.5, -216.666666666667),
    ] {
        close(
            &[at(on_slide(r#"force="100""#), q, v, act)],
            &[force],
            1e-12,
        );
    }
    let scaled = on_slide("");
    close(&scaled.model.actuator_acc0, &[1.0], 1e-12);
    close(&[at(scaled, 0.5, 0.2, 0.5)], &[-98.624], 1e-12);

    // The same formula in one line per piece: an optimal length of 1/0.3, parameters by default.
    let square = |x: f64| x * x;
    let direct = |q: f64, v: f64, act: f64| {
        let (l0, lmin, lmax) = (1.0 / (1.05 - 0.75), 0.5, 1.6);
        let (l, v) = (0.75 + q / l0, v / (l0 * 1.5));
        let (a, b) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
        let length = match l {
            _ if l < lmin || l > lmax => 0.0,
            _ if l <= a => 0.5 * square((l - lmin) / (a - lmin)),
            _ if l <= 1.0 => 1.0 - 0.5 * square((1.0 - l) / (1.0 - a)),
            _ if l <= b => 1.0 - 0.5 * square((l - 1.0) / (b - 1.0)),
            _ => 0.5 * square((lmax - l) / (lmax - b)),
        };
        let y = 1.2 - 1.0;
        let velocity = match v {
            _ if v <= -1.0 => 0.0,
            _ if v <= 0.0 => square(v + 1.0),
            _ if v <= y => 1.2 - square(y - v) / y,
            _ => 1.2,
        };
        let passive = match l {
            _ if l <= 1.0 => 0.0,
            _ if l <= b => 1.3 * 0.5 * square((l - 1.0) / (b - 1.0)),
            _ => 1.3 * (0.5 + (l - b) / (b - 1.0)),
        };
        -100.0 * (length * velocity * act + passive)
    };
    for k in 0..200 {
        let q = -1.5 + 0.03 * f64::from(k);
        let (v, act) = (6.0 * (q * 7.3 % 1.0), (q * 3.1 % 1.0).abs());
        let (found, expected) = (at(on_slide(r#"force="100""#), q, v, act), direct(q, v, act));
        // A few roundings, most of them in the length.
        assert!((found - expected).abs() <= 2e-14 * expected.abs().max(1.0));
    }
}
