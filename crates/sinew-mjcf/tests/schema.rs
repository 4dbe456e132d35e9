//! The reader's schema against the reference's own schema print: nothing missing, nothing extra.

use sinew_mjcf::read::schema::{Count, MUJOCO, OWN_PREFIX, Schema};
use std::collections::BTreeMap;

/// `path → (how often, attributes)`.
type Elements = BTreeMap<String, (char, Vec<String>)>;

/// `frame` and `replicate` are handled apart by the reference and not in its print.
const NOT_PRINTED: [&str; 2] = ["frame", "replicate"];

/// Attributes that the reference does not have: they choose laws of ours.
const OWN: [&str; 7] = [
    "mujoco/(world)body/flexcomp sinew_bending",
    "mujoco/(world)body/flexcomp sinew_elasticity",
    "mujoco/actuator/general sinew_gain",
    "mujoco/default/general sinew_gain",
    "mujoco/deformable/flex sinew_bending",
    "mujoco/deformable/flex sinew_elasticity",
    "mujoco/option sinew_solver",
];

fn ours() -> Elements {
    let mut out = Elements::new();
    add(&MUJOCO, "", &mut out);
    out
}

fn add(schema: &'static Schema, parent: &str, out: &mut Elements) {
    // The reference has one entry for the world and its bodies.
    let name = match schema.name {
        "worldbody" => "(world)body",
        name => name,
    };
    let path = if parent.is_empty() {
        name.to_string()
    } else {
        format!("{parent}/{name}")
    };
    let count = match schema.count {
        Count::One => '!',
        Count::AtMostOne => '?',
        Count::Any => '*',
        Count::Recursive => 'R',
    };
    let (count, mut attributes) = if name == "(world)body" {
        let body = schema.child("body").expect("a world has bodies");
        ('R', body.attributes())
    } else {
        (count, schema.attributes())
    };
    attributes.sort_unstable();
    let attributes = attributes.into_iter().map(str::to_string).collect();
    out.insert(path.clone(), (count, attributes));
    for child in schema.children {
        let is_recursion = child.count == Count::Recursive && !parent.is_empty();
        let is_body = child.name == "body";
        if is_recursion || is_body || NOT_PRINTED.contains(&child.name) {
            continue;
        }
        add(child, &path, out);
    }
}

fn reference() -> Elements {
    include_str!("schema/reference.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split(' ');
            let path = words.next().expect("a path").to_string();
            let count = words.next().expect("a count").chars().next().expect("!*?R");
            (path, (count, words.map(str::to_string).collect()))
        })
        .collect()
}

#[test]
fn elements_and_attributes_are_the_references() {
    let (mut ours, reference) = (ours(), reference());
    let pairs = |elements: &Elements| elements.values().map(|(_, a)| a.len()).sum::<usize>();
    let mut names: Vec<&str> = reference
        .keys()
        .filter_map(|path| path.rsplit('/').next())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 120);
    assert_eq!(pairs(&reference), 1707);

    let mut own = Vec::new();
    for (path, (_, attributes)) in &mut ours {
        let ours = attributes
            .iter()
            .filter(|name| name.starts_with(OWN_PREFIX));
        own.extend(ours.map(|name| format!("{path} {name}")));
        attributes.retain(|name| !name.starts_with(OWN_PREFIX));
    }
    assert_eq!(own, OWN);
    for (path, expected) in &reference {
        assert_eq!(ours.get(path), Some(expected), "{path}");
    }
    for path in ours.keys() {
        assert!(
            reference.contains_key(path),
            "{path} is not in the reference"
        );
    }
    assert_eq!(pairs(&ours), 1707);
}

#[test]
fn every_accepted_attribute_is_in_its_table() {
    fn check(schema: &'static Schema, depth: usize) {
        for attribute in schema.attributes() {
            assert!(
                schema.table.contains(&attribute),
                "{} has no {attribute}",
                schema.name
            );
        }
        for required in schema.required {
            assert!(schema.accepts(required), "{}: {required}", schema.name);
        }
        if depth < 6 {
            for child in schema.children {
                check(child, depth + 1);
            }
        }
    }
    check(&MUJOCO, 0);
}
