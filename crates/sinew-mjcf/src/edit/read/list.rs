//! Elements outside the tree.

use super::sensor::object_type;
use super::{Reader, fill, plugin, words};
use crate::edit::record::{Id, Record};
use crate::edit::shared::Shared;
use crate::edit::table::Kind;
use crate::edit::value::Value;
use crate::edit::write::{CUBE_FILES, rows_reversed};
use crate::place::At;
use crate::spec::asset::{Bone, Layer};
use crate::spec::constraint::{Equality, EqualityKind, PathElement};
use crate::spec::element::Element;
use crate::spec::extra::{AssembledKey, Tuple};
use sinew_model::kinds::{EqualityType, ObjectType, WrapType};

impl Reader<'_> {
    /// Everything outside the tree.
    pub(super) fn listed(&mut self) {
        let spec = self.spec;
        macro_rules! plain {
            ($($list:ident $kind:ident;)*) => { $(
                for table in &spec.$list {
                    if !self.goes_on(table.place) {
                        return;
                    }
                    let id = self.make(Kind::$kind, table, table.place, 0);
                    self.list(id);
                }
            )* };
        }
        for declaration in &spec.extensions {
            self.declaration(declaration);
        }
        plain! { numerics Numeric; texts Text; }
        for tuple in &spec.tuples {
            if !self.goes_on(tuple.table.place) {
                return;
            }
            let id = self.make(Kind::Tuple, &tuple.table, tuple.table.place, 0);
            self.with(id, |record| read_tuple(record, tuple));
        }
        self.assets();
        for pair in &spec.pairs {
            if !self.goes_on(pair.place) {
                return;
            }
            let class = self.class(&pair.class, 0);
            let mut table = pair.clone();
            table.inherit(self.classes.pair(class));
            let id = self.make(Kind::Pair, &table, table.place, class);
            self.list(id);
        }
        plain! { excludes Exclude; }
        self.flexes();
        for equality in &spec.equalities {
            if !self.goes_on(equality.table.place) {
                return;
            }
            let class = self.class(&equality.table.class, 0);
            let mut table = equality.table.clone();
            table.inherit(self.classes.equality(class));
            let id = self.make(Kind::Equality, &table, table.place, class);
            self.with(id, |record| read_equality(record, equality));
        }
        self.tendons();
        self.actuators();
        self.sensors();
        plain! { keys Key; }
        for key in &spec.assembled_keys {
            if !self.goes_on(key.place) {
                return;
            }
            self.assembled_key(key);
        }
        if !spec.assembled_keys.is_empty() {
            let keys = self.draft.key_parts(0);
            self.draft.follow(0, keys);
        }
    }

    /// Lists an element after something was done to it.
    fn with(&mut self, id: Id, change: impl FnOnce(&mut Record)) {
        if let Some(record) = self.draft.record_mut(id) {
            change(record);
        }
        self.list(id);
    }

    fn declaration(&mut self, declaration: &crate::spec::extra::PluginDeclaration) {
        let name = declaration
            .table
            .plugin
            .as_ref()
            .map_or("", |name| &name.value)
            .to_string();
        self.draft.activate_plugin(0, &name);
        for instance in &declaration.instances {
            if !self.goes_on(instance.table.place) {
                return;
            }
            let id = self.make(Kind::Plugin, &instance.table, instance.table.place, 0);
            self.with(id, |record| {
                record.put("plugin_name", name.as_str());
                record.put("active", true);
                record.put("config", words(&instance.config));
            });
        }
    }

    fn assets(&mut self) {
        let spec = self.spec;
        for mesh in &spec.meshes {
            if !self.goes_on(mesh.table.place) {
                return;
            }
            let class = self.class(&mesh.table.class, 0);
            let mut table = mesh.table.clone();
            table.inherit(self.classes.mesh(class));
            let id = self.make(Kind::Mesh, &table, table.place, class);
            self.with(id, |record| plugin(record, &mesh.plugins));
        }
        for hfield in &spec.hfields {
            if !self.goes_on(hfield.place) {
                return;
            }
            let id = self.make(Kind::HField, hfield, hfield.place, 0);
            self.with(id, |record| {
                if let Some(elevation) = &hfield.elevation {
                    let columns = usize::try_from(record.integer("ncol")).unwrap_or(0);
                    record.put("userdata", rows_reversed(&elevation.value, columns));
                }
            });
        }
        for texture in &spec.textures {
            if !self.goes_on(texture.place) {
                return;
            }
            let id = self.make(Kind::Texture, texture, texture.place, 0);
            let written = texture.written();
            let files = CUBE_FILES.map(|attribute| {
                let found = written.iter().find(|(known, _)| *known == attribute);
                found.map_or(String::new(), |(_, text)| text.clone())
            });
            self.with(id, |record| record.put("cubefiles", files.to_vec()));
        }
        for material in &spec.materials {
            if !self.goes_on(material.table.place) {
                return;
            }
            let class = self.class(&material.table.class, 0);
            let mut table = material.table.clone();
            table.inherit(self.classes.material(class));
            let id = self.make(Kind::Material, &table, table.place, class);
            self.with(id, |record| {
                read_textures(record, table.texture.as_ref(), &material.layers);
            });
        }
        for skin in &spec.skins {
            if !self.goes_on(skin.table.place) {
                return;
            }
            let id = self.make(Kind::Skin, &skin.table, skin.table.place, 0);
            self.with(id, |record| read_bones(record, &skin.bones));
        }
    }

    fn flexes(&mut self) {
        let spec = self.spec;
        for flex in &spec.flexes {
            if !self.goes_on(flex.table.place) {
                return;
            }
            let id = self.make(Kind::Flex, &flex.table, flex.table.place, 0);
            self.with(id, |record| {
                if let Some(contact) = &flex.contact {
                    fill(record, &contact.written());
                }
                if let Some(elasticity) = &flex.elasticity {
                    fill(record, &elasticity.written());
                }
                if let Some(edge) = &flex.edge {
                    let number = |at: &Option<At<f64>>| at.as_ref().map_or(0.0, |at| at.value);
                    record.put("edgestiffness", number(&edge.stiffness));
                    record.put("edgedamping", number(&edge.damping));
                }
                record.put("node", flex.node_positions.clone());
            });
        }
    }

    fn tendons(&mut self) {
        let spec = self.spec;
        for tendon in &spec.tendons {
            if !self.goes_on(tendon.table.place) {
                return;
            }
            let class = self.class(&tendon.table.class, 0);
            let mut table = tendon.table.clone();
            table.inherit(self.classes.tendon(class));
            let id = self.make(Kind::Tendon, &table, table.place, class);
            self.list(id);
            for step in &tendon.path {
                if !self.goes_on(table.place) {
                    return;
                }
                let root = usize::from(table.place.document);
                let wrap = self.draft.push(Kind::Wrap, root);
                if let Some(record) = self.draft.record_mut(wrap) {
                    record.parent = Some(id);
                    read_step(record, step);
                }
                if let Some(tendon) = self.draft.record_mut(id) {
                    tendon.children.push(wrap);
                }
                self.count(wrap, table.place);
            }
        }
    }

    /// A keyframe of an expanded model. NaN stands for numbers that follow the model.
    fn assembled_key(&mut self, key: &AssembledKey) {
        let root = usize::from(key.place.document);
        let id = self.draft.push(Kind::Key, root);
        let complete = |numbers: &Option<Vec<Option<f64>>>| -> Vec<f64> {
            let numbers = numbers.iter().flatten();
            numbers.map(|number| number.unwrap_or(f64::NAN)).collect()
        };
        let plain = |numbers: &Option<Vec<f64>>| numbers.clone().unwrap_or_default();
        self.with(id, |record| {
            record.name.clone_from(&key.name);
            record.put("time", key.time);
            record.put("qpos", complete(&key.qpos));
            record.put("qvel", plain(&key.qvel));
            record.put("act", plain(&key.act));
            record.put("ctrl", plain(&key.ctrl));
            record.put("mpos", complete(&key.mpos));
            record.put("mquat", complete(&key.mquat));
        });
        self.count(id, key.place);
    }
}

