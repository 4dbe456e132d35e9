//! The built-in models are the models of the repository, and they load.

use sinew::models;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_model_of_the_repository_is_built_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files: BTreeSet<String> = [folder.clone(), folder.join("flex")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("models/"))
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    let built_in: BTreeSet<String> = models::ALL
        .iter()
        .map(|model| model.name.to_owned())
        .collect();
    assert_eq!(built_in, files);
}

#[test]
fn every_built_in_model_loads_without_a_word() {
    for model in models::ALL {
        match model.load() {
            Ok(loaded) => assert_eq!(loaded.warnings, [], "{}", model.name),
            Err(error) => panic!("{}: {error}", model.name),
        }
    }
}

#[test]
fn the_default_is_built_in() {
    assert!(models::get(models::DEFAULT).is_some());
    assert!(models::get("no such model").is_none());
}
