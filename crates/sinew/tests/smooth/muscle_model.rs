//! Muscles in a model: defaults, limits, neighbours of other kinds, length ranges, bad input.

use crate::{Case, close};
use sinew::mjcf::load_text;
use sinew::model::Model;
use std::f64::consts::FRAC_PI_2;

/// One hinge about y with a capsule of 1 kg, without gravity.
fn hinge(compiler: &str, option: &str, joint: &str, sections: &str) -> String {
    format!(
        r#"<mujoco><compiler>{compiler}</compiler><option gravity="0 0 0" {option}/><worldbody><body>
             <joint name="j" axis="0 1 0" {joint}/>
             <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".02" mass="1"/></body></worldbody>
           {sections}</mujoco>"#
    )
}

fn actuated(actuators: &str) -> String {
    hinge("", "", "", &format!("<actuator>{actuators}</actuator>"))
}

fn load(xml: &str) -> Model {
    Case::new(xml).model
}

#[test]
fn one_runge_kutta_step_combines_four_rates() {
    let xml = hinge(
        "",
        r#"timestep=".001" integrator="RK4""#,
        "",
        r#"<actuator><muscle joint="j" lengthrange="-1 1"/></actuator>"#,
    );
    let case = Case::new(&xml).ctrl(&[1.0]).steps(1);
    // By hand: act' = (1 − act) / (0.01 (0.5 + 1.5 act)).
    let rate = |act: f64| (1.0 - act) / (0.01 * (0.5 + 1.5 * act));
    let h = 0.001;
    let k1 = rate(0.0);
    let k2 = rate(h / 2.0 * k1);
    let k3 = rate(h / 2.0 * k2);
    let k4 = rate(h * k3);
    let expected = h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    close(&case.data.state.act, &[expected], 1e-12);
    close(&case.data.state.act, &[0.150147129035], 1e-11);
}

