//! Actuators on sites, with and without a reference site.

use crate::{Case, close};

fn arm(actuator: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody>
             <site name="ref" pos=".1 0 .2" euler="10 20 30"/><site name="origin"/>
             <body pos="0 0 1"><joint name="j1" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/>
               <site name="sa" pos=".1 .02 0" euler="0 0 40"/>
               <body pos=".4 0 0"><joint name="j2" axis="0 0 1"/><geom size=".04" pos=".2 0 0"/>
                 <site name="s" pos=".3 .05 .01" euler="20 -30 40"/></body></body>
           </worldbody><actuator>{actuator}</actuator></mujoco>"#
    ))
    .qpos(&[0.3, 0.5])
    .qvel(&[1.0, 2.0])
}

fn check(actuator: &str, length: f64, moment: [f64; 2]) -> Case {
    let case = arm(actuator).ctrl(&[1.5]).forward();
    close(
        &case.data.position.transmission.actuator_length,
        &[length],
        1e-9,
    );
    close(&case.moment(0), &moment, 1e-9);
    let velocity = moment[0] + 2.0 * moment[1];
    close(
        &case.data.velocity.length.actuator_velocity,
        &[velocity],
        1e-9,
    );
    for (q, m) in case.qfrc_actuator().iter().zip(moment) {
        close(&[*q], &[m * case.actuator_force()[0]], 1e-9);
    }
    case
}

