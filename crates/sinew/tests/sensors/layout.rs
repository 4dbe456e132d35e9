//! Where readings stand, what reaches the model, when values appear.

use crate::{Case, close};
use sinew::mjcf::load_text;
use sinew::model::kinds::{SensorType, Stage};

fn hinge(option: &str, sensors: &str) -> String {
    format!(
        r#"<mujoco>{option}<worldbody><body name="b"><joint name="h1" axis="0 1 0"/><geom size=".1"/>
             <site name="s" pos=".1 .2 .3"/></body></worldbody>
           <sensor>{sensors}</sensor></mujoco>"#
    )
}

#[test]
fn the_medium_reaches_the_model() {
    let plain = Case::new(&hinge("", "")).model.opt;
    assert_eq!(plain.magnetic.0, [0.0, -0.5, 0.0]);
    assert_eq!(plain.wind.0, [0.0; 3]);
    assert_eq!([plain.density, plain.viscosity], [0.0; 2]);
    let written = r#"<option magnetic="1 2 3" wind="4 5 6" density="7" viscosity="8"/>"#;
    let opt = Case::new(&hinge(written, "")).model.opt;
    assert_eq!(opt.magnetic.0, [1.0, 2.0, 3.0]);
    assert_eq!(opt.wind.0, [4.0, 5.0, 6.0]);
    assert_eq!([opt.density, opt.viscosity], [7.0, 8.0]);
}

