//! Sensor readings against closed forms and values of MuJoCo 3.5.0.
//!
//! Each test states its model in place and the numbers it must give; values with many digits are
//! the reference's.

mod contact;
mod distance;
mod every_type;
mod history;
mod layout;
mod limit;
mod range;
mod refused;
mod supported;
mod tactile;
mod touch;
mod transmission;

use sinew::engine::Data;
use sinew::mjcf::load_text;
use sinew::model::Model;
use sinew::model::kinds::ObjectType;

/// A model with one simulation of it.
#[derive(Clone)]
struct Case {
    model: Model,
    data: Data,
}

impl Case {
    /// Loads a model.
    #[track_caller]
    fn new(xml: &str) -> Self {
        let model = match load_text(xml) {
            Ok(loaded) => loaded.model,
            Err(error) => panic!("{error}"),
        };
        let data = Data::new(&model);
        Case { model, data }
    }

    fn qpos(mut self, qpos: &[f64]) -> Self {
        self.data.state.qpos.copy_from_slice(qpos);
        self
    }

    fn qvel(mut self, qvel: &[f64]) -> Self {
        self.data.state.qvel.copy_from_slice(qvel);
        self
    }

    fn forward(mut self) -> Self {
        self.data.forward(&self.model);
        self
    }

    fn steps(mut self, count: usize) -> Self {
        for _ in 0..count {
            self.data.step(&self.model).expect("a finite step");
        }
        self
    }

    /// All readings.
    fn readings(&self) -> &[f64] {
        &self.data.sensor.sensordata
    }

    /// The readings of the sensor with a name.
    #[track_caller]
    fn reading(&self, name: &str) -> &[f64] {
        let found = self.model.id(ObjectType::Sensor, name);
        let sensor = found.unwrap_or_else(|| panic!("no sensor {name}"));
        let start = self.model.sensor_adr[sensor] as usize;
        &self.readings()[start..start + self.model.sensor_dim[sensor] as usize]
    }
}

/// Asserts equality within a tolerance relative to the larger of 1 and the expected number.
#[track_caller]
fn close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len(), "{actual:?} {expected:?}");
    for (a, e) in actual.iter().zip(expected) {
        let scale = e.abs().max(1.0);
        assert!(
            (a - e).abs() <= tolerance * scale,
            "{actual:?} is not {expected:?}"
        );
    }
}
