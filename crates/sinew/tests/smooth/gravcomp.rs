//! Gravity compensation.

use crate::{Case, close};

fn free(body: &str, inertial: &str) -> String {
    format!(
        r#"<mujoco><worldbody><body {body}><freejoint/>
             <inertial pos="{inertial}" mass="2" diaginertia=".1 .1 .1"/></body></worldbody></mujoco>"#
    )
}

fn gravcomp(case: &Case) -> &[f64] {
    &case.data.velocity.passive.qfrc_gravcomp
}

#[test]
fn compensation_is_a_share_of_the_weight() {
    for (share, force, acceleration) in [
        ("1", 19.62, 0.0),
        ("0", 0.0, -9.81),
        ("0.5", 9.81, -4.905),
        ("2", 39.24, 9.81),
        ("7.2", 141.264, 9.81 * 6.2),
        ("0.7", 13.734, -2.943),
        ("-1", 0.0, -9.81),
    ] {
        let case = Case::new(&free(&format!(r#"gravcomp="{share}""#), "0 0 0")).forward();
        close(gravcomp(&case), &[0.0, 0.0, force, 0.0, 0.0, 0.0], 1e-12);
        close(&case.qacc()[..3], &[0.0, 0.0, acceleration], 1e-12);
        assert_eq!(case.qfrc_passive(), gravcomp(&case));
    }
}

#[test]
fn an_offset_centre_of_mass_gives_a_torque() {
    let case = Case::new(&free(r#"gravcomp="1""#, "0.1 0 0")).forward();
    close(gravcomp(&case), &[0.0, 0.0, 19.62, 0.0, -1.962, 0.0], 1e-12);
    let (half_sine, half_cosine) = (0.3894183423086505, 0.9210609940028851);
    let tilted = [0.0, 0.0, 0.0, half_cosine, 0.0, half_sine, 0.0];
    let case = Case::new(&free(r#"gravcomp="1""#, "0.1 0 0"))
        .qpos(&tilted)
        .forward();
    close(&gravcomp(&case)[4..5], &[-1.366938563739139], 1e-12);
    close(gravcomp(&case), &case.data.velocity.bias.qfrc_bias, 1e-12);
}

#[test]
fn an_arm_floats() {
    let link = |inner: &str, pos: &str| {
        format!(
            r#"<body pos="{pos}" gravcomp="1"><joint axis="0 1 0"/>
                 <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>{inner}</body>"#
        )
    };
    let arm = link(&link(&link("", ".3 0 0"), ".3 0 0"), "0 0 0");
    let case = Case::new(&format!(
        r#"<mujoco><option><flag contact="disable"/></option><worldbody>{arm}</worldbody></mujoco>"#
    ))
    .forward();
    let expected = [-12.731338786191827, -5.658372793863035, -1.414593198465759];
    close(gravcomp(&case), &expected, 1e-12);
    close(&case.data.velocity.bias.qfrc_bias, &expected, 1e-12);
    close(case.qacc(), &[0.0; 3], 1e-10);
}

#[test]
fn compensation_stays_in_its_chain() {
    let arm = |first: &str, second: &str| {
        let geom = r#"<geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>"#;
        Case::new(&format!(
            r#"<mujoco><option><flag contact="disable"/></option><worldbody>
                 <body {first}><joint axis="0 1 0"/>{geom}
                   <body pos=".3 0 0" {second}><joint axis="0 1 0"/>{geom}</body></body>
               </worldbody></mujoco>"#
        ))
        .forward()
    };
    let case = arm("", r#"gravcomp="1""#);
    close(gravcomp(&case), &[-4.4145, -1.4715], 1e-12);
    close(
        &case.data.velocity.bias.qfrc_bias,
        &[-5.886, -1.4715],
        1e-12,
    );
    close(
        gravcomp(&arm(r#"gravcomp="1""#, "")),
        &[-1.4715, 0.0],
        1e-12,
    );
}

#[test]
fn a_negative_share_counts_only_beside_a_positive_one() {
    let case = Case::new(
        r#"<mujoco><worldbody>
             <body gravcomp="-1"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
             <body gravcomp="1" pos="1 0 0"><freejoint/>
               <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
           </worldbody></mujoco>"#,
    )
    .forward();
    close(&gravcomp(&case)[2..3], &[-19.62], 1e-12);
    close(&[case.qacc()[2], case.qacc()[8]], &[-19.62, 0.0], 1e-12);
}

#[test]
fn flags_switch_it_off() {
    let with = |option: &str| {
        let xml = free(r#"gravcomp="1""#, "0 0 0");
        Case::new(&xml.replace("<mujoco>", &format!("<mujoco>{option}"))).forward()
    };
    let off = [
        r#"<option gravity="0 0 0"/>"#,
        r#"<option><flag gravity="disable"/></option>"#,
        r#"<option><flag spring="disable" damper="disable"/></option>"#,
    ];
    for option in off {
        assert!(
            gravcomp(&with(option)).iter().all(|&f| f == 0.0),
            "{option}"
        );
    }
    close(&with(off[2]).qacc()[2..3], &[-9.81], 1e-12);
    for flag in ["spring", "damper"] {
        let case = with(&format!(r#"<option><flag {flag}="disable"/></option>"#));
        close(&gravcomp(&case)[2..3], &[19.62], 1e-12);
        close(&case.qacc()[2..3], &[0.0], 1e-12);
    }
}

#[test]
fn joints_may_count_it_as_actuator_force() {
    let arm = |joint: &str, actuator: &str| {
        Case::new(&format!(
            r#"<mujoco><worldbody><body gravcomp="1">
                 <joint name="j" axis="0 1 0" actuatorgravcomp="true" {joint}/>
                 <inertial pos="0.1 0 0" mass="2" diaginertia=".1 .1 .1"/></body></worldbody>
               <actuator>{actuator}</actuator></mujoco>"#
        ))
        .forward()
    };
    let motor = r#"<motor joint="j"/>"#;
    let case = arm("", motor);
    close(case.qfrc_passive(), &[0.0], 1e-12);
    close(case.qfrc_actuator(), &[-1.962], 1e-12);
    close(case.qacc(), &[0.0], 1e-12);
    let case = arm(r#"actuatorfrcrange="-1 1""#, motor);
    close(case.qfrc_actuator(), &[-1.0], 1e-12);
    close(case.qacc(), &[8.016666666666667], 1e-12);
    let case = arm("", "");
    close(case.qfrc_actuator(), &[0.0], 1e-12);
    close(case.qacc(), &[16.35], 1e-12);
}

#[test]
fn no_share_is_the_same_as_none_given() {
    let outputs = |body: &str| {
        let case = Case::new(&free(body, "0 0 0")).steps(5);
        assert!(gravcomp(&case).iter().all(|&f| f == 0.0));
        (case.data.state.qpos, case.data.acceleration.solution.qacc)
    };
    assert_eq!(outputs(""), outputs(r#"gravcomp="0""#));
    let full = Case::new(&free(r#"gravcomp="1""#, "0 0 0")).forward();
    let half = Case::new(&free(r#"gravcomp="0.5""#, "0 0 0")).forward();
    close(&[gravcomp(&full)[2] / gravcomp(&half)[2]], &[2.0], 1e-12);
}

#[test]
fn compensation_acts_at_the_centre_of_mass() {
    for (inertial, expected) in [
        ("0 0 0.1", -0.579810645469548),
        ("0.1 0 0", -1.874370191664439),
    ] {
        let case = Case::new(&format!(
            r#"<mujoco><worldbody><body gravcomp="1"><joint axis="0 1 0"/>
                 <inertial pos="{inertial}" mass="2" diaginertia=".1 .1 .1"/></body></worldbody></mujoco>"#
        ))
        .qpos(&[0.3])
        .forward();
        close(gravcomp(&case), &[expected], 1e-12);
        close(&case.data.velocity.bias.qfrc_bias, &[expected], 1e-12);
    }
}

#[test]
fn only_the_compensated_body_feels_it() {
    let inertial = r#"<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>"#;
    let case = Case::new(&format!(
        r#"<mujoco><worldbody><body gravcomp="1"><freejoint/>{inertial}</body>
             <body pos="1 0 0"><joint type="slide" axis="0 0 1" stiffness="3" springref="2"/>{inertial}</body>
           </worldbody></mujoco>"#
    ))
    .forward();
    close(
        gravcomp(&case),
        &[0.0, 0.0, 19.62, 0.0, 0.0, 0.0, 0.0],
        1e-12,
    );
    assert_eq!(gravcomp(&case)[6], 0.0);
    close(&case.qfrc_passive()[6..], &[6.0], 1e-12);
}

#[test]
fn a_body_without_joints_is_carried_by_its_ancestors() {
    let case = Case::new(
        r#"<mujoco><worldbody><body><joint axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
             <body pos=".5 0 0" gravcomp="1"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body></body>
           </worldbody></mujoco>"#,
    )
    .forward();
    close(gravcomp(&case), &[-9.81], 1e-12);
}

#[test]
fn the_count_of_compensated_bodies_is_fixed_by_the_compiler() {
    let mut case = Case::new(&free("", "0 0 0"));
    case.model
        .change(|arrays| arrays.body_gravcomp[1] = 1.0)
        .expect("a value");
    assert_eq!(gravcomp(&case.clone().forward()), [0.0; 6]);
    sinew::engine::constants::set_constants(&mut case.model).expect("constants");
    close(&gravcomp(&case.forward())[2..3], &[19.62], 1e-12);
}

#[test]
fn energy_counts_the_whole_weight() {
    let xml = free(r#"gravcomp="1" pos="0 0 1""#, "0 0 0").replace(
        "<mujoco>",
        r#"<mujoco><option><flag energy="enable"/></option>"#,
    );
    let case = Case::new(&xml).forward();
    close(&case.data.energy.values, &[19.62, 0.0], 1e-12);
}
