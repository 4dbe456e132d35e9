//! Sensors that threads of their own read, in worlds of the kernels, run on the processor: the bits of the engine.

mod compared;
mod text;

use compared::{Start, compare};
use sinew_engine::Data;
use sinew_gpu::{Capacity, Emulation, Order, Scene};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, Integrator, Jacobian, SensorType};
use text::written;

/// Compares in both orders, with several integrators; all sensors must be read.
fn compare_all(model: &Model, steps: usize, velocity: f64) {
    let scene = Scene::<f64>::new(model, Capacity::default()).expect("a model that kernels know");
    assert_eq!(scene.unread, []);
    let start = &Start {
        velocity,
        contacts: 100,
    };
    for integrator in [Integrator::Euler, Integrator::Rk4] {
        let mut model = model.clone();
        model.opt.integrator = integrator.code();
        compare(&model, steps, start, Order::Ascending);
        compare(&model, steps / 4, start, Order::Descending);
    }
}

const ASSETS: &str = r#"<asset>
  <mesh name="gem" vertex=".1 0 0  -.1 0 0  0 .1 0  0 -.1 0  0 0 .1  0 0 -.1  .07 .07 .07  -.07 -.07 -.07  .06 -.07 .07"/>
  <mesh name="wedge" vertex="0 0 0  .3 0 0  .3 .3 0  0 .3 0  .1 .1 .2"/>
  <hfield name="hills" nrow="5" ncol="6" size="1 .8 .2 .05" elevation="0 .2 .1 .5 .3 .9  .1 .4 .8 .2 .6 .1  .7 .3 .2 .9 .1 .4  .5 .5 .1 .3 .8 .2  .2 .9 .4 .1 .6 .3"/>
</asset>"#;

