//! The constraint rows of a simulation, copied into arrays.
//!
//! The number of rows changes with every step, so these are copies. Arrays that a later stage
//! fills are zero beyond the rows which that stage has seen.

use crate::data::NativeData;
use crate::model::NativeModel;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::engine::acceleration::constraint::ISLANDS_COUNTED;
use sinew::engine::{Data, is_sparse};
use sinew::model::Model;
use sinew::solver::problem::Statistic;

/// Name and type of each array of rows, in the reference's order.
const FIELDS: [(&str, &str); 35] = [
    ("efc_type", "int32"),
    ("efc_id", "int32"),
    ("efc_J_rownnz", "int32"),
    ("efc_J_rowadr", "int32"),
    ("efc_J_colind", "int32"),
    ("efc_J", "float64"),
    ("efc_pos", "float64"),
    ("efc_margin", "float64"),
    ("efc_frictionloss", "float64"),
    ("efc_diagApprox", "float64"),
    ("efc_KBIP", "float64"),
    ("efc_D", "float64"),
    ("efc_R", "float64"),
    ("efc_vel", "float64"),
    ("efc_aref", "float64"),
    ("efc_b", "float64"),
    ("efc_force", "float64"),
    ("efc_state", "int32"),
    ("efc_island", "int32"),
    ("tendon_efcadr", "int32"),
    ("tree_island", "int32"),
    ("dof_island", "int32"),
    ("island_nv", "int32"),
    ("island_idofadr", "int32"),
    ("island_ne", "int32"),
    ("island_nf", "int32"),
    ("island_nefc", "int32"),
    ("island_iefcadr", "int32"),
    ("map_idof2dof", "int32"),
    ("map_dof2idof", "int32"),
    ("map_iefc2efc", "int32"),
    ("map_efc2iefc", "int32"),
    ("solver_niter", "int32"),
    ("solver_nnz", "int32"),
    ("solver_fwdinv", "float64"),
];

/// Names and types of the arrays.
#[pyfunction]
pub fn row_fields() -> Vec<(&'static str, &'static str)> {
    FIELDS.to_vec()
}

/// A copy of one array by name.
#[pyfunction]
pub fn row_field<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    data.get().check_fits(model)?;
    let py = data.py();
    let model = model.get().read()?;
    let data = data.get().write()?;
    let (rows, solution) = (&data.position.constraints, &data.acceleration.solution);
    let count = rows.nefc();
    let numbers = |values: &[f64]| sized(py, values, count);
    let codes = |values: &[i32]| sized(py, values, count);
    let islands = &data.position.islands;
    // Without islands the reference keeps what it found last.
    let per_tree = |values: &[i32]| sized_with(py, values, model.ntree, -1);
    let per_dof = |values: &[i32]| sized_with(py, values, model.nv, -1);
    let per_island = |values: &[i32]| sized(py, values, islands.nisland);
    let per_island_row = |values: &[i32]| match islands.nisland {
        0 => sized(py, &[0_i32; 0], 0),
        _ => codes(values),
    };
    let array = match name {
        "efc_type" => codes(&rows.efc_type),
        "efc_id" => codes(&rows.efc_id),
        "efc_J_rownnz" => PyArray1::from_vec(py, Layout::of(&model, &data).rownnz).into_any(),
        "efc_J_rowadr" => PyArray1::from_vec(py, Layout::of(&model, &data).rowadr).into_any(),
        "efc_J_colind" => PyArray1::from_vec(py, Layout::of(&model, &data).colind).into_any(),
        "efc_J" => PyArray1::from_vec(py, jacobian(&model, &data)).into_any(),
        "efc_pos" => numbers(&rows.efc_pos),
        "efc_margin" => numbers(&rows.efc_margin),
        "efc_frictionloss" => numbers(&rows.efc_frictionloss),
        "efc_diagApprox" => numbers(&rows.efc_diagApprox),
        "efc_KBIP" => PyArray1::from_iter(py, rows.efc_KBIP.iter().flatten().copied())
            .reshape([rows.efc_KBIP.len(), 4])?
            .into_any(),
        "efc_D" => numbers(&rows.efc_D),
        "efc_R" => numbers(&rows.efc_R),
        "efc_vel" => numbers(&data.velocity.reference.efc_vel),
        "efc_aref" => numbers(&data.velocity.reference.efc_aref),
        "efc_b" => numbers(&solution.efc_b),
        "efc_force" => numbers(&solution.efc_force),
        "efc_state" => codes(&solution.efc_state),
        "efc_island" => per_island_row(&islands.efc_island),
        "tendon_efcadr" => sized_with(py, &rows.tendon_efcadr, model.ntendon, -1),
        "tree_island" => per_tree(&islands.tree_island),
        "dof_island" => per_dof(&islands.dof_island),
        "island_nv" => per_island(&islands.island_nv),
        "island_idofadr" => per_island(&islands.island_idofadr),
        "island_ne" => per_island(&islands.island_ne),
        "island_nf" => per_island(&islands.island_nf),
        "island_nefc" => per_island(&islands.island_nefc),
        "island_iefcadr" => per_island(&islands.island_iefcadr),
        "map_idof2dof" => per_dof(&islands.map_idof2dof),
        "map_dof2idof" => per_dof(&islands.map_dof2idof),
        "map_iefc2efc" => per_island_row(&islands.map_iefc2efc),
        "map_efc2iefc" => per_island_row(&islands.map_efc2iefc),
        "solver_niter" => PyArray1::from_slice(py, &solution.solver_niter).into_any(),
        "solver_nnz" => PyArray1::from_slice(py, &[0_i32; ISLANDS_COUNTED]).into_any(),
        "solver_fwdinv" => PyArray1::from_slice(py, &data.inverse.solver_fwdinv).into_any(),
        _ => return Err(PyAttributeError::new_err(name.to_owned())),
    };
    // A copy: writing to it would change nothing, so it says so.
    array.getattr("flags")?.setattr("writeable", false)?;
    Ok(array)
}

