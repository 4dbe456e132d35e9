//! Fixed and spatial tendons: lengths, Jacobians, springs, wrapping.

use crate::{Case, close, slide};
use sinew::engine::integrate::integrate_position;

pub fn chain(option: &str, sections: &str) -> String {
    let link = |name: &str| {
        format!(
            r#"<joint name="{name}" axis="0 1 0"/>
               <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".02" mass="1"/>"#
        )
    };
    format!(
        r#"<mujoco><option gravity="0 0 0" {option}><flag contact="disable"/></option><worldbody>
             <body>{}<body pos="0 0 -.3">{}</body></body></worldbody>{sections}</mujoco>"#,
        link("j1"),
        link("j2")
    )
}

pub fn fixed(attributes: &str, first: f64, second: f64) -> String {
    format!(
        r#"<tendon><fixed name="t" {attributes}><joint joint="j1" coef="{first}"/>
             <joint joint="j2" coef="{second}"/></fixed></tendon>"#
    )
}

#[test]
fn a_fixed_tendon_is_a_weighted_sum() {
    let sections = fixed("", 1.0, -1.0)
        + r#"<actuator><motor tendon="t" gear="3"/></actuator>
             <sensor><tendonpos tendon="t"/><tendonvel tendon="t"/></sensor>"#;
    let case = Case::new(&chain("", &sections))
        .qpos(&[0.3, 0.1])
        .qvel(&[0.5, -0.2])
        .ctrl(&[1.0])
        .forward();
    close(&case.data.position.tendon.ten_length, &[0.2], 1e-14);
    close(&case.data.velocity.length.ten_velocity, &[0.7], 1e-14);
    assert_eq!(case.data.position.tendon.ten_J, [1.0, -1.0]);
    close(case.qfrc_actuator(), &[3.0, -3.0], 1e-14);
    close(
        &case.data.position.transmission.actuator_length,
        &[0.6],
        1e-14,
    );
    close(&case.data.velocity.length.actuator_velocity, &[2.1], 1e-14);
    close(&case.data.sensor.sensordata, &[0.2, 0.7], 1e-14);
}

#[test]
fn a_tendon_limits_the_total_of_its_actuators() {
    let sections = fixed(
        r#"actuatorfrclimited="true" actuatorfrcrange="-1 1""#,
        1.0,
        -1.0,
    ) + r#"<actuator><motor tendon="t"/><motor tendon="t"/></actuator>"#;
    let case = Case::new(&chain("", &sections)).ctrl(&[2.0, 1.0]).forward();
    close(case.actuator_force(), &[2.0 / 3.0, 1.0 / 3.0], 1e-14);
    close(case.qfrc_actuator(), &[1.0, -1.0], 1e-14);
}

