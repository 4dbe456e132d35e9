//! From files and text to a model.
//!
//! The interpreter lock is released while loading. What the loader has to say becomes
//! `sinew.Diagnostic` objects: warnings beside the model, errors in a `sinew.LoadError`.

use crate::failure;
use crate::model::NativeModel;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use sinew::mjcf::{Diagnostic, LoadError, Loaded, Loader, Severity};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Files in memory, by name.
type Assets = BTreeMap<String, PyBackedBytes>;

/// A model, and warnings about it.
type Answer<'py> = (NativeModel, Vec<Bound<'py, PyAny>>);

/// Loads a file; a name that is one of the assets is taken from there.
#[pyfunction]
pub fn load_path(py: Python<'_>, path: PathBuf, assets: Assets) -> PyResult<Answer<'_>> {
    load(py, assets, move |loader| {
        loader.load_path(&path.to_string_lossy())
    })
}

/// Loads a model from text.
#[pyfunction]
pub fn load_text(py: Python<'_>, xml: String, assets: Assets) -> PyResult<Answer<'_>> {
    load(py, assets, move |loader| loader.load_text(&xml))
}

fn load<'py>(
    py: Python<'py>,
    assets: Assets,
    run: impl FnOnce(Loader) -> Result<Loaded, LoadError> + Send,
) -> PyResult<Answer<'py>> {
    let outcome = py.detach(move || {
        failure::guard(move || {
            let add = |loader: Loader, (name, bytes): (&String, &PyBackedBytes)| {
                loader.asset(name, &**bytes)
            };
            run(assets.iter().fold(Loader::default(), add))
        })
    })?;
    match outcome {
        Ok(loaded) => Ok((
            NativeModel::new(loaded.model),
            diagnostics(py, &loaded.warnings)?,
        )),
        Err(error) => {
            let list = diagnostics(py, &error.diagnostics)?;
            let class = py.import("sinew.errors")?.getattr("LoadError")?;
            Err(PyErr::from_value(class.call1((list,))?))
        }
    }
}

/// The diagnostics as Python objects.
fn diagnostics<'py>(py: Python<'py>, list: &[Diagnostic]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let class = py.import("sinew.errors")?.getattr("Diagnostic")?;
    let make = |diagnostic: &Diagnostic| {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        class.call1((
            diagnostic.code,
            severity,
            &diagnostic.file,
            diagnostic.line,
            diagnostic.column,
            &diagnostic.element,
            &diagnostic.attribute,
            &diagnostic.message,
            &diagnostic.hint,
            diagnostic.to_string(),
            diagnostic.render(),
        ))
    };
    list.iter().map(make).collect()
}
