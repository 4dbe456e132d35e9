//! Names of all objects, and their place in the compiled model.
//!
//! [`Names`] is filled before the passes run, so that any element may refer to any other. Passes
//! that drop or reorder objects say so here. At the end the names go into one character array, and
//! a hash map with open addressing per kind (twice as many slots as objects, djb2 hash, linear
//! probing) lets bindings find an id as the reference does.

use crate::place::{At, Place};
use crate::report::Report;
use sinew_model::ModelArrays;
use sinew_model::kinds::{ObjectType, TextureType};
use std::collections::HashMap;

/// The kinds that have names, in the order their names are stored.
const STORED: [ObjectType; 23] = [
    ObjectType::Body,
    ObjectType::Joint,
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

/// Slots of the hash map per object.
const SLOTS_PER_OBJECT: usize = 2;

/// Names of one kind of object, in id order; unnamed objects have an empty name.
#[derive(Clone, Debug, Default)]
struct List {
    names: Vec<String>,
    ids: HashMap<String, usize>,
    /// Ids before objects were dropped or reordered; empty while nothing was.
    former: Vec<usize>,
}

/// Names of all objects.
#[derive(Clone, Debug, Default)]
pub struct Names {
    lists: HashMap<ObjectType, List>,
}

impl Names {
    /// Adds an object; its id is its position. A name that is taken already is reported.
    pub fn add(
        &mut self,
        kind: ObjectType,
        name: &str,
        place: Place,
        report: &mut Report,
    ) -> usize {
        let list = self.lists.entry(key(kind)).or_default();
        let id = list.names.len();
        list.names.push(name.to_string());
        if !name.is_empty() {
            if list.ids.contains_key(name) {
                let word = super::context::kind_word(kind);
                report
                    .error(
                        "mjcf::repeated-name",
                        place,
                        format!("repeated name `{name}`: two objects of kind {word} have it"),
                    )
                    .element(word)
                    .attribute("name")
                    .hint("names must be unique among objects of one kind");
            } else {
                list.ids.insert(name.to_string(), id);
            }
        }
        id
    }

    /// The id of the object with this name.
    pub fn find(&self, kind: ObjectType, name: &str) -> Option<usize> {
        self.lists.get(&key(kind))?.ids.get(name).copied()
    }

    /// All names of a kind, in id order.
    pub fn list(&self, kind: ObjectType) -> &[String] {
        self.lists.get(&key(kind)).map_or(&[], |list| &list.names)
    }

    /// Replaces the objects of a kind: `order[new_id]` is the former id. Ids not in `order` are
    /// dropped. Ends early when there is no time.
    pub fn reorder(&mut self, kind: ObjectType, order: &[usize], report: &mut Report) {
        let Some(list) = self.lists.get_mut(&key(kind)) else {
            return;
        };
        let former = order
            .iter()
            .map(|&id| list.former.get(id).copied().unwrap_or(id));
        let former = former.collect();
        let mut names = Vec::with_capacity(order.len());
        let mut ids = HashMap::with_capacity(order.len());
        for &former in order {
            if !report.has_time(Place::default()) {
                return;
            }
            let name = list.names.get(former).cloned().unwrap_or_default();
            if !name.is_empty() {
                ids.insert(name.clone(), names.len());
            }
            names.push(name);
        }
        *list = List { names, ids, former };
    }

    /// The position an object had in the Spec.
    pub fn former(&self, kind: ObjectType, id: usize) -> usize {
        let list = self.lists.get(&key(kind));
        list.and_then(|list| list.former.get(id).copied())
            .unwrap_or(id)
    }
}

/// Bodies have one list of names, whichever of their two frames is meant.
fn key(kind: ObjectType) -> ObjectType {
    if kind == ObjectType::Xbody {
        ObjectType::Body
    } else {
        kind
    }
}

/// Writes the character array, the addresses and the hash map, as long as there is time.
pub fn write(names: &Names, model_name: &str, model: &mut ModelArrays, report: &mut Report) {
    let mut characters = model_name.as_bytes().to_vec();
    characters.push(0);
    let mut map = Vec::new();
    for kind in STORED {
        let list = names.list(kind);
        let slots = SLOTS_PER_OBJECT * list.len();
        let start = map.len();
        map.resize(start + slots, -1);
        for (id, name) in list.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if !report.has_time(Place::default()) {
                return;
            }
            let mut slot = hash(name, slots as u64) as usize;
            while map[start + slot] != -1 {
                slot = (slot + 1) % slots;
            }
            map[start + slot] = id as i32;
        }
        let addresses = list.iter().map(|name| {
            let address = characters.len() as i32;
            characters.extend_from_slice(name.as_bytes());
            characters.push(0);
            address
        });
        *addresses_mut(model, kind) = addresses.collect();
    }
    model.nnames = characters.len();
    model.names = characters;
    model.nnames_map = map.len();
    model.names_map = map;
}

/// djb2 with xor, reduced to the number of slots.
#[doc(alias = "mj_hashString")]
fn hash(name: &str, slots: u64) -> u64 {
    let hash = name.bytes().fold(5381_u64, |hash, byte| {
        // Characters are signed in the reference.
        (hash << 5).wrapping_add(hash) ^ (byte as i8 as i64 as u64)
    });
    hash % slots
}

