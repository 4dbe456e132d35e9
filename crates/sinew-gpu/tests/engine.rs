//! The kernels, run on the processor: in double precision every world has the bits of the engine.

mod compare;
mod text;

use compare::{Noise, compare, own};
use sinew_engine::Data;
use sinew_gpu::{Capacity, Emulation, Event, Order, Scene};
use sinew_mjcf::load_text;
use sinew_model::Model;
use sinew_model::kinds::{Cone, DisableFlag, EnableFlag, Integrator, Jacobian, Solver};
use std::path::Path;
use text::written;

/// Our quadruped without its snout, whose shape has no closed form.
fn quadruped() -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/quadruped.xml");
    let text = std::fs::read_to_string(path).expect("a model of ours");
    let lines = text.lines().filter(|line| !line.contains("\"snout\""));
    load_text(&lines.collect::<String>())
        .expect("a model")
        .model
}

#[test]
fn humanoid_has_the_bits_of_the_engine() {
    let mut model = own("humanoid");
    assert!(compare(&model, 150, 1.0, Order::Ascending) > 20);
    model.opt.integrator = Integrator::Euler.code();
    model.opt.cone = Cone::Elliptic.code();
    assert!(compare(&model, 100, 1.0, Order::Ascending) > 20);
}

#[test]
fn threads_of_a_warp_do_not_wait_for_each_other() {
    let model = own("humanoid");
    assert!(compare(&model, 100, 1.0, Order::Descending) > 20);
    let model = quadruped();
    assert!(compare(&model, 60, 1.0, Order::Descending) > 10);
}

#[test]
fn quadruped_has_the_bits_of_the_engine() {
    let mut model = quadruped();
    assert!(compare(&model, 150, 1.0, Order::Ascending) > 10);
    model.opt.cone = Cone::Pyramidal.code();
    assert!(compare(&model, 100, 1.0, Order::Ascending) > 10);
}

/// Steps of a world in single precision, each from the state of an engine: the largest differences of velocities from the
/// engine's, relative to the largest velocity, in ascending order; and the most rows that there were.
fn errors_of_single_precision(model: &Model, steps: usize) -> (Vec<f64>, usize) {
    let scene = Scene::<f32>::new(model, Capacity::default()).expect("a model that kernels know");
    let layout = scene.state;
    let mut worlds = Emulation::new(scene, 1, Order::Ascending);
    let mut engine = Data::new(model);
    let mut noise = Noise(11);
    engine.state.qvel.iter_mut().for_each(|v| *v = noise.next());
    let (mut errors, mut most) = (Vec::new(), 0);
    for _ in 0..steps {
        engine.input.ctrl.fill_with(|| noise.next());
        for ([start, _], numbers) in [
            (layout.qpos, &engine.state.qpos),
            (layout.qvel, &engine.state.qvel),
            (layout.act, &engine.state.act),
            (layout.warm_start, &engine.state.qacc_warmstart),
        ] {
            for (to, &from) in worlds.states[start..].iter_mut().zip(numbers) {
                *to = from as f32;
            }
        }
        for (to, &from) in worlds.ctrl.iter_mut().zip(&engine.input.ctrl) {
            *to = from as f32;
        }
        engine.step(model).expect("a step");
        worlds.step();
        most = most.max(worlds.counts(0)[0]);
        let size = engine
            .state
            .qvel
            .iter()
            .fold(1.0_f64, |size, v| size.max(v.abs()));
        let pairs = worlds.qvel(0).iter().zip(&engine.state.qvel);
        let error = pairs.map(|(&got, &wanted)| (f64::from(got) - wanted).abs() / size);
        errors.push(error.fold(0.0, f64::max));
    }
    errors.sort_by(f64::total_cmp);
    (errors, most)
}

