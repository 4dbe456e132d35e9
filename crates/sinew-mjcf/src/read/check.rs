//! Compares a tree of nodes with the schema: unknown names, missing attributes, repeated elements.
//!
//! The reference does not look below a `frame` or `replicate`: what it would skip there in silence
//! is a warning here, not an error, so that models which load there load here.

use std::fmt;

use super::schema::{self, Count, Schema};
use super::xml::Node;
use crate::nearest::nearest;
use crate::report::Report;

/// A node with its ancestors, to say where something is.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    /// The node.
    pub node: &'a Node,
}

impl<'a> Path<'a> {
    /// The path of a root.
    pub fn root(node: &'a Node) -> Self {
        Path { parent: None, node }
    }

    /// The path of a child.
    pub fn child(&'a self, node: &'a Node) -> Path<'a> {
        Path {
            parent: Some(self),
            node,
        }
    }

    /// Paths of the children.
    pub fn children(&'a self) -> impl Iterator<Item = Path<'a>> {
        self.node.children.iter().map(move |node| self.child(node))
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = vec![self.node];
        let mut above = self.parent;
        while let Some(path) = above {
            names.push(path.node);
            above = path.parent;
        }
        // A very deep path is shortened in the middle.
        const MOST: usize = 12;
        let skipped = names.len().saturating_sub(MOST);
        for (i, node) in names.iter().rev().enumerate() {
            let from_end = names.len().saturating_sub(i);
            if skipped > 0 && i >= 2 && from_end > MOST.saturating_sub(2) {
                if i == 2 {
                    write!(f, "/…")?;
                }
                continue;
            }
            if i > 0 {
                write!(f, "/")?;
            }
            write!(f, "{}", node.name)?;
            if let Some(name) = node.attribute("name") {
                write!(f, "[{}]", crate::spec::value::shorten(&name.text))?;
            }
        }
        Ok(())
    }
}

/// How strict the reference is at this point of the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    Strict,
    InsideFrame,
}

/// Reports everything in a document that the schema does not allow, and, if that is wanted, what the reference
/// does not have.
pub fn check(root: &Node, refuses_own: bool, report: &mut Report) {
    let path = Path::root(root);
    element(&path, &schema::MUJOCO, Strictness::Strict, report);
    if refuses_own {
        own_attributes(&path, report);
    }
}

/// Reports attributes that the reference does not have.
fn own_attributes(path: &Path<'_>, report: &mut Report) {
    if !report.has_time(path.node.place) {
        return;
    }
    for attribute in &path.node.attributes {
        if attribute.name.starts_with(schema::OWN_PREFIX) {
            let message = format!(
                "\"{}\" is none of the reference's attributes",
                attribute.name
            );
            let entry = report.error("mjcf::strict", attribute.place, message);
            entry
                .element(path.to_string())
                .attribute(attribute.name.clone());
            entry.hint("the model is loaded strictly: leave it out, or load it otherwise");
        }
    }
    for child in path.children() {
        own_attributes(&child, report);
    }
}

fn element(path: &Path<'_>, schema: &Schema, strictness: Strictness, report: &mut Report) {
    if report.is_exhausted() || !report.has_time(path.node.place) {
        return;
    }
    let is_frame = matches!(schema.name, "frame" | "replicate");
    let strictness = if is_frame {
        Strictness::InsideFrame
    } else {
        strictness
    };
    attributes(path, schema, strictness, report);
    let mut seen: Vec<&str> = Vec::new();
    for child in path.children() {
        let name = child.node.name.as_str();
        let Some(child_schema) = schema.child(name) else {
            unknown_element(&child, schema, strictness, report);
            continue;
        };
        if child_schema.count == Count::AtMostOne {
            if seen.contains(&name) {
                let entry = if strictness == Strictness::InsideFrame {
                    report.warning(
                        "mjcf::repeated-element",
                        child.node.place,
                        format!("<{name}> stands more than once in <{}>", schema.name),
                    )
                } else {
                    report.error(
                        "mjcf::repeated-element",
                        child.node.place,
                        format!("<{name}> may stand only once in <{}>", schema.name),
                    )
                };
                entry.element(child.to_string());
            }
            seen.push(name);
        }
        element(&child, child_schema, strictness, report);
    }
}

