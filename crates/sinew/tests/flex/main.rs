//! Flexes: positions, contacts, forces and motion, against numbers that MuJoCo 3.5.0 gives.

mod contact;
mod force;
mod motion;
mod position;
mod ray;
mod rest;

use sinew::engine::Data;
use sinew::mjcf::load_text;
use sinew::model::Model;

/// A model of text that is not at fault.
fn model(text: &str) -> Model {
    match load_text(text) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{text}\n{error}"),
    }
}

/// A grid of three by three vertices, 0.1 apart, with something inside its flexcomp.
fn grid(inside: &str) -> Model {
    model(&format!(
        "<mujoco><worldbody><flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' mass='.9' \
         radius='.01'>{inside}</flexcomp></worldbody></mujoco>"
    ))
}

/// Positions and velocities of a simulation that is not stepped.
fn place(model: &Model, qpos: &[f64], qvel: &[f64]) -> Data {
    let mut data = Data::new(model);
    data.state.qpos.copy_from_slice(qpos);
    data.state.qvel.copy_from_slice(qvel);
    data
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() <= tolerance,
            "{found:?} instead of {expected:?}"
        );
    }
}
