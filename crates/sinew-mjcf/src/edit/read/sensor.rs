//! Sensors: from an element and its attributes to type and objects.

use super::{Reader, plugin, words};
use crate::compile::sensor::table::{CONTACT_DATA, RAY_DATA, Target, find};
use crate::edit::record::Record;
use crate::edit::table::Kind;
use crate::place::At;
use crate::spec::sensor::{Sensor, SensorTable};
use crate::spec::tree::{Plugin, PluginTable};
use sinew_model::kinds::{ObjectType, SensorType};

impl Reader<'_> {
    /// The sensors.
    pub(super) fn sensors(&mut self) {
        let spec = self.spec;
        for sensor in &spec.sensors {
            if !self.goes_on(sensor.table.place) {
                return;
            }
            let id = self.make(Kind::Sensor, &sensor.table, sensor.table.place, 0);
            if let Some(record) = self.draft.record_mut(id) {
                read(record, sensor);
            }
            self.list(id);
        }
    }
}

fn read(record: &mut Record, sensor: &Sensor) {
    let Some(row) = find(sensor.element) else {
        return;
    };
    let table = &sensor.table;
    record.put("type", row.kind.code());
    if row.kind != SensorType::User {
        record.put("datatype", row.datatype.code());
        record.put("needstage", row.stage.code());
    }
    let (object, reference) = objects(table, row.target);
    for (kind, name, given) in [
        ("objtype", "objname", object),
        ("reftype", "refname", reference),
    ] {
        if let Some((code, text)) = given {
            record.put(kind, code.code());
            record.put(name, text);
        }
    }
    parameters(record, table, row.kind);
    if table.plugin.is_some() || table.instance.is_some() {
        let reference = Plugin {
            table: PluginTable {
                place: table.place,
                plugin: table.plugin.clone(),
                instance: table.instance.clone(),
            },
            config: Vec::new(),
        };
        plugin(record, std::slice::from_ref(&reference));
        record.put("plugin.config", words(&sensor.config));
    }
}

fn parameters(record: &mut Record, table: &SensorTable, kind: SensorType) {
    let words: &[(&str, i32)] = match kind {
        SensorType::Contact => &CONTACT_DATA,
        SensorType::Rangefinder => &RAY_DATA,
        _ => return,
    };
    let mut bits = 0;
    for (bit, (word, _)) in words.iter().enumerate() {
        let is_given = table
            .data
            .as_ref()
            .is_some_and(|data| data.value.0.iter().any(|given| given == word));
        if is_given {
            bits |= 1 << bit;
        }
    }
    let bits = if table.data.is_none() { 1 } else { bits };
    let (reduce, count) = match kind {
        SensorType::Contact => (
            table
                .reduce
                .as_ref()
                .map_or(0, |reduce| reduce.value as i32),
            table.num.as_ref().map_or(1, |num| num.value),
        ),
        _ => (0, 0),
    };
    record.put("intprm", vec![bits, reduce, count]);
}

type Object = Option<(ObjectType, String)>;

/// What the sensor is attached to, and what it refers to.
fn objects(table: &SensorTable, target: Target) -> (Object, Object) {
    use ObjectType::{Body, Camera, Geom, Mesh, Site, Xbody};
    let named =
        |name: &Option<At<String>>, kind| name.as_ref().map(|name| (kind, name.value.clone()));
    let typed = |kind: &Option<At<String>>, name: &Option<At<String>>| {
        let kind = kind.as_ref().and_then(|kind| object_type(&kind.value))?;
        named(name, kind)
    };
    let reference = typed(&table.reftype, &table.refname);
    match target {
        Target::Global => (None, None),
        Target::Object(kind, _) => {
            let name = match kind {
                Site => &table.site,
                ObjectType::Joint => &table.joint,
                ObjectType::Tendon => &table.tendon,
                ObjectType::Actuator => &table.actuator,
                _ => &table.body,
            };
            (named(name, kind), None)
        }
        Target::SiteInCamera => (named(&table.site, Site), named(&table.camera, Camera)),
        Target::Rays => (
            named(&table.site, Site).or(named(&table.camera, Camera)),
            None,
        ),
        Target::FrameInSite => (
            typed(&table.objtype, &table.objname),
            named(&table.site, Site),
        ),
        Target::Distance => (
            named(&table.geom1, Geom).or(named(&table.body1, Body)),
            named(&table.geom2, Geom).or(named(&table.body2, Body)),
        ),
        Target::Contact => {
            let first = named(&table.geom1, Geom).or(named(&table.body1, Body));
            let first = first
                .or(named(&table.subtree1, Xbody))
                .or(named(&table.site, Site));
            let second = named(&table.geom2, Geom).or(named(&table.body2, Body));
            (first, second.or(named(&table.subtree2, Xbody)))
        }
        Target::MeshOnGeom => (named(&table.mesh, Mesh), named(&table.geom, Geom)),
        Target::Frame | Target::FrameWithoutReference | Target::User | Target::Plugin => {
            (typed(&table.objtype, &table.objname), reference)
        }
    }
}

/// The kind of object that a word names.
pub(super) fn object_type(word: &str) -> Option<ObjectType> {
    if word == "xbody" {
        return Some(ObjectType::Xbody);
    }
    let members = ObjectType::TABLE.members.iter();
    let mut kinds = members.filter_map(|&(_, code)| ObjectType::from_code(code));
    kinds.find(|&kind| crate::compile::context::kind_word(kind) == word)
}
