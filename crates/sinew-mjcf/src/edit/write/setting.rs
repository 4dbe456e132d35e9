//! Settings of the whole model.

use super::Writer;
use crate::edit::table::Kind;
use crate::place::{At, Place};
use crate::spec::element::Element;
use crate::spec::settings::{Compiler, Flags, LengthRange};
use crate::spec::value::AngleUnit;
use crate::spec::{Document, Spec};
use sinew_model::kinds::{DisableFlag, EnableFlag};

impl Writer<'_> {
    /// Fills settings and documents.
    pub(super) fn settings(&mut self, spec: &mut Spec) {
        spec.documents = (0..self.draft.roots.len())
            .map(|root| self.document(root))
            .collect();
        let draft = self.draft;
        macro_rules! setting {
            ($($target:expr, $kind:ident;)*) => { $(
                if let Some(record) = draft.setting_record(0, Kind::$kind) {
                    self.fill(&mut $target, record.kind.fields(), &record.values, None, Place::default());
                }
            )* };
        }
        setting! {
            spec.option, Option;
            spec.size, Model;
            spec.statistic, Statistic;
            spec.visual.global, Global;
            spec.visual.quality, Quality;
            spec.visual.headlight, Headlight;
            spec.visual.map, Map;
            spec.visual.scale, Scale;
            spec.visual.rgba, Rgba;
        }
        if let Some(record) = draft.setting_record(0, Kind::Model) {
            let memory = record.integer("memory");
            if memory >= 0 {
                let _ = spec
                    .size
                    .set("memory", &memory.to_string(), Place::default());
            }
        }
        if let Some(option) = draft.setting_record(0, Kind::Option) {
            let groups: Vec<i32> = (0..31)
                .filter(|group| option.integer("disableactuator") >> group & 1 == 1)
                .collect();
            if !groups.is_empty() {
                spec.option.actuatorgroupdisable = Some(At::new(groups, Place::default()));
            }
            let disabled = option.integer("disableflags");
            let enabled = option.integer("enableflags");
            flags(
                &mut spec.flags,
                DisableFlag::TABLE.members,
                "mjDSBL_",
                disabled,
                "disable",
            );
            flags(
                &mut spec.flags,
                EnableFlag::TABLE.members,
                "mjENBL_",
                enabled,
                "enable",
            );
        }
    }

    fn document(&mut self, root: usize) -> Document {
        let draft = self.draft;
        let mut compiler = Compiler::default();
        let mut length_range = LengthRange::default();
        let place = Place {
            document: u16::try_from(root).unwrap_or_default(),
            ..Place::default()
        };
        if let Some(record) = draft.setting_record(root, Kind::Compiler) {
            self.fill(
                &mut compiler,
                record.kind.fields(),
                &record.values,
                None,
                place,
            );
            let unit = match record.integer("degree") {
                0 => AngleUnit::Radian,
                _ => AngleUnit::Degree,
            };
            compiler.angle = Some(At::new(unit, place));
        }
        if let Some(record) = draft.setting_record(root, Kind::LengthRange) {
            self.fill(
                &mut length_range,
                record.kind.fields(),
                &record.values,
                None,
                place,
            );
        }
        let settings = draft.setting_record(root, Kind::Model);
        if settings.is_some_and(|record| record.integer("strippath") != 0) {
            compiler.strippath = Some(At::new(true, place));
        }
        let directory = settings.map_or("", |record| record.text("modelfiledir"));
        Document {
            name: settings
                .map_or("", |record| record.text("modelname"))
                .to_string(),
            main_file: 0,
            directory: directory.to_string(),
            compiler,
            length_range,
        }
    }
}

/// Sets the switches of bits.
fn flags(table: &mut Flags, members: &[(&str, i32)], prefix: &str, bits: i64, word: &str) {
    for (name, bit) in members {
        if bits & i64::from(*bit) != 0 {
            let attribute = name.trim_start_matches(prefix).to_ascii_lowercase();
            let _ = table.set(&attribute, word, Place::default());
        }
    }
}
