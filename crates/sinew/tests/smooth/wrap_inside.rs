//! Strings whose side site lies inside the geom: they touch its surface from within at one point.

use crate::{Case, close, numbers};
use sinew::math::sine::{cos, sin};
use std::fmt::Write;

const HINGE_Y: &str = r#"<joint axis="0 1 0"/>"#;
const HINGE_Z: &str = r#"<joint axis="0 0 1"/>"#;

/// Body `b0` holds the geom, the first site and the side site; its child `b1` the second site.
fn model(geom: &str, first: &str, side: &str, joint: &str, second: &str) -> String {
    format!(
        r#"<mujoco><option><flag contact="disable"/></option><worldbody><body name="b0">
             <geom name="w" {geom}/><site name="s1" pos="{first}"/><site name="side" pos="{side}"/>
             <body name="b1">{joint}<geom size=".01" mass=".1"/><site name="s2" pos="{second}"/></body>
           </body></worldbody><tendon><spatial><site site="s1"/><geom geom="w" sidesite="side"/>
             <site site="s2"/></spatial></tendon></mujoco>"#
    )
}

const SPHERE: &str = r#"size=".15""#;
const CYLINDER: &str = r#"type="cylinder" size=".15 .5""#;

fn sphere() -> String {
    model(SPHERE, "0.3 0 0.15", "0.05 0 0", HINGE_Y, "0.3 0 -0.15")
}

fn cylinder() -> String {
    model(
        CYLINDER,
        "0.3 0.1 0.2",
        "0.05 0 0",
        HINGE_Z,
        "0.3 -0.1 -0.2",
    )
}

/// The second point of the path: where the string touches.
fn touch(case: &Case) -> [f64; 3] {
    let points = case.data.position.tendon.wrap_xpos.as_flattened();
    [points[3], points[4], points[5]]
}

/// How far the directions from both ends are from equal angles at the touching point, in the plane.
fn residual(t: &[f64; 3], first: [f64; 2], second: [f64; 2]) -> f64 {
    let towards = |p: [f64; 2]| {
        let d = [t[0] - p[0], t[1] - p[1]];
        let norm = d[0].hypot(d[1]);
        [d[0] / norm, d[1] / norm]
    };
    let (a, b, r) = (towards(first), towards(second), t[0].hypot(t[1]));
    (-t[1] * (a[0] + b[0]) + t[0] * (a[1] + b[1])) / r
}

fn path_points(case: &Case) -> i32 {
    case.data.position.tendon.ten_wrapnum[0]
}

#[track_caller]
fn check(case: &Case, length: f64, point: &str, jacobian: &[f64]) {
    close(case.ten_length(), &[length], 1e-10);
    assert_eq!(path_points(case), 4);
    close(&touch(case), &numbers(point), 1e-6);
    close(case.ten_J(), jacobian, 1e-8);
    // Both points coincide, nothing is added along the surface.
    let points = case.data.position.tendon.wrap_xpos.as_flattened();
    assert_eq!(points[3..6], points[6..9]);
    let distance = |a: &[f64], b: &[f64]| -> f64 {
        let squares = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y));
        squares.sum::<f64>().sqrt()
    };
    let straight = distance(&points[0..3], &points[3..6]) + distance(&points[6..9], &points[9..12]);
    close(case.ten_length(), &[straight], 1e-12);
}

#[test]
fn the_string_touches_once_and_steps() {
    for xml in [sphere(), cylinder()] {
        Case::new(&xml).steps(1);
    }
    let case = Case::new(&sphere()).forward();
    check(&case, 0.424264068711929, "0.15 0 0", &[0.106066017158]);
    let square: f64 = touch(&case).iter().map(|x| x * x).sum();
    close(&[square.sqrt()], &[0.15], 1e-10);
    let case = Case::new(&cylinder()).forward();
    check(&case, 0.53851648071345, "0.15 0 0", &[-0.055708601519]);
    let oblique = model(
        CYLINDER,
        "0.3 0.05 0.3",
        "0.05 0 0",
        HINGE_Z,
        "0.3 -0.15 -0.1",
    );
    let case = Case::new(&oblique).forward();
    let point = "0.148607047563419 -0.020394739872909 0.117656368532109";
    check(&case, 0.542346519424661, point, &[-0.054801512464]);
    // Seen along the axis both pieces meet the surface at the same angle.
    let t = touch(&case);
    assert!(residual(&t, [0.3, 0.05], [0.3, -0.15]).abs() < 1e-8);
    // Along the axis the point divides the way as the two pieces do.
    let piece = |p: [f64; 2]| (t[0] - p[0]).hypot(t[1] - p[1]);
    let (first, second) = (piece([0.3, 0.05]), piece([0.3, -0.15]));
    close(&[t[2]], &[0.3 - 0.4 * first / (first + second)], 1e-9);
}

