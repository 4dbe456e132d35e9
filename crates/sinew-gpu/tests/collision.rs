//! Pairs of shapes that only some kernels know, run on the processor: every world has the bits of the engine.

mod compared;
mod text;

use compared::{Start, compare};
use sinew_gpu::Order;
use sinew_model::Model;
use text::written;

/// A lid on a tree of boxes and capsules above fixed ones, so that all kinds of features meet.
fn boxes(cone: &str) -> Model {
    written(&format!(
        r#"<option timestep="0.004" cone="{cone}"/>
        <default><joint damping=".1"/></default>
        <worldbody>
          <geom type="box" size=".3 .3 .1" pos=".35 0 .1" euler="0 0 20"/><geom type="box" size=".2 .3 .15" pos="-.35 0 .1"/>
          <geom type="capsule" size=".1 .3" pos="0 .45 .1" euler="0 90 0"/>
          <geom type="box" size=".2 .1 .2" pos="0 -.45 .1" euler="30 10 40"/>
          <body pos="0 0 .5"><joint type="slide" axis="0 0 1"/><joint type="ball"/>
            <geom type="box" size=".15 .1 .05" condim="3"/>
            <body pos=".3 0 0"><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="box" size=".1 .1 .1" condim="4"/></body>
            <body pos="-.3 0 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="capsule" size=".05 .1" condim="6"/></body>
            <body pos="0 .3 0"><joint axis="1 0 0"/><joint axis="0 0 1"/><geom type="box" size=".05 .1 .05" condim="1"/></body>
            <body pos="0 -.3 0"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom type="capsule" size=".04 .12"/></body>
          </body>
        </worldbody>"#
    ))
}

#[test]
fn boxes_and_capsules_have_the_bits_of_the_engine() {
    for cone in ["pyramidal", "elliptic"] {
        let model = boxes(cone);
        let start = Start::default();
        assert!(compare(&model, 300, &start, Order::Ascending) > 20);
        assert!(compare(&model, 80, &start, Order::Descending) > 20);
    }
}

/// A box that lies on another one edge to edge: contacts coincide and are thrown away.
#[test]
fn aligned_boxes_have_the_bits_of_the_engine() {
    let model = written(
        r#"<worldbody><geom type="box" size=".2 .2 .2" pos="0 0 .2"/>
          <body pos="0 0 .599"><freejoint/><geom type="box" size=".2 .2 .2"/></body></worldbody>"#,
    );
    let start = Start {
        velocity: 0.0,
        ..Start::default()
    };
    assert!(compare(&model, 50, &start, Order::Ascending) >= 16);
    let start = Start {
        velocity: 0.1,
        ..Start::default()
    };
    assert!(compare(&model, 100, &start, Order::Descending) >= 16);
}

/// A tree of all convex shapes above fixed ones of all kinds: what no closed form knows.
fn solids(cone: &str) -> Model {
    written(&format!(
        r#"<option timestep="0.004" cone="{cone}"/>
        <default><joint damping=".1"/></default>
        <asset>
          <mesh name="wedge" vertex="0 0 0  .3 0 0  .3 .3 0  0 .3 0  .1 .1 .2"/>
          <mesh name="gem" vertex=".2 0 0  -.2 0 0  0 .2 0  0 -.2 0  0 0 .2  0 0 -.2  .13 .13 .13  -.13 .13 .13
            .13 -.13 .13  .13 .13 -.13  -.13 -.13 .13  -.13 .13 -.13  .13 -.13 -.13  -.13 -.13 -.13"/>
        </asset>
        <worldbody>
          <geom type="plane" size="5 5 .1" pos="0 0 -.05"/>
          <geom type="cylinder" size=".3 .1" pos=".4 0 .1" euler="0 20 20"/><geom type="ellipsoid" size=".2 .3 .15" pos="-.4 0 .1"/>
          <geom type="mesh" mesh="gem" pos="0 .45 .1" euler="10 90 0"/><geom type="mesh" mesh="wedge" pos="0 -.45 .1"/>
          <geom type="box" size=".2 .1 .1" pos=".3 -.4 .1" euler="30 10 40"/>
          <body pos="0 0 .45"><joint type="slide" axis="0 0 1"/><joint type="ball"/>
            <geom type="cylinder" size=".15 .05" condim="3"/>
            <body pos=".3 0 0"><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="mesh" mesh="gem" condim="4"/></body>
            <body pos="-.3 0 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="ellipsoid" size=".05 .1 .15" condim="6"/></body>
            <body pos="0 .3 0"><joint axis="1 0 0"/><joint axis="0 0 1"/><geom type="capsule" size=".05 .1" condim="1"/></body>
            <body pos="0 -.3 0"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom type="mesh" mesh="wedge"/></body>
            <body pos=".2 .2 0"><joint axis="1 0 0"/><geom type="sphere" size=".08"/></body>
            <body pos="-.2 -.2 0"><joint axis="1 0 0"/><geom type="box" size=".05 .1 .1" margin=".01"/></body>
          </body>
        </worldbody>"#
    ))
}

