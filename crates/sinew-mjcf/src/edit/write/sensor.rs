//! Sensors: from type and objects to an element and its attributes.

use super::Writer;
use super::list::object_word;
use crate::compile::sensor::table::{CONTACT_DATA, RAY_DATA, Row, TABLE, Target};
use crate::edit::record::{Id, Record};
use crate::place::{At, Place};
use crate::spec::element::Element;
use crate::spec::sensor::{Sensor, SensorTable};
use crate::spec::value::Words;
use sinew_model::kinds::{ObjectType, SensorType};

impl Writer<'_> {
    pub(super) fn sensor(&mut self, id: Id, record: &Record) -> Sensor {
        let place = self.place(id, record);
        let code = record.integer("type");
        let row = TABLE.iter().find(|row| i64::from(row.kind.code()) == code);
        let mut sensor = Sensor {
            element: row.map_or("", |row| row.element),
            table: self.table(id, record),
            config: Vec::new(),
        };
        let Some(row) = row else {
            self.problem(place, "type", format!("type has no such value: {code}"));
            return sensor;
        };
        let table = &mut sensor.table;
        if row.kind != SensorType::User {
            (table.datatype, table.needstage, table.dim) = (None, None, None);
        } else {
            table.dim = i32::try_from(record.integer("dim"))
                .ok()
                .map(|dim| At::new(dim, place));
        }
        attach(table, row, record, place);
        if let Some(message) = self.parameters(&mut sensor.table, row, record, place) {
            self.problem(place, "intprm", message);
        }
        if let Some(plugin) = self.plugin(record, place) {
            sensor.table.plugin = plugin.table.plugin;
            sensor.table.instance = plugin.table.instance;
            sensor.config = plugin.config;
        }
        sensor
    }

    /// What the whole numbers of contact sensors and range finders say. `Some`: what is wrong with them.
    fn parameters(
        &self,
        table: &mut SensorTable,
        row: &Row,
        record: &Record,
        place: Place,
    ) -> Option<String> {
        let numbers = record
            .value("intprm")
            .map_or(Vec::new(), |value| value.integers());
        let [bits, reduce, count] = numbers.try_into().unwrap_or([0; 3]);
        let words: &[(&str, i32)] = match row.kind {
            SensorType::Contact => &CONTACT_DATA,
            SensorType::Rangefinder => &RAY_DATA,
            _ => return None,
        };
        let all = if row.kind == SensorType::Contact {
            "mjNCONDATA"
        } else {
            "mjNRAYDATA"
        };
        if row.kind == SensorType::Contact
            && let Some(message) = unfit_objects(record)
        {
            return Some(message.to_string());
        }
        if bits <= 0 {
            return Some(format!(
                "data spec (intprm[0]) must be positive, got {bits} in sensor"
            ));
        }
        let most = 1i64 << words.len();
        if i64::from(bits) & (most - 1) == 0 {
            return Some(format!(
                "data spec intprm[0]={bits} must have at least one bit set of the first {all} bits in sensor"
            ));
        }
        if i64::from(bits) >= most {
            return Some(format!(
                "data spec intprm[0]={bits} has bits set beyond the first {all} bits in sensor"
            ));
        }
        let chosen = words
            .iter()
            .enumerate()
            .filter(|(bit, _)| bits >> bit & 1 == 1);
        let chosen = chosen.map(|(_, (word, _))| word.to_string()).collect();
        table.data = Some(At::new(Words(chosen), place));
        if row.kind != SensorType::Contact {
            return None;
        }
        let Some(word) = ["none", "mindist", "maxforce", "netforce"]
            .get(usize::try_from(reduce).unwrap_or(usize::MAX))
        else {
            return Some(format!(
                "unknown reduction criterion. got {reduce}, expected one of {{0, 1, 2, 3}} in sensor"
            ));
        };
        let _ = table.set("reduce", word, place);
        if count <= 0 {
            return Some("num (intprm[2]) must be positive in sensor".to_string());
        }
        table.num = Some(At::new(count, place));
        None
    }
}

/// What a contact sensor cannot match.
fn unfit_objects(record: &Record) -> Option<&'static str> {
    let is_one_of = |field: &str, kinds: &[ObjectType]| {
        kinds
            .iter()
            .any(|kind| record.integer(field) == i64::from(kind.code()))
    };
    use ObjectType::{Body, Geom, Site, Unknown, Xbody};
    if !is_one_of("objtype", &[Unknown, Body, Xbody, Geom, Site]) {
        return Some("first matching criterion: if set, must be (x)body, geom or site in sensor");
    }
    if !is_one_of("reftype", &[Unknown, Body, Xbody, Geom]) {
        return Some("second matching criterion: if set, must be (x)body or geom in sensor");
    }
    None
}

/// Sets the attributes that name the objects.
fn attach(table: &mut SensorTable, row: &Row, record: &Record, place: Place) {
    let code = |field: &str| i32::try_from(record.integer(field)).unwrap_or(-1);
    let (object, reference) = (code("objtype"), code("reftype"));
    let mut set = |attribute: &str, text: &str| {
        if !text.is_empty() {
            let _ = table.set(attribute, text, place);
        }
    };
    let (name, other) = (record.text("objname"), record.text("refname"));
    let is = |code: i32, kind: ObjectType| code == kind.code();
    match row.target {
        Target::Global => {}
        Target::Object(kind, _) => {
            if is(object, kind) {
                set(&object_word(object), name);
            }
        }
        Target::SiteInCamera => {
            set("site", name);
            set("camera", other);
        }
        Target::Rays => {
            let attribute = if is(object, ObjectType::Camera) {
                "camera"
            } else {
                "site"
            };
            set(attribute, name);
        }
        Target::Frame | Target::FrameWithoutReference => {
            set("objtype", &object_word(object));
            set("objname", name);
            if !is(reference, ObjectType::Unknown) {
                set("reftype", &object_word(reference));
                set("refname", other);
            }
        }
        Target::FrameInSite => {
            set("objtype", &object_word(object));
            set("objname", name);
            set("site", other);
        }
        Target::Distance => {
            set(
                if is(object, ObjectType::Body) {
                    "body1"
                } else {
                    "geom1"
                },
                name,
            );
            set(
                if is(reference, ObjectType::Body) {
                    "body2"
                } else {
                    "geom2"
                },
                other,
            );
        }
        Target::Contact => {
            let attribute = |code: i32, words: [&'static str; 3]| {
                let [geom, body, subtree] = words;
                match ObjectType::from_code(code) {
                    Some(ObjectType::Geom) => geom,
                    Some(ObjectType::Body) => body,
                    Some(ObjectType::Xbody) => subtree,
                    _ => "site",
                }
            };
            set(attribute(object, ["geom1", "body1", "subtree1"]), name);
            set(attribute(reference, ["geom2", "body2", "subtree2"]), other);
        }
        Target::MeshOnGeom => {
            set("mesh", name);
            set("geom", other);
        }
        Target::User | Target::Plugin => {
            if !is(object, ObjectType::Unknown) {
                set("objtype", &object_word(object));
                set("objname", name);
            }
            if !is(reference, ObjectType::Unknown) {
                set("reftype", &object_word(reference));
                set("refname", other);
            }
        }
    }
}
