//! Python functions that take part in a step.
//!
//! The engine lends the simulation to a hook. While the hook's function runs, the simulation stands
//! where Python expects it, so that `d.time`, `d.contact` and the queries work inside it; then it
//! goes back to the engine. Nothing is copied. Other threads are kept out all the while. An exception
//! ends the call and is raised there.

use crate::data::NativeData;
use crate::timing::{Clock, Timing};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew::engine::{Data, Hooks, Moment, NoHooks, State};
use sinew::model::Model;
use sinew::model::kinds::Stage;

/// The functions of a call, and the objects they are called with.
pub struct PythonHooks<'a> {
    owner: &'a NativeData,
    /// The objects of the caller: model and data.
    model: Py<PyAny>,
    data: Py<PyAny>,
    /// Control, passive force, activation rate, gain, bias, sensors, contact filter.
    functions: [Option<Py<PyAny>>; 7],
    timing: Timing,
    /// The first exception; nothing is called after it.
    error: Option<PyErr>,
}

impl<'a> PythonHooks<'a> {
    /// From (model, data, functions or None, clock or None).
    pub fn new(owner: &'a NativeData, given: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (model, data, functions, clock) = given.extract()?;
        Ok(PythonHooks {
            owner,
            model,
            data,
            functions,
            timing: Timing::new(Clock::new(given.py(), clock)?),
            error: None,
        })
    }

    /// Whether something has raised an exception.
    pub fn has_failed(&self) -> bool {
        self.error.is_some() || self.timing.error.is_some()
    }

    /// The first exception, which is thereby dealt with.
    pub fn first_error(&mut self) -> Option<PyErr> {
        self.error.take().or_else(|| self.timing.error.take())
    }

    /// At the end of a call: the timers are updated; the exception, if there was one.
    pub fn finish(&mut self) -> Option<PyErr> {
        self.timing.add_to(&mut self.owner.timers());
        self.first_error()
    }

    /// Calls a function with the simulation in its place; what it returns, unless it raised.
    fn call<T: for<'py> FromPyObject<'py, 'py>>(
        &mut self,
        which: usize,
        data: &mut Data,
        number: Option<usize>,
    ) -> Option<T> {
        if self.error.is_some() {
            return None;
        }
        let function = self.functions[which].as_ref()?;
        let result = Python::attach(|py| {
            self.owner.publish(py, data)?;
            let given = (self.model.bind(py), self.data.bind(py));
            let answer = self.owner.place.lend(data, || match number {
                Some(number) => function.bind(py).call1((given.0, given.1, number)),
                None => function.bind(py).call1(given),
            })??;
            self.owner.collect(py, data)?;
            answer.extract::<T>().map_err(Into::into)
        });
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

/// Whatever a function returns whose answer is not used.
struct Anything;

impl<'a, 'py> FromPyObject<'a, 'py> for Anything {
    type Error = PyErr;

    fn extract(_: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Anything)
    }
}

impl Hooks for PythonHooks<'_> {
    fn control(&mut self, _: &Model, data: &mut Data) {
        self.call::<Anything>(0, data, None);
    }

    fn passive(&mut self, _: &Model, data: &mut Data) {
        self.call::<Anything>(1, data, None);
    }

    fn activation_rates(&mut self, _: &Model, data: &mut Data, actuator: usize, rates: &mut [f64]) {
        let rate = self.call::<f64>(2, data, Some(actuator));
        if let (Some(rate), Some(last)) = (rate, rates.last_mut()) {
            *last = rate;
        }
    }

    fn gain(&mut self, _: &Model, data: &mut Data, actuator: usize) -> f64 {
        self.call(3, data, Some(actuator)).unwrap_or(1.0)
    }

    fn bias(&mut self, _: &Model, data: &mut Data, actuator: usize) -> f64 {
        self.call(4, data, Some(actuator)).unwrap_or(0.0)
    }

    fn may_touch(&mut self, model: &Model, state: &State, geom1: usize, geom2: usize) -> bool {
        let Some(function) = &self.functions[6] else {
            return NoHooks.may_touch(model, state, geom1, geom2);
        };
        if self.error.is_some() {
            return false;
        }
        // The engine is in the middle of its work, so only arrays and the time can be looked at.
        let discards = Python::attach(|py| {
            let _shown = self.owner.show_time(state.time);
            let given = (self.model.bind(py), self.data.bind(py), geom1, geom2);
            function.bind(py).call1(given)?.is_truthy()
        });
        match discards {
            Ok(discards) => !discards,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }

    fn clock(&mut self, moment: Moment) {
        self.timing.clock(moment);
    }

    fn sensors(&mut self, _: &Model, data: &mut Data, stage: Stage) {
        let code = usize::try_from(stage.code()).ok();
        self.call::<Anything>(5, data, code);
    }
}
