//! Copies of a piece of the tree: new names, and for sub-models new classes and assets.

use super::names::{Affix, Named};
use crate::place::At;
use crate::report::Report;
use crate::spec::held::Held;
use crate::spec::tree::{Body, Child, Frame, Plugin};
use sinew_model::kinds::ObjectType;
use std::collections::BTreeMap;

/// How the classes of a sub-model are called in the model that takes it in.
pub type ClassNames = BTreeMap<String, String>;

/// What is done to a copy.
pub struct Renaming<'a> {
    /// What names get.
    pub affix: &'a Affix,
    /// For a copy from another model: what its classes are called here. Its assets get the prefix,
    /// too; within a model, copies share classes and assets.
    pub classes: Option<&'a ClassNames>,
}

impl Renaming<'_> {
    /// Renames a name or a reference.
    pub fn name(&self, value: &mut Option<At<String>>) {
        if let Some(at) = value {
            self.affix.rename(&mut at.value);
        }
    }

    /// Renames a reference to an asset.
    pub fn asset(&self, value: &mut Option<At<String>>) {
        if self.classes.is_some() {
            self.name(value);
        }
    }

    /// Renames a class that is given.
    pub fn class(&self, value: &mut Option<At<String>>) {
        if let (Some(classes), Some(at)) = (self.classes, value)
            && let Some(name) = classes.get(&at.value)
        {
            at.value.clone_from(name);
        }
    }

    fn plugins(&self, plugins: &mut [Plugin]) {
        for plugin in plugins {
            self.name(&mut plugin.table.instance);
        }
    }

    /// Renames everything in a piece of the tree.
    pub fn tree(&self, children: &mut [Child]) {
        for child in children {
            match child {
                Child::Body(body) => {
                    self.name(&mut body.table.name);
                    self.class(&mut body.table.childclass);
                    self.tree(&mut body.children);
                }
                Child::Frame(frame) => {
                    self.name(&mut frame.table.name);
                    self.class(&mut frame.table.childclass);
                    self.class(&mut frame.table.class);
                    self.tree(&mut frame.children);
                }
                Child::Joint(joint) => {
                    self.name(&mut joint.name);
                    self.class(&mut joint.class);
                }
                Child::FreeJoint(joint) => self.name(&mut joint.name),
                Child::Geom(geom) => {
                    self.name(&mut geom.table.name);
                    self.class(&mut geom.table.class);
                    self.asset(&mut geom.table.material);
                    self.asset(&mut geom.table.mesh);
                    self.asset(&mut geom.table.hfield);
                    self.plugins(&mut geom.plugins);
                }
                Child::Site(site) => {
                    self.name(&mut site.name);
                    self.class(&mut site.class);
                    self.asset(&mut site.material);
                }
                Child::Camera(camera) => {
                    self.name(&mut camera.name);
                    self.class(&mut camera.class);
                    self.name(&mut camera.target);
                }
                Child::Light(light) => {
                    self.name(&mut light.name);
                    self.class(&mut light.class);
                    self.name(&mut light.target);
                    self.name(&mut light.texture);
                }
                Child::Plugin(plugin) => self.name(&mut plugin.table.instance),
                Child::Flexcomp(flexcomp) => self.asset(&mut flexcomp.table.material),
                Child::Inertial(_)
                | Child::Replicate(_)
                | Child::Attach(_)
                | Child::Composite(_) => {}
            }
        }
    }
}

/// A copy of a piece of the tree, as far as there is time. Unlike `clone` it needs little stack per level, so
/// that deeply nested pieces can be copied.
pub fn copy_tree(children: &[Child], report: &mut Report) -> Vec<Child> {
    let mut out = Vec::with_capacity(children.len());
    for child in children {
        if !report.has_time(child.place()) {
            break;
        }
        out.push(copy_alone(child));
        match (child, out.last_mut()) {
            (Child::Body(body), Some(Child::Body(copy))) => {
                copy.children = copy_tree(&body.children, report);
            }
            (Child::Frame(frame), Some(Child::Frame(copy))) => {
                copy.children = copy_tree(&frame.children, report);
            }
            _ => {}
        }
    }
    out
}

/// A copy of an element without what is inside. Kept out of line: its tables are large.
#[inline(never)]
fn copy_alone(child: &Child) -> Child {
    match child {
        Child::Body(body) => Child::Body(Box::new(Body {
            table: body.table.clone(),
            children: Vec::new(),
        })),
        Child::Frame(frame) => Child::Frame(Box::new(Frame {
            table: frame.table.clone(),
            children: Vec::new(),
        })),
        other => other.clone(),
    }
}

/// What a piece of the tree holds: its names, the number of its elements, how deep it nests.
#[derive(Default)]
pub struct Contents {
    /// The names, with repetitions.
    pub names: Vec<Named>,
    /// Number of elements.
    pub elements: usize,
    /// Bytes they hold.
    pub bytes: usize,
    /// Depth of nesting.
    pub depth: usize,
    /// Bodies without a name.
    pub unnamed_bodies: usize,
    /// Plugin instances that are named.
    pub instances: Vec<String>,
}

impl Contents {
    /// Takes stock of a piece of the tree.
    pub fn of(children: &[Child]) -> Contents {
        let mut contents = Contents::default();
        contents.add(children, 1);
        contents.bytes = children
            .iter()
            .map(Held::bytes)
            .fold(0, usize::saturating_add);
        contents
    }

    fn add(&mut self, children: &[Child], depth: usize) {
        self.depth = self.depth.max(depth);
        for child in children {
            self.elements += 1;
            let (kind, name) = match child {
                Child::Body(body) => {
                    self.add(&body.children, depth + 1);
                    self.unnamed_bodies += usize::from(is_unnamed(body));
                    (ObjectType::Body, &body.table.name)
                }
                Child::Frame(frame) => {
                    self.add(&frame.children, depth + 1);
                    (ObjectType::Frame, &frame.table.name)
                }
                Child::Joint(joint) => (ObjectType::Joint, &joint.name),
                Child::FreeJoint(joint) => (ObjectType::Joint, &joint.name),
                Child::Geom(geom) => {
                    for plugin in &geom.plugins {
                        self.add_instance(plugin);
                    }
                    (ObjectType::Geom, &geom.table.name)
                }
                Child::Site(site) => (ObjectType::Site, &site.name),
                Child::Camera(camera) => (ObjectType::Camera, &camera.name),
                Child::Light(light) => (ObjectType::Light, &light.name),
                Child::Flexcomp(flexcomp) => (ObjectType::Flex, &flexcomp.table.name),
                Child::Plugin(plugin) => {
                    self.add_instance(plugin);
                    continue;
                }
                Child::Inertial(_)
                | Child::Replicate(_)
                | Child::Attach(_)
                | Child::Composite(_) => continue,
            };
            if let Some(name) = name
                && !name.value.is_empty()
            {
                self.names.push((kind, name.value.clone()));
            }
        }
    }

    fn add_instance(&mut self, plugin: &Plugin) {
        if let Some(instance) = &plugin.table.instance {
            self.instances.push(instance.value.clone());
        }
    }
}

/// Whether a body has no name.
pub fn is_unnamed(body: &Body) -> bool {
    body.table
        .name
        .as_ref()
        .is_none_or(|at| at.value.is_empty())
}
