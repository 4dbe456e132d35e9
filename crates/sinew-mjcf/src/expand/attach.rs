//! Attached sub-models: a copy of one body, or of everything in the world of another model.
//!
//! Every name gets the prefix. Classes come along under new names, rooted in themselves: a class of
//! the sub-model never inherits from this model. All assets and custom fields come along; elements
//! outside the tree come along if what they refer to did. Options, sizes, visual settings and
//! statistics stay behind. Frames around an attached body stay behind, too: its own pose counts from
//! the place of attachment.

use super::names::{Affix, Lookup, Names};
use super::outside::Outside;
use super::rename::{ClassNames, Contents, Renaming, copy_tree};
use super::walk::{Scope, key_place, value};
use super::{Assembly, Shared, Submodel};
use crate::place::{At, Place};
use crate::spec::DefaultClass;
use crate::spec::tree::{Attach, Body, Child, Frame, FrameTable};
use sinew_model::kinds::ObjectType;
use std::ops::Range;

impl Assembly {
    pub(super) fn attach(&mut self, attach: &Attach, scope: &mut Scope, shared: &mut Shared) {
        let (Some(model), Some(prefix)) = (&attach.model, value(&attach.prefix)) else {
            shared
                .report
                .error(
                    "mjcf::missing-attribute",
                    attach.place,
                    "an attach needs a `model` and a `prefix`",
                )
                .element("attach");
            return;
        };
        let body = value(&attach.body).filter(|name| !name.is_empty());
        let wanted = format!("{prefix}{}", body.as_deref().unwrap_or(""));
        // If it is here already, it moves to this frame. Without prefix and body, that is so if
        // some body has no name.
        let exists = match wanted.as_str() {
            "" => self.unnamed_bodies > 0,
            wanted => self.names.contains(ObjectType::Body, wanted),
        };
        if exists {
            if self.unnamed_bodies > unnamed_in(scope) && wanted.is_empty()
                || !move_body(&wanted, scope)
            {
                let message = match wanted.as_str() {
                    "" => "without a prefix this means the first body without a name, which has another parent".to_string(),
                    wanted => format!("body `{wanted}` exists already and has another parent"),
                };
                shared
                    .report
                    .error("mjcf::attach", attach.place, message)
                    .element("attach");
            }
            return;
        }
        let Some(index) = self.find_submodel(&model.value, shared) else {
            shared
                .report
                .error(
                    "mjcf::unknown-name",
                    model.place,
                    format!("no model asset is named `{}`", model.value),
                )
                .element("attach")
                .attribute("model");
            return;
        };
        let Some(mut child) = self.take_submodel(index, attach.place, shared) else {
            return;
        };
        let affix = Affix {
            prefix,
            suffix: String::new(),
        };
        let copied = match &body {
            None => Some(Part::world(&child)),
            Some(name) => Part::body(&child, name),
        };
        match copied {
            Some(part) => {
                self.take_in(&mut child, part, &affix, attach.place, scope, shared);
            }
            None => {
                let place = attach.body.as_ref().map_or(attach.place, |at| at.place);
                shared
                    .report
                    .error(
                        "mjcf::unknown-name",
                        place,
                        format!(
                            "model `{}` has no body named `{}`",
                            model.value,
                            body.as_deref().unwrap_or("")
                        ),
                    )
                    .element("attach")
                    .attribute("body");
            }
        }
        if let Some(slot) = self.submodels.get_mut(index) {
            *slot = Submodel::Expanded(child);
        }
    }

    /// The first sub-model with a name: that of the asset, or of the model itself.
    fn find_submodel(&self, name: &str, shared: &Shared) -> Option<usize> {
        self.submodels
            .iter()
            .enumerate()
            .position(|(index, submodel)| {
                let given = self
                    .spec
                    .models
                    .get(index)
                    .and_then(|model| model.name.as_ref());
                if let Some(given) = given {
                    return given.value == name;
                }
                let document = match submodel {
                    Submodel::Written(spec) => spec.document,
                    Submodel::Expanded(assembly) => assembly.spec.document,
                    Submodel::Busy => return false,
                };
                let own = shared.documents.get(document as usize);
                own.is_some_and(|document| match document.name.as_str() {
                    "" => name == "MuJoCo Model",
                    own => name == own,
                })
            })
    }

