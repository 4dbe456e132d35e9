//! Batches of worlds: where their arrays lie, what is copied, and what is wrong. That worlds have the bits of those on the
//! processor, resets included, is tested from Python, where both are at hand.

use sinew_engine::Data;
use sinew_gpu::{
    Capacity, DeviceBatch, DeviceError, EmulatedBatch, Field, Held, Kernels, Kind, Memory, Place,
    Rows, Worlds,
};
use sinew_mjcf::load_text;
use sinew_model::{Model, Value};
use std::cell::Cell;

fn rod(extra: &str) -> Model {
    let text = format!(
        r#"<mujoco><worldbody><body name="target" mocap="true" pos="1 2 3"/><body><joint name="hinge"/><geom size=".1" pos="1 0 0"/></body>
        </worldbody><actuator><motor joint="hinge"/></actuator><sensor><jointpos joint="hinge"/></sensor>{extra}
        <keyframe><key qpos=".5" time="2" ctrl=".25" mpos="4 5 6"/></keyframe></mujoco>"#
    );
    load_text(&text).expect("a model").model
}

fn batch(count: usize) -> EmulatedBatch<f64> {
    EmulatedBatch::new(&rod(""), count, Capacity::default()).expect("worlds")
}

fn field(worlds: &dyn Worlds, name: &str) -> Field {
    let mut fields = worlds.fields().into_iter();
    fields.find(|field| field.name == name).expect("a field")
}

/// Rows of a field of all worlds.
fn rows(worlds: &dyn Worlds, field: &Field) -> Rows {
    let size = field.kind.bytes();
    Rows {
        memory: field.memory,
        start: field.offset * size,
        count: worlds.count(),
        pitch: field.stride * size,
        width: field.shape.iter().product::<usize>() * size,
    }
}

fn read(worlds: &dyn Worlds, name: &str) -> Vec<f64> {
    let rows = rows(worlds, &field(worlds, name));
    let mut bytes = vec![0; rows.count * rows.width];
    worlds.read(rows, &mut bytes).expect("a copy");
    let chunks = bytes.chunks_exact(8);
    chunks
        .map(|x| f64::from_le_bytes(x.try_into().expect("eight")))
        .collect()
}

#[test]
fn arrays_lie_within_their_memory_and_apart() {
    let worlds = batch(5);
    let mut places = Vec::new();
    for field in worlds.fields() {
        let rows = rows(&worlds, &field);
        let end = rows.start + (rows.count - 1) * rows.pitch + rows.width;
        assert!(end <= worlds.length(field.memory), "{}", field.name);
        let address = worlds.address(field.memory);
        assert_eq!(
            address % field.kind.bytes() as u64,
            0,
            "numbers are where such numbers may be"
        );
        if field.name != "blocks" {
            for row in 0..rows.count {
                let start = address + (rows.start + row * rows.pitch) as u64;
                places.push((start, start + rows.width as u64));
            }
        }
    }
    places.sort_unstable();
    assert!(places.windows(2).all(|pair| pair[0].1 <= pair[1].0));
}

#[test]
fn keyframes_are_starts() {
    let mut worlds = batch(3);
    worlds.reset(false, Some(0), None).expect("a reset");
    assert_eq!(read(&worlds, "qpos"), [0.5; 3]);
    assert_eq!(read(&worlds, "ctrl"), [0.25; 3]);
    assert_eq!(read(&worlds, "time"), [2.0; 3]);
    assert_eq!(read(&worlds, "mocap_pos"), [4.0, 5.0, 6.0].repeat(3));
    assert_eq!(
        worlds.reset(false, Some(1), None),
        Err(DeviceError::NoKeyframe(1))
    );
    worlds.reset(false, None, None).expect("a reset");
    assert_eq!(read(&worlds, "mocap_pos"), [1.0, 2.0, 3.0].repeat(3));
}

#[test]
fn sensors_read_what_was_before_the_step_and_nothing_after_a_reset() {
    let mut worlds = batch(2);
    worlds.reset(false, Some(0), None).expect("a reset");
    worlds.step(1, false).expect("a step");
    assert_eq!(read(&worlds, "sensordata"), [0.5; 2]);
    let mask = rows(&worlds, &field(&worlds, "mask"));
    worlds.write(mask, &[0, 1]).expect("a mask");
    worlds.reset(true, None, None).expect("a reset");
    assert_eq!(read(&worlds, "sensordata"), [0.5, 0.0]);
    let is_there = |worlds: &dyn Worlds| worlds.fields().iter().any(|f| f.name == "xfrc_applied");
    assert!(!is_there(&worlds));
    let pushed = Capacity {
        wrenches: true,
        ..Capacity::default()
    };
    let pushed = EmulatedBatch::<f64>::new(&rod(""), 2, pushed).expect("worlds");
    assert!(is_there(&pushed));
    assert_eq!(read(&pushed, "xfrc_applied"), [0.0; 2 * 3 * 6]);
}

