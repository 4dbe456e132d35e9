//! Mesh vertices in the hands of Python.
//!
//! Simulations keep what they have derived from the vertices of a model as long as the model has the
//! same version, and nobody hears of what Python writes through an array. Hence every array of
//! vertices stands on a loan, which numpy keeps as long as the array or a part of it lives:
//!
//! ```text
//! m.mesh_vert                 a loan begins
//! a call, a loan lives        the model gets a new version: vertices may have been written
//! the last array is dropped   the loan ends; the next call gives a new version once more
//! ```
//!
//! Models whose vertices nobody has pay nothing.

use crate::model::NativeModel;
use pyo3::prelude::*;
use sinew::model::Model;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The loans of one model's vertices.
#[derive(Default)]
pub struct Loans {
    living: AtomicUsize,
    /// One has ended since the last call.
    has_ended: AtomicBool,
}

impl Loans {
    /// Gives the model a new version if its vertices may have been written since the last call.
    pub fn settle(&self, model: &Model) {
        let has_ended =
            self.has_ended.load(Ordering::Relaxed) && self.has_ended.swap(false, Ordering::AcqRel);
        if has_ended || self.living.load(Ordering::Acquire) > 0 {
            model.note_written();
        }
    }
}

/// What an array of a model shows, lent: numpy makes arrays of it.
#[pyclass(module = "sinew._native", frozen)]
pub struct Loan {
    model: Py<NativeModel>,
    array: Py<PyAny>,
}

impl Loan {
    /// Begins a loan.
    pub fn new(model: &Bound<'_, NativeModel>, array: Py<PyAny>) -> Self {
        model.get().loans.living.fetch_add(1, Ordering::AcqRel);
        let model = model.clone().unbind();
        Loan { model, array }
    }
}

#[pymethods]
impl Loan {
    /// Where the numbers are, as numpy asks for it.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array.bind(py).getattr("__array_interface__")
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        let loans = &self.model.get().loans;
        loans.has_ended.store(true, Ordering::Release);
        loans.living.fetch_sub(1, Ordering::AcqRel);
    }
}
