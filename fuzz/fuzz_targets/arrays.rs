//! What binary files and pickles keep, with numbers changed here and there: arrays of a model, the bytes of a whole one
//! with their checksum put right, arrays and rows of a simulation. They are refused, or what they make steps.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::engine::constants::verify;
use sinew::engine::{Data, Engine, saved};
use sinew::model::Model;
use sinew::model::column::ColumnMut;
use sinew::model::kinds::Stage;
use std::sync::LazyLock;

/// Models with one of most things, with flexes, and with laws of ours.
static MODELS: LazyLock<[Model; 3]> = LazyLock::new(|| {
    [
        include_str!("../seeds/mjcf/everything.xml"),
        include_str!("../seeds/mjcf/flexes.xml"),
        include_str!("../seeds/mjcf/laws.xml"),
    ]
    .map(|text| {
        let loaded = sinew::mjcf::Loader::new().load_text(text);
        loaded.expect("our own model").model
    })
});

/// Bytes at the end of a saved model that say what the ones before sum up to.
const CHECKSUM: usize = 8;

fuzz_target!(|data: &[u8]| {
    let Some((which, changes)) = data.split_first() else {
        return;
    };
    let model = &MODELS[usize::from(which % 3)];
    match which / 3 % 3 {
        0 => change_arrays(model.clone(), changes),
        1 => change_bytes(model, changes),
        _ => change_simulation(model, changes),
    }
});

/// Eight bytes each: which array, where in it, what value.
fn change_columns(mut columns: Vec<ColumnMut<'_>>, changes: &[u8]) {
    let count = columns.len();
    for change in changes.chunks_exact(8) {
        let which = usize::from(u16::from_le_bytes([change[0], change[1]]));
        let at = usize::from(u16::from_le_bytes([change[2], change[3]]));
        put(columns[which % count].bytes, at, &change[4..]);
    }
}

/// Writes a word of four bytes.
fn put(bytes: &mut [u8], at: usize, word: &[u8]) {
    let words = bytes.len() / 4;
    if words > 0 {
        let start = 4 * (at % words);
        bytes[start..start + 4].copy_from_slice(word);
    }
}

fn change_arrays(mut model: Model, changes: &[u8]) {
    change_columns(model.unchecked().columns_mut(), changes);
    if verify(&model).is_ok() {
        sinew_fuzz::step(&model);
    }
}

/// Eight bytes each: where, what. What is left over is cut off, or stands behind.
fn change_bytes(model: &Model, changes: &[u8]) {
    let mut bytes = saved::to_bytes(model).expect("a small model");
    bytes.truncate(bytes.len() - CHECKSUM);
    let (words, rest) = changes.as_chunks::<8>();
    for [a, b, c, d, word @ ..] in words {
        // Sizes come first and laws last, and they matter most.
        let at = u32::from_le_bytes([*a, *b, *c, 0]) as usize;
        let at = if d % 2 == 0 { at % 600 } else { at };
        put(&mut bytes[2..], at, word);
    }
    match rest {
        [] => {}
        [first] => bytes.truncate(bytes.len() - usize::from(*first)),
        more => bytes.extend_from_slice(more),
    }
    saved::seal(&mut bytes);
    if let Ok(model) = saved::from_bytes(&bytes) {
        assert_eq!(model.misshapen_column(), None);
        sinew_fuzz::step(&model);
    }
}

/// Words for arrays first, then for the layout of its rows, then the stages that read them.
fn change_simulation(model: &Model, changes: &[u8]) {
    let mut data = Data::new(model);
    let _ = data.step(model);
    let (columns, rows) = changes.split_at(changes.len() / 16 * 8);
    change_columns(data.columns_mut(), columns);
    if data.position.check_addresses(model).is_err() {
        data.position.forget_addresses();
    }
    let mut layout = data.position.constraints.layout();
    let mut contacts = data.position.contacts.contact.clone();
    for change in rows.chunks_exact(8) {
        let at = usize::from(u16::from_le_bytes([change[2], change[3]]));
        let code = i32::from_le_bytes([change[4], change[5], change[6], change[7]]);
        let contact = at % contacts.len().max(1);
        match (change[0] % 10, contacts.get_mut(contact)) {
            (0, _) => replace(&mut layout.kind, at, code),
            (1, _) => replace(&mut layout.id, at, code),
            (2, _) => replace(&mut layout.rownnz, at, code),
            (3, _) => replace(&mut layout.colind, at, code),
            (4, _) => replace(&mut layout.contact_row, at, code),
            (5, _) => replace(&mut layout.repeats, at, code % 2 == 0),
            (6, _) => layout.is_dense = code % 2 == 0,
            (7, Some(contact)) => contact.dim = code,
            (8, Some(contact)) => contact.geom = [code, i32::from(change[1])],
            (_, Some(contact)) => contact.flex = [code, i32::from(change[1])],
            (_, None) => {}
        }
    }
    let has_islands = changes.len() % 2 == 0;
    let layout = layout.with_starts();
    let _ = data.position.set_rows(model, contacts, layout, has_islands);
    let mut engine = Engine::new(model);
    let _ = engine.solve_constraints(&mut data);
    let _ = engine.compute_sensors(&mut data, Stage::Acc);
    let _ = engine.inverse(&mut data);
    let _ = engine.step2(&mut data);
    let _ = data.step(model);
}

fn replace<T>(list: &mut [T], at: usize, value: T) {
    if !list.is_empty() {
        let at = at % list.len();
        list[at] = value;
    }
}
