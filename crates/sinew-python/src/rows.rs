//! The constraint rows and islands of a simulation, as arrays.
//!
//! Numbers of the rows can be written and count for the stages that follow; kinds, ids, columns and states, too, and
//! are judged when all that was written is known. Islands cannot: they follow from the rows. Arrays that a later stage
//! fills are zero beyond the rows which that stage has seen.

use crate::varying::{Cells, Column, Source, filled};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::acceleration::constraint::is_dual;
use sinew::engine::position::constraint::layout::RowLayout;
use sinew::model::kinds::ConstraintState;

/// A number per row.
macro_rules! number {
    ($name:literal, $($path:ident).+) => {
        Column {
            name: $name,
            width: None,
            cells: Cells::Numbers(
                |source| filled(&source.data.$($path).+, source.nefc(), 0.0),
                Some(|source, values| {
                    let target = &mut source.data.$($path).+;
                    target.clear();
                    target.extend_from_slice(values);
                    Ok(())
                }),
            ),
        }
    };
}

/// A code per row, or whatever number of entries is given; the rest is filled up.
macro_rules! code {
    ($name:literal, $($path:ident).+) => {
        code!($name, $($path).+, |source| source.nefc(), 0)
    };
    ($name:literal, $($path:ident).+, |$source:ident| $count:expr, $fill:expr) => {
        Column {
            name: $name,
            width: None,
            cells: Cells::Codes(
                |$source| filled(&$source.data.$($path).+, $count, $fill),
                None,
            ),
        }
    };
}

/// An entry per island.
macro_rules! island {
    ($name:literal, $field:ident) => {
        code!($name, position.islands.$field, |source| nisland(source), 0)
    };
}

/// An entry per row, if there are islands at all.
macro_rules! row_of_island {
    ($name:literal, $field:ident) => {
        code!(
            $name,
            position.islands.$field,
            |source| if nisland(source) > 0 {
                source.nefc()
            } else {
                0
            },
            0
        )
    };
}

fn nisland(source: &Source<'_>) -> usize {
    source.data.position.islands.nisland
}

/// Computed when asked for.
const fn computed(name: &'static str, read: fn(&Source<'_>) -> Vec<i32>) -> Column {
    Column {
        name,
        width: None,
        cells: Cells::Codes(read, None),
    }
}

