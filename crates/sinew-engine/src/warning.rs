//! Counters of things that went wrong while stepping.

use sinew_model::kinds::Warning;

/// One kind of warning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarningCount {
    /// What the last one was about: an index into the array concerned.
    pub lastinfo: i32,
    /// How often it happened.
    pub number: i32,
}

/// All counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings([WarningCount; Warning::TABLE.members.len()]);

impl Warnings {
    /// Counts one.
    pub fn count(&mut self, warning: Warning, info: usize) {
        let entry = &mut self.0[warning as usize];
        entry.lastinfo = i32::try_from(info).unwrap_or(i32::MAX);
        entry.number = entry.number.saturating_add(1);
    }

    /// The counter of one kind.
    pub fn get(&self, warning: Warning) -> WarningCount {
        self.0[warning as usize]
    }

    /// All counters in the order of their codes.
    pub fn all(&self) -> &[WarningCount] {
        &self.0
    }

    /// Back to zero.
    pub fn clear(&mut self) {
        *self = Warnings::default();
    }
}