    /// Takes a sub-model out of its slot, expanded.
    pub(super) fn take_submodel(
        &mut self,
        index: usize,
        place: Place,
        shared: &mut Shared,
    ) -> Option<Box<Assembly>> {
        let slot = self.submodels.get_mut(index)?;
        match std::mem::replace(slot, Submodel::Busy) {
            Submodel::Expanded(child) => Some(child),
            Submodel::Written(spec) => {
                let mut child = Box::new(Assembly::new(*spec, shared));
                child.is_submodel = true;
                for (kind, name) in child.names.repeated() {
                    shared.repeated_name(kind, &name, self.submodel_place(index));
                }
                child.expand(shared);
                Some(child)
            }
            Submodel::Busy => {
                shared
                    .report
                    .error("mjcf::attach", place, "a model cannot attach itself")
                    .element("attach");
                None
            }
        }
    }

    /// Where a sub-model is asked for.
    fn submodel_place(&self, index: usize) -> Place {
        let asset = self.spec.models.get(index);
        asset.map(|asset| asset.place).unwrap_or_default()
    }

    /// Copies a part of a sub-model into this model.
    fn take_in(
        &mut self,
        child: &mut Assembly,
        part: Part,
        affix: &Affix,
        place: Place,
        scope: &mut Scope,
        shared: &mut Shared,
    ) {
        let contents = Contents::of(&part.children);
        if !shared.may_nest(scope.total_depth() + contents.depth + 1, place)
            || !shared.spend(contents.elements + 1 + child.outside_count(), place)
        {
            return;
        }
        if !child.ledger.pending.is_empty() {
            shared.report.warning(
                "mjcf::attach",
                place,
                "keyframes that the attached model put together itself keep their names without prefix",
            );
        }
        match child
            .ledger
            .store(&child.spec.keys, affix, &mut shared.states)
        {
            Ok(pending) => self.ledger.pending.extend(pending),
            Err((index, message)) => {
                let place = key_place(&child.spec.keys, index);
                shared
                    .report
                    .error("mjcf::key-size", place, message)
                    .element("key");
                return;
            }
        }
        let classes = self.add_classes(child, affix);
        let renaming = Renaming {
            affix,
            classes: Some(&classes),
        };

        // The tree.
        let mut children = part.children;
        renaming.tree(&mut children);
        let class = part.class.as_deref().unwrap_or("main");
        let class = classes.get(class).cloned().map(|name| At::new(name, place));
        if let ([Child::Body(body)], true) = (children.as_mut_slice(), part.is_body) {
            if body.table.childclass.is_none() {
                body.table.childclass = class;
            }
            scope.levels.last_mut().into_iter().for_each(|level| {
                level.children.append(&mut children);
            });
        } else {
            let mut frame = Frame {
                children,
                ..Frame::default()
            };
            frame.table.place = place;
            frame.table.childclass = class;
            scope.push(Child::Frame(Box::new(frame)));
        }
        for (kind, name) in &contents.names {
            self.names.insert(*kind, &affix.apply(name));
        }
        self.unnamed_bodies += contents.unnamed_bodies;
        let piece = child.ledger.piece(part.joints, part.mocaps);
        self.ledger
            .copy_piece(Some(&mut child.ledger), &piece, scope.body);

        // Everything else.
        self.take_assets(child, &renaming);
        self.ledger.pending.append(&mut child.ledger.pending);
        self.take_fields(child, affix);
        self.take_flexes(child, &renaming);
        self.take_lists(child, &renaming);
        self.take_instances(child, &contents.instances, affix);
        self.ledger.lengthen(&mut self.spec.keys);
    }

