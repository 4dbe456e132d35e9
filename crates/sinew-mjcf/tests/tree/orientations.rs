//! Orientation attributes: every notation on every element, compared with values of MuJoCo 3.5.0.

use crate::support::{close, load, refuse, same_rotation};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

const H: f64 = FRAC_1_SQRT_2;
const X90: [f64; 4] = [H, H, 0.0, 0.0];
const Y90: [f64; 4] = [H, 0.0, H, 0.0];
const Z90: [f64; 4] = [H, 0.0, 0.0, H];
const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// A body with a sphere and a site, plus a compiler section and default classes.
fn site_model(compiler: &str, defaults: &str, site: &str) -> String {
    format!(
        r#"<mujoco>
  <compiler {compiler}/>
  <default>{defaults}</default>
  <worldbody>
    <body><joint/><geom size="0.1" mass="1"/>
      {site}
    </body>
  </worldbody>
</mujoco>"#
    )
}

fn check(compiler: &str, site: &str, expected: [f64; 4]) {
    let model = load(&site_model(
        compiler,
        "",
        &format!("<site name=\"s\" {site}/>"),
    ));
    same_rotation(&model.site_quat[0].0, expected, 1e-10, site);
}

#[test]
fn every_notation_gives_the_stored_quaternion() {
    let radian = r#"angle="radian""#;
    check("", r#"euler="90 0 0""#, X90);
    check(radian, &format!(r#"euler="{FRAC_PI_2} 0 0""#), X90);
    check(
        r#"angle="radian" eulerseq="ZYX""#,
        r#"euler="0.3 0.2 0.1""#,
        [
            0.981856172866081,
            0.06407134770607116,
            0.09115754934299071,
            0.1534393020242226,
        ],
    );
    check("", r#"axisangle="0 0 1 90""#, Z90);
    check(radian, &format!(r#"axisangle="0 1 0 {FRAC_PI_2}""#), Y90);
    check("", r#"xyaxes="0 1 0 -1 0 0""#, Z90);
    check(
        "",
        r#"xyaxes="1 1 0 0 1 0""#,
        [0.9238795325112867, 0.0, 0.0, 0.3826834323650897],
    );
    check("", r#"zaxis="1 0 0""#, Y90);
    check("", r#"zaxis="0 0 1""#, IDENTITY);
    check("", r#"zaxis="0 0 -1""#, [0.0, 1.0, 0.0, 0.0]);
    check("", r#"quat="0.7071068 0 0.7071068 0""#, Y90);
    check("", r#"axisangle="0 0 3 90""#, Z90);
    check("", r#"zaxis="0 0 5""#, IDENTITY);
    check(
        "",
        r#"zaxis="1 2 3""#,
        [
            0.9491532346616307,
            -0.28157860306687144,
            0.14078930153343572,
            0.0,
        ],
    );
    check("", r#"zaxis="1e-12 0 -1""#, [0.0, 1.0, 0.0, 0.0]);
    check("", r#"quat="2 0 0 2""#, Z90);
}

#[test]
fn class_shape_and_own_orientation_combine() {
    let defaults = r#"<default class="c"><site type="cylinder" size="0.02 0.01"/></default>"#;
    let model = load(&site_model(
        "",
        defaults,
        r#"<site class="c" euler="0 0 90"/>"#,
    ));
    same_rotation(&model.site_quat[0].0, Z90, 1e-10, "cylinder");
    close(&model.site_size[0], &[0.02, 0.01, 0.005], 0.0, "size");
    assert_eq!(model.site_type[0], 5);
}

#[test]
fn any_two_notations_on_one_element_are_refused() {
    let forms = [
        r#"quat="1 0 0 0""#,
        r#"euler="90 0 0""#,
        r#"axisangle="0 0 1 90""#,
        r#"xyaxes="1 0 0 0 1 0""#,
        r#"zaxis="0 0 1""#,
    ];
    for (i, first) in forms.iter().enumerate() {
        for second in &forms[i + 1..] {
            refuse(
                &site_model("", "", &format!("<site {first} {second}/>")),
                "two orientations",
            );
        }
    }
}

#[test]
fn frame_and_element_compose() {
    let inner = r#"<frame euler="0 0 90"><site euler="90 0 0"/></frame>"#;
    let model = load(&site_model("", "", inner));
    same_rotation(&model.site_quat[0].0, [0.5; 4], 1e-6, "frame");
}

#[test]
fn body_geom_camera_and_inertial_use_the_same_rules() {
    let model = load(
        r#"<mujoco><worldbody>
  <body xyaxes="1 1 0 0 1 1"><joint/>
    <geom size="0.1 0.1 0.1" type="box" zaxis="1 1 1"/>
    <camera zaxis="0 -1 0"/>
  </body>
  <body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 2 2.5" euler="0 0 90"/></body>
</worldbody></mujoco>"#,
    );
    same_rotation(
        &model.body_quat[1].0,
        [
            0.820473238570283,
            0.424708200277867,
            0.175919896606161,
            0.339851142979987,
        ],
        1e-10,
        "body",
    );
    same_rotation(
        &model.geom_quat[0].0,
        [
            0.888073833977115,
            -0.325057583671868,
            0.325057583671868,
            0.0,
        ],
        1e-10,
        "geom",
    );
    same_rotation(&model.cam_quat[0].0, X90, 1e-10, "camera");
    same_rotation(&model.body_iquat[2].0, Z90, 1e-10, "inertial");
}

#[test]
fn alternatives_of_a_class_win_over_quat_and_lose_to_alternatives() {
    let euler = r#"<default class="c"><site euler="0 0 90" pos="1 0 0"/></default>"#;
    let quat = r#"<default class="c"><site quat="0 1 0 0"/></default>"#;
    let nested = r#"<default class="p"><site euler="0 0 90"/>
        <default class="c"><site axisangle="1 0 0 90"/></default></default>"#;
    let cases = [
        (euler, "", Z90),
        (euler, r#"axisangle="1 0 0 90""#, X90),
        (quat, r#"euler="90 0 0""#, X90),
        (euler, r#"quat="1 0 0 0""#, Z90),
        (euler, r#"zaxis="1 0 0""#, Y90),
        (nested, "", X90),
        (nested, r#"zaxis="1 0 0""#, Y90),
    ];
    for (defaults, own, expected) in cases {
        let model = load(&site_model(
            "",
            defaults,
            &format!(r#"<site class="c" {own}/>"#),
        ));
        same_rotation(&model.site_quat[0].0, expected, 1e-10, own);
    }
    let model = load(&site_model("", euler, r#"<site class="c"/>"#));
    close(
        &model.site_pos[0].0,
        &[1.0, 0.0, 0.0],
        0.0,
        "pos of the class",
    );
}

#[test]
fn fromto_defines_the_pose_whatever_the_orientation_says() {
    for extra in ["", r#"euler="10 20 30""#] {
        let site = format!(r#"<site type="capsule" size="0.01" fromto="0 0 0 1 0 0" {extra}/>"#);
        let model = load(&site_model("", "", &site));
        close(&model.site_pos[0].0, &[0.5, 0.0, 0.0], 1e-10, extra);
        same_rotation(&model.site_quat[0].0, [H, 0.0, -H, 0.0], 1e-10, extra);
        close(&model.site_size[0], &[0.01, 0.5, 0.005], 1e-10, extra);
    }
}

#[test]
fn bad_orientations_are_refused() {
    let cases = [
        ("", r#"<site quat="0 0 0 0"/>"#, "zero quaternion"),
        ("", r#"<site axisangle="0 0 0 90"/>"#, "too short"),
        ("", r#"<site zaxis="0 0 0"/>"#, "too short"),
        ("", r#"<site xyaxes="0 0 0 0 1 0"/>"#, "too short"),
        ("", r#"<site xyaxes="1 0 0 2 0 0"/>"#, "parallel"),
        ("", r#"<site quat="1 0 0"/>"#, "3 numbers where 4"),
        ("", r#"<site euler="1 2 3 4"/>"#, "at most 3"),
        ("", r#"<site zaxis="0 one 0"/>"#, "one"),
        ("", r#"<site fromto="0 0 0 1 0 0"/>"#, "fromto requires"),
        (
            "",
            r#"<site type="capsule" size="1" pos="1 0 0" fromto="0 0 0 1 0 0"/>"#,
            "pos and fromto",
        ),
        (
            "",
            r#"<site type="capsule" size="1" fromto="1 0 0 1 0 0"/>"#,
            "too close",
        ),
    ];
    for (compiler, site, text) in cases {
        refuse(&site_model(compiler, "", site), text);
    }
    refuse(
        r#"<mujoco><worldbody><body><joint/>
<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0" euler="0 0 90"/></body></worldbody></mujoco>"#,
        "fullinertia",
    );
}

#[test]
fn a_sequence_of_other_letters_is_refused() {
    for sequence in ["xy", "xyzx", "abc"] {
        let compiler = format!(r#"eulerseq="{sequence}""#);
        let xml = site_model(&compiler, "", r#"<site euler="1 2 3"/>"#);
        refuse(&xml, "euler");
    }
}
