//! Contacts, constraint rows, counters and statistics of a simulation as bytes, behind its columns in a pickle.
//!
//! ```text
//! flags · contacts: sides · rows: kinds, ids, columns, first rows of contacts · every varying array that can be written
//! ```
//!
//! What they mean is judged like what Python writes: rows that stages could stumble over are an error.

use crate::varying::{Cells, Column, Source, columns, wrong_layout};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::Data;
use sinew::engine::position::constraint::layout::RowLayout;
use sinew::engine::position::contact::Contact;

/// Arrays that say nothing of their own.
const LEFT_OUT: [&str; 3] = ["contact.H", "contact.geom1", "contact.geom2"];

/// Numbers of a contact that say what it is between.
const SIDES: usize = 10;

fn kept_columns() -> impl Iterator<Item = &'static Column> {
    columns()
        .iter()
        .filter(|column| !LEFT_OUT.contains(&column.name))
}

/// Appends what there is.
pub fn write(source: &Source<'_>, out: &mut Vec<u8>) {
    let position = &source.data.position;
    let layout = position.constraints.layout();
    let contacts = &position.contacts.contact;
    let lengths = [
        contacts.len(),
        layout.kind.len(),
        layout.colind.len(),
        layout.contact_row.len(),
    ];
    put(lengths.map(|length| length as i32), out);
    put(
        [layout.is_dense, position.islands.nisland > 0].map(i32::from),
        out,
    );
    put(flags(source.data).map(i32::from), out);
    for contact in contacts {
        put(sides(contact), out);
    }
    for codes in [&layout.kind, &layout.id, &layout.rownnz, &layout.colind] {
        put(codes.iter().copied(), out);
    }
    put(
        layout.repeats.iter().map(|repeats| i32::from(*repeats)),
        out,
    );
    put(layout.contact_row, out);
    for column in kept_columns() {
        match column.cells {
            Cells::Numbers(read, Some(_)) => append(&read(source), f64::to_le_bytes, out),
            Cells::Codes(read, Some(_)) => append(&read(source), i32::to_le_bytes, out),
            _ => {}
        }
    }
}

/// Appends many values, which is a copy.
fn append<T: Copy, const N: usize>(
    values: &[T],
    to_bytes: impl Fn(T) -> [u8; N],
    out: &mut Vec<u8>,
) {
    let start = out.len();
    out.resize(start + N * values.len(), 0);
    let (slots, _) = out[start..].as_chunks_mut::<N>();
    for (slot, value) in slots.iter_mut().zip(values) {
        *slot = to_bytes(*value);
    }
}

/// Takes over what bytes have kept; there must be as many as needed, and no more.
pub fn read(source: &mut Source<'_>, mut rest: &[u8]) -> PyResult<()> {
    let rest = &mut rest;
    let [contact_count, rows, entries, first_rows] = take_array(rest)?;
    let [is_dense, has_islands] = take_array(rest)?.map(|flag: i32| flag != 0);
    let flags: [i32; 4] = take_array(rest)?;
    let mut contacts = Vec::new();
    for _ in 0..length(contact_count, rest)? {
        contacts.push(contact(take_array(rest)?));
    }
    let layout = RowLayout {
        is_dense,
        kind: take(rest, rows)?,
        id: take(rest, rows)?,
        rownnz: take(rest, rows)?,
        rowadr: Vec::new(),
        colind: take(rest, entries)?,
        repeats: take(rest, rows)?.iter().map(|code| *code != 0).collect(),
        contact_row: take(rest, first_rows)?,
    };
    // A full matrix takes more than its entries, which are here.
    let cells = layout.kind.len().checked_mul(source.model.nv);
    if is_dense && cells.is_none_or(|cells| cells > rest.len()) {
        return Err(too_few());
    }
    let layout = layout.with_starts();
    set_rows(source, contacts, layout.clone(), has_islands)?;
    set_flags(source.data, flags.map(|flag| flag != 0));
    for column in kept_columns() {
        match column.cells {
            Cells::Numbers(read, Some(write)) => {
                let values = take_numbers(rest, read(source).len())?;
                write(source, &values)?;
            }
            Cells::Codes(read, Some(write)) => {
                let present = read(source);
                let values = take(rest, present.len() as i32)?;
                if values != present {
                    write(source, &values)?;
                }
            }
            _ => {}
        }
    }
    source.settle()?;
    // Once more, for what follows from the numbers.
    let contacts = source.data.position.contacts.contact.clone();
    set_rows(source, contacts, layout, has_islands)?;
    match rest.len() {
        0 => Ok(()),
        more => Err(PyValueError::new_err(format!(
            "this is no data of the model: {more} bytes are left over"
        ))),
    }
}

fn set_rows(
    source: &mut Source<'_>,
    contacts: Vec<Contact>,
    layout: RowLayout,
    has_islands: bool,
) -> PyResult<()> {
    let position = &mut source.data.position;
    position
        .set_rows(source.model, contacts, layout, has_islands)
        .map_err(wrong_layout)
}

fn sides(contact: &Contact) -> [i32; SIDES] {
    let ([a, b], [c, d]) = (contact.geom, contact.flex);
    let ([e, f], [g, h]) = (contact.elem, contact.vert);
    [contact.dim, contact.exclude, a, b, c, d, e, f, g, h]
}

fn contact([dim, exclude, a, b, c, d, e, f, g, h]: [i32; SIDES]) -> Contact {
    Contact {
        dim,
        exclude,
        geom: [a, b],
        flex: [c, d],
        elem: [e, f],
        vert: [g, h],
        ..Contact::default()
    }
}

/// What is current.
fn flags(data: &Data) -> [bool; 4] {
    [
        data.energy.has_potential,
        data.energy.has_kinetic,
        data.velocity.momentum.is_current,
        data.acceleration.body_force.is_current,
    ]
}

fn set_flags(data: &mut Data, flags: [bool; 4]) {
    let [potential, kinetic, momentum, body_force] = flags;
    data.energy.has_potential = potential;
    data.energy.has_kinetic = kinetic;
    data.velocity.momentum.is_current = momentum;
    data.acceleration.body_force.is_current = body_force;
}

fn put(codes: impl IntoIterator<Item = i32>, out: &mut Vec<u8>) {
    out.extend(codes.into_iter().flat_map(i32::to_le_bytes));
}

fn too_few() -> PyErr {
    PyValueError::new_err("this is no data of the model: there are too few bytes")
}

/// A length that what is left has bytes for.
fn length(count: i32, rest: &[u8]) -> PyResult<usize> {
    let count = usize::try_from(count).map_err(|_| too_few())?;
    (count <= rest.len()).then_some(count).ok_or_else(too_few)
}

fn take_array<const N: usize>(rest: &mut &[u8]) -> PyResult<[i32; N]> {
    let codes = take(rest, N as i32)?;
    codes.try_into().map_err(|_| too_few())
}

fn take(rest: &mut &[u8], count: i32) -> PyResult<Vec<i32>> {
    let bytes = 4 * length(count, rest)?;
    let (first, others) = rest.split_at_checked(bytes).ok_or_else(too_few)?;
    *rest = others;
    let (codes, _) = first.as_chunks();
    Ok(codes.iter().map(|code| i32::from_le_bytes(*code)).collect())
}

fn take_numbers(rest: &mut &[u8], count: usize) -> PyResult<Vec<f64>> {
    let (first, others) = rest.split_at_checked(8 * count).ok_or_else(too_few)?;
    *rest = others;
    let (numbers, _) = first.as_chunks();
    Ok(numbers
        .iter()
        .map(|number| f64::from_le_bytes(*number))
        .collect())
}
