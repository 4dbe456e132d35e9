//! What comes along with an attached part: classes, assets, custom fields, and the elements outside
//! the tree whose references came along, too.

use crate::expand::Assembly;
use crate::expand::lists::List;
use crate::expand::names::{Affix, Lookup, Names};
use crate::expand::outside::Outside;
use crate::expand::rename::{ClassNames, Renaming};
use crate::place::{At, Place};
use crate::spec::held;
use sinew_model::kinds::ObjectType;

impl Assembly {
    /// Elements that come along, at most.
    pub(super) fn outside_count(&self) -> usize {
        let spec = &self.spec;
        let lists = &self.lists;
        [
            spec.meshes.len(),
            spec.flexes.len(),
            spec.skins.len(),
            spec.hfields.len(),
            spec.textures.len(),
            spec.materials.len(),
            spec.numerics.len(),
            spec.texts.len(),
            spec.defaults.len(),
            lists.pairs.positions(),
            lists.excludes.positions(),
            lists.tendons.positions(),
            lists.equalities.positions(),
            lists.actuators.positions(),
            lists.sensors.positions(),
            lists.tuples.positions(),
        ]
        .iter()
        .sum()
    }

    /// Bytes that come along, at most.
    pub(super) fn outside_bytes(&self) -> usize {
        let lists = &self.lists;
        [
            held::outside_tree(&self.spec),
            lists.pairs.bytes(),
            lists.excludes.bytes(),
            lists.tendons.bytes(),
            lists.equalities.bytes(),
            lists.actuators.bytes(),
            lists.sensors.bytes(),
            lists.tuples.bytes(),
        ]
        .into_iter()
        .fold(0, usize::saturating_add)
    }

    /// Copies the classes of a sub-model under names not taken yet, and says which.
    pub(super) fn add_classes(&mut self, child: &Assembly, affix: &Affix) -> ClassNames {
        let mut names = ClassNames::new();
        for class in &child.spec.defaults {
            let wanted = affix.apply(&class.name);
            let mut name = wanted.clone();
            let mut number = 2;
            while self.class_names.contains(&name) {
                name = format!("{wanted} #{number}");
                number += 1;
            }
            if name != wanted {
                self.taken_classes.insert(wanted, name.clone());
            }
            self.class_names.insert(name.clone());
            names.insert(class.name.clone(), name);
        }
        let first = self.spec.defaults.len();
        let renaming = Renaming {
            affix,
            classes: Some(&names),
        };
        for class in &child.spec.defaults {
            let mut copy = class.clone();
            copy.parent = class.parent.map(|parent| parent + first);
            if let Some(name) = names.get(&class.name) {
                copy.name.clone_from(name);
            }
            if let Some(geom) = &mut copy.geom {
                renaming.asset(&mut geom.material);
                renaming.asset(&mut geom.mesh);
                renaming.asset(&mut geom.hfield);
            }
            // The material of a site's class stays as it is and means one of this model.
            if let Some(camera) = &mut copy.camera {
                renaming.name(&mut camera.target);
            }
            if let Some(light) = &mut copy.light {
                renaming.name(&mut light.target);
                renaming.name(&mut light.texture);
            }
            if let Some(material) = &mut copy.material {
                renaming.asset(&mut material.table.texture);
                for layer in &mut material.layers {
                    renaming.asset(&mut layer.texture);
                }
            }
            self.spec.defaults.push(copy);
        }
        names
    }

    /// Assets under their new names; those without a name are called like their files.
    pub(super) fn take_assets(&mut self, child: &Assembly, renaming: &Renaming) {
        let spec = &mut self.spec;
        let main = renaming.classes.and_then(|classes| classes.get("main"));
        let class_of = |class: &mut Option<At<String>>, place: Place| {
            renaming.class(class);
            if class.is_none() {
                *class = main.map(|name| At::new(name.clone(), place));
            }
        };
        for mesh in &child.spec.meshes {
            let mut mesh = mesh.clone();
            name_by_file(&mut mesh.table.name, &mesh.table.file, mesh.table.place);
            renaming.name(&mut mesh.table.name);
            class_of(&mut mesh.table.class, mesh.table.place);
            for plugin in &mut mesh.plugins {
                renaming.name(&mut plugin.table.instance);
            }
            insert(&mut self.names, ObjectType::Mesh, &mesh.table.name);
            spec.meshes.push(mesh);
        }
        // A skin keeps its name; it stays behind if one of its bones does.
        for skin in &child.spec.skins {
            let mut skin = skin.clone();
            for bone in &mut skin.bones {
                renaming.name(&mut bone.body);
            }
            let is_held = skin.bones.iter().all(|bone| {
                bone.body
                    .as_ref()
                    .is_some_and(|at| self.names.contains(ObjectType::Body, &at.value))
            });
            if is_held {
                insert(&mut self.names, ObjectType::Skin, &skin.table.name);
                spec.skins.push(skin);
            }
        }
        for hfield in &child.spec.hfields {
            let mut hfield = hfield.clone();
            name_by_file(&mut hfield.name, &hfield.file, hfield.place);
            renaming.name(&mut hfield.name);
            insert(&mut self.names, ObjectType::Hfield, &hfield.name);
            spec.hfields.push(hfield);
        }
        for texture in &child.spec.textures {
            let mut texture = texture.clone();
            name_by_file(&mut texture.name, &texture.file, texture.place);
            renaming.name(&mut texture.name);
            insert(&mut self.names, ObjectType::Texture, &texture.name);
            spec.textures.push(texture);
        }
        for material in &child.spec.materials {
            let mut material = material.clone();
            renaming.name(&mut material.table.name);
            renaming.name(&mut material.table.texture);
            class_of(&mut material.table.class, material.table.place);
            for layer in &mut material.layers {
                renaming.name(&mut layer.texture);
            }
            insert(&mut self.names, ObjectType::Material, &material.table.name);
            spec.materials.push(material);
        }
    }

