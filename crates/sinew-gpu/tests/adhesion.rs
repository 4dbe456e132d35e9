//! Bodies that stick to what they touch, in worlds of the kernels, run on the processor: the bits of the engine.

mod compared;
mod text;

use compared::{Start, compare};
use sinew_gpu::{Capacity, Order, Scene};
use sinew_model::Model;
use sinew_model::kinds::{Cone, DisableFlag, Integrator, Jacobian};
use std::path::Path;
use text::written;

/// Compares a model with full and compressed rows, both cones and several integrators.
fn compare_all(model: &Model, steps: usize, integrators: &[Integrator], contacts: usize) {
    let start = Start {
        velocity: 1.0,
        contacts,
    };
    for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            for &integrator in integrators {
                let mut model = model.clone();
                model.opt.jacobian = jacobian.code();
                model.opt.cone = cone.code();
                model.opt.integrator = integrator.code();
                assert!(compare(&model, steps, &start, Order::Ascending) > 0);
                compare(&model, steps / 4, &start, Order::Descending);
            }
        }
    }
}

const ALL: [Integrator; 3] = [Integrator::Euler, Integrator::Implicitfast, Integrator::Rk4];

/// What sensors read of actuators.
fn read(names: &[&str]) -> String {
    let read = |name: &&str| {
        format!(
            r#"<actuatorpos actuator="{name}"/><actuatorvel actuator="{name}"/><actuatorfrc actuator="{name}"/>"#
        )
    };
    names.iter().map(read).collect()
}

/// Feet that stick to a floor and to a ball, with and without gaps, contacts of all dimensions, and other actuators before and after.
fn feet() -> Model {
    written(&format!(
        r#"<option timestep="0.003"/>
        <worldbody>
          <geom name="floor" type="plane" size="5 5 .1"/>
          <body name="walker" pos="0 0 .24"><freejoint/><geom type="capsule" fromto="-.2 0 0 .2 0 0" size=".05"/>
            <body pos=".2 0 0"><joint name="hip" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 -.1" size=".03"/>
              <body name="right" pos="0 0 -.15"><joint axis="1 0 0" damping=".05"/>
                <geom size=".05" pos="0 .05 0" margin=".02" gap=".02"/><geom size=".05" pos="0 -.05 0" condim="4" margin=".02" gap=".01"/></body></body>
            <body pos="-.2 0 0"><joint name="other" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 -.1" size=".03"/>
              <body name="left" pos="0 0 -.15"><joint axis="1 0 0" damping=".05"/>
                <geom size=".05" condim="6"/><geom type="capsule" size=".03 .05" pos="0 0 -.03" euler="90 0 0" condim="1" margin=".01" gap=".004"/></body></body>
          </body>
          <body name="ball" pos=".2 .16 .1"><freejoint/><geom size=".06" margin=".01" gap=".01"/></body>
        </worldbody>
        <actuator>
          <motor joint="hip" gear="2" ctrlrange="-1 1"/>
          <adhesion name="one" body="right" ctrlrange="0 1" gain="20"/>
          <adhesion name="two" body="left" ctrlrange="0 1" gain="8" forcelimited="true" forcerange="0 3"/>
          <general name="three" body="ball" gainprm="5 0 .3" gaintype="affine" biastype="affine" biasprm=".5 0 -.4" dyntype="filter" dynprm=".05" group="2"/>
          <adhesion name="floored" body="world" ctrlrange="0 1" gain="3"/>
          <position joint="other" kp="5" kv=".2"/>
        </actuator>
        <sensor>{}<jointactuatorfrc joint="hip"/><contact subtree1="walker" num="6" data="found force dist normal"/></sensor>"#,
        read(&["one", "two", "three", "floored"])
    ))
}

#[test]
fn feet_that_stick_have_the_bits_of_the_engine() {
    let model = feet();
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    assert_eq!(scene.unread, []);
    assert_eq!((scene.head.adheres, scene.head.lists_all), (1, 1));
    compare_all(&model, 100, &ALL, 64);
}

#[test]
fn what_is_switched_off_does_not_stick() {
    let mut model = feet();
    model.opt.disableactuator = 1 << 2;
    compare_all(&model, 40, &[Integrator::Implicitfast], 64);
    let flags = [
        DisableFlag::Contact,
        DisableFlag::Constraint,
        DisableFlag::Actuation,
    ];
    for flag in flags {
        let mut model = feet();
        model.opt.disableflags |= flag.code();
        compare(&model, 30, &Start::default(), Order::Ascending);
    }
}