/// The string in the plane of a unit circle, as a sphere and as a cylinder.
fn flat(first: [f64; 2], second: [f64; 2], side: &str) -> [Case; 2] {
    let place = |p: [f64; 2]| format!("{:?} {:?} 0", p[0], p[1]);
    [r#"size="1""#, r#"type="cylinder" size="1 1""#]
        .map(|geom| Case::new(&model(geom, &place(first), side, HINGE_Z, &place(second))).forward())
}

#[test]
fn angles_at_the_touching_point_are_equal() {
    let (first, second) = ([2.0, 0.0], [1.5, 1.5 * 3f64.sqrt()]);
    for case in flat(first, second, "0 0 0") {
        close(case.ten_length(), &[3.42705724085678], 1e-12);
        let t = touch(&case);
        close(&t[..2], &[0.89681322358362, 0.442409360214672], 1e-9);
        assert!((t[0].hypot(t[1]) - 1.0).abs() < 1e-10);
        let residual = residual(&t, first, second);
        assert!(residual.abs() < 1e-8, "{residual}");
    }
}

#[test]
fn special_positions_wrap_or_go_straight() {
    let far = [1.5, 1.5 * 3f64.sqrt()];
    // (first, second, length, touching point or none)
    let straight = |a, b, length| (a, b, length, None);
    for (first, second, length, point) in [
        straight([2.0, 0.0], [-2.0, 0.1], 4.001249804748512),
        straight([2.0, 0.5], [-2.0, 0.5], 4.0),
        straight([1.0, 0.0], far, 2.645751311064591),
        straight([0.5, 0.0], far, 2.783882181415011),
        straight([2.0, 0.0], [-2.0, 0.0], 4.0),
        ([2.0, 0.0], [3.0, 0.0], 3.0, Some([1.0, 0.0])),
        (
            [2.0, 1.0],
            [2.0, 1.0],
            2.47213595499958,
            Some([0.894427191, 0.447213595]),
        ),
    ] {
        for case in flat(first, second, "0 0 0") {
            close(case.ten_length(), &[length], 1e-12);
            assert_eq!(path_points(&case), if point.is_some() { 4 } else { 2 });
            if let Some(point) = point {
                close(&touch(&case)[..2], &point, 1e-8);
            }
        }
    }
    // Close to the circle the iteration gives up and the mean direction serves.
    let near = |offset: f64| {
        let r = 1.0 + 2.0 * offset;
        [[1.0 + offset, 0.0], [r * cos(1e-4), r * sin(1e-4)]]
    };
    let [first, second] = near(1e-8);
    let [_, case] = flat(first, second, "0 0 0");
    assert_eq!(path_points(&case), 4);
    let t = touch(&case);
    close(&t[..2], &[0.99999999875, 5.0000000229e-5], 1e-10);
    assert!((t[0].hypot(t[1]) - 1.0).abs() < 1e-10);
    let [first, second] = near(1e-6);
    let [_, case] = flat(first, second, "0 0 0");
    assert_eq!(path_points(&case), 4);
    let t = touch(&case);
    assert!((t[0].hypot(t[1]) - 1.0).abs() < 1e-10);
}

#[test]
fn a_side_site_that_leaves_switches_to_the_outside() {
    let xml = r#"<mujoco><option><flag contact="disable"/></option><worldbody><body>
          <geom name="w" size=".15"/><site name="s1" pos="0.3 0 0.15"/>
          <body><joint type="slide" axis="1 0 0" range="-.05 .05"/><geom size=".01" mass=".1"/>
            <site name="side" pos="0.16 0 0"/><site name="s2" pos="0.3 0 -0.15"/></body></body></worldbody>
        <tendon><spatial><site site="s1"/><geom geom="w" sidesite="side"/><site site="s2"/></spatial>
        </tendon></mujoco>"#;
    let case = Case::new(xml);
    close(&case.model.tendon_length0, &[0.3], 1e-12);
    let at = |q: f64| case.clone().qpos(&[q]).forward();
    for k in 0..=100 {
        let length = at(-0.05 + f64::from(k) * 0.001).ten_length()[0];
        assert!(length.is_finite() && length > 0.0);
    }
    for (q, length, points) in [
        (-0.05, 0.391786156551011, 4),
        (-0.04, 0.397761312300161, 4),
        (-0.02, 0.410539632911676, 4),
        (-0.011, 0.416608764812297, 4),
        (-0.01, 0.300166620396073, 2),
        (0.0, 0.3, 2),
        (0.04, 0.302654919008431, 2),
    ] {
        let case = at(q);
        close(case.ten_length(), &[length], 1e-10);
        assert_eq!(path_points(&case), points, "{q}");
    }
    let case = at(-0.04);
    let point = numbers("0.149803810000823 0 -0.007669322606156");
    close(&touch(&case), &point, 1e-9);
    close(case.ten_J(), &[0.612189510807], 1e-8);
}

#[test]
fn jacobians_are_gradients() {
    for (xml, table) in [
        (
            sphere(),
            vec![
                (0.0, 0.106066017158),
                (0.2, 0.120281078523),
                (-0.1, 0.097678346486),
                (0.3, 0.126162029199),
            ],
        ),
        (
            cylinder(),
            vec![
                (0.0, -0.055708601519),
                (0.2, -0.039444152557),
                (-0.2, -0.070460588601),
            ],
        ),
    ] {
        let case = Case::new(&xml);
        let at = |q: f64| case.clone().qpos(&[q]).forward();
        for (q, expected) in table {
            close(at(q).ten_J(), &[expected], 1e-8);
            let slope = (at(q + 1e-7).ten_length()[0] - at(q - 1e-7).ten_length()[0]) / 2e-7;
            assert!((slope - expected).abs() < 1e-4);
        }
    }
}

#[test]
fn the_side_is_judged_in_three_dimensions() {
    // Exactly at the radius is outside.
    let at_radius = model(SPHERE, "0.3 0 0.15", "0.15 0 0", HINGE_Y, "0.3 0 -0.15");
    let case = Case::new(&at_radius).forward();
    close(case.ten_length(), &[0.3], 1e-12);
    let [_, case] = flat([2.0, 0.5], [-2.0, 0.5], "1 0 0");
    close(case.ten_length(), &[4.128483236037261], 1e-11);
    let centre = model(SPHERE, "0.3 0 0.15", "0 0 0", HINGE_Y, "0.3 0 -0.15");
    let case = Case::new(&centre).forward();
    check(&case, 0.424264068711929, "0.15 0 0", &[0.106066017158]);
    // A side site far along the axis of a cylinder is outside, its direction still counts.
    let long = r#"type="cylinder" size="0.1 1""#;
    let straight = 0.412310562561766;
    for (side, x, expected) in [
        ("0.05 0 5", 0.3, straight),
        ("0.05 0 0.09", 0.3, straight),
        ("0.05 0 0.08", 0.3, 0.574456264653803),
        ("-0.05 0 5", 0.3, 1.005572376310547),
        ("0 0 5", 0.3, straight),
        ("0 0 5", -0.3, 1.005572376310547),
    ] {
        let (first, second) = (format!("{x} 0.05 0.2"), format!("{x} -0.05 -0.2"));
        let case = Case::new(&model(long, &first, side, HINGE_Z, &second)).forward();
        close(case.ten_length(), &[expected], 1e-10);
    }
}

#[test]
fn geoms_may_be_turned_and_shifted() {
    for (geom, jacobian) in [
        (
            r#"type="cylinder" size=".15 .5" euler="90 0 0" pos=".02 .03 -.01""#,
            0.057565554905,
        ),
        (
            r#"size=".15" euler="20 30 40" pos=".02 .03 -.01""#,
            0.057565554834,
        ),
    ] {
        let xml = model(
            geom,
            "0.32 0.23 0.09",
            "0.07 0.03 -0.01",
            HINGE_Y,
            "0.32 -0.17 -0.11",
        );
        let case = Case::new(&xml).forward();
        close(case.ten_length(), &[0.538516480713451], 1e-9);
        close(&touch(&case), &[0.17, 0.03, -0.01], 1e-9);
        close(case.ten_J(), &[jacobian], 1e-8);
    }
}

#[test]
fn geoms_may_move() {
    let case = Case::new(
        r#"<mujoco><option><flag contact="disable"/></option><worldbody>
             <site name="s1" pos=".3 .1 .15"/><body><joint axis="0 1 0"/>
               <geom name="w" size=".15" pos=".02 0 0"/><site name="side" pos=".05 0 0"/>
               <body><joint axis="1 1 0"/><geom size=".01" mass=".1"/><site name="s2" pos=".3 -.05 -.15"/>
               </body></body></worldbody><tendon><spatial><site site="s1"/>
             <geom geom="w" sidesite="side"/><site site="s2"/></spatial></tendon></mujoco>"#,
    )
    .qpos(&[0.1, -0.2])
    .qvel(&[1.0, 2.0])
    .forward();
    let point = "0.169679540832 0.007046704072 0.002060185715";
    check(
        &case,
        0.421456363010815,
        point,
        &[0.113933731445, 0.080351968586],
    );
    close(
        &case.data.velocity.length.ten_velocity,
        &[0.274637668618],
        1e-8,
    );
}

#[test]
fn pulleys_divide_inside_wraps_too() {
    let xml = sphere()
        .replace(
            r#"<spatial><site site="s1"/>"#,
            r#"<spatial><pulley divisor="2"/><site site="s1"/>"#,
        )
        .replace(
            "</spatial>",
            r#"<pulley divisor="4"/><site site="x"/><site site="s2"/></spatial>"#,
        )
        .replace(
            r#"<site name="side""#,
            r#"<site name="x" pos="0 0 1"/><site name="side""#,
        );
    let case = Case::new(&xml).forward();
    close(case.ten_length(), &[0.509253642456082], 1e-10);
    close(case.ten_J(), &[0.116138482866], 1e-8);
    let tendon = &case.data.position.tendon;
    assert_eq!(tendon.ten_wrapnum, [8]);
    let markers = [-2, -1, 0, 0, -1, -2, -1, -1];
    assert_eq!(tendon.wrap_obj.as_flattened()[..8], markers);
}

#[test]
fn collinear_strings_outside_choose_the_plane_by_rule() {
    let outside = |first: &str, joint: &str, second: &str| {
        let xml = model(SPHERE, first, "0 0 0", joint, second).replace(r#" sidesite="side""#, "");
        Case::new(&xml).forward()
    };
    let case = outside("0.3 0 0", HINGE_Z, "-0.3 0 0");
    close(case.ten_length(), &[0.676694874950153], 1e-11);
    close(
        &touch(&case),
        &numbers("0.075 0.091855865354 0.091855865354"),
        1e-10,
    );
    close(case.ten_J(), &[0.106066017178], 1e-10);
    let case = outside("0 0.3 0", HINGE_Z, "0 -0.3 0");
    close(
        &touch(&case),
        &numbers("0.091855865354 0.075 0.091855865354"),
        1e-10,
    );
    let case = outside("0.1 0.2 0.3", HINGE_Y, "-0.1 -0.2 -0.3");
    close(case.ten_length(), &[0.809312506574148], 1e-11);
    let point = numbers("0.108753992917 0.099548358485 -0.027616903296");
    close(&touch(&case), &point, 1e-10);
}

#[test]
fn springs_act_on_inside_wraps() {
    let xml = sphere().replace("<spatial>", r#"<spatial stiffness="100" damping="1">"#);
    let case = Case::new(&xml).qpos(&[0.2]).qvel(&[1.0]).forward();
    let rest = case.model.tendon_lengthspring[0];
    close(&rest, &[0.424264068711929; 2], 1e-10);
    let passive = &case.data.velocity.passive;
    close(&passive.qfrc_spring, &[-0.272925517050], 1e-7);
    close(&passive.qfrc_damper, &[-0.014467537851], 1e-9);
}

#[test]
fn no_position_gives_a_number_that_is_none() {
    // Ends and side site anywhere on a coarse grid: inside, outside, on the surface, coinciding.
    let places = [
        "0 0 0", ".15 0 0", "-.15 0 0", ".1 .1 0", ".3 .3 .3", "0 0 .15", "0 0 9",
    ];
    for geom in [SPHERE, CYLINDER] {
        let (mut sites, mut tendons) = (String::new(), String::new());
        for (i, place) in places.iter().enumerate() {
            let _ = write!(
                sites,
                r#"<site name="p{i}" pos="{place}"/><site name="q{i}" pos="{place}"/>"#
            );
            for j in 0..places.len() {
                for side in 0..places.len() {
                    let _ = write!(
                        tendons,
                        r#"<spatial><site site="p{i}"/><geom geom="w" sidesite="p{side}"/><site site="q{j}"/></spatial>"#
                    );
                }
            }
        }
        let case = Case::new(&format!(
            r#"<mujoco><worldbody><geom name="w" {geom}/>{sites}</worldbody><tendon>{tendons}</tendon></mujoco>"#
        ))
        .forward();
        assert_eq!(case.model.ntendon, places.len().pow(3));
        for (tendon, length) in case.ten_length().iter().enumerate() {
            assert!(length.is_finite(), "{tendon}");
        }
    }
}
