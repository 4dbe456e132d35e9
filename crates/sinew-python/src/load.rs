//! From files and text to a model.
//!
//! The interpreter lock is released while loading. What the loader has to say becomes
//! `sinew.Diagnostic` objects: warnings beside the model, errors in a `sinew.LoadError`.

use crate::failure;
use crate::interrupt::Interrupt;
use crate::model::NativeModel;
use crate::room;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use sinew::mjcf::read::print::{self, Layout};
use sinew::mjcf::{Diagnostic, Limits, LoadError, Loaded, Loader, Severity};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Files in memory, by name.
pub type Assets = BTreeMap<String, PyBackedBytes>;

/// A model, and warnings about it.
pub type Answer<'py> = (NativeModel, Vec<Bound<'py, PyAny>>);

/// Loads a file; a name that is one of the assets is taken from there.
#[pyfunction]
pub fn load_path(
    py: Python<'_>,
    path: PathBuf,
    assets: Assets,
    folder: Option<PathBuf>,
    memory: Option<u64>,
    load_time: Option<f64>,
) -> PyResult<Answer<'_>> {
    let loader = loader(folder, memory, load_time)?;
    load(py, assets, loader, move |loader| {
        loader.load_path(&path.to_string_lossy())
    })
}

/// Loads a model from text.
#[pyfunction]
pub fn load_text(
    py: Python<'_>,
    xml: String,
    assets: Assets,
    folder: Option<PathBuf>,
    memory: Option<u64>,
    load_time: Option<f64>,
) -> PyResult<Answer<'_>> {
    let loader = loader(folder, memory, load_time)?;
    load(py, assets, loader, move |loader| loader.load_text(&xml))
}

/// A loader that is confined to a folder and may use so much memory, in bytes, and time, in seconds.
pub fn loader(
    folder: Option<PathBuf>,
    memory: Option<u64>,
    load_time: Option<f64>,
) -> PyResult<Loader> {
    let mut limits = Limits {
        memory,
        ..Limits::default()
    };
    if let Some(seconds) = load_time {
        limits.load_time = Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err(format!("load_time is no number of seconds: {seconds}"))
        })?;
    }
    let loader = Loader::new().limits(limits);
    Ok(match folder {
        Some(folder) => loader.confined_to(folder),
        None => loader,
    })
}

/// Runs a loader over files in memory, without the interpreter lock.
pub fn load<'py>(
    py: Python<'py>,
    assets: Assets,
    loader: Loader,
    run: impl FnOnce(Loader) -> Result<Loaded, LoadError> + Send,
) -> PyResult<Answer<'py>> {
    match read(py, assets, loader, run)? {
        Ok(loaded) => Ok((
            NativeModel::new(loaded.model),
            diagnostics(py, &loaded.warnings)?,
        )),
        Err(error) => Err(refusal(py, &error)?),
    }
}

/// Reads something with a loader over files in memory, without the interpreter lock, until Ctrl-C.
pub fn read<T: Send>(
    py: Python<'_>,
    assets: Assets,
    loader: Loader,
    run: impl FnOnce(Loader) -> Result<T, LoadError> + Send,
) -> PyResult<Result<T, LoadError>> {
    let copied: u64 = assets.values().map(|bytes| bytes.len() as u64).sum();
    room::check(copied, "a copy of assets")?;
    let interrupt = Arc::new(Interrupt::new());
    let watched = Arc::clone(&interrupt);
    let loader = loader.while_wanted(move || watched.goes_on());
    let outcome = py.detach(move || failure::guard(move || run(with_assets(loader, &assets))));
    interrupt.raise()?;
    outcome
}

/// A loader that finds files in memory.
fn with_assets(loader: Loader, assets: &Assets) -> Loader {
    let add =
        |loader: Loader, (name, bytes): (&String, &PyBackedBytes)| loader.asset(name, &**bytes);
    assets.iter().fold(loader, add)
}

/// The exception for a model that does not load.
pub fn refusal(py: Python<'_>, error: &LoadError) -> PyResult<PyErr> {
    let list = diagnostics(py, &error.diagnostics)?;
    let class = py.import("sinew.errors")?.getattr("LoadError")?;
    Ok(PyErr::from_value(class.call1((list,))?))
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

/// All elements of a model file with the attributes they take, as text or as an HTML table.
#[pyfunction]
pub fn schema_text(is_html: bool, is_padded: bool) -> String {
    print::print(match (is_html, is_padded) {
        (false, _) => Layout::Plain,
        (true, true) => Layout::Padded,
        (true, false) => Layout::Spaced,
    })
}