#[test]
fn tendon_springs_have_a_dead_band() {
    let passive = |attributes: &str, q: f64, v: f64| {
        let tendon =
            format!(r#"<tendon><fixed {attributes}><joint joint="j" coef="1"/></fixed></tendon>"#);
        let case = Case::new(&slide("", "", &tendon))
            .qpos(&[q])
            .qvel(&[v])
            .forward();
        case.qfrc_passive()[0]
    };
    let spring = |length: &str| format!(r#"stiffness="100" {length}"#);
    let band = spring(r#"springlength="0.3 0.7""#);
    for (attributes, q, expected) in [
        (spring(r#"springlength="0""#), 0.1, -10.0),
        (spring(r#"springlength=".02""#), 0.1, -8.0),
        (spring(r#"springlength="-.05 .05""#), 0.1, -5.0),
        (spring(""), 0.1, -10.0),
        (band.clone(), 0.5, 0.0),
        (band.clone(), 1.0, -30.0),
        (band.clone(), 0.1, 20.0),
        (band.clone(), 0.3, 0.0),
        (band.clone(), 0.7, 0.0),
        (spring(r#"springlength="0.5""#), 0.8, -30.0),
    ] {
        close(&[passive(&attributes, q, 0.0)], &[expected], 1e-12);
    }
    close(&[passive(r#"damping="10""#, 0.0, 0.5)], &[-5.0], 1e-12);
    close(
        &[passive(&format!(r#"{band} damping="2""#), 0.5, 3.0)],
        &[-6.0],
        1e-12,
    );
}

#[test]
fn rest_lengths_come_from_the_spring_position() {
    let rest = |joint: &str, tendon: &str| {
        let xml = format!(
            r#"<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" {joint}/>
                 <geom size=".1" mass="1"/></body></worldbody>
               <tendon><fixed {tendon}><joint joint="j" coef="1"/></fixed></tendon></mujoco>"#
        );
        let model = Case::new(&xml).model;
        (model.tendon_lengthspring[0], model.tendon_length0[0])
    };
    let stiff = r#"stiffness="100""#;
    assert_eq!(rest("", r#"springlength="0.5""#).0, [0.5, 0.5]);
    assert_eq!(rest(r#"ref="0.5""#, stiff), ([0.0, 0.0], 0.5));
    assert_eq!(
        rest(r#"ref="0.5" springref="0.2""#, stiff),
        ([0.2, 0.2], 0.5)
    );
    assert_eq!(rest(r#"ref="0.5""#, ""), ([0.0, 0.0], 0.5));
    let zero = r#"stiffness="100" springlength="0""#;
    assert_eq!(rest(r#"ref="0.5" springref="0.2""#, zero).0, [0.0, 0.0]);
    assert_eq!(rest("", r#"springlength="-0.5""#).0, [-0.5, -0.5]);
}

#[test]
fn spring_energy_counts_the_stretch() {
    let tendon = r#"<tendon><fixed stiffness="100" springlength="0.3 0.7">
                      <joint joint="j" coef="1"/></fixed></tendon>"#;
    let xml = slide("", "", tendon).replace(
        r#"gravity="0 0 0" />"#,
        r#"gravity="0 0 0"><flag energy="enable"/></option>"#,
    );
    for (q, expected) in [(0.1, 2.0), (0.5, 0.0), (1.0, 4.5)] {
        let case = Case::new(&xml).qpos(&[q]).forward();
        close(&case.data.energy.values, &[expected, 0.0], 1e-12);
    }
}

#[test]
fn trajectories_follow_the_reference() {
    let tendon = fixed(r#"stiffness="20" damping=".2""#, 1.0, -1.0);
    for (integrator, expected) in [
        ("Euler", [0.287837637606, 0.266935248020]),
        ("implicitfast", [0.288375500845, 0.265331765057]),
        ("implicit", [0.288362454642, 0.265250898689]),
        ("RK4", [0.288116059213, 0.266029934923]),
    ] {
        let option = format!(r#"integrator="{integrator}" timestep=".002""#);
        let case = Case::new(&chain(&option, &tendon))
            .qpos(&[0.3, 0.1])
            .qvel(&[0.5, -0.2])
            .steps(50);
        close(&case.data.state.qpos, &expected, 1e-8);
    }
    let tendon = r#"<tendon><fixed stiffness="100" springlength="0.3 0.7">
                      <joint joint="j" coef="1"/></fixed></tendon>"#;
    for (integrator, q, v) in [
        ("Euler", 0.568230081702614, -3.000022216204392),
        ("implicit", 0.568230081702614, -3.000022216204392),
        ("implicitfast", 0.568230081702614, -3.000022216204392),
        ("RK4", 0.571240408987143, -2.999964968195119),
    ] {
        let option = format!(r#"integrator="{integrator}""#);
        let case = Case::new(&slide(&option, "", tendon))
            .qpos(&[1.0])
            .steps(100);
        close(&case.data.state.qpos, &[q], 1e-9);
        close(&case.data.state.qvel, &[v], 1e-9);
    }
}

/// Two hinged links with a string from the first body's origin to a site on the second.
pub const STRING: &str = r#"<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0"/>
       <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/><site name="s1"/>
       <body pos="0 0 -.5"><joint axis="0 1 0"/>
         <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".04"/><site name="s2" pos="0 0 -.2"/>
       </body></body></worldbody>
   <tendon><spatial name="t" stiffness="100" damping="10"><site site="s1"/><site site="s2"/>
     </spatial></tendon><actuator><motor tendon="t" gear="3"/></actuator></mujoco>"#;

pub fn string() -> Case {
    Case::new(STRING)
}

#[test]
fn a_straight_string_has_closed_length_and_gradient() {
    for (q, length, slope) in [
        ([0.3, 0.5], 0.682287704988, -0.070267357172),
        ([0.3, 1.2], 0.602056102781, -0.154809341133),
        (
            [0.0, core::f64::consts::FRAC_PI_2],
            0.538516480713,
            -0.185695338177,
        ),
        ([0.0, 0.0], 0.7, 0.0),
    ] {
        let case = string().qpos(&q).forward();
        close(&case.data.position.tendon.ten_length, &[length], 1e-11);
        close(&case.data.position.tendon.ten_J, &[0.0, slope], 1e-11);
    }
    let case = string()
        .qpos(&[0.3, 1.2])
        .qvel(&[0.5, 1.0])
        .ctrl(&[2.0])
        .forward();
    close(
        &case.data.velocity.length.ten_velocity,
        &[-0.154809341133],
        1e-11,
    );
    close(
        &case.data.velocity.passive.qfrc_spring,
        &[0.0, -1.516263019656],
        1e-10,
    );
    close(
        &case.data.velocity.passive.qfrc_damper,
        &[0.0, -0.239659321021],
        1e-10,
    );
    close(case.qfrc_actuator(), &[0.0, -0.9288560468], 1e-10);
    close(
        &case.data.position.transmission.actuator_length,
        &[1.806168308342],
        1e-11,
    );
    assert_eq!(case.model.tendon_length0, [0.7]);
    assert_eq!(case.model.tendon_lengthspring, [[0.7, 0.7]]);
}

/// A string from a world site past a geom to a site on a body with two hinges.
pub fn wrapped(geom: &str, side: Option<&str>) -> Case {
    let (site, attribute) = match side {
        Some(pos) => (
            format!(r#"<site name="side" pos="{pos}"/>"#),
            r#"sidesite="side""#,
        ),
        None => (String::new(), ""),
    };
    Case::new(&format!(
        r#"<mujoco><option><flag contact="disable"/></option><worldbody>
             <geom name="w" {geom}/><site name="a" pos="-.3 .05 .1"/>{site}
             <body pos=".1 -.2 0"><joint axis="0 0 1"/><joint axis="0 1 0"/>
               <geom size=".02" pos=".2 .2 0"/><site name="b" pos=".2 .22 -.05"/></body></worldbody>
           <tendon><spatial><site site="a"/><geom geom="w" {attribute}/><site site="b"/></spatial></tendon>
           </mujoco>"#
    ))
}

pub const SPHERE: &str = r#"type="sphere" size=".1""#;
pub const CYLINDER: &str = r#"type="cylinder" size=".1 .2""#;

#[test]
fn strings_wrap_spheres_and_cylinders() {
    let states = [[0.0, 0.0], [0.4, 0.2], [-0.5, 0.1]];
    let inside = [0.619193023217, 0.521703326440, 0.712672372793];
    let table = [
        (
            SPHERE,
            None,
            [0.630077200249, 0.526134946080, 0.726867311969],
        ),
        (
            SPHERE,
            Some("0 .3 0"),
            [0.630077200249, 0.526134946080, 0.760394577696],
        ),
        (
            SPHERE,
            Some("0 -.3 0"),
            [0.684434945875, 0.630363977894, 0.726867311969],
        ),
        (
            CYLINDER,
            None,
            [0.633041872586, 0.526622042288, 0.732900056701],
        ),
        (
            CYLINDER,
            Some("0 .3 0"),
            [0.633041872586, 0.526622042288, 0.751363550647],
        ),
        (
            CYLINDER,
            Some("0 -.3 0"),
            [0.678154366733, 0.630434673085, 0.732900056701],
        ),
        (
            CYLINDER,
            Some("0 .05 .3"),
            [0.633041872586, 0.526622042288, 0.751363550647],
        ),
        (SPHERE, Some("0 .05 0"), inside),
        (CYLINDER, Some("0 .05 0"), inside),
    ];
    for (geom, side, lengths) in table {
        for (q, expected) in states.iter().zip(lengths) {
            let case = wrapped(geom, side).qpos(q).forward();
            close(&case.data.position.tendon.ten_length, &[expected], 1e-10);
            // The Jacobian is the gradient of the length.
            for dof in 0..2 {
                let length = |h: f64| {
                    let mut direction = [0.0; 2];
                    direction[dof] = 1.0;
                    let mut moved = wrapped(geom, side).qpos(q);
                    integrate_position(&moved.model, &mut moved.data.state.qpos, &direction, h)
                        .expect("fits");
                    moved.forward().data.position.tendon.ten_length[0]
                };
                let slope = (length(1e-6) - length(-1e-6)) / 2e-6;
                close(&[case.data.position.tendon.ten_J[dof]], &[slope], 1e-5);
            }
        }
    }
    let slope = |geom| wrapped(geom, None).forward().data.position.tendon.ten_J;
    close(&slope(SPHERE), &[-0.242795814589, 0.022902794595], 1e-10);
    close(&slope(CYLINDER), &[-0.258141384533, 0.000606371988], 1e-10);
}

/// A string between two world sites past a sphere of radius 0.1 at the origin.
fn static_string(a: &str, b: &str, side: Option<&str>) -> Case {
    let (site, attribute) = match side {
        Some(pos) => (
            format!(r#"<site name="side" pos="{pos}"/>"#),
            r#"sidesite="side""#,
        ),
        None => (String::new(), ""),
    };
    Case::new(&format!(
        r#"<mujoco><worldbody><geom name="w" size=".1"/><site name="a" pos="{a}"/>
             <site name="b" pos="{b}"/>{site}</worldbody><tendon><spatial><site site="a"/>
             <geom geom="w" {attribute}/><site site="b"/></spatial></tendon></mujoco>"#
    ))
    .forward()
}

#[test]
fn side_sites_choose_the_way_round() {
    let length = |side| {
        static_string("-.3 .15 0", ".3 -.05 0", side)
            .data
            .position
            .tendon
            .ten_length[0]
    };
    for side in [None, Some("0 .3 0"), Some("0 0 .3")] {
        close(&[length(side)], &[0.641312096242], 1e-11);
    }
    let case = static_string("-.3 .15 0", ".3 -.05 0", Some("0 -.3 0"));
    close(
        &case.data.position.tendon.ten_length,
        &[0.701011882559],
        1e-11,
    );
    let points = case.data.position.tendon.wrap_xpos.as_flattened();
    let expected = [
        -0.069354161583,
        -0.072041656499,
        0.0,
        0.016906587442,
        -0.098560475349,
        0.0,
    ];
    close(&points[3..9], &expected, 1e-11);
}

#[test]
fn collinear_strings_have_closed_length() {
    let (d1, d2, r) = (0.3_f64, 0.3_f64, 0.1_f64);
    let case = static_string("-.3 0 0", ".3 0 0", None);
    let arc = 0.06796738189;
    let straight = (d1 * d1 - r * r).sqrt() + (d2 * d2 - r * r).sqrt();
    close(
        &case.data.position.tendon.ten_length,
        &[straight + arc],
        1e-10,
    );
    close(
        &case.data.position.tendon.ten_length,
        &[0.63365280684],
        1e-10,
    );
    let case = static_string("0 0 -.3", "0 0 .4", None);
    close(
        &case.data.position.tendon.ten_length,
        &[0.729392763555],
        1e-11,
    );
}

#[test]
fn pulleys_divide_their_branch() {
    let case = |q: [f64; 2]| {
        Case::new(
            r#"<mujoco><option gravity="0 0 0"/><worldbody>
                 <body pos="0 0 .5"><joint type="slide" axis="0 0 1"/><geom size=".01"/><site name="s1"/></body>
                 <site name="s2"/><site name="s3"/>
                 <body pos="0 0 -.5"><joint type="slide" axis="0 0 1"/><geom size=".01"/><site name="s4"/></body>
               </worldbody><tendon><spatial stiffness="100"><site site="s1"/><site site="s2"/>
                 <pulley divisor="2"/><site site="s3"/><site site="s4"/></spatial></tendon></mujoco>"#,
        )
        .qpos(&q)
        .forward()
    };
    let rest = case([0.0, 0.0]);
    close(&rest.data.position.tendon.ten_length, &[0.75], 1e-14);
    close(&rest.data.position.tendon.ten_J, &[1.0, -0.5], 1e-14);
    assert_eq!(rest.model.tendon_length0, [0.75]);
    assert_eq!(rest.model.tendon_lengthspring, [[0.75, 0.75]]);
    let moved = case([0.1, -0.2]);
    close(&moved.data.position.tendon.ten_length, &[0.95], 1e-14);
    close(
        &moved.data.velocity.passive.qfrc_spring,
        &[-20.0, 10.0],
        1e-12,
    );
}

#[test]
fn wrapping_ends_without_a_jump() {
    let case = |y: f64| {
        Case::new(
            r#"<mujoco><option><flag contact="disable"/></option><worldbody><geom name="w" size=".1"/>
                 <site name="a" pos="-.3 0 0"/><body pos=".3 0 0"><joint type="slide" axis="0 1 0"/>
                   <geom size=".01"/><site name="b"/></body></worldbody>
               <tendon><spatial><site site="a"/><geom geom="w"/><site site="b"/></spatial></tendon></mujoco>"#,
        )
        .qpos(&[y])
        .forward()
    };
    for (y, expected) in [
        (0.05, 0.621042718045),
        (0.1, 0.616826403420),
        (0.2, 0.632539794729),
        (0.3, 0.670820393250),
    ] {
        close(&case(y).data.position.tendon.ten_length, &[expected], 1e-11);
    }
    let end = 0.3 / core::f64::consts::SQRT_2;
    let (before, after) = (case(end - 1e-9), case(end + 1e-9));
    close(
        &before.data.position.tendon.ten_length,
        &[0.6363961031],
        1e-8,
    );
    close(
        &after.data.position.tendon.ten_length,
        &[0.6363961031],
        1e-8,
    );
    close(&before.data.position.tendon.ten_J, &[1.0 / 3.0], 1e-4);
    close(&after.data.position.tendon.ten_J, &[1.0 / 3.0], 1e-4);
}
