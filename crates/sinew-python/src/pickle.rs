//! Models and simulations as bytes, for pickles.
//!
//! ```text
//! tag · sizes · columns · options, statistics and visuals · laws · checksum      a model
//! tag · time · length of columns · columns · what varies · checksum              a simulation
//! ```
//!
//! Columns stand in the order of their declaration, in this machine's order of bytes; the sizes tell how long they are.
//! Nothing is believed: sizes are compared with what is there before memory is reserved, and a model is verified like
//! one that was loaded. The checksum tells apart bytes that were changed on their way, by accident at least.

use crate::data::{NativeData, for_each_column};
use crate::kept;
use crate::law;
use crate::model::NativeModel;
use crate::structure::Extent;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::engine::Data;
use sinew::engine::constants::verify;
use sinew::model::Model;
use sinew::model::column::ColumnMut;
use sinew::model::options::{Options, Statistic, Visual};
use std::io::Write;

const MODEL: &[u8] = b"sinew model 2\n";
const DATA: &[u8] = b"sinew data 3\n";
const NUMBER: usize = 8;
/// No array has more entries; what fewer need is compared with the memory there is.
const MOST: usize = 1 << 40;

/// Four sums side by side, each of which takes two words with one product, so that a processor takes 64 bytes in a few
/// cycles. They begin with what no words are by chance: a product with zero would forget the other factor.
fn checksum(bytes: &[u8]) -> u64 {
    const KEY: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, [first, second]: [[u8; NUMBER]; 2]| {
        let factors = (
            sum ^ u64::from_le_bytes(first),
            KEY ^ u64::from_le_bytes(second),
        );
        let product = u128::from(factors.0) * u128::from(factors.1);
        product as u64 ^ (product >> 64) as u64
    };
    let (words, rest) = bytes.as_chunks::<NUMBER>();
    let (pairs, single) = words.as_chunks::<2>();
    let (blocks, pairs) = pairs.as_chunks::<4>();
    let mut sums = [1, 2, 3, 4].map(|lane| KEY.rotate_left(13 * lane));
    for block in blocks {
        for (sum, pair) in sums.iter_mut().zip(block) {
            *sum = mix(*sum, *pair);
        }
    }
    let mut last = [[0; NUMBER]; 2];
    last[0][..rest.len()].copy_from_slice(rest);
    last[1] = single.first().copied().unwrap_or_default();
    let length = KEY.wrapping_add(bytes.len() as u64);
    let total = pairs.iter().copied().chain([last]).fold(length, mix);
    sums.iter().fold(total, |total, sum| {
        mix(total, [sum.to_le_bytes(), [0; NUMBER]])
    })
}

/// Bytes with their checksum behind them.
#[pyfunction]
pub fn seal<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    sealed(py, bytes.len(), |room| Ok(room.write_all(bytes)?))
}

/// So many bytes with their checksum behind them, written where they stay: a second piece of memory of that size would
/// be given back and asked for again by every pickle, which takes longer than to write it.
fn sealed<'py>(
    py: Python<'py>,
    length: usize,
    write: impl FnOnce(&mut &mut [u8]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, length + NUMBER, |room| {
        let (content, sum) = room.split_at_mut(length);
        write(&mut &mut *content)?;
        sum.copy_from_slice(&checksum(content).to_le_bytes());
        Ok(())
    })
}

/// What stands between the tag and the checksum, if both are right.
fn opened<'a>(bytes: &'a [u8], tag: &[u8], what: &str) -> PyResult<&'a [u8]> {
    let wrong = |why: &str| PyValueError::new_err(format!("this is no {what} of sinew: {why}"));
    let (content, sum) = bytes
        .split_last_chunk::<NUMBER>()
        .ok_or_else(|| wrong("there are too few bytes"))?;
    let inside = content.strip_prefix(tag);
    let inside = inside.ok_or_else(|| wrong("it begins with something else"))?;
    if checksum(content) != u64::from_le_bytes(*sum) {
        return Err(wrong("the checksum does not fit"));
    }
    Ok(inside)
}

/// Sizes that are no lengths of columns.
fn limits(model: &Model) -> [i64; 4] {
    [model.nemax, model.njmax, model.nconmax, model.narena]
}

