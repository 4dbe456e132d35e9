//! Spec → Draft: classes resolved, every value filled in.
//!
//! The Spec must be expanded. An element takes the built-in values, then those of its class, then
//! its own, as the reference does while it reads.

mod actuator;
mod list;
mod sensor;
mod tree;

use super::draft::Draft;
use super::field::{Field, FieldKind};
use super::record::{Id, Record};
use super::table::Kind;
use super::value::Value;
use crate::classes::Classes;
use crate::memory::Memory;
use crate::place::{At, Place};
use crate::report::Report;
use crate::spec::Spec;
use crate::spec::element::Element;
use crate::spec::tree::{Config, Plugin};
use crate::spec::value::AngleUnit;
use sinew_model::kinds::{DisableFlag, EnableFlag};

impl Draft {
    /// A model that was read, its replicates, sub-models and composites expanded. Elements have all values of their classes,
    /// so that they may take more memory than there is; that, and that there is no time left, is reported.
    pub fn from_spec(spec: &Spec, memory: &Memory, report: &mut Report) -> Option<Draft> {
        let mut draft = Draft::new();
        for _ in spec.documents.iter().skip(1) {
            let root = draft.add_root();
            if let Some(root) = draft.roots.get_mut(root) {
                root.parent = Some(0);
            }
        }
        let mut reader = Reader {
            draft,
            spec,
            classes: Classes::new(spec, &mut Report::default()),
            ids: Vec::new(),
            memory,
            report,
            has_stopped: false,
        };
        reader.settings();
        reader.read_classes();
        reader.read_actuator_classes();
        reader.tree();
        reader.listed();
        (!reader.has_stopped).then_some(reader.draft)
    }
}

/// An element that was not made.
const NOBODY: Id = Id(usize::MAX);

/// A Spec on its way into a draft.
struct Reader<'a> {
    draft: Draft,
    spec: &'a Spec,
    classes: Classes,
    /// The classes of the draft, in the order of those of the Spec.
    ids: Vec<Id>,
    memory: &'a Memory,
    report: &'a mut Report,
    /// Whether there is no memory or no time for more elements, which is reported.
    has_stopped: bool,
}

