//! What a batch on a device has to agree with the processor in, bit for bit: after each of a hundred steps.

mod compare;

use compare::{compare, own, written};
use sinew_gpu::Order;
use sinew_model::Model;

const STEPS: usize = 100;

/// Bodies that float, turn and never touch.
fn free_bodies() -> Model {
    written(
        r#"<option timestep="0.005"/><worldbody>
        <body pos="0 0 5"><freejoint/><geom type="box" size=".1 .2 .3" contype="0" conaffinity="0"/></body>
        <body pos="1 0 5"><freejoint/><geom type="ellipsoid" size=".1 .2 .3" contype="0" conaffinity="0"/></body>
        <body pos="2 0 5"><joint type="ball"/><geom type="capsule" size=".1 .2" pos=".3 0 0" contype="0" conaffinity="0"/></body>
        </worldbody>"#,
    )
}

/// Spheres, boxes and capsules on a plane.
fn shapes_on_a_plane() -> Model {
    written(
        r#"<worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 .12"><freejoint/><geom size=".1"/></body>
        <body pos="1 0 .12"><freejoint/><geom type="box" size=".1 .15 .1"/></body>
        <body pos="2 0 .12"><freejoint/><geom type="capsule" size=".1 .2" euler="0 80 0"/></body>
        </worldbody>"#,
    )
}

/// An arm with limits and an actuator of every shortcut type that devices know.
fn arm() -> Model {
    written(
        r#"<option timestep="0.002"/><default><joint damping=".2" armature=".02"/><geom type="capsule" size=".03" contype="0" conaffinity="0"/></default>
        <worldbody><body pos="0 0 1">
          <joint name="a" axis="0 1 0" limited="true" range="-60 60"/><geom fromto="0 0 0 .3 0 0"/>
          <body pos=".3 0 0"><joint name="b" axis="0 0 1" limited="true" range="-40 40"/><geom fromto="0 0 0 .3 0 0"/>
            <body pos=".3 0 0"><joint name="c" axis="0 1 0" limited="true" range="-90 10"/><geom fromto="0 0 0 .2 0 0"/>
              <body pos=".2 0 0"><joint name="d" type="slide" axis="1 0 0" limited="true" range="-.05 .05"/><geom fromto="0 0 0 .1 0 0"/></body>
            </body></body></body></worldbody>
        <actuator>
          <motor joint="a" gear="3" ctrllimited="true" ctrlrange="-1 1"/>
          <position joint="a" kp="20" kv="1" forcelimited="true" forcerange="-10 10"/>
          <velocity joint="b" kv="2"/>
          <intvelocity joint="b" kp="10" actrange="-1 1"/>
          <damper joint="c" kv="1" ctrlrange="0 1"/>
          <cylinder joint="d" timeconst=".05" area=".5"/>
          <muscle joint="c" force="5" lengthrange="-1.6 .2"/>
          <general joint="a" gainprm="2" dyntype="filterexact" dynprm=".1"/>
        </actuator>"#,
    )
}

#[test]
fn pendulums_agree() {
    for name in ["pendulum", "double_pendulum"] {
        compare(&own(name), STEPS, 1.0, Order::Ascending);
    }
}

#[test]
fn free_bodies_agree() {
    assert_eq!(compare(&free_bodies(), STEPS, 2.0, Order::Descending), 0);
}

#[test]
fn shapes_on_a_plane_agree() {
    assert!(compare(&shapes_on_a_plane(), STEPS, 0.5, Order::Ascending) >= 12);
}

#[test]
fn a_limited_arm_with_actuators_agrees() {
    assert!(compare(&arm(), STEPS, 3.0, Order::Descending) >= 1);
}
