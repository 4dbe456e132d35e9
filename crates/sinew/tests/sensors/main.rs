//! Sensor readings against closed forms and values of MuJoCo 3.5.0.
//!
//! Each test states its model in place and the numbers it must give; values with many digits are
//! the reference's.

#[path = "../bench/mod.rs"]
mod bench;
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

use bench::{Case, close};
use sinew::model::kinds::ObjectType;

impl Case {
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
