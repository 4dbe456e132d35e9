//! What a batch on a device has to agree with the processor in, bit for bit: after each of a hundred steps.

mod compare;

use compare::{compare, own};
use sinew_gpu::Order;
use sinew_mjcf::load_path;
use sinew_model::Model;
use std::path::Path;

const STEPS: usize = 100;

/// A scene of these tests, which `conformance.gpu_race` takes to a device.
fn scene(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/scenes/{name}.xml"));
    load_path(&path.display().to_string())
        .expect("a scene of ours")
        .model
}

#[test]
fn pendulums_agree() {
    for name in ["pendulum", "double_pendulum"] {
        compare(&own(name), STEPS, 1.0, Order::Ascending);
    }
}

#[test]
fn free_bodies_agree() {
    assert_eq!(
        compare(&scene("free_bodies"), STEPS, 2.0, Order::Descending),
        0
    );
}

#[test]
fn shapes_on_a_plane_agree() {
    assert!(compare(&scene("shapes_on_a_plane"), STEPS, 0.5, Order::Ascending) >= 12);
}

#[test]
fn a_limited_arm_with_actuators_agrees() {
    assert!(compare(&scene("arm"), STEPS, 3.0, Order::Descending) >= 1);
}
