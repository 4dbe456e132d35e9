//! The crate graph and the paths named in ARCHITECTURE.md are what that file says; columns are explained.

mod comments;
mod dependencies;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies two levels below the workspace")
        .to_path_buf()
}

/// Rows of the code map: crate, and the crates it may use.
fn declared() -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut rows: Vec<(String, BTreeSet<String>)> = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `crates/")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let name = cells[0].trim_matches('`').trim_start_matches("crates/");
        let uses = match cells[2] {
            "–" => BTreeSet::new(),
            "all above" => rows.iter().map(|(name, _)| name.clone()).collect(),
            list => list
                .split(", ")
                .map(|part| match part {
                    "sinew" => part.to_string(),
                    part => format!("sinew-{part}"),
                })
                .collect(),
        };
        rows.push((name.to_string(), uses));
    }
    rows
}

#[test]
fn crates_depend_only_on_what_the_code_map_lists() {
    let rows = declared();
    let mut seen = BTreeSet::new();
    for (name, allowed) in &rows {
        seen.insert(name.clone());
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("a manifest for each row");
        let mut section = "";
        for line in text.lines() {
            if line.starts_with('[') {
                section = line;
            } else if section == "[dependencies]" {
                let dependency = line.split(['.', ' ', '=']).next().unwrap_or("");
                if dependency.starts_with("sinew") {
                    assert!(
                        allowed.contains(dependency),
                        "{name} must not use {dependency}"
                    );
                }
            }
        }
    }
    let present: BTreeSet<String> = fs::read_dir(root().join("crates"))
        .expect("crates/")
        .map(|entry| {
            entry
                .expect("entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(present, seen, "every crate has a row in the code map");
}

#[test]
fn engine_crates_use_only_bytemuck_and_libm_from_outside() {
    for name in ["math", "collision", "solver", "model", "dynamics", "engine"] {
        let manifest = root()
            .join("crates")
            .join(format!("sinew-{name}"))
            .join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("manifest");
        let mut section = "";
        for line in text.lines() {
            if line.starts_with('[') {
                section = line;
            } else if section == "[dependencies]" && !line.trim().is_empty() {
                let dependency = line.split(['.', ' ', '=']).next().unwrap_or("");
                assert!(
                    dependency.starts_with("sinew") || ["bytemuck", "libm"].contains(&dependency),
                    "sinew-{name} uses {dependency}"
                );
            }
        }
    }
}

#[test]
fn every_path_in_the_architecture_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for word in text.split('`') {
        let is_path = ["crates/", "docs/", "models/", "conformance/"]
            .iter()
            .any(|prefix| word.starts_with(prefix))
            && !word.contains([' ', '\n', '*']);
        if is_path {
            assert!(root().join(word).exists(), "{word} is named but absent");
        }
    }
}

/// All source files below `crates`, with their text.
fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("source");
            found.push((path, text));
        }
    }
}

#[test]
fn there_is_one_enumeration_of_integrators() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let is_declaration = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = words.iter().skip_while(|word| **word != "enum").nth(1);
        name.is_some_and(|name| name.to_lowercase().contains("integrat"))
    };
    let declared: Vec<&str> = files
        .iter()
        .flat_map(|(_, text)| text.lines().filter(is_declaration))
        .collect();
    assert_eq!(declared.len(), 1, "{declared:?}");
    // The facade, the engine and the model show the same one.
    let same: fn(sinew::model::kinds::Integrator) -> i32 = |integrator| integrator.code();
    assert_eq!(same(sinew::model::kinds::Integrator::Rk4), 1);
}

#[test]
fn no_warning_about_unused_code_is_silenced() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    for (path, text) in files {
        for lint in ["dead_code", "unused"] {
            for form in ["allow", "expect"] {
                let attribute = format!("{form}({lint}");
                assert!(
                    !text.contains(&attribute),
                    "{attribute} in {}",
                    path.display()
                );
            }
        }
    }
}

/// Whoever meets a type of the facade in the documentation sees it used.
#[test]
fn every_public_type_of_the_facade_has_an_example() {
    let mut files = Vec::new();
    sources(&root().join("crates/sinew/src"), &mut files);
    let mut types = 0;
    for (path, text) in &files {
        let mut documentation = String::new();
        for line in text.lines().map(str::trim_start) {
            let is_type = ["pub struct ", "pub enum ", "pub trait "]
                .iter()
                .any(|start| line.starts_with(start));
            if is_type && !line.contains("$name") {
                types += 1;
                assert!(
                    documentation.contains("```"),
                    "{}: {line} has no example",
                    path.display()
                );
            }
            // Comments and attributes belong to what follows; a macro is given them where it is used.
            match line.starts_with("///") || line.starts_with('#') {
                true => documentation.push_str(line),
                false => documentation.clear(),
            }
        }
    }
    assert!(types > 20, "{types} found");
}