/// A code per row or entry that Python may write.
const fn laid_out(
    name: &'static str,
    read: fn(&Source<'_>) -> Vec<i32>,
    write: fn(&mut Source<'_>, &[i32]) -> PyResult<()>,
) -> Column {
    Column {
        name,
        width: None,
        cells: Cells::Codes(read, Some(write)),
    }
}

/// Where entries of J stand, if that can be chosen.
fn place_entries<'a>(source: &'a mut Source<'_>) -> PyResult<&'a mut RowLayout> {
    let layout = source.layout();
    if layout.is_dense {
        let message =
            "efc_J is a full matrix here, whose columns are not stored: write efc_J alone";
        return Err(PyValueError::new_err(message));
    }
    Ok(layout)
}

fn set_states(source: &mut Source<'_>, values: &[i32]) -> PyResult<()> {
    let is_known = |state: &i32| ConstraintState::from_code(*state).is_some();
    if let Some(state) = values.iter().find(|state| !is_known(state)) {
        let message = format!("a row cannot be in state {state}: see mjtConstraintState");
        return Err(PyValueError::new_err(message));
    }
    let target = &mut source.data.acceleration.solution.efc_state;
    target.clear();
    target.extend_from_slice(values);
    Ok(())
}

/// Every array under the reference's name.
pub const COLUMNS: &[Column] = &[
    laid_out(
        "efc_type",
        |source| source.data.position.constraints.efc_type.clone(),
        |source, values| {
            source.layout().kind.copy_from_slice(values);
            Ok(())
        },
    ),
    laid_out(
        "efc_id",
        |source| source.data.position.constraints.efc_id.clone(),
        |source, values| {
            source.layout().id.copy_from_slice(values);
            Ok(())
        },
    ),
    laid_out("efc_J_rownnz", rownnz, |source, values| {
        place_entries(source)?.rownnz.copy_from_slice(values);
        Ok(())
    }),
    laid_out("efc_J_rowadr", rowadr, |source, values| {
        place_entries(source)?.rowadr.copy_from_slice(values);
        Ok(())
    }),
    computed("efc_J_rowsuper", rowsuper),
    laid_out("efc_J_colind", colind, |source, values| {
        place_entries(source)?.colind.copy_from_slice(values);
        Ok(())
    }),
    Column {
        name: "efc_J",
        width: None,
        cells: Cells::Numbers(
            |source| {
                let rows = &source.data.position.constraints;
                rows.stored_jacobian().to_vec()
            },
            Some(|source, values| {
                let rows = &mut source.data.position.constraints;
                rows.set_stored_jacobian(source.model.nv, values);
                Ok(())
            }),
        ),
    },
    number!("efc_pos", position.constraints.efc_pos),
    number!("efc_margin", position.constraints.efc_margin),
    number!("efc_frictionloss", position.constraints.efc_frictionloss),
    number!("efc_diagApprox", position.constraints.efc_diagApprox),
    Column {
        name: "efc_KBIP",
        width: Some(4),
        cells: Cells::Numbers(
            |source| source.data.position.constraints.efc_KBIP.concat(),
            Some(|source, values| {
                let target = &mut source.data.position.constraints.efc_KBIP;
                target.copy_from_slice(values.as_chunks::<4>().0);
                Ok(())
            }),
        ),
    },
    number!("efc_D", position.constraints.efc_D),
    number!("efc_R", position.constraints.efc_R),
    computed("efc_AR_rownnz", |source| Projected::of(source).rownnz),
    computed("efc_AR_rowadr", |source| Projected::of(source).rowadr),
    computed("efc_AR_colind", |source| Projected::of(source).colind),
    Column {
        name: "efc_AR",
        width: None,
        cells: Cells::Numbers(|source| Projected::of(source).value, None),
    },
    number!("efc_vel", velocity.reference.efc_vel),
    number!("efc_aref", velocity.reference.efc_aref),
    number!("efc_b", acceleration.solution.efc_b),
    number!("efc_force", acceleration.solution.efc_force),
    laid_out(
        "efc_state",
        |source| {
            let states = &source.data.acceleration.solution.efc_state;
            filled(states, source.nefc(), 0)
        },
        set_states,
    ),
    row_of_island!("efc_island", efc_island),
    // Nobody relies on it.
    laid_out(
        "tendon_efcadr",
        |source| {
            let rows = &source.data.position.constraints.tendon_efcadr;
            filled(rows, source.model.ntendon, -1)
        },
        |source, values| {
            let target = &mut source.data.position.constraints.tendon_efcadr;
            target.clear();
            target.extend_from_slice(values);
            Ok(())
        },
    ),
    // Without islands the reference keeps what it found last.
    code!(
        "tree_island",
        position.islands.tree_island,
        |source| source.model.ntree,
        -1
    ),
    code!(
        "dof_island",
        position.islands.dof_island,
        |source| source.model.nv,
        -1
    ),
    island!("island_nv", island_nv),
    island!("island_idofadr", island_idofadr),
    island!("island_ne", island_ne),
    island!("island_nf", island_nf),
    island!("island_nefc", island_nefc),
    island!("island_iefcadr", island_iefcadr),
    code!(
        "map_idof2dof",
        position.islands.map_idof2dof,
        |source| source.model.nv,
        -1
    ),
    code!(
        "map_dof2idof",
        position.islands.map_dof2idof,
        |source| source.model.nv,
        -1
    ),
    row_of_island!("map_iefc2efc", map_iefc2efc),
    row_of_island!("map_efc2iefc", map_efc2iefc),
];

// Where the entries of the Jacobian stand: all columns of every row where it is stored dense.

fn is_dense(source: &Source<'_>) -> bool {
    source.data.position.constraints.jacobian().full.is_some()
}

fn rownnz(source: &Source<'_>) -> Vec<i32> {
    if is_dense(source) {
        return vec![source.model.nv as i32; source.nefc()];
    }
    source.data.position.constraints.efc_J_rownnz.clone()
}

fn rowadr(source: &Source<'_>) -> Vec<i32> {
    if is_dense(source) {
        let width = source.model.nv as i32;
        return (0..source.nefc() as i32).map(|row| row * width).collect();
    }
    source.data.position.constraints.efc_J_rowadr.clone()
}

fn colind(source: &Source<'_>) -> Vec<i32> {
    if is_dense(source) {
        let columns: Vec<i32> = (0..source.model.nv as i32).collect();
        return columns.repeat(source.nefc());
    }
    source.data.position.constraints.efc_J_colind.clone()
}

fn rowsuper(source: &Source<'_>) -> Vec<i32> {
    if is_dense(source) {
        return (0..source.nefc() as i32).rev().collect();
    }
    let rows = &source.data.position.constraints;
    repeats_to_come(&rows.efc_J_rownnz, &rows.efc_J_rowadr, &rows.efc_J_colind)
}

/// For each row, how many rows behind it have its columns.
fn repeats_to_come(rownnz: &[i32], rowadr: &[i32], colind: &[i32]) -> Vec<i32> {
    let columns = |row: usize| {
        let start = rowadr[row] as usize;
        &colind[start..start + rownnz[row] as usize]
    };
    let mut out = vec![0; rownnz.len()];
    for row in (1..out.len()).rev() {
        if columns(row - 1) == columns(row) {
            out[row - 1] = out[row] + 1;
        }
    }
    out
}

/// J·M⁻¹·Jᵀ + R where the solver needs it, stored dense where the Jacobian is.
struct Projected {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    value: Vec<f64>,
}

impl Projected {
    fn of(source: &Source<'_>) -> Self {
        let found = &source.data.acceleration.solution.projection;
        let rows = source.nefc();
        let is_needed = is_dual(source.model) && found.start.len() == rows + 1;
        if !is_needed {
            return Projected {
                rownnz: vec![0; rows],
                rowadr: vec![0; rows],
                colind: Vec::new(),
                value: Vec::new(),
            };
        }
        if !is_dense(source) {
            let ends = found.start.iter().skip(1);
            let counts = found.start.iter().zip(ends).map(|(a, b)| (b - a) as i32);
            return Projected {
                rownnz: counts.collect(),
                rowadr: found.start[..rows].iter().map(|&s| s as i32).collect(),
                colind: found.colind.clone(),
                value: found.value.clone(),
            };
        }
        let mut value = vec![0.0; rows * rows];
        for (row, out) in value.chunks_exact_mut(rows.max(1)).enumerate() {
            for k in found.start[row]..found.start[row + 1] {
                out[found.colind[k] as usize] = found.value[k];
            }
        }
        let width = rows as i32;
        Projected {
            rownnz: vec![width; rows],
            rowadr: (0..width).map(|row| row * width).collect(),
            colind: (0..rows).flat_map(|_| 0..width).collect(),
            value,
        }
    }
}
