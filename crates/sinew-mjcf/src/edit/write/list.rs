//! Elements outside the tree.

use super::{Writer, settings};
use crate::compile::context::kind_word;
use crate::compile::plugin::shipped::SHIPPED;
use crate::edit::record::{Id, Record};
use crate::edit::table::Kind;
use crate::place::{At, Place};
use crate::spec::Spec;
use crate::spec::actuator::{Actuator, ActuatorKind};
use crate::spec::constraint::{
    Equality, EqualityKind, Pair, PathElement, PathGeom, PathJoint, PathPulley, PathSite, Tendon,
};
use crate::spec::element::Element;
use crate::spec::extra::{
    AssembledKey, PluginDeclaration, PluginDeclarationTable, PluginInstance, PluginInstanceTable,
    Tuple, TupleElement,
};
use sinew_model::kinds::{EqualityType, ObjectType, TransmissionType, WrapType};

impl Writer<'_> {
    /// Fills everything outside the tree.
    pub(super) fn listed(&mut self, spec: &mut Spec) {
        let draft = self.draft;
        macro_rules! lists {
            ($($kind:ident => $list:ident: $make:ident,)*) => { $(
                for id in draft.list(0, Kind::$kind) {
                    if let Ok(record) = draft.record(id) {
                        spec.$list.push(self.$make(id, record));
                    }
                }
            )* };
        }
        lists! {
            Numeric => numerics: table,
            Text => texts: table,
            Tuple => tuples: tuple,
            Mesh => meshes: mesh,
            HField => hfields: hfield,
            Texture => textures: texture,
            Material => materials: material,
            Skin => skins: skin,
            Pair => pairs: pair,
            Exclude => excludes: table,
            Flex => flexes: flex,
            Equality => equalities: equality,
            Tendon => tendons: tendon,
            Actuator => actuators: actuator,
            Sensor => sensors: sensor,
        }
        // One that follows the model makes all do so, since they stand behind the others.
        let keys = draft.list(0, Kind::Key);
        let is_assembled = keys.iter().any(|id| draft.record(*id).is_ok_and(follows));
        for id in keys {
            let Ok(record) = draft.record(id) else {
                continue;
            };
            match draft.complete_key(0, id).filter(|_| is_assembled) {
                Some(complete) => {
                    let place = self.place(id, record);
                    spec.assembled_keys.push(assembled(&complete, place));
                }
                None => spec.keys.push(self.table(id, record)),
            }
        }
        self.plugins(spec);
    }

    /// Declarations of plugins with their named instances.
    fn plugins(&mut self, spec: &mut Spec) {
        let draft = self.draft;
        let mut names: Vec<String> = draft
            .roots
            .first()
            .map_or(Vec::new(), |root| root.plugins.clone());
        let instances = draft.list(0, Kind::Plugin);
        let mut unknown = Vec::new();
        for (_, record) in self.records(instances.clone()) {
            let plugin = record.text("plugin_name").to_string();
            if !names.contains(&plugin) {
                names.push(plugin);
            }
        }
        for (id, record) in self.records(instances.clone()) {
            let known = SHIPPED
                .iter()
                .find(|plugin| plugin.name == record.text("plugin_name"));
            let keys = record.texts("config").iter().step_by(2);
            for key in keys {
                if known.is_some_and(|plugin| !plugin.attributes.contains(&key.as_str())) {
                    unknown.push((self.place(id, record), key.clone()));
                }
            }
        }
        for (place, key) in unknown {
            let message = format!("unrecognized attribute 'plugin:{key}'");
            self.problem(place, "config", message);
        }
        for name in names {
            let table = PluginDeclarationTable {
                place: Place::default(),
                plugin: Some(At::new(name.clone(), Place::default())),
            };
            let own = self.records(instances.clone());
            let own = own.filter(|(_, record)| record.text("plugin_name") == name);
            let instances = own.map(|(id, record)| {
                let place = self.place(id, record);
                PluginInstance {
                    table: PluginInstanceTable {
                        place,
                        name: Some(At::new(record.name.clone(), place)),
                    },
                    config: settings(record.texts("config"), place),
                }
            });
            let instances = instances.collect();
            spec.extensions.push(PluginDeclaration { table, instances });
        }
    }

    fn pair(&mut self, id: Id, record: &Record) -> Pair {
        let mut pair: Pair = self.table(id, record);
        pair.class = self.class_name(record, pair.place);
        pair
    }

    fn tuple(&mut self, id: Id, record: &Record) -> Tuple {
        let place = self.place(id, record);
        let kinds = record
            .value("objtype")
            .map_or(Vec::new(), |value| value.integers());
        let parameters = record.reals("objprm");
        let names = record.texts("objname").iter();
        let elements = names.enumerate().map(|(position, name)| TupleElement {
            place,
            objtype: kinds
                .get(position)
                .map(|&code| At::new(object_word(code), place)),
            objname: Some(At::new(name.clone(), place)),
            prm: parameters.get(position).map(|&prm| At::new(prm, place)),
        });
        Tuple {
            table: self.table(id, record),
            elements: elements.collect(),
        }
    }

    fn equality(&mut self, id: Id, record: &Record) -> Equality {
        let place = self.place(id, record);
        let code = i32::try_from(record.integer("type")).ok();
        let kind = match code.and_then(EqualityType::from_code) {
            Some(EqualityType::Connect) => EqualityKind::Connect,
            Some(EqualityType::Weld) => EqualityKind::Weld,
            Some(EqualityType::Joint) => EqualityKind::Joint,
            Some(EqualityType::Tendon) => EqualityKind::Tendon,
            Some(EqualityType::Flex) => EqualityKind::Flex,
            Some(EqualityType::Flexvert) => EqualityKind::FlexVert,
            _ => {
                let message = format!("type has no such value: {}", record.integer("type"));
                self.problem(place, "type", message);
                EqualityKind::Connect
            }
        };
        let mut equality = Equality {
            kind,
            table: self.table(id, record),
        };
        equality.table.class = self.class_name(record, place);
        let table = &mut equality.table;
        let name = |field: &str| {
            let name = record.text(field);
            (!name.is_empty()).then(|| At::new(name.to_string(), place))
        };
        let is_site = record.integer("objtype") == i64::from(ObjectType::Site.code());
        let data = record.reals("data");
        let part = |range: std::ops::Range<usize>| data.get(range).unwrap_or_default().to_vec();
        match kind {
            EqualityKind::Connect | EqualityKind::Weld if is_site => {
                (table.site1, table.site2) = (name("name1"), name("name2"));
            }
            EqualityKind::Connect | EqualityKind::Weld => {
                (table.body1, table.body2) = (name("name1"), name("name2"));
                table.anchor = part(0..3)
                    .try_into()
                    .ok()
                    .map(|anchor| At::new(anchor, place));
            }
            EqualityKind::Joint => (table.joint1, table.joint2) = (name("name1"), name("name2")),
            EqualityKind::Tendon => (table.tendon1, table.tendon2) = (name("name1"), name("name2")),
            EqualityKind::Flex | EqualityKind::FlexVert => table.flex = name("name1"),
        }
        if kind == EqualityKind::Weld {
            let pose: Option<[f64; 7]> = part(3..10).try_into().ok();
            if !is_site {
                table.relpose = pose.map(|pose| At::new(pose, place));
            }
            table.torquescale = data.get(10).map(|&scale| At::new(scale, place));
        }
        if matches!(kind, EqualityKind::Joint | EqualityKind::Tendon) {
            let text: Vec<String> = part(0..5).iter().map(f64::to_string).collect();
            let _ = table.set("polycoef", &text.join(" "), place);
        }
        equality
    }

    fn tendon(&mut self, id: Id, record: &Record) -> Tendon {
        let draft = self.draft;
        let steps: Vec<&Record> = record
            .children
            .iter()
            .filter_map(|&id| draft.record(id).ok())
            .collect();
        let place = self.place(id, record);
        let is_joint = |step: &&Record| step.integer("type") == i64::from(WrapType::Joint.code());
        let mut tendon = Tendon {
            is_spatial: !steps.first().is_some_and(is_joint),
            table: self.table(id, record),
            path: steps
                .into_iter()
                .map(|step| path_element(step, place))
                .collect(),
        };
        tendon.table.class = self.class_name(record, place);
        tendon
    }

    fn actuator(&mut self, id: Id, record: &Record) -> Actuator {
        let place = self.place(id, record);
        let mut actuator = Actuator {
            kind: ActuatorKind::General,
            table: self.table(id, record),
            config: Vec::new(),
        };
        actuator.table.class = self.class_name(record, place);
        let table = &mut actuator.table;
        let target = record.text("target");
        let attribute = match i32::try_from(record.integer("trntype"))
            .ok()
            .and_then(TransmissionType::from_code)
        {
            Some(TransmissionType::Joint) => "joint",
            Some(TransmissionType::Jointinparent) => "jointinparent",
            Some(TransmissionType::Slidercrank) => "cranksite",
            Some(TransmissionType::Tendon) => "tendon",
            Some(TransmissionType::Site) => "site",
            Some(TransmissionType::Body) => "body",
            _ => "",
        };
        if !target.is_empty() {
            let _ = table.set(attribute, target, place);
        }
        if let Some(plugin) = self.plugin(record, place) {
            actuator.kind = ActuatorKind::Plugin;
            actuator.table.plugin = plugin.table.plugin;
            actuator.table.instance = plugin.table.instance;
            actuator.config = plugin.config;
        }
        actuator
    }
}

