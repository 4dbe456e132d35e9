//! The names by which elements refer to each other.

use super::draft::Draft;
use super::record::{Id, Record};
use super::table::Kind;
use super::value::Value;
use sinew_model::kinds::{ObjectType, TransmissionType, WrapType};
use std::collections::BTreeSet;

/// Kinds with the names of elements.
pub(super) type Names = BTreeSet<(Kind, String)>;

/// Fields that name an element of one kind.
const PLAIN: &[(Kind, &str, Kind)] = &[
    (Kind::Body, "plugin.name", Kind::Plugin),
    (Kind::Geom, "plugin.name", Kind::Plugin),
    (Kind::Geom, "material", Kind::Material),
    (Kind::Geom, "hfieldname", Kind::HField),
    (Kind::Geom, "meshname", Kind::Mesh),
    (Kind::Site, "material", Kind::Material),
    (Kind::Camera, "targetbody", Kind::Body),
    (Kind::Light, "targetbody", Kind::Body),
    (Kind::Light, "texture", Kind::Texture),
    (Kind::Mesh, "material", Kind::Material),
    (Kind::Mesh, "plugin.name", Kind::Plugin),
    (Kind::Material, "textures", Kind::Texture),
    (Kind::Skin, "material", Kind::Material),
    (Kind::Skin, "bodyname", Kind::Body),
    (Kind::Flex, "material", Kind::Material),
    (Kind::Flex, "nodebody", Kind::Body),
    (Kind::Flex, "vertbody", Kind::Body),
    (Kind::Pair, "geomname1", Kind::Geom),
    (Kind::Pair, "geomname2", Kind::Geom),
    (Kind::Exclude, "bodyname1", Kind::Body),
    (Kind::Exclude, "bodyname2", Kind::Body),
    (Kind::Tendon, "material", Kind::Material),
    (Kind::Wrap, "sidesite", Kind::Site),
    (Kind::Actuator, "refsite", Kind::Site),
    (Kind::Actuator, "slidersite", Kind::Site),
    (Kind::Actuator, "plugin.name", Kind::Plugin),
    (Kind::Sensor, "plugin.name", Kind::Plugin),
];

/// Shows every name in an element that refers to another one; it may be changed.
pub(super) fn visit(record: &mut Record, visitor: &mut dyn FnMut(Kind, &mut String)) {
    let mut fields: Vec<(&str, Kind)> = PLAIN
        .iter()
        .filter(|(kind, ..)| *kind == record.kind)
        .map(|&(_, field, target)| (field, target))
        .collect();
    let object = |field: &str| kind_of(record.integer(field));
    match record.kind {
        Kind::Equality => {
            let kind = object("objtype");
            fields.extend(kind.map(|kind| ("name1", kind)));
            fields.extend(kind.map(|kind| ("name2", kind)));
        }
        Kind::Sensor => {
            fields.extend(object("objtype").map(|kind| ("objname", kind)));
            fields.extend(object("reftype").map(|kind| ("refname", kind)));
        }
        Kind::Actuator => {
            let code = i32::try_from(record.integer("trntype")).ok();
            let kind = match code.and_then(TransmissionType::from_code) {
                Some(TransmissionType::Tendon) => Kind::Tendon,
                Some(TransmissionType::Site | TransmissionType::Slidercrank) => Kind::Site,
                Some(TransmissionType::Body) => Kind::Body,
                _ => Kind::Joint,
            };
            fields.push(("target", kind));
        }
        Kind::Wrap => {
            let code = i32::try_from(record.integer("type")).ok();
            let kind = match code.and_then(WrapType::from_code) {
                Some(WrapType::Joint) => Kind::Joint,
                Some(WrapType::Site) => Kind::Site,
                _ => Kind::Geom,
            };
            fields.push(("target", kind));
        }
        _ => {}
    }
    for (field, kind) in fields {
        match record.value_mut(field).map(|(_, value)| value) {
            Some(Value::Text(name)) if !name.is_empty() => visitor(kind, name),
            Some(Value::Texts(names)) => {
                for name in names.iter_mut().filter(|name| !name.is_empty()) {
                    visitor(kind, name);
                }
            }
            _ => {}
        }
    }
    if record.kind == Kind::Tuple {
        let codes = record.value("objtype").map_or(Vec::new(), Value::integers);
        if let Some((_, Value::Texts(names))) = record.value_mut("objname") {
            for (code, name) in codes.into_iter().zip(names) {
                if let Some(kind) = kind_of(i64::from(code)) {
                    visitor(kind, name);
                }
            }
        }
    }
}

/// The kind with a code.
fn kind_of(code: i64) -> Option<Kind> {
    if code == i64::from(ObjectType::Xbody.code()) {
        return Some(Kind::Body);
    }
    let has_code = |kind: &&Kind| {
        kind.object_type()
            .is_some_and(|object| i64::from(object.code()) == code)
    };
    Kind::ALL.iter().find(has_code).copied()
}

impl Draft {
    /// The names that an element refers to, those of a tendon's path included.
    pub(super) fn references(&self, id: Id) -> Names {
        let mut names = Names::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Ok(record) = self.record(id) else {
                continue;
            };
            if record.kind == Kind::Tendon {
                open.extend(&record.children);
            }
            visit(&mut record.clone(), &mut |kind, name| {
                names.insert((kind, name.clone()));
            });
        }
        names
    }

    /// The names of elements in bodies.
    pub(super) fn names_in(&self, bodies: &[Id]) -> Names {
        let mut names = Names::new();
        for &body in bodies {
            let Ok(record) = self.record(body) else {
                continue;
            };
            let children = record
                .children
                .iter()
                .filter_map(|&id| self.record(id).ok());
            for one in std::iter::once(record).chain(children) {
                if !one.name.is_empty() {
                    names.insert((one.kind, one.name.clone()));
                }
            }
        }
        names
    }
}
