//! A batch: every world has the bits that it has alone, failures stay where they are, and results lie in
//! matrices with a row per world.

use sinew::batch::{Batch, BatchError, FIELDS, Task, Which, WorldError};
use sinew::engine::{CallError, Data, StepError};
use sinew::mjcf::load_text;
use sinew::model::Model;
use sinew::models;
use std::sync::Arc;

/// A floating body of two capsules with a motor, over a plane.
const FLOATING: &str = r#"<mujoco><option timestep="0.005"/><worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .5"><freejoint/><geom type="capsule" size=".05 .2"/>
      <body pos="0 0 .25"><joint name="knee" axis="0 1 0" damping=".1"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/></body></body></worldbody>
    <actuator><motor joint="knee" gear="2"/></actuator>
    <sensor><jointpos joint="knee"/><accelerometer site="s" name="a"/></sensor></mujoco>"#;

pub fn floating() -> Model {
    let text = FLOATING.replace(
        r#"<geom type="capsule" size=".05 .2"/>"#,
        r#"<geom type="capsule" size=".05 .2"/><site name="s"/>"#,
    );
    load_text(&text).expect("loads").model
}

pub fn built_in(name: &str) -> Model {
    let loaded = models::get(name).expect("built in").load();
    loaded.expect("loads").model
}

