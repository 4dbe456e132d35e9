//! The contacts of a simulation, as arrays of one field each.
//!
//! Numbers, the dimension, `exclude`, the geoms and first rows can be written, and count for the constraint rows made
//! after that; geoms and first rows are checked then. Sides that are flexes cannot.
//! First rows and slopes of cones belong to the rows; contacts without rows show −1 and 0.

use crate::varying::{Cells, Column, Source, filled};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::position::contact::Contact;
use sinew::math::{Mat3, Vec3};
use std::ops::Range;

fn list<'a>(source: &'a Source<'_>) -> &'a [Contact] {
    &source.data.position.contacts.contact
}

/// One number per contact.
macro_rules! number {
    ($name:literal, $field:ident) => {
        Column {
            name: $name,
            width: None,
            cells: Cells::Numbers(
                |source| list(source).iter().map(|c| c.$field).collect(),
                Some(|source, values| {
                    let contacts = &mut source.data.position.contacts.contact;
                    for (contact, &value) in contacts.iter_mut().zip(values) {
                        contact.$field = value;
                    }
                    Ok(())
                }),
            ),
        }
    };
}

/// Several numbers per contact.
macro_rules! numbers {
    ($name:literal, $field:ident, $width:literal, $wrap:expr, |$value:ident| $unwrap:expr) => {
        Column {
            name: $name,
            width: Some($width),
            cells: Cells::Numbers(
                |source| {
                    let values = list(source).iter().flat_map(|c| {
                        let $value = c.$field;
                        $unwrap
                    });
                    values.collect()
                },
                Some(|source, values| {
                    let contacts = &mut source.data.position.contacts.contact;
                    let (rows, _) = values.as_chunks::<$width>();
                    for (contact, &row) in contacts.iter_mut().zip(rows) {
                        contact.$field = $wrap(row);
                    }
                    Ok(())
                }),
            ),
        }
    };
}

/// Codes that cannot be written.
macro_rules! code {
    ($name:literal, $width:expr, |$contact:ident| $value:expr) => {
        Column {
            name: $name,
            width: $width,
            cells: Cells::Codes(
                |source| list(source).iter().flat_map(|$contact| $value).collect(),
                None,
            ),
        }
    };
}

/// Geoms on some of the sides.
macro_rules! geom {
    ($name:literal, $width:expr, $sides:expr) => {
        Column {
            name: $name,
            width: $width,
            cells: Cells::Codes(
                |source| {
                    let sides = list(source).iter().flat_map(|c| &c.geom[$sides]);
                    sides.copied().collect()
                },
                Some(|source, values| set_geoms(source, $sides, values)),
            ),
        }
    };
}

/// Every field under the reference's name.
pub const COLUMNS: &[Column] = &[
    number!("contact.dist", dist),
    numbers!("contact.pos", pos, 3, Vec3, |value| value.0),
    numbers!("contact.frame", frame, 9, Mat3, |value| value.0),
    number!("contact.includemargin", includemargin),
    numbers!("contact.friction", friction, 5, <[f64; 5]>::from, |value| {
        value
    }),
    numbers!("contact.solref", solref, 2, <[f64; 2]>::from, |value| value),
    numbers!(
        "contact.solreffriction",
        solreffriction,
        2,
        <[f64; 2]>::from,
        |value| value
    ),
    numbers!("contact.solimp", solimp, 5, <[f64; 5]>::from, |value| value),
    Column {
        name: "contact.mu",
        width: None,
        cells: Cells::Numbers(
            |source| {
                let count = list(source).len();
                filled(&source.data.position.constraints.contact_mu, count, 0.0)
            },
            Some(|source, values| {
                let target = &mut source.data.position.constraints.contact_mu;
                target.clear();
                target.extend_from_slice(values);
                Ok(())
            }),
        ),
    },
    Column {
        name: "contact.H",
        width: Some(36),
        // Nobody reads it: what is written is forgotten with the next call.
        cells: Cells::Numbers(
            |source| vec![0.0; 36 * list(source).len()],
            Some(|_, _| Ok(())),
        ),
    },
    Column {
        name: "contact.dim",
        width: None,
        cells: Cells::Codes(
            |source| list(source).iter().map(|c| c.dim).collect(),
            Some(set_dimensions),
        ),
    },
    geom!("contact.geom1", None, 0..1),
    geom!("contact.geom2", None, 1..2),
    geom!("contact.geom", Some(2), 0..2),
    code!("contact.flex", Some(2), |c| c.flex),
    code!("contact.elem", Some(2), |c| c.elem),
    code!("contact.vert", Some(2), |c| c.vert),
    Column {
        name: "contact.exclude",
        width: None,
        cells: Cells::Codes(
            |source| list(source).iter().map(|c| c.exclude).collect(),
            Some(|source, values| {
                let contacts = &mut source.data.position.contacts.contact;
                for (contact, &value) in contacts.iter_mut().zip(values) {
                    contact.exclude = value;
                }
                Ok(())
            }),
        ),
    },
    Column {
        name: "contact.efc_address",
        width: None,
        cells: Cells::Codes(
            |source| {
                let rows = &source.data.position.constraints.contact_efc_address;
                filled(rows, list(source).len(), -1)
            },
            Some(|source, values| {
                source.layout().contact_row.copy_from_slice(values);
                Ok(())
            }),
        ),
    },
];

/// Puts geoms on some of the sides of each contact. A side that is of a flex stays one.
fn set_geoms(source: &mut Source<'_>, sides: Range<usize>, values: &[i32]) -> PyResult<()> {
    let count = source.model.ngeom;
    let contacts = &mut source.data.position.contacts.contact;
    let present = || list_sides(contacts, &sides);
    for (present, &value) in present().zip(values) {
        let is_there = usize::try_from(value).is_ok_and(|geom| geom < count);
        if present != value && (present < 0 || !is_there) {
            let message = format!("a contact cannot have geom {value}: there are {count}");
            return Err(PyValueError::new_err(message));
        }
    }
    let slots = contacts.iter_mut().flat_map(|c| &mut c.geom[sides.clone()]);
    for (slot, &value) in slots.zip(values) {
        *slot = value;
    }
    Ok(())
}

fn list_sides(contacts: &[Contact], sides: &Range<usize>) -> impl Iterator<Item = i32> {
    contacts
        .iter()
        .flat_map(|c| c.geom[sides.clone()].iter().copied())
}

fn set_dimensions(source: &mut Source<'_>, values: &[i32]) -> PyResult<()> {
    check_dimensions(values)?;
    let contacts = &mut source.data.position.contacts.contact;
    for (contact, &value) in contacts.iter_mut().zip(values) {
        contact.dim = value;
    }
    Ok(())
}

/// Dimensions that a contact can have, or `ValueError`.
pub fn check_dimensions(dimensions: &[i32]) -> PyResult<()> {
    match dimensions.iter().find(|dim| !matches!(dim, 1 | 3 | 4 | 6)) {
        None => Ok(()),
        Some(dim) => Err(PyValueError::new_err(format!(
            "a contact has dim 1, 3, 4 or 6, not {dim}"
        ))),
    }
}
