//! The schema as a table for people.

use super::schema::{Count, MUJOCO, OWN_PREFIX, Schema};
use std::fmt::Write;

/// Attributes of a plain table begin in this column.
const COLUMN: usize = 30;

/// A line of a plain table ends after the attribute that reaches this column.
const WIDTH: usize = 60;

/// How a table is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Lines of text.
    Plain,
    /// An HTML table, indented by style.
    Padded,
    /// An HTML table, indented by blanks.
    Spaced,
}

/// All elements with the attributes they take.
#[doc(alias = "mj_printSchema")]
pub fn print(layout: Layout) -> String {
    let mut text = String::new();
    match layout {
        Layout::Plain => plain(&mut text, &MUJOCO, 0),
        _ => {
            text.push_str("<table border=\"1\">\n");
            html(&mut text, &MUJOCO, 0, layout);
            text.push_str("</table>\n");
        }
    }
    text
}

/// Name and mark of an element, and its attributes in alphabetical order. The world and its bodies share a row.
fn row(schema: &Schema) -> (&'static str, char, Vec<&'static str>) {
    let body = schema.child("body").filter(|_| schema.name == "worldbody");
    let mark = match schema.count {
        _ if body.is_some() => 'R',
        Count::One => '!',
        Count::AtMostOne => '?',
        Count::Any => '*',
        Count::Recursive => 'R',
    };
    let mut attributes = body.unwrap_or(schema).attributes();
    // The table is the reference's.
    attributes.retain(|name| !name.starts_with(OWN_PREFIX));
    attributes.sort_unstable();
    let name = if body.is_some() {
        "(world)body"
    } else {
        schema.name
    };
    (name, mark, attributes)
}

/// What is listed below an element: not itself again, nor frames and replicates, which stand wherever bodies do.
fn children(schema: &Schema, level: usize) -> impl Iterator<Item = &'static Schema> {
    let is_listed = move |child: &&&'static Schema| {
        let is_recursion = child.count == Count::Recursive && level > 0;
        !is_recursion && !["body", "frame", "replicate"].contains(&child.name)
    };
    schema.children.iter().filter(is_listed).copied()
}

fn plain(text: &mut String, schema: &Schema, level: usize) {
    let (name, mark, attributes) = row(schema);
    let start = format!(
        "{:indent$}{name} ({mark})",
        "",
        indent = level.saturating_mul(3)
    );
    let column = start.len().max(COLUMN);
    // Writing to a text cannot fail.
    let _ = write!(text, "{start:COLUMN$}");
    let mut at = column;
    for attribute in attributes {
        if at > WIDTH {
            let _ = write!(text, "\n{:column$}", "");
            at = column;
        }
        let _ = write!(text, "{attribute} ");
        at = at.saturating_add(attribute.len()).saturating_add(1);
    }
    text.push('\n');
    for child in children(schema, level) {
        plain(text, child, level.saturating_add(1));
    }
}

fn html(text: &mut String, schema: &Schema, level: usize, layout: Layout) {
    let (name, mark, attributes) = row(schema);
    let (style, blanks) = match layout {
        Layout::Padded => (
            format!(
                "style=\"padding-left:{}\" ",
                level.saturating_mul(15).saturating_add(5)
            ),
            String::new(),
        ),
        _ => (String::new(), "&nbsp;".repeat(level.saturating_mul(4))),
    };
    let list = match attributes.as_slice() {
        [] => "<span style=\"color:black\"><i>no attributes</i></span>".to_string(),
        some => some.iter().map(|name| format!("{name} ")).collect(),
    };
    let _ = write!(
        text,
        "<tr>\n\t<td {style}bgcolor=\"#EEEEEE\" class=\"el\">{blanks}{name}</td>\n\
         \t<td class=\"ty\">{mark}</td>\n\t<td class=\"at\">{list}</td>\n</tr>\n"
    );
    for child in children(schema, level) {
        html(text, child, level.saturating_add(1), layout);
    }
}