fn attributes(path: &Path<'_>, schema: &Schema, strictness: Strictness, report: &mut Report) {
    for attribute in &path.node.attributes {
        if schema.accepts(&attribute.name) {
            continue;
        }
        if report.is_exhausted() {
            return;
        }
        let message = format!(
            "unknown attribute \"{}\" in <{}>",
            crate::spec::value::shorten(&attribute.name),
            schema.name
        );
        let wants_hints = report.wants_hints();
        let entry = if strictness == Strictness::InsideFrame {
            report.warning("mjcf::unknown-attribute", attribute.place, message)
        } else {
            report.error("mjcf::unknown-attribute", attribute.place, message)
        };
        entry
            .element(path.to_string())
            .attribute(attribute.name.clone());
        if !wants_hints {
            continue;
        }
        let names = schema.attributes();
        if schema.name == "worldbody" {
            entry.hint("the world takes no attributes");
        } else if let Some(near) = nearest(&attribute.name, names.iter().copied()) {
            entry.hint(format!("did you mean \"{near}\"?"));
        } else if names.is_empty() {
            entry.hint(format!("<{}> takes no attributes", schema.name));
        } else if names.len() <= 12 {
            entry.hint(format!("<{}> takes {}", schema.name, names.join(", ")));
        }
    }
    for required in schema.required {
        let given = path.node.attribute(required);
        // An empty number of any other element is found where the number is needed.
        let counts_empty = schema.name != "inertial";
        if !given.is_some_and(|text| counts_empty || !text.text.trim().is_empty()) {
            report
                .error(
                    "mjcf::missing-attribute",
                    path.node.place,
                    format!(
                        "required attribute \"{required}\" missing in <{}>",
                        schema.name
                    ),
                )
                .element(path.to_string())
                .attribute(*required)
                .hint(format!("add {required}=\"…\""));
        }
    }
}

fn unknown_element(path: &Path<'_>, parent: &Schema, strictness: Strictness, report: &mut Report) {
    if report.is_exhausted() || !report.has_time(path.node.place) {
        return;
    }
    let name = path.node.name.as_str();
    // The reference checks these like a body, and then forgets them.
    if parent.name == "mujoco" && matches!(name, "body" | "frame" | "replicate") {
        report
            .warning(
                "mjcf::ignored-element",
                path.node.place,
                format!("<{name}> outside <worldbody> is ignored"),
            )
            .element(path.to_string())
            .hint("move it into <worldbody>");
        element(path, &schema::BODY, strictness, report);
        return;
    }
    let message = format!(
        "unknown element <{}> in <{}>",
        crate::spec::value::shorten(name),
        parent.name
    );
    // Below a frame only the children of bodies are looked at.
    let is_skipped = strictness == Strictness::InsideFrame
        && parent.child("geom").is_none_or(|g| g.count != Count::Any);
    let wants_hints = report.wants_hints();
    let entry = if is_skipped {
        report.warning("mjcf::unknown-element", path.node.place, message)
    } else {
        report.error("mjcf::unknown-element", path.node.place, message)
    };
    entry.element(path.to_string());
    if !wants_hints {
        return;
    }
    if let Some(near) = nearest(name, parent.child_names()) {
        entry.hint(format!("did you mean <{near}>?"));
    } else if let Some(home) = home_of(name) {
        entry.hint(format!("<{name}> belongs into <{home}>"));
    } else if parent.children.is_empty() {
        entry.hint(format!("<{}> has no child elements", parent.name));
    } else if parent.children.len() <= 12 {
        let names: Vec<&str> = parent.child_names().collect();
        entry.hint(format!("<{}> takes <{}>", parent.name, names.join(">, <")));
    }
}

/// The section an element that is at home elsewhere belongs into.
fn home_of(name: &str) -> Option<&'static str> {
    let sections = schema::MUJOCO.children.iter();
    if schema::MUJOCO.child(name).is_some() {
        return Some("mujoco");
    }
    sections
        .filter(|section| section.name != "default")
        .find(|section| section.child(name).is_some())
        .map(|section| {
            if section.name == "worldbody" {
                "body"
            } else {
                section.name
            }
        })
}