fn read_tuple(record: &mut Record, tuple: &Tuple) {
    let text = |at: &Option<At<String>>| at.as_ref().map_or(String::new(), |at| at.value.clone());
    let code = |word: &str| object_type(word).map_or(0, ObjectType::code);
    let elements = &tuple.elements;
    let kinds: Vec<i32> = elements
        .iter()
        .map(|one| code(&text(&one.objtype)))
        .collect();
    let names: Vec<String> = elements.iter().map(|one| text(&one.objname)).collect();
    let numbers: Vec<f64> = elements
        .iter()
        .map(|one| one.prm.as_ref().map_or(0.0, |prm| prm.value))
        .collect();
    record.put("objtype", kinds);
    record.put("objname", names);
    record.put("objprm", numbers);
}

fn read_textures(record: &mut Record, texture: Option<&At<String>>, layers: &[Layer]) {
    let mut textures = record.texts("textures").to_vec();
    let rgb = texture.map(|texture| (1, texture.value.clone()));
    let layers = layers.iter().filter_map(|layer| {
        let role = layer.role.as_ref()?.value.code();
        Some((
            usize::try_from(role).ok()?,
            layer.texture.as_ref()?.value.clone(),
        ))
    });
    for (role, texture) in rgb.into_iter().chain(layers) {
        if let Some(slot) = textures.get_mut(role) {
            *slot = texture;
        }
    }
    record.put("textures", textures);
}

