//! Draft → Spec: what differs from the built-in values becomes an attribute.
//!
//! Values are complete, so the Spec needs no classes. Every attribute's place names its element
//! (the line is the element's number), by which messages of the compiler find back to it.

mod asset;
mod class;
mod list;
mod sensor;
mod setting;
mod tree;

pub(super) use asset::{CUBE_FILES, rows_reversed};
pub(super) use tree::CAMERA_OUTPUTS;

use super::draft::Draft;
use super::field::{Field, FieldKind};
use super::record::{Id, Record};
use super::table::{Kind, ORIENTATION};
use super::value::Value;
use crate::diagnostic::{Diagnostic, LoadError, Severity};
use crate::loader::{Loaded, Loader};
use crate::place::{At, Place};
use crate::spec::element::Element;
use crate::spec::tree::{Config, Plugin, PluginTable};
use crate::spec::{DefaultClass, SourceFile, Spec};

/// Lists of numbers that may be given in part.
const SHORTENED: [&str; 8] = [
    "solref",
    "solimp",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "gainprm",
    "biasprm",
];

/// What a draft says as a Spec, and what cannot be said.
pub(super) struct Writer<'a> {
    draft: &'a Draft,
    problems: Vec<Diagnostic>,
    /// Elements say what differs from their class, and classes are written, too.
    keeps_classes: bool,
    /// Frames that were opened with their names.
    named: Vec<Id>,
}

impl Draft {
    /// The model as a Spec, classes resolved into the elements.
    pub fn to_spec(&self) -> Result<Spec, LoadError> {
        self.as_spec(false)
    }

    /// The model as a Spec; whether it has classes is said.
    pub(super) fn as_spec(&self, keeps_classes: bool) -> Result<Spec, LoadError> {
        let mut writer = Writer {
            draft: self,
            problems: Vec::new(),
            keeps_classes,
            named: Vec::new(),
        };
        let mut spec = Spec {
            files: vec![SourceFile::default()],
            ..Spec::default()
        };
        spec.defaults = if keeps_classes {
            writer.classes()
        } else {
            vec![DefaultClass {
                name: "main".to_string(),
                ..DefaultClass::default()
            }]
        };
        writer.settings(&mut spec);
        spec.world = writer.children(self.world());
        writer.listed(&mut spec);
        if writer.problems.is_empty() {
            Ok(spec)
        } else {
            Err(LoadError {
                diagnostics: writer.problems,
            })
        }
    }

    /// Compiles the model. Lines in messages are numbers of elements ([`Id::index`]), counted from 1.
    pub fn compile(&self, loader: &Loader) -> Result<Loaded, LoadError> {
        let loader = asset::with_buffers(self, loader.clone());
        loader.compile_spec(self.to_spec()?)
    }
}

