//! Worlds side by side have the bits that they have one at a time.

use crate::worlds::{bits, built_in, floating, noise};
use sinew::batch::{Batch, Lanes, Which};
use sinew::engine::integrate::integrate_position;
use sinew::mjcf::{load_path, load_text};
use sinew::model::Model;
use sinew::model::kinds::{Cone, DisableFlag, Integrator, Solver};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One tree with what the other models lack: pairs that lanes do not know, every simple law and dynamics of actuators, a
/// tendon with spring and damper, sensors that look at everything.
const MACHINE: &str = r#"<mujoco><option timestep="0.003"/><compiler autolimits="true"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <geom type="box" size=".3 .3 .1" pos=".3 0 .1"/>
    <site name="fixed" pos="0 0 1"/>
    <camera name="eye" pos="0 -2 1"/>
    <body name="hull" pos="0 0 .45"><freejoint/>
      <geom type="box" size=".2 .1 .05"/>
      <geom type="ellipsoid" size=".08 .05 .04" pos="-.2 0 0"/>
      <site name="imu" pos=".05 0 .02" euler="10 20 30"/>
      <site name="down" pos="0 0 -.06" euler="180 0 0"/>
      <body name="arm" pos=".2 0 0"><joint name="a" axis="0 1 0" range="-60 60" stiffness="2" damping=".2"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
        <site name="touch" type="sphere" size=".08" pos=".2 0 0"/>
        <body name="tip" pos=".22 0 0"><joint name="b" type="slide" axis="1 0 0" range="-.05 .05" actuatorfrcrange="-8 8"/>
          <geom name="tip" type="cylinder" size=".04 .03" condim="6" friction="1 .02 .01"/></body></body>
      <body name="leg" pos="-.1 .1 0"><joint name="c" type="ball" damping=".3"/>
        <geom type="box" size=".03 .03 .1" pos="0 0 -.12" condim="4"/>
        <body pos="0 0 -.25"><joint name="d" axis="1 0 0" frictionloss=".1" armature=".02"/>
          <geom type="sphere" size=".05"/></body></body>
    </body>
  </worldbody>
  <tendon><fixed name="cord" stiffness="8" damping=".5" springlength="-.05 .05" range="-.6 .6">
    <joint joint="a" coef=".5"/><joint joint="d" coef="-1.5"/></fixed></tendon>
  <actuator>
    <motor name="A" joint="a" gear="3" ctrlrange="-1 1"/>
    <position name="B" joint="b" kp="40" kv="4" gear="-2" forcerange="-3 3"/>
    <velocity name="C" joint="d" kv=".8" ctrlrange="-.2 .2"/>
    <damper joint="a" kv="2" ctrlrange="0 1"/>
    <intvelocity joint="d" kp="3" actrange="-1 1"/>
    <general joint="b" dyntype="filter" dynprm=".05" gainprm="5" actearly="true"/>
    <general joint="a" dyntype="filterexact" dynprm=".08" gaintype="affine" gainprm="1 .3 -.2" biastype="affine"
      biasprm=".1 -.2 -.3" forcerange="-2 2"/>
  </actuator>
  <sensor>
    <accelerometer site="imu"/><gyro site="imu"/><velocimeter site="imu"/><magnetometer site="imu"/>
    <rangefinder site="down"/><force site="touch"/><torque site="touch"/><touch site="touch"/>
    <tendonpos tendon="cord"/><tendonvel tendon="cord"/><actuatorpos actuator="A"/>
    <actuatorvel actuator="B"/><actuatorfrc actuator="C"/><jointactuatorfrc joint="b"/>
    <jointlimitpos joint="a"/><jointlimitfrc joint="a"/><tendonlimitfrc tendon="cord"/><ballquat joint="c"/>
    <framepos objtype="geom" objname="tip" reftype="camera" refname="eye"/>
    <framelinacc objtype="body" objname="leg"/><frameangacc objtype="xbody" objname="tip"/>
    <frameangvel objtype="site" objname="imu" reftype="body" refname="arm"/>
    <subtreecom body="arm"/><subtreelinvel body="hull"/><subtreeangmom body="leg"/><clock/>
  </sensor>
</mujoco>"#;

