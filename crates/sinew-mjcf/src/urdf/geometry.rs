//! Shapes of a robot: `visual` and `collision` elements, materials, meshes.

use super::node::{self, Numbers, Origin};
use crate::place::At;
use crate::read::xml::Node;
use crate::report::Report;
use crate::source::base_name;
use crate::spec::asset::Mesh;
use crate::spec::settings::Compiler;
use crate::spec::tree::{Child, Geom, GeomTable};
use crate::spec::value::Prefix;
use sinew_model::kinds::GeomType;
use std::collections::{BTreeMap, BTreeSet};

/// What is shared by all shapes of a robot.
pub struct Shapes {
    colours: BTreeMap<String, [f32; 4]>,
    keeps_visual: bool,
    geom_names: BTreeSet<String>,
    meshes: Vec<Mesh>,
    /// Per file stem the scales that have a mesh of their own.
    mesh_scales: BTreeMap<String, Vec<[f64; 3]>>,
}

impl Shapes {
    /// Collects the named colours.
    pub fn new(root: &Node, compiler: &Compiler, report: &mut Report) -> Shapes {
        let mut shapes = Shapes {
            colours: BTreeMap::new(),
            keeps_visual: compiler.discardvisual.as_ref().is_some_and(|at| !at.value),
            geom_names: BTreeSet::new(),
            meshes: Vec::new(),
            mesh_scales: BTreeMap::new(),
        };
        // The first material of a name that has a colour defines it.
        let mut open = vec![root];
        while let Some(element) = open.pop() {
            if let ("material", Some(name)) = (element.name.as_str(), element.attribute("name"))
                && !shapes.colours.contains_key(&name.text)
                && let Some(colour) = node::only(element, "color", report)
                && let Some(rgba) = colour.numbers::<4>("rgba", report)
            {
                shapes
                    .colours
                    .insert(name.text.clone(), rgba.map(|x| x as f32));
            }
            open.extend(element.children.iter().rev());
        }
        shapes
    }

    /// The meshes that geoms use.
    pub fn into_meshes(self) -> Vec<Mesh> {
        self.meshes
    }

    /// The geoms of a link. A collision shape has the colour of the visual shape before it.
    pub fn geoms(&mut self, link: &Node, report: &mut Report) -> Vec<Child> {
        let mut out = Vec::new();
        let mut rgba: Option<[f32; 4]> = None;
        for element in &link.children {
            let is_collision = match element.name.as_str() {
                "collision" => true,
                "visual" => {
                    rgba = self.colour(element, report).or(rgba);
                    if !self.keeps_visual {
                        continue;
                    }
                    false
                }
                _ => continue,
            };
            let Some(mut geom) = self.geom(element, is_collision, report) else {
                continue;
            };
            if let Some(rgba) = rgba.filter(|rgba| rgba[0] >= 0.0) {
                geom.rgba = Some(At::new(rgba, element.place));
            }
            // A name that is taken is left out.
            if let Some(name) = element.attribute("name")
                && !name.text.is_empty()
            {
                if self.geom_names.insert(name.text.clone()) {
                    geom.name = Some(At::new(name.text.clone(), name.value_place));
                } else {
                    let message = format!("two shapes are named \"{}\"", name.text);
                    report
                        .warning("urdf::repeated-name", name.value_place, message)
                        .element(element.name.clone())
                        .hint("the second has no name");
                }
            }
            out.push(Child::Geom(Box::new(Geom {
                table: geom,
                plugins: Vec::new(),
            })));
        }
        out
    }

    fn colour(&self, visual: &Node, report: &mut Report) -> Option<[f32; 4]> {
        let material = node::only(visual, "material", report)?;
        if let Some(colour) = node::only(material, "color", report) {
            return colour
                .numbers::<4>("rgba", report)
                .map(|rgba| rgba.map(|x| x as f32));
        }
        let name = node::text(material, "name", report)?;
        self.colours.get(&name.value).copied()
    }

    fn geom(
        &mut self,
        element: &Node,
        is_collision: bool,
        report: &mut Report,
    ) -> Option<GeomTable> {
        let place = element.place;
        let geometry = node::only_required(element, "geometry", report)?;
        let mut geom = GeomTable {
            place,
            ..GeomTable::default()
        };
        if !is_collision {
            geom.contype = Some(At::new(0, place));
            geom.conaffinity = Some(At::new(0, place));
            geom.group = Some(At::new(1, place));
            geom.density = Some(At::new(0.0, place));
        }
        let mut set = |kind: GeomType, size: &[f64]| {
            geom.kind = Some(At::new(kind, place));
            let mut values = [0.0; 3];
            for (value, size) in values.iter_mut().zip(size) {
                *value = *size;
            }
            let count = size.len();
            geom.size = (count > 0).then(|| At::new(Prefix { values, count }, place));
        };
        if let Some(shape) = node::only(geometry, "box", report) {
            let size = shape.numbers::<3>("size", report)?;
            set(GeomType::Box, &size.map(|length| length / 2.0));
        } else if let Some(shape) = node::only(geometry, "cylinder", report) {
            set(GeomType::Cylinder, &round(shape, report)?);
        } else if let Some(shape) = node::only(geometry, "sphere", report) {
            set(GeomType::Sphere, &shape.numbers::<1>("radius", report)?);
        } else if let Some(shape) = node::only(geometry, "capsule", report) {
            set(GeomType::Capsule, &round(shape, report)?);
        } else if let Some(shape) = node::only(geometry, "mesh", report) {
            set(GeomType::Mesh, &[]);
            let name = self.mesh(shape, report)?;
            geom.mesh = Some(At::new(name, shape.place));
        } else {
            let message = "a <geometry> needs a box, cylinder, sphere, capsule or mesh";
            report
                .error("urdf::missing-element", geometry.place, message)
                .element("geometry");
            return None;
        }
        let origin = Origin::read(element, report);
        geom.pos = Some(At::new(origin.pos, place));
        geom.quat = Some(At::new(origin.quat, place));
        Some(geom)
    }

    /// The name of a mesh asset; one file with several scales makes several. As in the reference, a
    /// scale that comes again gets the mesh of the first scale.
    fn mesh(&mut self, shape: &Node, report: &mut Report) -> Option<String> {
        let file = node::text(shape, "filename", report)?;
        let scale = shape.given::<3>("scale", report).unwrap_or([1.0; 3]);
        let base = base_name(&file.value);
        let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
        let known = self.mesh_scales.entry(stem.to_string()).or_default();
        if known.contains(&scale) {
            return Some(stem.to_string());
        }
        let name = match known.len() {
            0 => stem.to_string(),
            number => format!("{stem}{number}"),
        };
        known.push(scale);
        let mut mesh = Mesh::default();
        mesh.table.place = shape.place;
        mesh.table.name = Some(At::new(name.clone(), shape.place));
        mesh.table.file = Some(file);
        mesh.table.scale = Some(At::new(scale, shape.place));
        self.meshes.push(mesh);
        Some(name)
    }
}

/// Radius and half length.
fn round(shape: &Node, report: &mut Report) -> Option<[f64; 2]> {
    let [radius] = shape.numbers::<1>("radius", report)?;
    let [length] = shape.numbers::<1>("length", report)?;
    Some([radius, length / 2.0])
}
