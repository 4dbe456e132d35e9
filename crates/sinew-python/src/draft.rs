//! A model under construction, for `MjSpec`.
//!
//! Elements are numbers here; the classes that Python users see are made in Python from
//! [`draft_fields`]. Lists of numbers are given out with the memory they lie in, so that arrays over
//! them can be written in place.

use crate::load::{self, Answer, Assets};
use crate::model::NativeModel;
use crate::room;
use crate::structure::Extent;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use sinew::mjcf::edit::field::FieldKind;
use sinew::mjcf::edit::shared::{Shared, SharedNumber};
use sinew::mjcf::edit::{Draft, EditError, Field, Id, Kind, Value};
use std::any::Any;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of an element, roughly, and of a class, which has one of each kind.
const ELEMENT: u64 = 5 << 10;
const CLASS: u64 = 50 << 10;

/// A model under construction.
#[pyclass(name = "Draft", module = "sinew._native", frozen)]
pub struct NativeDraft(Mutex<Draft>);

/// Numbers of an element: numpy makes arrays of it.
#[pyclass(name = "Numbers", module = "sinew._native", frozen)]
pub struct Numbers {
    /// Keeps the memory.
    _memory: Arc<dyn Any + Send + Sync>,
    start: usize,
    count: usize,
    kind: &'static str,
}

#[pymethods]
impl Numbers {
    /// Where the numbers are, as numpy asks for it.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.count,))?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("data", (self.start, false))?;
        Ok(interface)
    }
}