fn addresses_mut(model: &mut ModelArrays, kind: ObjectType) -> &mut Vec<i32> {
    match kind {
        ObjectType::Joint => &mut model.name_jntadr,
        ObjectType::Geom => &mut model.name_geomadr,
        ObjectType::Site => &mut model.name_siteadr,
        ObjectType::Camera => &mut model.name_camadr,
        ObjectType::Light => &mut model.name_lightadr,
        ObjectType::Flex => &mut model.name_flexadr,
        ObjectType::Mesh => &mut model.name_meshadr,
        ObjectType::Skin => &mut model.name_skinadr,
        ObjectType::Hfield => &mut model.name_hfieldadr,
        ObjectType::Texture => &mut model.name_texadr,
        ObjectType::Material => &mut model.name_matadr,
        ObjectType::Pair => &mut model.name_pairadr,
        ObjectType::Exclude => &mut model.name_excludeadr,
        ObjectType::Equality => &mut model.name_eqadr,
        ObjectType::Tendon => &mut model.name_tendonadr,
        ObjectType::Actuator => &mut model.name_actuatoradr,
        ObjectType::Sensor => &mut model.name_sensoradr,
        ObjectType::Numeric => &mut model.name_numericadr,
        ObjectType::Text => &mut model.name_textadr,
        ObjectType::Tuple => &mut model.name_tupleadr,
        ObjectType::Key => &mut model.name_keyadr,
        ObjectType::Plugin => &mut model.name_pluginadr,
        _ => &mut model.name_bodyadr,
    }
}

/// Registers every object outside the tree, as long as there is time. Assets without a name take the stem of
/// their file.
pub fn collect(ctx: &mut super::Context) {
    if !collect_assets(ctx) {
        return;
    }
    let spec = ctx.spec;
    let (names, report) = (&mut ctx.names, &mut *ctx.report);
    let mut plain = |kind, name: &Option<At<String>>, place| {
        names.add(kind, given(name), place, report);
        report.has_time(place)
    };
    for flex in &spec.flexes {
        if !plain(ObjectType::Flex, &flex.table.name, flex.table.place) {
            return;
        }
    }
    for pair in &spec.pairs {
        if !plain(ObjectType::Pair, &pair.name, pair.place) {
            return;
        }
    }
    for exclude in &spec.excludes {
        if !plain(ObjectType::Exclude, &exclude.name, exclude.place) {
            return;
        }
    }
    for equality in &spec.equalities {
        if !plain(
            ObjectType::Equality,
            &equality.table.name,
            equality.table.place,
        ) {
            return;
        }
    }
    for tendon in &spec.tendons {
        if !plain(ObjectType::Tendon, &tendon.table.name, tendon.table.place) {
            return;
        }
    }
    for actuator in &spec.actuators {
        if !plain(
            ObjectType::Actuator,
            &actuator.table.name,
            actuator.table.place,
        ) {
            return;
        }
    }
    for sensor in &spec.sensors {
        if !plain(ObjectType::Sensor, &sensor.table.name, sensor.table.place) {
            return;
        }
    }
    for numeric in &spec.numerics {
        if !plain(ObjectType::Numeric, &numeric.name, numeric.place) {
            return;
        }
    }
    for text in &spec.texts {
        if !plain(ObjectType::Text, &text.name, text.place) {
            return;
        }
    }
    for tuple in &spec.tuples {
        if !plain(ObjectType::Tuple, &tuple.table.name, tuple.table.place) {
            return;
        }
    }
    for key in &spec.keys {
        if !plain(ObjectType::Key, &key.name, key.place) {
            return;
        }
    }
}

/// The same for assets. Whether there is time left.
fn collect_assets(ctx: &mut super::Context) -> bool {
    let spec = ctx.spec;
    let (names, report) = (&mut ctx.names, &mut *ctx.report);
    let mut asset = |kind, name: &Option<At<String>>, file: &Option<At<String>>, place, needed| {
        let mut text = given(name).to_string();
        if text.is_empty() {
            text = file_stem(given(file)).to_string();
        }
        if text.is_empty() && needed {
            let word = super::context::kind_word(kind);
            report
                .error("mjcf::missing-name", place, format!("{word} has no name"))
                .element(word)
                .hint("give it the attribute `name`");
        }
        names.add(kind, &text, place, report);
        report.has_time(place)
    };
    for mesh in &spec.meshes {
        let table = &mesh.table;
        if !asset(
            ObjectType::Mesh,
            &table.name,
            &table.file,
            table.place,
            true,
        ) {
            return false;
        }
    }
    for skin in &spec.skins {
        let table = &skin.table;
        if !asset(
            ObjectType::Skin,
            &table.name,
            &table.file,
            table.place,
            false,
        ) {
            return false;
        }
    }
    for hfield in &spec.hfields {
        if !asset(
            ObjectType::Hfield,
            &hfield.name,
            &hfield.file,
            hfield.place,
            true,
        ) {
            return false;
        }
    }
    for texture in &spec.textures {
        let is_skybox = texture
            .kind
            .as_ref()
            .is_some_and(|kind| kind.value == TextureType::Skybox);
        if !asset(
            ObjectType::Texture,
            &texture.name,
            &texture.file,
            texture.place,
            !is_skybox,
        ) {
            return false;
        }
    }
    for material in &spec.materials {
        let table = &material.table;
        if !asset(ObjectType::Material, &table.name, &None, table.place, true) {
            return false;
        }
    }
    true
}

/// The text of an attribute, empty when not given.
fn given(text: &Option<At<String>>) -> &str {
    text.as_ref().map_or("", |at| at.value.as_str())
}

/// A file name without directories and without its last extension.
pub fn file_stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
