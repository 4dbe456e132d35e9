//! Arrays whose length changes from step to step: contacts, constraint rows, islands; and records
//! whose fields are not stored as arrays: warnings, timers, statistics of the solver.
//!
//! The engine's lists of them grow and move, so no array of Python can point into them. Instead an
//! array that Python asks for is an array of its own, remembered here until the next call:
//!
//! ```text
//! d.efc_force            made from the engine's list; asked for again, the same array
//! a call begins          what Python wrote goes into the engine's list      (collect)
//! a call has ended       arrays still in use get the new values             (publish)
//! ```
//!
//! So they read and write like views. An array whose length fits no longer keeps its last values and
//! belongs to whoever holds it. Memory stays valid whatever happens, there is nothing unsafe in it,
//! and simulations whose arrays nobody holds pay nothing.

use crate::argument::Argument;
use crate::array::{Number, Numbers, Target};
use crate::counter::Timers;
use crate::data::NativeData;
use crate::failure;
use crate::place::Held;
use crate::structure::Extent;
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArrayDyn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};
use sinew::engine::Data;
use sinew::engine::position::constraint::layout::{LayoutError, RowLayout};
use sinew::engine::position::contact::{Contact, storage};
use sinew::model::Model;
use std::sync::{Mutex, MutexGuard, OnceLock};

/// What the arrays are made of.
pub struct Source<'a> {
    /// The model of the simulation.
    pub model: &'a Model,
    /// The simulation.
    pub data: &'a mut Data,
    /// Its timers.
    pub timers: &'a mut Timers,
    /// Rows as Python wants them, until all of what it wrote is known.
    layout: Option<RowLayout>,
}

impl Source<'_> {
    /// Number of constraint rows.
    pub fn nefc(&self) -> usize {
        self.data.position.constraints.nefc()
    }

    /// What Python writes of kinds, ids and addresses of rows. It is judged as a whole.
    pub fn layout(&mut self) -> &mut RowLayout {
        let position = &self.data.position;
        self.layout.get_or_insert_with(|| {
            let mut layout = position.constraints.layout();
            layout.repeats.fill(false);
            let contacts = position.contacts.contact.len();
            layout.contact_row.resize(contacts, -1);
            layout
        })
    }

    /// Takes over rows as Python wants them.
    pub fn settle(&mut self) -> PyResult<()> {
        let Some(layout) = self.layout.take() else {
            return Ok(());
        };
        let position = &mut self.data.position;
        let contacts = position.contacts.contact.clone();
        let has_islands = position.islands.nisland > 0;
        position
            .set_rows(self.model, contacts, layout, has_islands)
            .map_err(wrong_layout)
    }
}

/// Rows or contacts that cannot be.
pub fn wrong_layout(error: LayoutError) -> PyErr {
    PyValueError::new_err(format!("there cannot be such constraint rows: {error}"))
}

