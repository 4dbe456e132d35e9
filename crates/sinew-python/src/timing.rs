//! The timers of a simulation: how often each part of the computation ran, and for how long.
//!
//! Counting costs next to nothing and is always on. Durations need a clock, which Python gives with
//! `set_mjcb_time`: `time.perf_counter` is read natively, any other function by calling it.

use crate::counter::Timers;
use crate::data::PATIENCE;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sinew::engine::{Moment, Observer, Patience};
use sinew::model::kinds::TimerKind;
use std::sync::OnceLock;
use std::time::Instant;

/// Where the time comes from.
pub enum Clock {
    /// Not given: parts are counted, and only whole steps are timed, by the system's clock.
    None,
    /// The system's monotonic clock.
    System,
    /// A function of Python that returns a number.
    Python(Py<PyAny>),
}

impl Clock {
    /// From a function or `None`.
    pub fn new(py: Python<'_>, function: Option<&Py<PyAny>>) -> PyResult<Self> {
        let Some(function) = function else {
            return Ok(Clock::None);
        };
        let system = py.import("time")?.getattr("perf_counter")?;
        Ok(if function.bind(py).is(&system) {
            Clock::System
        } else {
            Clock::Python(function.clone_ref(py))
        })
    }
}

/// Counts and times a call.
pub struct Timing {
    clock: Clock,
    timers: Timers,
    begun: [f64; Timers::COUNT],
    /// What the clock raised; it is not asked again.
    pub error: Option<PyErr>,
    /// Looks for Ctrl-C inside long steps.
    pub watch: Watch,
}

impl Timing {
    /// Nothing counted yet.
    pub fn new(clock: Clock) -> Self {
        Timing {
            clock,
            timers: Timers::default(),
            begun: [0.0; Timers::COUNT],
            error: None,
            watch: Watch {
                looked: None,
                interrupt: None,
            },
        }
    }

    /// Adds what was counted to the timers of a simulation.
    pub fn add_to(&self, timers: &mut Timers) {
        for i in 0..Timers::COUNT {
            timers.duration[i] += self.timers.duration[i];
            timers.number[i] = timers.number[i].saturating_add(self.timers.number[i]);
        }
    }

    fn now(&mut self) -> f64 {
        static START: OnceLock<Instant> = OnceLock::new();
        match &self.clock {
            Clock::None | Clock::System => START.get_or_init(Instant::now).elapsed().as_secs_f64(),
            Clock::Python(function) => {
                if self.error.is_some() {
                    return 0.0;
                }
                let time = Python::attach(|py| {
                    let answer = function.bind(py).call0()?;
                    let wrong =
                        || PyTypeError::new_err("mjcb_time callback did not return a number");
                    answer.extract::<f64>().map_err(|_| wrong())
                });
                time.unwrap_or_else(|error| {
                    self.error = Some(error);
                    0.0
                })
            }
        }
    }
}

/// Looks for Ctrl-C now and then.
pub struct Watch {
    /// When it did; small calls end before they ask.
    looked: Option<Instant>,
    /// What Ctrl-C has raised; the computation ends as soon as it can.
    pub interrupt: Option<PyErr>,
}

impl Patience for Watch {
    fn may_go_on(&mut self) -> bool {
        let looked = *self.looked.get_or_insert_with(Instant::now);
        if self.interrupt.is_none() && looked.elapsed() > PATIENCE {
            self.interrupt = Python::attach(|py| py.check_signals()).err();
            self.looked = Some(Instant::now());
        }
        self.interrupt.is_none()
    }
}

impl Observer for Timing {
    fn patience(&mut self) -> Option<&mut dyn Patience> {
        Some(&mut self.watch)
    }

    fn observe(&mut self, moment: Moment) {
        let is_watched = !matches!(self.clock, Clock::None);
        let is_timed = |part| is_watched || matches!(part, TimerKind::Step);
        match moment {
            Moment::Begin(part) => {
                if is_timed(part) {
                    self.begun[part as usize] = self.now();
                }
            }
            Moment::Pause(part) | Moment::End(part) => {
                if is_timed(part) {
                    self.timers.duration[part as usize] += self.now() - self.begun[part as usize];
                }
                if let Moment::End(_) = moment {
                    self.timers.number[part as usize] += 1;
                }
            }
        }
    }
}