#[test]
fn copies_beyond_a_memory_or_of_another_length_are_refused() {
    let mut worlds = batch(4);
    let right = rows(&worlds, &field(&worlds, "qpos"));
    let mut out = vec![0; 4 * 8];
    assert_eq!(worlds.read(right, &mut out), Ok(()));
    for wrong in [
        Rows { count: 5, ..right },
        Rows {
            start: usize::MAX - 4,
            ..right
        },
        Rows {
            pitch: usize::MAX / 2,
            ..right
        },
        Rows { width: 16, ..right },
    ] {
        let error = worlds.read(wrong, &mut out).expect_err("a refusal");
        assert_eq!(error.kind(), "wrong-length", "{wrong:?}");
        assert_eq!(worlds.write(wrong, &out), Err(error));
    }
    let beyond = Rows {
        start: worlds.length(Memory::Ctrl),
        memory: Memory::Ctrl,
        count: 1,
        pitch: 8,
        width: 8,
    };
    assert!(worlds.write(beyond, &[0; 8]).is_err());
}

#[test]
fn other_models_are_refused_and_others_of_the_structure_are_taken() {
    let mut worlds = batch(2);
    let mut heavier = rod("");
    heavier.opt.timestep = 0.5;
    worlds.set_model(&heavier).expect("the same structure");
    worlds.step(1, false).expect("a step");
    assert_eq!(read(&worlds, "time"), [0.5; 2]);
    let other = load_text(
        "<mujoco><worldbody><body><joint/><joint axis='1 0 0'/><geom size='1'/></body></worldbody></mujoco>",
    );
    let other = other.expect("a model").model;
    assert_eq!(worlds.set_model(&other), Err(DeviceError::OtherModel));
}

#[test]
fn worlds_say_where_they_are() {
    let mut held = Held::new(Box::new(batch(2)));
    let worlds = held.get_mut().expect("this process made them");
    assert_eq!((worlds.place(), worlds.count()), (Place::Emulated, 2));
    assert_eq!(field(worlds, "qpos").kind, Kind::F64);
    assert_eq!(field(worlds, "time").kind, Kind::F64);
    assert_eq!(worlds.stream(), 0);
    worlds.step(2, false).expect("steps");
    worlds.end(false).expect("an end");
    worlds.wait().expect("a wait");
}

#[test]
fn devices_that_are_not_there_are_errors() {
    let error = Kernels::<f32>::of_device(77)
        .map(|kernels| DeviceBatch::new(&kernels, &rod(""), 2, Capacity::default()).err())
        .expect_err("no such device");
    let kinds = ["no-driver", "no-device"];
    assert!(kinds.contains(&error.kind()), "{error}");
}

/// An arm that touches the ground, with everything that values may change.
fn arm() -> Model {
    load_text(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/>
        <body name="upper" pos="0 0 .5"><joint name="a" axis="0 1 0" damping=".3" limited="true" range="-60 60"/>
          <geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
          <body name="lower" pos=".4 0 0"><joint name="b" axis="0 1 0" stiffness="2" frictionloss=".1"/>
            <geom type="capsule" size=".04" fromto="0 0 0 .4 0 -.2"/><site name="tip" pos=".4 0 -.2"/></body></body>
        </worldbody><actuator><motor joint="a" gear="4"/></actuator></mujoco>"#,
    )
    .expect("a model")
    .model
}

/// Each world is heavier and slower than the one before.
fn change(world: usize, model: &mut Model) {
    let base = arm();
    let factor = 1.0 + 0.25 * world as f64;
    for (name, value) in Value::all() {
        match name.as_str() {
            "body_mass" | "dof_damping" | "actuator_gear" | "jnt_range" | "geom_friction" => {
                let mut base = base.clone();
                for (x, &from) in value.of(model).iter_mut().zip(value.of(&mut base).iter()) {
                    *x = from * factor;
                }
            }
            "qpos0" => value.of(model)[1] = 0.1 * world as f64,
            "opt.gravity" => value.of(model)[0] = 0.5 * world as f64,
            _ => {}
        }
    }
}