/// What each iteration of the solver did, island by island: field to array.
#[pyfunction]
pub fn solver_statistics<'py>(data: &Bound<'py, NativeData>) -> PyResult<Bound<'py, PyDict>> {
    let py = data.py();
    let guard = data.get().write()?;
    let all = &guard.acceleration.solution.solver;
    let fields = PyDict::new(py);
    let number = |get: fn(&Statistic) -> f64| PyArray1::from_iter(py, all.iter().map(get));
    let count = |get: fn(&Statistic) -> i32| PyArray1::from_iter(py, all.iter().map(get));
    fields.set_item("improvement", number(|s| s.improvement))?;
    fields.set_item("gradient", number(|s| s.gradient))?;
    fields.set_item("lineslope", number(|s| s.lineslope))?;
    fields.set_item("nactive", count(|s| s.nactive))?;
    fields.set_item("nchange", count(|s| s.nchange))?;
    fields.set_item("neval", count(|s| s.neval))?;
    fields.set_item("nupdate", count(|s| s.nupdate))?;
    Ok(fields)
}

/// A copy with `count` entries, filled up.
fn sized_with<'py>(py: Python<'py>, values: &[i32], count: usize, fill: i32) -> Bound<'py, PyAny> {
    let known = values.iter().copied();
    let all = known.chain(core::iter::repeat(fill)).take(count);
    PyArray1::from_iter(py, all).into_any()
}

/// A copy with one entry per row.
fn sized<'py, T: Element + Copy + Default>(
    py: Python<'py>,
    values: &[T],
    count: usize,
) -> Bound<'py, PyAny> {
    let known = values.iter().copied();
    let all = known.chain(core::iter::repeat(T::default())).take(count);
    PyArray1::from_iter(py, all).into_any()
}

/// Where the entries of the Jacobian stand: all columns of every row where it is stored dense.
struct Layout {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
}

impl Layout {
    fn of(model: &Model, data: &Data) -> Self {
        let rows = &data.position.constraints;
        if is_sparse(model) {
            return Layout {
                rownnz: rows.efc_J_rownnz.clone(),
                rowadr: rows.efc_J_rowadr.clone(),
                colind: rows.efc_J_colind.clone(),
            };
        }
        let (count, width) = (rows.nefc(), model.nv as i32);
        Layout {
            rownnz: vec![width; count],
            rowadr: (0..count as i32).map(|row| row * width).collect(),
            colind: (0..count).flat_map(|_| 0..width).collect(),
        }
    }
}

/// The entries of the Jacobian in the layout that the model asks for.
fn jacobian(model: &Model, data: &Data) -> Vec<f64> {
    let rows = &data.position.constraints;
    if is_sparse(model) {
        return rows.efc_J.clone();
    }
    let mut dense = vec![0.0; rows.nefc() * model.nv];
    for (i, out) in dense.chunks_exact_mut(model.nv.max(1)).enumerate() {
        let (columns, values) = rows.jacobian().row(i);
        for (&column, &value) in columns.iter().zip(values) {
            out[column as usize] = value;
        }
    }
    dense
}
