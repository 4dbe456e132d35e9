//! Limits of joints and tendons.

use crate::{Case, close};

const SENSORS: &str =
    r#"<jointlimitpos joint="h"/><jointlimitvel joint="h"/><jointlimitfrc joint="h"/>"#;

#[test]
fn the_active_row_is_read() {
    let case = Case::new(&format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body>
             <joint name="h" axis="0 1 0" range="-30 30"/><geom size=".1" pos=".3 0 0" mass="1"/>
           </body></worldbody><sensor>{SENSORS}</sensor></mujoco>"#
    ));
    for (q, v, expected) in [
        (0.0, 0.0, [0.0, 0.0, 0.0]),
        (0.6, 0.1, [-0.076401224, -0.1, 18.894287734]),
        (-0.6, 0.1, [-0.076401224, 0.1, 17.014287734]),
    ] {
        let read = case.clone().qpos(&[q]).qvel(&[v]).forward();
        close(&read.readings()[..2], &expected[..2], 1e-8);
        close(&read.readings()[2..], &expected[2..], 1e-5);
    }
}

#[test]
fn tendon_limits_equal_the_joint_limits_they_repeat() {
    let of = |limit: &str, sensors: &str| {
        Case::new(&format!(
            r#"<mujoco><option gravity="0 0 0"/><worldbody><body>
                 <joint name="h" axis="0 1 0" {limit}/><geom size=".1" pos=".3 0 0" mass="1"/>
               </body></worldbody>{sensors}</mujoco>"#
        ))
        .qpos(&[0.6])
        .qvel(&[0.1])
        .forward()
    };
    let joint = of(
        r#"range="-.5 .5""#,
        &format!("<compiler angle=\"radian\"/><sensor>{SENSORS}</sensor>"),
    );
    let tendon = of(
        "",
        r#"<tendon><fixed name="t" range="-.5 .5"><joint joint="h" coef="1"/></fixed></tendon><sensor>
           <tendonlimitpos tendon="t"/><tendonlimitvel tendon="t"/><tendonlimitfrc tendon="t"/></sensor>"#,
    );
    close(tendon.readings(), joint.readings(), 1e-10);
    close(&tendon.readings()[..2], &[-0.1, -0.1], 1e-12);
}
