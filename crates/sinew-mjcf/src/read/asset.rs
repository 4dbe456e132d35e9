//! The `asset` section.

use super::Reader;
use super::check::Path;
use super::fill;
use crate::report::Report;
use crate::spec::asset::*;
use crate::spec::tree::Plugin;

impl Reader<'_> {
    pub(super) fn asset(&mut self, path: &Path<'_>) {
        let report = &mut *self.report;
        let spec = &mut self.spec;
        for child in path.children() {
            if !report.has_time(child.node.place) {
                return;
            }
            match child.node.name.as_str() {
                "mesh" => spec.meshes.push(Mesh {
                    table: fill::table(&child, report),
                    plugins: plugins(&child, report),
                }),
                "hfield" => spec.hfields.push(fill::table(&child, report)),
                "texture" => spec.textures.push(fill::table(&child, report)),
                "material" => spec.materials.push(material(&child, report)),
                "skin" => spec.skins.push(skin(&child, report)),
                "model" => spec.models.push(fill::table(&child, report)),
                _ => {}
            }
        }
    }
}

pub(super) fn material(path: &Path<'_>, report: &mut Report) -> Material {
    let table: MaterialTable = fill::table(path, report);
    let mut layers = Vec::new();
    for child in path.children().filter(|c| c.node.name == "layer") {
        if table.texture.is_some() && layers.is_empty() {
            report
                .error(
                    "mjcf::material-layers",
                    child.node.place,
                    "a material with a texture attribute cannot have layers",
                )
                .element(child.to_string())
                .hint("give the texture as a layer of role \"rgb\"");
        }
        layers.push(fill::table(&child, report));
    }
    Material { table, layers }
}

pub(super) fn skin(path: &Path<'_>, report: &mut Report) -> Skin {
    Skin {
        table: fill::table(path, report),
        bones: path
            .children()
            .filter(|c| c.node.name == "bone")
            .map(|bone| fill::table(&bone, report))
            .collect(),
    }
}

/// The `plugin` children of an element.
pub(super) fn plugins(path: &Path<'_>, report: &mut Report) -> Vec<Plugin> {
    path.children()
        .filter(|c| c.node.name == "plugin")
        .map(|child| plugin(&child, report))
        .collect()
}

pub(super) fn plugin(path: &Path<'_>, report: &mut Report) -> Plugin {
    Plugin {
        table: fill::table(path, report),
        config: super::lists::config(path, report),
    }
}