#[test]
fn convex_shapes_have_the_bits_of_the_engine() {
    for cone in ["pyramidal", "elliptic"] {
        let model = solids(cone);
        let start = Start::default();
        assert!(compare(&model, 300, &start, Order::Ascending) > 20);
        assert!(compare(&model, 120, &start, Order::Descending) > 10);
    }
}

#[test]
fn height_fields_have_the_bits_of_the_engine() {
    let mut heights = String::new();
    for i in 0..20 * 24 {
        heights += &format!("{} ", (i * 7919 % 101) as f64 / 101.0);
    }
    let model = written(&format!(
        r#"<option timestep="0.004"/>
        <default><joint damping=".1"/></default>
        <asset><hfield name="hills" nrow="20" ncol="24" size="1 .8 .1 .05" elevation="{heights}"/>
          <mesh name="wedge" vertex="0 0 0  .3 0 0  .3 .3 0  0 .3 0  .1 .1 .2"/></asset>
        <worldbody>
          <geom type="hfield" hfield="hills" euler="3 4 5"/>
          <body pos="0 0 .25"><joint type="slide" axis="0 0 1"/><joint type="ball"/>
            <geom type="cylinder" size=".15 .05" condim="3"/>
            <body pos=".3 0 0"><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="sphere" size=".1" condim="4"/></body>
            <body pos="-.3 0 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="ellipsoid" size=".05 .1 .1" condim="6"/></body>
            <body pos="0 .3 0"><joint axis="1 0 0"/><joint axis="0 0 1"/><geom type="capsule" size=".05 .1" condim="1"/></body>
            <body pos="0 -.3 0"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom type="mesh" mesh="wedge" margin=".01"/></body>
            <body pos=".2 .2 0"><joint axis="1 0 0"/><geom type="box" size=".05 .1 .05"/></body>
          </body>
        </worldbody>"#
    ));
    let start = Start {
        contacts: 200,
        ..Start::default()
    };
    assert!(compare(&model, 200, &start, Order::Ascending) > 20);
    assert!(compare(&model, 60, &start, Order::Descending) > 10);
}

/// Two bodies of nine geoms each, which the engine asks their bounding volumes about.
#[test]
fn bodies_with_many_geoms_have_the_bits_of_the_engine() {
    let mut parts = String::new();
    for (i, shape) in ["sphere", "capsule", "box", "cylinder", "ellipsoid", "mesh"]
        .into_iter()
        .cycle()
        .take(9)
        .enumerate()
    {
        let (x, y) = (0.12 * (i % 3) as f64 - 0.12, 0.12 * (i / 3) as f64 - 0.12);
        let mesh = if shape == "mesh" { r#"mesh="gem""# } else { "" };
        parts += &format!(
            r#"<geom type="{shape}" {mesh} size=".05 .04 .06" pos="{x} {y} 0" euler="{i}0 20 5"/>"#
        );
    }
    let model = written(&format!(
        r#"<option timestep="0.004"/>
        <asset><mesh name="gem" vertex=".07 0 0  -.07 0 0  0 .07 0  0 -.07 0  0 0 .07  0 0 -.07"/></asset>
        <worldbody>
          <body>{parts}</body>
          <body pos="0 0 .2" euler="0 0 30"><joint type="slide" axis="0 0 1"/><joint type="ball"/>{parts}</body>
          <body pos=".1 0 .4" euler="0 30 30"><joint type="slide" axis="0 0 1"/><joint type="ball"/>{parts}</body>
        </worldbody>"#
    ));
    let start = Start::default();
    assert!(compare(&model, 200, &start, Order::Ascending) > 20);
    assert!(compare(&model, 60, &start, Order::Descending) > 10);
}
