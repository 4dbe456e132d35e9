//! The one record behind every actuator element.
//!
//! All shortcuts write into the same fields. A default class is a record too: it starts as a copy
//! of its parent's and lets its own elements write into it, in document order. So a class that says
//! `<motor gear="5"/><position kp="7"/>` gives a `<velocity>` both the gear and the gain.

use crate::place::At;
use crate::report::Report;
use crate::spec::Spec;
use crate::spec::actuator::Actuator;
use crate::spec::value::{Interpolation, Tristate};
use sinew_model::kinds::{BiasType, DynamicsType, GainType};

/// Everything that can be inherited by an actuator.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub group: i32,
    pub nsample: i32,
    pub interp: Interpolation,
    pub delay: f64,
    pub ctrllimited: Tristate,
    pub forcelimited: Tristate,
    pub actlimited: Tristate,
    pub ctrlrange: [f64; 2],
    pub forcerange: [f64; 2],
    pub actrange: [f64; 2],
    pub lengthrange: [f64; 2],
    pub gear: [f64; 6],
    pub cranklength: f64,
    pub user: Option<At<Vec<f64>>>,
    pub dyntype: DynamicsType,
    pub gaintype: GainType,
    pub biastype: BiasType,
    pub dynprm: [f64; 10],
    pub gainprm: [f64; 10],
    pub biasprm: [f64; 10],
    pub actearly: bool,
    pub actdim: i32,
    pub inheritrange: f64,
    pub sinew_gain: Option<At<String>>,
}

impl Default for Record {
    fn default() -> Self {
        Record {
            group: 0,
            nsample: 0,
            interp: Interpolation::Zoh,
            delay: 0.0,
            ctrllimited: Tristate::Auto,
            forcelimited: Tristate::Auto,
            actlimited: Tristate::Auto,
            ctrlrange: [0.0; 2],
            forcerange: [0.0; 2],
            actrange: [0.0; 2],
            lengthrange: [0.0; 2],
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            cranklength: 0.0,
            user: None,
            dyntype: DynamicsType::None,
            gaintype: GainType::Fixed,
            biastype: BiasType::None,
            dynprm: first(1.0),
            gainprm: first(1.0),
            biasprm: [0.0; 10],
            actearly: false,
            actdim: -1,
            inheritrange: 0.0,
            sinew_gain: None,
        }
    }
}

fn first(value: f64) -> [f64; 10] {
    let mut out = [0.0; 10];
    out[0] = value;
    out
}

impl Record {
    /// Lets one element write what it says into the record.
    pub fn apply(&mut self, actuator: &Actuator, element: &str, report: &mut Report) {
        let table = &actuator.table;
        take(&mut self.group, &table.group);
        take(&mut self.nsample, &table.nsample);
        take(&mut self.interp, &table.interp);
        take(&mut self.delay, &table.delay);
        take(&mut self.ctrllimited, &table.ctrllimited);
        take(&mut self.forcelimited, &table.forcelimited);
        take(&mut self.actlimited, &table.actlimited);
        take(&mut self.ctrlrange, &table.ctrlrange);
        take(&mut self.forcerange, &table.forcerange);
        take(&mut self.actrange, &table.actrange);
        take(&mut self.lengthrange, &table.lengthrange);
        if let Some(gear) = &table.gear {
            self.gear = gear.value.over(self.gear);
        }
        take(&mut self.cranklength, &table.cranklength);
        super::shortcut::expand(self, actuator, element, report);
        if table.sinew_gain.is_some() {
            self.sinew_gain.clone_from(&table.sinew_gain);
        }
        if table.user.is_some() {
            self.user.clone_from(&table.user);
        }
    }
}

/// Overwrites a field with what was written, if anything was.
pub(super) fn take<T: Clone>(field: &mut T, written: &Option<At<T>>) {
    if let Some(written) = written {
        field.clone_from(&written.value);
    }
}

/// The records of all default classes, in class order.
pub fn classes(spec: &Spec, report: &mut Report) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::with_capacity(spec.defaults.len().max(1));
    for class in &spec.defaults {
        let parent = class.parent.and_then(|parent| records.get(parent));
        let mut record = parent.cloned().unwrap_or_default();
        for actuator in &class.actuators {
            let element = format!("actuator settings of class \"{}\"", class.name);
            record.apply(actuator, &element, report);
        }
        records.push(record);
    }
    if records.is_empty() {
        records.push(Record::default());
    }
    records
}