#[test]
fn a_site_alone_carries_a_wrench() {
    let moment = [-0.367094424248, 0.108735740124];
    check(r#"<motor site="s" gear="1 0 0 0 0 0"/>"#, 0.0, moment);
    check(r#"<motor site="s"/>"#, 0.0, moment);
    let case = check(
        r#"<motor site="s" gear="1 2 3 .4 .5 .6"/>"#,
        0.0,
        [-1.679227232823, 1.170868156718],
    );
    close(&case.model.actuator_acc0, &[108.375311730835], 1e-9);
}

#[test]
fn a_reference_site_gives_a_length() {
    let linear = r#"gear="1 2 3 0 0 0""#;
    let angular = r#"gear="0 0 0 1 2 3""#;
    let motor =
        |gear: &str, reference: &str| format!(r#"<motor site="s" {gear} refsite="{reference}"/>"#);
    check(
        &motor(linear, "ref"),
        2.773213690981,
        [-2.130825736389, 0.423557579526],
    );
    check(
        &motor(angular, "ref"),
        0.394123956381,
        [1.700656298274, 3.331660513759],
    );
    check(&motor(linear, "sa"), 0.114556793426, [0.0, 0.617974993502]);
    check(&motor(angular, "sa"), -0.247659164247, [0.0, 3.0]);
    check(&motor(linear, "s"), 0.0, [0.0, 0.0]);
}

#[test]
fn moments_are_gradients_of_lengths() {
    let actuator = r#"<motor site="s" gear="1 2 3 0 0 0" refsite="ref"/>"#;
    let length = |q: [f64; 2]| {
        let case = arm(actuator).qpos(&q).forward();
        case.data.position.transmission.actuator_length[0]
    };
    let moment = arm(actuator).forward().moment(0);
    let h = 1e-6;
    let slope = [
        (length([0.3 + h, 0.5]) - length([0.3 - h, 0.5])) / (2.0 * h),
        (length([0.3, 0.5 + h]) - length([0.3, 0.5 - h])) / (2.0 * h),
    ];
    close(&moment, &slope, 1e-8);
}

#[test]
fn servos_and_general_actuators_use_the_length() {
    let force = |actuator: &str, ctrl: f64| {
        let case = arm(actuator).ctrl(&[ctrl]).forward();
        case.actuator_force()[0]
    };
    let servo = r#"<position site="s" refsite="ref" gear="1 0 0 0 0 0" kp="50" kv="5"/>"#;
    close(&[force(servo, 1.5)], &[55.723562533589], 1e-9);
    close(
        &[force(r#"<position site="s" kp="50"/>"#, 1.5)],
        &[75.0],
        1e-12,
    );
    let affine = r#"<general site="s" refsite="ref" gear="1 0 0 0 0 0" gaintype="affine"
                      gainprm="1 2 3" biastype="affine" biasprm="4 5 6"/>"#;
    close(&[force(affine, 1.5)], &[7.861079332424], 1e-9);
    let velocity = r#"<velocity site="s" refsite="ref" gear="1 0 0 0 0 0"/>"#;
    close(&[force(velocity, 0.7)], &[0.77455161466], 1e-9);
}

#[test]
fn a_site_at_the_origin_measures_coordinates() {
    for k in 0..3 {
        let mut gear = [0; 6];
        gear[k] = 1;
        let gear = gear.map(|g| g.to_string()).join(" ");
        let case = arm(&format!(
            r#"<motor site="s" refsite="origin" gear="{gear}"/>"#
        ))
        .forward();
        let expected = case.data.position.kinematics.site_xpos[3][k];
        close(
            &case.data.position.transmission.actuator_length,
            &[expected],
            1e-12,
        );
    }
}

#[test]
fn a_free_body_is_pushed_along_its_site() {
    let case = Case::new(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body quat=".8 .2 .5 .3"><freejoint/>
             <geom type="box" size=".1 .1 .1" mass="1"/><site name="s" pos=".1 0 0" euler="0 90 0"/>
           </body></worldbody><actuator><motor site="s" gear="0 0 1 0 0 0"/>
             <motor site="s" gear="0 0 0 0 0 1"/></actuator></mujoco>"#,
    )
    .ctrl(&[2.0, 0.3])
    .forward();
    let third = 1.0 / 3.0;
    let expected = [2.0 * third, 4.0 * third, -4.0 * third, 0.3, 0.0, 0.0];
    close(case.qfrc_actuator(), &expected, 1e-9);
}

const ALONG: &str = r#"site="s" refsite="ref" gear="1 0 0 0 0 0""#;

#[test]
fn forces_are_the_moment_times_the_scalar() {
    let case = check(
        r#"<motor site="s"/>"#,
        0.0,
        [-0.367094424248, 0.108735740124],
    );
    assert_eq!(case.actuator_force(), [1.5]);
    close(
        case.qfrc_actuator(),
        &[-0.550641636373, 0.163103610185],
        1e-9,
    );
    close(
        &case.data.velocity.length.actuator_velocity,
        &[-0.149622944001],
        1e-9,
    );
    let case = arm(r#"<motor site="s" gear="1 2 3 .4 .5 .6"/>"#)
        .ctrl(&[1.5])
        .forward();
    close(
        case.qfrc_actuator(),
        &[-2.518840849235, 1.756302235077],
        1e-9,
    );
    close(
        &case.data.velocity.length.actuator_velocity,
        &[0.662509080612],
        1e-9,
    );
    assert_eq!(case.model.actuator_length0, [0.0]);
    let case = arm(r#"<motor site="s" refsite="ref" gear="0 0 0 1 2 3"/>"#)
        .ctrl(&[1.5])
        .forward();
    close(
        case.qfrc_actuator(),
        &[2.550984447411, 4.997490770638],
        1e-9,
    );
    let servo = format!(r#"<position {ALONG} kp="50" kv="5"/>"#);
    let case = arm(&servo).ctrl(&[1.5]).forward();
    close(
        &case.data.position.transmission.actuator_length,
        &[0.392983910794],
        1e-9,
    );
    close(
        &case.data.velocity.length.actuator_velocity,
        &[-0.07455161466],
        1e-9,
    );
    close(
        case.qfrc_actuator(),
        &[-1.127935218944, -1.51317317127],
        1e-9,
    );
}

#[test]
fn muscles_and_integrated_servos_work_on_sites() {
    let muscle = |transmission: &str| {
        arm(&format!(
            r#"<general {transmission} dyntype="muscle" gaintype="muscle" biastype="muscle" dynprm=".01 .04"
                 gainprm=".75 1.05 100 200 .5 1.6 1.5 1.3 1.2" biasprm=".75 1.05 100 200 .5 1.6 1.5 1.3 1.2"
                 lengthrange=".1 .9"/>"#
        ))
        .act(&[0.5])
        .ctrl(&[0.7])
        .forward()
    };
    let case = muscle(ALONG);
    close(case.actuator_force(), &[-40.588956734868], 1e-9);
    close(case.act_dot(), &[16.0], 1e-12);
    close(&case.model.actuator_acc0, &[11.313241649877], 1e-9);
    assert_eq!(case.model.actuator_lengthrange, [[0.1, 0.9]]);
    let case = muscle(r#"site="s" gear="1 0 0 0 0 0""#);
    close(case.actuator_force(), &[-16.736490639852], 1e-9);
    let case = arm(&format!(r#"<intvelocity {ALONG} actrange="-1 1"/>"#))
        .ctrl(&[0.7])
        .forward();
    close(case.actuator_force(), &[-0.392983910794], 1e-9);
    close(case.act_dot(), &[0.7], 1e-15);
    let case = arm(&format!("<motor {ALONG}/>")).ctrl(&[0.7]).forward();
    assert_eq!(case.actuator_force(), [0.7]);
}

#[test]
fn sensors_read_sites_like_any_actuator() {
    let actuators = format!(
        r#"<motor name="m" {ALONG}/></actuator><sensor><actuatorpos actuator="m"/>
           <actuatorvel actuator="m"/><actuatorfrc actuator="m"/></sensor><actuator>"#
    );
    let case = arm(&actuators).ctrl(&[1.5]).forward();
    let expected = [0.392983910794, -0.07455161466, 1.5];
    close(&case.data.sensor.sensordata, &expected, 1e-9);
}

#[test]
fn random_gears_and_states_are_consistent() {
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for round in 0..30 {
        let gear: Vec<String> = (0..6).map(|_| format!("{:?}", next())).collect();
        let reference = ["", r#"refsite="ref""#, r#"refsite="sa""#][round % 3];
        let actuator = format!(r#"<motor site="s" {reference} gear="{}"/>"#, gear.join(" "));
        let (q, v) = ([next(), next()], [next(), next()]);
        let case = arm(&actuator).qpos(&q).qvel(&v).ctrl(&[next()]).forward();
        let moment = case.moment(0);
        let force = case.actuator_force()[0];
        close(
            case.qfrc_actuator(),
            &[moment[0] * force, moment[1] * force],
            1e-12,
        );
        let velocity = moment[0] * v[0] + moment[1] * v[1];
        close(
            &case.data.velocity.length.actuator_velocity,
            &[velocity],
            1e-12,
        );
    }
}
