//! Worlds in lanes: the smooth stages and the constraint rows over packs of worlds give each world the bits of
//! the scalar engine, and single precision gives them to its own accuracy.

mod rows;
mod world;

use bytemuck::Pod;
use sinew::engine::Data;
use sinew::engine::integrate::integrate_position;
use sinew::math::Real;
use sinew::math::lanes::{self, Double4, Double8, Single8};
use sinew::mjcf::load_path;
use sinew::model::Model;
use sinew::model::column::LaneCell;
use sinew::model::kinds::{DisableFlag, Integrator};
use sinew::model::view::{AttachedValuesInLanes, DriveValuesInLanes, TreeValuesInLanes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use world::{Step, Views, World, step};

const WORLDS: usize = 1000;

/// Models of this repository, and real robots where their folder is there.
fn models() -> Vec<(String, Model)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = ["humanoid", "quadruped", "box_pile", "cartpole"];
    let mut paths: Vec<PathBuf> = own
        .iter()
        .map(|name| root.join("models").join(format!("{name}.xml")))
        .collect();
    let shared = std::env::var("SINEW_SHARED").map_or_else(|_| root.join("../shared"), Into::into);
    for name in [
        "menagerie/agility_cassie/cassie.xml",
        "mujoco/humanoid/humanoid.xml",
    ] {
        let path = shared.join("models").join(name);
        if path.exists() {
            paths.push(path);
        }
    }
    paths
        .into_iter()
        .map(|path| {
            let path = path.display().to_string();
            let mut model = match load_path(&path) {
                Ok(loaded) => loaded.model,
                Err(error) => panic!("{path}: {error}"),
            };
            model.opt.integrator = Integrator::Euler.code();
            model.opt.disableflags |= DisableFlag::Constraint.code();
            // Tendons are computed in double precision, one world at a time.
            let without_tendons = model.change(|arrays| {
                arrays.tendon_stiffness.fill(0.0);
                arrays.tendon_damping.fill(0.0);
                arrays.tendon_armature.fill(0.0);
            });
            without_tendons.expect("values that make sense");
            (path, model)
        })
        .collect()
}

/// Numbers from −1 to 1 that follow from a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A simulation at a random state with random controls.
fn scattered(model: &Model, seed: usize) -> Data {
    let mut random = Random(seed as u64 + 1);
    let mut data = Data::new(model);
    let away: Vec<f64> = (0..model.nv).map(|_| random.next()).collect();
    integrate_position(model, &mut data.state.qpos, &away, 1.5).expect("fits");
    data.state
        .qvel
        .iter_mut()
        .for_each(|v| *v = 3.0 * random.next());
    data.input
        .ctrl
        .iter_mut()
        .for_each(|u| *u = 1.5 * random.next());
    data
}

