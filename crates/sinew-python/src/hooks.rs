//! Python functions that take part in a step, as the parts of an engine.
//!
//! The engine lends the simulation to a hook. While the hook's function runs, the simulation stands
//! where Python expects it, so that `d.time`, `d.contact` and the queries work inside it; then it
//! goes back to the engine. Nothing is copied. Other threads are kept out all the while. An exception
//! ends the call and is raised there.

use crate::data::NativeData;
use crate::timing::{Clock, Timing};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sinew::engine::{
    ContactFilter, Controller, Data, Engine, Nothing, Observer, Parts, PassiveForce, Patience,
    Physics, State, UserActuators, UserSensors,
};
use sinew::model::Model;
use sinew::model::kinds::Stage;

/// The hooks, under the names that Python knows them by.
macro_rules! hooks {
    ($( $(#[$meta:meta])* $name:ident, )*) => {
        /// The function of each hook, if there is one.
        struct Functions {
            $( $(#[$meta])* $name: Option<Py<PyAny>>, )*
        }

        /// The names of the hooks.
        pub const NAMES: &[&str] = &[$( stringify!($name), )*];

        impl Functions {
            fn new(given: &Bound<'_, PyDict>) -> PyResult<Self> {
                Ok(Functions {
                    $( $name: given.get_item(stringify!($name))?.map(Bound::unbind), )*
                })
            }
        }
    };
}

hooks! {
    /// Sets controls and applied forces.
    control,
    /// Adds to the passive force.
    passive,
    /// Returns the rate of an activation.
    act_dyn,
    /// Returns the gain of an actuator.
    act_gain,
    /// Returns the bias of an actuator.
    act_bias,
    /// Fills user sensors.
    sensor,
    /// Tells whether contacts of two geoms are left out.
    contactfilter,
    /// Returns the time in seconds.
    time,
}

/// What takes part in a call: its timers, and the hooks if it has any.
pub struct PythonParts<'a> {
    owner: &'a NativeData,
    hooks: Option<Hooks>,
    timing: Timing,
    laws: Physics,
    /// The first exception; nothing is called after it.
    error: Option<PyErr>,
}

/// The functions of a call, and the objects of the caller that they are called with.
struct Hooks {
    model: Py<PyAny>,
    data: Py<PyAny>,
    functions: Functions,
}

/// An engine with Python's parts.
pub type PythonEngine<'m, 'a> = Engine<'m, PythonParts<'a>>;

impl<'a> PythonParts<'a> {
    /// From (model, data, functions by the name of their hook), or without hooks.
    pub fn new(owner: &'a NativeData, given: Option<&Bound<'_, PyTuple>>) -> PyResult<Self> {
        let mut clock = Clock::None;
        let hooks = match given {
            Some(given) => {
                let (model, data, functions) = given.extract::<(_, _, Bound<'_, PyDict>)>()?;
                let functions = Functions::new(&functions)?;
                clock = Clock::new(given.py(), functions.time.as_ref())?;
                Some(Hooks {
                    model,
                    data,
                    functions,
                })
            }
            None => None,
        };
        Ok(PythonParts {
            owner,
            hooks,
            timing: Timing::new(clock),
            laws: Physics::default(),
            error: None,
        })
    }

    /// Whether something has raised an exception.
    pub fn has_failed(&self) -> bool {
        self.error.is_some() || self.timing.error.is_some()
    }

    /// The first exception, which is thereby dealt with.
    pub fn first_error(&mut self) -> Option<PyErr> {
        let timing = &mut self.timing;
        let own = self.error.take();
        own.or_else(|| {
            timing
                .error
                .take()
                .or_else(|| timing.watch.interrupt.take())
        })
    }

    /// At the end of a call: the timers are updated; the exception, if there was one.
    pub fn finish(&mut self) -> Option<PyErr> {
        self.timing.add_to(&mut self.owner.timers());
        self.first_error()
    }

    /// Calls a function with the simulation in its place; what it returns, unless it raised.
    fn call<T: for<'py> FromPyObject<'py, 'py>>(
        &mut self,
        which: fn(&Functions) -> &Option<Py<PyAny>>,
        data: &mut Data,
        number: Option<usize>,
    ) -> Option<T> {
        let hooks = self.hooks.as_ref()?;
        let function = which(&hooks.functions).as_ref()?;
        if self.error.is_some() {
            return None;
        }
        let result = Python::attach(|py| {
            self.owner.publish(py, data)?;
            let given = (hooks.model.bind(py), hooks.data.bind(py));
            let answer = self.owner.place.lend(data, || match number {
                Some(number) => function.bind(py).call1((given.0, given.1, number)),
                None => function.bind(py).call1(given),
            })??;
            self.owner.collect(py, data)?;
            answer.extract::<T>().map_err(Into::into)
        });
        result.map_err(|error| self.error = Some(error)).ok()
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

impl Controller for PythonParts<'_> {
    fn control(&mut self, _: &Model, data: &mut Data) {
        self.call::<Anything>(|hooks| &hooks.control, data, None);
    }
}

impl PassiveForce for PythonParts<'_> {
    fn add_force(&mut self, _: &Model, data: &mut Data) {
        self.call::<Anything>(|hooks| &hooks.passive, data, None);
    }

    /// The reference takes forces of its callback as if they did not depend on velocities.
    fn add_velocity_derivative(&mut self, _: &Model, _: &mut Data) {}
}

impl UserActuators for PythonParts<'_> {
    /// The hook returns the rate of a single activation; of several it writes them into `act_dot`.
    fn activation_rates(
        &mut self,
        model: &Model,
        data: &mut Data,
        actuator: usize,
        rates: &mut [f64],
    ) {
        if let [rate] = rates {
            *rate = self
                .call(|hooks| &hooks.act_dyn, data, Some(actuator))
                .unwrap_or(0.0);
            return;
        }
        self.call::<Anything>(|hooks| &hooks.act_dyn, data, Some(actuator));
        if let Ok(first) = usize::try_from(model.actuator_actadr[actuator]) {
            let act_dot = &data.acceleration.actuation.act_dot;
            rates.copy_from_slice(&act_dot[first..first + rates.len()]);
        }
    }

    fn gain(&mut self, _: &Model, data: &mut Data, actuator: usize) -> f64 {
        self.call(|hooks| &hooks.act_gain, data, Some(actuator))
            .unwrap_or(1.0)
    }

    fn bias(&mut self, _: &Model, data: &mut Data, actuator: usize) -> f64 {
        self.call(|hooks| &hooks.act_bias, data, Some(actuator))
            .unwrap_or(0.0)
    }
}

impl UserSensors for PythonParts<'_> {
    fn fill(&mut self, _: &Model, data: &mut Data, stage: Stage) {
        let code = usize::try_from(stage.code()).ok();
        self.call::<Anything>(|hooks| &hooks.sensor, data, code);
    }
}

impl ContactFilter for PythonParts<'_> {
    fn may_touch(&mut self, model: &Model, state: &State, geom1: usize, geom2: usize) -> bool {
        let hooks = self.hooks.as_ref();
        let filter = hooks.and_then(|hooks| Some((hooks, hooks.functions.contactfilter.as_ref()?)));
        let Some((hooks, function)) = filter else {
            return Nothing.may_touch(model, state, geom1, geom2);
        };
        if self.error.is_some() {
            return false;
        }
        // The engine is in the middle of its work, so only arrays and the time can be looked at.
        let discards = Python::attach(|py| {
            let _shown = self.owner.show_time(state.time);
            let given = (hooks.model.bind(py), hooks.data.bind(py), geom1, geom2);
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
}

impl Parts for PythonParts<'_> {
    type Controller = Self;
    type ContactFilter = Self;
    type PassiveForce = Self;
    type Actuators = Self;
    type Sensors = Self;
    type Observer = Timing;
    type Laws = Physics;

    fn controller(&mut self) -> &mut Self {
        self
    }

    fn contact_filter(&mut self) -> &mut Self {
        self
    }

    fn passive_force(&mut self) -> &mut Self {
        self
    }

    fn actuators(&mut self) -> &mut Self {
        self
    }

    fn sensors(&mut self) -> &mut Self {
        self
    }

    fn observer(&mut self) -> &mut Timing {
        &mut self.timing
    }

    fn laws(&mut self) -> &mut Physics {
        &mut self.laws
    }

    fn laws_ref(&self) -> &Physics {
        &self.laws
    }

    fn laws_and_patience(&mut self) -> (&mut Physics, Option<&mut dyn Patience>) {
        (&mut self.laws, self.timing.patience())
    }
}