#[test]
fn single_precision_is_near_the_engine() {
    let with = |mut model: Model, cone: Cone| {
        model.opt.cone = cone.code();
        model
    };
    // A stiff loop on a light arm asks for more digits than there are, and so do feet that begin to slide.
    for (model, fewest, typical, largest) in [
        (own("humanoid"), 20, 1e-5, 1e-4),
        (with(own("humanoid"), Cone::Elliptic), 20, 1e-5, 1e-4),
        (with(quadruped(), Cone::Pyramidal), 10, 1e-5, 1e-4),
        (quadruped(), 10, 1e-5, 1e-3),
        (arm(), 8, 1e-4, 1e-2),
        (with(arm(), Cone::Elliptic), 8, 1e-4, 1e-2),
        (with(gripper(), Cone::Elliptic), 8, 1e-5, 1e-4),
    ] {
        let (errors, most) = errors_of_single_precision(&model, 200);
        assert!(errors[100] < typical, "half are above {:e}", errors[100]);
        assert!(errors[197] < largest, "{:?}", &errors[197..]);
        assert!(most > fewest, "{most} rows");
    }
}

#[test]
fn threads_do_not_wait_for_each_other_in_single_precision() {
    for (mut model, cone) in [
        (own("humanoid"), Cone::Pyramidal),
        (own("humanoid"), Cone::Elliptic),
        (quadruped(), Cone::Elliptic),
        (arm(), Cone::Elliptic),
    ] {
        model.opt.cone = cone.code();
        let [ascending, descending] = [Order::Ascending, Order::Descending].map(|order| {
            let scene = Scene::<f32>::new(&model, Capacity::default()).expect("known to kernels");
            let mut worlds = Emulation::new(scene, 2, order);
            let mut noise = Noise(5);
            for world in 0..2 {
                worlds.qvel(world).fill_with(|| noise.next() as f32);
            }
            for _ in 0..80 {
                worlds.ctrl.fill_with(|| noise.next() as f32);
                worlds.step();
            }
            assert!(worlds.counts(0)[0] > 0);
            worlds
                .states
                .iter()
                .map(|x| x.to_bits())
                .collect::<Vec<_>>()
        });
        assert!(ascending == descending);
    }
}

/// An arm with dry friction, limits, equalities, springs, dampers, a tendon, contacts and actuators.
fn arm() -> Model {
    written(
        r#"<option timestep="0.004"/>
        <default><geom contype="1" conaffinity="0"/></default>
        <worldbody>
          <geom type="plane" size="5 5 .1" contype="0" conaffinity="1"/>
          <body pos="0 0 .2"><joint type="slide" axis="1 0 0" frictionloss="2" damping="1"/>
            <geom type="sphere" size=".1"/>
            <body pos=".3 0 0"><joint name="elbow" axis="0 1 0" limited="true" range="-40 40" frictionloss=".3"/>
              <geom type="capsule" size=".05 .2" condim="6"/>
              <body name="hand" pos=".3 0 0"><joint name="wrist" type="ball" limited="true" range="0 30"/>
                <geom type="cylinder" size=".1 .05" condim="4"/>
                <body pos=".3 0 0"><joint name="finger" axis="0 1 0"/><geom type="box" size=".05 .04 .03" condim="1"/></body>
              </body>
            </body>
          </body>
        </worldbody>
        <tendon><fixed name="string" limited="true" range="-.3 .3" stiffness="3" damping=".2">
          <joint joint="elbow" coef="1"/><joint joint="finger" coef="-.5"/></fixed></tendon>
        <equality><connect body1="hand" anchor="0 0 .1" active="true"/>
          <joint joint1="elbow" joint2="finger" polycoef="0 .5 .1 0 0"/></equality>
        <actuator><position joint="elbow" kp="20"/><velocity joint="finger" kv=".05"/>
          <general joint="finger" dyntype="filter" dynprm=".05" gainprm="3"/></actuator>"#,
    )
}

#[test]
fn friction_limits_equalities_and_tendons_have_the_bits_of_the_engine() {
    assert!(compare(&arm(), 200, 2.0, Order::Ascending) > 8);
}

