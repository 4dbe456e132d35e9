//! A draft with the elements that the compiled model has: static bodies fused, visual geoms dropped.
//!
//! Which ones those are follows from the model: what has a name and is not in it is gone, and what has none was gone by the
//! rules of the compiler, which asks about names only.

use crate::edit::draft::Draft;
use crate::edit::record::{Id, Record};
use crate::edit::table::Kind;
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// Fuses and drops. A body that got or lost something says its mass and inertia itself.
pub(super) fn merge(draft: &mut Draft, model: &Model) {
    let compiler = draft.setting_record(0, Kind::Compiler);
    let is_on = |name| compiler.is_some_and(|compiler| compiler.integer(name) != 0);
    let (fuses, discards) = (is_on("fusestatic"), is_on("discardvisual"));
    if fuses {
        for body in draft.list(0, Kind::Body).into_iter().skip(1) {
            if is_fused(draft, body, model) {
                fuse(draft, body);
            }
        }
    }
    if discards {
        discard(draft, model);
    }
}

fn is_fused(draft: &Draft, body: Id, model: &Model) -> bool {
    let Ok(record) = draft.record(body) else {
        return false;
    };
    draft.children(body, Kind::Joint).is_empty()
        && record.integer("mocap") == 0
        && is_missing(record, ObjectType::Body, model)
}

/// Whether a model lacks an element; what has no name is taken to be missing.
fn is_missing(record: &Record, kind: ObjectType, model: &Model) -> bool {
    record.name.is_empty() || model.id(kind, &record.name).is_none()
}

/// Hands what stands in a body to the body around it: bodies in its place, the rest behind what is there. Frames have no
/// pose any more, so that elements need none.
fn fuse(draft: &mut Draft, body: Id) {
    let Ok(record) = draft.record(body) else {
        return;
    };
    let (children, Some(parent)) = (record.children.clone(), record.parent) else {
        return;
    };
    let mut bodies = Vec::new();
    let mut others = Vec::new();
    for child in children {
        let Some(record) = draft.record_mut(child) else {
            continue;
        };
        record.parent = Some(parent);
        record.frame = None;
        match record.kind {
            Kind::Body => bodies.push(child),
            Kind::Frame => {}
            _ => others.push(child),
        }
    }
    if let Some(slot) = draft.records.get_mut(body.0) {
        *slot = None;
    }
    if let Some(around) = draft.record_mut(parent) {
        if let Some(place) = around.children.iter().position(|&id| id == body) {
            around.children.splice(place..=place, bodies);
        }
        around.children.extend(others);
    }
    says_its_mass(draft, parent);
}

fn discard(draft: &mut Draft, model: &Model) {
    for geom in draft.list(0, Kind::Geom) {
        let Ok(record) = draft.record(geom) else {
            continue;
        };
        let collides = record.integer("contype") != 0 || record.integer("conaffinity") != 0;
        if collides || !is_missing(record, ObjectType::Geom, model) {
            continue;
        }
        if let Some(body) = record.parent {
            if let Some(body) = draft.record_mut(body) {
                body.children.retain(|&id| id != geom);
            }
            says_its_mass(draft, body);
        }
        if let Some(slot) = draft.records.get_mut(geom.0) {
            *slot = None;
        }
    }
}

fn says_its_mass(draft: &mut Draft, body: Id) {
    if body == draft.world() {
        return;
    }
    if let Some(record) = draft.record_mut(body) {
        record.put("explicitinertial", 1);
    }
}
