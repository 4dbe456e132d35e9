//! Sections that set options of the whole model: `compiler`, `option`, `size`, `visual`,
//! `statistic`. Each may occur several times; a later one overrides attribute by attribute.

use super::Reader;
use super::check::Path;
use crate::report::Report;
use crate::spec::element::Element;
use crate::spec::settings::*;

impl Reader<'_> {
    pub(super) fn compiler(&mut self, path: &Path<'_>) {
        let mut table: Compiler = self.table(path);
        // `assetdir` sets both folders; the more special attribute of the same element wins.
        if let Some(folder) = table.assetdir.clone() {
            table.meshdir.get_or_insert_with(|| folder.clone());
            table.texturedir.get_or_insert(folder);
        }
        verify_compiler(&table, path, self.report);
        self.document.compiler.overwrite(&table);
        for child in path.children() {
            if child.node.name == "lengthrange" {
                let table: LengthRange = self.table(&child);
                self.document.length_range.overwrite(&table);
            }
        }
    }

    pub(super) fn option(&mut self, path: &Path<'_>) {
        let mut table: OptionTable = self.table(path);
        // Groups disabled by any section stay disabled.
        if let (Some(now), Some(before)) = (
            &mut table.actuatorgroupdisable,
            &self.spec.option.actuatorgroupdisable,
        ) {
            now.value.extend(&before.value);
        }
        self.spec.option.overwrite(&table);
        for child in path.children() {
            if child.node.name == "flag" {
                let table: Flags = self.table(&child);
                self.spec.flags.overwrite(&table);
            }
        }
    }

    pub(super) fn size(&mut self, path: &Path<'_>) {
        let table: Size = self.table(path);
        self.spec.size.overwrite(&table);
    }

    pub(super) fn statistic(&mut self, path: &Path<'_>) {
        let table: StatisticTable = self.table(path);
        self.spec.statistic.overwrite(&table);
    }

    pub(super) fn visual(&mut self, path: &Path<'_>) {
        let report = &mut *self.report;
        let visual = &mut self.spec.visual;
        for child in path.children() {
            match child.node.name.as_str() {
                "global" => merge(&mut visual.global, &child, report),
                "quality" => merge(&mut visual.quality, &child, report),
                "headlight" => merge(&mut visual.headlight, &child, report),
                "map" => merge(&mut visual.map, &child, report),
                "scale" => merge(&mut visual.scale, &child, report),
                "rgba" => merge(&mut visual.rgba, &child, report),
                _ => {}
            }
        }
    }
}

/// Reads a table over what earlier sections said.
pub(super) fn merge<T: Element>(into: &mut T, path: &Path<'_>, report: &mut Report) {
    let table: T = super::fill::table(path, report);
    into.overwrite(&table);
}

fn verify_compiler(table: &Compiler, path: &Path<'_>, report: &mut Report) {
    if let Some(sequence) = &table.eulerseq
        && (sequence.value.chars().count() != 3
            || !sequence.value.chars().all(|c| "xyzXYZ".contains(c)))
    {
        report
            .error(
                "mjcf::eulerseq",
                sequence.place,
                "euler sequence must be three letters out of xyzXYZ",
            )
            .element(path.to_string())
            .attribute("eulerseq");
    }
    if let Some(coordinate) = &table.coordinate
        && coordinate.value == crate::spec::value::Coordinate::Global
    {
        report
            .error(
                "mjcf::global-coordinates",
                coordinate.place,
                "global coordinates are no longer supported",
            )
            .element(path.to_string())
            .attribute("coordinate")
            .hint("write all poses relative to the parent and use coordinate=\"local\"");
    }
}
