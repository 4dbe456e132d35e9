//! Sections that are plain lists of elements.

use super::Reader;
use super::check::Path;
use super::fill;
use super::schema;
use crate::report::Report;
use crate::spec::actuator::{Actuator, ActuatorKind};
use crate::spec::constraint::*;
use crate::spec::extra::*;
use crate::spec::sensor::Sensor;
use crate::spec::tree::Config;
use std::collections::BTreeSet;

impl Reader<'_> {
    pub(super) fn contact(&mut self, path: &Path<'_>) {
        for child in path.children() {
            if !self.report.has_time(child.node.place) {
                return;
            }
            match child.node.name.as_str() {
                "pair" => {
                    let pair = self.table(&child);
                    self.spec.pairs.push(pair);
                }
                "exclude" => {
                    let exclude = self.table(&child);
                    self.spec.excludes.push(exclude);
                }
                _ => {}
            }
        }
    }

    pub(super) fn equality(&mut self, path: &Path<'_>) {
        for child in path.children() {
            if !self.report.has_time(child.node.place) {
                return;
            }
            let kind = match child.node.name.as_str() {
                "connect" => EqualityKind::Connect,
                "weld" => EqualityKind::Weld,
                "joint" => EqualityKind::Joint,
                "tendon" => EqualityKind::Tendon,
                "flex" => EqualityKind::Flex,
                "flexvert" => EqualityKind::FlexVert,
                _ => continue,
            };
            let table = self.table(&child);
            self.spec.equalities.push(Equality { kind, table });
        }
    }

    pub(super) fn tendon(&mut self, path: &Path<'_>) {
        for child in path.children() {
            if !self.report.has_time(child.node.place) {
                return;
            }
            let is_spatial = match child.node.name.as_str() {
                "spatial" => true,
                "fixed" => false,
                _ => continue,
            };
            let table = self.table(&child);
            let steps = child.children();
            let steps = steps.filter_map(|step| path_element(&step, is_spatial, self.report));
            let steps = steps.collect();
            self.spec.tendons.push(Tendon {
                is_spatial,
                table,
                path: steps,
            });
        }
    }

    pub(super) fn actuator(&mut self, path: &Path<'_>) {
        for child in path.children() {
            if !self.report.has_time(child.node.place) {
                return;
            }
            if let Some(kind) = actuator_kind(&child.node.name) {
                let table = self.table(&child);
                let config = config(&child, self.report);
                self.spec.actuators.push(Actuator {
                    kind,
                    table,
                    config,
                });
            }
        }
    }

    pub(super) fn sensor(&mut self, path: &Path<'_>) {
        let Some(section) = schema::MUJOCO.child("sensor") else {
            return;
        };
        for child in path.children() {
            if !self.report.has_time(child.node.place) {
                return;
            }
            if let Some(schema) = section.child(&child.node.name) {
                let table = self.table(&child);
                let config = config(&child, self.report);
                self.spec.sensors.push(Sensor {
                    element: schema.name,
                    table,
                    config,
                });
            }
        }
    }

    pub(super) fn keyframe(&mut self, path: &Path<'_>) {
        for child in path.children().filter(|c| c.node.name == "key") {
            if !self.report.has_time(child.node.place) {
                return;
            }
            let key = self.table(&child);
            self.spec.keys.push(key);
        }
    }

    pub(super) fn custom(&mut self, path: &Path<'_>) {
        for child in path.children() {
            if !self.report.has_time(child.node.place) {
                return;
            }
            match child.node.name.as_str() {
                "numeric" => {
                    let numeric = self.table(&child);
                    self.spec.numerics.push(numeric);
                }
                "text" => {
                    let text = self.table(&child);
                    self.spec.texts.push(text);
                }
                "tuple" => {
                    let tuple = Tuple {
                        table: self.table(&child),
                        elements: child
                            .children()
                            .filter(|c| c.node.name == "element")
                            .map(|element| fill::table(&element, self.report))
                            .collect(),
                    };
                    self.spec.tuples.push(tuple);
                }
                _ => {}
            }
        }
    }

    pub(super) fn extension(&mut self, path: &Path<'_>) {
        for child in path.children().filter(|c| c.node.name == "plugin") {
            if !self.report.has_time(child.node.place) {
                return;
            }
            let declaration = PluginDeclaration {
                table: self.table(&child),
                instances: child
                    .children()
                    .filter(|c| c.node.name == "instance")
                    .map(|instance| PluginInstance {
                        table: fill::table(&instance, self.report),
                        config: config(&instance, self.report),
                    })
                    .collect(),
            };
            self.spec.extensions.push(declaration);
        }
    }

    pub(super) fn deformable(&mut self, path: &Path<'_>) {
        for child in path.children() {
            if !self.report.has_time(child.node.place) {
                return;
            }
            match child.node.name.as_str() {
                "flex" => {
                    let flex = flex(&child, self.report);
                    self.spec.flexes.push(flex);
                }
                "skin" => {
                    let skin = super::asset::skin(&child, self.report);
                    self.spec.skins.push(skin);
                }
                _ => {}
            }
        }
    }
}

fn flex(path: &Path<'_>, report: &mut Report) -> Flex {
    let mut flex = Flex {
        table: fill::table(path, report),
        ..Flex::default()
    };
    for child in path.children() {
        match child.node.name.as_str() {
            "contact" => flex.contact = Some(fill::table(&child, report)),
            "edge" => flex.edge = Some(fill::table(&child, report)),
            "elasticity" => flex.elasticity = Some(fill::table(&child, report)),
            _ => {}
        }
    }
    flex
}

fn path_element(path: &Path<'_>, is_spatial: bool, report: &mut Report) -> Option<PathElement> {
    Some(match (path.node.name.as_str(), is_spatial) {
        ("site", true) => PathElement::Site(fill::table(path, report)),
        ("geom", true) => PathElement::Geom(fill::table(path, report)),
        ("pulley", true) => PathElement::Pulley(fill::table(path, report)),
        ("joint", false) => PathElement::Joint(fill::table(path, report)),
        _ => return None,
    })
}

/// Which actuator an element name means.
pub(super) fn actuator_kind(name: &str) -> Option<ActuatorKind> {
    Some(match name {
        "general" => ActuatorKind::General,
        "motor" => ActuatorKind::Motor,
        "position" => ActuatorKind::Position,
        "velocity" => ActuatorKind::Velocity,
        "intvelocity" => ActuatorKind::IntVelocity,
        "damper" => ActuatorKind::Damper,
        "cylinder" => ActuatorKind::Cylinder,
        "muscle" => ActuatorKind::Muscle,
        "adhesion" => ActuatorKind::Adhesion,
        "plugin" => ActuatorKind::Plugin,
        _ => return None,
    })
}

/// The `config` children of a plugin; a key may be given once.
pub(super) fn config(path: &Path<'_>, report: &mut Report) -> Vec<Config> {
    let mut out: Vec<Config> = Vec::new();
    let mut keys = BTreeSet::new();
    for child in path.children().filter(|c| c.node.name == "config") {
        if !report.has_time(child.node.place) {
            break;
        }
        let config: Config = fill::table(&child, report);
        if let Some(key) = &config.key
            && !keys.insert(key.value.clone())
        {
            report
                .error(
                    "mjcf::repeated-config",
                    key.place,
                    format!("config key \"{}\" is given twice", key.value),
                )
                .element(child.to_string())
                .attribute("key");
        }
        out.push(config);
    }
    out
}
