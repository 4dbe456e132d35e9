//! Questions about a simulation: against each other, and against what MuJoCo 3.5.0 answers.
//!
//! `values.txt` holds the reference's answers, written by `conformance/queries.py`; inputs follow
//! from [`number`] on both sides.

mod change;
mod consistency;
mod constraint;
mod copy;
mod derivative;
mod distance;
mod inverse;
mod out_of_order;
mod random_calls;
mod ray;
mod refused;
mod saved;
mod structure;

use sinew::engine::Data;
use sinew::engine::integrate::integrate_position;
use sinew::mjcf::load_path;
use sinew::model::Model;

const VALUES: &str = include_str!("values.txt");

/// The reference's numbers under a name.
#[track_caller]
fn reference(name: &str) -> Vec<f64> {
    let lines = VALUES.lines().filter_map(|line| line.split_once(": "));
    let found = lines.into_iter().find(|(key, _)| *key == name);
    let (_, numbers) = found.unwrap_or_else(|| panic!("no values for {name}"));
    numbers
        .split(' ')
        .map(|word| word.parse().expect("a number"))
        .collect()
}

/// A number from −0.5 to 0.5, different for each small k.
fn number(k: usize) -> f64 {
    ((k * 7919 + 13) % 101) as f64 / 101.0 - 0.5
}

/// Several of them, scaled.
fn numbers(count: usize, offset: usize, scale: f64) -> Vec<f64> {
    (0..count).map(|k| scale * number(k + offset)).collect()
}

/// A model of this repository.
fn open(name: &str) -> Model {
    let path = format!("{}/../../models/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    match load_path(&path) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// A position and a velocity away from rest.
fn away(model: &Model, scale: f64) -> Data {
    let mut data = Data::new(model);
    let velocity = numbers(model.nv, 0, 1.0);
    integrate_position(model, &mut data.state.qpos, &velocity, scale).expect("fits");
    data.state.qvel = numbers(model.nv, 31, 2.0);
    data.forward(model).expect("its own model");
    data
}

/// Asserts equality relative to the largest of 1 and the expected numbers.
#[track_caller]
fn close(name: &str, actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len(), "{name}");
    let scale = expected.iter().fold(1.0_f64, |a, e| a.max(e.abs()));
    for (i, (a, e)) in actual.iter().zip(expected).enumerate() {
        assert!(
            (a - e).abs() <= tolerance * scale,
            "{name}, number {i}: {a} is not {e}"
        );
    }
}