/// Several trees that rows tie together and let go, in a fluid, some of whose weight is carried.
const WORKSHOP: &str = r#"<mujoco><option timestep="0.003" density="1.2" viscosity="2e-3" wind="1 0 .2"/>
  <compiler autolimits="true"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="arm" pos="0 0 .3" gravcomp=".9"><joint name="a" axis="0 0 1" damping=".1" range="-80 80"/>
      <geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0" gravcomp="1"><joint name="b" axis="0 1 0" damping=".1" frictionloss=".05" actuatorgravcomp="true"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .2 0 -.1" fluidshape="ellipsoid"/>
        <site name="hand" pos=".2 0 -.1"/></body></body>
    <body name="ball" pos=".45 .1 .06"><freejoint/><geom type="sphere" size=".06" condim="4"/></body>
    <body name="box" pos=".4 -.1 .06"><freejoint/><geom type="box" size=".05 .06 .04"/></body>
    <body name="cart" pos="-.3 0 .05"><joint name="x" type="slide" axis="1 0 0" range="-.2 .2"/>
      <joint name="y" type="slide" axis="0 1 0" frictionloss=".2"/><geom type="sphere" size=".05" fluidshape="ellipsoid"/></body>
    <body name="rod" pos="-.3 .2 .3"><joint type="ball"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.2"/>
      <site name="end" pos="0 0 -.2"/></body>
  </worldbody>
  <equality><joint joint1="x" joint2="a" polycoef="0 .1 0 0 0"/>
    <connect body1="rod" body2="cart" anchor="0 0 -.2" active="false"/></equality>
  <actuator><motor joint="a" gear="2"/><motor joint="b"/><position joint="x" kp="20"/></actuator>
  <sensor><touch site="hand"/><force site="hand"/><framelinacc objtype="body" objname="box"/><jointlimitfrc joint="a"/></sensor>
</mujoco>"#;

/// Models of this repository, and real robots where their folder is there, all with what lanes know.
fn models() -> Vec<(String, Model)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var("SINEW_SHARED").map_or_else(|_| root.join("../shared"), Into::into);
    let own = [
        "humanoid",
        "quadruped",
        "manipulator",
        "cartpole",
        "pendulum",
        "double_pendulum",
    ];
    let mut paths: Vec<PathBuf> = own
        .iter()
        .map(|name| root.join("models").join(format!("{name}.xml")))
        .collect();
    for name in [
        "mujoco/humanoid/humanoid.xml",
        "menagerie/agility_cassie/scene.xml",
    ] {
        let path = shared.join("models").join(name);
        if path.exists() {
            paths.push(path);
        }
    }
    let machine = load_text(MACHINE).expect("loads").model;
    let mut all = vec![
        ("machine".to_owned(), machine),
        ("floating".to_owned(), floating()),
    ];
    for path in paths {
        let path = path.display().to_string();
        let model = match load_path(&path) {
            Ok(loaded) => loaded.model,
            Err(error) => panic!("{path}: {error}"),
        };
        all.push((path, model));
    }
    all
}

/// Arrays that follow from the state, from every stage, and those that a step does not compute.
const DERIVED: [&str; 14] = [
    "energy",
    "xpos",
    "site_xmat",
    "cinert",
    "ten_length",
    "actuator_length",
    "actuator_velocity",
    "cvel",
    "qfrc_passive",
    "actuator_force",
    "qfrc_constraint",
    "qacc",
    "cfrc_int",
    "subtree_angmom",
];

/// Calls that a run makes, of two steps on average: a long one, and one of many.
const CALLS: usize = 250;
const FEW_CALLS: usize = 100;

/// What is done to a batch before it runs.
type Prepare<'a> = &'a dyn Fn(&mut Batch);

/// Worlds at different heights and poses, after calls with random controls, of which one is pushed and one fails.
fn run(
    model: &Arc<Model>,
    (lanes, threads): (Lanes, usize),
    steps: usize,
    prepare: Prepare<'_>,
) -> Batch {
    let count = 13;
    let mut batch = Batch::with(Arc::clone(model), count, threads, &DERIVED).expect("fits");
    batch.set_lanes(lanes);
    prepare(&mut batch);
    batch
        .put(Which::All, |world, data| {
            let away: Vec<f64> = (0..model.nv).map(|i| noise(world, i)).collect();
            integrate_position(model, &mut data.state.qpos, &away, 0.1)
        })
        .expect("its own worlds");
    for step in 0..steps {
        for (i, ctrl) in batch.get_mut("ctrl").expect("kept").iter_mut().enumerate() {
            *ctrl = 0.4 * noise(i, step);
        }
        if step == steps / 2 {
            batch.get_mut("xfrc_applied").expect("kept")[7] = 5.0;
            let nq = model.nq;
            batch.get_mut("qpos").expect("kept")[5 * nq] = f64::NAN;
        }
        batch.step(1 + step % 3, &());
    }
    batch
}

