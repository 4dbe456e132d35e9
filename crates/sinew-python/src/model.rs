//! A compiled model as a Python object.

use crate::failure;
use crate::view::{self, Access};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew::model::Model;
use sinew::model::column::{ColumnMut, Meaning};
use sinew::model::kinds::ObjectType;
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A compiled model. The arrays handed out point into it and never move.
#[pyclass(name = "Model", module = "sinew._native", frozen)]
pub struct NativeModel {
    model: RwLock<Model>,
}

impl NativeModel {
    /// Takes a model.
    pub fn new(model: Model) -> Self {
        NativeModel {
            model: RwLock::new(model),
        }
    }

    /// The model, for reading. A panic while reading leaves a model as it was.
    pub fn read(&self) -> PyResult<RwLockReadGuard<'_, Model>> {
        self.model.try_read().map_err(|_| failure::busy("model"))
    }

    /// The model, for changing values. No column may change its length.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, Model>> {
        self.model.try_write().map_err(|_| failure::busy("model"))
    }
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
        Ok(NativeModel::new(self.read()?.clone()))
    }

    /// Names and values of the sizes.
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let model = self.read()?;
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

    /// All columns by name: views, except for text, which is given as bytes.
    fn arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(slf.py());
        let mut model = slf.get().write()?;
        for mut column in model.unchecked().columns_mut() {
            if matches!(column.name, "names" | "paths" | "text_data") {
                arrays.set_item(column.name, PyBytes::new(slf.py(), column.bytes))?;
            } else {
                let access = access(column.meaning);
                arrays.set_item(column.name, model_view(&mut column, access, slf)?)?;
            }
        }
        Ok(arrays)
    }

    /// The fields of `opt`, `stat` and the parts of `vis` as views: group to field to array. A
    /// single number is an array of one.
    fn records<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let mut model = slf.get().write()?;
        let model = &mut *model;
        let groups = PyDict::new(slf.py());
        for (group, fields) in [
            ("opt", model.opt.fields_mut()),
            ("stat", model.stat.fields_mut()),
            ("global_", model.vis.global.fields_mut()),
            ("quality", model.vis.quality.fields_mut()),
            ("headlight", model.vis.headlight.fields_mut()),
            ("map", model.vis.map.fields_mut()),
            ("scale", model.vis.scale.fields_mut()),
            ("rgba", model.vis.rgba.fields_mut()),
        ] {
            let record = PyDict::new(slf.py());
            for mut field in fields {
                field.rows = field.width.take().unwrap_or(1);
                record.set_item(field.name, model_view(&mut field, Access::Write, slf)?)?;
            }
            groups.set_item(group, record)?;
        }
        Ok(groups)
    }

    /// A number that tells apart models of different structure. Models that differ in values only,
    /// such as a copy with another mass, have the same.
    #[getter]
    pub fn signature(&self) -> PyResult<u64> {
        Ok(self.read()?.signature)
    }

    /// The name of an object; `None` when it has none or does not exist.
    fn name(&self, kind: i32, id: i64) -> PyResult<Option<String>> {
        let model = self.read()?;
        let (Some(kind), Ok(id)) = (ObjectType::from_code(kind), usize::try_from(id)) else {
            return Ok(None);
        };
        Ok(model.name(kind, id).map(str::to_owned))
    }

    /// The id of an object; `None` when there is none with this name.
    fn id(&self, kind: i32, name: &str) -> PyResult<Option<usize>> {
        let model = self.read()?;
        Ok(ObjectType::from_code(kind).and_then(|kind| model.id(kind, name)))
    }

    /// All names of a kind, in the order of ids; an unnamed object has an empty one.
    fn names(&self, kind: i32) -> PyResult<Vec<String>> {
        let model = self.read()?;
        let Some(kind) = ObjectType::from_code(kind) else {
            return Ok(Vec::new());
        };
        let count = model.name_addresses(kind).len();
        Ok((0..count)
            .map(|id| model.name(kind, id).unwrap_or("").to_owned())
            .collect())
    }
}

/// A view of a part of the model that lives in `owner`.
#[allow(unsafe_code)]
fn model_view<'py>(
    column: &mut ColumnMut<'_>,
    access: Access,
    owner: &Bound<'py, NativeModel>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the columns and records of a `NativeModel` are never resized, moved or replaced: the
    // object is frozen, no method changes the length of a column, and Python objects do not move.
    unsafe { view::column(column, access, owner.as_any()) }
}

/// Values may be written, structure only read.
fn access(meaning: Meaning) -> Access {
    if meaning.is_value() {
        Access::Write
    } else {
        Access::Read
    }
}
