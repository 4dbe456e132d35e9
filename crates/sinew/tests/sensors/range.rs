//! Rangefinders.

use crate::{Case, close};

fn probe(sensors: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 .1"/><site name="fixed" pos="0 0 1" zaxis="0 0 -1"/>
             <body pos="0 0 2"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="1"/>
               <site name="up"/><site name="down" zaxis="0 0 -1"/>
               <camera name="cam" pos=".2 0 0" fovy="90" resolution="3 2"/></body></worldbody>
           <sensor>{sensors}</sensor></mujoco>"#
    ))
    .forward()
}

#[test]
fn the_nearest_geom_of_another_body_counts() {
    let case = probe(
        r#"<rangefinder site="up"/><rangefinder site="down"/>
           <rangefinder site="up" cutoff=".5"/><rangefinder site="down" cutoff=".5"/>
           <rangefinder site="up" cutoff="3"/><rangefinder site="fixed"/>"#,
    );
    // A site of the world sees no geom of the world; a cutoff clamps "nothing" as well.
    close(case.readings(), &[-1.0, 2.0, -0.5, 0.5, -1.0, -1.0], 1e-12);
}

#[test]
fn all_fields_of_a_ray_can_be_had() {
    let case = probe(r#"<rangefinder site="down" data="dist dir origin point normal depth"/>"#);
    let expected = [
        2.0, 0.0, 0.0, -1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0,
    ];
    close(case.readings(), &expected, 1e-12);
}

#[test]
fn a_camera_has_one_ray_per_pixel() {
    // The camera looks down from 2 m; depth is along its view, the same for all pixels.
    let case = probe(r#"<rangefinder camera="cam" data="dist depth"/>"#);
    assert_eq!(case.readings().len(), 12);
    for pixel in 0..6 {
        let (column, row) = ((pixel % 3) as f64, (pixel / 3) as f64);
        let (x, y) = (column + 0.5 - 1.5, row + 0.5 - 1.0);
        let dist = 2.0 * (x * x + y * y + 1.0_f64).sqrt();
        close(
            &case.readings()[2 * pixel..2 * pixel + 2],
            &[dist, 2.0],
            1e-12,
        );
    }
}
