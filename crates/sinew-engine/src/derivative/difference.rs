//! What the finite differences share.

use crate::data::Data;
use crate::engine::Engine;
use crate::error::CallError;
use crate::integrate::has_stages;
use crate::parts::Parts;
use core::fmt;
use sinew_model::Model;
use sinew_model::kinds::Integrator;

/// How differences are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// By how much inputs are changed.
    pub eps: f64,
    /// Change to both sides, which costs twice as much and is accurate to second order.
    pub is_centered: bool,
}

/// Why there are no finite differences. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DifferenceError {
    /// A Runge–Kutta step starts from nothing that could be kept between changes.
    RungeKutta,
    /// The model has delays: its state is more than positions, velocities and activations.
    Delays,
    /// Inverse dynamics knows nothing of the noslip solver.
    Noslip,
    /// The change is not a positive number.
    Eps(f64),
    /// Simulation and model do not belong together.
    Call(CallError),
    /// The observer does not want to go on. The state is as it was.
    Interrupted,
}

impl fmt::Display for DifferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DifferenceError::RungeKutta => write!(f, "Runge–Kutta steps have no such derivative"),
            DifferenceError::Delays => write!(f, "delays are not part of the derivative's state"),
            DifferenceError::Noslip => write!(f, "the noslip solver has no inverse"),
            DifferenceError::Eps(eps) => write!(f, "the change must be positive, it is {eps}"),
            DifferenceError::Call(error) => error.fmt(f),
            DifferenceError::Interrupted => write!(f, "the derivative was interrupted"),
        }
    }
}

impl core::error::Error for DifferenceError {}

/// What both kinds of differences need before they start.
pub(super) fn check(data: &Data, model: &Model, eps: f64) -> Result<(), DifferenceError> {
    data.check_model(model).map_err(DifferenceError::Call)?;
    if Integrator::from_code(model.opt.integrator).is_some_and(has_stages) {
        return Err(DifferenceError::RungeKutta);
    }
    if eps > 0.0 && eps.is_finite() {
        Ok(())
    } else {
        Err(DifferenceError::Eps(eps))
    }
}

impl<P: Parts> Engine<'_, P> {
    /// An error where the observer does not want to go on.
    pub(super) fn check_patience(&mut self) -> Result<(), DifferenceError> {
        match self.is_interrupted() {
            true => Err(DifferenceError::Interrupted),
            false => Ok(()),
        }
    }
}

/// (to − from) / h, into every `stride`-th place of `out` from `start`.
pub(super) fn write_column(
    out: &mut [f64],
    (start, stride): (usize, usize),
    from: &[f64],
    to: &[f64],
    h: f64,
) {
    let inverse = 1.0 / h;
    let places = out.iter_mut().skip(start).step_by(stride);
    for (out, (to, from)) in places.zip(to.iter().zip(from)) {
        *out = inverse * (to - from);
    }
}
