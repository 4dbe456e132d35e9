//! Derivatives by finite differences, and of rotations.

use crate::data::NativeData;
use crate::failure;
use crate::model::NativeModel;
use crate::room;
use crate::step::compute;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew::engine::Sensors;
use sinew::engine::derivative::inverse_difference::{ActuatorForce, InverseDerivative};
use sinew::engine::derivative::transition::Transition;
use sinew::engine::derivative::{Difference, DifferenceError, rotation};
use sinew::math::{Quat, Vec3};
use sinew::model::Model;

fn wrong(error: DifferenceError) -> PyErr {
    failure::wrong_call(error.to_string())
}

fn sensors(are_wanted: bool) -> Sensors {
    if are_wanted {
        Sensors::Computed
    } else {
        Sensors::Skipped
    }
}

/// Numbers of a matrix.
type Array<'py> = Bound<'py, PyArray1<f64>>;

/// Matrices as arrays, which keep their memory.
fn arrays<const N: usize>(py: Python<'_>, found: [Vec<f64>; N]) -> [Array<'_>; N] {
    found.map(|numbers| PyArray1::from_vec(py, numbers))
}

/// Refuses matrices for which there is no memory: each is made, turned round and handed out.
fn check_matrices(model: &Model) -> PyResult<()> {
    let inputs = 2 * model.nv + model.na + model.nu;
    let outputs = 2 * model.nv + model.na + model.nsensordata;
    let numbers = inputs.saturating_mul(outputs);
    room::check_numbers(numbers.saturating_mul(3), "derivatives")
}

/// The matrices A, B, C, D of a step.
#[pyfunction]
pub fn transition<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    how: (f64, bool, bool),
    hooks: Option<&Bound<'py, PyTuple>>,
) -> PyResult<[Array<'py>; 4]> {
    let (eps, is_centered, has_sensors) = how;
    let difference = Difference { eps, is_centered };
    check_matrices(&model.get().read())?;
    let mut out = Transition::default();
    let sensors = sensors(has_sensors);
    compute(model, data, hooks, |engine, data| {
        let done = engine.transition(data, difference, sensors, &mut out);
        done.map_err(wrong)
    })?;
    Ok(arrays(model.py(), [out.A, out.B, out.C, out.D]))
}

/// The matrices of inverse dynamics: force by position, velocity, acceleration; sensors likewise;
/// inertia by position.
#[pyfunction]
pub fn inverse_derivative<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    eps: f64,
    what: (bool, bool),
    hooks: Option<&Bound<'py, PyTuple>>,
) -> PyResult<[Array<'py>; 7]> {
    let (subtracts_actuators, has_sensors) = what;
    let actuators = if subtracts_actuators {
        ActuatorForce::Subtracted
    } else {
        ActuatorForce::Ignored
    };
    check_matrices(&model.get().read())?;
    let mut out = InverseDerivative::default();
    compute(model, data, hooks, |engine, data| {
        let sensors = sensors(has_sensors);
        let done = engine.inverse_derivative(data, eps, actuators, sensors, &mut out);
        done.map_err(wrong)
    })?;
    let found = [
        out.DfDq, out.DfDv, out.DfDa, out.DsDq, out.DsDv, out.DsDa, out.DmDq,
    ];
    Ok(arrays(model.py(), found))
}

/// Derivatives of the difference of two orientations by each of them.
#[pyfunction]
pub fn difference_derivatives(a: [f64; 4], b: [f64; 4]) -> [[f64; 9]; 2] {
    rotation::difference_derivatives(Quat(a), Quat(b)).map(|matrix| matrix.0)
}

/// Derivatives of turning with a velocity for a time: by the start, the velocity, the time.
#[pyfunction]
pub fn integral_derivatives(velocity: [f64; 3], time: f64) -> ([f64; 9], [f64; 9], [f64; 3]) {
    let found = rotation::integral_derivatives(Vec3(velocity), time);
    (found.by_start.0, found.by_velocity.0, found.by_time.0)
}
