//! What every pass of the compiler sees: the Spec, the merged classes, the names, the report.

use super::names::Names;
use super::tree::Tree;
use crate::asset::mesh::CompiledMesh;
use crate::classes::Classes;
use crate::nearest::nearest;
use crate::place::{At, Place};
use crate::report::Report;
use crate::source::{AssetKind, FileBytes, Source, SourceError, asset_path};
use crate::spec::settings::Compiler;
use crate::spec::value::AngleUnit;
use crate::spec::{Document, Spec};
use sinew_model::kinds::ObjectType;
use sinew_model::law::Laws;
use std::sync::{Arc, LazyLock};

/// The state shared by the passes.
pub struct Context<'a> {
    /// What was written, after expansion.
    pub spec: &'a Spec,
    /// Where asset files come from.
    pub source: &'a Source,
    /// Default classes, merged.
    pub classes: &'a Classes,
    /// Errors and warnings.
    pub report: &'a mut Report,
    /// Names of all objects, by kind, in id order.
    pub names: Names,
    /// The kinematic tree with its elements; final ids once [`super::tree`] has run.
    pub tree: Tree,
    /// Plugin instances and who uses them.
    pub plugins: super::plugin::Instances,
    /// Laws in place of the reference's.
    pub laws: Laws,
    /// Compiled meshes, by id; `None` where compiling failed.
    pub meshes: Vec<Option<Arc<CompiledMesh>>>,
}

static NO_SETTINGS: LazyLock<Compiler> = LazyLock::new(Compiler::default);

impl Context<'_> {
    /// The document a place belongs to.
    pub fn document(&self, place: Place) -> Option<&Document> {
        self.spec.documents.get(place.document as usize)
    }

    /// The compiler settings that apply to what was written at a place.
    pub fn compiler(&self, place: Place) -> &Compiler {
        self.document(place)
            .map_or(&NO_SETTINGS, |document| &document.compiler)
    }

    /// The compiler settings of the main document, which also hold for the whole model.
    pub fn main_compiler(&self) -> &Compiler {
        self.compiler(Place::default())
    }

    /// Whether visual elements are dropped.
    pub fn discards_visual(&self) -> bool {
        let setting = self.main_compiler().discardvisual.as_ref();
        setting.is_some_and(|at| at.value)
    }

    /// Whether static bodies are merged into their parents.
    pub fn fuses_static(&self) -> bool {
        let setting = self.main_compiler().fusestatic.as_ref();
        setting.is_some_and(|at| at.value)
    }

    /// Half sizes, height and base of a height field.
    pub fn hfield_size(&self, id: usize) -> Option<[f64; 4]> {
        Some(self.spec.hfields.get(id)?.size.as_ref()?.value)
    }

    /// The material a mesh brings along.
    pub fn mesh_material(&self, id: usize) -> Option<At<String>> {
        let material = self.spec.meshes.get(id)?.table.material.clone()?;
        (!material.value.is_empty()).then_some(material)
    }

    /// Whether angles written at a place are in degrees (the default).
    pub fn is_degree(&self, place: Place) -> bool {
        self.compiler(place)
            .angle
            .as_ref()
            .is_none_or(|angle| angle.value == AngleUnit::Degree)
    }

    /// Whether limits written at a place switch themselves on (the default).
    pub fn has_autolimits(&self, place: Place) -> bool {
        self.compiler(place)
            .autolimits
            .as_ref()
            .is_none_or(|autolimits| autolimits.value)
    }

    /// Whether there is time left to go on; reported once if not.
    pub fn has_time(&mut self, place: Place) -> bool {
        self.report.has_time(place)
    }

    /// The bytes of an asset file, and the path they were found at. What cannot be read is
    /// reported with the paths tried.
    pub fn asset(
        &mut self,
        kind: AssetKind,
        file: &At<String>,
        element: &str,
        attribute: &str,
    ) -> Option<(FileBytes, String)> {
        let paths = asset_path(self.spec, file.place, kind, &file.value);
        let mut last = SourceError::NotFound;
        for path in &paths {
            match self.source.read(path) {
                Ok(bytes) => return Some((bytes, path.clone())),
                Err(SourceError::NotFound) => {}
                Err(error) => {
                    last = error;
                    break;
                }
            }
        }
        self.report
            .error(
                "mjcf::asset-file",
                file.place,
                format!("cannot read \"{}\": {last}", file.value),
            )
            .element(element)
            .attribute(attribute)
            .hint(format!("tried {}", paths.join(", ")));
        None
    }

    /// The default class of an element outside the tree: its own, else `main`. An unknown class is
    /// reported and replaced by `main`.
    pub fn class(&mut self, class: Option<&At<String>>, element: &str) -> usize {
        let Some(class) = class else { return 0 };
        if let Some(index) = self.classes.find(&class.value) {
            return index;
        }
        let hint = self
            .may_hint()
            .then(|| suggestion(&class.value, || self.classes.names()))
            .flatten();
        let entry = self
            .report
            .error(
                "mjcf::unknown-class",
                class.place,
                format!("unknown default class `{}`", class.value),
            )
            .element(element)
            .attribute("class");
        if let Some(hint) = hint {
            entry.hint(hint);
        }
        0
    }

    /// Looking for the nearest name costs a pass over all names: only the first errors get it.
    fn may_hint(&self) -> bool {
        self.report.error_count() < 20
    }

    /// Reports an attribute that is needed but was not written.
    pub fn missing(&mut self, place: Place, element: &str, attribute: &str) {
        self.report
            .error(
                "mjcf::missing-attribute",
                place,
                format!("required attribute `{attribute}` is missing"),
            )
            .element(element)
            .attribute(attribute)
            .hint(format!("add {attribute}=\"…\""));
    }

    /// The id of the object an attribute names; an unknown name is reported.
    pub fn resolve(
        &mut self,
        kind: ObjectType,
        name: &At<String>,
        element: &str,
        attribute: &str,
    ) -> Option<usize> {
        let found = self.names.find(kind, &name.value);
        if found.is_none() {
            let known = || self.names.list(kind).iter().map(String::as_str);
            let hint = self
                .may_hint()
                .then(|| suggestion(&name.value, known))
                .flatten();
            let entry = self
                .report
                .error(
                    "mjcf::unknown-name",
                    name.place,
                    format!("no {} is named `{}`", kind_word(kind), name.value),
                )
                .element(element)
                .attribute(attribute);
            if let Some(hint) = hint {
                entry.hint(hint);
            }
        }
        found
    }
}