#[test]
fn every_lane_is_a_world_of_its_own() {
    for (name, model) in models() {
        for (integrator, cone) in [
            (Integrator::Euler, Cone::Pyramidal),
            (Integrator::Implicitfast, Cone::Elliptic),
            (Integrator::Rk4, Cone::Elliptic),
        ] {
            let mut model = model.clone();
            model.opt.integrator = integrator.code();
            model.opt.cone = cone.code();
            let what = format!("{name} {integrator:?} {cone:?}");
            check(&what, model, CALLS, &|_| {});
        }
    }
}

/// Every method that finds constraint forces, with islands and without.
#[test]
fn every_solver_is_that_of_one_world() {
    let workshop = load_text(WORKSHOP).expect("loads").model;
    let island = DisableFlag::Island.code();
    for (name, model) in [("workshop", workshop), ("humanoid", built_in("humanoid"))] {
        for (solver, cone, slips, disabled) in [
            (Solver::Newton, Cone::Pyramidal, 0, 0),
            (Solver::Newton, Cone::Elliptic, 0, island),
            (Solver::Newton, Cone::Pyramidal, 3, 0),
            (Solver::Pgs, Cone::Pyramidal, 0, 0),
            (Solver::Pgs, Cone::Elliptic, 2, 0),
            (Solver::Cg, Cone::Elliptic, 0, 0),
        ] {
            let mut model = model.clone();
            model.opt.solver = solver.code();
            model.opt.cone = cone.code();
            model.opt.noslip_iterations = slips;
            model.opt.iterations = 20;
            model.opt.disableflags |= disabled;
            let what = format!("{name} {solver:?} {cone:?} {slips} {disabled}");
            check(&what, model, FEW_CALLS, &|_| {});
        }
    }
}

/// Holds all lanes to what their worlds have alone.
fn check(what: &str, model: Model, calls: usize, prepare: Prepare<'_>) {
    if Lanes::widest() == Lanes::One {
        return;
    }
    let model = Arc::new(model);
    let alone = run(&model, (Lanes::One, 1), calls, prepare);
    for (lanes, threads) in [(Lanes::Four, 3), (Lanes::Eight, 16)] {
        if lanes.count() > Lanes::widest().count() {
            continue;
        }
        let together = run(&model, (lanes, threads), calls, prepare);
        assert_eq!(together.plan(), (lanes.count(), None), "{what}");
        assert_eq!(together.outcome().errors, alone.outcome().errors, "{what}");
        assert_eq!(together.outcome().warned, alone.outcome().warned, "{what}");
        for field in alone.fields() {
            let (one, many) = (
                alone.get(field.name).expect("kept"),
                together.get(field.name).expect("kept"),
            );
            let width = one.len() / alone.len();
            for world in 0..alone.len() {
                let row = world * width..(world + 1) * width;
                assert_eq!(
                    bits(&one[row.clone()]),
                    bits(&many[row]),
                    "{what} {lanes:?} world {world} {}",
                    field.name
                );
            }
        }
    }
}

/// Arrays in which worlds differ, and by how much.
const CHANGES: [(&str, f64); 21] = [
    ("body_mass", 0.5),
    ("body_inertia", 0.3),
    ("body_ipos", 0.2),
    ("body_pos", 0.05),
    ("geom_pos", 0.1),
    ("geom_size", 0.1),
    ("geom_rbound", 0.3),
    ("geom_friction", 0.5),
    ("geom_solref", 0.3),
    ("geom_solimp", 0.05),
    ("geom_solmix", 0.9),
    ("dof_damping", 0.8),
    ("dof_armature", 0.5),
    ("dof_frictionloss", 0.5),
    ("jnt_stiffness", 0.5),
    ("jnt_range", 0.3),
    ("actuator_gear", 0.2),
    ("actuator_gainprm", 0.4),
    ("actuator_biasprm", 0.4),
    ("opt.gravity", 0.3),
    ("opt.timestep", 0.2),
];

