//! Fills an element's table from a node's attributes.

use super::check::Path;
use super::xml::NodeAttribute;
use crate::place::Place;
use crate::report::Report;
use crate::spec::element::{Element, Outcome};
use crate::spec::value::ValueError;

/// Attributes in which NaN and infinity are refused rather than passed on.
const FINITE: &[&str] = &[
    "size",
    "mass",
    "diaginertia",
    "fullinertia",
    "vertex",
    "timestep",
];

/// Attributes with reference parameters of constraints.
const REFERENCES: &[&str] = &[
    "solref",
    "solreflimit",
    "solreffriction",
    "solreffix",
    "o_solref",
];

/// Reads a node's attributes into a table. Names the table does not have were reported by the
/// schema check; values that cannot be read are reported here and count as not given.
pub fn table<T: Element>(path: &Path<'_>, report: &mut Report) -> T {
    let mut table = T::placed(path.node.place);
    for attribute in &path.node.attributes {
        let place = attribute.value_place;
        if !report.has_time(place) {
            break;
        }
        let mut goes_on = || report.has_time(place);
        match table.set_while(&attribute.name, &attribute.text, place, &mut goes_on) {
            Ok(Outcome::Unknown) => {}
            Ok(Outcome::Read) => {
                mixed_reference(path, attribute, report);
                too_small(path, attribute, report);
            }
            Ok(Outcome::NotFinite) => not_finite(path, attribute, report),
            Err(_) if !report.has_time(place) => break,
            Err(error) => value_error(path, attribute, error, report),
        }
    }
    table
}

fn not_finite(path: &Path<'_>, attribute: &NodeAttribute, report: &mut Report) {
    let name = attribute.name.as_str();
    let element = path.node.name.as_str();
    let message = format!("attribute \"{name}\" of <{element}> has a NaN or an infinity");
    let is_refused = FINITE.contains(&name) || (element == "mesh" && name == "scale");
    let entry = if is_refused {
        report.error("mjcf::not-finite", attribute.value_place, message)
    } else {
        report.warning("mjcf::not-finite", attribute.value_place, message)
    };
    entry.element(path.to_string()).attribute(name);
}

/// Warns of reference parameters that are neither (time constant, damping ratio), both positive,
/// nor (−stiffness, −damping): while stepping, others take their place.
fn mixed_reference(path: &Path<'_>, attribute: &NodeAttribute, report: &mut Report) {
    let name = attribute.name.as_str();
    if !REFERENCES.contains(&name) {
        return;
    }
    let mut signs = attribute
        .text
        .split_ascii_whitespace()
        .map(|word| word.parse::<f64>().map(|number| number > 0.0));
    if let (Some(Ok(first)), Some(Ok(second))) = (signs.next(), signs.next())
        && first != second
    {
        let element = path.node.name.as_str();
        let instead = if element == "pair" && name == "solreffriction" {
            "solref"
        } else {
            "\"0.02 1\""
        };
        let message = format!(
            "attribute \"{name}\" of <{element}> has numbers of different sign; {instead} is used"
        );
        report
            .warning("mjcf::mixed-signs", attribute.value_place, message)
            .element(path.to_string())
            .attribute(name);
    }
}

/// Element, attribute, the least number that makes sense, and what a smaller one means.
const LEAST: &[(&str, &str, f64, &str)] = &[
    (
        "joint",
        "damping",
        0.0,
        "damping below zero drives the joint",
    ),
    (
        "joint",
        "armature",
        0.0,
        "armature below zero takes inertia away",
    ),
    (
        "joint",
        "frictionloss",
        0.0,
        "friction below zero is taken for none",
    ),
    ("replicate", "count", 1.0, "nothing is made of the content"),
    ("camera", "resolution", 1.0, "no picture has so few pixels"),
];

/// Warns of numbers that the reference takes without a word, and nobody means.
fn too_small(path: &Path<'_>, attribute: &NodeAttribute, report: &mut Report) {
    let (element, name) = (path.node.name.as_str(), attribute.name.as_str());
    let rule = LEAST
        .iter()
        .find(|rule| rule.0 == element && rule.1 == name);
    let Some((_, _, least, meaning)) = rule else {
        return;
    };
    let mut numbers = attribute.text.split_ascii_whitespace();
    let is_smaller = |word: &str| word.parse::<f64>().is_ok_and(|number| number < *least);
    if numbers.any(is_smaller) {
        report
            .warning(
                "mjcf::too-small",
                attribute.value_place,
                format!("attribute \"{name}\" of <{element}> is below {least}: {meaning}"),
            )
            .element(path.to_string())
            .attribute(name);
    }
}

/// Reports a value that cannot be read.
pub fn value_error(
    path: &Path<'_>,
    attribute: &NodeAttribute,
    error: ValueError,
    report: &mut Report,
) {
    let place = if attribute.is_plain {
        Place {
            column: attribute
                .value_place
                .column
                .saturating_add(u32::try_from(error.offset).unwrap_or(0)),
            ..attribute.value_place
        }
    } else {
        attribute.value_place
    };
    let entry = report.error(
        error.kind,
        place,
        format!(
            "{} in attribute \"{}\" of <{}>",
            error.message, attribute.name, path.node.name
        ),
    );
    entry
        .element(path.to_string())
        .attribute(attribute.name.clone());
    if let Some(hint) = error.hint {
        entry.hint(hint);
    }
}