/// Shapes that threads look at, which stick to each other, and a tendon whose actuators are limited together.
fn solids() -> Model {
    written(&format!(
        r#"<option timestep="0.003"/>
        <default><joint damping=".1"/><geom margin=".015" gap=".01"/></default>
        <asset><mesh name="gem" vertex=".1 0 0  -.1 0 0  0 .1 0  0 -.1 0  0 0 .1  0 0 -.1  .07 .07 .07  -.07 -.07 -.07"/></asset>
        <worldbody>
          <geom type="plane" size="5 5 .1"/>
          <geom type="box" size=".1 .1 .1" pos="0 0 .1" euler="10 20 30"/>
          <body name="crate" pos="0 0 .32"><joint type="slide" axis="0 0 1"/><joint type="ball"/><geom type="box" size=".1 .08 .06"/>
            <body name="arm" pos=".2 0 0"><joint name="arm" axis="0 1 0"/><geom type="mesh" mesh="gem"/></body>
            <body name="wing" pos="-.2 0 0"><joint name="wing" axis="0 1 0"/><geom type="ellipsoid" size=".1 .06 .05" condim="4"/></body></body>
          <body name="stone" pos=".25 0 .1"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/><joint type="ball"/><geom type="mesh" mesh="gem" condim="6"/></body>
          <body name="drum" pos="-.25 0 .1"><freejoint/><geom type="cylinder" size=".08 .05"/></body>
        </worldbody>
        <tendon><fixed name="both" actuatorfrclimited="true" actuatorfrcrange="-.5 .4"><joint joint="arm" coef=".5"/><joint joint="wing" coef="-1"/></fixed></tendon>
        <actuator><adhesion name="crate" body="crate" ctrlrange="0 1" gain="6"/><motor tendon="both" gear="3"/>
          <adhesion name="stone" body="stone" ctrlrange="0 1" gain="4"/><motor tendon="both" gear="2"/>
          <adhesion name="drum" body="drum" ctrlrange="0 1" gain="3"/></actuator>
        <sensor>{}<contact body1="crate" num="4" reduce="mindist" data="found force torque dist pos normal tangent"/></sensor>"#,
        read(&["crate", "stone", "drum"])
    ))
}

#[test]
fn solids_that_stick_have_the_bits_of_the_engine() {
    compare_all(&solids(), 60, &ALL, 64);
}

/// Contacts of explicit pairs, of which one is between geoms that never move and counts while it is within its gap.
#[test]
fn pairs_that_stick_have_the_bits_of_the_engine() {
    for gap in [".02", "0"] {
        let model = written(&format!(
            r#"<option timestep="0.003"/>
            <worldbody><geom name="floor" type="plane" size="5 5 .1" contype="0" conaffinity="0"/>
              <body name="post" pos="0 0 .105"><geom name="post" size=".1" contype="0" conaffinity="0"/></body>
              <body name="ball" pos=".15 0 .24"><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/><geom name="ball" size=".1" contype="0" conaffinity="0"/></body>
            </worldbody>
            <contact><pair geom1="floor" geom2="post" margin=".02" gap="{gap}"/>
              <pair geom1="post" geom2="ball" margin=".03" gap=".01" condim="4"/><pair geom1="floor" geom2="ball" margin=".03" gap="{gap}"/></contact>
            <actuator><adhesion name="post" body="post" ctrlrange="0 1" gain="5"/><adhesion name="ball" body="ball" ctrlrange="0 1" gain="7"/></actuator>
            <sensor>{}<contact geom1="floor" num="3" data="found force dist pos"/><contact num="4" reduce="maxforce" data="found force dist pos"/>
              <contact num="1" reduce="netforce" data="found force torque pos"/></sensor>"#,
            read(&["post", "ball"])
        ));
        compare_all(&model, 100, &ALL, 16);
    }
}

/// The reference's own example, where its models are there.
#[test]
fn the_example_of_the_reference_has_the_bits_of_the_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var("SINEW_SHARED").map_or_else(|_| root.join("../shared"), Into::into);
    let path = shared.join("models/mujoco/adhesion/active_adhesion.xml");
    if !path.exists() {
        return;
    }
    let mut model = sinew_mjcf::load_path(&path.display().to_string())
        .expect("a model of the reference")
        .model;
    let start = Start {
        velocity: 0.1,
        contacts: 400,
    };
    // More rows than those of equalities.
    assert!(compare(&model, 40, &start, Order::Ascending) > 2);
    model.opt.integrator = Integrator::Implicitfast.code();
    compare(&model, 6, &start, Order::Descending);
}
