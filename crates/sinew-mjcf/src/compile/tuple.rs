//! Custom tuples: lists of objects with a number each.

use super::Context;
use super::context::kind_word;
use crate::nearest::nearest;
use sinew_model::ModelArrays;
use sinew_model::kinds::ObjectType;

/// The kinds of object that can be named by a word.
const KINDS: [ObjectType; 25] = [
    ObjectType::Body,
    ObjectType::Xbody,
    ObjectType::Joint,
    ObjectType::Dof,
    ObjectType::Geom,
    ObjectType::Site,
    ObjectType::Camera,
    ObjectType::Light,
    ObjectType::Flex,
    ObjectType::Mesh,
    ObjectType::Skin,
    ObjectType::Hfield,
    ObjectType::Texture,
    ObjectType::Material,
    ObjectType::Pair,
    ObjectType::Exclude,
    ObjectType::Equality,
    ObjectType::Tendon,
    ObjectType::Actuator,
    ObjectType::Sensor,
    ObjectType::Numeric,
    ObjectType::Text,
    ObjectType::Tuple,
    ObjectType::Key,
    ObjectType::Plugin,
];

/// The kind a word stands for.
pub fn object_kind(word: &str) -> Option<ObjectType> {
    // The two frames of a body share a word elsewhere.
    if word == "xbody" {
        return Some(ObjectType::Xbody);
    }
    KINDS
        .into_iter()
        .find(|kind| *kind != ObjectType::Xbody && kind_word(*kind) == word)
}

/// Appends the tuple columns. Pairs and excludes must have their final ids.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    model.ntuple = spec.tuples.len();
    for tuple in &spec.tuples {
        if !ctx.has_time(tuple.table.place) {
            return;
        }
        let name = tuple.table.name.as_ref().map_or("", |name| &name.value);
        let label = format!("tuple \"{name}\"");
        if tuple.elements.is_empty() {
            ctx.report
                .error(
                    "mjcf::empty-tuple",
                    tuple.table.place,
                    "a tuple cannot be empty",
                )
                .element(&label);
        }
        model.tuple_adr.push(model.ntupledata as i32);
        model.tuple_size.push(tuple.elements.len() as i32);
        for element in &tuple.elements {
            if !ctx.has_time(element.place) {
                return;
            }
            let (Some(objtype), Some(objname)) = (&element.objtype, &element.objname) else {
                let attribute = if element.objtype.is_none() {
                    "objtype"
                } else {
                    "objname"
                };
                ctx.missing(element.place, &label, attribute);
                continue;
            };
            let Some(kind) = object_kind(&objtype.value) else {
                let hint = nearest(&objtype.value, KINDS.into_iter().map(kind_word));
                let entry = ctx
                    .report
                    .error(
                        "mjcf::keyword",
                        objtype.place,
                        format!("`{}` is not a kind of object", objtype.value),
                    )
                    .element(&label)
                    .attribute("objtype");
                if let Some(hint) = hint {
                    entry.hint(format!("did you mean `{hint}`?"));
                }
                continue;
            };
            let Some(id) = ctx.resolve(kind, objname, &label, "objname") else {
                continue;
            };
            model.tuple_objtype.push(kind.code());
            model.tuple_objid.push(id as i32);
            model
                .tuple_objprm
                .push(element.prm.as_ref().map_or(0.0, |prm| prm.value));
        }
        model.ntupledata = model.tuple_objtype.len();
    }
}
