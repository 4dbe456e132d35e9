//! The elements of a model under construction.

use super::error::EditError;
use super::field::values;
use super::record::{Id, Record};
use super::table::Kind;
use super::value::Value;

/// One of the models in a draft: the model itself, or one that was attached.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// In the order of [`Kind::SETTINGS`].
    pub settings: Vec<Id>,
    pub world: Id,
    /// The first is `main`.
    pub classes: Vec<Id>,
    /// Elements outside the tree.
    pub listed: Vec<Id>,
    /// Names of plugins that may be used.
    pub plugins: Vec<String>,
    /// The model it was attached to.
    pub parent: Option<usize>,
}

/// A model under construction.
#[derive(Clone, Debug)]
pub struct Draft {
    pub(super) records: Vec<Option<Record>>,
    pub(super) roots: Vec<Root>,
}

impl Default for Draft {
    fn default() -> Self {
        Draft::new()
    }
}

/// Bodies and frames may be nested so deep.
pub(super) const DEEPEST: usize = 1000;

impl Draft {
    /// An empty model.
    pub fn new() -> Self {
        let mut draft = Draft {
            records: Vec::new(),
            roots: Vec::new(),
        };
        draft.add_root();
        draft
    }

    /// Roughly the bytes that its elements take.
    pub fn byte_size(&self) -> u64 {
        let places = size_of_val(self.records.as_slice()) as u64;
        let records = self.records.iter().flatten().map(Record::byte_size);
        records.fold(places, u64::saturating_add)
    }

    /// Adds an empty model.
    pub(super) fn add_root(&mut self) -> usize {
        let root = self.roots.len();
        let settings = Kind::SETTINGS.map(|kind| self.push(kind, root)).to_vec();
        let world = self.push(Kind::Body, root);
        if let Some(world) = self.record_mut(world) {
            world.name = "world".to_string();
        }
        let main = self.push_class(root, "main", None);
        if let Some(world) = self.record_mut(world) {
            world.class = Some(main);
        }
        self.roots.push(Root {
            settings,
            world,
            classes: vec![main],
            listed: Vec::new(),
            plugins: Vec::new(),
            parent: None,
        });
        root
    }

    /// Makes an element with the built-in values.
    pub(super) fn push(&mut self, kind: Kind, root: usize) -> Id {
        let id = Id(self.records.len());
        self.records.push(Some(Record {
            kind,
            root,
            name: String::new(),
            class: None,
            parent: None,
            frame: None,
            children: Vec::new(),
            about: Vec::new(),
            values: values(kind.fields()),
        }));
        id
    }

    /// Makes a class with the settings of the class above it.
    pub(super) fn push_class(&mut self, root: usize, name: &str, above: Option<Id>) -> Id {
        let id = self.push(Kind::Default, root);
        let parts: Vec<Id> = Kind::WITH_DEFAULTS
            .iter()
            .map(|&kind| {
                let part = self.push(kind, root);
                let inherited = above.and_then(|above| self.part(above, kind)).cloned();
                if let Some(part) = self.record_mut(part) {
                    part.class = Some(id);
                    part.parent = Some(id);
                    if let Some(inherited) = inherited {
                        part.values = inherited.values;
                    }
                }
                part
            })
            .collect();
        if let Some(class) = self.record_mut(id) {
            class.name = name.to_string();
            class.parent = above;
            class.children = parts;
        }
        id
    }

    /// The settings of a class for a kind of element.
    pub(super) fn part(&self, class: Id, kind: Kind) -> Option<&Record> {
        let class = self.record(class).ok()?;
        let parts = class.children.iter().filter_map(|&id| self.record(id).ok());
        parts.into_iter().find(|part| part.kind == kind)
    }

    /// An element.
    pub fn record(&self, id: Id) -> Result<&Record, EditError> {
        let record = self.records.get(id.0).and_then(Option::as_ref);
        record.ok_or(EditError::Gone)
    }

    pub(super) fn record_mut(&mut self, id: Id) -> Option<&mut Record> {
        self.records.get_mut(id.0).and_then(Option::as_mut)
    }

    pub(super) fn root(&self, root: usize) -> Option<&Root> {
        self.roots.get(root)
    }