/// What the stages of one world leave: field by field.
fn fields(data: &Data) -> Vec<(&'static str, Vec<f64>)> {
    let smooth = &data.acceleration.smooth;
    let mut all: Vec<(&'static str, Vec<f64>)> = Vec::new();
    let columns = [
        data.position.kinematics.columns(),
        data.position.com.columns(),
        data.position.inertia.columns(),
        data.velocity.com.columns(),
    ];
    for column in columns.iter().flatten() {
        let numbers = column.bytes.chunks_exact(8);
        let number = |bytes: &[u8]| f64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
        all.push((column.name, numbers.map(number).collect()));
    }
    let passive = &data.velocity.passive;
    all.push(("qfrc_spring", passive.qfrc_spring.clone()));
    all.push(("qfrc_damper", passive.qfrc_damper.clone()));
    all.push(("qfrc_bias", data.velocity.bias.qfrc_bias.clone()));
    all.push((
        "qfrc_actuator",
        data.acceleration.actuation.qfrc_actuator.clone(),
    ));
    all.push(("qfrc_smooth", smooth.qfrc_smooth.clone()));
    all.push(("qacc_smooth", smooth.qacc_smooth.clone()));
    all.push(("qpos", data.state.qpos.clone()));
    all.push(("qvel", data.state.qvel.clone()));
    all
}

/// The same fields of one lane.
fn lane_fields<P: Real>(
    model: &Model,
    world: &World<P>,
    lane: usize,
) -> Vec<(&'static str, Vec<f64>)> {
    fn take<P: Real>(cells: &[P], lane: usize) -> Vec<f64> {
        cells.iter().map(|cell| cell.take(lane)).collect()
    }
    let mut data = Data::new(model);
    world
        .kinematics
        .take_lane(lane, &mut data.position.kinematics);
    world.com.take_lane(lane, &mut data.position.com);
    world.inertia.take_lane(lane, &mut data.position.inertia);
    world.velocity.take_lane(lane, &mut data.velocity.com);
    world.smooth.take_lane(lane, &mut data.acceleration.smooth);
    data.velocity.passive.qfrc_spring = take(&world.qfrc_spring, lane);
    data.velocity.passive.qfrc_damper = take(&world.qfrc_damper, lane);
    data.velocity.bias.qfrc_bias = take(&world.qfrc_bias, lane);
    data.acceleration.actuation.qfrc_actuator = take(&world.qfrc_actuator, lane);
    data.state.qpos = take(&world.qpos, lane);
    data.state.qvel = take(&world.qvel, lane);
    fields(&data)
}

/// Runs all worlds, `P::LANES` at a time, and shows each lane beside the scalar engine's fields.
fn run_all<P: Real + Pod>(
    model: &Model,
    count: usize,
    run: impl Fn(&mut World<P>),
    mut check: impl FnMut(usize, &'static str, &[f64], &[f64]),
) {
    let mut world = World::<P>::new(model);
    for first in (0..count).step_by(P::LANES) {
        let mut scalar: Vec<Data> = (first..first + P::LANES)
            .map(|seed| scattered(model, seed))
            .collect();
        for (lane, data) in scalar.iter().enumerate() {
            world.put(lane, data);
        }
        run(&mut world);
        for (lane, data) in scalar.iter_mut().enumerate() {
            data.step(model).expect("a finite step");
            let found = lane_fields(model, &world, lane);
            for ((name, expected), (_, found)) in fields(data).iter().zip(&found) {
                check(first + lane, name, expected, found);
            }
        }
    }
}

/// Checks that every lane of every world has the scalar engine's bits.
fn equal_bits<P: Real + Pod>(form: &str, run: impl Fn(&Model, &mut World<P>)) {
    for (name, model) in models() {
        let mut compared = 0;
        run_all(
            &model,
            WORLDS,
            |world| run(&model, world),
            |world, field, expected, found| {
                assert_eq!(expected.len(), found.len(), "{field}");
                for (i, (a, b)) in expected.iter().zip(found).enumerate() {
                    let same = a.to_bits() == b.to_bits();
                    assert!(
                        same,
                        "{form}: {name}, world {world}, {field}[{i}]: {a:e} {b:e}"
                    );
                }
                compared += expected.len();
            },
        );
        assert!(compared > 100 * WORLDS, "{name} has numbers to compare");
    }
}

/// The portable form, with values that all worlds share.
#[inline(never)]
fn shared<P: Real + Pod>(model: &Model, world: &mut World<P>) {
    step::<P, P, f64>(&Views::shared(model), world);
}

#[test]
fn one_world_through_the_generic_source_is_the_engine() {
    equal_bits::<f64>("f64", shared);
}

#[test]
fn four_worlds_have_the_bits_of_each() {
    equal_bits::<Double4>("portable", shared);
    equal_bits::<Double4>("registers", |model, world| {
        let views = Views::shared(model);
        lanes::double4(Step { views, world });
    });
}

#[test]
fn eight_worlds_have_the_bits_of_each() {
    equal_bits::<Double8>("portable", shared);
    equal_bits::<Double8>("registers", |model, world| {
        let views = Views::shared(model);
        lanes::double8(Step { views, world });
    });
}

/// A copy of a model with other masses, frames, springs and gains.
fn varied(model: &Model, seed: usize) -> Model {
    let mut random = Random(seed as u64 + 77);
    let mut changed = model.clone();
    changed
        .change(|arrays| {
            for i in 1..arrays.nbody {
                arrays.body_mass[i] *= 1.0 + 0.3 * random.next();
                arrays.body_pos[i][0] += 0.05 * random.next();
                arrays.body_ipos[i][2] += 0.01 * random.next();
            }
            for j in 0..arrays.njnt {
                // A joint at the origin of its body in some worlds and not in others.
                let moves = seed.is_multiple_of(2);
                arrays.jnt_pos[j][1] += if moves { 0.02 * random.next() } else { 0.0 };
                arrays.jnt_stiffness[j] += if moves { random.next().abs() } else { 0.0 };
            }
            for i in 0..arrays.nv {
                arrays.dof_damping[i] += random.next().abs();
            }
            for i in 0..arrays.nu {
                arrays.actuator_gainprm[i][0] *= 1.0 + 0.2 * random.next();
            }
        })
        .expect("values that make sense");
    changed
}

#[test]
fn values_of_the_model_may_differ_per_world() {
    for (name, model) in models() {
        let others: Vec<Model> = (1..4).map(|seed| varied(&model, seed)).collect();
        let others: Vec<&Model> = others.iter().collect();
        let first = varied(&model, 0);
        let tree = TreeValuesInLanes::<Double4>::gather(&first, &others);
        let attached = AttachedValuesInLanes::<Double4>::gather(&first, &others);
        let drives = DriveValuesInLanes::<Double4>::gather(&first, &others);
        let views = Views {
            model: &model,
            tree: tree.as_ref(),
            attached: attached.as_ref(),
            drives: drives.as_ref(),
        };
        let mut world = World::<Double4>::new(&model);
        for round in 0..25 {
            let mut scalar: Vec<Data> = (0..4).map(|k| scattered(&model, 4 * round + k)).collect();
            for (lane, data) in scalar.iter().enumerate() {
                world.put(lane, data);
            }
            step::<Double4, Double4, Double4>(&views, &mut world);
            for (lane, data) in scalar.iter_mut().enumerate() {
                let own = if lane == 0 { &first } else { others[lane - 1] };
                data.step(own).expect("a finite step");
                let found = lane_fields(own, &world, lane);
                for ((field, expected), (_, found)) in fields(data).iter().zip(&found) {
                    let bits = |numbers: &[f64]| -> Vec<u64> {
                        numbers.iter().map(|x| x.to_bits()).collect()
                    };
                    assert!(bits(expected) == bits(found), "{name} lane {lane} {field}");
                }
            }
        }
    }
}

/// How far accelerations are from satisfying M·a = f, relative to the largest Σ|M|·|a|.
fn equation_error(model: &Model, state: &Data, acceleration: &[f64]) -> f64 {
    let mut data = state.clone();
    data.forward(model).expect("its own model");
    let mut inertia = vec![0.0; model.nv * model.nv];
    data.inertia_matrix(model, &mut inertia).expect("fits");
    let (mut most, mut scale) = (0.0_f64, 0.0_f64);
    for (row, force) in inertia
        .chunks(model.nv)
        .zip(&data.acceleration.smooth.qfrc_smooth)
    {
        let terms = row.iter().zip(acceleration).map(|(m, a)| m * a);
        scale = scale.max(terms.clone().map(f64::abs).sum());
        most = most.max((terms.sum::<f64>() - force).abs());
    }
    most / scale
}

/// Single precision: what is computed without solving is right to 1e-5 of the largest number that its
/// field has in any of the worlds. What is solved for inherits the condition of the inertia, so it is
/// the equation that is held to 1e-5 of the size of its terms: M·a = f.
fn single<P: Real + Pod>(run: impl Fn(&Model, &mut World<P>)) {
    const SOLVED: [&str; 4] = ["qLD", "qLDiagInv", "qacc_smooth", "qvel"];
    for (name, model) in models() {
        // Largest difference and largest number of each field.
        let mut errors: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        run_all(
            &model,
            WORLDS,
            |world| run(&model, world),
            |world, field, expected, found| {
                let (most, scale) = errors.entry(field).or_default();
                for (a, b) in expected.iter().zip(found) {
                    (*most, *scale) = (most.max((a - b).abs()), scale.max(a.abs()));
                }
                if field == "qacc_smooth" {
                    let error = equation_error(&model, &scattered(&model, world), found);
                    assert!(error < 1e-5, "{name}, world {world}, M·a = f: {error:e}");
                }
            },
        );
        for (field, (most, scale)) in errors {
            let is_right = most <= 1e-5 * scale;
            assert!(
                is_right || SOLVED.contains(&field),
                "{name}, {field}: {most:e} of {scale:e}"
            );
        }
    }
}

#[test]
fn single_precision_is_right_to_its_own_accuracy() {
    single::<f32>(shared);
    single::<Single8>(|model, world| {
        let views = Views::shared(model);
        lanes::single8(Step { views, world });
    });
}
