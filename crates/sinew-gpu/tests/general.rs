//! Tendons, actuators and forces of any kind, run on the processor: every world has the bits of the engine.

mod compare;
mod text;

use compare::{compare, compare_in, compare_pushed, own};
use sinew_gpu::{Capacity, Order, Scene};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, Integrator, Jacobian};
use text::written;

/// Compares a model as it is, with full and with compressed rows, with several integrators.
fn compare_all(model: &Model, steps: usize, integrators: &[Integrator]) -> usize {
    let mut most = 0;
    for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
        for &integrator in integrators {
            let mut model = model.clone();
            model.opt.jacobian = jacobian.code();
            model.opt.integrator = integrator.code();
            most = most.max(compare(&model, steps, 1.0, Order::Ascending));
            compare(&model, steps / 4, 1.0, Order::Descending);
        }
    }
    most
}

const ALL: [Integrator; 3] = [Integrator::Euler, Integrator::Implicitfast, Integrator::Rk4];

#[test]
fn models_of_ours_have_the_bits_of_the_engine() {
    for name in ["muscle_arm", "drone"] {
        let mut model = own(name);
        // How shapes touch is tested elsewhere.
        model.opt.disableflags |= DisableFlag::Contact.code();
        compare(&model, 100, 0.5, Order::Ascending);
        compare(&model, 20, 0.5, Order::Descending);
    }
}

/// Two arms with strings around a sphere and a cylinder, on the outside and within, and over a pulley.
fn strings() -> Model {
    written(
        r#"<option timestep="0.003"/>
        <default><geom contype="0" conaffinity="0"/><joint damping=".1"/></default>
        <worldbody>
          <site name="high" pos="0 0 1"/><site name="side" pos="0 .2 .6"/><site name="far" pos=".5 .1 .9"/>
          <geom name="ball" type="sphere" size=".1" pos=".05 .05 .7"/>
          <body pos="0 0 .5"><joint name="a" axis="0 1 0"/><joint name="a2" axis="1 0 0"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="s1" pos=".1 0 .04"/>
            <geom name="roll" type="cylinder" size=".06 .1" pos=".3 0 0" euler="90 0 0"/><site name="within" pos=".3 .01 .01"/>
            <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
              <site name="s2" pos=".2 0 .04"/><site name="s3" pos=".25 0 -.04"/></body>
          </body>
          <body pos="1 0 .5"><joint name="c" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
            <site name="t1" pos=".2 0 .1"/></body>
        </worldbody>
        <tendon>
          <spatial name="over" stiffness="40" damping="2" springlength=".3 .5"><site site="high"/><geom geom="ball" sidesite="side"/>
            <site site="s1"/><geom geom="roll"/><site site="s2"/></spatial>
          <spatial name="within" limited="true" range="0 .22" frictionloss=".4"><site site="s1"/><geom geom="roll" sidesite="within"/>
            <site site="s2"/></spatial>
          <spatial name="pulley" limited="true" range=".5 1.1" stiffness="5"><site site="far"/><site site="t1"/><pulley divisor="2"/>
            <site site="high"/><site site="s1"/><pulley divisor="3"/><site site="s3"/><site site="t1"/></spatial>
          <spatial name="idle"><site site="high"/><site site="t1"/></spatial>
          <fixed name="sum" armature=".02" frictionloss=".05"><joint joint="a" coef="1"/><joint joint="b" coef="-.7"/></fixed>
          <fixed name="other" limited="true" range="-.4 .4"><joint joint="c" coef="1"/></fixed>
        </tendon>
        <equality><tendon tendon1="sum" tendon2="other" polycoef="0 .5 .1 0 0"/><tendon tendon1="pulley"/></equality>
        <actuator><position tendon="over" kp="20" kv="1"/><motor tendon="pulley" gear="2"/>
          <general tendon="sum" gaintype="affine" gainprm="1 .2 .3" biastype="affine" biasprm="0 -1 -.2"/></actuator>"#,
    )
}

#[test]
fn strings_have_the_bits_of_the_engine() {
    assert!(compare_all(&strings(), 120, &ALL) > 4);
}

#[test]
fn strings_with_inertia_have_the_bits_of_the_engine() {
    let model = written(
        r#"<option timestep="0.003"/>
        <default><geom contype="0" conaffinity="0"/></default>
        <worldbody><site name="high" pos="0 0 1"/><site name="far" pos=".5 .3 .9"/>
          <body pos="0 0 .5"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="s1" pos=".1 0 .04"/>
            <body pos=".3 0 0"><joint type="ball" damping=".02"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="s2" pos=".2 0 .04"/></body></body>
          <body pos="1 0 .5"><freejoint/><geom type="box" size=".1 .1 .05"/><site name="t1" pos=".05 0 .1"/></body>
        </worldbody>
        <tendon><spatial name="one" armature=".3"><site site="high"/><site site="s1"/><site site="s2"/></spatial>
          <spatial name="two" armature=".2" stiffness="4"><site site="far"/><site site="s2"/><pulley divisor="2"/><site site="s1"/><site site="t1"/></spatial>
          <fixed name="three" armature=".1"><joint joint="a" coef="2"/></fixed></tendon>
        <actuator><motor tendon="one" gear="3"/></actuator>"#,
    );
    compare_all(&model, 120, &ALL);
}

