//! Text → [`Spec`].
//!
//! [`document`] turns files into one tree of nodes ([`xml`]) with includes spliced in; [`check`]
//! compares it with the [`schema`]; the other files turn nodes into the tables of
//! [`spec`](crate::spec). Every step reports all it finds and goes on where that makes sense.
//! Sub-models named by `model` assets are read on the way, into the same tables of files and
//! documents.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

pub mod check;
pub mod document;
pub mod print;
pub mod schema;
pub mod xml;

mod asset;
mod defaults;
mod fill;
mod lists;
mod settings;
mod tree;
mod verify;

use crate::memory::Shortage;
use crate::place::{At, Place};
use crate::report::Report;
use crate::source::{AssetKind, Source, asset_path, directory_of};
use crate::spec::value::AngleUnit;
use crate::spec::{DefaultClass, Document, Spec};
use check::Path;
use document::Documents;
use std::collections::BTreeMap;
use std::sync::Arc;
use xml::Node;

/// Reads a model file. Errors are in the report; the Spec holds what could be read.
pub fn read_path(path: &str, source: &Source, report: &mut Report) -> Spec {
    let mut loading = Loading::new(source, report);
    let spec = match source.read(path) {
        Ok(bytes) => {
            let text = source.text(bytes);
            let (directory, identity) = (directory_of(path), source.identity(path));
            loading.document(text, Place::default(), path, directory, identity)
        }
        Err(error) => {
            let message = format!("cannot read \"{path}\": {error}");
            loading
                .documents
                .report
                .error("mjcf::file", Place::default(), message);
            None
        }
    };
    loading.finish(spec)
}

/// Reads a model from text; `name` is shown in messages, files are looked for in `directory`.
pub fn read_text(
    text: &str,
    name: &str,
    directory: &str,
    source: &Source,
    report: &mut Report,
) -> Spec {
    let mut loading = Loading::new(source, report);
    let identity = source.identity(&crate::source::join(directory, name));
    let text = source.copy(text);
    let spec = loading.document(text, Place::default(), name, directory, identity);
    loading.finish(spec)
}

/// One load: a main document and its sub-models.
struct Loading<'a> {
    documents: Documents<'a>,
    table: Vec<Document>,
    /// Identity and name of the models being read, outermost first.
    stack: Vec<(String, String)>,
}

