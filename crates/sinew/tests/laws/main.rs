//! Laws in place of the reference's: what they compute, that they are taken up where they are chosen, and that nothing else
//! changes.

mod bending;
mod builder;
mod elasticity;
mod gain;
mod rows;
mod soft;
mod solver;

use sinew::engine::{Bending, Elasticity, Engine};
use sinew::prelude::*;

/// A model of text that is not at fault.
#[track_caller]
fn model(text: &str) -> Model {
    match Model::from_str(text) {
        Ok(model) => model,
        Err(error) => panic!("{text}\n{error}"),
    }
}

/// A model without gravity with one flexcomp that touches nothing.
#[track_caller]
fn flexcomp(attributes: &str, inside: &str) -> Model {
    model(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' radius='.001' {attributes}>\
         <contact contype='0' conaffinity='0' selfcollide='none'/>{inside}</flexcomp></worldbody></mujoco>"
    ))
}

/// Two triangles over four vertices that bend.
fn diamond(points: &str) -> Model {
    let inside = "<elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='bend'/>";
    flexcomp(
        &format!("type='direct' dim='2' point='{points}' element='0 1 2 1 0 3'"),
        inside,
    )
}

/// Two triangles of side 1, the second folded by an angle.
fn equilateral(fold: f64) -> String {
    let (sine, cosine) = sinew::math::sine::sin_cos(fold);
    let height = 3f64.sqrt() / 2.0;
    format!(
        "0 0 0 1 0 0 .5 {height} 0 .5 {} {}",
        -height * cosine,
        height * sine
    )
}

/// Forces on the degrees of freedom at some positions and at rest, with a law of bending.
fn bent(model: &Model, qpos: &[f64], law: impl Bending) -> Vec<f64> {
    let mut data = Data::new(model);
    data.state.qpos.copy_from_slice(qpos);
    let mut engine = Engine::new(model).bending(law);
    engine.forward(&mut data).expect("its own model");
    data.velocity.passive.qfrc_passive.clone()
}

/// Forces on the degrees of freedom at some positions and velocities, with a law of elasticity.
fn stretched(model: &Model, (qpos, qvel): (&[f64], &[f64]), law: impl Elasticity) -> Vec<f64> {
    let mut data = Data::new(model);
    data.state.qpos.copy_from_slice(qpos);
    data.state.qvel.copy_from_slice(qvel);
    let mut engine = Engine::new(model).elasticity(law);
    engine.forward(&mut data).expect("its own model");
    data.velocity.passive.qfrc_passive.clone()
}

/// The model's own forces.
fn plain(model: &Model, qpos: &[f64]) -> Vec<f64> {
    let mut data = Data::new(model);
    data.state.qpos.copy_from_slice(qpos);
    data.forward(model).expect("its own model");
    data.velocity.passive.qfrc_passive.clone()
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| x.abs().max(most))
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() <= tolerance,
            "{found:?}\ninstead of\n{expected:?}"
        );
    }
}

/// Numbers between −1 and 1 that are always the same.
fn noise(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}
