//! Rules that concern one element as written, beyond the schema: classes must exist, orientations
//! must be single, combinations of attributes must make sense.

use super::check::Path;
use crate::nearest::nearest;
use crate::report::Report;
use crate::spec::value::shorten;
use std::collections::BTreeMap;

/// The default classes and the lines they are defined on.
type Classes = BTreeMap<String, u32>;

const ORIENTATIONS: &[&str] = &["quat", "axisangle", "xyaxes", "zaxis", "euler"];

/// Checks every element of a document.
pub fn verify(root: &Path<'_>, classes: &Classes, report: &mut Report) {
    for section in root.children() {
        element(&section, classes, report);
    }
}

fn element(path: &Path<'_>, classes: &Classes, report: &mut Report) {
    if report.is_exhausted() || !report.has_time(path.node.place) {
        return;
    }
    let name = path.node.name.as_str();
    if name != "default" {
        class(path, "class", classes, report);
    }
    class(path, "childclass", classes, report);
    if matches!(
        name,
        "body" | "frame" | "geom" | "site" | "camera" | "inertial" | "flexcomp"
    ) {
        orientation(path, report);
    }
    match name {
        "camera" => exclusive(path, "fovy", "sensorsize", report),
        "light" => exclusive(path, "directional", "type", report),
        _ => {}
    }
    for child in path.children() {
        element(&child, classes, report);
    }
}

/// Two attributes that cannot stand on one element.
fn exclusive(path: &Path<'_>, first: &str, second: &str, report: &mut Report) {
    if let (Some(_), Some(at)) = (path.node.attribute(first), path.node.attribute(second)) {
        report
            .error(
                "mjcf::conflict",
                at.place,
                format!("<{}> has both \"{first}\" and \"{second}\"", path.node.name),
            )
            .element(path.to_string())
            .attribute(second)
            .hint("keep one of them");
    }
}

fn class(path: &Path<'_>, attribute: &str, classes: &Classes, report: &mut Report) {
    let Some(class) = path.node.attribute(attribute) else {
        return;
    };
    if classes.contains_key(&class.text) {
        return;
    }
    let wants_hints = report.wants_hints();
    let entry = report.error(
        "mjcf::unknown-class",
        class.value_place,
        format!(
            "unknown default class \"{}\" in <{}>",
            shorten(&class.text),
            path.node.name
        ),
    );
    entry.element(path.to_string()).attribute(attribute);
    if wants_hints && let Some(near) = nearest(&class.text, classes.keys().map(String::as_str)) {
        entry.hint(format!("did you mean \"{near}\"?"));
    }
}

fn orientation(path: &Path<'_>, report: &mut Report) {
    // An empty list of numbers counts as not given, except for quat.
    let mut given = path.node.attributes.iter().filter(|a| {
        ORIENTATIONS.contains(&a.name.as_str()) && (a.name == "quat" || !a.text.trim().is_empty())
    });
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        report
            .error(
                "mjcf::orientations",
                second.place,
                format!(
                    "<{}> has two orientations, \"{}\" and \"{}\"",
                    path.node.name, first.name, second.name
                ),
            )
            .element(path.to_string())
            .attribute(second.name.clone());
    }
    if let Some(quat) = path.node.attribute("quat")
        && path.node.name != "flexcomp"
        && crate::spec::value::numbers::<f64>(&quat.text, 4, 4)
            .is_ok_and(|q| !q.is_empty() && q.iter().all(|x| *x == 0.0))
    {
        report
            .error(
                "mjcf::zero-quaternion",
                quat.value_place,
                format!("zero quaternion in <{}>", path.node.name),
            )
            .element(path.to_string())
            .attribute("quat")
            .hint("no rotation is \"1 0 0 0\"");
    }
}