impl<'a> Loading<'a> {
    fn new(source: &'a Source, report: &'a mut Report) -> Self {
        Loading {
            documents: Documents::new(source, report),
            table: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Puts the shared tables into the main Spec.
    fn finish(self, spec: Option<Spec>) -> Spec {
        let mut spec = spec.unwrap_or_else(empty_spec);
        spec.files = self.documents.files;
        spec.documents = self.table;
        if spec.documents.is_empty() {
            spec.documents.push(Document::default());
        }
        spec
    }

    /// Reads one document, which something at `asked` names, and its sub-models.
    fn document(
        &mut self,
        text: Result<Arc<str>, Shortage>,
        asked: Place,
        name: &str,
        directory: &str,
        identity: String,
    ) -> Option<Spec> {
        let text = self.documents.text(text, asked)?;
        let Ok(document) = u16::try_from(self.table.len()) else {
            self.documents.report.error(
                "mjcf::too-many-files",
                Place::default(),
                "too many sub-models",
            );
            return None;
        };
        self.table.push(Document {
            directory: directory.to_string(),
            ..Document::default()
        });
        self.stack.push((identity.clone(), name.to_string()));
        let outer_bytes = std::mem::take(&mut self.documents.tree_bytes);
        let spec = self
            .documents
            .read_text(text, name, directory, identity, document)
            .and_then(|(root, main_file)| self.spec(&root, document, main_file));
        let tree_bytes = std::mem::replace(&mut self.documents.tree_bytes, outer_bytes);
        self.documents.source.memory().give_back(tree_bytes);
        self.stack.pop();
        spec
    }

    fn spec(&mut self, root: &Node, document: u16, main_file: u16) -> Option<Spec> {
        let report = &mut *self.documents.report;
        if root.name.eq_ignore_ascii_case("robot") {
            return Some(self.robot(root, document, main_file));
        }
        if root.name != "mujoco" {
            let entry = report.error(
                "mjcf::root",
                root.place,
                format!(
                    "unknown root element <{}>",
                    crate::spec::value::shorten(&root.name)
                ),
            );
            entry
                .element(root.name.clone())
                .hint("a model starts with <mujoco>");
            return None;
        }
        check::check(root, self.documents.source.is_strict(), report);
        let path = Path::root(root);
        let mut reader = Reader {
            report,
            spec: empty_spec(),
            document: Document::default(),
            class_lines: BTreeMap::from([("main".to_string(), 0)]),
        };
        reader.sections(&path);
        verify::verify(&path, &reader.class_lines, reader.report);
        let Reader {
            mut spec,
            document: read,
            ..
        } = reader;
        spec.document = document;
        if let Some(slot) = self.table.get_mut(usize::from(document)) {
            slot.name = match root.attribute("model") {
                Some(model) => model.text.clone(),
                None => "MuJoCo Model".to_string(),
            };
            slot.main_file = main_file;
            slot.compiler = read.compiler;
            slot.length_range = read.length_range;
        }
        self.submodels(&mut spec);
        Some(spec)
    }

    /// Reads a URDF robot. Its `mujoco` element has the settings.
    fn robot(&mut self, root: &Node, document: u16, main_file: u16) -> Spec {
        let mut reader = Reader {
            report: &mut *self.documents.report,
            spec: empty_spec(),
            document: Document::default(),
            class_lines: BTreeMap::new(),
        };
        let compiler = &mut reader.document.compiler;
        compiler.strippath = Some(At::new(true, root.place));
        compiler.fusestatic = Some(At::new(true, root.place));
        compiler.discardvisual = Some(At::new(true, root.place));
        let path = Path::root(root);
        for block in path.children().filter(|child| child.node.name == "mujoco") {
            for section in block.children() {
                match section.node.name.as_str() {
                    "compiler" => reader.compiler(&section),
                    "option" => reader.option(&section),
                    "size" => reader.size(&section),
                    _ => {}
                }
            }
        }
        let compiler = &mut reader.document.compiler;
        compiler.angle = Some(At::new(AngleUnit::Radian, root.place));
        let Reader {
            mut spec,
            document: read,
            report,
            ..
        } = reader;
        crate::urdf::read(root, &read.compiler, &mut spec, report);
        spec.document = document;
        if let Some(slot) = self.table.get_mut(usize::from(document)) {
            let name = root.attribute("name");
            slot.name = name.map_or("MuJoCo Model".to_string(), |name| name.text.clone());
            slot.main_file = main_file;
            slot.compiler = read.compiler;
            slot.length_range = read.length_range;
        }
        spec
    }

    /// Reads the files of the `model` assets.
    fn submodels(&mut self, spec: &mut Spec) {
        for index in 0..spec.models.len() {
            let Some(file) = spec.models.get(index).and_then(|m| m.file.clone()) else {
                spec.submodels.push(empty_spec());
                continue;
            };
            let submodel = self.submodel(&file.value, file.place);
            spec.submodels.push(submodel.unwrap_or_else(empty_spec));
        }
    }

    fn submodel(&mut self, name: &str, place: Place) -> Option<Spec> {
        let source = self.documents.source;
        // The asset's folder rules need the tables; lend them for a moment.
        let lent = Spec {
            files: std::mem::take(&mut self.documents.files),
            documents: std::mem::take(&mut self.table),
            ..Spec::default()
        };
        let candidates = asset_path(&lent, place, AssetKind::Model, name);
        self.documents.files = lent.files;
        self.table = lent.documents;

        let report = &mut *self.documents.report;
        let path = candidates
            .iter()
            .find(|path| source.exists(path))
            .or(candidates.first())?
            .clone();
        let identity = source.identity(&path);
        if let Some(first) = self.stack.iter().position(|(known, _)| *known == identity) {
            let ring = self.stack.iter().skip(first).map(|(_, name)| name.as_str());
            let ring: Vec<&str> = ring.chain([name]).collect();
            report
                .error(
                    "mjcf::model-cycle",
                    place,
                    format!("model \"{name}\" contains itself: {}", ring.join(" → ")),
                )
                .element("asset/model")
                .attribute("file");
            return None;
        }
        if self.stack.len() > source.limits().attach_depth {
            report
                .error(
                    "mjcf::attach-depth",
                    place,
                    format!(
                        "sub-models are nested more than {} deep",
                        source.limits().attach_depth
                    ),
                )
                .element("asset/model");
            return None;
        }
        match source.read(&path) {
            Ok(bytes) => {
                let text = self.documents.source.text(bytes);
                self.document(text, place, &path, directory_of(&path), identity)
            }
            Err(error) => {
                report
                    .error(
                        "mjcf::model-file",
                        place,
                        format!("cannot read model \"{name}\": {error}"),
                    )
                    .element("asset/model")
                    .attribute("file")
                    .hint(format!("tried {}", candidates.join(", ")));
                None
            }
        }
    }
}

/// A Spec with nothing but the class `main`.
fn empty_spec() -> Spec {
    Spec {
        defaults: vec![DefaultClass {
            name: "main".to_string(),
            ..DefaultClass::default()
        }],
        ..Spec::default()
    }
}

/// Turns the nodes of one document into a Spec.
struct Reader<'a> {
    report: &'a mut Report,
    spec: Spec,
    document: Document,
    /// The default classes and the lines they are defined on.
    class_lines: BTreeMap<String, u32>,
}

impl Reader<'_> {
    /// Reads all sections, each kind in the order it is written.
    fn sections(&mut self, root: &Path<'_>) {
        for section in root.children() {
            match section.node.name.as_str() {
                "compiler" => self.compiler(&section),
                "option" => self.option(&section),
                "size" => self.size(&section),
                "visual" => self.visual(&section),
                "statistic" => self.statistic(&section),
                "default" => self.default_section(&section),
                "extension" => self.extension(&section),
                "custom" => self.custom(&section),
                "asset" => self.asset(&section),
                "worldbody" => {
                    let children = self.tree_children(&section);
                    self.spec.world.extend(children);
                }
                "deformable" => self.deformable(&section),
                "contact" => self.contact(&section),
                "equality" => self.equality(&section),
                "tendon" => self.tendon(&section),
                "actuator" => self.actuator(&section),
                "sensor" => self.sensor(&section),
                "keyframe" => self.keyframe(&section),
                _ => {}
            }
        }
    }

    fn table<T: crate::spec::element::Element>(&mut self, path: &Path<'_>) -> T {
        fill::table(path, self.report)
    }
}
