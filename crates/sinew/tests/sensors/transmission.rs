//! Tendon and actuator sensors.

use crate::{Case, close};

#[test]
fn lengths_and_velocities_are_those_of_the_transmission() {
    let case = Case::new(
        r#"<mujoco><worldbody><site name="o"/>
             <body pos="0 0 1"><joint name="z" type="slide" axis="0 0 1"/><geom size=".1"/><site name="s"/></body>
           </worldbody>
           <tendon><spatial name="t"><site site="o"/><site site="s"/></spatial></tendon>
           <actuator><general name="a" tendon="t" gear="2"/><general name="b" joint="z" gear="3"/></actuator>
           <sensor><tendonpos tendon="t"/><tendonvel tendon="t"/><actuatorpos actuator="a"/>
             <actuatorpos actuator="b"/><actuatorvel actuator="a"/></sensor></mujoco>"#,
    )
    .qpos(&[0.25])
    .qvel(&[-2.0])
    .forward();
    close(case.readings(), &[1.25, -2.0, 2.5, 0.75, -4.0], 1e-12);
    let (position, velocity) = (&case.data.position, &case.data.velocity);
    let [a, b] = position.transmission.actuator_length[..] else {
        panic!("two actuators");
    };
    let arrays = [
        position.tendon.ten_length[0],
        velocity.length.ten_velocity[0],
        a,
        b,
        velocity.length.actuator_velocity[0],
    ];
    close(case.readings(), &arrays, 0.0);
}

#[test]
fn site_transmissions_have_length_and_velocity() {
    for (actuator, expected) in [
        (r#"gear="0 0 2 0 0 0""#, [0.0, 5.96]),
        (r#"refsite="o" gear="1 0 2 0 0 0""#, [1.6, 6.96]),
    ] {
        let case = Case::new(&format!(
            r#"<mujoco><worldbody><site name="o"/><body><freejoint/><geom size=".1" mass="1"/>
                 <site name="s" pos=".1 0 0"/></body></worldbody>
               <actuator><motor name="m" site="s" {actuator}/></actuator>
               <sensor><actuatorpos actuator="m"/><actuatorvel actuator="m"/></sensor></mujoco>"#
        ))
        .qpos(&[0.1, 0.2, 0.7, 1.0, 0.0, 0.0, 0.0])
        .qvel(&[1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
        .forward();
        close(case.readings(), &expected, 1e-10);
    }
}