/// Options, statistics and visuals, field by field.
fn for_each_field(
    (opt, stat, vis): (&mut Options, &mut Statistic, &mut Visual),
    mut call: impl FnMut(&mut ColumnMut<'_>),
) {
    let records = [
        opt.fields_mut(),
        stat.fields_mut(),
        vis.global.fields_mut(),
        vis.quality.fields_mut(),
        vis.headlight.fields_mut(),
        vis.map.fields_mut(),
        vis.scale.fields_mut(),
        vis.rgba.fields_mut(),
    ];
    for mut fields in records {
        fields.iter_mut().for_each(&mut call);
    }
}

/// A model as bytes.
#[pyfunction]
pub fn model_bytes<'py>(model: &Bound<'py, NativeModel>) -> PyResult<Bound<'py, PyBytes>> {
    let own = model.get().checked(Extent::Rays)?;
    let mut head = MODEL.to_vec();
    let sizes = own.sizes().into_iter().map(|(_, size)| size as i64);
    for size in sizes.chain(limits(&own)) {
        head.extend_from_slice(&size.to_le_bytes());
    }
    let mut tail = Vec::new();
    let (mut opt, mut stat, mut vis) = (own.opt.clone(), own.stat.clone(), own.vis.clone());
    for_each_field((&mut opt, &mut stat, &mut vis), |field| {
        tail.extend_from_slice(field.bytes);
    });
    law::write(&own, &mut tail);
    let columns = own.columns();
    let length: usize = columns.iter().map(|column| column.bytes.len()).sum();
    sealed(model.py(), head.len() + length + tail.len(), |room| {
        room.write_all(&head)?;
        for column in columns {
            room.write_all(column.bytes)?;
        }
        Ok(room.write_all(&tail)?)
    })
}

/// The model that bytes were made of.
#[pyfunction]
pub fn model_from_bytes(bytes: &[u8]) -> PyResult<NativeModel> {
    let mut rest = opened(bytes, MODEL, "model")?;
    let mut model = Model::default();
    let names = model.sizes();
    for (name, _) in names {
        let size = usize::try_from(number(&mut rest, name)?).map_err(|_| misfit(name))?;
        if size > MOST {
            return Err(misfit(name));
        }
        model.unchecked().set_size(name, size);
    }
    let own = model.unchecked();
    own.nemax = number(&mut rest, "nemax")?;
    own.njmax = number(&mut rest, "njmax")?;
    own.nconmax = number(&mut rest, "nconmax")?;
    own.narena = number(&mut rest, "narena")?;
    let mut records = 0;
    let fields = (&mut model.opt, &mut model.stat, &mut model.vis);
    for_each_field(fields, |field| records += field.bytes.len() as u64);
    let expected = model.byte_size().checked_add(records);
    if expected.is_none_or(|expected| expected > rest.len() as u64) {
        return Err(misfit("the sizes"));
    }
    // Plugins have no state of their own to make room for.
    if model.nplugin == 0 && model.npluginstate > 0 {
        return Err(misfit("npluginstate"));
    }
    model.unchecked().allocate();
    for column in model.unchecked().columns_mut() {
        fill(column.bytes, &mut rest);
    }
    let fields = (&mut model.opt, &mut model.stat, &mut model.vis);
    for_each_field(fields, |field| fill(field.bytes, &mut rest));
    verify(&model).map_err(|error| misfit(error.column))?;
    law::read(&mut model, rest).ok_or_else(|| misfit("what it says of laws"))?;
    model.unchecked().signature = model.structure_signature();
    Ok(NativeModel::new(model))
}

fn misfit(what: &str) -> PyErr {
    PyValueError::new_err(format!("this is no model of sinew: {what} does not fit"))
}

fn number(rest: &mut &[u8], name: &str) -> PyResult<i64> {
    let (first, others) = rest.split_first_chunk().ok_or_else(|| misfit(name))?;
    *rest = others;
    Ok(i64::from_le_bytes(*first))
}

/// Takes as many bytes as there is room for; those that are missing stay as they are.
fn fill(room: &mut [u8], rest: &mut &[u8]) {
    let (first, others) = rest.split_at(room.len().min(rest.len()));
    room[..first.len()].copy_from_slice(first);
    *rest = others;
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
    let mut varying = Vec::new();
    own.with_source(py, &mut held, |source| kept::write(source, &mut varying))?;
    let columns = column_bytes(&mut held)?;
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
    let rest = opened(bytes, DATA, "data")?;
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
