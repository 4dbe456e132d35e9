//! Native part of the Python package `sinew`: the module `sinew._native`.
//!
//! It hands out a model, its arrays as numpy views and the functions that work on them. The names
//! Python users know (`MjModel`, `m.body("arm")`, enum classes) are made in Python from the tables
//! given here, so that no array is named twice.
//!
//! ```text
//! view.rs     the one place with `unsafe`: memory of a column as a numpy array
//! model.rs    a compiled model and its arrays
//! data.rs     one simulation: its arrays and the functions on it
//! contact.rs  contacts of a simulation, copied out
//! rows.rs     constraint rows of a simulation, copied out
//! query.rs    Jacobians, products with the inertia, contact forces
//! load.rs     files and text to a model
//! failure.rs  panics and load errors as Python exceptions
//! ```

mod contact;
mod data;
mod failure;
mod load;
mod model;
mod query;
mod rows;
mod view;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::model::{Model, kinds};

/// Name, row count's name, type and width of one column.
type ColumnRow = (&'static str, &'static str, &'static str, Option<usize>);

/// The columns of a model, in declaration order. A width that depends on the model is given as
/// the width in an empty model.
#[pyfunction]
fn model_columns() -> Vec<ColumnRow> {
    let model = Model::default();
    let columns = model.columns();
    columns
        .iter()
        .map(|c| (c.name, c.size, view::dtype(c.name, c.number), c.width))
        .collect()
}

/// The enum classes: name to list of (member, code), counts included.
#[pyfunction]
fn enums(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for table in kinds::ALL {
        let mut members = table.members.to_vec();
        let counts = kinds::COUNTS
            .iter()
            .filter(|(name, ..)| *name == table.name);
        members.extend(counts.map(|&(_, member, value)| (member, value)));
        tables.set_item(table.name, members)?;
    }
    Ok(tables)
}

/// Fails on purpose, so that a test can see what a fault of ours looks like from Python.
#[pyfunction]
fn fail_on_purpose() -> PyResult<()> {
    failure::guard(|| panic!("failed on purpose"))
}

/// The native module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    failure::capture_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::NativeModel>()?;
    module.add_class::<data::NativeData>()?;
    module.add_function(wrap_pyfunction!(load::load_path, module)?)?;
    module.add_function(wrap_pyfunction!(load::load_text, module)?)?;
    data::add_stages(module)?;
    module.add_function(wrap_pyfunction!(data::mj_step, module)?)?;
    module.add_function(wrap_pyfunction!(data::mj_resetData, module)?)?;
    module.add_function(wrap_pyfunction!(contact::contacts, module)?)?;
    module.add_function(wrap_pyfunction!(rows::row_fields, module)?)?;
    module.add_function(wrap_pyfunction!(rows::row_field, module)?)?;
    module.add_function(wrap_pyfunction!(query::is_jacobian_sparse, module)?)?;
    module.add_function(wrap_pyfunction!(query::point_jacobian, module)?)?;
    module.add_function(wrap_pyfunction!(query::multiply_inertia, module)?)?;
    module.add_function(wrap_pyfunction!(query::solve_inertia, module)?)?;
    module.add_function(wrap_pyfunction!(query::contact_force_in_frame, module)?)?;
    module.add_function(wrap_pyfunction!(data::mj_resetDataKeyframe, module)?)?;
    module.add_function(wrap_pyfunction!(data::data_columns, module)?)?;
    module.add_function(wrap_pyfunction!(model_columns, module)?)?;
    module.add_function(wrap_pyfunction!(enums, module)?)?;
    module.add_function(wrap_pyfunction!(fail_on_purpose, module)?)?;
    Ok(())
}