impl Writer<'_> {
    /// Where an element is said to stand.
    fn place(&self, id: Id, record: &Record) -> Place {
        Place {
            document: u16::try_from(record.root).unwrap_or_default(),
            file: 0,
            line: u32::try_from(id.0.saturating_add(1)).unwrap_or(u32::MAX),
            column: 1,
        }
    }

    /// The elements of a list.
    fn records(&self, ids: Vec<Id>) -> impl Iterator<Item = (Id, &Record)> {
        let draft = self.draft;
        let records = ids.into_iter().map(|id| (id, draft.record(id)));
        records.filter_map(|(id, record)| Some((id, record.ok()?)))
    }

    /// A table with name and all attributes that differ from the built-in values.
    fn table<T: Element>(&mut self, id: Id, record: &Record) -> T {
        let place = self.place(id, record);
        let mut table = T::placed(place);
        if !record.name.is_empty() {
            let _ = table.set("name", &record.name, place);
        }
        let base = self.base(record);
        let base = base.as_ref().map(|base| base.values.as_slice());
        self.fill(
            &mut table,
            record.kind.fields(),
            &record.values,
            base,
            place,
        );
        table
    }

    /// What an element begins with, if classes are kept: the settings of its class.
    fn base(&self, record: &Record) -> Option<Record> {
        if !self.keeps_classes {
            return None;
        }
        let class = match record.parent.map(|parent| self.draft.record(parent)) {
            Some(Ok(parent)) if parent.kind == Kind::Default => parent.parent?,
            _ => record.class?,
        };
        self.draft.part(class, record.kind).cloned()
    }

    /// Sets the attributes of fields that differ from those of a base (`None`: the built-in values); those that the
    /// table does not know stay out.
    fn fill<T: Element>(
        &mut self,
        table: &mut T,
        fields: &[Field],
        values: &[Value],
        base: Option<&[Value]>,
        place: Place,
    ) {
        for (position, (field, value)) in fields.iter().zip(values).enumerate() {
            if let (FieldKind::Group(group), Value::Group(values)) = (field.kind, value) {
                if field.name == "alt" {
                    self.orientation(table, group, values, place);
                }
                continue;
            }
            let is_known = T::ATTRIBUTES.contains(&field.attribute);
            let usual = base.and_then(|base| base.get(position));
            let is_usual = match usual {
                Some(usual) => value.is_same(usual),
                None => value.is_same(&field.kind.default()),
            };
            if !is_known || is_usual {
                continue;
            }
            let shorter = usual.and_then(|usual| self.without_tail(field, value, usual));
            self.attribute(table, field, shorter.as_ref().unwrap_or(value), place);
        }
    }

    /// Numbers without those at the end that a class gives anyway.
    fn without_tail(&self, field: &Field, value: &Value, usual: &Value) -> Option<Value> {
        if !self.keeps_classes || !SHORTENED.contains(&field.attribute) {
            return None;
        }
        let (mut numbers, usual) = (value.reals(), usual.reals());
        while numbers.len() > 1 && numbers.last() == usual.get(numbers.len().saturating_sub(1)) {
            numbers.pop();
        }
        Some(Value::from(numbers))
    }

    fn attribute<T: Element>(&mut self, table: &mut T, field: &Field, value: &Value, place: Place) {
        let Some(text) = value.written(field.kind) else {
            let message = format!("{} has no such value: {}", field.name, value.integer());
            return self.problem(place, field.name, message);
        };
        if let Err(error) = table.set(field.attribute, &text, place) {
            self.problem(place, field.name, error.message);
        }
    }

    /// The orientation that counts.
    fn orientation<T: Element>(
        &mut self,
        table: &mut T,
        fields: &[Field],
        values: &[Value],
        place: Place,
    ) {
        let which = fields
            .iter()
            .zip(values)
            .find(|(field, _)| field.name == "type");
        let attribute = match which.map_or(0, |(_, value)| value.integer()) {
            1 => "axisangle",
            2 => "xyaxes",
            3 => "zaxis",
            4 => "euler",
            _ => return,
        };
        let counts = fields
            .iter()
            .zip(values)
            .find(|(field, _)| field.name == attribute);
        if let Some((field, value)) = counts {
            self.attribute(table, field, value, place);
        }
    }

    /// The orientation of a group that is not called `alt`.
    fn orientation_of<T: Element>(
        &mut self,
        table: &mut T,
        record: &Record,
        group: &str,
        place: Place,
    ) {
        let position = record
            .kind
            .fields()
            .iter()
            .position(|field| field.name == group);
        if let Some(Value::Group(values)) = position.and_then(|at| record.values.get(at)) {
            self.orientation(table, ORIENTATION, values, place);
        }
    }

    fn problem(&mut self, place: Place, attribute: &str, message: String) {
        self.problems.push(Diagnostic {
            code: "edit::value",
            severity: Severity::Error,
            file: String::new(),
            line: place.line,
            column: 0,
            element: String::new(),
            attribute: Some(attribute.to_string()),
            message,
            hint: None,
            source_line: None,
        });
    }

    /// The plugin that an element uses, if any.
    fn plugin(&self, record: &Record, place: Place) -> Option<Plugin> {
        if record.integer("plugin.active") == 0 {
            return None;
        }
        let at = |text: &str| (!text.is_empty()).then(|| At::new(text.to_string(), place));
        let name = record.text("plugin.name");
        let instance = if name.is_empty() { None } else { at(name) };
        let plugin = match instance {
            Some(_) => None,
            None => at(record.text("plugin.plugin_name")),
        };
        Some(Plugin {
            table: PluginTable {
                place,
                plugin,
                instance,
            },
            config: settings(record.texts("plugin.config"), place),
        })
    }
}

/// Keys and values that follow each other, as settings.
fn settings(words: &[String], place: Place) -> Vec<Config> {
    let pairs = words.chunks(2);
    let config = |pair: &[String]| Config {
        place,
        key: pair.first().map(|key| At::new(key.clone(), place)),
        value: pair.get(1).map(|value| At::new(value.clone(), place)),
    };
    pairs.map(config).collect()
}
