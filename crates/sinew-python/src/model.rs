//! A compiled model as a Python object.

use crate::failure;
use crate::loan::{Loan, Loans};
use crate::room;
use crate::structure::{Extent, Structure, is_lent};
use crate::view::{self, Access, Memory};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew::model::Model;
use sinew::model::kinds::ObjectType;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A compiled model. The arrays handed out point into it and never move.
///
/// Reading it never fails and never keeps others from reading: threads share a model. The arrays are
/// made from addresses taken when the model was new, so that this needs no access at all. Changes to
/// derived values are refused while anybody reads.
#[pyclass(name = "Model", module = "sinew._native", frozen)]
pub struct NativeModel {
    /// Behind a pointer, so that it stays where it is when this object is moved. A `Box` would say
    /// that nothing else points there.
    model: Arc<RwLock<Model>>,
    columns: Vec<Memory>,
    /// The fields of `opt`, `stat` and the parts of `vis`.
    records: Vec<(&'static str, Vec<Memory>)>,
    /// Arrays of mesh vertices that Python has.
    pub loans: Loans,
    /// Ids, addresses, counts and codes that Python has.
    structure: Structure,
    /// The ids of the kinds that were asked for, by name; names never change.
    ids: Mutex<BTreeMap<i32, HashMap<String, i64>>>,
}

impl NativeModel {
    /// Takes a model.
    pub fn new(model: Model) -> Self {
        let model = Arc::new(RwLock::new(model));
        let (columns, records) = {
            let mut own = model.write().unwrap_or_else(PoisonError::into_inner);
            let columns = own.unchecked().columns_mut();
            let columns = columns
                .into_iter()
                .map(|mut c| Memory::of(&mut c))
                .collect();
            (columns, records(&mut own))
        };
        NativeModel {
            model,
            columns,
            records,
            loans: Loans::default(),
            structure: Structure::default(),
            ids: Mutex::default(),
        }
    }

    /// The model, for reading. Waits while another thread copies derived values into it, which takes
    /// no longer than the copying: no writer ever waits for readers, so nobody waits for a reader.
    pub fn read(&self) -> RwLockReadGuard<'_, Model> {
        let model = self.model.read().unwrap_or_else(PoisonError::into_inner);
        self.loans.settle(&model);
        model
    }

    /// The model, for work that relies on its structure: refused if Python has written what does not hold together.
    pub fn checked(&self, extent: Extent) -> PyResult<RwLockReadGuard<'_, Model>> {
        let model = self.read();
        self.structure.check(&model, &self.columns, extent)?;
        Ok(model)
    }

    /// A copy of the model, if there is memory for it.
    pub fn cloned(&self, extent: Extent) -> PyResult<Model> {
        let model = self.checked(extent)?;
        room::check(model.byte_size(), "a copy of a model")?;
        Ok(model.clone())
    }

    /// The id of an object; −1 when there is none with this name.
    pub fn find(&self, kind: i32, name: &str) -> i64 {
        let mut known = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = known.entry(kind).or_insert_with(|| {
            let names = self.names(kind).into_iter().zip(0..);
            // The first of several with one name counts, and an empty name is nobody's.
            let mut ids: HashMap<String, i64> = HashMap::new();
            for (name, id) in names.filter(|(name, _)| !name.is_empty()) {
                ids.entry(name).or_insert(id);
            }
            ids
        });
        ids.get(name).copied().unwrap_or(-1)
    }

    /// The model, for changing values. No column may change its length, and whoever has it must not
    /// call Python, as readers may wait for it with the interpreter lock in their hands.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, Model>> {
        self.model.try_write().map_err(|_| failure::busy("model"))
    }
}

/// The memory of the records, by group.
fn records(model: &mut Model) -> Vec<(&'static str, Vec<Memory>)> {
    [
        ("opt", model.opt.fields_mut()),
        ("stat", model.stat.fields_mut()),
        ("global_", model.vis.global.fields_mut()),
        ("quality", model.vis.quality.fields_mut()),
        ("headlight", model.vis.headlight.fields_mut()),
        ("map", model.vis.map.fields_mut()),
        ("scale", model.vis.scale.fields_mut()),
        ("rgba", model.vis.rgba.fields_mut()),
    ]
    .map(|(group, mut fields)| (group, fields.iter_mut().map(Memory::of_field).collect()))
    .into()
}

