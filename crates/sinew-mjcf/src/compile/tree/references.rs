//! Which bodies, geoms, meshes and sites other elements call by name.
//!
//! Fusing static bodies and dropping visual geoms must leave alone what somebody refers to.

use super::Tree;
use crate::place::{At, Place};
use crate::report::Report;
use crate::spec::Spec;
use crate::spec::constraint::PathElement;
use std::collections::HashSet;

/// Names that are referred to.
#[derive(Clone, Debug, Default)]
pub struct References {
    /// Bodies.
    pub bodies: HashSet<String>,
    /// Geoms.
    pub geoms: HashSet<String>,
    /// Meshes, by sensors.
    pub meshes: HashSet<String>,
    /// Sites whose body's force or torque is measured.
    pub force_sites: HashSet<String>,
}

fn add(set: &mut HashSet<String>, name: &Option<At<String>>) {
    if let Some(at) = name.as_ref().filter(|at| !at.value.is_empty()) {
        set.insert(at.value.clone());
    }
}

impl References {
    /// Collects all references of a model, as long as there is time.
    pub fn collect(spec: &Spec, tree: &Tree, report: &mut Report) -> Self {
        let mut all = References::default();
        for camera in &tree.cameras {
            if !report.has_time(Place::default()) {
                return all;
            }
            add(&mut all.bodies, &camera.table.target);
        }
        for light in &tree.lights {
            if !report.has_time(Place::default()) {
                return all;
            }
            add(&mut all.bodies, &light.table.target);
        }
        for bone in spec.skins.iter().flat_map(|skin| &skin.bones) {
            if !report.has_time(Place::default()) {
                return all;
            }
            add(&mut all.bodies, &bone.body);
        }
        for pair in &spec.pairs {
            if !report.has_time(Place::default()) {
                return all;
            }
            add(&mut all.geoms, &pair.geom1);
            add(&mut all.geoms, &pair.geom2);
        }
        for exclude in &spec.excludes {
            if !report.has_time(Place::default()) {
                return all;
            }
            add(&mut all.bodies, &exclude.body1);
            add(&mut all.bodies, &exclude.body2);
        }
        for equality in &spec.equalities {
            if !report.has_time(Place::default()) {
                return all;
            }
            add(&mut all.bodies, &equality.table.body1);
            add(&mut all.bodies, &equality.table.body2);
        }
        for step in spec.tendons.iter().flat_map(|tendon| &tendon.path) {
            if !report.has_time(Place::default()) {
                return all;
            }
            if let PathElement::Geom(geom) = step {
                add(&mut all.geoms, &geom.geom);
            }
        }
        for actuator in &spec.actuators {
            if !report.has_time(Place::default()) {
                return all;
            }
            add(&mut all.bodies, &actuator.table.body);
        }
        for sensor in &spec.sensors {
            if !report.has_time(Place::default()) {
                return all;
            }
            let table = &sensor.table;
            for body in [
                &table.body,
                &table.body1,
                &table.body2,
                &table.subtree1,
                &table.subtree2,
            ] {
                add(&mut all.bodies, body);
            }
            for geom in [&table.geom, &table.geom1, &table.geom2] {
                add(&mut all.geoms, geom);
            }
            add(&mut all.meshes, &table.mesh);
            if matches!(sensor.element, "force" | "torque") {
                add(&mut all.force_sites, &table.site);
            }
            all.add_by_kind(&table.objtype, &table.objname);
            all.add_by_kind(&table.reftype, &table.refname);
        }
        for object in spec.tuples.iter().flat_map(|tuple| &tuple.elements) {
            if !report.has_time(Place::default()) {
                return all;
            }
            all.add_by_kind(&object.objtype, &object.objname);
        }
        all
    }

    fn add_by_kind(&mut self, kind: &Option<At<String>>, name: &Option<At<String>>) {
        match kind.as_ref().map_or("", |at| at.value.as_str()) {
            "body" | "xbody" => add(&mut self.bodies, name),
            "geom" => add(&mut self.geoms, name),
            "mesh" => add(&mut self.meshes, name),
            _ => {}
        }
    }
}
