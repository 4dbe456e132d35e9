//! Sensors.
//!
//! Every sensor belongs to the stage whose results it reads and is computed when that stage ends,
//! then clamped to its cutoff. A sensor with a delay reads its history; one with an interval is
//! computed when the interval has passed and read from its history otherwise. Histories are written
//! when the state advances. Conforms to MuJoCo's `mj_sensorPos`, `mj_sensorVel`, `mj_sensorAcc`.

mod acceleration;
pub(crate) mod contact;
mod distance;
mod frame;
mod position;
mod rangefinder;
mod tactile;
mod touch;
mod velocity;

use crate::acceleration::actuation::clip;
use crate::data::Data;
use crate::engine::Engine;
use crate::history::{self, Interpolation};
use crate::parts::{Parts, UserSensors};
use crate::{is_disabled, pipeline};
use sinew_model::Model;
use sinew_model::kinds::{DataType, DisableFlag, SensorType, Stage};

sinew_model::columns! {
    /// Sensor readings.
    pub struct Sensor for Model {
        sizes {
            /// Numbers of all sensors.
            nsensordata,
        }
        columns {
            /// Readings, sensor after sensor.
            sensordata: nsensordata x f64,
        }
    }
}

/// Computes or reads all sensors of a stage that has just ended.
pub(crate) fn compute<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data, stage: Stage) {
    let model = engine.model;
    if model.nsensor == 0 || is_disabled(model, DisableFlag::Sensor) {
        return;
    }
    if compute_all(model, data, stage) {
        engine.parts.sensors().fill(model, data, stage);
        cut_user(model, data, stage);
    }
}

/// All sensors but the user's, which are cleared. Tells whether there are user sensors.
fn compute_all(model: &Model, data: &mut Data, stage: Stage) -> bool {
    let mut has_user = false;
    // The readings stay where they are even if a sensor panics: others may look at them.
    let mut reading = core::mem::take(&mut data.scratch.sensor);
    for i in 0..model.nsensor {
        if model.sensor_needstage[i] != stage.code() {
            continue;
        }
        let start = model.sensor_adr[i] as usize;
        let range = start..start + model.sensor_dim[i] as usize;
        if reading.len() < range.len() {
            reading.resize(range.len(), 0.0);
        }
        let out = &mut reading[..range.len()];
        out.copy_from_slice(&data.sensor.sensordata[range.clone()]);
        match SensorType::from_code(model.sensor_type[i]) {
            Some(SensorType::Plugin) => {}
            Some(SensorType::User) => {
                // User code may ask for everything.
                if stage == Stage::Vel && !data.velocity.momentum.is_current {
                    pipeline::velocity::momentum(model, data);
                }
                if stage == Stage::Acc && !data.acceleration.body_force.is_current {
                    pipeline::acceleration::body_force(model, data);
                }
                out.fill(0.0);
                has_user = true;
            }
            _ => compute_or_read(model, data, i, out),
        }
        data.sensor.sensordata[range].copy_from_slice(out);
    }
    data.scratch.sensor = reading;
    has_user
}

/// Applies the cutoff of the user sensors of a stage.
fn cut_user(model: &Model, data: &mut Data, stage: Stage) {
    for i in 0..model.nsensor {
        if model.sensor_type[i] == SensorType::User.code()
            && model.sensor_needstage[i] == stage.code()
        {
            let start = model.sensor_adr[i] as usize;
            let end = start + model.sensor_dim[i] as usize;
            apply_cutoff(model, i, &mut data.sensor.sensordata[start..end]);
        }
    }
}

/// Whether the interval of a sensor has passed since its last sample.
fn is_due(model: &Model, data: &Data, sensor: usize) -> bool {
    let start = model.sensor_historyadr[sensor] as usize;
    data.state.history[start] + model.sensor_interval[sensor][0] <= data.state.time
}

fn compute_or_read(model: &Model, data: &mut Data, sensor: usize, out: &mut [f64]) {
    let [samples, interpolation] = model.sensor_history[sensor];
    let delay = model.sensor_delay[sensor];
    let reads = samples > 0
        && (delay > 0.0
            || (model.sensor_interval[sensor][0] > 0.0 && !is_due(model, data, sensor)));
    if reads {
        let start = model.sensor_historyadr[sensor] as usize;
        history::read(
            &data.state.history[start..],
            samples as usize,
            data.state.time - delay,
            Interpolation::from_code(interpolation),
            out,
        );
    } else {
        compute_one(model, data, sensor, out);
    }
}

/// The present value of a sensor, cutoff applied.
#[doc(alias = "mj_computeSensor")]
fn compute_one(model: &Model, data: &mut Data, sensor: usize, out: &mut [f64]) {
    let Some(kind) = SensorType::from_code(model.sensor_type[sensor]) else {
        return;
    };
    match Stage::from_code(model.sensor_needstage[sensor]) {
        Some(Stage::Pos) => position::compute(model, data, sensor, kind, out),
        Some(Stage::Vel) => velocity::compute(model, data, sensor, kind, out),
        Some(Stage::Acc) => acceleration::compute(model, data, sensor, kind, out),
        _ => {}
    }
    apply_cutoff(model, sensor, out);
}

/// Clamps real readings on both sides, positive ones above.
fn apply_cutoff(model: &Model, sensor: usize, out: &mut [f64]) {
    let cutoff = model.sensor_cutoff[sensor];
    let kind = SensorType::from_code(model.sensor_type[sensor]);
    if cutoff <= 0.0 || matches!(kind, Some(SensorType::Contact | SensorType::Geomfromto)) {
        return;
    }
    match DataType::from_code(model.sensor_datatype[sensor]) {
        Some(DataType::Real) => {
            for value in out {
                *value = clip(*value, [-cutoff, cutoff]);
            }
        }
        Some(DataType::Positive) => {
            for value in out {
                *value = if *value < cutoff { *value } else { cutoff };
            }
        }
        _ => {}
    }
}

/// Appends readings to the histories of sensors that have one; called when the state advances.
pub(crate) fn record(model: &Model, data: &mut Data) {
    if model.nhistory == 0 {
        return;
    }
    for i in 0..model.nsensor {
        let samples = model.sensor_history[i][0];
        if samples <= 0 {
            continue;
        }
        let start = model.sensor_historyadr[i] as usize;
        let interval = model.sensor_interval[i][0];
        if interval > 0.0 {
            if !is_due(model, data, i) {
                continue;
            }
            data.state.history[start] += interval;
        }
        // A delayed sensor was read from its history, so its present value is computed now.
        let address = model.sensor_adr[i] as usize;
        let width = model.sensor_dim[i] as usize;
        let mut values = core::mem::take(&mut data.scratch.sensor);
        let value = &mut values[..width];
        if model.sensor_delay[i] > 0.0 {
            compute_one(model, data, i, value);
        } else {
            value.copy_from_slice(&data.sensor.sensordata[address..address + width]);
        }
        let (time, buffer) = (data.state.time, &mut data.state.history[start..]);
        history::insert(buffer, samples as usize, width, time).copy_from_slice(value);
        data.scratch.sensor = values;
    }
}
