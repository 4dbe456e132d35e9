//! Keyframes follow the elements that they are about.
//!
//! A keyframe has numbers of joints, of bodies that motion capture moves and of actuators, one after the other. When elements come or
//! go, the numbers of the others stay theirs: a keyframe of models that were attached remembers whose they are. NaN stands for positions
//! that follow the model.

use super::draft::Draft;
use super::record::{Id, Record};
use super::table::Kind;
use super::value::Value;
use sinew_model::kinds::JointType;
use std::collections::{BTreeMap, BTreeSet};

/// The lists of numbers of a keyframe.
const FIELDS: [&str; 6] = ["qpos", "qvel", "act", "ctrl", "mpos", "mquat"];
/// Those whose missing numbers follow the model. The others are zero.
const FOLLOWING: [&str; 3] = ["qpos", "mpos", "mquat"];

/// The numbers of one keyframe, by element.
pub(super) struct KeyParts {
    key: Id,
    fields: Vec<(&'static str, Parts)>,
}

/// One of its lists.
struct Parts {
    parts: BTreeMap<Id, Vec<f64>>,
    /// How many numbers it had.
    given: usize,
}

impl Draft {
    /// Takes the numbers of elements that go out of all keyframes.
    pub(super) fn shorten_keys(&mut self, model: usize, gone: &BTreeSet<Id>) {
        for mut key in self.key_parts(model) {
            for (field, numbers) in &mut key.fields {
                let layout = self.key_layout(model, key.key, field, numbers.given);
                let kept = layout.iter().filter(|(id, _)| !gone.contains(id));
                let kept = kept.filter_map(|(id, _)| numbers.parts.get(id));
                let kept: Vec<f64> = kept.flatten().copied().collect();
                if let Some(record) = self.record_mut(key.key) {
                    record.put(field, kept);
                }
            }
            if let Some(record) = self.record_mut(key.key) {
                record.about.retain(|id| !gone.contains(id));
            }
        }
    }

    /// The numbers of all keyframes of a model, by element. Lists that are too long for the model are left out, and so are
    /// those of a keyframe without any.
    pub(super) fn key_parts(&self, model: usize) -> Vec<KeyParts> {
        let keys = self.list(model, Kind::Key).into_iter();
        keys.filter_map(|key| self.parts_of_key(model, key))
            .collect()
    }

    fn parts_of_key(&self, model: usize, key: Id) -> Option<KeyParts> {
        let record = self.record(key).ok()?;
        let fields = FIELDS.into_iter().filter_map(|field| {
            let numbers = record.reals(field);
            let layout = self.key_layout(model, key, field, numbers.len());
            let most: usize = layout.iter().map(|(_, width)| width).sum();
            let fits = !numbers.is_empty() && numbers.len() <= most;
            fits.then(|| {
                let given = numbers.len();
                let parts = split(&layout, &numbers, missing(field));
                (field, Parts { parts, given })
            })
        });
        let fields = fields.collect();
        Some(KeyParts { key, fields })
    }

    /// Gives keyframes the numbers they had, each where its element stands in the model now.
    pub(super) fn follow(&mut self, model: usize, keys: Vec<KeyParts>) {
        let about = self.key_elements(model);
        for key in keys {
            let arranged = self.arranged(model, &key);
            if let Some(record) = self.record_mut(key.key) {
                for (field, numbers) in arranged {
                    record.put(field, numbers);
                }
                record.about.clone_from(&about);
            }
        }
    }

    /// Lists of numbers of a keyframe, as long as the model is now.
    fn arranged(&self, model: usize, key: &KeyParts) -> Vec<(&'static str, Vec<f64>)> {
        let fields = key.fields.iter().map(|(field, numbers)| {
            let mut all = Vec::new();
            for (id, width) in self.present_layout(model, field) {
                match numbers.parts.get(&id).filter(|own| own.len() == width) {
                    Some(own) => all.extend_from_slice(own),
                    None => all.resize(all.len() + width, missing(field)),
                }
            }
            (*field, all)
        });
        fields.collect()
    }

