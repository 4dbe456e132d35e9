//! Products with the inertia in joint space, solutions, and the same with half of its factor.

use crate::data::NativeData;
use crate::model::NativeModel;
use crate::query::{Matrix, ask, wrong_call};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use sinew::engine::constants;
use sinew::engine::query;

/// What the bodies weigh together.
#[pyfunction]
pub fn total_mass(model: &Bound<'_, NativeModel>) -> f64 {
    constants::total_mass(&model.get().read())
}

/// M·x.
#[pyfunction]
pub fn multiply_inertia(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    vector: Vec<f64>,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        let mut out = vec![0.0; model.nv];
        data.multiply_inertia(model, &vector, &mut out)
            .map_err(wrong_call)?;
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
        data.solve_inertia(model, &mut vector).map_err(wrong_call)?;
        Ok(vector)
    })
}

/// D^½·L·x, where M = Lᵀ·D·L.
#[pyfunction]
pub fn half_multiply_inertia(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    vector: Vec<f64>,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        let mut out = vec![0.0; model.nv];
        data.half_multiply_inertia(model, &vector, &mut out)
            .map_err(wrong_call)?;
        Ok(out)
    })
}

/// D^(−½)·L⁻ᵀ·x, with D^(−½) as given.
#[pyfunction]
pub fn half_solve_inertia(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    diagonal_inverse_sqrt: Vec<f64>,
    mut vector: Vec<f64>,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        data.half_solve_inertia(model, &diagonal_inverse_sqrt, &mut vector)
            .map_err(wrong_call)?;
        Ok(vector)
    })
}

/// A matrix in the layout of qM, written out.
#[pyfunction]
pub fn expand_inertia<'py>(
    model: &Bound<'py, NativeModel>,
    entries: Vec<f64>,
) -> PyResult<Matrix<'py>> {
    let (nv, out) = {
        let model = model.get().read();
        let mut out = vec![0.0; model.nv * model.nv];
        query::expand_inertia(&model, &entries, &mut out).map_err(wrong_call)?;
        (model.nv, out)
    };
    PyArray1::from_vec(model.py(), out).reshape([nv, nv])
}