impl Reader<'_> {
    fn settings(&mut self) {
        let spec = self.spec;
        for (root, document) in spec.documents.iter().enumerate() {
            self.fill_setting(root, Kind::Compiler, &document.compiler);
            self.fill_setting(root, Kind::LengthRange, &document.length_range);
            let is_degree = document.compiler.angle.as_ref().map(|angle| angle.value)
                != Some(AngleUnit::Radian);
            let strips = document
                .compiler
                .strippath
                .as_ref()
                .is_some_and(|at| at.value);
            let folder = document.compiler.assetdir.as_ref();
            if let Some(compiler) = self.setting(root, Kind::Compiler) {
                compiler.put("degree", i64::from(is_degree));
                for field in ["meshdir", "texturedir"] {
                    if let (Some(folder), "") = (folder, compiler.text(field)) {
                        let folder = folder.value.clone();
                        compiler.put(field, folder);
                    }
                }
            }
            let name = if document.name.is_empty() {
                "MuJoCo Model"
            } else {
                &document.name
            };
            if let Some(model) = self.setting(root, Kind::Model) {
                model.put("modelname", name);
                model.put("modelfiledir", document.directory.as_str());
                model.put("strippath", i64::from(strips));
            }
        }
        self.fill_setting(0, Kind::Option, &spec.option);
        self.fill_setting(0, Kind::Model, &spec.size);
        self.fill_setting(0, Kind::Statistic, &spec.statistic);
        self.fill_setting(0, Kind::Global, &spec.visual.global);
        self.fill_setting(0, Kind::Quality, &spec.visual.quality);
        self.fill_setting(0, Kind::Headlight, &spec.visual.headlight);
        self.fill_setting(0, Kind::Map, &spec.visual.map);
        self.fill_setting(0, Kind::Scale, &spec.visual.scale);
        self.fill_setting(0, Kind::Rgba, &spec.visual.rgba);
        let memory = spec
            .size
            .memory
            .as_ref()
            .and_then(|memory| bytes(&memory.value));
        if let (Some(memory), Some(model)) = (memory, self.setting(0, Kind::Model)) {
            model.put("memory", memory);
        }
        let mut groups = 0;
        for group in spec
            .option
            .actuatorgroupdisable
            .iter()
            .flat_map(|at| &at.value)
        {
            groups |= 1i64
                .checked_shl(u32::try_from(*group).unwrap_or(64))
                .unwrap_or(0);
        }
        let written = spec.flags.written();
        let disabled = bits(&written, DisableFlag::TABLE.members, "mjDSBL_", "disable");
        let enabled = bits(&written, EnableFlag::TABLE.members, "mjENBL_", "enable");
        if let Some(option) = self.setting(0, Kind::Option) {
            option.put("disableactuator", groups);
            option.put("disableflags", disabled);
            option.put("enableflags", enabled);
        }
    }

    fn setting(&mut self, root: usize, kind: Kind) -> Option<&mut Record> {
        let id = self.draft.setting(root, kind)?;
        self.draft.record_mut(id)
    }

    fn fill_setting<T: Element>(&mut self, root: usize, kind: Kind, table: &T) {
        if let Some(record) = self.setting(root, kind) {
            fill(record, &table.written());
        }
    }

    /// The classes, complete: their values are those of the merged tables.
    fn read_classes(&mut self) {
        let spec = self.spec;
        for (index, class) in spec.defaults.iter().enumerate() {
            if !self.goes_on(class.place) {
                return;
            }
            let root = usize::from(class.place.document);
            let above = class
                .parent
                .and_then(|parent| self.ids.get(parent).copied());
            let id = if index == 0 {
                self.draft.main_class(0).unwrap_or(Id(0))
            } else {
                let id = self.draft.push_class(
                    root.min(self.draft.roots.len().saturating_sub(1)),
                    &class.name,
                    above,
                );
                if let Some(main) = self.draft.roots.first_mut() {
                    main.classes.push(id);
                }
                id
            };
            self.ids.push(id);
            for part in self
                .draft
                .record(id)
                .map_or(Vec::new(), |class| class.children.clone())
            {
                self.count(part, class.place);
            }
            let classes = &self.classes;
            let tables = [
                (Kind::Mesh, classes.mesh(index).written()),
                (Kind::Material, classes.material(index).written()),
                (Kind::Joint, classes.joint(index).written()),
                (Kind::Geom, classes.geom(index).written()),
                (Kind::Site, classes.site(index).written()),
                (Kind::Camera, classes.camera(index).written()),
                (Kind::Light, classes.light(index).written()),
                (Kind::Pair, classes.pair(index).written()),
                (Kind::Equality, classes.equality(index).written()),
                (Kind::Tendon, classes.tendon(index).written()),
            ];
            for (kind, written) in tables {
                let part = self.draft.part(id, kind).map(|_| ());
                let parts = self.draft.record(id).map(|class| class.children.clone());
                if part.is_none() {
                    continue;
                }
                for part in parts.unwrap_or_default() {
                    if let Some(record) =
                        self.draft.record_mut(part).filter(|part| part.kind == kind)
                    {
                        fill(record, &written);
                        tree::odd_attributes(record, &written);
                        record.name.clear();
                    }
                }
            }
        }
    }

    /// The class of the draft with a name, or the one in force.
    fn class(&self, class: &Option<At<String>>, otherwise: usize) -> usize {
        let given = class
            .as_ref()
            .and_then(|class| self.classes.find(&class.value));
        given.unwrap_or(otherwise)
    }

    /// Makes an element outside the tree from a table that has taken what its class says.
    fn make<T: Element>(&mut self, kind: Kind, table: &T, place: Place, class: usize) -> Id {
        if self.has_stopped {
            return NOBODY;
        }
        let root = usize::from(place.document).min(self.draft.roots.len().saturating_sub(1));
        let id = self.draft.push(kind, root);
        let class = self.ids.get(class).copied();
        if let Some(record) = self.draft.record_mut(id) {
            record.class = class;
            fill(record, &table.written());
        }
        self.count(id, place);
        id
    }

    /// Whether there is memory and time for the next element; reported once if not.
    fn goes_on(&mut self, place: Place) -> bool {
        self.has_stopped = self.has_stopped || !self.report.has_time(place);
        !self.has_stopped
    }

    /// Takes the memory of an element.
    fn count(&mut self, id: Id, place: Place) {
        let behind = self.draft.record(id).map_or(0, Record::byte_size);
        let bytes = behind.saturating_add(size_of::<Option<Record>>() as u64);
        if let Err(shortage) = self.memory.take(bytes) {
            self.has_stopped = true;
            shortage.report("the elements of the model", place, self.report);
        }
    }

    fn list(&mut self, id: Id) {
        if let Some(root) = self.draft.roots.first_mut() {
            root.listed.push(id);
        }
    }
}

