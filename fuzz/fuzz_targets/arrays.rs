//! Arrays of a model as a pickle keeps them, with numbers changed here and there: they are refused, or the
//! model that they make steps.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::engine::constants::verify;
use sinew::model::Model;
use std::sync::LazyLock;

/// Models with one of most things, and with flexes.
static MODELS: LazyLock<[Model; 2]> = LazyLock::new(|| {
    [
        include_str!("../seeds/mjcf/everything.xml"),
        include_str!("../seeds/mjcf/flexes.xml"),
    ]
    .map(|text| {
        let loaded = sinew::mjcf::Loader::new().load_text(text);
        loaded.expect("our own model").model
    })
});

fuzz_target!(|data: &[u8]| {
    let Some((which, data)) = data.split_first() else {
        return;
    };
    let mut model = MODELS[usize::from(which % 2)].clone();
    let names: Vec<&str> = model.columns().iter().map(|column| column.name).collect();
    // Eight bytes each: which array, where in it, what value.
    for change in data.chunks_exact(8) {
        let name = names[usize::from(u16::from_le_bytes([change[0], change[1]])) % names.len()];
        let at = usize::from(u16::from_le_bytes([change[2], change[3]]));
        let mut columns = model.unchecked().columns_mut();
        let Some(column) = columns.iter_mut().find(|column| column.name == name) else {
            continue;
        };
        let words = column.bytes.len() / 4;
        if words > 0 {
            let start = 4 * (at % words);
            column.bytes[start..start + 4].copy_from_slice(&change[4..]);
        }
    }
    if verify(&model).is_ok() {
        sinew_fuzz::step(&model);
    }
});
