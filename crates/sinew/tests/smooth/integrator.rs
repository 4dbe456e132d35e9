//! Integrators: order, energy, implicit terms.

use crate::{Case, close, slide};
use sinew::engine::{Engine, Moment, Observer};
use sinew::model::kinds::TimerKind;

const INTEGRATORS: [&str; 4] = ["Euler", "RK4", "implicit", "implicitfast"];

/// A ball of radius 0.1 and mass 1 on a massless arm of length 1, hinge about y.
fn pendulum(integrator: &str, timestep: f64) -> Case {
    Case::new(&format!(
        r#"<mujoco><option integrator="{integrator}" timestep="{timestep}"><flag energy="enable"/></option>
             <worldbody><body><joint axis="0 1 0"/><geom size=".1" pos="0 0 -1" mass="1"/></body>
           </worldbody></mujoco>"#
    ))
    .qpos(&[0.5])
}

fn angle_after_one_second(integrator: &str, steps: usize) -> f64 {
    pendulum(integrator, 1.0 / steps as f64)
        .steps(steps)
        .data
        .state
        .qpos[0]
}

#[test]
fn errors_shrink_with_the_order_of_the_method() {
    let exact = -0.4989703770511;
    let error = |integrator, steps| (angle_after_one_second(integrator, steps) - exact).abs();
    let (coarse, fine) = (error("RK4", 100), error("RK4", 200));
    assert!((coarse - 1.008e-9).abs() < 1e-11);
    assert!((12.0..24.0).contains(&(coarse / fine)));
    let (coarse, fine) = (error("Euler", 100), error("Euler", 200));
    assert!((coarse - 4.9357e-4).abs() < 1e-8);
    assert!((1.8..4.0).contains(&(coarse / fine)));
}

#[test]
fn methods_agree_for_small_steps() {
    let at = |integrator| pendulum(integrator, 1e-5).steps(10).data.state.qpos[0];
    let difference = (at("RK4") - at("Euler")).abs();
    assert!((difference - 2.34e-9).abs() < 1e-11);
}

#[test]
fn runge_kutta_energy_drift_falls_with_the_fifth_power() {
    let drift = |steps: usize| {
        let start = pendulum("RK4", 1.0 / steps as f64).forward();
        let before: f64 = start.data.energy.values.iter().sum();
        let after: f64 = start.steps(steps).forward().data.energy.values.iter().sum();
        ((after - before) / before).abs()
    };
    assert!(drift(1000) < 1e-10);
    let drifts = [drift(50), drift(100), drift(200)];
    for (drift, expected) in drifts.iter().zip([5.289e-9, 1.660e-10, 5.23e-12]) {
        assert!((drift / expected - 1.0).abs() < 0.01, "{drifts:?}");
    }
    for pair in drifts.windows(2) {
        assert!((16.0..64.0).contains(&(pair[0] / pair[1])), "{drifts:?}");
    }
}

