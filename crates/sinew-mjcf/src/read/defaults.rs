//! Default classes.
//!
//! A nested class starts as a copy of its parent once the parent's own settings of that section are
//! read, wherever it stands among them. What a later top-level section adds to `main` therefore
//! does not reach classes that exist already: they are detached from it, with what they had.

use super::Reader;
use super::check::Path;
use super::lists::actuator_kind;
use crate::classes::inherit_class;
use crate::spec::DefaultClass;
use crate::spec::actuator::Actuator;
use crate::spec::asset::Material;
use crate::spec::element::Element;

impl Reader<'_> {
    /// A top-level `default`.
    pub(super) fn default_section(&mut self, path: &Path<'_>) {
        if let Some(class) = path.node.attribute("class")
            && !class.text.is_empty()
            && class.text != "main"
        {
            self.report
                .error(
                    "mjcf::default-main",
                    class.value_place,
                    format!(
                        "the top-level default class is \"main\" and cannot be renamed to \"{}\"",
                        crate::spec::value::shorten(&class.text)
                    ),
                )
                .element(path.to_string())
                .attribute("class")
                .hint("put a nested <default class=\"…\"> inside it");
        }
        self.detach_children_of_main();
        self.class_settings(path, 0);
        self.nested_classes(path, 0);
    }

    /// Gives the existing children of `main` a copy of it, and no parent.
    fn detach_children_of_main(&mut self) {
        let Some((main, others)) = self.spec.defaults.split_first_mut() else {
            return;
        };
        for class in others.iter_mut().filter(|class| class.parent == Some(0)) {
            class.parent = None;
            inherit_class(class, main);
        }
    }

    fn nested_classes(&mut self, path: &Path<'_>, parent: usize) {
        for child in path.children().filter(|c| c.node.name == "default") {
            if !self.report.has_time(child.node.place) {
                return;
            }
            let name = match child.node.attribute("class") {
                Some(class) if !class.text.is_empty() => class,
                _ => {
                    self.report
                        .error(
                            "mjcf::default-class",
                            child.node.place,
                            "a nested <default> needs a class name",
                        )
                        .element(child.to_string())
                        .attribute("class");
                    continue;
                }
            };
            if let Some(first) = self.class_lines.get(&name.text) {
                let line = *first;
                let entry = self.report.error(
                    "mjcf::repeated-class",
                    name.value_place,
                    format!(
                        "default class \"{}\" is defined twice",
                        crate::spec::value::shorten(&name.text)
                    ),
                );
                entry.element(child.to_string()).attribute("class");
                if line > 0 {
                    entry.hint(format!("first defined on line {line}"));
                }
                continue;
            }
            let index = self.spec.defaults.len();
            self.class_lines
                .insert(name.text.clone(), child.node.place.line);
            self.spec.defaults.push(DefaultClass {
                name: name.text.clone(),
                parent: Some(parent),
                place: child.node.place,
                ..DefaultClass::default()
            });
            self.class_settings(&child, index);
            self.nested_classes(&child, index);
        }
    }

    /// Everything in a section but nested classes, over what the class has already.
    fn class_settings(&mut self, path: &Path<'_>, index: usize) {
        let report = &mut *self.report;
        let Some(class) = self.spec.defaults.get_mut(index) else {
            return;
        };
        for child in path.children() {
            if !report.has_time(child.node.place) {
                return;
            }
            match child.node.name.as_str() {
                "mesh" => set(&mut class.mesh, super::fill::table(&child, report)),
                "material" => {
                    let material = super::asset::material(&child, report);
                    match &mut class.material {
                        Some(before) => overwrite_material(before, material),
                        None => class.material = Some(Box::new(material)),
                    }
                }
                "joint" => set(&mut class.joint, super::fill::table(&child, report)),
                "geom" => set(&mut class.geom, super::fill::table(&child, report)),
                "site" => set(&mut class.site, super::fill::table(&child, report)),
                "camera" => set(&mut class.camera, super::fill::table(&child, report)),
                "light" => set(&mut class.light, super::fill::table(&child, report)),
                "pair" => set(&mut class.pair, super::fill::table(&child, report)),
                "equality" => set(&mut class.equality, super::fill::table(&child, report)),
                "tendon" => set(&mut class.tendon, super::fill::table(&child, report)),
                name => {
                    if let Some(kind) = actuator_kind(name) {
                        class.actuators.push(Actuator {
                            kind,
                            table: super::fill::table(&child, report),
                            config: Vec::new(),
                        });
                    }
                }
            }
        }
    }
}

fn set<T: Element>(slot: &mut Option<Box<T>>, table: T) {
    match slot {
        Some(before) => before.overwrite(&table),
        None => *slot = Some(Box::new(table)),
    }
}

fn overwrite_material(before: &mut Material, later: Material) {
    before.table.overwrite(&later.table);
    before.layers.extend(later.layers);
}