/// Takes over what attributes say.
fn fill(record: &mut Record, written: &[(&'static str, String)]) {
    let fields = record.kind.fields();
    for (attribute, text) in written {
        if *attribute == "name" {
            record.name.clone_from(text);
            continue;
        }
        fill_values(fields, &mut record.values, attribute, text);
    }
}

fn fill_values(fields: &[Field], values: &mut [Value], attribute: &str, text: &str) {
    for (field, value) in fields.iter().zip(values) {
        match (field.kind, value) {
            (FieldKind::Group(group), Value::Group(values)) if field.name == "alt" => {
                orientation(group, values, attribute, text);
            }
            (kind, value) if field.attribute == attribute => value.read(kind, text),
            _ => {}
        }
    }
}

/// Takes over an orientation, if the attribute is one.
fn orientation(fields: &[Field], values: &mut [Value], attribute: &str, text: &str) {
    let code = match attribute {
        "axisangle" => 1,
        "xyaxes" => 2,
        "zaxis" => 3,
        "euler" => 4,
        _ => return,
    };
    for (field, value) in fields.iter().zip(values) {
        if field.attribute == attribute {
            value.read(field.kind, text);
        } else if field.name == "type" {
            *value = Value::Integer(code);
        }
    }
}

/// Takes over which plugin an element uses.
fn plugin(record: &mut Record, plugins: &[Plugin]) {
    let Some(plugin) = plugins.first() else {
        return;
    };
    let text = |at: &Option<At<String>>| at.as_ref().map_or("", |at| at.value.as_str()).to_string();
    record.put("plugin.active", true);
    record.put("plugin.name", text(&plugin.table.instance));
    record.put("plugin.plugin_name", text(&plugin.table.plugin));
    record.put("plugin.config", words(&plugin.config));
}

/// Settings as keys and values that follow each other.
fn words(config: &[Config]) -> Vec<String> {
    let text = |at: &Option<At<String>>| at.as_ref().map_or(String::new(), |at| at.value.clone());
    let pairs = config.iter().map(|one| [text(&one.key), text(&one.value)]);
    pairs.flatten().collect()
}

/// The bits of switches that stand on a word.
fn bits(
    written: &[(&'static str, String)],
    members: &[(&str, i32)],
    prefix: &str,
    word: &str,
) -> i64 {
    let mut bits = 0;
    for (name, bit) in members {
        let attribute = name.trim_start_matches(prefix).to_ascii_lowercase();
        if written
            .iter()
            .any(|(known, text)| **known == attribute && text == word)
        {
            bits |= i64::from(*bit);
        }
    }
    bits
}

/// A number of bytes with its unit.
fn bytes(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let number: i64 = digits.trim().parse().ok()?;
    let shift = match text.get(digits.len()..)?.to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        "P" => 50,
        "E" => 60,
        _ => return None,
    };
    number.checked_mul(1i64.checked_shl(shift)?)
}