/// A number from −1 to 1 that follows from a world and a step.
pub fn noise(world: usize, step: usize) -> f64 {
    let mixed = (world * 1_000_003 + step + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

pub fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// Worlds at different heights, stepped with random controls by a batch.
fn together(model: &Arc<Model>, count: usize, threads: usize, steps: usize) -> Batch {
    let mut batch = Batch::with(Arc::clone(model), count, threads, &["xpos"]).expect("fits");
    batch
        .put(Which::All, |world, data| {
            data.state.qpos[2] = 0.5 + 0.05 * world as f64;
            Ok(())
        })
        .expect("its own worlds");
    for step in 0..steps {
        for world in 0..count {
            batch.get_mut("ctrl").expect("kept")[world] = noise(world, step);
        }
        batch.step(1, &());
    }
    batch
}

/// The same, one after the other.
fn alone(model: &Model, world: usize, steps: usize) -> Data {
    let mut data = Data::new(model);
    data.state.qpos[2] = 0.5 + 0.05 * world as f64;
    for step in 0..steps {
        data.input.ctrl[0] = noise(world, step);
        data.step(model).expect("finite");
    }
    data
}

#[test]
fn any_number_of_threads_gives_the_bits_of_one_world_after_the_other() {
    let model = Arc::new(floating());
    let width = model.nq + model.nv;
    assert_eq!((model.nq, model.nv), (8, 7));
    for threads in [1, 4, 8] {
        let batch = together(&model, 16, threads, 200);
        assert_eq!(batch.threads(), threads);
        for world in 0..16 {
            let data = alone(&model, world, 200);
            let state = &batch.states()[world * width..][..width];
            assert_eq!(
                bits(&state[..8]),
                bits(&data.state.qpos),
                "{threads} {world}"
            );
            assert_eq!(bits(&state[8..]), bits(&data.state.qvel));
            let row = |name: &str, width: usize| {
                bits(&batch.get(name).expect("kept")[world * width..][..width])
            };
            assert_eq!(row("sensordata", 4), bits(&data.sensor.sensordata));
            assert_eq!(row("time", 1), bits(&[data.state.time]));
            let xpos = bytemuck::cast_slice(&data.position.kinematics.xpos);
            assert_eq!(row("xpos", 3 * model.nbody), bits(xpos));
        }
    }
}

#[test]
fn several_steps_in_one_call_are_as_many_single_ones() {
    let model = Arc::new(built_in("quadruped"));
    let mut once = Batch::with(Arc::clone(&model), 5, 2, &[]).expect("fits");
    let mut often = Batch::with(model, 5, 1, &[]).expect("fits");
    for batch in [&mut once, &mut often] {
        batch.get_mut("ctrl").expect("kept").fill(0.3);
    }
    once.step(40, &());
    for _ in 0..40 {
        often.step(1, &());
    }
    assert_eq!(bits(once.states()), bits(often.states()));
}

#[test]
fn a_world_that_fails_is_reported_and_starts_anew_while_others_know_nothing() {
    let model = Arc::new(floating());
    let clean = together(&model, 7, 2, 20);
    let mut batch = together(&model, 7, 2, 19);
    batch.get_mut("qpos").expect("kept")[3 * 8 + 1] = f64::NAN;
    for world in 0..7 {
        batch.get_mut("ctrl").expect("kept")[world] = noise(world, 19);
    }
    batch.step(1, &());
    let failures: Vec<_> = batch.outcome().failures().map(|(world, _)| world).collect();
    assert_eq!(failures, [3]);
    assert!(matches!(
        batch.outcome().errors[3],
        Some(WorldError::Step(StepError::Diverged(_)))
    ));
    let only_third: Vec<bool> = (0..7).map(|world| world == 3).collect();
    assert_eq!(batch.outcome().terminated, only_third);
    for world in (0..7).filter(|world| *world != 3) {
        let row = |batch: &Batch| bits(&batch.states()[world * 15..][..15]);
        assert_eq!(row(&batch), row(&clean), "{world}");
    }
    batch.step(1, &());
    assert!(batch.outcome().errors.iter().all(Option::is_none));
    assert!(!batch.outcome().terminated[3]);
    let mut fresh = Data::new(&model);
    fresh.step(&model).expect("finite");
    assert_eq!(
        bits(&batch.get("qpos").expect("kept")[24..32]),
        bits(&fresh.state.qpos)
    );
    assert_eq!(batch.get("time").expect("kept")[3], model.opt.timestep);
    assert_eq!(batch.get("ctrl").expect("kept")[3], 0.0);
}

#[test]
fn a_mask_resets_the_worlds_it_names_and_no_other() {
    let model = Arc::new(floating());
    let before = together(&model, 9, 3, 50);
    let mut batch = together(&model, 9, 3, 50);
    let mask: Vec<bool> = (0..9).map(|world| world % 4 == 1).collect();
    batch
        .reset(Which::Where(&mask), None)
        .expect("nine entries");
    let fresh = Batch::new(Arc::clone(&model), 1).expect("fits");
    for field in FIELDS.iter().filter(|field| field.is_kept_always()) {
        let width = fresh.get(field.name).expect("kept").len();
        for world in 0..9 {
            let row = |batch: &Batch, world: usize| {
                bits(&batch.get(field.name).expect("kept")[world * width..][..width])
            };
            let expected = match mask[world] {
                true => row(&fresh, 0),
                false => row(&before, world),
            };
            assert_eq!(row(&batch, world), expected, "{} of {world}", field.name);
        }
    }
    assert_eq!(batch.states()[15..30], fresh.states()[..15]);
}

#[test]
fn rewards_and_ends_come_from_the_task() {
    let model = Arc::new(floating());
    let mut batch = Batch::with(model, 6, 2, &[]).expect("fits");
    batch.set_time_limit(0.0149);
    for step in 1..=3 {
        let outcome = batch.step(1, &|_: &Model, data: &Data| data.state.time);
        let time = step as f64 * 0.005;
        assert!(outcome.rewards.iter().all(|r| (r - time).abs() < 1e-15));
        assert_eq!(outcome.truncated, [step == 3; 6]);
        assert_eq!(outcome.terminated, [false; 6]);
    }
}

/// Worlds end when they have fallen to a height.
struct Falls(f64);

impl Task for Falls {
    fn is_over(&self, _: &Model, data: &Data) -> bool {
        data.state.qpos[2] < self.0
    }
}

#[test]
fn an_episode_ends_where_the_user_says_so() {
    let model = Arc::new(floating());
    let mut batch = together(&model, 6, 2, 0);
    let mut ended = [0; 6];
    for _ in 0..40 {
        let outcome = batch.step(1, &Falls(0.51)).clone();
        assert!(outcome.errors.iter().all(Option::is_none));
        assert_eq!(outcome.truncated, [false; 6]);
        for world in 0..6 {
            let height = batch.states()[world * 15 + 2];
            assert_eq!(outcome.terminated[world], height < 0.51, "{world}");
            ended[world] += usize::from(outcome.terminated[world]);
        }
    }
    // The lowest begins below, the highest does not get there.
    assert_eq!((ended[0], ended[5]), (40, 0));
    assert!((1..40).contains(&ended[1]));
}

#[test]
fn a_panic_in_user_code_is_the_error_of_its_world() {
    let model = Arc::new(floating());
    let mut batch = Batch::with(model, 4, 2, &[]).expect("fits");
    batch.get_mut("ctrl").expect("kept")[2] = 1.0;
    let reward = |_: &Model, data: &Data| -> f64 {
        assert!(data.input.ctrl[0] == 0.0, "too strong");
        1.0
    };
    let outcome = batch.step(1, &reward);
    let panic = WorldError::Panic("too strong".to_owned());
    assert_eq!(outcome.errors, [None, None, Some(panic), None]);
    assert_eq!(outcome.rewards, [1.0, 1.0, 0.0, 1.0]);
}

#[test]
fn no_worlds_are_worlds_too() {
    let mut batch = Batch::new(floating(), 0).expect("fits");
    assert!(batch.is_empty());
    assert!(batch.step(3, &()).rewards.is_empty());
    batch.forward();
    batch.reset(Which::All, None).expect("nothing to do");
    batch.reset(Which::Where(&[]), None).expect("nothing to do");
    assert!(batch.states().is_empty());
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let model = Arc::new(floating());
    let mut batch = Batch::new(Arc::clone(&model), 3).expect("fits");
    batch.step(5, &());
    let before = bits(batch.states());
    let refused = [
        batch.reset(Which::One(3), None),
        batch.reset(Which::Where(&[true; 2]), None),
        batch.reset(Which::All, Some(0)),
    ];
    let found = [("world", 3, 3), ("mask", 3, 2), ("keyframe", 0, 0)];
    for (result, (name, first, second)) in refused.iter().zip(found) {
        match result {
            Err(CallError::Index { what, index, count }) => {
                assert_eq!((*what, *index, *count), (name, first, second));
            }
            Err(CallError::Length {
                what,
                expected,
                found,
            }) => assert_eq!((*what, *expected, *found), (name, first, second)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(bits(batch.states()), before);
    // An array that a batch could keep, but this one does not.
    let absent = Some(BatchError::UnknownField("xpos".into()));
    assert_eq!(batch.get("xpos").err(), absent);
    assert_eq!(batch.get_mut("xpos").err(), absent);
    let unknown = Batch::with(Arc::clone(&model), 3, 1, &["xpoz"]);
    assert_eq!(unknown.err(), Some(BatchError::UnknownField("xpoz".into())));
    let count = usize::MAX / 64;
    let large = Batch::with(model, count, 1, &[]);
    assert_eq!(large.err(), Some(BatchError::Memory { count }));
}

#[test]
fn keyframes_snapshots_and_single_worlds() {
    let text = FLOATING
        .replace(r#"<accelerometer site="s" name="a"/>"#, "")
        .replace(
            "</mujoco>",
            r#"<keyframe><key time=".3" qpos="0 0 1 1 0 0 0 .2" ctrl=".5"/></keyframe></mujoco>"#,
        );
    let model = Arc::new(load_text(&text).expect("loads").model);
    let mut batch = Batch::new(Arc::clone(&model), 3).expect("fits");
    batch.reset(Which::One(1), Some(0)).expect("there is one");
    assert_eq!(batch.get("time").expect("kept"), [0.0, 0.3, 0.0]);
    assert_eq!(batch.get("ctrl").expect("kept"), [0.0, 0.5, 0.0]);
    let snapshot = batch.save();
    batch.step(30, &());
    let moved = bits(batch.states());
    batch.restore(&snapshot).expect("its own");
    assert_eq!(batch.get("time").expect("kept"), [0.0, 0.3, 0.0]);
    batch.step(30, &());
    assert_eq!(bits(batch.states()), moved);
    let mut data = Data::new(&model);
    batch.load(1, &mut data).expect("there is one");
    assert_eq!(
        bits(&data.state.qpos),
        bits(&batch.get("qpos").expect("kept")[8..16])
    );
    assert!(batch.load(3, &mut data).is_err());
    let mut other = Batch::new(model, 2).expect("fits");
    assert_eq!(other.restore(&snapshot), Err(CallError::ForeignModel));
}

#[test]
fn derived_arrays_are_those_of_the_reference_calls() {
    let model = Arc::new(built_in("quadruped"));
    let derived: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    let mut batch = Batch::with(Arc::clone(&model), 3, 2, &derived).expect("fits");
    batch.get_mut("ctrl").expect("kept").fill(0.2);
    batch.step(25, &());
    let mut data = Data::new(&model);
    data.input.ctrl.fill(0.2);
    for _ in 0..25 {
        data.step(&model).expect("finite");
    }
    let mut engine = sinew::engine::Engine::new(&model);
    engine.body_forces(&mut data).expect("its own model");
    engine.subtree_momentum(&mut data).expect("its own model");
    let columns = data.columns();
    let mut compared = 0;
    for field in batch.fields() {
        let Some(column) = columns.iter().find(|column| column.name == field.name) else {
            assert!(["time", "energy"].contains(&field.name), "{}", field.name);
            continue;
        };
        let cells = batch.get(field.name).expect("kept");
        let width = cells.len() / 3;
        for row in 0..3 {
            let found: &[u8] = bytemuck::cast_slice(&cells[row * width..][..width]);
            assert_eq!(found, column.bytes, "{}", field.name);
        }
        compared += 1;
    }
    assert_eq!(compared, FIELDS.len() - 2);
}