#[test]
fn a_joint_position_is_read() {
    let case = Case::new(&hinge("", r#"<jointpos joint="h1"/>"#)).qpos(&[0.5]);
    let model = &case.model;
    assert_eq!((model.nsensor, model.nsensordata), (1, 1));
    assert_eq!(model.sensor_type[0], SensorType::Jointpos.code());
    assert_eq!(model.sensor_objid[0], 0);
    close(case.forward().readings(), &[0.5], 1e-12);
}

#[test]
fn a_frame_position_is_that_of_the_site() {
    let sensor = r#"<framepos objtype="site" objname="s"/>"#;
    let case = Case::new(&hinge("", sensor)).qpos(&[0.7]).forward();
    let site = case.data.position.kinematics.site_xpos[0];
    close(case.readings(), &site.0, 1e-12);
}

#[test]
fn a_magnetometer_turns_the_field_into_its_site() {
    let sensor = r#"<magnetometer site="s"/>"#;
    let read = |option: &str, angle: f64| {
        let mut case = Case::new(&hinge(option, sensor)).qpos(&[angle]);
        // The position stage alone gives the value.
        case.data.step1(&case.model).expect("finite");
        case.readings().to_vec()
    };
    close(&read("", 0.0), &[0.0, -0.5, 0.0], 1e-12);
    let field = r#"<option magnetic="1 2 3"/>"#;
    let expected = [-0.560694053922, 2.0, 3.112173224275];
    close(&read(field, 0.5), &expected, 1e-10);
    let none = r#"<option magnetic="0 0 0"/>"#;
    close(&read(none, 0.5), &[0.0; 3], 0.0);
}

#[test]
fn stages_are_those_of_the_types() {
    let case = Case::new(&hinge(
        "",
        r#"<touch site="s"/><magnetometer site="s"/><user dim="1"/><gyro site="s"/>"#,
    ));
    let stages = [Stage::Acc, Stage::Pos, Stage::Acc, Stage::Vel];
    assert_eq!(case.model.sensor_needstage, stages.map(Stage::code));
}

#[test]
fn user_sensors_reserve_their_slots() {
    let sensors = r#"<user dim="4"/><user dim="0"/><jointpos joint="h1"/>"#;
    let case = Case::new(&hinge("", sensors)).qpos(&[0.25]);
    assert_eq!(case.model.sensor_dim, [4, 0, 1]);
    assert_eq!(case.model.sensor_adr, [0, 4, 4]);
    assert_eq!(case.forward().readings(), [0.0, 0.0, 0.0, 0.0, 0.25]);
}

#[test]
fn a_cutoff_clamps_and_noise_does_nothing() {
    let sensors = r#"<jointpos joint="h1" cutoff=".3" noise="5"/><jointvel joint="h1" cutoff=".3"/>
                     <jointpos joint="h1" noise="5"/>"#;
    let case = Case::new(&hinge("", sensors)).qpos(&[-1.0]).qvel(&[2.0]);
    assert_eq!(case.forward().readings(), [-0.3, 0.3, -1.0]);
}

#[test]
fn disabled_sensors_keep_their_readings() {
    let off = r#"<option><flag sensor="disable"/></option>"#;
    let sensor = r#"<jointpos joint="h1"/>"#;
    let mut case = Case::new(&hinge(off, sensor)).qpos(&[0.5]).forward();
    assert_eq!(case.readings(), [0.0]);
    case.data.sensor.sensordata[0] = 7.0;
    assert_eq!(case.forward().readings(), [7.0]);
}

#[test]
fn after_a_step_readings_describe_the_state_before_it() {
    for integrator in ["Euler", "RK4", "implicit", "implicitfast"] {
        let option = format!(r#"<option integrator="{integrator}"/>"#);
        let sensors = r#"<jointpos joint="h1"/><jointvel joint="h1"/><clock/>
                         <framelinacc objtype="site" objname="s"/>"#;
        let start = Case::new(&hinge(&option, sensors))
            .qpos(&[0.5])
            .qvel(&[3.0]);
        let before = start.clone().forward();
        let after = start.steps(1);
        close(after.readings(), before.readings(), 0.0);
        assert!(after.data.state.qpos[0] > 0.5);
    }
}

#[test]
fn a_missing_object_is_named() {
    for (sensor, missing) in [
        (r#"<jointpos joint="jj"/>"#, "jj"),
        (r#"<gyro site="ss"/>"#, "ss"),
        (r#"<subtreecom body="bb"/>"#, "bb"),
        (r#"<tendonpos tendon="tt"/>"#, "tt"),
        (r#"<actuatorfrc actuator="aa"/>"#, "aa"),
        (r#"<framepos objtype="geom" objname="gg"/>"#, "gg"),
    ] {
        let error = load_text(&hinge("", sensor)).expect_err("no such object");
        assert!(error.to_string().contains(missing), "{error}");
    }
}

#[test]
fn accelerations_are_current_in_split_steps() {
    let sensors =
        r#"<accelerometer site="s"/><force site="s"/><framelinacc objtype="site" objname="s"/>"#;
    let start = || Case::new(&hinge("", sensors)).qpos(&[0.5]).qvel(&[3.0]);
    let (mut split, mut whole) = (start(), start());
    for _ in 0..5 {
        split.data.step1(&split.model).expect("finite");
        split.data.step2(&split.model).expect("finite");
        whole = whole.steps(1);
        assert_eq!(split.readings(), whole.readings());
    }
}

#[test]
fn a_site_is_projected_into_the_image_of_a_camera() {
    let case = Case::new(
        r#"<mujoco><worldbody><camera name="fixed" pos="1 2 3" euler="20 30 40" resolution="200 100" fovy="50"/>
             <body pos=".1 .2 -.5"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
               <site name="s" pos=".2 .3 .1"/>
               <camera name="lens" pos="0 .1 1" euler="10 5 0" resolution="64 48" focal=".02 .03"
                 sensorsize=".04 .03" principal=".001 -.002"/></body>
             <camera name="down" pos="0 0 1" resolution="20 10" fovy="90"/><site name="corner" pos="1 .5 0"/>
           </worldbody><sensor><camprojection site="s" camera="fixed"/><camprojection site="s" camera="lens"/>
             <camprojection site="corner" camera="down"/></sensor></mujoco>"#,
    )
    .qpos(&[0.3])
    .forward();
    let expected = [
        57.802618220891006,
        148.38183735922377,
        41.93695550048156,
        21.830787088963035,
    ];
    close(&case.readings()[..4], &expected, 1e-12);
    // One metre away five pixels are a metre; pixels count to the right and down from the corner.
    close(&case.readings()[4..], &[15.0, 2.5], 1e-12);
}