/// Numbers with their memory.
fn numbers<T: SharedNumber>(numbers: &Shared<T>, kind: &'static str) -> Numbers
where
    T::Word: 'static,
{
    let words = numbers.words();
    Numbers {
        start: words.as_ptr().expose_provenance(),
        count: words.len(),
        _memory: Arc::new(words),
        kind,
    }
}

/// What went wrong, as the exception that the reference raises.
fn exception(error: EditError) -> PyErr {
    let text = error.to_string();
    match error {
        EditError::NoField { .. } => PyAttributeError::new_err(text),
        EditError::WrongType { .. } => PyTypeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// The kind with a name.
fn kind(word: &str) -> PyResult<Kind> {
    let found = Kind::ALL.iter().find(|kind| kind.word() == word);
    found
        .copied()
        .ok_or_else(|| PyKeyError::new_err(word.to_string()))
}

fn indices(ids: Vec<Id>) -> Vec<usize> {
    ids.into_iter().map(Id::index).collect()
}

impl NativeDraft {
    fn lock(&self) -> MutexGuard<'_, Draft> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy, if there is memory for it.
    fn cloned(&self) -> PyResult<Draft> {
        let draft = self.lock();
        room::check(draft.byte_size(), "a copy of a specification")?;
        Ok(draft.clone())
    }

    fn new(draft: Draft) -> Self {
        NativeDraft(Mutex::new(draft))
    }
}

#[pymethods]
impl NativeDraft {
    /// An empty model.
    #[new]
    fn empty() -> Self {
        NativeDraft::new(Draft::new())
    }

    /// Reads a file, or text if there is no file.
    #[staticmethod]
    fn read(py: Python<'_>, path: Option<PathBuf>, xml: String, assets: Assets) -> PyResult<Self> {
        let loader = load::loader(None, None, None)?;
        let outcome = load::read(py, assets, loader, move |loader| match path {
            Some(path) => loader.read_draft_path(&path.to_string_lossy()),
            None => loader.read_draft_text(&xml),
        });
        match outcome? {
            Ok(draft) => Ok(NativeDraft::new(draft)),
            Err(error) => Err(load::refusal(py, &error)?),
        }
    }

    /// A model of its own with the same contents and numbers.
    fn copy(&self) -> PyResult<Self> {
        Ok(NativeDraft::new(self.cloned()?))
    }

    /// Compiles the model. Lines in messages are numbers of elements, from 1.
    fn compile<'py>(&self, py: Python<'py>, assets: Assets) -> PyResult<Answer<'py>> {
        // Elements are written for the compiler before it takes them: numbers of four bytes as text.
        const WRITTEN: u64 = 10;
        let written = self.lock().byte_size().saturating_mul(WRITTEN);
        room::check(written, "a specification for the compiler")?;
        let draft = self.cloned()?;
        let loader = load::loader(None, None, None)?;
        load::load(py, assets, loader, move |loader| draft.compile(&loader))
    }

    /// The text of the model, with the values of what it was compiled to.
    fn to_text<'py>(&self, py: Python<'py>, model: &NativeModel) -> PyResult<Bound<'py, PyString>> {
        room::check(self.lock().byte_size(), "the text of a model")?;
        let text = self.lock().to_text(&*model.checked(Extent::Rays)?);
        let text = text.or_else(|error| Err(load::refusal(py, &error)?))?;
        room::check(text.len() as u64, "the text of a model")?;
        PyString::from_bytes(py, text.as_bytes())
    }

    /// The world body of one of the models.
    fn world(&self, model: usize) -> usize {
        self.lock().world_of(model).index()
    }

    /// The settings of a kind.
    fn setting(&self, model: usize, word: &str) -> PyResult<Option<usize>> {
        Ok(self.lock().setting(model, kind(word)?).map(Id::index))
    }

    /// Adds an element of the tree.
    fn add(&self, word: &str, place: usize, class: Option<usize>) -> PyResult<usize> {
        room::check(ELEMENT, "an element")?;
        let class = class.map(Id::from_index);
        let added = self.lock().add(kind(word)?, Id::from_index(place), class);
        added.map(Id::index).map_err(exception)
    }

    /// Adds an element outside the tree.
    fn add_listed(&self, word: &str, model: usize, class: Option<usize>) -> PyResult<usize> {
        room::check(ELEMENT, "an element")?;
        let class = class.map(Id::from_index);
        let added = self.lock().add_listed(kind(word)?, model, class);
        added.map(Id::index).map_err(exception)
    }

    /// Adds a default class.
    fn add_class(&self, name: &str, model: usize, above: Option<usize>) -> PyResult<usize> {
        room::check(CLASS, "a class")?;
        let added = self
            .lock()
            .add_class(name, model, above.map(Id::from_index));
        added.map(Id::index).map_err(exception)
    }

    /// The class `main`.
    fn main_class(&self, model: usize) -> Option<usize> {
        self.lock().main_class(model).map(Id::index)
    }

    /// The element of a kind that has a name.
    fn find(&self, model: usize, word: &str, name: &str) -> PyResult<Option<usize>> {
        Ok(self.lock().find(model, kind(word)?, name).map(Id::index))
    }

    /// All elements of a kind.
    fn list(&self, model: usize, word: &str) -> PyResult<Vec<usize>> {
        Ok(indices(self.lock().list(model, kind(word)?)))
    }

    /// The elements of a kind in a body.
    fn children(&self, id: usize, word: &str) -> PyResult<Vec<usize>> {
        Ok(indices(
            self.lock().children(Id::from_index(id), kind(word)?),
        ))
    }

    /// The elements of a kind in a body and the bodies below it.
    fn descendants(&self, id: usize, word: &str) -> PyResult<Vec<usize>> {
        Ok(indices(
            self.lock().descendants(Id::from_index(id), kind(word)?),
        ))
    }

    /// Kind, name, class, parent, frame and model of an element.
    #[allow(clippy::type_complexity)]
    fn about(
        &self,
        id: usize,
    ) -> PyResult<(
        &'static str,
        String,
        Option<usize>,
        Option<usize>,
        Option<usize>,
        usize,
    )> {
        let draft = self.lock();
        let record = draft.record(Id::from_index(id)).map_err(exception)?;
        let index = |id: Option<Id>| id.map(Id::index);
        let model = draft.model_of(Id::from_index(id)).map_err(exception)?;
        Ok((
            record.kind().word(),
            record.name().to_string(),
            index(record.class()),
            index(record.parent()),
            index(record.frame()),
            model,
        ))
    }

    /// Names an element.
    fn set_name(&self, id: usize, name: &str) -> PyResult<()> {
        self.lock()
            .set_name(Id::from_index(id), name)
            .map_err(exception)
    }

    /// Changes the class of an element.
    fn set_class(&self, id: usize, class: usize) -> PyResult<()> {
        let (id, class) = (Id::from_index(id), Id::from_index(class));
        self.lock().set_class(id, class).map_err(exception)
    }

    /// Puts an element into a frame.
    fn set_frame(&self, id: usize, frame: usize) -> PyResult<()> {
        let (id, frame) = (Id::from_index(id), Id::from_index(frame));
        self.lock().set_frame(id, frame).map_err(exception)
    }

    /// Deletes an element.
    fn delete(&self, id: usize) -> PyResult<()> {
        self.lock().delete(Id::from_index(id)).map_err(exception)
    }

    /// Turns a body into a frame.
    fn body_to_frame(&self, id: usize) -> PyResult<usize> {
        let frame = self.lock().body_to_frame(Id::from_index(id));
        frame.map(Id::index).map_err(exception)
    }

    /// Lets a plugin be used.
    fn activate_plugin(&self, model: usize, name: &str) {
        self.lock().activate_plugin(model, name);
    }

    /// The id that an element has in a compiled model.
    fn position(&self, id: usize) -> Option<usize> {
        self.lock().position(Id::from_index(id))
    }

    /// Takes over a copy of the elements of another draft; by how much the numbers of elements and models grow.
    fn absorb(&self, other: &NativeDraft) -> PyResult<(usize, usize)> {
        if std::ptr::eq(self, other) {
            return Err(PyValueError::new_err(
                "a model cannot be attached to itself",
            ));
        }
        let other = std::mem::take(&mut *other.lock());
        Ok(self.lock().absorb(other))
    }

    /// Attaches a body, a frame or a world to a frame, a site or a body.
    fn attach(&self, place: usize, what: usize, prefix: &str, suffix: &str) -> PyResult<usize> {
        let (place, what) = (Id::from_index(place), Id::from_index(what));
        room::check(self.lock().byte_size(), "an attached model")?;
        let attached = self.lock().attach(place, what, prefix, suffix);
        attached.map(Id::index).map_err(exception)
    }

    /// The value of a field.
    fn get(&self, py: Python<'_>, id: usize, field: &str) -> PyResult<Py<PyAny>> {
        let draft = self.lock();
        match draft.get(Id::from_index(id), field).map_err(exception)? {
            Value::Real(value) => value.into_py_any(py),
            Value::Float(value) => f64::from(*value).into_py_any(py),
            Value::Integer(value) => value.into_py_any(py),
            Value::Reals(value) => numbers(value, "<f8").into_py_any(py),
            Value::Floats(value) => numbers(value, "<f4").into_py_any(py),
            Value::Integers(value) => numbers(value, "<i4").into_py_any(py),
            Value::Text(value) => value.into_py_any(py),
            Value::Texts(value) => value.clone().into_py_any(py),
            Value::IntegerLists(value) => value.clone().into_py_any(py),
            Value::FloatLists(value) => value.clone().into_py_any(py),
            Value::Bytes(value) => PyBytes::new(py, value).into_py_any(py),
            Value::Group(_) => Err(PyTypeError::new_err(format!(
                "{field} has fields of its own"
            ))),
        }
    }

    /// Changes a field. Lists of numbers are given as sequences.
    fn set(&self, id: usize, field: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        // What is given, and twice what is made of it.
        let length = 3 * value.len().unwrap_or(0);
        if value.is_instance_of::<PyBytes>() {
            room::check(length as u64, "a list of bytes")?;
        } else {
            room::check_numbers(length, "a list")?;
        }
        let sample = {
            let draft = self.lock();
            let old = draft.get(Id::from_index(id), field).map_err(exception)?;
            std::mem::discriminant(old)
        };
        let is = |like: Value| sample == std::mem::discriminant(&like);
        let value = if is(Value::Real(0.0)) || is(Value::Float(0.0)) {
            Value::Real(value.extract()?)
        } else if is(Value::Integer(0)) {
            Value::Integer(value.extract()?)
        } else if is(Value::Text(String::new())) {
            Value::Text(value.extract()?)
        } else if is(Value::Texts(Vec::new())) {
            Value::Texts(value.extract()?)
        } else if is(Value::Bytes(Vec::new())) {
            Value::Bytes(value.extract()?)
        } else if is(Value::Reals(Shared::new([]))) {
            Value::from(value.extract::<Vec<f64>>()?)
        } else if is(Value::Floats(Shared::new([]))) {
            Value::from(value.extract::<Vec<f32>>()?)
        } else if is(Value::Integers(Shared::new([]))) {
            Value::from(value.extract::<Vec<i32>>()?)
        } else if is(Value::IntegerLists(Vec::new())) {
            Value::IntegerLists(value.extract()?)
        } else if is(Value::FloatLists(Vec::new())) {
            Value::FloatLists(value.extract()?)
        } else {
            return Err(PyTypeError::new_err(format!(
                "{field} has fields of its own"
            )));
        };
        self.lock()
            .set(Id::from_index(id), field, value)
            .map_err(exception)
    }
}

