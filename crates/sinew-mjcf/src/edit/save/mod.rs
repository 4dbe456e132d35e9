//! The text of a compiled model: macros expanded, actuators as general ones, radians and quaternions, classes kept.
//!
//! Loading it again gives the same model within its six digits. Differs from MuJoCo: settings of the compiler that
//! the reference forgets are kept, a class is named wherever it is not the one in force, and elements in
//! frames keep their order.

mod files;
mod merge;
mod settle;

use super::draft::Draft;
use crate::diagnostic::LoadError;
use crate::memory::{Memory, Shortage};
use crate::place::Place;
use crate::report::Report;
use crate::write::write_saved;
use sinew_model::Model;

impl Draft {
    /// The text of the model, with the values of what it was compiled to.
    #[doc(alias = "mj_saveXMLString")]
    pub fn to_text(&self, compiled: &Model) -> Result<String, LoadError> {
        // A copy of the draft, and the elements of that.
        const COPIES: u64 = 3;
        let memory = Memory::default();
        memory
            .take(self.byte_size().saturating_mul(COPIES))
            .map_err(|shortage| too_long(&shortage))?;
        let settled = settle::settle(self, compiled);
        let mut spec = settled.as_spec(true)?;
        spec.documents.truncate(1);
        write_saved(&spec, &memory).map_err(|shortage| too_long(&shortage))
    }
}

/// A text that does not fit the memory.
fn too_long(shortage: &Shortage) -> LoadError {
    let mut report = Report::default();
    shortage.report("the text of the model", Place::default(), &mut report);
    LoadError {
        diagnostics: report.diagnostics(&[]),
    }
}