    fn outside_count(&self) -> usize {
        let spec = &self.spec;
        let lists = &self.lists;
        [
            spec.meshes.len(),
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

    /// Copies the classes of a sub-model under names not taken yet, and says which.
    fn add_classes(&mut self, child: &Assembly, affix: &Affix) -> ClassNames {
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
            let mut copy: DefaultClass = class.clone();
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

    fn take_assets(&mut self, child: &Assembly, renaming: &Renaming) {
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

    fn take_fields(&mut self, child: &Assembly, affix: &Affix) {
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
    fn take_flexes(&mut self, child: &Assembly, renaming: &Renaming) {
        for flex in &child.spec.flexes {
            let mut flex = flex.clone();
            renaming.asset(&mut flex.table.material);
            let mut is_held = true;
            for list in [&mut flex.table.body, &mut flex.table.node] {
                let Some(list) = list else { continue };
                let bodies: Vec<String> = list
                    .value
                    .split_whitespace()
                    .map(|name| renaming.affix.apply(name))
                    .collect();
                is_held &= bodies
                    .iter()
                    .all(|name| self.names.contains(ObjectType::Body, name));
                list.value = bodies.join(" ");
            }
            if is_held {
                insert(&mut self.names, ObjectType::Flex, &flex.table.name);
                self.spec.flexes.push(flex);
            }
        }
    }

    fn take_lists(&mut self, child: &mut Assembly, renaming: &Renaming) {
        macro_rules! take {
            ($($list:ident),*) => { $(
                let mut copied = Vec::new();
                for (position, element) in child.lists.$list.iter() {
                    if let Some(mut copy) = element.copy(renaming.affix, &self.names) {
                        adopt_class(&mut copy, renaming);
                        copied.push((position, copy));
                    }
                }
                let $list: Vec<usize> = copied.iter().map(|(position, _)| *position).collect();
                for (_, copy) in copied {
                    register(&mut self.names, &copy);
                    self.lists.$list.push(copy);
                }
            )* };
        }
        take!(
            pairs, excludes, tendons, equalities, actuators, sensors, tuples
        );
        let _ = (pairs, excludes, tendons, equalities, sensors, tuples);
        for position in actuators {
            self.ledger.copy_actuator(Some(&mut child.ledger), position);
        }
    }
}

fn register<T: Outside>(names: &mut Names, element: &T) {
    if let Some(name) = element.name() {
        names.insert(T::KIND, name);
    }
}

/// The element's class goes by its new name; without one it is the main class of its own model.
fn adopt_class<T: Outside>(element: &mut T, renaming: &Renaming) {
    let place = Place::default();
    if let Some(class) = element.class() {
        renaming.class(class);
        if class.is_none() {
            *class = renaming
                .classes
                .and_then(|classes| classes.get("main"))
                .map(|name| At::new(name.clone(), place));
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

/// The part of a sub-model that is copied.
struct Part {
    children: Vec<Child>,
    /// Class in force where the part stands.
    class: Option<String>,
    is_body: bool,
    joints: Range<usize>,
    mocaps: Range<usize>,
}

/// Joints and mocap bodies passed so far.
#[derive(Clone, Copy, Default)]
struct Passed {
    joints: usize,
    mocaps: usize,
}

impl Part {
    fn world(model: &Assembly) -> Part {
        let mut all = Passed::default();
        all.pass(&model.spec.world);
        Part {
            children: copy_tree(&model.spec.world),
            class: None,
            is_body: false,
            joints: 0..all.joints,
            mocaps: 0..all.mocaps,
        }
    }

    fn body(model: &Assembly, name: &str) -> Option<Part> {
        let mut passed = Passed::default();
        find(&model.spec.world, name, None, &mut passed)
    }
}

impl Passed {
    fn pass(&mut self, children: &[Child]) {
        for child in children {
            self.pass_one(child);
        }
    }

    fn pass_one(&mut self, child: &Child) {
        match child {
            Child::Joint(_) | Child::FreeJoint(_) => self.joints += 1,
            Child::Frame(frame) => self.pass(&frame.children),
            Child::Body(body) => {
                self.pass_body(body);
                self.pass(&body.children);
            }
            _ => {}
        }
    }

    fn pass_body(&mut self, body: &Body) {
        self.mocaps += usize::from(value(&body.table.mocap).unwrap_or(false));
    }
}

fn find(children: &[Child], name: &str, class: Option<&str>, passed: &mut Passed) -> Option<Part> {
    for child in children {
        match child {
            Child::Body(body) => {
                let own = body.table.childclass.as_ref().map(|at| at.value.as_str());
                if body.table.name.as_ref().is_some_and(|at| at.value == name) {
                    let before = *passed;
                    passed.pass_one(child);
                    return Some(Part {
                        children: copy_tree(std::slice::from_ref(child)),
                        class: own.or(class).map(str::to_string),
                        is_body: true,
                        joints: before.joints..passed.joints,
                        mocaps: before.mocaps..passed.mocaps,
                    });
                }
                passed.pass_body(body);
                if let Some(part) = find(&body.children, name, own.or(class), passed) {
                    return Some(part);
                }
            }
            Child::Frame(frame) => {
                let own = frame
                    .table
                    .childclass
                    .as_ref()
                    .or(frame.table.class.as_ref());
                let own = own.map(|at| at.value.as_str());
                if let Some(part) = find(&frame.children, name, own.or(class), passed) {
                    return Some(part);
                }
            }
            other => passed.pass_one(other),
        }
    }
    None
}

/// Moves a child of the body being filled into the innermost open frame; its place in the order of
/// bodies stays. `false`: the body has no such child.
fn move_body(name: &str, scope: &mut Scope) -> bool {
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
fn unnamed_in(scope: &Scope) -> usize {
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
