//! Delayed controls and sensor readings, and the histories behind them.

use crate::data::NativeData;
use crate::failure;
use crate::model::NativeModel;
use crate::query::{ask, index, wrong_call};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::delay::HistoryError;
use sinew::engine::error::CallError;
use sinew::engine::history::Interpolation;

/// The rule with this code; the object's own for −1.
fn interpolation(code: i32) -> PyResult<Option<Interpolation>> {
    match code {
        -1 => Ok(None),
        0..=2 => Ok(Some(Interpolation::from_code(code))),
        _ => Err(PyValueError::new_err(format!(
            "interp must be -1, 0, 1 or 2, not {code}"
        ))),
    }
}

fn wrong(error: HistoryError) -> PyErr {
    match error {
        HistoryError::Call(error @ CallError::Index { .. }) => wrong_call(error),
        _ => failure::wrong_call(error.to_string()),
    }
}

/// The control that acts at a time.
#[pyfunction]
pub fn read_control(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    actuator: i64,
    time: f64,
    interp: i32,
) -> PyResult<f64> {
    let how = interpolation(interp)?;
    ask(model, data, |model, data| {
        let actuator = index("actuator", actuator, model.nu)?;
        let read = data.read_control(model, actuator, time, how);
        read.map_err(wrong_call)
    })
}

/// What a sensor reads at a time.
#[pyfunction]
pub fn read_sensor(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    sensor: i64,
    time: f64,
    interp: i32,
) -> PyResult<Vec<f64>> {
    let how = interpolation(interp)?;
    ask(model, data, |model, data| {
        let sensor = index("sensor", sensor, model.nsensor)?;
        let mut out = vec![0.0; model.sensor_dim[sensor] as usize];
        data.read_sensor(model, sensor, time, how, &mut out)
            .map_err(wrong_call)?;
        Ok(out)
    })
}

/// Sets the history of a control: times, or those that are there, and values, oldest first.
#[pyfunction]
pub fn set_control_history(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    actuator: i64,
    times: Option<Vec<f64>>,
    values: Vec<f64>,
) -> PyResult<()> {
    ask(model, data, |model, data| {
        let actuator = index("actuator", actuator, model.nu)?;
        let set = data.set_control_history(model, actuator, times.as_deref(), &values);
        set.map_err(wrong)
    })
}

/// Sets the history of a sensor, and when it was last sampled.
#[pyfunction]
pub fn set_sensor_history(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    sensor: i64,
    times: Option<Vec<f64>>,
    values: Vec<f64>,
    phase: f64,
) -> PyResult<()> {
    ask(model, data, |model, data| {
        let sensor = index("sensor", sensor, model.nsensor)?;
        let set = data.set_sensor_history(model, sensor, times.as_deref(), &values, phase);
        set.map_err(wrong)
    })
}