/// A gripper on a slide whose equalities are of joints alone: in either order, one joint alone, one that is switched off.
fn gripper() -> Model {
    let finger = |name: &str, y: f64| {
        format!(
            r#"<body pos="0 {y} -.1"><joint name="{name}" type="slide" axis="0 1 0" range="-.1 .05" limited="true"/>
              <geom type="capsule" size=".02 .08" condim="4"/></body>"#
        )
    };
    written(&format!(
        r#"<option timestep="0.003" integrator="implicitfast"/>
        <worldbody>
          <geom type="plane" size="5 5 .1"/>
          <body pos="0 0 .2"><joint name="lift" type="slide" axis="0 0 1" frictionloss="1" damping="2"/>
            <geom type="box" size=".1 .2 .02"/>{}{}
            <body pos=".1 0 0"><joint name="turn" axis="1 0 0"/><geom size=".03" pos="0 0 .05"/></body>
          </body>
        </worldbody>
        <equality><joint joint1="left" joint2="right" polycoef="0 -1 .2 0 .1"/>
          <joint joint1="turn" joint2="left" polycoef=".1 2 0 0 0" active="false"/>
          <joint joint1="turn" polycoef=".3 0 0 0 0" solref=".05 1"/>
          <joint joint1="right" joint2="lift" polycoef="0 .1 0 0 0" solref=".1 1"/></equality>
        <actuator><position joint="left" kp="30"/><position joint="lift" kp="50"/></actuator>"#,
        finger("left", -0.1),
        finger("right", 0.1)
    ))
}

#[test]
fn equalities_of_joints_have_the_bits_of_the_engine() {
    let mut model = gripper();
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    assert!(scene.head.has_plain_rows());
    assert!(compare(&model, 150, 1.0, Order::Ascending) > 8);
    model.opt.cone = Cone::Elliptic.code();
    assert!(compare(&model, 80, 1.0, Order::Descending) > 8);
    let off = DisableFlag::Equality.code();
    model.opt.disableflags |= off;
    assert!(compare(&model, 40, 1.0, Order::Ascending) > 4);
}

#[test]
fn steps_of_several_stages_have_the_bits_of_the_engine() {
    for (mut model, least) in [(own("humanoid"), 20), (quadruped(), 10), (arm(), 8)] {
        model.opt.integrator = Integrator::Rk4.code();
        assert!(compare(&model, 60, 2.0, Order::Ascending) > least);
        compare(&model, 10, 2.0, Order::Descending);
    }
}

#[test]
fn a_bad_world_rests_through_the_stages_that_are_left() {
    let mut model = written(
        r#"<worldbody><body><joint name="slide" type="slide"/><geom size=".1"/></body></worldbody>
        <actuator><motor joint="slide" gear="100"/></actuator>"#,
    );
    model.opt.integrator = Integrator::Rk4.code();
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    let mut worlds = Emulation::new(scene, 1, Order::Ascending);
    worlds.qpos(0)[0] = 1.0;
    worlds.ctrl[0] = 9e9;
    worlds.qvel(0)[0] = 1.0;
    worlds.step();
    assert!(worlds.count(0, Event::BadState) > 0);
    assert_eq!((worlds.qpos(0)[0], worlds.qvel(0)[0]), (0.0, 0.0));
    worlds.ctrl[0] = 0.0;
    worlds.step();
    assert_eq!(worlds.time[0], model.opt.timestep);
}

/// Free bodies that fall on each other and on two chains, one of them tied to a body.
fn pile(bodies: usize, chain: usize) -> Model {
    let falling: String = (0..bodies)
        .map(|i| {
            let (x, z) = (0.03 * (i % 3) as f64, 0.12 + 0.17 * i as f64);
            let shape = ["sphere\" size=\".1", "capsule\" size=\".07 .1"][i % 2];
            format!(
                r#"<body name="b{i}" pos="{x} {} {z}"><freejoint/><geom type="{shape}" condim="{}"/></body>"#,
                0.02 * (i % 2) as f64,
                [3, 4, 1][i % 3]
            )
        })
        .collect();
    let link = r#"<body pos="0 .15 0"><joint axis="1 0 0" damping=".05" limited="true" range="-60 60"/>
        <geom type="capsule" fromto="0 0 0 0 .15 0" size=".03"/>"#;
    let arm = |at: &str| {
        let (open, close) = (link.repeat(chain), "</body>".repeat(chain));
        format!(
            r#"<body pos="{at}"><joint axis="0 0 1" frictionloss=".1"/><geom size=".06"/>{open}{close}</body>"#
        )
    };
    written(&format!(
        r#"<option timestep="0.004"/>
        <worldbody><geom type="plane" size="5 5 .1"/>{falling}{}{}
          <body name="alone" pos="3 3 9"><freejoint/><geom size=".1"/></body>
        </worldbody>
        <contact><exclude body1="b0" body2="b1"/></contact>
        <equality><connect body1="b0" body2="b1" anchor="0 0 .08"/></equality>"#,
        arm("0 -.3 .25"),
        arm(".1 -.25 .45"),
    ))
}

