//! Questions to a simulation that change nothing: Jacobians, products with the inertia, contact forces.

use crate::data::NativeData;
use crate::failure;
use crate::model::NativeModel;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use sinew::engine::acceleration::contact_force;
use sinew::engine::position::jacobian;
use sinew::engine::{Data, is_sparse};
use sinew::math::Vec3;
use sinew::model::Model;

/// A matrix with a column per degree of freedom.
type Matrix<'py> = Bound<'py, PyArray2<f64>>;

/// Reads model and data.
fn ask<T>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    question: impl FnOnce(&Model, &Data) -> PyResult<T>,
) -> PyResult<T> {
    data.get().check_fits(model)?;
    let model = model.get().read()?;
    let data = data.get().write()?;
    failure::guard(|| question(&model, &data))?
}

/// Whether Jacobians are stored sparse.
#[pyfunction]
pub fn is_jacobian_sparse(model: &Bound<'_, NativeModel>) -> PyResult<bool> {
    Ok(is_sparse(&*model.get().read()?))
}

/// Jacobians of a point fixed in a body: translation and rotation, 3 × nv each.
#[pyfunction]
pub fn point_jacobian<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    body: i64,
    point: [f64; 3],
) -> PyResult<(Matrix<'py>, Matrix<'py>)> {
    let (nv, translation, rotation) = ask(model, data, |model, data| {
        let body = usize::try_from(body).unwrap_or(usize::MAX);
        if body >= model.nbody {
            return Err(PyIndexError::new_err("no such body"));
        }
        let (mut translation, mut rotation) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
        let com = &data.position.com;
        let point = Vec3(point);
        jacobian::point(model, com, body, point, &mut translation, &mut rotation);
        Ok((model.nv, translation, rotation))
    })?;
    let matrix = |values| PyArray1::from_vec(model.py(), values).reshape([3, nv]);
    Ok((matrix(translation)?, matrix(rotation)?))
}

/// M·x.
#[pyfunction]
pub fn multiply_inertia(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    vector: Vec<f64>,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        check_length(model, &vector)?;
        let mut out = vec![0.0; model.nv];
        data.position.inertia.multiply(model, &vector, &mut out);
        Ok(out)
    })
}

/// M⁻¹·x.
#[pyfunction]
pub fn solve_inertia(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    mut vector: Vec<f64>,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        check_length(model, &vector)?;
        data.position.inertia.solve(model, &mut vector);
        Ok(vector)
    })
}

fn check_length(model: &Model, vector: &[f64]) -> PyResult<()> {
    if vector.len() == model.nv {
        return Ok(());
    }
    let message = format!("expected {} numbers, got {}", model.nv, vector.len());
    Err(PyValueError::new_err(message))
}

/// Force and torque of a contact in its own frame.
#[pyfunction]
pub fn contact_force_in_frame(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    contact: i64,
) -> PyResult<[f64; 6]> {
    ask(model, data, |model, data| {
        let list = &data.position.contacts.contact;
        let index = usize::try_from(contact).unwrap_or(usize::MAX);
        let contact = list.get(index).ok_or_else(|| {
            PyIndexError::new_err(format!("contact {contact} of {} contacts", list.len()))
        })?;
        let force = &data.acceleration.solution.efc_force;
        if force.len() != data.position.constraints.nefc() {
            return Ok([0.0; 6]);
        }
        Ok(contact_force::in_contact_frame(model, contact, force))
    })
}
