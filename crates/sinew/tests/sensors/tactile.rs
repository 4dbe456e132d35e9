//! Taxels: depth as pressure, sliding along two tangents.

use crate::{Case, close};

/// Nine taxels, 1/15 m apart, on top of a block that is fixed in the world; another geom sinks into
/// them at a known velocity.
fn pressed(height: f64, geom: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><asset><mesh name="pad" builtin="plate" params="3 3" scale=".1 .1 .02"/></asset><worldbody>
             <geom type="box" size=".1 .1 .02"/>
             <geom name="pad" type="mesh" mesh="pad" euler="180 0 0" contype="0" conaffinity="0"/>
             <body pos="0 0 {height}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
               <joint type="slide" axis="0 0 1"/><geom {geom} mass="1"/></body></worldbody>
           <sensor><tactile geom="pad" mesh="pad"/></sensor></mujoco>"#
    ))
    .qvel(&[0.3, 0.2, 0.4])
    .forward()
}

/// The pressure of a depth.
fn pressure(depth: f64) -> f64 {
    -depth / (0.05 + depth)
}

#[test]
fn depth_in_every_shape_is_a_pressure() {
    // The top of the taxels is at 0.02.
    for (height, geom, depth, taxels) in [
        (0.065, r#"size=".05""#, 0.005, vec![4]),
        (
            0.09,
            r#"type="ellipsoid" size=".08 .05 .08""#,
            0.01,
            vec![4],
        ),
        (
            0.065,
            r#"type="capsule" size=".05 .08" euler="90 0 0""#,
            0.005,
            vec![3, 4, 5],
        ),
        (
            0.04,
            r#"type="cylinder" size=".08 .03""#,
            0.01,
            vec![1, 3, 4, 5, 7],
        ),
    ] {
        let case = pressed(height, geom);
        let mut expected = [0.0; 27];
        for taxel in taxels {
            expected[taxel] = pressure(depth);
            expected[9 + taxel] = 0.2;
            expected[18 + taxel] = 0.4;
        }
        println!("{geom}");
        close(case.readings(), &expected, 1e-9);
    }
}

#[test]
fn inside_a_box_depth_is_measured_between_radial_and_normal() {
    // Values of the reference.
    let case = pressed(0.035, r#"type="box" size=".07 .06 .02""#);
    let edge = -0.063617281291;
    let expected = [0.0, edge, 0.0, 0.0, -0.095894834061, 0.0, 0.0, edge, 0.0];
    close(&case.readings()[..9], &expected, 1e-9);
}

#[test]
fn without_contact_taxels_read_nothing() {
    let case = pressed(0.2, r#"size=".05""#);
    close(case.readings(), &[0.0; 27], 0.0);
}
