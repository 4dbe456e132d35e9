//! What is said about the sizes and arrays of a model says more than their names.

use super::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Words that say nothing by themselves.
const EMPTY: [&str; 20] = [
    "a", "address", "all", "an", "and", "array", "by", "count", "data", "each", "first", "for",
    "in", "is", "its", "number", "of", "per", "row", "the",
];

/// Name and comment of each size and column in `model.rs`.
fn declared() -> Vec<(String, String)> {
    let path = root().join("crates/sinew-model/src/model.rs");
    let text = fs::read_to_string(path).expect("model.rs");
    let (_, declaration) = text.split_once("crate::columns! {").expect("a declaration");
    let mut found = Vec::new();
    let mut comment = String::new();
    for line in declaration.lines().map(str::trim) {
        if let Some(more) = line.strip_prefix("///") {
            comment += more;
            continue;
        }
        let name: String = line
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let rest = &line[name.len()..];
        if !comment.is_empty() && (rest == "," || rest.starts_with(": ")) {
            found.push((name, comment.trim().to_string()));
        }
        comment.clear();
    }
    found
}

/// Words of a comment that its name does not contain already, in the singular.
fn said(name: &str, comment: &str) -> BTreeSet<String> {
    let name = name.to_lowercase();
    comment
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.strip_suffix('s').unwrap_or(word).to_string())
        .filter(|word| !EMPTY.contains(&word.as_str()) && !name.contains(word.as_str()))
        .collect()
}

#[test]
fn comments_of_columns_say_more_than_their_names() {
    let declared = declared();
    assert!(declared.len() > 500, "{}", declared.len());
    let empty: Vec<_> = declared
        .iter()
        .filter(|(name, comment)| said(name, comment).len() < 2)
        .collect();
    assert!(empty.is_empty(), "{empty:#?}");
    // The measure finds what it is there for.
    for (name, comment) in [
        ("actuator_acc0", "Acc0."),
        ("nflexvert", "Rows of the flexvert arrays."),
        ("mesh_vertadr", "First address."),
        ("hfield_nrow", "Nrow."),
        ("tendon_solref_lim", "Solref lim."),
        ("ngeom", "Geoms."),
    ] {
        assert!(said(name, comment).len() < 2, "{name}: {comment}");
    }
}

/// `body_user` and `geom_user` may read alike, `body_jntnum` and `mesh_vertnum` may not.
#[test]
fn one_comment_serves_columns_of_one_meaning() {
    let mut suffixes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, comment) in declared() {
        let suffix = name.split_once('_').map_or(name.as_str(), |(_, rest)| rest);
        suffixes
            .entry(comment)
            .or_default()
            .insert(suffix.to_string());
    }
    for (comment, suffixes) in suffixes {
        assert!(suffixes.len() == 1, "{comment} {suffixes:?}");
    }
}
