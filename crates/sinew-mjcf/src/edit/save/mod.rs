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
use crate::write::write_saved;
use sinew_model::Model;

impl Draft {
    /// The text of the model, with the values of what it was compiled to.
    #[doc(alias = "mj_saveXMLString")]
    pub fn to_text(&self, compiled: &Model) -> Result<String, LoadError> {
        let settled = settle::settle(self, compiled);
        let mut spec = settled.as_spec(true)?;
        spec.documents.truncate(1);
        Ok(write_saved(&spec))
    }
}