    /// Custom numbers and texts.
    pub(super) fn take_fields(&mut self, child: &Assembly, affix: &Affix) {
        for numeric in &child.spec.numerics {
            let mut numeric = numeric.clone();
            rename(&mut numeric.name, affix);
            insert(&mut self.names, ObjectType::Numeric, &numeric.name);
            self.spec.numerics.push(numeric);
        }
        for text in &child.spec.texts {
            let mut text = text.clone();
            rename(&mut text.name, affix);
            insert(&mut self.names, ObjectType::Text, &text.name);
            self.spec.texts.push(text);
        }
    }

    /// A flex keeps its name and comes along if all its bodies do.
    pub(super) fn take_flexes(&mut self, child: &Assembly, renaming: &Renaming) {
        for flex in &child.spec.flexes {
            let mut flex = flex.clone();
            renaming.asset(&mut flex.table.material);
            let mut is_held = true;
            for list in [&mut flex.table.body, &mut flex.table.node] {
                let Some(list) = list else { continue };
                for name in &mut list.value.0 {
                    *name = renaming.affix.apply(name);
                    is_held &= self.names.contains(ObjectType::Body, name);
                }
            }
            if is_held {
                insert(&mut self.names, ObjectType::Flex, &flex.table.name);
                self.spec.flexes.push(flex);
            }
        }
    }

    /// Elements outside the tree that find what they refer to.
    pub(super) fn take_lists(&mut self, child: &mut Assembly, renaming: &Renaming) {
        macro_rules! take {
            ($list:ident) => {
                take(
                    &child.lists.$list,
                    &mut self.lists.$list,
                    &mut self.names,
                    renaming,
                )
            };
        }
        take!(pairs);
        take!(excludes);
        take!(tendons);
        take!(equalities);
        let actuators = take!(actuators);
        take!(sensors);
        take!(tuples);
        for position in actuators {
            self.ledger.copy_actuator(Some(&mut child.ledger), position);
        }
    }
}

/// Copies what finds its references among `names` from one list to another, and registers it once
/// all is copied. Says at which positions it stood.
fn take<T: Outside>(
    from: &List<T>,
    to: &mut List<T>,
    names: &mut Names,
    renaming: &Renaming,
) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut copies = Vec::new();
    for (position, element) in from.iter() {
        if let Some(mut copy) = element.copy(renaming.affix, names) {
            adopt_class(&mut copy, renaming);
            positions.push(position);
            copies.push(copy);
        }
    }
    for copy in copies {
        if let Some(name) = copy.name() {
            names.insert(T::KIND, name);
        }
        to.push(copy);
    }
    positions
}

/// The element's class goes by its new name; without one it is the main class of its own model.
fn adopt_class<T: Outside>(element: &mut T, renaming: &Renaming) {
    if let Some(class) = element.class() {
        renaming.class(class);
        if class.is_none() {
            *class = renaming
                .classes
                .and_then(|classes| classes.get("main"))
                .map(|name| At::new(name.clone(), Place::default()));
        }
    }
}

fn insert(names: &mut Names, kind: ObjectType, name: &Option<At<String>>) {
    if let Some(name) = name {
        names.insert(kind, &name.value);
    }
}

fn rename(name: &mut Option<At<String>>, affix: &Affix) {
    if let Some(name) = name {
        affix.rename(&mut name.value);
    }
}

/// An asset without a name is called like its file, without folder and extension.
fn name_by_file(name: &mut Option<At<String>>, file: &Option<At<String>>, place: Place) {
    if name.as_ref().is_some_and(|name| !name.value.is_empty()) {
        return;
    }
    if let Some(file) = file {
        let stem = file.value.rsplit(['/', '\\']).next().unwrap_or("");
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        *name = Some(At::new(stem.to_string(), place));
    }
}
