//! The contacts of a simulation, copied into arrays of one field each.
//!
//! Contacts come and go with every step, so these are copies, unlike the arrays of fixed length.
//! They refuse to be written, since that would change nothing.

use crate::data::NativeData;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::engine::position::contact::Contact;

/// All contacts: field name to array, a row per contact.
#[pyfunction]
pub fn contacts<'py>(data: &Bound<'py, NativeData>) -> PyResult<Bound<'py, PyDict>> {
    let py = data.py();
    let guard = data.get().write()?;
    let list = &guard.position.contacts.contact;
    let fields = PyDict::new(py);
    fields.set_item("dist", scalars(py, list, |c| c.dist))?;
    fields.set_item("pos", rows(py, list, |c| c.pos.0)?)?;
    fields.set_item("frame", rows(py, list, |c| c.frame.0)?)?;
    fields.set_item("includemargin", scalars(py, list, |c| c.includemargin))?;
    fields.set_item("friction", rows(py, list, |c| c.friction)?)?;
    fields.set_item("solref", rows(py, list, |c| c.solref)?)?;
    fields.set_item("solreffriction", rows(py, list, |c| c.solreffriction)?)?;
    fields.set_item("solimp", rows(py, list, |c| c.solimp)?)?;
    fields.set_item("mu", scalars(py, list, |c| c.mu))?;
    fields.set_item("dim", scalars(py, list, |c| c.dim))?;
    fields.set_item("geom", rows(py, list, |c| c.geom)?)?;
    fields.set_item("geom1", scalars(py, list, |c| c.geom[0]))?;
    fields.set_item("geom2", scalars(py, list, |c| c.geom[1]))?;
    fields.set_item("exclude", scalars(py, list, |c| c.exclude))?;
    fields.set_item("flex", rows(py, list, |_| [-1_i32; 2])?)?;
    fields.set_item("elem", rows(py, list, |_| [-1_i32; 2])?)?;
    fields.set_item("vert", rows(py, list, |_| [-1_i32; 2])?)?;
    fields.set_item("H", rows(py, list, |_| [0.0_f64; 36])?)?;
    fields.set_item("efc_address", scalars(py, list, |c| c.efc_address))?;
    for array in fields.values() {
        array.getattr("flags")?.setattr("writeable", false)?;
    }
    Ok(fields)
}

/// One number per contact.
fn scalars<'py, T: Element>(
    py: Python<'py>,
    list: &[Contact],
    field: impl Fn(&Contact) -> T,
) -> Bound<'py, PyArray1<T>> {
    PyArray1::from_iter(py, list.iter().map(field))
}

/// `N` numbers per contact.
fn rows<'py, T: Element, const N: usize>(
    py: Python<'py>,
    list: &[Contact],
    field: impl Fn(&Contact) -> [T; N],
) -> PyResult<Bound<'py, PyArray2<T>>> {
    PyArray1::from_iter(py, list.iter().flat_map(field)).reshape([list.len(), N])
}
