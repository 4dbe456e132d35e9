//! Fixed tendons: addresses, dry friction, limits, implicit damping, flags, rest lengths.

use crate::tendon::{chain, fixed};
use crate::{Case, close, numbers, slide};
use sinew::engine::integrate::integrate_position;
use sinew::model::kinds::Constraint;

/// A fixed tendon on the slide of [`slide`].
fn single(attributes: &str) -> String {
    format!(r#"<tendon><fixed name="t" {attributes}><joint joint="j" coef="1"/></fixed></tendon>"#)
}

/// A fixed tendon on the first hinge of [`chain`].
fn first(attributes: &str) -> String {
    format!(r#"<tendon><fixed name="t" {attributes}><joint joint="j1" coef="1"/></fixed></tendon>"#)
}

#[test]
fn length_is_the_weighted_sum_everywhere() {
    let mut case = Case::new(&chain("", &fixed("", 0.7, -1.3)));
    let mut seed = 1.0_f64;
    for _ in 0..20 {
        seed = (seed * 97.0 + 0.37) % 3.0;
        let q = [seed - 1.5, 0.5 - seed];
        case = case.qpos(&q).qvel(&[q[1], q[0]]).forward();
        close(case.ten_length(), &[0.7 * q[0] - 1.3 * q[1]], 1e-14);
        close(
            &case.data.velocity.length.ten_velocity,
            &[0.7 * q[1] - 1.3 * q[0]],
            1e-14,
        );
    }
    assert_eq!(case.ten_J(), [0.7, -1.3]);
    // Forward differences of the length give the Jacobian.
    let before = case.ten_length()[0];
    for (dof, expected) in [0.7, -1.3].into_iter().enumerate() {
        let mut moved = case.clone();
        let mut direction = [0.0; 2];
        direction[dof] = 1.0;
        integrate_position(&moved.model, &mut moved.data.state.qpos, &direction, 1e-6)
            .expect("fits");
        let slope = (moved.forward().ten_length()[0] - before) / 1e-6;
        close(&[slope], &[expected], 1e-8);
    }
}

#[test]
fn velocity_is_the_jacobian_times_velocity_after_every_step() {
    let mut case = Case::new(&chain("", &fixed(r#"stiffness="5""#, 1.0, -1.0)))
        .qpos(&[0.3, 0.1])
        .qvel(&[0.5, -0.2]);
    for _ in 0..20 {
        let v = case.data.state.qvel.clone();
        case = case.steps(1);
        close(
            &case.data.velocity.length.ten_velocity,
            &[v[0] - v[1]],
            1e-14,
        );
    }
}

#[test]
fn a_motor_on_a_tendon_of_one_joint_is_a_motor_on_the_joint() {
    for gear in ["1", "1.7"] {
        let on = |target: &str| {
            let actuator = format!(r#"<actuator><motor {target} gear="{gear}"/></actuator>"#);
            let case = Case::new(&chain("", &(first("") + &actuator)));
            case.ctrl(&[0.37]).forward().qfrc_actuator().to_vec()
        };
        close(&on(r#"tendon="t""#), &on(r#"joint="j1""#), 1e-14);
    }
    let differential = |gear: &str| {
        let actuator = format!(r#"<actuator><motor tendon="t" gear="{gear}"/></actuator>"#);
        let case = Case::new(&chain("", &(fixed("", 1.0, -1.0) + &actuator)));
        case.ctrl(&[1.0]).forward().qfrc_actuator().to_vec()
    };
    assert_eq!(differential("1"), [1.0, -1.0]);
    assert_eq!(differential("3"), [3.0, -3.0]);
}

#[test]
fn sensors_of_a_geared_tendon_actuator_are_geared() {
    let sections = fixed("", 1.0, -1.0)
        + r#"<actuator><motor name="m" tendon="t" gear="3"/></actuator>
             <sensor><actuatorpos actuator="m"/><actuatorvel actuator="m"/></sensor>"#;
    let case = Case::new(&chain("", &sections))
        .qpos(&[0.3, 0.1])
        .qvel(&[0.5, -0.2])
        .forward();
    close(&case.data.sensor.sensordata, &[0.6, 2.1], 1e-14);
}

#[test]
fn dry_friction_is_a_bounded_constraint() {
    let tendon = first(r#"frictionloss="2""#);
    let case = Case::new(&chain("", &tendon)).qvel(&[0.5, 0.0]).forward();
    close(case.qfrc_passive(), &[0.0, 0.0], 1e-15);
    close(case.qfrc_constraint(), &[-2.0, 0.0], 1e-10);
    let rows = &case.data.position.constraints;
    assert_eq!(rows.nf, 1);
    assert_eq!(rows.efc_type, [Constraint::FrictionTendon.code()]);
    for (applied, expected) in [(1.0, -0.9), (5.0, -2.0)] {
        let mut case = Case::new(&chain("", &tendon));
        case.data.input.qfrc_applied[0] = applied;
        let case = case.forward();
        close(case.qfrc_constraint(), &[expected, 0.0], 1e-6);
    }
    let slider = slide("", "", &single(r#"frictionloss="2""#));
    let case = Case::new(&slider).qvel(&[0.5]).forward();
    close(case.qfrc_constraint(), &[-2.0], 1e-10);
    let case = Case::new(&slider).qvel(&[0.5]).steps(500);
    assert!(case.data.state.qvel[0].abs() < 1e-12);
    assert!((case.data.state.qpos[0] - 0.0621).abs() < 1e-4);
    // A negative bound makes no row.
    let case = Case::new(&slide("", "", &single(r#"frictionloss="-2""#))).forward();
    assert_eq!(case.data.position.constraints.nefc(), 0);
}

#[test]
fn limits_push_back_into_the_range() {
    let tendon = single(r#"range=".1 .5""#);
    let at = |q: f64| Case::new(&slide("", "", &tendon)).qpos(&[q]).forward();
    let lower = at(0.05);
    let rows = &lower.data.position.constraints;
    assert_eq!((rows.nl, rows.efc_J.as_slice()), (1, &[1.0][..]));
    close(&rows.efc_pos, &[-0.05], 1e-12);
    close(&rows.efc_R, &[0.0526316], 1e-6);
    close(&lower.data.velocity.reference.efc_aref, &[131.578947], 1e-8);
    close(lower.qfrc_constraint(), &[125.0], 1e-8);
    let upper = at(0.6);
    let rows = &upper.data.position.constraints;
    assert_eq!(rows.efc_J, [-1.0]);
    close(&rows.efc_pos, &[-0.1], 1e-12);
    close(upper.qfrc_constraint(), &[-250.0], 1e-8);
    let free = at(0.3);
    assert_eq!(free.data.position.constraints.nefc(), 0);
    assert_eq!(free.qfrc_constraint(), [0.0]);
    let margin = single(r#"range=".1 .5" margin=".02""#);
    let case = Case::new(&slide("", "", &margin)).qpos(&[0.11]).forward();
    assert_eq!(case.data.position.constraints.nl, 1);
    close(case.qfrc_constraint(), &[25.0], 1e-8);
    // Let go, it returns within a second.
    let mut case = at(0.05);
    let mut highest = f64::MIN;
    for _ in 0..500 {
        case = case.steps(1);
        highest = highest.max(case.ten_length()[0]);
    }
    assert!(highest >= 0.1, "{highest}");
    for (q, expected) in [(0.05, 7.156749), (0.6, -14.313498)] {
        let xml = chain("", &first(r#"range=".1 .5""#));
        let case = Case::new(&xml).qpos(&[q, 0.0]).forward();
        close(case.qfrc_constraint(), &[expected, 0.0], 1e-6);
    }
}

#[test]
fn both_sides_of_a_narrow_range_may_act() {
    let tendon = single(r#"range="0 .01" margin=".02""#);
    let case = Case::new(&slide("", "", &tendon)).qpos(&[0.004]).forward();
    let rows = &case.data.position.constraints;
    assert_eq!((rows.nl, rows.efc_J.as_slice()), (2, &[1.0, -1.0][..]));
    close(&rows.efc_pos, &[0.004, 0.006], 1e-14);
}

#[test]
fn positions_and_velocities_have_their_own_addresses() {
    let behind = chain("", &fixed("", 1.0, -1.0)).replace(
        "<worldbody>",
        r#"<worldbody><body pos="5 0 0"><freejoint/><geom size=".1"/></body>"#,
    );
    let mut case = Case::new(&behind);
    case.data.state.qpos[7..].copy_from_slice(&[0.3, 0.1]);
    let case = case.forward();
    close(case.ten_length(), &[0.2], 1e-14);
    assert_eq!(case.ten_J(), numbers("0 0 0 0 0 0 1 -1"));
}

#[test]
fn joints_of_several_degrees_count_by_their_first() {
    let xml = |joint: &str| {
        format!(
            r#"<mujoco><worldbody><body pos="3 0 0"><joint name="j" type="{joint}"/><geom size=".1"/>
                 </body></worldbody>{}</mujoco>"#,
            single("")
        )
    };
    let ball = Case::new(&xml("ball")).forward();
    assert_eq!(
        (ball.ten_length(), ball.ten_J()),
        (&[1.0][..], &[1.0, 0.0, 0.0][..])
    );
    let free = Case::new(&xml("free")).forward();
    assert_eq!(free.ten_length(), [3.0]);
    assert_eq!(free.ten_J(), numbers("1 0 0 0 0 0"));
}

#[test]
fn a_joint_listed_twice_follows_the_reference_path_by_path() {
    let tendon =
        r#"<tendon><fixed><joint joint="j" coef="2"/><joint joint="j" coef="3"/></fixed></tendon>"#;
    for (jacobian, expected) in [("dense", 3.0), ("sparse", 5.0)] {
        let xml = slide(&format!(r#"jacobian="{jacobian}""#), "", tendon);
        let case = Case::new(&xml).qpos(&[0.1]).forward();
        close(case.ten_length(), &[0.5], 1e-15);
        assert_eq!(case.ten_J()[0], expected);
    }
}

#[test]
fn tendon_damping_is_implicit_within_the_tree() {
    let apart = |option: &str, sections: &str| {
        let slider = |name: &str, mass: f64| {
            format!(
                r#"<body><joint name="{name}" type="slide" axis="1 0 0"/>
                     <geom size=".1" mass="{mass}" contype="0"/></body>"#
            )
        };
        format!(
            r#"<mujoco><option gravity="0 0 0" {option}/><worldbody>{}{}</worldbody>{sections}</mujoco>"#,
            slider("j1", 1.0),
            slider("j2", 2.0)
        )
    };
    let tendon = fixed(r#"damping="30""#, 1.0, -1.0);
    let next = |xml: &str| Case::new(xml).qvel(&[1.0, -0.5]).steps(1).data.state.qvel;
    for integrator in ["implicitfast", "implicit"] {
        let option = format!(r#"integrator="{integrator}""#);
        let found = next(&apart(&option, &tendon));
        close(&found, &[0.91509434, -0.45631068], 1e-8);
    }
    for integrator in ["implicitfast", "implicit"] {
        let option = format!(r#"integrator="{integrator}""#);
        let found = next(&chain(&option, &tendon));
        close(&found, &[0.6459213372129631, 0.54735784547483], 1e-12);
    }
}

#[test]
fn flags_take_away_one_contribution_each() {
    let sections = fixed(
        r#"stiffness="10" damping="2" frictionloss=".5" range="-1 .1""#,
        1.0,
        -1.0,
    ) + r#"<actuator><motor tendon="t"/></actuator>"#;
    let with = |flag: &str| {
        let xml = chain("", &sections).replace(
            r#"<flag contact="disable"/>"#,
            &format!(r#"<flag contact="disable" {flag}/>"#),
        );
        let case = Case::new(&xml)
            .qpos(&[0.3, 0.1])
            .qvel(&[0.5, -0.2])
            .ctrl(&[1.5])
            .forward();
        let passive = &case.data.velocity.passive;
        let rows = &case.data.position.constraints;
        (
            passive.qfrc_spring[0],
            passive.qfrc_damper[0],
            case.qfrc_actuator()[0],
            rows.nf,
            rows.nl,
        )
    };
    let (spring, damper, motor) = (-2.0, -1.4, 1.5);
    for (flag, expected) in [
        ("", (spring, damper, motor, 1, 1)),
        (r#"spring="disable""#, (0.0, damper, motor, 1, 1)),
        (r#"damper="disable""#, (spring, 0.0, motor, 1, 1)),
        (r#"actuation="disable""#, (spring, damper, 0.0, 1, 1)),
        (r#"frictionloss="disable""#, (spring, damper, motor, 0, 1)),
        (r#"limit="disable""#, (spring, damper, motor, 1, 0)),
        (r#"constraint="disable""#, (spring, damper, motor, 0, 0)),
    ] {
        let found = with(flag);
        close(
            &[found.0, found.1, found.2],
            &[expected.0, expected.1, expected.2],
            1e-14,
        );
        assert_eq!((found.3, found.4), (expected.3, expected.4), "{flag}");
    }
}

#[test]
fn armature_adds_to_the_inertia_within_the_tree() {
    let tendon = fixed(r#"armature=".5""#, 1.0, -1.0);
    let inertia = |xml: &str| {
        let case = Case::new(xml).forward();
        let mut dense = vec![0.0; 4];
        case.data
            .inertia_matrix(&case.model, &mut dense)
            .expect("fits");
        dense
    };
    let bare = inertia(&chain("", ""));
    let with = inertia(&chain("", &tendon));
    let added: Vec<f64> = with.iter().zip(bare).map(|(a, b)| a - b).collect();
    close(&added, &[0.5, -0.5, -0.5, 0.5], 1e-12);
    let slider = |name: &str, x: f64| {
        format!(
            r#"<body pos="{x} 0 0"><joint name="{name}" type="slide"/><geom size=".1" mass="1"/></body>"#
        )
    };
    let apart = format!(
        "<mujoco><worldbody>{}{}</worldbody>{tendon}</mujoco>",
        slider("j1", 0.0),
        slider("j2", 1.0)
    );
    close(&inertia(&apart), &[1.5, 0.0, 0.0, 1.5], 1e-12);
}

#[test]
fn a_tendon_equality_is_one_row() {
    let sections = fixed("", 1.0, -1.0) + r#"<equality><tendon tendon1="t"/></equality>"#;
    let case = Case::new(&chain("", &sections))
        .qpos(&[0.15, 0.05])
        .forward();
    let rows = &case.data.position.constraints;
    assert_eq!(rows.ne, 1);
    close(&rows.efc_pos, &[0.1], 1e-14);
    assert_eq!(rows.efc_J, [1.0, -1.0]);
}

#[test]
fn potential_energy_counts_what_lies_outside_the_band() {
    let xml = slide(
        "",
        "",
        &single(r#"stiffness="100" springlength="-.02 .02""#),
    )
    .replace(
        r#"gravity="0 0 0" />"#,
        r#"gravity="0 0 0"><flag energy="enable"/></option>"#,
    );
    let case = Case::new(&xml).qpos(&[0.1]).forward();
    close(&case.data.energy.values, &[0.32, 0.0], 1e-14);
}

#[test]
fn rest_length_of_a_string_is_its_length_in_the_spring_position() {
    let string = |joint: &str, attributes: &str| {
        let xml = format!(
            r#"<mujoco><worldbody><site name="a"/><body pos="1 0 0">{joint}<geom size=".1"/>
                 <site name="b"/></body></worldbody><tendon><spatial {attributes}><site site="a"/>
                 <site site="b"/></spatial></tendon></mujoco>"#
        );
        let model = Case::new(&xml).model;
        (model.tendon_lengthspring[0], model.tendon_length0[0])
    };
    assert_eq!(string("", r#"springlength="0.5 0.8""#).0, [0.5, 0.8]);
    assert_eq!(string("", r#"stiffness="100""#), ([1.0, 1.0], 1.0));
    assert_eq!(string("", ""), ([1.0, 1.0], 1.0));
    let joint = r#"<joint type="slide" axis="1 0 0" springref="0.5"/>"#;
    assert_eq!(string(joint, ""), ([1.5, 1.5], 1.0));
}

#[test]
fn a_spring_with_coefficients_pulls_each_joint_by_its_own() {
    let tendon = r#"stiffness="100" springlength="0.3 0.7""#;
    let xml = chain("", &fixed(tendon, 2.0, -1.0));
    let case = Case::new(&xml).qpos(&[1.0, 0.2]).forward();
    close(case.ten_length(), &[1.8], 1e-14);
    close(case.qfrc_passive(), &[-220.0, 110.0], 1e-12);
    // Damping acts inside the band, the spring does not.
    let xml = slide("", "", &single(&format!(r#"{tendon} damping="2""#)));
    let case = Case::new(&xml).qpos(&[0.5]).qvel(&[3.0]).forward();
    close(case.qfrc_passive(), &[-6.0], 1e-14);
    assert_eq!(case.data.velocity.passive.qfrc_spring, [0.0]);
    // Stiffness may change while running; the resolved band stays.
    let mut case = Case::new(&slide("", "", &single(tendon))).qpos(&[1.0]);
    case.model
        .change(|arrays| arrays.tendon_stiffness[0] = 10.0)
        .expect("a value");
    close(case.forward().qfrc_passive(), &[-3.0], 1e-14);
}

#[test]
fn a_model_without_tendons_does_no_tendon_work() {
    let case = Case::new(&chain("", "")).qvel(&[1.0, 0.0]).steps(10);
    assert_eq!((case.model.ntendon, case.model.nwrap), (0, 0));
    assert!(case.ten_length().is_empty() && case.ten_J().is_empty());
    // A tendon without any effect moves nothing by a single bit.
    let idle = Case::new(&chain("", &fixed("", 1.0, -1.0)))
        .qvel(&[1.0, 0.0])
        .steps(10);
    assert_eq!(idle.data.state.qpos, case.data.state.qpos);
}
