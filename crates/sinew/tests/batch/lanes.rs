//! Worlds side by side have the bits that they have one at a time.

use crate::worlds::{bits, noise};
use sinew::batch::{Batch, Lanes, Which};
use sinew::engine::integrate::integrate_position;
use sinew::mjcf::load_path;
use sinew::model::Model;
use sinew::model::kinds::{Cone, Integrator};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    let mut all = Vec::new();
    for path in paths {
        let path = path.display().to_string();
        let mut model = match load_path(&path) {
            Ok(loaded) => loaded.model,
            Err(error) => panic!("{path}: {error}"),
        };
        let without_compensation = model.change(|arrays| arrays.body_gravcomp.fill(0.0));
        without_compensation.expect("values that make sense");
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

/// Worlds at different heights and poses, after a number of steps with random controls.
fn run(model: &Arc<Model>, lanes: Lanes, threads: usize, steps: usize) -> Batch {
    let count = 21;
    let mut batch = Batch::with(Arc::clone(model), count, threads, &DERIVED).expect("fits");
    batch.set_lanes(lanes);
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
            let model = Arc::new(model);
            let alone = run(&model, Lanes::One, 1, 120);
            for lanes in [Lanes::Four, Lanes::Eight] {
                if lanes.count() > Lanes::widest().count() {
                    continue;
                }
                let together = run(&model, lanes, 1, 120);
                assert_eq!(together.plan(), (lanes.count(), None), "{name}");
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
                            "{name} {integrator:?} {cone:?} {lanes:?} world {world} {}",
                            field.name
                        );
                    }
                }
            }
        }
    }
}
