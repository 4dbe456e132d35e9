//! What tests of behaviour share: a model written in place with one simulation of it, and a
//! comparison of numbers. Each test binary adds what its own subject needs.

use sinew::engine::Data;
use sinew::mjcf::load_text;
use sinew::model::Model;

/// A model with one simulation of it.
#[derive(Clone)]
pub struct Case {
    pub model: Model,
    pub data: Data,
}

impl Case {
    /// Loads a model.
    #[track_caller]
    pub fn new(xml: &str) -> Self {
        let model = match load_text(xml) {
            Ok(loaded) => loaded.model,
            Err(error) => panic!("{error}"),
        };
        let data = Data::new(&model);
        Case { model, data }
    }

    pub fn qpos(mut self, qpos: &[f64]) -> Self {
        self.data.state.qpos.copy_from_slice(qpos);
        self
    }

    pub fn qvel(mut self, qvel: &[f64]) -> Self {
        self.data.state.qvel.copy_from_slice(qvel);
        self
    }

    pub fn forward(mut self) -> Self {
        self.data.forward(&self.model).expect("its own model");
        self
    }

    pub fn steps(mut self, count: usize) -> Self {
        for _ in 0..count {
            self.data.step(&self.model).expect("a finite step");
        }
        self
    }
}

/// Asserts equality within a tolerance relative to the larger of 1 and the expected number.
#[track_caller]
pub fn close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len(), "{actual:?} {expected:?}");
    for (a, e) in actual.iter().zip(expected) {
        let scale = e.abs().max(1.0);
        assert!(
            (a - e).abs() <= tolerance * scale,
            "{actual:?} is not {expected:?}"
        );
    }
}
