//! State and input of a simulation as one vector.

use crate::data::NativeData;
use crate::failure;
use crate::model::NativeModel;
use crate::query::ask;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::state_vector::{self, StateError};

fn wrong(error: StateError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Numbers in the chosen components.
#[pyfunction]
pub fn state_size(model: &Bound<'_, NativeModel>, components: i32) -> PyResult<usize> {
    state_vector::state_size(&model.get().read(), components).map_err(wrong)
}

/// The chosen components.
#[pyfunction]
pub fn get_state(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    components: i32,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        let size = state_vector::state_size(model, components).map_err(wrong)?;
        let mut out = vec![0.0; size];
        let done = data.get_state(model, components, &mut out);
        done.map_err(wrong)?;
        Ok(out)
    })
}

/// Sets the chosen components.
#[pyfunction]
pub fn set_state(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    state: Vec<f64>,
    components: i32,
) -> PyResult<()> {
    ask(model, data, |model, data| {
        data.set_state(model, components, &state).map_err(wrong)
    })
}

/// Some components of a vector that has them and others.
#[pyfunction]
pub fn extract_state(
    model: &Bound<'_, NativeModel>,
    source: Vec<f64>,
    source_components: i32,
    components: i32,
) -> PyResult<Vec<f64>> {
    let model = model.get().read();
    let size = state_vector::state_size(&model, components).map_err(wrong)?;
    let mut out = vec![0.0; size];
    let take =
        || state_vector::extract_state(&model, &source, source_components, &mut out, components);
    failure::guard(take)?.map_err(wrong)?;
    Ok(out)
}

/// Copies the chosen components of another simulation.
#[pyfunction]
pub fn copy_state(
    model: &Bound<'_, NativeModel>,
    source: &Bound<'_, NativeData>,
    target: &Bound<'_, NativeData>,
    components: i32,
) -> PyResult<()> {
    source.get().check_fits(model)?;
    target.get().check_fits(model)?;
    if source.is(target) {
        return Ok(());
    }
    let source = source.get().place.enter()?;
    let to = &target.get().place;
    let mut target = to.enter()?;
    to.guard(|| target.copy_state(&source, components))?
        .map_err(wrong)
}