#[pymethods]
impl NativeModel {
    /// The empty model.
    #[new]
    fn empty() -> Self {
        NativeModel::new(Model::default())
    }

    /// A model of its own with the same contents.
    fn copy(&self) -> PyResult<Self> {
        Ok(NativeModel::new(self.cloned(Extent::Rays)?))
    }

    /// Names and values of the sizes.
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let model = self.read();
        let sizes = PyDict::new(py);
        for (name, value) in model.sizes() {
            sizes.set_item(name, value)?;
        }
        for (name, value) in [
            ("nemax", model.nemax),
            ("njmax", model.njmax),
            ("nconmax", model.nconmax),
            ("narena", model.narena),
        ] {
            sizes.set_item(name, value)?;
        }
        let bytes: usize = model
            .columns()
            .iter()
            .map(|column| column.bytes.len())
            .sum();
        sizes.set_item("nbuffer", bytes)?;
        Ok(sizes)
    }

    /// Columns by name: views, except for text, which is given as bytes. Those of structure are lent one by one.
    fn arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(slf.py());
        for memory in slf.get().columns.iter().filter(|memory| !is_lent(memory)) {
            let access = Access::of(memory.meaning);
            arrays.set_item(memory.name, model_view(memory, access, slf)?)?;
        }
        // Text takes the place of its characters.
        let model = slf.get().read();
        for (name, text) in [
            ("names", &model.names),
            ("paths", &model.paths),
            ("text_data", &model.text_data),
        ] {
            arrays.set_item(name, PyBytes::new(slf.py(), text))?;
        }
        Ok(arrays)
    }

    /// Lends an array of ids, addresses, counts or codes. Calls compare it with what it was from now on.
    fn lend_structure<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let own = slf.get();
        let of_name = |memory: &Memory| memory.name == name && is_lent(memory);
        let Some(column) = own.columns.iter().position(of_name) else {
            return Err(PyKeyError::new_err(name.to_owned()));
        };
        own.structure.lend(&own.read(), &own.columns, column);
        model_view(&own.columns[column], Access::Write, slf)
    }

    /// Lends an array of mesh vertices. Calls reckon with changes as long as the loan lives.
    fn lend(slf: &Bound<'_, Self>, array: Py<PyAny>) -> Loan {
        Loan::new(slf, array)
    }

    /// The fields of `opt`, `stat` and the parts of `vis` as views: group to field to array. A
    /// single number is an array of one.
    fn records<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let groups = PyDict::new(slf.py());
        for (group, fields) in &slf.get().records {
            let record = PyDict::new(slf.py());
            for field in fields {
                record.set_item(field.name, model_view(field, Access::Write, slf)?)?;
            }
            groups.set_item(group, record)?;
        }
        Ok(groups)
    }

    /// A number that tells apart models of different structure. Models that differ in values only,
    /// such as a copy with another mass, have the same.
    #[getter]
    pub fn signature(&self) -> u64 {
        self.read().signature
    }

    /// All names of a kind, in the order of ids; an unnamed object has an empty one.
    fn names(&self, kind: i32) -> Vec<String> {
        let model = self.read();
        let Some(kind) = ObjectType::from_code(kind) else {
            return Vec::new();
        };
        let count = model.name_addresses(kind).len();
        (0..count)
            .map(|id| model.name(kind, id).unwrap_or("").to_owned())
            .collect()
    }
}

/// A view of a part of the model that lives in `owner`.
#[allow(unsafe_code)]
fn model_view<'py>(
    memory: &Memory,
    access: Access,
    owner: &Bound<'py, NativeModel>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the columns and records of a `NativeModel` are never resized, moved or replaced: they
    // lie behind a pointer that is freed with it, and nothing changes the length of a column. Other
    // threads may read and write numbers through the view while the engine reads them: a race for
    // numbers, not for memory, as `place.rs` says for data.
    unsafe { view::show(memory, access, owner.as_any()) }
}