/// Gives worlds numbers of their own: one without any damping, one with a mass that makes no sense.
fn vary(batch: &mut Batch) {
    let worlds = batch.len();
    for (k, (name, size)) in CHANGES.into_iter().enumerate() {
        batch.expand(name).expect("a value");
        for (i, x) in batch.value_mut(name).expect("own").iter_mut().enumerate() {
            *x *= 1.0 + size * noise(i, k);
        }
    }
    let damping = batch.value_mut("dof_damping").expect("own");
    let dofs = damping.len() / worlds;
    damping[4 * dofs..5 * dofs].fill(0.0);
    let derived = batch.derive_constants(Which::All, &|| true);
    derived.expect("has mass");
    let masses = batch.value_mut("body_mass").expect("own");
    let bodies = masses.len() / worlds;
    masses[7 * bodies + 1] = -1.0;
}

#[test]
fn worlds_with_values_of_their_own_go_side_by_side() {
    for name in ["humanoid", "quadruped", "cartpole"] {
        for (integrator, cone, solver) in [
            (Integrator::Euler, Cone::Pyramidal, Solver::Newton),
            (Integrator::Implicitfast, Cone::Elliptic, Solver::Cg),
            (Integrator::Rk4, Cone::Pyramidal, Solver::Pgs),
        ] {
            let mut model = built_in(name);
            model.opt.integrator = integrator.code();
            model.opt.cone = cone.code();
            model.opt.solver = solver.code();
            let what = format!("{name} {integrator:?} {cone:?} {solver:?}");
            check(&what, model, FEW_CALLS, &vary);
        }
    }
}

/// A reading that is not finite is no failure: it is found, side by side as one at a time.
#[test]
fn bad_readings_are_found() {
    let text = r#"<mujoco><worldbody><body><joint type="slide"/><geom size=".1"/><site name="s" pos=".1 0 0"/></body></worldbody>
        <sensor><framepos objtype="site" objname="s"/></sensor></mujoco>"#;
    let model = Arc::new(load_text(text).expect("loads").model);
    for lanes in [Lanes::One, Lanes::Four, Lanes::Eight] {
        let mut batch = Batch::with(Arc::clone(&model), 3, 1, &[]).expect("fits");
        batch.set_lanes(lanes);
        batch.expand("site_pos").expect("a value");
        batch.value_mut("site_pos").expect("own")[7] = f64::INFINITY;
        assert_eq!(batch.bad_sensors().count(), 0);
        batch.step(2, &());
        assert_eq!(batch.bad_sensors().collect::<Vec<_>>(), [2], "{lanes:?}");
        assert_eq!(batch.outcome().failures().count(), 0, "{lanes:?}");
    }
}

#[test]
fn what_worlds_cannot_have_of_their_own_side_by_side_is_named() {
    if Lanes::widest() == Lanes::One {
        return;
    }
    let mut batch = Batch::with(built_in("quadruped"), 2, 1, &[]).expect("fits");
    for name in ["body_mass", "stat.extent", "opt.timestep"] {
        batch.expand(name).expect("a value");
        assert_eq!(batch.plan(), (Lanes::widest().count(), None), "{name}");
    }
    batch.expand("geom_margin").expect("a value");
    let reason = Some("values of their own in geom_margin");
    assert_eq!(batch.plan(), (1, reason));
}

/// Any worlds, side by side with any others, in any number of threads, for any number of steps.
#[test]
fn who_goes_side_by_side_does_not_matter() {
    let model = Arc::new(built_in("quadruped"));
    let mut batches = [Lanes::One, Lanes::Four, Lanes::Eight].map(|lanes| {
        let mut batch = Batch::with(Arc::clone(&model), 23, 1, &[]).expect("fits");
        batch.set_lanes(lanes);
        batch
    });
    for round in 0..60 {
        let mask: Vec<bool> = (0..23).map(|world| noise(world, round) > 0.2).collect();
        let steps = 1 + (noise(round, 7).abs() * 5.0) as usize;
        for (k, batch) in batches.iter_mut().enumerate() {
            batch.set_threads(1 + (round + k) % 5);
            for (i, ctrl) in batch.get_mut("ctrl").expect("kept").iter_mut().enumerate() {
                *ctrl = 0.8 * noise(i, round);
            }
            batch
                .step_while(Which::Where(&mask), steps, &(), &|| true)
                .expect("a mask that fits");
        }
        let [alone, others @ ..] = &batches;
        for other in others {
            assert_eq!(bits(other.states()), bits(alone.states()), "round {round}");
        }
    }
}