#[test]
fn worlds_with_values_of_their_own_have_the_bits_of_the_engine() {
    let mut worlds = EmulatedBatch::<f64>::new(&arm(), 4, Capacity::default()).expect("worlds");
    worlds.set_values(&[], &change).expect("values");
    worlds.reset(false, None, None).expect("a reset");
    let mut engines: Vec<(Model, Data)> = (0..4)
        .map(|world| {
            let mut model = arm();
            change(world, &mut model);
            let data = Data::new(&model);
            (model, data)
        })
        .collect();
    for _ in 0..120 {
        worlds.step(1, false).expect("a step");
        for (model, data) in &mut engines {
            data.step(model).expect("a step");
        }
        let all = engines.iter().flat_map(|(_, data)| data.state.qpos.iter());
        let bits: Vec<u64> = all.map(|x| x.to_bits()).collect();
        let found: Vec<u64> = read(&worlds, "qpos").iter().map(|x| x.to_bits()).collect();
        assert_eq!(found, bits);
    }
    // Changing one world leaves the others.
    let stronger = |world: usize, model: &mut Model| {
        change(world, model);
        model.opt.gravity.0[2] = -20.0;
    };
    worlds.set_values(&[2], &stronger).expect("values");
    engines[2].0.opt.gravity.0[2] = -20.0;
    worlds.step(1, false).expect("a step");
    for (model, data) in &mut engines {
        data.step(model).expect("a step");
    }
    let all = engines.iter().flat_map(|(_, data)| data.state.qvel.clone());
    assert_eq!(read(&worlds, "qvel"), all.collect::<Vec<f64>>());
}

#[test]
fn values_that_change_the_structure_are_refused_and_change_nothing() {
    let mut worlds = EmulatedBatch::<f64>::new(&arm(), 3, Capacity::default()).expect("worlds");
    let undamped = |world: usize, model: &mut Model| {
        if world == 1 {
            Value::named("dof_damping")
                .expect("a value")
                .of(model)
                .fill(0.0);
        }
    };
    let error = worlds.set_values(&[1], &undamped).expect_err("a refusal");
    assert_eq!(
        (error.kind(), error),
        ("refused", DeviceError::OtherStructure(1))
    );
    worlds.step(3, false).expect("steps");
    assert_eq!(
        worlds.set_values(&[3], &change),
        Err(DeviceError::WrongLength {
            given: 3,
            wanted: 3
        })
    );
}

#[test]
fn arrays_that_are_asked_for_are_those_of_the_engine() {
    let model = arm();
    let names = [
        "xpos",
        "site_xpos",
        "cvel",
        "qfrc_actuator",
        "qfrc_constraint",
    ];
    let mut worlds =
        EmulatedBatch::<f64>::with(&model, 2, Capacity::default(), &names).expect("worlds");
    let mut data = Data::new(&model);
    let check = |worlds: &EmulatedBatch<f64>, data: &Data| {
        let position = &data.position.kinematics;
        let xpos: Vec<f64> = position.xpos.iter().flat_map(|x| x.0).collect();
        assert_eq!(read(worlds, "xpos"), xpos.repeat(2));
        assert_eq!(read(worlds, "site_xpos"), position.site_xpos[0].0.repeat(2));
    };
    worlds.forward(false).expect("forward");
    data.forward(&model).expect("forward");
    check(&worlds, &data);
    for _ in 0..30 {
        worlds.step(2, false).expect("steps");
        data.step(&model).expect("a step");
        data.step(&model).expect("a step");
        check(&worlds, &data);
    }
    let unknown = EmulatedBatch::<f64>::with(&model, 2, Capacity::default(), &["efc_J"]);
    assert_eq!(unknown.err(), Some(DeviceError::NotDerived("efc_J".into())));
}

#[test]
fn steps_copy_nothing() {
    let mut worlds = batch(3);
    for _ in 0..10 {
        worlds.step(2, false).expect("steps");
        worlds.end(false).expect("an end");
        worlds.reset(false, None, None).expect("a reset");
    }
    assert_eq!(worlds.transfers(), 0);
    let ctrl = rows(&worlds, &field(&worlds, "ctrl"));
    worlds.write(ctrl, &[0; 24]).expect("a copy");
    assert_eq!(worlds.transfers(), 1);
}

#[test]
fn steps_end_when_nobody_wants_them() {
    let mut worlds = batch(2);
    let asked = Cell::new(0);
    let goes_on = || {
        asked.set(asked.get() + 1);
        asked.get() <= 10
    };
    worlds
        .step_while(usize::MAX, false, &goes_on)
        .expect("steps");
    let time = read(&worlds, "time");
    let mut other = batch(1);
    // Of the ten questions the first was about the world.
    other.step(9, false).expect("steps");
    assert_eq!(time, [read(&other, "time")[0], 0.0]);
    worlds.step(1, false).expect("a step");
    assert!(read(&worlds, "time")[1] > 0.0);
}