    /// The world body.
    pub fn world(&self) -> Id {
        self.world_of(0)
    }

    /// The world body of one of the models, counted in the order in which they were attached.
    pub fn world_of(&self, model: usize) -> Id {
        self.root(model).map_or(Id(usize::MAX), |root| root.world)
    }

    /// The settings of a kind, such as [`Kind::Option`], of one of the models.
    pub fn setting(&self, model: usize, kind: Kind) -> Option<Id> {
        let position = Kind::SETTINGS.iter().position(|&known| known == kind)?;
        self.root(model)?.settings.get(position).copied()
    }

    pub(super) fn setting_record(&self, model: usize, kind: Kind) -> Option<&Record> {
        self.record(self.setting(model, kind)?).ok()
    }

    /// Which of the models an element is written in.
    pub fn model_of(&self, id: Id) -> Result<usize, EditError> {
        Ok(self.record(id)?.root)
    }

    /// Adds an element of the tree to a body or a frame, with the values of a class (`None`: `main`). In a model that was attached, too,
    /// the settings of the whole apply to it: angle unit, folders, `main`.
    pub fn add(&mut self, kind: Kind, place: Id, class: Option<Id>) -> Result<Id, EditError> {
        let around = self.record(place)?;
        let (body, frame) = match around.kind {
            Kind::Body => (place, None),
            Kind::Frame => (around.parent.ok_or(EditError::Gone)?, Some(place)),
            Kind::Tendon if kind == Kind::Wrap => (place, None),
            other => {
                return Err(not_possible(format!(
                    "a {} holds no {}",
                    other.word(),
                    kind.word()
                )));
            }
        };
        if !kind.is_in_tree() && kind != Kind::Wrap {
            return Err(not_possible(format!(
                "a {} stands outside the tree",
                kind.word()
            )));
        }
        let root = self.outermost(around.root);
        if matches!(kind, Kind::Body | Kind::Frame) && self.depth(place) >= DEEPEST {
            return Err(not_possible(format!(
                "more than {DEEPEST} bodies and frames in each other"
            )));
        }
        let id = self.push_with_class(kind, root, class)?;
        if let Some(record) = self.record_mut(id) {
            record.parent = Some(body);
            record.frame = frame;
        }
        if let Some(body) = self.record_mut(body) {
            body.children.push(id);
        }
        Ok(id)
    }

    /// Adds an element outside the tree to one of the models.
    pub fn add_listed(
        &mut self,
        kind: Kind,
        model: usize,
        class: Option<Id>,
    ) -> Result<Id, EditError> {
        if !kind.is_listed() {
            return Err(not_possible(format!(
                "a {} stands in something",
                kind.word()
            )));
        }
        if self.root(model).is_none() {
            return Err(EditError::Gone);
        }
        let id = self.push_with_class(kind, model, class)?;
        if let Some(root) = self.roots.get_mut(model) {
            root.listed.push(id);
        }
        Ok(id)
    }

    /// Adds a default class below another (`None`: `main`).
    pub fn add_class(
        &mut self,
        name: &str,
        model: usize,
        above: Option<Id>,
    ) -> Result<Id, EditError> {
        if self.find_class(model, name).is_some() {
            return Err(EditError::RepeatedName {
                kind: Kind::Default.word(),
                name: name.to_string(),
            });
        }
        let main = self.main_class(model).ok_or(EditError::Gone)?;
        let above = above.unwrap_or(main);
        self.record(above)?;
        if self.depth(above) >= DEEPEST {
            return Err(not_possible(format!(
                "more than {DEEPEST} classes in each other"
            )));
        }
        let id = self.push_class(model, name, Some(above));
        if let Some(root) = self.roots.get_mut(model) {
            root.classes.push(id);
        }
        Ok(id)
    }

    /// The class `main` of one of the models.
    pub fn main_class(&self, model: usize) -> Option<Id> {
        self.root(model)?.classes.first().copied()
    }

    /// Lets a plugin be used.
    pub fn activate_plugin(&mut self, model: usize, name: &str) {
        if let Some(root) = self.roots.get_mut(model)
            && !root.plugins.iter().any(|known| known == name)
        {
            root.plugins.push(name.to_string());
        }
    }

