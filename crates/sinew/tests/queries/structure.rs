//! Arrays that come from elsewhere, as from a pickle: those of a good model are taken, others refused or harmless.

use crate::open;
use sinew::engine::Data;
use sinew::engine::constants::verify;
use sinew::mjcf::{load_path, load_text};
use sinew::model::Model;
use sinew::model::column::Number;
use std::fs;
use std::path::{Path, PathBuf};

/// Bodies that only show, and bodies that are fused with others.
const SHOWN: &str = "<mujoco><worldbody><geom size='.1' contype='0' conaffinity='0'/><body><freejoint/>\
    <geom size='.1' mass='1' contype='0' conaffinity='0'/></body></worldbody></mujoco>";
const FUSED: &str = "<robot name='r'><link name='a'><collision><geometry><box size='1 2 3'/></geometry></collision>\
    </link><link name='b'><collision><geometry><cylinder radius='1' length='2'/></geometry></collision></link>\
    <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>";

/// A cloth whose vertices are held, beside a cube and a rope.
const FLEXES: &str = "<mujoco><option solver='CG' jacobian='sparse'/><worldbody>\
    <flexcomp name='rope' type='grid' dim='1' count='4 1 1' spacing='.1 .1 .1'/>\
    <flexcomp name='cloth' type='grid' dim='2' count='4 4 1' spacing='.1 .1 .1' pos='0 0 .2'>\
    <edge equality='vert'/><contact selfcollide='none'/></flexcomp>\
    <flexcomp name='cube' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' pos='0 0 .5' radius='.01'>\
    <elasticity young='1e4' poisson='.1' damping='.01'/></flexcomp></worldbody></mujoco>";

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("models/") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            found.push(path);
        }
    }
}

#[test]
fn what_the_compiler_makes_holds_together() {
    for text in [SHOWN, FUSED, FLEXES] {
        let model = load_text(text).expect("a model").model;
        assert_eq!(verify(&model), Ok(()), "{text}");
    }
    let mut found = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    files(&folder, &mut found);
    let mut count = 0;
    for path in found {
        // Some are parts of others.
        if let Ok(loaded) = load_path(&path.to_string_lossy()) {
            assert_eq!(verify(&loaded.model), Ok(()), "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 40, "{count} models");
}

/// Numbers that an id or an address is most likely wrong by.
const WRONG: [i32; 8] = [-2, -1, 0, 1, 2, 7, 1 << 20, i32::MAX];

/// Writes a wrong number into every integer array in turn, and steps what is taken.
fn spoil(model: &Model) -> usize {
    let mut refused = 0;
    let columns = model.columns().len();
    for column in 0..columns {
        if model.columns()[column].number != Number::I32 {
            continue;
        }
        let words = model.columns()[column].bytes.len() / 4;
        for (k, wrong) in WRONG.iter().enumerate().filter(|_| words > 0) {
            let mut changed = model.clone();
            let start = 4 * ((k * 7919 + column) % words);
            let mut arrays = changed.unchecked().columns_mut();
            arrays[column].bytes[start..start + 4].copy_from_slice(&wrong.to_ne_bytes());
            drop(arrays);
            if verify(&changed).is_err() {
                refused += 1;
            } else if changed.opt.iterations <= 200 {
                let mut data = Data::new(&changed);
                let _ = data.step(&changed);
            }
        }
    }
    refused
}

#[test]
fn wrong_numbers_in_arrays_of_flexes_are_refused_or_harmless() {
    let mut models: Vec<Model> = ["rope_bridge", "trilinear_jelly", "flag"]
        .map(|name| open(&format!("flex/{name}")))
        .into();
    models.push(load_text(FLEXES).expect("a model").model);
    for model in &models {
        let refused = spoil(model);
        assert!(refused > 300, "{refused}");
    }
}
