//! Adhesion: actuators that pull a body against what it touches.

use crate::{CONES, Case, close, near};
use sinew::model::kinds::{DisableFlag, TransmissionType};

fn scene(option: &str, body: &str, actuator: &str) -> String {
    format!(
        r#"<mujoco>{option}<worldbody><geom type="plane" size="1 1 1"/>{body}</worldbody>
           <actuator>{actuator}</actuator></mujoco>"#
    )
}

const PULL: &str = r#"<adhesion body="b" gain="100" ctrlrange="0 1"/>"#;

fn sphere(z: f64, geom: &str) -> String {
    format!(r#"<body name="b" pos="0 0 {z}"><freejoint/><geom size=".1" mass="1" {geom}/></body>"#)
}

/// The base model with an actuator at control 1.
fn base(z: f64, actuator: &str) -> Case {
    Case::new(&scene("", &sphere(z, ""), actuator))
        .ctrl(&[1.0])
        .forward()
}

fn moment(case: &Case) -> Vec<f64> {
    let mut row = vec![0.0; case.model.nv];
    let (columns, values) = case.data.moment(&case.model, 0).expect("one");
    for (&dof, &value) in columns.iter().zip(values) {
        row[dof as usize] = value;
    }
    row
}

fn scalar_force(case: &Case) -> f64 {
    case.data.acceleration.actuation.actuator_force[0]
}

fn length(case: &Case) -> f64 {
    case.data.position.transmission.actuator_length[0]
}

const DOWN: [f64; 6] = [0.0, 0.0, -1.0, 0.0, 0.0, 0.0];

/// Lines 1, 3, 4, 9, 10, and what the compiler stores.
#[test]
fn a_touching_sphere_is_pulled_down() {
    let case = base(0.099, PULL);
    assert_eq!(case.model.actuator_trnid[0][0], 1);
    assert_eq!(
        case.model.actuator_trntype[0],
        TransmissionType::Body.code()
    );
    close(&moment(&case), &DOWN, 1e-12);
    close(case.qfrc_actuator(), &DOWN.map(|x| 100.0 * x), 1e-12);
    assert!(case.qfrc_actuator()[2] < 0.0);
    assert_eq!(length(&case), 0.0);
    assert_eq!(case.model.actuator_acc0[0], 0.0);
    assert_eq!(case.model.actuator_lengthrange[0], [0.0, 0.0]);
}

/// Lines 2, 9, 10.
#[test]
fn in_the_air_nothing_is_pulled() {
    let case = base(0.5, PULL);
    assert_eq!(moment(&case), [0.0; 6]);
    assert_eq!(case.qfrc_actuator(), [0.0; 6]);
    assert_eq!(scalar_force(&case), 100.0);
    assert_eq!(length(&case), 0.0);
}

/// Line 5.
#[test]
fn several_contacts_share_the_force() {
    for cone in CONES {
        for condim in [1, 3, 4, 6] {
            let option = format!(r#"<option cone="{cone}"/>"#);
            let body = format!(
                r#"<body name="b" pos="0 0 .099"><freejoint/>
                   <geom type="box" size=".1 .1 .1" mass="1" condim="{condim}"/></body>"#
            );
            let case = Case::new(&scene(&option, &body, PULL))
                .ctrl(&[1.0])
                .forward();
            assert_eq!(case.contacts().len(), 4);
            close(&moment(&case), &DOWN, 1e-10);
            close(case.qfrc_actuator(), &DOWN.map(|x| 100.0 * x), 1e-10);
        }
    }
}

/// Lines 6 and 7.
#[test]
fn gain_scales_and_gear_does_not() {
    let plain = base(0.099, r#"<general body="b" gainprm="100"/>"#);
    for gear in ["1", "2", "3 4 5"] {
        let case = base(
            0.099,
            &format!(r#"<general body="b" gainprm="100" gear="{gear}"/>"#),
        );
        assert_eq!(moment(&case), moment(&plain));
        assert_eq!(case.qfrc_actuator(), plain.qfrc_actuator());
    }
    let double = base(0.099, r#"<adhesion body="b" gain="200" ctrlrange="0 1"/>"#);
    near(double.qfrc_actuator()[2], -200.0, 1e-12);
}

/// Line 8.
#[test]
fn other_actuators_are_not_concerned() {
    let body = r#"<body name="b" pos="0 0 .099"><joint name="j" type="slide" axis="0 0 1"/>
                  <geom size=".1" mass="1"/></body>"#;
    let case = Case::new(&scene("", body, r#"<motor joint="j" gear="3"/>"#))
        .ctrl(&[1.0])
        .forward();
    assert_eq!(moment(&case), [3.0]);
    assert_eq!(case.qfrc_actuator(), [3.0]);
}

/// Lines 11 and 18.
#[test]
fn velocity_is_moment_times_velocity() {
    let case = Case::new(&scene("", &sphere(0.099, ""), PULL))
        .ctrl(&[1.0])
        .qvel(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        .forward();
    near(case.data.velocity.length.actuator_velocity[0], -0.3, 1e-12);

    let actuator = r#"<adhesion name="p" body="b" gain="100" ctrlrange="0 1"/></actuator><sensor>
        <actuatorpos actuator="p"/><actuatorvel actuator="p"/><actuatorfrc actuator="p"/>
        </sensor><actuator>"#;
    let mut case = Case::new(&scene("", &sphere(0.099, ""), actuator)).ctrl(&[1.0]);
    case.data.state.qvel[2] = 0.5;
    close(
        &case.forward().data.sensor.sensordata,
        &[0.0, -0.5, 100.0],
        1e-12,
    );
}

/// Line 13.
#[test]
fn a_hinge_feels_the_lever() {
    let body = r#"<body name="b" pos="0 0 .05"><joint axis="0 1 0"/>
                  <geom size=".1" pos=".3 0 .04" mass="1"/></body>"#;
    let case = Case::new(&scene("", body, PULL)).ctrl(&[1.0]).forward();
    close(&moment(&case), &[0.3], 1e-12);
    close(case.qfrc_actuator(), &[30.0], 1e-12);
}

/// Line 14.
#[test]
fn two_moving_bodies_pull_each_other() {
    for target in ["b", "p"] {
        let bodies = r#"<body name="p" pos="0 0 .3"><joint type="slide" axis="0 0 1"/>
            <geom type="box" size=".5 .5 .05" mass="1"/></body>
            <body name="b" pos="0 0 .449"><freejoint/><geom size=".1" mass="1"/></body>"#;
        let actuator = format!(r#"<adhesion body="{target}" gain="100" ctrlrange="0 1"/>"#);
        let case = Case::new(&scene("", bodies, &actuator))
            .ctrl(&[1.0])
            .forward();
        let row = [1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0];
        close(&moment(&case), &row, 1e-12);
        close(case.qfrc_actuator(), &row.map(|x| 100.0 * x), 1e-12);
    }
}

/// Line 15.
#[test]
fn contacts_in_the_gap_pull() {
    let body = sphere(0.105, r#"margin=".02" gap=".02""#);
    let case = Case::new(&scene("", &body, PULL)).ctrl(&[1.0]).forward();
    assert_eq!((case.contacts().len(), case.nefc()), (1, 0));
    close(&moment(&case), &DOWN, 1e-12);
    near(case.qacc()[2], -109.81, 1e-10);
}

/// Line 16.
#[test]
fn the_control_is_clamped() {
    let run = |actuator: &str, ctrl: f64| {
        let case = Case::new(&scene("", &sphere(0.099, ""), actuator))
            .ctrl(&[ctrl])
            .forward();
        (scalar_force(&case), case.qfrc_actuator()[2])
    };
    assert_eq!(run(PULL, 5.0).0, 100.0);
    assert_eq!(run(PULL, -5.0).0, 0.0);
    let (force, down) = run(
        r#"<adhesion body="b" gain="100" ctrlrange="0 1" forcerange="0 30"/>"#,
        1.0,
    );
    assert_eq!(force, 30.0);
    near(down, -30.0, 1e-12);
}

/// Line 17.
#[test]
fn only_the_body_s_own_geoms_count() {
    let body = r#"<body name="b" pos="0 0 .5"><joint type="slide" axis="0 0 1"/>
        <geom size=".05" mass="1"/><body name="c" pos="0 0 -.401"><geom size=".1" mass="1"/></body>
        </body>"#;
    for (target, expected) in [("b", 0.0), ("c", -1.0)] {
        let actuator = format!(r#"<adhesion body="{target}" gain="100" ctrlrange="0 1"/>"#);
        let case = Case::new(&scene("", body, &actuator))
            .ctrl(&[1.0])
            .forward();
        assert_eq!(case.contacts().len(), 1);
        close(&moment(&case), &[expected], 1e-12);
    }
    // The world may be the target.
    let world = base(
        0.099,
        r#"<adhesion body="world" gain="100" ctrlrange="0 1"/>"#,
    );
    close(&moment(&world), &DOWN, 1e-12);
}

/// Line 19.
#[test]
fn without_contact_there_is_no_pull() {
    let actuator = format!(
        r#"{PULL}</actuator><contact><exclude body1="world" body2="b"/></contact><actuator>"#
    );
    let case = base(0.099, &actuator);
    assert_eq!(case.qfrc_actuator(), [0.0; 6]);
    for flag in [DisableFlag::Contact, DisableFlag::Constraint] {
        let case = Case::new(&scene("", &sphere(0.099, ""), PULL))
            .disable(flag)
            .ctrl(&[1.0])
            .forward();
        assert_eq!(case.contacts().len(), 0);
        assert_eq!(case.qfrc_actuator(), [0.0; 6]);
    }
}

/// Activation dynamics come from the default class of `general`.
#[test]
fn adhesion_may_have_a_state() {
    let option = r#"<default><general dyntype="filter" dynprm="0.1"/></default>"#;
    let case = Case::new(&scene(option, &sphere(0.099, ""), PULL));
    assert_eq!(case.model.na, 1);
}
