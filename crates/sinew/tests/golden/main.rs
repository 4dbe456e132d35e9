//! Golden values: our models against what MuJoCo 3.5.0 computes for them.
//!
//! `values/` holds one file per model of `models/`, written by `conformance/golden.py`; each names
//! its model, the engine's version and its generator. The format is described there and read by
//! [`record`]. What counts as equal stands in [`compare`] and is the same as in the live
//! comparison: integers exactly, floats relative to the field's largest magnitude.

mod compare;
mod record;
mod subject;

use record::{GoldenFile, Kind};
use sinew::engine::{Data, Engine};
use sinew::mjcf::load_path;
use sinew::model::Model;
use std::path::{Path, PathBuf};

/// The models of this repository.
fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// All golden files, by name.
fn golden_files() -> Vec<GoldenFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/values");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of golden values is part of the repository")
        .map(|entry| entry.expect("a readable folder entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    assert!(
        !paths.is_empty(),
        "no golden values in {}",
        folder.display()
    );
    paths.iter().map(|path| GoldenFile::read(path)).collect()
}

/// The compiled model a golden file is about.
fn load(golden: &GoldenFile) -> Result<Model, String> {
    let path = models().join(&golden.model);
    let loaded = load_path(path.to_str().expect("a path in UTF-8"));
    loaded
        .map(|loaded| loaded.model)
        .map_err(|error| format!("{}: {error}", golden.model))
}

/// Fails with every complaint at once.
fn report(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{} differences:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

#[test]
fn compiled_models_have_the_values_of_the_reference() {
    let mut complaints = Vec::new();
    for golden in golden_files() {
        let mut model = match load(&golden) {
            Ok(model) => model,
            Err(error) => {
                complaints.push(error);
                continue;
            }
        };
        for record in golden
            .records
            .iter()
            .filter(|record| record.kind == Kind::Field)
        {
            let actual = subject::model_field(&mut model, &record.name);
            if let Err(difference) = compare::compare(record, actual) {
                complaints.push(format!("{}: {}: {difference}", golden.model, record.name));
            }
        }
    }
    report(&complaints);
}

#[test]
fn position_stage_has_the_values_of_the_reference() {
    let mut complaints = Vec::new();
    for golden in golden_files() {
        // A model that does not load is a complaint of the other test.
        let Ok(model) = load(&golden) else { continue };
        let mut data = Data::new(&model);
        for state in golden.states() {
            for record in golden
                .records
                .iter()
                .filter(|record| record.kind == Kind::Input(state))
            {
                if !subject::set_data_field(&mut data, &record.name, record.floats()) {
                    complaints.push(format!(
                        "{}: {} has another length",
                        golden.model, record.name
                    ));
                }
            }
            Engine::new(&model)
                .forward_position(&mut data)
                .expect("its own model");
            for record in golden
                .records
                .iter()
                .filter(|record| record.kind == Kind::Output(state))
            {
                let actual = subject::data_field(&model, &data, &record.name);
                if let Err(difference) = compare::compare(record, actual) {
                    complaints.push(format!(
                        "{}, state {state}: {}: {difference}",
                        golden.model, record.name
                    ));
                }
            }
        }
    }
    report(&complaints);
}

#[test]
fn every_golden_file_says_where_it_comes_from() {
    for golden in golden_files() {
        assert_eq!(golden.engine, "mujoco 3.5.0", "{}", golden.model);
        assert!(
            golden.generator.starts_with("conformance/golden.py"),
            "{}",
            golden.model
        );
        assert!(models().join(&golden.model).is_file(), "{}", golden.model);
    }
}