type Read<T> = fn(&Source<'_>) -> Vec<T>;
type Write<T> = fn(&mut Source<'_>, &[T]) -> PyResult<()>;

/// How an array is made, and how it is taken back where Python may write.
#[derive(Clone, Copy)]
pub enum Cells {
    /// 64-bit floats.
    Numbers(Read<f64>, Option<Write<f64>>),
    /// 32-bit integers.
    Codes(Read<i32>, Option<Write<i32>>),
}

/// One array.
#[derive(Clone, Copy)]
pub struct Column {
    /// Its name; a field of a list stands behind a dot, `contact.dist`.
    pub name: &'static str,
    /// Numbers per row; `None` for a one-dimensional array.
    pub width: Option<usize>,
    /// Its contents.
    pub cells: Cells,
}

/// All arrays.
pub fn columns() -> &'static [Column] {
    static ALL: OnceLock<Vec<Column>> = OnceLock::new();
    ALL.get_or_init(|| {
        [
            crate::rows::COLUMNS,
            crate::contact::COLUMNS,
            crate::counter::COLUMNS,
        ]
        .concat()
    })
}

/// The arrays that Python has asked for since the last call, or still holds.
#[derive(Default)]
pub struct Handed(Mutex<Vec<Entry>>);

/// One array that Python has.
struct Entry {
    column: usize,
    array: Py<PyAny>,
    /// A view of it, where Python may not write: that is what Python has then.
    shown: Option<Py<PyAny>>,
}

impl Entry {
    /// The entry, unless nobody else holds the array or a part of it.
    fn if_held(self, py: Python<'_>) -> Option<Self> {
        let weak = PyWeakrefReference::new(self.array.bind(py)).ok()?;
        let shown = self.shown.as_ref();
        let shown = shown.and_then(|shown| PyWeakrefReference::new(shown.bind(py)).ok());
        drop((self.array, self.shown));
        let array = weak.upgrade()?.unbind();
        Some(Entry {
            column: self.column,
            array,
            shown: shown.and_then(|shown| Some(shown.upgrade()?.unbind())),
        })
    }
}

impl Handed {
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The array of a column and what Python has of it, if it was asked for.
    fn get<'py>(
        &self,
        py: Python<'py>,
        column: usize,
    ) -> Option<(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
        let entries = self.lock();
        let found = entries.iter().find(|entry| entry.column == column)?;
        let shown = found.shown.as_ref().map(|shown| shown.bind(py).clone());
        Some((found.array.bind(py).clone(), shown))
    }

    /// Remembers the view of an array that Python gets.
    fn show(&self, column: usize, shown: &Bound<'_, PyAny>) {
        let mut entries = self.lock();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.column == column) {
            entry.shown = Some(shown.clone().unbind());
        }
    }
}

impl NativeData {
    /// Before a call: what Python wrote goes where the engine reads it. Wrong values are an error,
    /// and are forgotten.
    pub fn collect(&self, py: Python<'_>, data: &mut Data) -> PyResult<()> {
        if self.has_lent_addresses() {
            self.check_addresses(py, data)?;
        }
        let handed = std::mem::take(&mut *self.handed.lock());
        if handed.is_empty() {
            return Ok(());
        }
        let mut kept = Vec::with_capacity(handed.len());
        let result = self.with_source(py, data, |source| {
            let mut result = Ok(());
            for entry in handed {
                match columns()[entry.column].collect(py, source, &entry.array) {
                    Ok(true) => kept.push(entry),
                    Ok(false) => {}
                    Err(error) => result = Err(error),
                }
            }
            let settled = source.settle();
            if settled.is_err() {
                // What cannot be is written over by what is.
                kept.retain(|entry: &Entry| {
                    columns()[entry.column].publish(py, source, &entry.array)
                });
            }
            result.and(settled)
        });
        self.handed.lock().extend(kept);
        result?
    }

    /// Refuses addresses that Python has written and that lead nowhere, and forgets them.
    pub fn check_addresses(&self, py: Python<'_>, data: &mut Data) -> PyResult<()> {
        let model = self.model().bind(py).get().checked(Extent::Step)?;
        data.position.check_addresses(&model).map_err(|name| {
            data.position.forget_addresses();
            PyValueError::new_err(format!("{name} leads nowhere; it was emptied"))
        })
    }

    /// After a call: arrays that somebody holds get the new values, the others are forgotten.
    pub fn publish(&self, py: Python<'_>, data: &mut Data) -> PyResult<()> {
        let handed = std::mem::take(&mut *self.handed.lock());
        let held = handed.into_iter().filter_map(|entry| entry.if_held(py));
        let mut handed: Vec<Entry> = held.collect();
        if handed.is_empty() {
            return Ok(());
        }
        self.with_source(py, data, |source| {
            handed.retain(|entry| columns()[entry.column].publish(py, source, &entry.array));
        })?;
        self.handed.lock().extend(handed);
        Ok(())
    }