/// What may be meant by a name that does not exist: the nearest that does, or all if they are few.
fn suggestion<'a, I: Iterator<Item = &'a str>>(
    name: &str,
    known: impl Fn() -> I,
) -> Option<String> {
    const FEW: usize = 6;
    if let Some(near) = nearest(name, known()) {
        return Some(format!("did you mean `{near}`?"));
    }
    let names: Vec<&str> = known()
        .filter(|name| !name.is_empty())
        .take(FEW + 1)
        .collect();
    let is_short = names.iter().map(|name| name.len()).sum::<usize>() <= 60;
    let tells = !names.is_empty() && names.len() <= FEW && is_short;
    tells.then(|| format!("there is `{}`", names.join("`, `")))
}

/// The word users write for a kind of object.
pub fn kind_word(kind: ObjectType) -> &'static str {
    match kind {
        ObjectType::Body | ObjectType::Xbody => "body",
        ObjectType::Joint => "joint",
        ObjectType::Dof => "dof",
        ObjectType::Geom => "geom",
        ObjectType::Site => "site",
        ObjectType::Camera => "camera",
        ObjectType::Light => "light",
        ObjectType::Flex => "flex",
        ObjectType::Mesh => "mesh",
        ObjectType::Skin => "skin",
        ObjectType::Hfield => "hfield",
        ObjectType::Texture => "texture",
        ObjectType::Material => "material",
        ObjectType::Pair => "pair",
        ObjectType::Exclude => "exclude",
        ObjectType::Equality => "equality",
        ObjectType::Tendon => "tendon",
        ObjectType::Actuator => "actuator",
        ObjectType::Sensor => "sensor",
        ObjectType::Numeric => "numeric",
        ObjectType::Text => "text",
        ObjectType::Tuple => "tuple",
        ObjectType::Key => "key",
        ObjectType::Plugin => "plugin",
        ObjectType::Frame => "frame",
        ObjectType::Default => "default",
        ObjectType::Model => "model",
        ObjectType::Unknown => "object",
    }
}
