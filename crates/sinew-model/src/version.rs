//! Whether the arrays of a model may have changed.
//!
//! What is costly to derive from values, such as the neighbours of hull vertices with their
//! coordinates, a simulation derives once and keeps, together with the [`Version`] of the model it
//! comes from. It is derived again once that is not the model's version any more: when another model
//! is used, or somebody has had the arrays for writing.

use crate::model::Model;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often the arrays of one model were lent for writing. Each model has its own.
#[derive(Debug, Default)]
pub(crate) struct Writes(Arc<AtomicU64>);

impl Writes {
    /// Counts a loan.
    #[inline]
    pub fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A copy of a model changes without it, so it counts on its own.
impl Clone for Writes {
    fn clone(&self) -> Self {
        Writes::default()
    }
}

/// One model with the values that it has at one time.
#[derive(Clone, Debug)]
pub struct Version {
    /// Also tells the models apart: as long as it is held here, no other model has it.
    writes: Arc<AtomicU64>,
    number: u64,
}

impl Version {
    /// Whether this is the present version of a model.
    #[inline]
    pub fn is_of(&self, model: &Model) -> bool {
        let writes = &model.writes.0;
        Arc::ptr_eq(&self.writes, writes) && writes.load(Ordering::Relaxed) == self.number
    }
}

impl Model {
    /// The present version of the model.
    pub fn version(&self) -> Version {
        Version {
            writes: Arc::clone(&self.writes.0),
            number: self.writes.0.load(Ordering::Relaxed),
        }
    }

    /// Says that arrays were written past [`Model::change`] and [`Model::unchecked`], as bindings do
    /// that hand out their memory.
    pub fn note_written(&self) {
        self.writes.count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_ends_with_the_next_loan_of_its_own_model() {
        let mut model = Model::default();
        let version = model.version();
        let mut copy = model.clone();
        assert!(version.is_of(&model));
        assert!(!version.is_of(&copy), "equal, yet another model");

        copy.unchecked();
        assert!(version.is_of(&model));
        model.unchecked();
        assert!(!version.is_of(&model));
        assert!(model.version().is_of(&model));

        let version = model.version();
        model.note_written();
        assert!(!version.is_of(&model));
    }

    #[test]
    fn a_change_ends_a_version() {
        let mut model = Model::default();
        let version = model.version();
        assert!(model.change(|_| ()).is_ok());
        assert!(!version.is_of(&model));
    }
}