#[test]
fn steps_longer_than_the_time_constant_overshoot() {
    for (option, expected) in [
        (r#"timestep=".1""#, 20.0),
        (r#"timestep=".05" integrator="RK4""#, -6.25),
    ] {
        let actuator = r#"<actuator><muscle joint="j" lengthrange="-1 1" force="0"/></actuator>"#;
        let case = Case::new(&hinge("", option, "", actuator)).ctrl(&[1.0]);
        close(&case.steps(1).data.state.act, &[expected], 1e-10);
    }
}

#[test]
fn other_actuators_are_what_they_were() {
    let case = Case::new(&actuated(r#"<motor joint="j" gear="2"/>"#))
        .ctrl(&[0.5])
        .forward();
    close(case.actuator_force(), &[0.5], 1e-15);
    close(case.qfrc_actuator(), &[1.0], 1e-15);

    let three = r#"<general joint="j" dyntype="filter" dynprm=".1"/>
        <general joint="j" dyntype="integrator"/>
        <general joint="j" dyntype="filterexact" dynprm=".1"/>"#;
    let xml = hinge(
        "",
        r#"timestep=".01""#,
        "",
        &format!("<actuator>{three}</actuator>"),
    );
    let start = Case::new(&xml).ctrl(&[1.0; 3]).forward();
    close(start.actuator_force(), &[0.0; 3], 0.0);
    close(start.act_dot(), &[10.0, 1.0, 10.0], 1e-12);
    let after = start.steps(1);
    let act = [0.1, 0.01, 0.095162581964];
    close(&after.data.state.act, &act, 1e-11);
    close(after.forward().actuator_force(), &act, 1e-11);
}

#[test]
fn controls_are_clamped_if_limited() {
    for (attributes, force) in [
        (r#"ctrlrange="-1 1""#, 1.0),
        (r#"ctrlrange="-1 1" ctrllimited="true""#, 1.0),
        (r#"ctrlrange="-1 1" ctrllimited="false""#, 5.0),
    ] {
        let case = Case::new(&actuated(&format!(r#"<motor joint="j" {attributes}/>"#)));
        let case = case.ctrl(&[5.0]).forward();
        close(case.actuator_force(), &[force], 0.0);
        assert_eq!(case.data.input.ctrl, [5.0], "the stored control stays");
    }
}

#[test]
fn forces_are_clamped_if_limited() {
    for (attributes, force) in [
        (r#"forcerange="-100 0""#, -100.0),
        (r#"forcerange="-100 0" forcelimited="true""#, -100.0),
        (r#"forcerange="-100 0" forcelimited="false""#, -500.0),
    ] {
        let muscle = format!(r#"<muscle joint="j" force="500" lengthrange="0 .3" {attributes}/>"#);
        let case = Case::new(&actuated(&muscle)).qpos(&[0.25]).act(&[1.0]);
        close(case.forward().actuator_force(), &[force], 1e-10);
    }
}

#[test]
fn classes_reach_bare_muscles() {
    let with = |muscle: &str| {
        let sections = format!(
            r#"<default><muscle timeconst=".02 .06" force="50"/></default><actuator>{muscle}</actuator>"#
        );
        load(&hinge("", "", "", &sections))
    };
    let m = with(r#"<muscle joint="j" lengthrange="0 1"/>"#);
    assert_eq!(m.actuator_dynprm[0][..3], [0.02, 0.06, 0.0]);
    assert_eq!(
        [m.actuator_gainprm[0][2], m.actuator_biasprm[0][2]],
        [50.0; 2]
    );
    let m = with(r#"<muscle joint="j" lengthrange="0 1" force="60"/>"#);
    assert_eq!(m.actuator_gainprm[0][2], 60.0);
    let m = with(r#"<muscle joint="j" lengthrange="0 1" force="-1"/>"#);
    assert_eq!(m.actuator_gainprm[0][2], 50.0, "negative means not given");
}

#[test]
fn peak_forces_are_stored_as_written() {
    let m = load(&actuated(
        r#"<muscle joint="j" lengthrange="0 .3"/><muscle joint="j" lengthrange="0 .3" force="500"/>"#,
    ));
    assert_eq!(
        [m.actuator_gainprm[0][2], m.actuator_gainprm[1][2]],
        [-1.0, 500.0]
    );
    assert_eq!(m.na, 2, "one activation each");
}

#[test]
fn length_ranges_are_found_copied_or_left() {
    let quarter = r#"range="-90 90""#;
    let bare = r#"<actuator><muscle joint="j" GEAR/></actuator>"#;
    for (compiler, gear, expected) in [
        ("", "", 1.571366265148),
        ("", r#"gear="2""#, 3.142732530296),
        ("", r#"gear="-2""#, 3.142732530296),
        (r#"<lengthrange uselimit="true"/>"#, "", FRAC_PI_2),
        (
            r#"<lengthrange uselimit="true"/>"#,
            r#"gear="2""#,
            FRAC_PI_2,
        ),
        (r#"<lengthrange mode="none"/>"#, "", 0.0),
    ] {
        let m = load(&hinge(compiler, "", quarter, &bare.replace("GEAR", gear)));
        close(&m.actuator_lengthrange[0], &[-expected, expected], 1e-6);
    }
    let tendon = r#"<tendon><fixed name="t" range="-1 2"><joint joint="j" coef="1"/></fixed></tendon>
        <actuator><muscle tendon="t"/></actuator>"#;
    let m = load(&hinge("", "", "", tendon));
    let expected = [-1.000569938353, 2.000569938353];
    close(&m.actuator_lengthrange[0], &expected, 1e-6);
}

#[test]
fn an_empty_length_range_stays_finite() {
    let compiler = r#"<lengthrange mode="none"/>"#;
    let actuator = r#"<actuator><muscle joint="j" force="100"/></actuator>"#;
    let xml = hinge(compiler, "", "", actuator);
    let loaded = load_text(&xml).expect("loads");
    assert!(
        loaded
            .warnings
            .iter()
            .any(|warning| warning.to_string().contains("empty length range")),
        "a warning about the muscle"
    );
    let at = |q: f64| {
        let case = Case::new(&xml).qpos(&[q]).act(&[1.0]).forward();
        case.actuator_force()[0]
    };
    close(&[at(0.0)], &[-50.0], 1e-10);
    close(&[at(-1e-3)], &[0.0], 0.0);
    assert!(at(1e-3) < -1e13 && at(1e-3).is_finite());
}

#[test]
fn wrong_muscles_are_refused_by_name() {
    let limited = r#"range="-90 90""#;
    for (joint, muscle) in [
        (limited, r#"joint="j" range="1 .5""#),
        (limited, r#"joint="j" lmin="1""#),
        (limited, r#"joint="j" lmax="1""#),
        (limited, r#"joint="j" scale="0""#),
        (limited, r#"joint="j" vmax="0""#),
        (limited, r#"joint="j" fpmax="0""#),
        (limited, r#"joint="j" fvmax="0""#),
        (limited, r#"joint="j" tausmooth="-1""#),
        (limited, r#"joint="j" timeconst=".01""#),
        (limited, ""),
        (limited, r#"joint="k""#),
        (limited, r#"joint="j" jointinparent="j""#),
        (limited, r#"site="s""#),
        (limited, r#"joint="j" dynprm="1""#),
        (limited, r#"joint="j" actrange="0 1""#),
        (limited, r#"joint="j" ctrllimited="true""#),
        (limited, r#"joint="j" forcelimited="true" forcerange="1 0""#),
        (limited, r#"joint="j" gear="0""#),
        ("", r#"joint="j""#),
        (r#"type="ball""#, r#"joint="j""#),
    ] {
        let actuator = format!(r#"<actuator><muscle name="biceps" {muscle}/></actuator>"#);
        let Err(error) = load_text(&hinge("", "", joint, &actuator)) else {
            panic!("{muscle} loads");
        };
        let first = &error.diagnostics[0];
        assert_eq!(first.line, 4, "{muscle}: {error}");
        assert!(first.element.contains("biceps"), "{muscle}: {first:?}");
    }
    for compiler in [
        r#"<lengthrange mode="some"/>"#,
        r#"<lengthrange uselimit="maybe"/>"#,
    ] {
        assert!(
            load_text(&hinge(compiler, "", "", "")).is_err(),
            "{compiler}"
        );
    }
    let general = r#"<actuator><general joint="j" gaintype="muscle" biastype="muscle" dyntype="muscle"/></actuator>"#;
    assert!(load_text(&hinge("", "", limited, general)).is_err());
}

#[test]
fn odd_muscles_that_the_reference_accepts_load() {
    for muscle in [
        r#"force="-5""#,
        r#"fvmax=".5""#,
        r#"timeconst="0 0""#,
        r#"force="0""#,
        r#"lengthrange="1 0""#,
        r#"ctrlrange="1 0""#,
    ] {
        let actuator = format!(r#"<actuator><muscle joint="j" {muscle}/></actuator>"#);
        load(&hinge("", "", r#"range="-90 90""#, &actuator));
    }
}
