//! Actuators: every shortcut writes to the one record behind them.

use super::{Reader, plugin, words};
use crate::compile::actuator::record::{self, Record as Merged};
use crate::edit::record::{Id, Record};
use crate::edit::table::Kind;
use crate::report::Report;
use crate::spec::actuator::{Actuator, ActuatorKind};
use crate::spec::tree::{Plugin, PluginTable};
use sinew_model::kinds::TransmissionType;

impl Reader<'_> {
    /// The actuator settings of the classes.
    pub(super) fn read_actuator_classes(&mut self) {
        let merged = record::classes(self.spec, &mut Report::default());
        let parts: Vec<Option<Id>> = self
            .ids
            .iter()
            .map(|&class| {
                let children = self.draft.record(class).ok()?.children.iter();
                let is_part = |id: &&Id| {
                    self.draft
                        .record(**id)
                        .is_ok_and(|part| part.kind == Kind::Actuator)
                };
                children
                    .copied()
                    .collect::<Vec<_>>()
                    .iter()
                    .find(is_part)
                    .copied()
            })
            .collect();
        for (part, merged) in parts.into_iter().zip(merged) {
            if let Some(part) = part.and_then(|part| self.draft.record_mut(part)) {
                take(part, &merged);
            }
        }
    }

    /// The actuators. What a shortcut refuses is said when the model is compiled.
    pub(super) fn actuators(&mut self) {
        let spec = self.spec;
        let classes = record::classes(spec, &mut Report::default());
        for actuator in &spec.actuators {
            if !self.goes_on(actuator.table.place) {
                return;
            }
            let class = self.class(&actuator.table.class, 0);
            let mut merged = classes.get(class).cloned().unwrap_or_default();
            merged.apply(actuator, "", &mut Report::default());
            let id = self.make(Kind::Actuator, &actuator.table, actuator.table.place, class);
            if let Some(record) = self.draft.record_mut(id) {
                take(record, &merged);
                transmission(record, actuator);
                if actuator.kind == ActuatorKind::Plugin {
                    let reference = Plugin {
                        table: PluginTable {
                            place: actuator.table.place,
                            plugin: actuator.table.plugin.clone(),
                            instance: actuator.table.instance.clone(),
                        },
                        config: Vec::new(),
                    };
                    plugin(record, std::slice::from_ref(&reference));
                    record.put("plugin.config", words(&actuator.config));
                }
            }
            self.list(id);
        }
    }
}

fn take(record: &mut Record, merged: &Merged) {
    macro_rules! copy {
        ($($field:ident: $value:expr,)*) => { $( record.put(stringify!($field), $value); )* };
    }
    copy! {
        group: merged.group,
        nsample: merged.nsample,
        interp: merged.interp as i64,
        delay: merged.delay,
        ctrllimited: merged.ctrllimited as i64,
        forcelimited: merged.forcelimited as i64,
        actlimited: merged.actlimited as i64,
        ctrlrange: merged.ctrlrange,
        forcerange: merged.forcerange,
        actrange: merged.actrange,
        lengthrange: merged.lengthrange,
        gear: merged.gear,
        cranklength: merged.cranklength,
        dyntype: merged.dyntype.code(),
        gaintype: merged.gaintype.code(),
        biastype: merged.biastype.code(),
        dynprm: merged.dynprm,
        gainprm: merged.gainprm,
        biasprm: merged.biasprm,
        actearly: merged.actearly,
        actdim: merged.actdim,
        inheritrange: merged.inheritrange,
    }
    if let Some(user) = &merged.user {
        record.put("userdata", user.value.clone());
    }
    if let Some(gain) = &merged.sinew_gain {
        record.put("sinew_gain", gain.value.as_str());
    }
}

fn transmission(record: &mut Record, actuator: &Actuator) {
    let table = &actuator.table;
    use TransmissionType as T;
    for (name, kind) in [
        (&table.joint, T::Joint),
        (&table.jointinparent, T::Jointinparent),
        (&table.tendon, T::Tendon),
        (&table.cranksite, T::Slidercrank),
        (&table.site, T::Site),
        (&table.body, T::Body),
    ] {
        if let Some(name) = name {
            record.put("trntype", kind.code());
            record.put("target", name.value.as_str());
        }
    }
}
