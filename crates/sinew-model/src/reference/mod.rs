//! Whether everything in a model that points somewhere points at something.
//!
//! The compiler makes no other models; this is for those that come from elsewhere, such as a file of
//! arrays: ids, addresses with their counts, codes, and the sizes that follow from them, to the last
//! index. What follows from the shape of the tree alone is not looked at here: it can be derived again.

mod asset;
mod flex;
mod law;
mod sensor;
mod tree;

use crate::change::{ChangeError, Fault};
use crate::kinds::ObjectType;
use crate::model::ModelArrays;

type Verdict = Result<(), ChangeError>;

fn wrong(column: &'static str, row: usize) -> ChangeError {
    ChangeError {
        column,
        row,
        fault: Fault::Unknown,
    }
}

/// Every id is below a count; −1 is allowed where it stands for none.
fn ids(column: &'static str, ids: &[i32], count: usize, least: i32) -> Verdict {
    let is_wrong = |id: &i32| *id < least || (*id >= 0 && *id as usize >= count);
    match ids.iter().position(is_wrong) {
        Some(row) => Err(wrong(column, row)),
        None => Ok(()),
    }
}

/// Every address with its count lies within an array; what is empty may have any address.
fn spans(column: &'static str, addresses: &[i32], counts: &[i32], length: usize) -> Verdict {
    for (row, (&address, &count)) in addresses.iter().zip(counts).enumerate() {
        let (address, count) = (i64::from(address), i64::from(count));
        if count < 0 || (count > 0 && (address < 0 || address + count > length as i64)) {
            return Err(wrong(column, row));
        }
    }
    Ok(())
}

impl ModelArrays {
    /// Checks lengths, ids, addresses, codes and sums. An error names the first array and row.
    pub fn check_references(&self) -> Verdict {
        if let Some(column) = self.misshapen_column() {
            let fault = Fault::Length;
            return Err(ChangeError {
                column,
                row: 0,
                fault,
            });
        }
        self.check_tree()?;
        self.check_bodies()?;
        self.check_meshes()?;
        self.check_flexes()?;
        self.check_pictures()?;
        self.check_constraints()?;
        self.check_actuators()?;
        self.check_sensors()?;
        self.check_fields()?;
        self.check_names()
    }

    /// How many objects of a kind there are that others may refer to.
    fn count_of(&self, kind: ObjectType) -> usize {
        match kind {
            ObjectType::Dof => self.nv,
            kind => self.name_addresses(kind).len(),
        }
    }

    /// Custom fields and plugins.
    fn check_fields(&self) -> Verdict {
        spans(
            "numeric_adr",
            &self.numeric_adr,
            &self.numeric_size,
            self.nnumericdata,
        )?;
        spans("text_adr", &self.text_adr, &self.text_size, self.ntextdata)?;
        spans(
            "tuple_adr",
            &self.tuple_adr,
            &self.tuple_size,
            self.ntupledata,
        )?;
        for (row, &kind) in self.tuple_objtype.iter().enumerate() {
            let count = ObjectType::from_code(kind).map_or(0, |kind| self.count_of(kind));
            ids("tuple_objid", &self.tuple_objid[row..=row], count, 0)
                .map_err(|_| wrong("tuple_objid", row))?;
        }
        spans(
            "plugin_stateadr",
            &self.plugin_stateadr,
            &self.plugin_statenum,
            self.npluginstate,
        )?;
        ids("plugin_attradr", &self.plugin_attradr, self.npluginattr, -1)
    }

    /// Names end within their array, and slots of the map name objects.
    fn check_names(&self) -> Verdict {
        if self.names.last().is_some_and(|last| *last != 0) {
            return Err(wrong("names", self.nnames - 1));
        }
        if self.paths.last().is_some_and(|last| *last != 0) {
            return Err(wrong("paths", self.npaths - 1));
        }
        for code in 0..=25 {
            if let Some(kind) = ObjectType::from_code(code) {
                ids("names", self.name_addresses(kind), self.nnames, 0)?;
            }
        }
        let most = usize::try_from(i32::MAX).unwrap_or(usize::MAX);
        ids("names_map", &self.names_map, most, -1)?;
        for (column, addresses) in [
            ("hfield_pathadr", &self.hfield_pathadr),
            ("mesh_pathadr", &self.mesh_pathadr),
            ("skin_pathadr", &self.skin_pathadr),
            ("tex_pathadr", &self.tex_pathadr),
        ] {
            ids(column, addresses, self.npaths, -1)?;
        }
        Ok(())
    }
}