fn read_bones(record: &mut Record, bones: &[Bone]) {
    fn all<T: Clone, const N: usize>(at: &Option<At<[T; N]>>) -> Vec<T> {
        at.as_ref().map_or(Vec::new(), |at| at.value.to_vec())
    }
    fn list<T: Clone>(at: &Option<At<Vec<T>>>) -> Vec<T> {
        at.as_ref().map_or(Vec::new(), |at| at.value.clone())
    }
    let body = |bone: &Bone| {
        bone.body
            .as_ref()
            .map_or(String::new(), |body| body.value.clone())
    };
    record.put("bodyname", bones.iter().map(body).collect::<Vec<String>>());
    let positions = bones.iter().flat_map(|bone| all(&bone.bindpos));
    record.put("bindpos", Value::Floats(Shared::new(positions)));
    let quats = bones.iter().flat_map(|bone| all(&bone.bindquat));
    record.put("bindquat", Value::Floats(Shared::new(quats)));
    record.put(
        "vertid",
        Value::IntegerLists(bones.iter().map(|bone| list(&bone.vertid)).collect()),
    );
    record.put(
        "vertweight",
        Value::FloatLists(bones.iter().map(|bone| list(&bone.vertweight)).collect()),
    );
}

fn read_equality(record: &mut Record, equality: &Equality) {
    let table = &equality.table;
    let text = |at: &Option<At<String>>| at.as_ref().map_or(String::new(), |at| at.value.clone());
    let (kind, object, first, second) = match equality.kind {
        EqualityKind::Connect | EqualityKind::Weld => {
            let kind = match equality.kind {
                EqualityKind::Connect => EqualityType::Connect,
                _ => EqualityType::Weld,
            };
            if table.site1.is_some() {
                (kind, ObjectType::Site, &table.site1, &table.site2)
            } else {
                (kind, ObjectType::Body, &table.body1, &table.body2)
            }
        }
        EqualityKind::Joint => (
            EqualityType::Joint,
            ObjectType::Joint,
            &table.joint1,
            &table.joint2,
        ),
        EqualityKind::Tendon => (
            EqualityType::Tendon,
            ObjectType::Tendon,
            &table.tendon1,
            &table.tendon2,
        ),
        EqualityKind::Flex => (EqualityType::Flex, ObjectType::Flex, &table.flex, &None),
        EqualityKind::FlexVert => (EqualityType::Flexvert, ObjectType::Flex, &table.flex, &None),
    };
    let mut data = record.reals("data");
    let mut copy = |from: usize, numbers: &[f64]| {
        for (slot, number) in data.iter_mut().skip(from).zip(numbers) {
            *slot = *number;
        }
    };
    match equality.kind {
        EqualityKind::Connect | EqualityKind::Weld => {
            copy(0, &[0.0; 10]);
            if let Some(anchor) = &table.anchor {
                copy(0, &anchor.value);
            }
            if let Some(pose) = &table.relpose {
                copy(3, &pose.value);
            }
            if let Some(scale) = &table.torquescale {
                copy(10, &[scale.value]);
            }
        }
        _ => {
            if let Some(polynomial) = &table.polycoef {
                let given = polynomial.value.values.get(..polynomial.value.count);
                copy(0, given.unwrap_or_default());
            }
        }
    }
    record.put("data", data);
    record.put("type", kind.code());
    record.put("objtype", object.code());
    record.put("name1", text(first));
    record.put("name2", text(second));
}

fn read_step(record: &mut Record, step: &PathElement) {
    let text = |at: &Option<At<String>>| at.as_ref().map_or(String::new(), |at| at.value.clone());
    let number = |at: &Option<At<f64>>| at.as_ref().map_or(0.0, |at| at.value);
    let kind = match step {
        PathElement::Site(site) => {
            record.put("target", text(&site.site));
            WrapType::Site
        }
        PathElement::Geom(geom) => {
            record.put("target", text(&geom.geom));
            record.put("sidesite", text(&geom.sidesite));
            WrapType::Sphere
        }
        PathElement::Pulley(pulley) => {
            record.put("divisor", number(&pulley.divisor));
            WrapType::Pulley
        }
        PathElement::Joint(joint) => {
            record.put("target", text(&joint.joint));
            record.put("coef", number(&joint.coef));
            WrapType::Joint
        }
    };
    record.put("type", kind.code());
}