/// Free and hanging bodies with actuators of all kinds.
fn driven() -> Model {
    written(
        r#"<option timestep="0.003"/>
        <default><geom contype="1" conaffinity="0"/></default>
        <worldbody>
          <geom type="plane" size="5 5 .1" contype="0" conaffinity="1"/><site name="base" pos="0 0 1" euler="30 0 0"/>
          <body name="craft" pos="0 0 .5"><freejoint name="free"/><geom type="capsule" size=".1 .2"/>
            <site name="rotor" pos=".1 .1 0" euler="0 20 0"/>
            <body pos="0 0 .3"><joint name="ball" type="ball"/><geom type="sphere" size=".1" pos="0 0 .2"/>
              <site name="tip" pos="0 0 .3"/></body></body>
          <body pos="1 0 .5"><joint name="wheel" axis="0 1 0" damping=".1" actuatorfrcrange="-3 3"/><geom type="cylinder" size=".1 .02"/>
            <site name="crank" pos=".08 0 0"/>
            <body pos="0 0 .2"><joint name="slide" type="slide" axis="1 0 0" limited="true" range="-.2 .2"/><geom size=".05"/>
              <site name="slider" euler="0 90 0" pos="-.4 0 -.2"/></body></body>
        </worldbody>
        <tendon><fixed name="pair" actuatorfrclimited="true" actuatorfrcrange="-.5 .4"><joint joint="wheel" coef=".5"/>
          <joint joint="slide" coef="2"/></fixed></tendon>
        <actuator>
          <motor joint="ball" gear="1 .2 .3"/><general jointinparent="ball" gear="0 1 .5" biastype="affine" biasprm="0 -1 -.3" gainprm="2"/>
          <motor joint="free" gear="1 0 2 .1 .2 .3"/><motor jointinparent="free" gear="0 1 0 .3 .1 .2"/>
          <motor site="rotor" gear="0 0 5 0 0 .2"/><position site="tip" refsite="rotor" gear="1 0 1 0 1 0" kp="3" kv=".1"/>
          <motor cranksite="crank" slidersite="slider" cranklength=".5" gear="2"/>
          <general tendon="pair" gainprm="5" dyntype="filterexact" dynprm=".04" group="3"/><motor tendon="pair" gear="3"/>
          <muscle joint="wheel" lengthrange="-1 1" timeconst=".02 .05" tausmooth=".3" force="3"/>
          <muscle tendon="pair" lengthrange="-1 1" scale="20"/>
          <motor joint="slide" gear="4" group="2"/>
          <general joint="wheel" dyntype="integrator" gainprm="2" group="2" actlimited="true" actrange="-1 1"/>
        </actuator>"#,
    )
}

#[test]
fn actuators_of_all_kinds_have_the_bits_of_the_engine() {
    let mut model = driven();
    compare_all(&model, 120, &ALL);
    model.opt.disableactuator = 1 << 2 | 1 << 3;
    compare_all(&model, 60, &ALL);
    model.opt.disableflags |= DisableFlag::Actuation.code();
    compare_all(&model, 20, &ALL);
}

/// What swims and floats.
fn swimming(fluid: &str) -> Model {
    written(&format!(
        r#"<option timestep="0.003" density="1.2" viscosity=".02" wind="1 .5 -.2"/>
        <default><geom fluidshape="{fluid}" contype="0" conaffinity="0"/></default>
        <worldbody>
          <body name="kite" pos="0 0 1"><freejoint/><geom type="box" size=".3 .2 .01"/><geom type="sphere" size=".05" pos="0 0 .1"/>
            <body pos=".3 0 0" gravcomp=".7"><joint name="flap" axis="0 1 0" actuatorgravcomp="true"/><geom type="capsule" size=".02 .1"/>
              <body pos=".2 0 0" gravcomp="1.2"><joint axis="0 1 0" stiffness=".5"/><geom type="ellipsoid" size=".1 .05 .02"/></body>
            </body></body>
          <body pos="2 0 1" gravcomp="1"><joint type="slide" axis="0 0 1"/><geom type="cylinder" size=".1 .02"/></body>
        </worldbody>
        <actuator><motor joint="flap" ctrlrange="-1 1"/></actuator>"#
    ))
}

#[test]
fn fluids_and_compensated_weight_have_the_bits_of_the_engine() {
    for fluid in ["none", "ellipsoid"] {
        compare_all(&swimming(fluid), 100, &ALL);
    }
    let mut model = swimming("none");
    (model.opt.density, model.opt.viscosity) = (0.0, 0.0);
    compare_all(&model, 60, &ALL);
    for flag in [DisableFlag::Gravity, DisableFlag::Actuation] {
        model.opt.disableflags = flag.code();
        compare(&model, 30, 1.0, Order::Ascending);
    }
    model.opt.disableflags = DisableFlag::Spring.code() | DisableFlag::Damper.code();
    compare(&model, 30, 1.0, Order::Ascending);
}

#[test]
fn forces_on_bodies_have_the_bits_of_the_engine() {
    for model in [own("humanoid"), driven()] {
        compare_pushed(&model, 60, 1.0, Order::Ascending, true);
        compare_pushed(&model, 20, 1.0, Order::Descending, true);
    }
}

/// Kernels that work outside of blocks are there for models of any kind alone: plain ones have the same bits there.
#[test]
fn plain_models_have_the_bits_of_the_engine_in_kernels_of_any_kind() {
    for (name, steps) in [
        ("humanoid", 60),
        ("cartpole", 40),
        ("double_pendulum", 40),
        ("manipulator", 40),
    ] {
        let model = own(name);
        let scene = Scene::new(
            &model,
            Capacity {
                contacts: 128,
                wrenches: false,
            },
        );
        let scene = scene.expect("a model that kernels know");
        assert_eq!(scene.head.general, 0, "{name}");
        compare_in(&model, scene.into_general(), steps, 1.0, Order::Ascending);
    }
}