#[test]
fn several_trees_have_the_bits_of_the_engine() {
    // Small trees, which are blocks of a Hessian, and large ones, which are not.
    for (bodies, chain) in [(2, 2), (4, 3), (3, 12)] {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            let mut model = pile(bodies, chain);
            model.opt.cone = cone.code();
            assert!(compare(&model, 120, 1.0, Order::Ascending) > 12);
            compare(&model, 60, 1.0, Order::Descending);
        }
    }
}

#[test]
fn trees_that_are_solved_at_once_have_the_bits_of_the_engine() {
    for mut model in [pile(4, 3), own("humanoid"), arm()] {
        model.opt.disableflags |= DisableFlag::Island.code();
        assert!(compare(&model, 60, 1.0, Order::Ascending) > 8);
    }
}

#[test]
fn compressed_rows_have_the_bits_of_the_engine() {
    for mut model in [pile(4, 3), own("humanoid"), arm()] {
        model.opt.jacobian = Jacobian::Sparse.code();
        assert!(compare(&model, 60, 1.0, Order::Ascending) > 8);
        compare(&model, 20, 1.0, Order::Descending);
    }
    let model = pile(14, 4);
    assert!(model.nv > 80);
    assert!(compare(&model, 150, 1.0, Order::Ascending) > 12);
}

#[test]
fn large_trees_have_the_bits_of_the_engine() {
    for jacobian in [Jacobian::Auto, Jacobian::Dense] {
        let mut model = pile(4, 40);
        assert!(model.nv > 80);
        model.opt.jacobian = jacobian.code();
        assert!(compare(&model, 40, 1.0, Order::Ascending) > 12);
        model.opt.cone = Cone::Elliptic.code();
        compare(&model, 15, 1.0, Order::Descending);
        // All of it at once.
        model.opt.disableflags |= DisableFlag::Island.code();
        compare(&model, 15, 1.0, Order::Ascending);
    }
}

#[test]
fn conjugate_gradients_have_the_bits_of_the_engine() {
    for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
        for mut model in [pile(4, 3), pile(3, 12), own("humanoid"), arm()] {
            model.opt.jacobian = jacobian.code();
            model.opt.solver = Solver::Cg.code();
            assert!(compare(&model, 60, 1.0, Order::Ascending) > 8);
            model.opt.cone = Cone::Elliptic.code();
            compare(&model, 20, 1.0, Order::Descending);
        }
    }
    // More degrees of freedom than a full Hessian has.
    let mut model = pile(2, 40);
    model.opt.solver = Solver::Cg.code();
    assert!(model.nv > 80);
    compare(&model, 60, 1.0, Order::Ascending);
}

/// Positions of an engine alone after some steps, all controls 0.3.
fn end_of(model: &Model) -> Vec<f64> {
    let mut engine = Data::new(model);
    engine.state.qvel.fill(2.0);
    engine.input.ctrl.fill(0.3);
    for _ in 0..150 {
        engine.step(model).expect("a step");
    }
    engine.state.qpos
}

#[test]
fn what_flags_switch_off_is_off() {
    for integrator in [Integrator::Euler, Integrator::Implicitfast] {
        let mut plain = arm();
        plain.opt.integrator = integrator.code();
        for flag in [
            DisableFlag::Constraint,
            DisableFlag::Equality,
            DisableFlag::Frictionloss,
            DisableFlag::Limit,
            DisableFlag::Contact,
            DisableFlag::Spring,
            DisableFlag::Damper,
            DisableFlag::Gravity,
            DisableFlag::Actuation,
        ] {
            let mut model = plain.clone();
            model.opt.disableflags |= flag.code();
            assert_ne!(end_of(&model), end_of(&plain), "{flag:?}");
            compare(&model, 60, 2.0, Order::Ascending);
        }
        // Nothing that is integrated depends on these.
        for flag in [EnableFlag::Fwdinv, EnableFlag::Invdiscrete] {
            let mut model = plain.clone();
            model.opt.enableflags |= flag.code();
            compare(&model, 60, 2.0, Order::Ascending);
        }
    }
}

