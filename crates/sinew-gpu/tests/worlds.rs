//! Batches of worlds: where their arrays lie, what is copied, and what is wrong. That worlds have the bits of those on the
//! processor, resets included, is tested from Python, where both are at hand.

use sinew_gpu::{
    Capacity, DeviceBatch, DeviceError, EmulatedBatch, Field, Held, Kernels, Kind, Memory, Place,
    Rows, Worlds,
};
use sinew_mjcf::load_text;
use sinew_model::Model;

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
