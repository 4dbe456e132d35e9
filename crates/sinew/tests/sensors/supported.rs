//! Force and acceleration of bodies that are held, hang, or fall.

use crate::{Case, close};

fn body(joint: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><worldbody><body>{joint}<geom size=".1" mass="3"/><site name="s"/></body></worldbody>
           <sensor><force name="force" site="s"/><accelerometer name="accelerometer" site="s"/>
             <framelinacc name="framelinacc" objtype="site" objname="s"/></sensor></mujoco>"#
    ))
    .forward()
}

#[test]
fn a_welded_body_shows_its_weight_and_no_acceleration() {
    let case = body("");
    close(case.reading("force"), &[0.0, 0.0, 3.0 * 9.81], 1e-12);
    close(case.reading("accelerometer"), &[0.0; 3], 0.0);
    close(case.reading("framelinacc"), &[0.0; 3], 0.0);
}

#[test]
fn a_supported_body_feels_gravity_and_a_falling_one_nothing() {
    let case = body(r#"<joint axis="0 0 1"/>"#);
    close(case.reading("accelerometer"), &[0.0, 0.0, 9.81], 1e-12);
    close(case.reading("framelinacc"), &[0.0, 0.0, 9.81], 1e-12);
    let case = body("<freejoint/>");
    close(case.reading("accelerometer"), &[0.0; 3], 1e-12);
    close(case.reading("framelinacc"), &[0.0; 3], 1e-12);
}
