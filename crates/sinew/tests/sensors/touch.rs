//! Touch zones.

use crate::{Case, close};

fn settled(sites: &str, sensors: &str) -> Case {
    Case::new(&format!(
        r#"<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="5 5 .1"/>
             <body pos="0 0 .1"><freejoint/><geom size=".1" mass="1"/><geom size=".1" pos=".5 0 0" mass="1"/>
               {sites}</body></worldbody><sensor>{sensors}</sensor></mujoco>"#
    ))
    .steps(2000)
}

#[test]
fn normal_forces_in_the_zone_are_added() {
    let case = settled(
        r#"<site name="all" type="box" size="1 1 1"/><site name="first" size=".12"/>
           <site name="away" size=".02" pos="0 1 0"/><site name="buried" size=".02"/>"#,
        r#"<touch name="all" site="all"/><touch name="first" site="first"/><touch name="away" site="away"/>
           <touch name="cut" site="all" cutoff="5"/><touch name="buried" site="buried"/>"#,
    );
    close(case.reading("all"), &[19.62], 1e-4);
    close(case.reading("first"), &[9.81], 1e-4);
    close(case.reading("away"), &[0.0], 1e-4);
    close(case.reading("cut"), &[5.0], 1e-12);
    // The ray goes from the contact to the other body, away from a zone inside the sphere.
    close(case.reading("buried"), &[0.0], 0.0);
}
