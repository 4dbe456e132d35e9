//! A body that is here already, and moves into the frame of the attachment.

use crate::expand::rename::Contents;
use crate::expand::walk::Scope;
use crate::place::At;
use crate::spec::tree::{Body, Child, Frame, FrameTable};

/// Moves a child of the body being filled into the innermost open frame; its place in the order of
/// bodies stays. `false`: the body has no such child.
pub fn move_body(name: &str, scope: &mut Scope) -> bool {
    let frames: Vec<Option<FrameTable>> = scope
        .levels
        .iter()
        .map(|level| level.frame.clone())
        .collect();
    for (depth, level) in scope.levels.iter_mut().enumerate() {
        if !holds(&level.children, name) {
            continue;
        }
        let children = std::mem::take(&mut level.children);
        let (mut before, body, mut after) = split(children, name, level.class.as_deref());
        let moved = body.map(|body| {
            let inner = frames.iter().skip(depth + 1).rev().flatten();
            inner.fold(body, |inside, table| {
                let mut table = table.clone();
                table.name = None;
                Child::Frame(Box::new(Frame {
                    table,
                    children: vec![inside],
                }))
            })
        });
        before.extend(moved);
        before.append(&mut after);
        level.children = before;
        return true;
    }
    false
}

/// Whether a body has this name; the empty one is that of bodies without.
fn is_called(body: &Body, name: &str) -> bool {
    body.table.name.as_ref().map_or("", |at| at.value.as_str()) == name
}

/// Bodies without a name inside the body being filled.
pub fn unnamed_in(scope: &Scope) -> usize {
    let levels = scope.levels.iter();
    levels
        .map(|level| Contents::of(&level.children).unnamed_bodies)
        .sum()
}

fn holds(children: &[Child], name: &str) -> bool {
    children.iter().any(|child| match child {
        Child::Body(body) => is_called(body, name),
        Child::Frame(frame) => holds(&frame.children, name),
        _ => false,
    })
}

/// What stands before a body, the body, and what stands after; frames around it are split in two.
fn split(
    children: Vec<Child>,
    name: &str,
    class: Option<&str>,
) -> (Vec<Child>, Option<Child>, Vec<Child>) {
    let (mut before, mut found, mut after) = (Vec::new(), None, Vec::new());
    for child in children {
        if found.is_some() {
            after.push(child);
            continue;
        }
        match child {
            Child::Body(mut body) if is_called(&body, name) => {
                if let (None, Some(class)) = (&body.table.childclass, class) {
                    body.table.childclass = Some(At::new(class.to_string(), body.table.place));
                }
                found = Some(Child::Body(body));
            }
            Child::Frame(frame) if holds(&frame.children, name) => {
                let Frame { table, children } = *frame;
                let own = table.childclass.as_ref().or(table.class.as_ref());
                let own = own.map(|at| at.value.clone());
                let (inside_before, body, inside_after) =
                    split(children, name, own.as_deref().or(class));
                found = body;
                let mut rest = table.clone();
                rest.name = None;
                before.push(Child::Frame(Box::new(Frame {
                    table,
                    children: inside_before,
                })));
                after.push(Child::Frame(Box::new(Frame {
                    table: rest,
                    children: inside_after,
                })));
            }
            other => before.push(other),
        }
    }
    (before, found, after)
}