    /// A call that may change the simulation: what Python wrote before it counts, what it holds
    /// shows the outcome, unless a fault has left none.
    pub fn session<T>(
        &self,
        py: Python<'_>,
        held: &mut Held<'_>,
        call: impl FnOnce(&mut Held<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        self.collect(py, held)?;
        self.anew(py, held, call)
    }

    /// A call that leaves nothing of what was there: what Python wrote before it does not count.
    pub fn anew<T>(
        &self,
        py: Python<'_>,
        held: &mut Held<'_>,
        call: impl FnOnce(&mut Held<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let outcome = call(held);
        if held.is_faulty() {
            return outcome;
        }
        let published = self.publish(py, held);
        outcome.and_then(|value| published.map(|()| value))
    }

    /// Lets work be done with what varying arrays are made of.
    pub fn with_source<T>(
        &self,
        py: Python<'_>,
        data: &mut Data,
        work: impl FnOnce(&mut Source<'_>) -> T,
    ) -> PyResult<T> {
        let model = self.model().bind(py).get().checked(Extent::Step)?;
        let mut source = Source {
            model: &model,
            data,
            timers: &mut self.timers(),
            layout: None,
        };
        self.place.guard(|| work(&mut source))
    }
}

impl Column {
    fn dtype(&self) -> &'static str {
        match self.cells {
            Cells::Numbers(..) => "float64",
            Cells::Codes(..) => "int32",
        }
    }

    fn is_writable(&self) -> bool {
        matches!(
            self.cells,
            Cells::Numbers(_, Some(_)) | Cells::Codes(_, Some(_))
        )
    }

    /// A new array.
    fn make<'py>(&self, py: Python<'py>, source: &Source<'_>) -> PyResult<Bound<'py, PyAny>> {
        match self.cells {
            Cells::Numbers(read, _) => self.shaped(py, read(source)),
            Cells::Codes(read, _) => self.shaped(py, read(source)),
        }
    }

    fn shaped<'py, T: Element>(
        &self,
        py: Python<'py>,
        values: Vec<T>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if values.is_empty() {
            // Numpy's own, as programs expect that ask whether there is anything behind it.
            let shape = self.width.map_or(vec![0], |width| vec![0, width]);
            return Ok(PyArrayDyn::<T>::zeros(py, shape, false).into_any());
        }
        let Some(width) = self.width else {
            return Ok(values.into_pyarray(py).into_any());
        };
        let shape = (values.len() / width, width);
        let table = Array2::from_shape_vec(shape, values)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(table.into_pyarray(py).into_any())
    }

    /// Takes over what was written; false if the array fits no longer.
    fn collect(
        &self,
        py: Python<'_>,
        source: &mut Source<'_>,
        array: &Py<PyAny>,
    ) -> PyResult<bool> {
        match self.cells {
            Cells::Numbers(read, Some(write)) => collect(py, source, array, read, write),
            Cells::Codes(read, Some(write)) => collect(py, source, array, read, write),
            Cells::Numbers(_, None) | Cells::Codes(_, None) => Ok(true),
        }
    }

    /// Fills an array with the present values; false if it fits no longer.
    fn publish(&self, py: Python<'_>, source: &Source<'_>, array: &Py<PyAny>) -> bool {
        match self.cells {
            Cells::Numbers(read, _) => publish(py, array, &read(source)),
            Cells::Codes(read, _) => publish(py, array, &read(source)),
        }
    }
}

fn collect<T: Number + PartialEq>(
    py: Python<'_>,
    source: &mut Source<'_>,
    array: &Py<PyAny>,
    read: Read<T>,
    write: Write<T>,
) -> PyResult<bool> {
    // Python can give an array another type or length; then it is no longer ours.
    let Some(given) = Numbers::where_they_are(array.bind(py), "values") else {
        return Ok(false);
    };
    let (given, present) = (given.slice(), read(source));
    if given.len() != present.len() {
        return Ok(false);
    }
    // Empty ones are not compared: processors stumble over an address that is none.
    if !given.is_empty() && given != present {
        write(source, given)?;
    }
    Ok(true)
}

fn publish<T: Number>(py: Python<'_>, array: &Py<PyAny>, values: &[T]) -> bool {
    let Ok(array) = Target::take(array.bind(py), "values") else {
        return false;
    };
    array.len() == values.len() && array.put(values).is_ok()
}

/// Puts blank contacts and rows in the place of those there are. If they do not fit the memory of the model there are
/// none.
pub fn make_rows(
    source: &mut Source<'_>,
    contacts: usize,
    rows: usize,
    entries: usize,
) -> PyResult<()> {
    let (model, position) = (source.model, &mut source.data.position);
    let nothing = (Vec::new(), RowLayout::default());
    position
        .set_rows(model, nothing.0, nothing.1, false)
        .map_err(wrong_layout)?;
    if !storage::fits(model, contacts, rows, entries) {
        let (number, unit) = readable(storage::limit(model));
        let message = format!(
            "Insufficient arena memory, currently allocated memory=\"{number}{unit}\". Increase using <size memory=\"X\"/>."
        );
        return Err(failure::exception("FatalError", message));
    }
    if entries > rows * model.nv || (contacts > 0 && model.ngeom == 0) {
        let message =
            format!("there cannot be {contacts} contacts and {entries} entries in {rows} rows");
        return Err(PyValueError::new_err(message));
    }
    let mut layout = RowLayout::blank(model, rows, entries);
    layout.contact_row = vec![-1; contacts];
    let blank = Contact {
        dim: 1,
        ..Contact::default()
    };
    position
        .set_rows(model, vec![blank; contacts], layout, false)
        .map_err(wrong_layout)
}

/// Keeps the first contacts, and the rows before the first of the others.
pub fn keep_contacts(source: &mut Source<'_>, count: usize) -> PyResult<()> {
    let firsts = &source.data.position.constraints.contact_efc_address;
    let gone = firsts.get(count..).unwrap_or_default().iter();
    let first = gone.filter_map(|row| usize::try_from(*row).ok()).min();
    keep_rows(source, first.unwrap_or(source.nefc()))?;
    let layout = source.layout();
    layout.contact_row.truncate(count);
    source.data.position.contacts.contact.truncate(count);
    source.settle()
}

/// Keeps the first rows. Contacts that lose some have none.
pub fn keep_rows(source: &mut Source<'_>, count: usize) -> PyResult<()> {
    let contacts = source.data.position.contacts.contact.clone();
    let layout = source.layout();
    let entries = layout.rowadr.get(count).copied();
    layout
        .colind
        .truncate(entries.map_or(layout.colind.len(), |start| start as usize));
    layout.kind.truncate(count);
    layout.id.truncate(count);
    layout.rownnz.truncate(count);
    layout.rowadr.truncate(count);
    layout.repeats.truncate(count);
    layout.forget_cut_contacts(&contacts);
    source.settle()
}

/// Bytes in the largest unit that they are a whole number of.
fn readable(bytes: usize) -> (usize, &'static str) {
    const UNITS: [&str; 4] = ["", "K", "M", "G"];
    let mut number = bytes;
    for unit in UNITS {
        if number == 0 || !number.is_multiple_of(1024) {
            return (number, unit);
        }
        number /= 1024;
    }
    (bytes, "")
}

/// Name, type, width of each array and whether it can be written.
#[pyfunction]
pub fn varying_columns() -> Vec<(&'static str, &'static str, Option<usize>, bool)> {
    let describe = |c: &Column| (c.name, c.dtype(), c.width, c.is_writable());
    columns().iter().map(describe).collect()
}

/// An array by its place in the list.
#[pyfunction]
pub fn varying<'py>(data: &Bound<'py, NativeData>, column: usize) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let own = data.get();
    let mut held = own.place.enter()?;
    let described = columns()
        .get(column)
        .ok_or_else(|| PyIndexError::new_err(format!("there is no array {column}")))?;
    let array = match own.handed.get(py, column) {
        Some((_, Some(shown))) => return Ok(shown),
        Some((array, None)) => array,
        None => {
            let array = own.with_source(py, &mut held, |source| described.make(py, source))??;
            let entry = Entry {
                column,
                array: array.clone().unbind(),
                shown: None,
            };
            own.handed.lock().push(entry);
            array
        }
    };
    // There is nothing to write in an empty one, which programs may try all the same.
    if described.is_writable() || array.len()? == 0 {
        return Ok(array);
    }
    let shown = array.call_method0("view")?;
    shown.getattr("flags")?.setattr("writeable", false)?;
    own.handed.show(column, &shown);
    Ok(shown)
}

/// Values with as many entries as asked for, filled up.
pub fn filled<T: Copy>(values: &[T], count: usize, fill: T) -> Vec<T> {
    let mut out = Vec::with_capacity(count);
    out.extend_from_slice(&values[..values.len().min(count)]);
    out.resize(count, fill);
    out
}