/// Three numbers that a sensor of each kind reads of two objects.
fn distances(one: &str, other: &str) -> String {
    let read = |kind: &str, cutoff: &str| format!(r#"<{kind} {one} {other} cutoff="{cutoff}"/>"#);
    ["distance", "normal", "fromto"]
        .into_iter()
        .flat_map(|kind| ["2", ".15"].map(|cutoff| read(kind, cutoff)))
        .collect()
}

/// Free shapes of all kinds among fixed ones, whose distances are read each way.
#[test]
fn distances_of_all_shapes_have_the_bits_of_the_engine() {
    let shapes = [
        ("ball", r#"size=".07""#),
        ("capsule", r#"type="capsule" size=".05 .08""#),
        ("egg", r#"type="ellipsoid" size=".05 .08 .1""#),
        ("drum", r#"type="cylinder" size=".06 .05""#),
        ("box", r#"type="box" size=".05 .06 .07""#),
        ("gem", r#"type="mesh" mesh="gem""#),
    ];
    let (mut bodies, mut sensors) = (String::new(), String::new());
    for (i, (name, shape)) in shapes.into_iter().enumerate() {
        let (x, y) = (0.22 * (i % 3) as f64 - 0.2, 0.22 * (i / 3) as f64);
        bodies += &format!(
            r#"<body pos="{x} {y} .2"><freejoint/><geom name="{name}" {shape} contype="0" conaffinity="0"/></body>
            <geom name="fixed {name}" {shape} pos="{y} {x} .25" euler="{i}0 20 30" contype="0" conaffinity="0"/>"#
        );
    }
    // A height field can be asked about as a geom of a body only.
    bodies += r#"<geom name="floor" type="plane" size="5 5 .1" pos="0 0 -.1" contype="0" conaffinity="0"/>
        <body name="ground" pos="0 0 -.1"><geom type="hfield" hfield="hills" contype="0" conaffinity="0"/></body>"#;
    for (name, _) in shapes {
        let one = &format!(r#"geom1="{name}""#);
        for (other, _) in shapes {
            sensors += &distances(one, &format!(r#"geom2="fixed {other}""#));
        }
        for other in [r#"geom2="floor""#, r#"body2="ground""#] {
            sensors += &distances(one, other);
            let other = other.replace("2=", "1=");
            sensors += &distances(&other, &format!(r#"geom2="{name}""#));
        }
    }
    sensors += &distances(r#"geom1="floor""#, r#"body2="ground""#);
    let model = written(&format!(
        r#"<option timestep="0.01" gravity="0 0 -2"/>{ASSETS}<worldbody>{bodies}</worldbody><sensor>{sensors}</sensor>"#
    ));
    compare_all(&model, 24, 1.0);
}

/// Bodies of several geoms, which also touch each other.
#[test]
fn distances_of_bodies_have_the_bits_of_the_engine() {
    let sensors: String = [
        (r#"body1="hand""#, r#"body2="stone""#),
        (r#"body1="stone""#, r#"geom2="floor""#),
        (r#"geom1="tip""#, r#"body2="world""#),
        (r#"body1="empty""#, r#"body2="hand""#),
    ]
    .into_iter()
    .map(|(one, other)| distances(one, other))
    .collect();
    let model = written(&format!(
        r#"<option timestep="0.004"/>{ASSETS}
        <worldbody><geom name="floor" type="plane" size="5 5 .1"/><geom type="box" size=".1 .1 .1" pos=".5 0 .1" euler="0 20 30"/>
          <body name="empty" pos="0 0 1"/>
          <body name="hand" pos="0 0 .4"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
            <geom name="tip" type="mesh" mesh="wedge" pos=".3 0 0"/><geom type="ellipsoid" size=".05 .1 .05" pos=".15 .1 0"/></body>
          <body name="stone" pos=".3 .05 .2"><freejoint/><geom type="mesh" mesh="gem"/><geom type="box" size=".05 .02 .1" pos=".1 0 0"/></body>
        </worldbody><sensor>{sensors}<clock/></sensor>"#
    ));
    compare_all(&model, 60, 1.0);
}

#[test]
fn rays_at_meshes_and_height_fields_have_the_bits_of_the_engine() {
    let (mut sites, mut sensors) = (String::new(), String::new());
    for i in 0..12 {
        let turn = 30 * i;
        sites += &format!(
            r#"<site name="eye {i}" pos="0 0 .05" euler="{turn} {} {}"/>"#,
            17 * i,
            7 * i
        );
        sensors += &format!(
            r#"<rangefinder site="eye {i}" data="dist dir origin point normal depth"/><rangefinder site="eye {i}" cutoff=".3"/>"#
        );
    }
    let model = written(&format!(
        r#"<option timestep="0.004" gravity="0 0 -3"/>{ASSETS}
        <worldbody><geom name="floor" type="plane" size="5 5 .1" pos="0 0 -.2"/><geom type="hfield" hfield="hills" euler="3 4 5" contype="0" conaffinity="0"/>
          <geom type="mesh" mesh="gem" pos=".3 0 .4"/><geom type="mesh" mesh="wedge" pos="-.3 -.1 .3" euler="10 20 30"/>
          <geom type="mesh" mesh="wedge" pos="0 -.3 .5" rgba="1 1 1 0"/><geom type="box" size=".1 .1 .1" pos="0 .4 .4"/>
          <body name="head" pos="0 0 .5"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/><joint type="ball"/>
            <geom type="mesh" mesh="gem" contype="0" conaffinity="0"/>{sites}</body>
          <body pos=".05 0 .9"><joint type="slide" axis="0 0 1"/><joint type="ball"/><geom type="mesh" mesh="wedge" contype="0" conaffinity="0"/></body>
        </worldbody><sensor>{sensors}</sensor>"#
    ));
    compare_all(&model, 80, 1.5);
}

/// A pendulum on a cart that stores energy everywhere.
fn storing() -> Model {
    written(
        r#"<option timestep="0.005"/><worldbody><geom type="plane" size="5 5 .1"/>
          <body pos="0 0 .3"><joint type="slide" axis="1 0 0" stiffness="5"/><geom size=".1"/>
            <body pos="0 0 .1"><joint axis="0 1 0" stiffness=".3"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></body>
          <body pos="1 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        </worldbody><sensor><e_kinetic/><e_potential/><e_kinetic cutoff=".5"/><clock/></sensor>"#,
    )
}

#[test]
fn energies_have_the_bits_of_the_engine() {
    let mut model = storing();
    for flags in [0, EnableFlag::Energy.code()] {
        model.opt.enableflags = flags;
        for jacobian in [Jacobian::Dense, Jacobian::Sparse] {
            model.opt.jacobian = jacobian.code();
            compare_all(&model, 60, 1.0);
        }
    }
}

#[test]
fn a_world_that_begins_anew_has_no_step_before() {
    let mut model = storing();
    model.opt.enableflags = EnableFlag::Energy.code();
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    let mut worlds = Emulation::new(scene, 1, Order::Ascending);
    let mut engine = Data::new(&model);
    for step in 0..20 {
        let is_bad = step % 7 == 5;
        if is_bad {
            engine.state.qvel[1] = 1e11;
            worlds.qvel(0)[1] = 1e11;
        }
        assert_eq!(engine.step(&model).is_err(), is_bad);
        worlds.step();
        assert_eq!(worlds.sensordata(0), &engine.sensor.sensordata[..]);
    }
}

#[test]
fn taxels_have_the_bits_of_the_engine() {
    let model = written(
        r#"<option timestep="0.004"/>
        <asset><mesh name="pad" builtin="plate" params="5 4" scale=".1 .1 .02"/><mesh name="gem" vertex=".03 0 0  -.03 0 0  0 .03 0  0 -.03 0  0 0 .03  0 0 -.03"/></asset>
        <worldbody>
          <body pos="0 0 .1"><joint type="slide" axis="0 0 1" stiffness="300" damping="3"/><joint axis="1 0 0" stiffness="2" damping=".05"/><geom type="box" size=".1 .1 .02" margin=".01" gap=".01"/>
            <body><inertial pos="0 0 0" mass=".01" diaginertia="1e-4 1e-4 1e-4"/><geom name="pad" type="mesh" mesh="pad" euler="180 0 0" contype="0" conaffinity="0"/></body></body>
          <body pos="-.04 0 .19"><freejoint/><geom size=".03" mass=".3"/></body>
          <body pos=".05 .03 .19"><freejoint/><geom type="box" size=".03 .02 .02"/></body>
          <body pos=".04 -.06 .2"><freejoint/><geom type="ellipsoid" size=".03 .04 .02"/></body>
          <body pos="-.05 .06 .2"><freejoint/><geom type="capsule" size=".02 .02"/></body>
          <body pos="-.05 -.06 .2"><freejoint/><geom type="cylinder" size=".03 .02"/></body>
          <body pos=".01 0 .26"><freejoint/><geom type="mesh" mesh="gem"/></body>
        </worldbody><sensor><tactile geom="pad" mesh="pad"/><tactile geom="pad" mesh="gem"/></sensor>"#,
    );
    compare_all(&model, 100, 0.2);
    let scene = Scene::<f64>::new(&model, Capacity::default()).expect("a model that kernels know");
    let mut worlds = Emulation::new(scene, 1, Order::Ascending);
    let mut pressed = 0;
    for _ in 0..100 {
        worlds.step();
        pressed = pressed.max(worlds.sensordata(0).iter().filter(|&&x| x > 0.0).count());
    }
    assert!(pressed > 3);
}

#[test]
fn distances_by_the_older_algorithm_are_not_read() {
    let mut model = written(
        r#"<worldbody><body><joint/><geom name="one" size=".1" pos=".3 0 0"/></body><geom name="two" size=".1"/></worldbody>
        <sensor><distance geom1="one" geom2="two" cutoff="1"/></sensor>"#,
    );
    let unread = |model: &Model| {
        let scene = Scene::<f64>::new(model, Capacity::default());
        scene.expect("a model that kernels know").unread
    };
    assert_eq!(unread(&model), []);
    model.opt.disableflags |= DisableFlag::Nativeccd.code();
    assert_eq!(unread(&model), [SensorType::Geomdist]);
}
