//! The contacts of a simulation, as arrays of one field each.
//!
//! Numbers, the dimension and `exclude` can be written, and count for the constraint rows made
//! after that. Geoms and row addresses cannot: a step relies on them.

use crate::varying::{Cells, Column, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::position::contact::Contact;
use sinew::math::{Mat3, Vec3};

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
    number!("contact.mu", mu),
    Column {
        name: "contact.H",
        width: Some(36),
        cells: Cells::Numbers(|source| vec![0.0; 36 * list(source).len()], None),
    },
    Column {
        name: "contact.dim",
        width: None,
        cells: Cells::Codes(
            |source| list(source).iter().map(|c| c.dim).collect(),
            Some(set_dimensions),
        ),
    },
    code!("contact.geom1", None, |c| [c.geom[0]]),
    code!("contact.geom2", None, |c| [c.geom[1]]),
    code!("contact.geom", Some(2), |c| c.geom),
    code!("contact.flex", Some(2), |_c| [-1; 2]),
    code!("contact.elem", Some(2), |_c| [-1; 2]),
    code!("contact.vert", Some(2), |_c| [-1; 2]),
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
    code!("contact.efc_address", None, |c| [c.efc_address]),
];

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
