//! One element of a model under construction.

use super::field::{Field, FieldKind};
use super::table::Kind;
use super::value::Value;

/// Names an element of a [`Draft`](super::Draft); never used for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub(super) usize);

impl Id {
    /// As a number, for bindings.
    pub fn index(self) -> usize {
        self.0
    }

    /// From [`Id::index`]; a number that names no element is refused when it is used.
    pub fn from_index(index: usize) -> Self {
        Id(index)
    }
}

/// An element.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) kind: Kind,
    /// Whose settings apply: angle unit, folders.
    pub(super) root: usize,
    pub(super) name: String,
    pub(super) class: Option<Id>,
    pub(super) parent: Option<Id>,
    pub(super) frame: Option<Id>,
    pub(super) children: Vec<Id>,
    /// Of a keyframe that was put together: the elements that its numbers are about, those of a kind in their order.
    pub(super) about: Vec<Id>,
    pub(super) values: Vec<Value>,
}

impl Record {
    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its name; may be empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The default class it was made with; for a class, none.
    pub fn class(&self) -> Option<Id> {
        self.class
    }

    /// The body it stands in; for a point of a tendon the tendon, for a class the class above.
    pub fn parent(&self) -> Option<Id> {
        self.parent
    }

    /// The frame it stands in, of those in its body.
    pub fn frame(&self) -> Option<Id> {
        self.frame
    }

    /// What stands in it: elements of a body, points of a tendon, settings of a class.
    pub fn children(&self) -> &[Id] {
        &self.children
    }

    /// Roughly the bytes that it takes beside itself.
    pub(super) fn byte_size(&self) -> u64 {
        let ids = size_of_val(self.children.as_slice()) + size_of_val(self.about.as_slice());
        let own = self.name.len() as u64 + ids as u64;
        let values = self.values.iter().map(Value::byte_size);
        values.fold(own, u64::saturating_add)
    }

    /// The value of a field.
    pub fn value(&self, field: &str) -> Option<&Value> {
        let (fields, values, name) = match field.split_once('.') {
            None => (self.kind.fields(), &self.values, field),
            Some((group, name)) => {
                let position = self.kind.fields().iter().position(|f| f.name == group)?;
                let FieldKind::Group(fields) = self.kind.fields().get(position)?.kind else {
                    return None;
                };
                let Value::Group(values) = self.values.get(position)? else {
                    return None;
                };
                (fields, values, name)
            }
        };
        let position = fields.iter().position(|f| f.name == name)?;
        values.get(position)
    }

    /// The value of a field, to be changed, with the field.
    pub(super) fn value_mut(&mut self, field: &str) -> Option<(&'static Field, &mut Value)> {
        let (fields, values, name) = match field.split_once('.') {
            None => (self.kind.fields(), &mut self.values, field),
            Some((group, name)) => {
                let position = self.kind.fields().iter().position(|f| f.name == group)?;
                let FieldKind::Group(fields) = self.kind.fields().get(position)?.kind else {
                    return None;
                };
                let Value::Group(values) = self.values.get_mut(position)? else {
                    return None;
                };
                (fields, values, name)
            }
        };
        let position = fields.iter().position(|f| f.name == name)?;
        Some((fields.get(position)?, values.get_mut(position)?))
    }

    pub(super) fn text(&self, field: &str) -> &str {
        self.value(field).map_or("", Value::text)
    }

    pub(super) fn texts(&self, field: &str) -> &[String] {
        self.value(field).map_or(&[], Value::texts)
    }

    pub(super) fn integer(&self, field: &str) -> i64 {
        self.value(field).map_or(0, Value::integer)
    }

    pub(super) fn real(&self, field: &str) -> f64 {
        self.value(field).and_then(Value::number).unwrap_or(0.0)
    }

    pub(super) fn reals(&self, field: &str) -> Vec<f64> {
        self.value(field).map_or(Vec::new(), Value::reals)
    }

    /// Puts a value that is known to fit.
    pub(super) fn put(&mut self, field: &str, value: impl Into<Value>) {
        if let Some((field, old)) = self.value_mut(field) {
            let _ = old.replace(field, value.into());
        }
    }
}
