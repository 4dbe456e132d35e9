//! Keyframes follow the elements that they are about.

use super::draft::Draft;
use super::record::{Id, Record};
use super::table::Kind;
use super::value::Value;
use sinew_model::kinds::JointType;
use std::collections::BTreeSet;

impl Draft {
    /// Takes the numbers of elements that go out of all keyframes.
    pub(super) fn shorten_keys(&mut self, model: usize, gone: &BTreeSet<Id>) {
        let joints = self.list(model, Kind::Joint);
        let mocaps: Vec<Id> = self
            .list(model, Kind::Body)
            .into_iter()
            .filter(|&id| self.record(id).is_ok_and(is_mocap))
            .collect();
        let actuators = self.list(model, Kind::Actuator);
        let width = |id: &Id, free: usize, ball: usize| {
            let kind = self.record(*id).map_or(-1, |joint| joint.integer("type"));
            match kind {
                kind if kind == i64::from(JointType::Free.code()) => free,
                kind if kind == i64::from(JointType::Ball.code()) => ball,
                _ => 1,
            }
        };
        let parts = |ids: &[Id], width: &dyn Fn(&Id) -> usize| -> Vec<bool> {
            let kept = ids.iter().map(|id| (!gone.contains(id), width(id)));
            kept.flat_map(|(kept, width)| std::iter::repeat_n(kept, width))
                .collect()
        };
        let masks = [
            ("qpos", parts(&joints, &|id| width(id, 7, 4))),
            ("qvel", parts(&joints, &|id| width(id, 6, 3))),
            ("mpos", parts(&mocaps, &|_| 3)),
            ("mquat", parts(&mocaps, &|_| 4)),
            ("ctrl", parts(&actuators, &|_| 1)),
        ];
        let loses_actuators = actuators.iter().any(|id| gone.contains(id));
        for id in self.list(model, Kind::Key) {
            let Some(key) = self.record_mut(id) else {
                continue;
            };
            for (field, mask) in &masks {
                let numbers = key.reals(field);
                if numbers.len() == mask.len() {
                    let kept = numbers.into_iter().zip(mask).filter(|(_, kept)| **kept);
                    key.put(field, kept.map(|(number, _)| number).collect::<Vec<f64>>());
                }
            }
            // How many activations an actuator has is known to the compiler only.
            if loses_actuators {
                key.put("act", Vec::<f64>::new());
            }
        }
    }
}

fn is_mocap(record: &Record) -> bool {
    record
        .value("mocap")
        .is_some_and(|value| !matches!(value, Value::Integer(0)))
}
