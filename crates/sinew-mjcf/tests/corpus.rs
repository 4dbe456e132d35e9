//! Bad files of our own, each with the code, the place and the hint that the loader must give.
//!
//! `corpus/expected.tsv` is the list. Every file is loaded in a thread with a stack of 2 MiB.

use sinew_mjcf::{Diagnostic, Loader, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

mod limited;

struct Expected<'a> {
    file: &'a str,
    code: &'a str,
    /// `line:column`, or `file:line:column` for a place in another file.
    place: &'a str,
    hint: &'a str,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn expected() -> Vec<Expected<'static>> {
    include_str!("corpus/expected.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [file, code, place, hint, _reference] = columns[..] else {
                panic!("five columns: {line}");
            };
            Expected {
                file,
                code,
                place,
                hint,
            }
        })
        .collect()
}

/// The errors of a file, with the time the load took.
fn errors(path: &str) -> (Vec<Diagnostic>, Duration) {
    let path = path.to_string();
    let (mut diagnostics, time) = limited::run(move || match Loader::new().load_path(&path) {
        Ok(_) => Vec::new(),
        Err(error) => error.diagnostics,
    });
    diagnostics.retain(|d| d.severity == Severity::Error);
    (diagnostics, time)
}

/// Whether an error says what is expected of it.
fn matches(error: &Diagnostic, expected: &Expected<'_>) -> bool {
    let name = Path::new(&error.file)
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let own_name = expected.file.rsplit('/').next().unwrap_or_default();
    let place = match (error.line, name == own_name) {
        (0, true) => "-".to_string(),
        (0, false) => name,
        (line, true) => format!("{line}:{}", error.column),
        (line, false) => format!("{name}:{line}:{}", error.column),
    };
    let hint = error.hint.as_deref().unwrap_or("");
    error.code == expected.code
        && place == expected.place
        && (expected.hint == "-" || hint.contains(expected.hint))
}

#[test]
fn every_bad_file_is_refused_as_expected() {
    let mut wrong = Vec::new();
    let (mut with_line, mut with_column) = (0, 0);
    let all = expected();
    for row in &all {
        let path = corpus().join(row.file);
        let (found, time) = errors(&path.to_string_lossy());
        if time > Duration::from_secs(1) {
            wrong.push(format!("{} took {time:?}", row.file));
        }
        with_line += usize::from(
            found
                .first()
                .is_some_and(|e| !e.file.is_empty() && e.line > 0),
        );
        with_column += usize::from(found.first().is_some_and(|e| e.column > 0));
        if !found.iter().any(|error| matches(error, row)) {
            let found: Vec<String> = found
                .iter()
                .map(|e| format!("\n    [{}] {e}", e.code))
                .collect();
            let (code, place, hint) = (row.code, row.place, row.hint);
            wrong.push(format!(
                "{}: expected {code} at {place} with \"{hint}\", found {}",
                row.file,
                found.concat()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() >= 150, "{} files", all.len());
    let share = |count: usize| count as f64 / all.len() as f64;
    assert!(share(with_line) >= 0.95, "{with_line} of {}", all.len());
    assert!(share(with_column) >= 0.90, "{with_column} of {}", all.len());
}

/// Two thirds of the errors, and of the kinds of errors, say how to mend them.
#[test]
fn most_errors_come_with_a_hint() {
    let mut kinds: BTreeMap<&str, bool> = BTreeMap::new();
    let (mut with_hint, mut all) = (0, 0);
    for row in expected() {
        let (found, _) = errors(&corpus().join(row.file).to_string_lossy());
        let first = found.first().expect("an error");
        let has_hint = first.hint.as_deref().is_some_and(|hint| !hint.is_empty());
        // A kind has hints if all its errors do.
        *kinds.entry(first.code).or_insert(true) &= has_hint;
        with_hint += usize::from(has_hint);
        all += 1;
    }
    let kinds_with = kinds.values().filter(|has_hint| **has_hint).count();
    let without: Vec<&&str> = kinds
        .iter()
        .filter(|(_, has)| !**has)
        .map(|(code, _)| code)
        .collect();
    assert!(3 * with_hint >= 2 * all, "{with_hint} of {all}");
    assert!(
        3 * kinds_with >= 2 * kinds.len(),
        "{kinds_with} of {}: {without:?}",
        kinds.len()
    );
}

/// What is wrong with a flex is always followed by how to mend it.
#[test]
fn every_error_of_a_flex_comes_with_a_hint() {
    let listed = expected();
    let flexes: Vec<_> = listed
        .iter()
        .filter(|row| row.file.starts_with("flex/"))
        .collect();
    assert!(flexes.len() >= 40, "{} files", flexes.len());
    for row in flexes {
        assert_ne!(row.hint, "-", "{}", row.file);
    }
}

#[test]
fn every_file_of_the_corpus_is_listed() {
    let listed: BTreeSet<&str> = expected().iter().map(|row| row.file).collect();
    for group in std::fs::read_dir(corpus()).expect("corpus") {
        let group = group.expect("an entry").path();
        if !group.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&group).expect("a group") {
            let file = file.expect("an entry").path();
            if file.extension().is_some_and(|e| e == "xml") {
                let name = file.strip_prefix(corpus()).expect("inside");
                let name = name.to_string_lossy().replace('\\', "/");
                assert!(listed.contains(name.as_str()), "{name} is not listed");
            }
        }
    }
}

#[test]
fn files_that_are_not_models_are_never_quoted() {
    for file in [
        "syntax/plain_text.xml",
        "syntax/json.xml",
        "paths/include_text.xml",
    ] {
        let (found, _) = errors(&corpus().join(file).to_string_lossy());
        for error in found {
            let shown = format!("{error}\n{}", error.render());
            assert_eq!(error.source_line, None);
            for secret in ["not a model", "\"model\"", "milk"] {
                assert!(!shown.contains(secret), "{shown}");
            }
        }
    }
}
