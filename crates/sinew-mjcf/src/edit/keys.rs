//! Keyframes follow the elements that they are about.
//!
//! A keyframe has numbers of joints, of bodies that motion capture moves and of actuators, one after the other. When elements come or
//! go, the numbers of the others stay theirs. NaN stands for positions that follow the model.

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
    fields: Vec<(&'static str, BTreeMap<Id, Vec<f64>>)>,
}

impl Draft {
    /// Takes the numbers of elements that go out of all keyframes.
    pub(super) fn shorten_keys(&mut self, model: usize, gone: &BTreeSet<Id>) {
        let layouts = FIELDS.map(|field| (field, self.key_layout(model, field)));
        for key in self.key_parts(model) {
            for (field, numbers) in key.fields {
                let layout = layouts.iter().filter(|(other, _)| *other == field);
                let kept = layout
                    .flat_map(|(_, parts)| parts)
                    .filter(|(id, _)| !gone.contains(id))
                    .filter_map(|(id, _)| numbers.get(id));
                let kept: Vec<f64> = kept.flatten().copied().collect();
                if let Some(record) = self.record_mut(key.key) {
                    record.put(field, kept);
                }
            }
        }
    }

    /// The numbers of all keyframes of a model, by element. Lists that do not fit the model are left out.
    pub(super) fn key_parts(&self, model: usize) -> Vec<KeyParts> {
        let layouts = FIELDS.map(|field| (field, self.key_layout(model, field)));
        let parts_of = |key: Id| {
            let record = self.record(key).ok()?;
            let split = layouts.iter().filter_map(|(field, layout)| {
                let numbers = record.reals(field);
                let widths = layout.iter().map(|(_, width)| width);
                let fits = !numbers.is_empty() && widths.sum::<usize>() == numbers.len();
                fits.then(|| (*field, split(layout, &numbers)))
            });
            Some(KeyParts {
                key,
                fields: split.collect(),
            })
        };
        let keys = self.list(model, Kind::Key).into_iter();
        keys.filter_map(parts_of).collect()
    }

    /// Gives keyframes the numbers they had, each where its element stands in the model now.
    pub(super) fn follow(&mut self, model: usize, keys: Vec<KeyParts>) {
        let layouts = FIELDS.map(|field| (field, self.key_layout(model, field)));
        for key in keys {
            for (field, numbers) in key.fields {
                let missing = match FOLLOWING.contains(&field) {
                    true => f64::NAN,
                    false => 0.0,
                };
                let layout = layouts.iter().filter(|(other, _)| *other == field);
                let mut all = Vec::new();
                for (id, width) in layout.flat_map(|(_, parts)| parts) {
                    match numbers.get(id) {
                        Some(own) => all.extend_from_slice(own),
                        None => all.resize(all.len() + width, missing),
                    }
                }
                if let Some(record) = self.record_mut(key.key) {
                    record.put(field, all);
                }
            }
        }
    }

    /// Elements that a list of numbers is about, with how many each has.
    fn key_layout(&self, model: usize, field: &str) -> Vec<(Id, usize)> {
        let kind = match field {
            "qpos" | "qvel" => Kind::Joint,
            "act" | "ctrl" => Kind::Actuator,
            _ => Kind::Body,
        };
        let ids = self.list(model, kind).into_iter();
        let parts = ids.filter_map(|id| Some((id, self.record(id).ok()?)));
        let parts = parts.filter(|(_, record)| kind != Kind::Body || is_mocap(record));
        parts
            .map(|(id, record)| (id, width(field, record)))
            .collect()
    }
}

fn split(layout: &[(Id, usize)], numbers: &[f64]) -> BTreeMap<Id, Vec<f64>> {
    let mut rest = numbers.iter().copied();
    let parts = layout.iter();
    parts
        .map(|(id, width)| (*id, rest.by_ref().take(*width).collect()))
        .collect()
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
