//! Delayed controls and sensor readings, read at any time, and the histories behind them.
//!
//! A reading at time t is that of t minus the delay. Conforms to MuJoCo's `mj_readCtrl`,
//! `mj_readSensor`, `mj_initCtrlHistory` and `mj_initSensorHistory`.

use crate::data::Data;
use crate::error::{CallError, check_index, check_length};
use crate::history::{self, Interpolation};
use core::fmt;
use sinew_math::MIN_VALUE;
use sinew_model::Model;

/// Why a history cannot be set. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HistoryError {
    /// The actuator or sensor keeps no history.
    None,
    /// Times must increase; this is the first that does not.
    Order(usize),
    /// Arguments do not fit.
    Call(CallError),
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HistoryError::None => write!(f, "it keeps no history: give it `nsample`"),
            HistoryError::Order(i) => write!(f, "times must increase, number {i} does not"),
            HistoryError::Call(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for HistoryError {}

impl From<CallError> for HistoryError {
    fn from(error: CallError) -> Self {
        HistoryError::Call(error)
    }
}

impl Data {
    /// The control that acts at a time: the current one without a history. `None` for the
    /// interpolation takes the actuator's own.
    #[doc(alias = "mj_readCtrl")]
    pub fn read_control(
        &self,
        model: &Model,
        actuator: usize,
        time: f64,
        how: Option<Interpolation>,
    ) -> Result<f64, CallError> {
        self.check_model(model)?;
        check_index("actuator", actuator, model.nu)?;
        let [samples, own] = model.actuator_history[actuator];
        if samples <= 0 {
            return Ok(self.input.ctrl[actuator]);
        }
        let start = model.actuator_historyadr[actuator] as usize;
        let time = time - model.actuator_delay[actuator];
        let how = how.unwrap_or(Interpolation::from_code(own));
        let mut value = [0.0];
        let buffer = &self.state.history[start..];
        history::read(buffer, samples as usize, time, how, &mut value);
        Ok(value[0])
    }

    /// What a sensor reads at a time: the current readings without a history.
    #[doc(alias = "mj_readSensor")]
    pub fn read_sensor(
        &self,
        model: &Model,
        sensor: usize,
        time: f64,
        how: Option<Interpolation>,
        out: &mut [f64],
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        check_index("sensor", sensor, model.nsensor)?;
        let width = model.sensor_dim[sensor] as usize;
        check_length("out", width, out.len())?;
        let [samples, own] = model.sensor_history[sensor];
        if samples <= 0 {
            let start = model.sensor_adr[sensor] as usize;
            out.copy_from_slice(&self.sensor.sensordata[start..start + width]);
            return Ok(());
        }
        let start = model.sensor_historyadr[sensor] as usize;
        let time = time - model.sensor_delay[sensor];
        let how = how.unwrap_or(Interpolation::from_code(own));
        let buffer = &self.state.history[start..];
        history::read(buffer, samples as usize, time, how, out);
        Ok(())
    }

    /// Sets the history of an actuator's control: times, or those that are there, and a value for
    /// each, oldest first.
    #[doc(alias = "mj_initCtrlHistory")]
    pub fn set_control_history(
        &mut self,
        model: &Model,
        actuator: usize,
        times: Option<&[f64]>,
        values: &[f64],
    ) -> Result<(), HistoryError> {
        self.check_model(model)?;
        check_index("actuator", actuator, model.nu)?;
        let samples = model.actuator_history[actuator][0];
        let start = model.actuator_historyadr[actuator];
        self.set_history((samples, start, 1), times, values)
    }

    /// Sets the history of a sensor: times, or those that are there, the readings at each, oldest
    /// first, and when the sensor was last sampled (`phase`; counts for sensors with an interval).
    #[doc(alias = "mj_initSensorHistory")]
    pub fn set_sensor_history(
        &mut self,
        model: &Model,
        sensor: usize,
        times: Option<&[f64]>,
        values: &[f64],
        phase: f64,
    ) -> Result<(), HistoryError> {
        self.check_model(model)?;
        check_index("sensor", sensor, model.nsensor)?;
        let samples = model.sensor_history[sensor][0];
        let start = model.sensor_historyadr[sensor];
        let width = model.sensor_dim[sensor] as usize;
        self.set_history((samples, start, width), times, values)?;
        self.state.history[start as usize] = phase;
        Ok(())
    }

    fn set_history(
        &mut self,
        (samples, start, width): (i32, i32, usize),
        times: Option<&[f64]>,
        values: &[f64],
    ) -> Result<(), HistoryError> {
        let (Ok(count @ 1..), Ok(start)) = (usize::try_from(samples), usize::try_from(start))
        else {
            return Err(HistoryError::None);
        };
        let buffer = &mut self.state.history[start..start + 2 + count * (1 + width)];
        let (head, kept) = buffer.split_at_mut(2 + count);
        let checked = times.unwrap_or(&head[2..]);
        check_length("times", count, checked.len())?;
        check_length("values", count * width, values.len())?;
        let is_early = |pair: &[f64]| pair[1].is_nan() || pair[1] - pair[0] < MIN_VALUE;
        if let Some(i) = checked.windows(2).position(is_early) {
            return Err(HistoryError::Order(i + 1));
        }
        if let Some(times) = times {
            head[2..].copy_from_slice(times);
        }
        // The newest sample is the last one.
        head[1] = (count - 1) as f64;
        kept.copy_from_slice(values);
        Ok(())
    }
}