    fn push_with_class(
        &mut self,
        kind: Kind,
        root: usize,
        class: Option<Id>,
    ) -> Result<Id, EditError> {
        let class = match class {
            Some(class) if self.record(class)?.kind != Kind::Default => {
                return Err(not_possible("this is no default class".to_string()));
            }
            Some(class) => Some(class),
            None => self.main_class(root),
        };
        let inherited = class.and_then(|class| self.part(class, kind)).cloned();
        let id = self.push(kind, root);
        if let Some(record) = self.record_mut(id) {
            record.class = class;
            if let Some(inherited) = inherited {
                record.values = inherited.values;
            }
        }
        Ok(id)
    }

    /// How many bodies and frames an element stands in.
    pub(super) fn depth(&self, id: Id) -> usize {
        let mut depth = 0usize;
        let mut at = Some(id);
        while let Some(record) = at.and_then(|id| self.record(id).ok()) {
            depth += 1;
            if depth > DEEPEST {
                break;
            }
            at = record.frame.or(record.parent);
        }
        depth
    }

    /// The value of a field; a field of a group is named `group.field`.
    pub fn get(&self, id: Id, field: &str) -> Result<&Value, EditError> {
        let record = self.record(id)?;
        record.value(field).ok_or_else(|| EditError::NoField {
            kind: record.kind.word(),
            field: field.to_string(),
        })
    }

    /// Changes a field. Lists of fixed length keep their memory.
    pub fn set(&mut self, id: Id, field: &str, value: impl Into<Value>) -> Result<(), EditError> {
        let kind = self.record(id)?.kind;
        let found = self
            .record_mut(id)
            .and_then(|record| record.value_mut(field));
        let (row, old) = found.ok_or_else(|| EditError::NoField {
            kind: kind.word(),
            field: field.to_string(),
        })?;
        old.replace(row, value.into())
    }

    /// Names an element. No two elements of a kind may have the same name.
    pub fn set_name(&mut self, id: Id, name: &str) -> Result<(), EditError> {
        let record = self.record(id)?;
        let (kind, root) = (record.kind, record.root);
        if !name.is_empty() && record.name != name {
            let taken = match kind {
                Kind::Default => self.find_class(root, name),
                _ => self.find_named(self.outermost(root), kind, name),
            };
            if taken.is_some() {
                return Err(EditError::RepeatedName {
                    kind: kind.word(),
                    name: name.to_string(),
                });
            }
        }
        if let Some(record) = self.record_mut(id) {
            record.name = name.to_string();
        }
        Ok(())
    }

    /// Changes the class that an element belongs to; its values stay.
    pub fn set_class(&mut self, id: Id, class: Id) -> Result<(), EditError> {
        if self.record(class)?.kind != Kind::Default {
            return Err(not_possible("this is no default class".to_string()));
        }
        self.record(id)?;
        if let Some(record) = self.record_mut(id) {
            record.class = Some(class);
        }
        Ok(())
    }

    /// Puts an element into a frame of its body.
    pub fn set_frame(&mut self, id: Id, frame: Id) -> Result<(), EditError> {
        let inside = self.record(frame)?;
        if inside.kind != Kind::Frame {
            return Err(not_possible("this is no frame".to_string()));
        }
        let record = self.record(id)?;
        if record.parent != inside.parent {
            return Err(not_possible(
                "Error: frame and element are not in the same body".to_string(),
            ));
        }
        let mut at = Some(frame);
        while let Some(outer) = at {
            if outer == id {
                return Err(not_possible("a frame cannot stand in itself".to_string()));
            }
            at = self.record(outer)?.frame;
        }
        if let Some(record) = self.record_mut(id) {
            record.frame = Some(frame);
        }
        Ok(())
    }

    /// The model that one of the models was attached to in the end.
    pub(super) fn outermost(&self, mut root: usize) -> usize {
        while let Some(parent) = self.root(root).and_then(|root| root.parent) {
            root = parent;
        }
        root
    }
}

pub(super) fn not_possible(why: String) -> EditError {
    EditError::NotPossible(why)
}