/// Name, type and length of a field; a group is of type `group` and has its fields as length.
fn row<'py>(
    py: Python<'py>,
    field: &Field,
) -> PyResult<(&'static str, &'static str, Bound<'py, PyAny>)> {
    let word = match field.kind {
        FieldKind::Real(_) | FieldKind::Float(_) => "real",
        FieldKind::Integer(_) | FieldKind::Long(_) | FieldKind::Code(..) | FieldKind::Flag(_) => {
            "integer"
        }
        FieldKind::Reals(_) | FieldKind::RealList => "float64",
        FieldKind::Floats(_) | FieldKind::FloatList => "float32",
        FieldKind::Integers(_) | FieldKind::IntegerList => "int32",
        FieldKind::Text(_) => "text",
        FieldKind::Letters(_) => "letters",
        FieldKind::Texts(_) => "texts",
        FieldKind::IntegerLists | FieldKind::FloatLists => "lists",
        FieldKind::Bytes => "bytes",
        FieldKind::Group(_) => "group",
    };
    let length = match field.kind {
        FieldKind::Group(fields) => {
            let rows: PyResult<Vec<_>> = fields.iter().map(|field| row(py, field)).collect();
            rows?.into_bound_py_any(py)?
        }
        kind => kind.length().into_bound_py_any(py)?,
    };
    Ok((field.name, word, length))
}

/// The fields of every kind of element.
#[pyfunction]
pub fn draft_fields(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for kind in Kind::ALL {
        let rows: PyResult<Vec<_>> = kind.fields().iter().map(|field| row(py, field)).collect();
        tables.set_item(kind.word(), rows?)?;
    }
    Ok(tables)
}
