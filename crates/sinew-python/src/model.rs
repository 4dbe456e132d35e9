//! A compiled model as a Python object.

use crate::failure;
use crate::view::{self, Access};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew::model::Model;
use sinew::model::change::is_value;
use sinew::model::column::{ColumnMut, Number};
use sinew::model::kinds::ObjectType;
use std::sync::{OnceLock, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A compiled model. The arrays handed out point into it and never move.
#[pyclass(name = "Model", module = "sinew._native", frozen)]
pub struct NativeModel {
    model: RwLock<Model>,
    signature: OnceLock<u64>,
}

impl NativeModel {
    /// Takes a model.
    pub fn new(model: Model) -> Self {
        NativeModel {
            model: RwLock::new(model),
            signature: OnceLock::new(),
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
                let access = access(column.name, column.number);
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
        let model = self.read()?;
        Ok(*self.signature.get_or_init(|| structure_hash(&model)))
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
fn access(name: &str, number: Number) -> Access {
    if is_value(name, number) {
        Access::Write
    } else {
        Access::Read
    }
}

/// FNV-1a over the sizes and the read-only integers, without the large ones of assets and names.
fn structure_hash(model: &Model) -> u64 {
    const ASSETS: &[&str] = &[
        "mesh_", "skin_", "tex_", "hfield_", "flex", "bvh_", "oct_", "name",
    ];
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    for (_, size) in model.sizes() {
        (size as u64).to_le_bytes().into_iter().for_each(&mut add);
    }
    for column in model.columns() {
        let is_structure = access(column.name, column.number) == Access::Read;
        if is_structure && !ASSETS.iter().any(|asset| column.name.starts_with(asset)) {
            column.bytes.iter().copied().for_each(&mut add);
        }
    }
    hash
}