    /// A keyframe with lists of numbers as long as the model is now, where they are not too long.
    pub(super) fn complete_key(&self, model: usize, key: Id) -> Option<Record> {
        let parts = self.parts_of_key(model, key)?;
        let mut record = self.record(key).ok()?.clone();
        for (field, numbers) in self.arranged(model, &parts) {
            record.put(field, numbers);
        }
        Some(record)
    }

    /// Elements that keyframes have numbers of.
    fn key_elements(&self, model: usize) -> Vec<Id> {
        let mut all = self.list(model, Kind::Joint);
        all.extend(self.list(model, Kind::Actuator));
        let bodies = self.list(model, Kind::Body).into_iter();
        all.extend(bodies.filter(|id| self.record(*id).is_ok_and(is_mocap)));
        all
    }

    /// Elements that a list of so many numbers of a keyframe is about, with how many each has: those it was put together of, or
    /// those of the model as it is.
    fn key_layout(&self, model: usize, key: Id, field: &str, given: usize) -> Vec<(Id, usize)> {
        let about = self.record(key).map(|record| record.about.as_slice());
        let known = self.layout_of(field, about.unwrap_or_default().iter().copied());
        if !known.is_empty() && known.iter().map(|(_, width)| width).sum::<usize>() == given {
            return known;
        }
        self.present_layout(model, field)
    }

    fn present_layout(&self, model: usize, field: &str) -> Vec<(Id, usize)> {
        self.layout_of(field, self.list(model, element(field)).into_iter())
    }

    /// Those of some elements that a list is about.
    fn layout_of(&self, field: &str, ids: impl Iterator<Item = Id>) -> Vec<(Id, usize)> {
        let kind = element(field);
        let parts = ids.filter_map(|id| Some((id, self.record(id).ok()?)));
        let parts = parts.filter(|(_, record)| record.kind == kind);
        let parts = parts.filter(|(_, record)| kind != Kind::Body || is_mocap(record));
        parts
            .map(|(id, record)| (id, width(field, record)))
            .collect()
    }
}

/// What the elements of a list are.
fn element(field: &str) -> Kind {
    match field {
        "qpos" | "qvel" => Kind::Joint,
        "act" | "ctrl" => Kind::Actuator,
        _ => Kind::Body,
    }
}

/// What stands for a number that a keyframe does not have.
fn missing(field: &str) -> f64 {
    match FOLLOWING.contains(&field) {
        true => f64::NAN,
        false => 0.0,
    }
}

/// Numbers by element. Elements behind the last number have none; the one in which the numbers end is completed.
fn split(layout: &[(Id, usize)], numbers: &[f64], missing: f64) -> BTreeMap<Id, Vec<f64>> {
    let mut rest = numbers.iter().copied();
    let mut parts = BTreeMap::new();
    for (id, width) in layout {
        let mut own: Vec<f64> = rest.by_ref().take(*width).collect();
        if own.is_empty() {
            continue;
        }
        own.resize(*width, missing);
        parts.insert(*id, own);
    }
    parts
}

/// How many numbers of a list an element has.
fn width(field: &str, record: &Record) -> usize {
    let kind = record.integer("type");
    let is = |joint: JointType| kind == i64::from(joint.code());
    match field {
        "qpos" if is(JointType::Free) => 7,
        "qpos" if is(JointType::Ball) => 4,
        "qvel" if is(JointType::Free) => 6,
        "qvel" if is(JointType::Ball) => 3,
        "mpos" => 3,
        "mquat" => 4,
        "act" => match record.integer("actdim") {
            dimension @ 0.. => dimension as usize,
            _ => usize::from(record.integer("dyntype") != 0),
        },
        _ => 1,
    }
}

fn is_mocap(record: &Record) -> bool {
    record
        .value("mocap")
        .is_some_and(|value| !matches!(value, Value::Integer(0)))
}
