//! Models and simulations as bytes, for pickles. Those of a model are [`sinew::engine::saved`]'s; those of a simulation:
//!
//! ```text
//! tag · time · length of columns · columns · what varies · checksum
//! ```

use crate::data::{NativeData, for_each_column};
use crate::kept;
use crate::model::NativeModel;
use crate::room;
use crate::structure::Extent;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::engine::saved::{self, Saved, SavedError, fill};
use std::io::Write;

const DATA: &[u8] = b"sinew data 3\n";
const NUMBER: usize = 8;

fn failure(error: SavedError) -> PyErr {
    match error {
        SavedError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        wrong => PyValueError::new_err(wrong.to_string()),
    }
}

/// So many bytes with their checksum behind them.
fn sealed<'py>(
    py: Python<'py>,
    length: usize,
    write: impl FnOnce(&mut &mut [u8]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, saved::sealed_length(length), |room| {
        saved::write_sealed(room, write)
    })
}

/// Bytes with their checksum behind them.
#[pyfunction]
pub fn seal<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    sealed(py, bytes.len(), |room| Ok(room.write_all(bytes)?))
}

/// A model as bytes.
#[pyfunction]
pub fn model_bytes<'py>(model: &Bound<'py, NativeModel>) -> PyResult<Bound<'py, PyBytes>> {
    let own = model.get().checked(Extent::Rays)?;
    let saved = Saved::new(&own);
    room::check(saved.length() as u64, "a saved model")?;
    PyBytes::new_with(model.py(), saved.length(), |room| Ok(saved.write(room)?))
}

/// The model that bytes were made of.
#[pyfunction]
pub fn model_from_bytes(bytes: &[u8]) -> PyResult<NativeModel> {
    // The model, and a copy of it that is compared.
    room::check((bytes.len() as u64).saturating_mul(2), "a saved model")?;
    let model = crate::failure::guard(|| saved::from_bytes(bytes))?;
    Ok(NativeModel::new(model.map_err(failure)?))
}

/// A simulation as bytes, contacts and constraint rows included.
#[pyfunction]
pub fn data_bytes<'py>(data: &Bound<'py, NativeData>) -> PyResult<Bound<'py, PyBytes>> {
    let (py, own) = (data.py(), data.get());
    let mut held = own.place.enter()?;
    own.collect(py, &mut held)?;
    let columns = own.column_bytes(&mut held)?;
    // What varies is written once more on its way.
    room::check(columns.saturating_mul(3), "a saved simulation")?;
    let mut varying = Vec::with_capacity(columns as usize / 2);
    own.with_source(py, &mut held, |source| kept::write(source, &mut varying))?;
    let length = DATA.len() + 2 * NUMBER + columns as usize + varying.len();
    sealed(py, length, |room| {
        room.write_all(DATA)?;
        room.write_all(&held.state.time.to_le_bytes())?;
        room.write_all(&columns.to_le_bytes())?;
        for_each_column(&mut held, |column| Ok(room.write_all(column.bytes)?))?;
        Ok(room.write_all(&varying)?)
    })
}

/// Makes a simulation what bytes have kept of one.
#[pyfunction]
pub fn restore_data(data: &Bound<'_, NativeData>, bytes: &[u8]) -> PyResult<()> {
    let rest = saved::open(bytes, DATA, "data").map_err(failure)?;
    let own = data.get();
    let mut held = own.place.enter()?;
    let expected = own.column_bytes(&mut held)?;
    let header = rest.split_first_chunk::<NUMBER>();
    let header = header.and_then(|(time, rest)| Some((time, rest.split_first_chunk()?)));
    let Some((time, (length, mut rest))) = header else {
        return Err(PyValueError::new_err(
            "this is no data of the model: it is empty",
        ));
    };
    let found = u64::from_le_bytes(*length);
    if found != expected || (rest.len() as u64) < found {
        let message = format!("this is no data of the model: {found} bytes, not {expected}");
        return Err(PyValueError::new_err(message));
    }
    let seconds = f64::from_le_bytes(*time);
    if !seconds.is_finite() {
        let message = format!("time must be finite, not {seconds}");
        return Err(PyValueError::new_err(message));
    }
    held.state.time = seconds;
    for_each_column(&mut held, |column| {
        fill(column.bytes, &mut rest);
        Ok(())
    })?;
    own.check_addresses(data.py(), &mut held)?;
    own.with_source(data.py(), &mut held, |source| kept::read(source, rest))?
}