#[test]
fn without_autoreset_bad_worlds_go_on() {
    let mut model =
        written(r#"<worldbody><body><joint type="slide"/><geom size=".1"/></body></worldbody>"#);
    model.opt.disableflags |= DisableFlag::Autoreset.code();
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    let mut worlds = Emulation::new(scene, 1, Order::Ascending);
    let mut engine = Data::new(&model);
    worlds.qvel(0)[0] = 1e11;
    engine.state.qvel[0] = 1e11;
    for _ in 0..60 {
        // The engine says that the velocity is bad, and goes on with it.
        assert!(engine.step(&model).is_err());
        worlds.step();
    }
    assert!(engine.state.qpos[0] > 1e9);
    assert_eq!(worlds.qpos(0)[0].to_bits(), engine.state.qpos[0].to_bits());
    assert!(worlds.count(0, Event::BadState) >= 60);
}

#[test]
fn shapes_that_touch_each_other_have_the_bits_of_the_engine() {
    for cone in ["pyramidal", "elliptic"] {
        let model = written(&format!(
            r#"<option timestep="0.004" cone="{cone}"/>
            <default><joint damping=".1"/></default>
            <worldbody>
              <geom type="box" size=".2 .2 .1" pos=".4 0 .1"/><geom type="cylinder" size=".2 .1" pos="-.4 0 .1"/>
              <geom type="capsule" size=".1 .3" pos="0 .4 .1" euler="0 90 0"/><geom type="sphere" size=".2" pos="0 -.4 .1"/>
              <geom type="plane" size="5 5 .1"/>
              <body pos="0 0 .3"><joint type="slide" axis="0 0 1"/><joint type="ball"/>
                <geom type="sphere" size=".12" condim="3"/>
                <body pos=".25 0 0"><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="sphere" size=".1" condim="4"/></body>
                <body pos="-.25 0 0"><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="sphere" size=".1" condim="6"/></body>
                <body pos="0 .25 0"><joint axis="1 0 0"/><joint axis="0 0 1"/><geom type="sphere" size=".1" condim="1"/></body>
                <body pos="0 -.25 0"><joint axis="1 0 0"/><joint axis="0 0 1"/><geom type="sphere" size=".1"/></body>
              </body>
            </worldbody>"#
        ));
        assert!(compare(&model, 200, 2.0, Order::Ascending) > 8);
    }
}

#[test]
fn contacts_without_room_are_counted_and_bad_worlds_begin_anew() {
    let model = written(
        r#"<worldbody><geom type="plane" size="5 5 .1"/>
          <body pos="0 0 .15"><joint type="slide" axis="0 0 1"/>
            <geom type="sphere" size=".1"/><geom type="sphere" size=".1" pos=".3 0 0"/>
            <geom type="sphere" size=".1" pos="0 .3 0"/></body></worldbody>"#,
    );
    let scene = Scene::<f64>::new(
        &model,
        Capacity {
            contacts: 2,
            ..Capacity::default()
        },
    )
    .expect("a model that kernels know");
    let mut worlds = Emulation::new(scene, 2, Order::Ascending);
    for _ in 0..100 {
        worlds.step();
    }
    assert_eq!(worlds.counts(0)[0], 8);
    let steps_in_contact = worlds.count(0, Event::LostContact);
    assert!(0 < steps_in_contact && steps_in_contact < 100);
    worlds.qpos(1)[0] = f64::NAN;
    worlds.step();
    assert_eq!(
        (
            worlds.count(0, Event::BadState),
            worlds.count(1, Event::BadState)
        ),
        (0, 1)
    );
    assert_eq!(worlds.time[1], model.opt.timestep);
}

#[test]
fn parameters_of_contacts_that_options_replace_have_the_bits_of_the_engine() {
    for name in ["humanoid", "box_pile"] {
        let mut model = own(name);
        model.opt.enableflags |= EnableFlag::Override.code();
        model.opt.o_margin = 0.02;
        model.opt.o_solref = [0.03, 0.9];
        model.opt.o_solimp = [0.8, 0.9, 0.01, 0.4, 3.0];
        model.opt.o_friction = [0.7, 0.6, 0.01, 0.002, 0.001];
        assert!(compare(&model, 80, 0.5, Order::Ascending) > 0);
    }
}