#[test]
fn a_free_sphere_keeps_its_spin() {
    for integrator in INTEGRATORS {
        let mut case = Case::new(&format!(
            r#"<mujoco><option integrator="{integrator}" timestep="0.001" gravity="0 0 0"/>
                 <worldbody><body><freejoint/><geom size=".1" mass="1"/></body></worldbody></mujoco>"#
        ))
        .qvel(&[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
        let start = case.data.state.qpos.clone();
        for _ in 0..100 {
            case = case.steps(1);
            let quat = &case.data.state.qpos[3..];
            let norm: f64 = quat.iter().map(|q| q * q).sum::<f64>().sqrt();
            assert!((norm - 1.0).abs() < 1e-10);
        }
        let mut expected = start;
        sinew::engine::integrate::integrate_position(
            &case.model,
            &mut expected,
            &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0],
            0.1,
        )
        .expect("fits");
        close(&case.data.state.qpos, &expected, 1e-12);
    }
}

#[test]
fn sensors_describe_the_state_before_the_step() {
    let case = Case::new(
        r#"<mujoco><option integrator="RK4" timestep="0.01"/><worldbody><body>
             <joint name="j" axis="0 1 0"/><geom size=".1" pos="0 0 -1" mass="1"/></body></worldbody>
             <sensor><jointpos joint="j"/><jointvel joint="j"/><clock/></sensor></mujoco>"#,
    )
    .qpos(&[0.5])
    .qvel(&[0.3])
    .steps(1);
    assert_eq!(case.data.sensor.sensordata, [0.5, 0.3, 0.0]);
    close(&case.data.state.qpos, &[0.502765366819], 1e-11);
    close(&case.data.state.qvel, &[0.253033876219], 1e-11);
    assert_eq!(case.data.state.time, 0.01);
}

#[test]
fn warm_start_is_the_acceleration_of_the_step() {
    let case = pendulum("RK4", 0.01).steps(3);
    assert_eq!(case.data.state.qacc_warmstart, case.qacc());
    let before = case.data.state.qacc_warmstart.clone();
    assert_eq!(case.forward().data.state.qacc_warmstart, before);
}

/// Velocity after one step of 0.01 s with each integrator.
fn velocities(
    make: impl Fn(&str) -> String,
    state: (&[f64], &[f64]),
    ctrl: &[f64],
) -> Vec<Vec<f64>> {
    INTEGRATORS
        .iter()
        .map(|integrator| {
            let option = format!(r#"integrator="{integrator}" timestep="0.01""#);
            Case::new(&make(&option))
                .qpos(state.0)
                .qvel(state.1)
                .ctrl(ctrl)
                .steps(1)
                .data
                .state
                .qvel
        })
        .collect()
}

#[test]
fn dampers_are_implicit_and_springs_explicit() {
    let make = |option: &str| slide(option, r#"stiffness="100" damping="10""#, "");
    let found = velocities(make, (&[0.1], &[1.0]), &[]);
    let expected = [
        0.818181818182,
        0.805158333333,
        0.818181818182,
        0.818181818182,
    ];
    for (v, e) in found.iter().zip(expected) {
        close(v, &[e], 1e-11);
    }
    let after_step = |integrator: &str| {
        let option = format!(r#"timestep="0.01" integrator="{integrator}""#);
        let case = Case::new(&make(&option)).qpos(&[0.1]).qvel(&[1.0]);
        case.steps(1)
    };
    for integrator in ["Euler", "implicit", "implicitfast"] {
        close(after_step(integrator).qacc(), &[-20.0], 1e-12);
    }
    close(&after_step("RK4").data.state.qpos, &[0.109017083333], 1e-11);
    let explicit = make(r#"timestep="0.01""#).replace(
        r#"timestep="0.01"/>"#,
        r#"timestep="0.01"><flag eulerdamp="disable"/></option>"#,
    );
    let case = Case::new(&explicit).qpos(&[0.1]).qvel(&[1.0]).steps(1);
    close(&case.data.state.qvel, &[0.8], 1e-12);
}

#[test]
fn servo_velocity_terms_are_implicit() {
    let servo = |limit: &'static str| {
        move |option: &str| {
            let actuator = format!(r#"<actuator><velocity joint="j" kv="50" {limit}/></actuator>"#);
            slide(option, "", &actuator)
        }
    };
    let check = |found: Vec<Vec<f64>>, expected: [f64; 4]| {
        for (v, e) in found.iter().zip(expected) {
            close(v, &[e], 1e-11);
        }
    };
    let state: (&[f64], &[f64]) = (&[0.0], &[1.0]);
    let two_thirds = 0.666666666667;
    let expected = [0.5, 0.606770833333, two_thirds, two_thirds];
    check(velocities(servo(""), state, &[0.0]), expected);
    let limited = servo(r#"forcerange="-10 10""#);
    check(velocities(limited, state, &[0.0]), [0.9; 4]);
    let damper = |option: &str| {
        let actuator = r#"<actuator><damper joint="j" kv="50" ctrlrange="0 1"/></actuator>"#;
        slide(option, "", actuator)
    };
    check(velocities(damper, state, &[1.0]), expected);
    let found = velocities(damper, state, &[2.0]);
    close(&found[2], &[0.75], 1e-11);
}

#[test]
fn tendon_damping_couples_within_a_tree_only() {
    let tendon = r#"<tendon><fixed damping="30"><joint joint="a" coef="1"/>
                      <joint joint="b" coef="-1"/></fixed></tendon>"#;
    let nested = |option: &str| {
        format!(
            r#"<mujoco><option gravity="0 0 0" {option}/><worldbody><body>
                 <joint name="a" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/><body>
                 <joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/>
               </body></body></worldbody>{tendon}</mujoco>"#
        )
    };
    let found = velocities(nested, (&[0.0, 0.0], &[1.0, -1.0]), &[]);
    close(&found[0], &[-0.2, 0.5], 1e-11);
    close(&found[1], &[0.36851875, -0.2106484375], 1e-10);
    close(&found[2], &[0.489361702128, -0.361702127660], 1e-11);
    close(&found[3], &[0.489361702128, -0.361702127660], 1e-11);
    let apart = |option: &str| {
        format!(
            r#"<mujoco><option gravity="0 0 0" {option}/><worldbody><body>
                 <joint name="a" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body><body pos="9 0 0">
                 <joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/>
               </body></worldbody>{tendon}</mujoco>"#
        )
    };
    let found = velocities(apart, (&[0.0, 0.0], &[1.0, -1.0]), &[]);
    close(&found[2], &[0.538461538462, -0.739130434783], 1e-11);
}

#[test]
fn double_pendulum_follows_the_reference() {
    let xml = |option: &str| {
        let link = r#"<joint axis="0 1 0" damping="0.1"/>
                      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03" mass="1"/>"#;
        format!(
            r#"<mujoco><option {option}><flag contact="disable"/></option><worldbody>
                 <body>{link}<body pos="0 0 -.5">{link}</body></body></worldbody></mujoco>"#
        )
    };
    let found = velocities(xml, (&[1.0, -0.5], &[2.0, -3.0]), &[]);
    close(&found[0], &[1.708856869434, -2.421750790085], 1e-9);
    close(&found[1], &[1.707732785305, -2.420950680759], 1e-9);
    close(&found[2], &[1.714570443775, -2.442284883657], 1e-9);
    close(&found[3], &[1.708856869434, -2.421750790085], 1e-9);
    let after_hundred = |integrator: &str| {
        Case::new(&xml(&format!(
            r#"integrator="{integrator}" timestep="0.01""#
        )))
        .qpos(&[1.0, -0.5])
        .qvel(&[2.0, -3.0])
        .steps(100)
        .data
        .state
        .qpos
    };
    close(
        &after_hundred("Euler"),
        &[-0.730683122305, -0.295489164522],
        1e-9,
    );
    close(
        &after_hundred("implicit"),
        &[-0.721130913956, -0.297875709311],
        1e-9,
    );
    close(
        &after_hundred("RK4"),
        &[-0.732956055660, -0.292402102643],
        1e-9,
    );
}

fn free_box(option: &str) -> String {
    format!(
        r#"<mujoco><option gravity="0 0 0" {option}/><worldbody><body><freejoint/>
             <geom type="box" size=".1 .2 .3" mass="1"/></body></worldbody></mujoco>"#
    )
}

const AT_ORIGIN: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

#[test]
fn a_tumbling_box_follows_the_reference() {
    let velocity = [0.0, 0.0, 0.0, 5.0, 1.0, 8.0];
    let found = velocities(free_box, (&AT_ORIGIN, &velocity), &[]);
    close(&found[0][3..], &[5.030769230769, 0.68, 8.03], 1e-11);
    close(
        &found[1][3..],
        &[5.025871902518, 0.678581003478, 8.025250519334],
        1e-11,
    );
    close(
        &found[2][3..],
        &[5.020935363388, 0.677841702213, 8.020460863247],
        1e-11,
    );
    close(&found[3][3..], &[5.030769230769, 0.68, 8.03], 1e-11);
}

#[test]
fn a_box_in_fluid_follows_the_reference() {
    let make = |option: &str| free_box(&format!(r#"{option} viscosity="5" density="100""#));
    let velocity = [1.0, 2.0, 3.0, 0.5, 0.2, 0.1];
    let found = velocities(make, (&AT_ORIGIN, &velocity), &[]);
    let expected = [
        0.691504440785,
        0.746711121689,
        0.784041639314,
        0.784041639314,
    ];
    for (v, e) in found.iter().zip(expected) {
        close(&v[..1], &[e], 1e-11);
    }
    close(
        &found[2][3..],
        &[0.404467098995, 0.153122710092, 0.062566843323],
        1e-11,
    );
    close(
        &found[3][3..],
        &[0.404504763858, 0.152950258304, 0.062725767538],
        1e-11,
    );
}

#[test]
fn filters_advance_by_their_own_rule() {
    let step = |integrator: &str, dyntype: &str| {
        let option = format!(r#"integrator="{integrator}" timestep="0.05""#);
        let actuator = format!(
            r#"<actuator><general joint="j" dyntype="{dyntype}" dynprm="0.1"/></actuator>"#
        );
        let case = Case::new(&slide(&option, "", &actuator))
            .ctrl(&[1.0])
            .steps(1);
        (case.data.state.act[0], case.data.state.qvel[0])
    };
    close(&[step("Euler", "filter").0], &[0.5], 1e-12);
    close(&[step("Euler", "filterexact").0], &[0.393469340287], 1e-12);
    let (act, velocity) = step("RK4", "filter");
    close(&[act, velocity], &[0.393229166667, 0.010677083333], 1e-12);
    let (act, velocity) = step("RK4", "filterexact");
    close(&[act, velocity], &[0.309447241580, 0.010677083333], 1e-12);
}

#[test]
fn split_steps_of_runge_kutta_models_are_euler_steps() {
    let mut split = pendulum("RK4", 0.01);
    split.data.step1(&split.model).expect("finite");
    split.data.step2(&split.model).expect("finite");
    let whole = pendulum("Euler", 0.01).steps(1);
    assert_eq!(split.data.state.qpos, whole.data.state.qpos);
    assert_eq!(split.data.state.qvel, whole.data.state.qvel);
}

#[test]
fn methods_differ_on_a_swing() {
    assert_ne!(
        angle_after_one_second("RK4", 100),
        angle_after_one_second("Euler", 100)
    );
}

/// A ball dropped from 1 m onto a plane, for two seconds.
#[test]
fn a_dropped_ball_comes_to_rest() {
    for (integrator, lowest) in [
        ("RK4", 0.0691),
        ("Euler", 0.0727),
        ("implicit", 0.0727),
        ("implicitfast", 0.0727),
    ] {
        let mut case = Case::new(&format!(
            r#"<mujoco><option integrator="{integrator}"><flag energy="enable"/></option><worldbody>
                 <geom type="plane" size="5 5 1"/><body pos="0 0 1"><freejoint/>
                   <geom size=".1" mass="1"/></body></worldbody></mujoco>"#
        ));
        let (mut low, mut highest_energy) = (f64::MAX, f64::MIN);
        for _ in 0..1000 {
            case = case.steps(1);
            low = low.min(case.data.state.qpos[2]);
            let energy: f64 = case.data.energy.values.iter().sum();
            highest_energy = highest_energy.max(energy);
        }
        close(&[low], &[lowest], 1e-4);
        assert!(!case.data.position.contacts.contact.is_empty());
        if integrator == "RK4" {
            close(&case.data.state.qpos[2..3], &[0.0996328], 1e-4);
            assert!(highest_energy <= 9.81 + 1e-6, "{highest_energy}");
            assert!(case.data.state.qvel[2].abs() < 1e-9);
            // The warm start is the acceleration of the last stage, and looking changes nothing.
            assert_eq!(case.data.state.qacc_warmstart, case.qacc());
            let before = case.data.state.qacc_warmstart.clone();
            assert_eq!(case.forward().data.state.qacc_warmstart, before);
        }
    }
}

#[test]
fn the_flag_of_euler_damping_is_for_euler_alone() {
    let next = |integrator: &str, flag: &str| {
        let option = format!(r#"timestep="0.01" integrator="{integrator}""#);
        let xml = slide(&option, r#"stiffness="100" damping="10""#, "").replace(
            &format!("{option}/>"),
            &format!("{option}><flag {flag}/></option>"),
        );
        Case::new(&xml)
            .qpos(&[0.1])
            .qvel(&[1.0])
            .steps(1)
            .data
            .state
            .qvel[0]
    };
    let off = r#"eulerdamp="disable""#;
    close(&[next("Euler", off)], &[0.8], 1e-12);
    for integrator in ["implicit", "implicitfast"] {
        assert_eq!(next(integrator, off), next(integrator, ""));
    }
    // Without dampers there is nothing to be implicit about.
    let none = next("Euler", r#"damper="disable""#);
    close(&[none], &[0.9], 1e-12);
    assert_eq!(next("implicit", r#"damper="disable""#), none);
}

/// Counts how often a stage ends.
struct Counter(TimerKind, usize);

impl Observer for Counter {
    fn observe(&mut self, moment: Moment) {
        self.1 += usize::from(moment == Moment::End(self.0));
    }
}

#[test]
fn four_stages_cost_four_steps() {
    let count = |integrator: &str, stage: TimerKind| {
        let mut case = pendulum(integrator, 0.01);
        let mut counter = Counter(stage, 0);
        let mut engine = Engine::new(&case.model).observer(&mut counter);
        for _ in 0..10 {
            engine.step(&mut case.data).expect("finite");
        }
        counter.1
    };
    use TimerKind::{PosInertia, PosKinematics, Velocity};
    for stage in [PosKinematics, PosInertia, Velocity] {
        assert_eq!(count("Euler", stage), 10, "{stage:?}");
        assert_eq!(count("RK4", stage), 40, "{stage:?}");
    }
}

#[test]
fn integrators_may_change_between_steps() {
    let mut case = pendulum("Euler", 0.01);
    for round in 0..40 {
        case.model.opt.integrator = round % 4;
        case = case.steps(1);
    }
    // Each step is that of a fresh simulation in the same state.
    for integrator in 0..4 {
        case.model.opt.integrator = integrator;
        let mut fresh = sinew::engine::Data::new(&case.model);
        fresh.state = case.data.state.clone();
        fresh.step(&case.model).expect("finite");
        case = case.steps(1);
        assert_eq!(case.data.state.qpos, fresh.state.qpos);
        assert_eq!(case.data.state.qvel, fresh.state.qvel);
    }
}

#[test]
fn a_matrix_without_inverse_is_met_by_the_next_step() {
    use sinew::engine::{Diverged, StepError};
    use sinew::model::kinds::Warning;
    // A servo that pushes along its velocity: M − h·D = 1 − 0.1·10.
    let actuator =
        r#"<actuator><general joint="j" biastype="affine" biasprm="0 0 10"/></actuator>"#;
    for integrator in ["implicit", "implicitfast"] {
        let option = format!(r#"integrator="{integrator}" timestep="0.1""#);
        let mut case = Case::new(&slide(&option, "", actuator)).qvel(&[1.0]);
        assert_eq!(case.data.step(&case.model), Ok(()));
        let bad = Diverged {
            warning: Warning::Badqpos,
            index: 0,
        };
        assert_eq!(case.data.step(&case.model), Err(StepError::Diverged(bad)));
        assert_eq!(case.data.warnings.get(Warning::Badqpos).number, 1);
        assert_eq!(case.data.warnings.resets(), 1);
    }
}