fn path_element(step: &Record, place: Place) -> PathElement {
    let at = |field: &str| Some(At::new(step.text(field).to_string(), place));
    match i32::try_from(step.integer("type"))
        .ok()
        .and_then(WrapType::from_code)
    {
        Some(WrapType::Joint) => PathElement::Joint(PathJoint {
            place,
            joint: at("target"),
            coef: Some(At::new(step.real("coef"), place)),
        }),
        Some(WrapType::Pulley) => PathElement::Pulley(PathPulley {
            place,
            divisor: Some(At::new(step.real("divisor"), place)),
        }),
        Some(WrapType::Site) => PathElement::Site(PathSite {
            place,
            site: at("target"),
        }),
        _ => PathElement::Geom(PathGeom {
            place,
            geom: at("target"),
            sidesite: at("sidesite").filter(|name| !name.value.is_empty()),
        }),
    }
}

/// Whether a keyframe was put together, or some of its numbers follow the model: they are NaN.
fn follows(record: &Record) -> bool {
    let follows = |field: &str| record.reals(field).iter().any(|number| number.is_nan());
    !record.about.is_empty() || ["qpos", "mpos", "mquat"].into_iter().any(follows)
}

fn assembled(record: &Record, place: Place) -> AssembledKey {
    let some = |field: &str| Some(record.reals(field)).filter(|numbers| !numbers.is_empty());
    let partly = |field: &str| {
        let numbers = some(field)?.into_iter();
        Some(
            numbers
                .map(|number| Some(number).filter(|number| !number.is_nan()))
                .collect(),
        )
    };
    AssembledKey {
        name: record.name.clone(),
        place,
        time: record.real("time"),
        qpos: partly("qpos"),
        qvel: some("qvel"),
        act: some("act"),
        ctrl: some("ctrl"),
        mpos: partly("mpos"),
        mquat: partly("mquat"),
    }
}

/// The word for a kind of object.
pub(super) fn object_word(code: i32) -> String {
    match ObjectType::from_code(code) {
        Some(ObjectType::Xbody) => "xbody",
        Some(kind) => kind_word(kind),
        None => "unknown",
    }
    .to_string()
}
