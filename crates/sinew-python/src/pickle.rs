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
use sinew::engine::Data;
use sinew::engine::saved::{self, SavedError, fill};

const DATA: &[u8] = b"sinew data 2\n";
const NUMBER: usize = 8;

fn failure(error: SavedError) -> PyErr {
    match error {
        SavedError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        wrong => PyValueError::new_err(wrong.to_string()),
    }
}

/// Bytes with their checksum behind them.
#[pyfunction]
pub fn seal<'py>(py: Python<'py>, mut bytes: Vec<u8>) -> Bound<'py, PyBytes> {
    saved::seal(&mut bytes);
    PyBytes::new(py, &bytes)
}

/// A model as bytes.
#[pyfunction]
pub fn model_bytes<'py>(model: &Bound<'py, NativeModel>) -> PyResult<Bound<'py, PyBytes>> {
    let own = model.get().checked(Extent::Rays)?;
    room::check(own.byte_size().saturating_mul(2), "a saved model")?;
    let bytes = saved::to_bytes(&own).map_err(failure)?;
    PyBytes::new_with(model.py(), bytes.len(), |room| {
        room.copy_from_slice(&bytes);
        Ok(())
    })
}

/// The model that bytes were made of.
#[pyfunction]
pub fn model_from_bytes(bytes: &[u8]) -> PyResult<NativeModel> {
    // The model, and a copy of it that is compared.
    room::check((bytes.len() as u64).saturating_mul(2), "a saved model")?;
    let model = crate::failure::guard(|| saved::from_bytes(bytes))?;
    Ok(NativeModel::new(model.map_err(failure)?))
}

/// Bytes that the columns of a simulation take.
fn column_bytes(data: &mut Data) -> PyResult<u64> {
    let mut length = 0;
    for_each_column(data, |column| {
        length += column.bytes.len() as u64;
        Ok(())
    })?;
    Ok(length)
}

/// A simulation as bytes, contacts and constraint rows included.
#[pyfunction]
pub fn data_bytes<'py>(data: &Bound<'py, NativeData>) -> PyResult<Bound<'py, PyBytes>> {
    let (py, own) = (data.py(), data.get());
    let mut held = own.place.enter()?;
    own.collect(py, &mut held)?;
    room::check(
        column_bytes(&mut held)?.saturating_mul(3),
        "a saved simulation",
    )?;
    let mut bytes = DATA.to_vec();
    bytes.extend_from_slice(&held.state.time.to_le_bytes());
    bytes.extend_from_slice(&column_bytes(&mut held)?.to_le_bytes());
    for_each_column(&mut held, |column| {
        bytes.extend_from_slice(column.bytes);
        Ok(())
    })?;
    own.with_source(py, &mut held, |source| kept::write(source, &mut bytes))?;
    Ok(seal(py, bytes))
}

/// Makes a simulation what bytes have kept of one.
#[pyfunction]
pub fn restore_data(data: &Bound<'_, NativeData>, bytes: &[u8]) -> PyResult<()> {
    let rest = saved::open(bytes, DATA, "data").map_err(failure)?;
    let own = data.get();
    let mut held = own.place.enter()?;
    let expected = column_bytes(&mut held)?;
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
