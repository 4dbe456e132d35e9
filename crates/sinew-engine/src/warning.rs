//! Counters of things that went wrong while stepping.
//!
//! Counters are the reference's: a reset clears them. Totals and the number of automatic resets run
//! over the whole life of a simulation; only [`Warnings::clear_totals`] clears them.

use sinew_model::kinds::Warning;

const KINDS: usize = Warning::TABLE.members.len();

/// One kind of warning since the last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarningCount {
    /// What the last one was about: an index into the array concerned.
    pub lastinfo: i32,
    /// How often it happened.
    pub number: i32,
}

/// One kind of warning over the life of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WarningTotal {
    /// What the last one was about: an index into the array concerned.
    pub lastinfo: i32,
    /// How often it happened.
    pub number: u64,
    /// Simulated time of the last one.
    pub time: f64,
}

/// All counters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warnings {
    counts: [WarningCount; KINDS],
    totals: [WarningTotal; KINDS],
    resets: u64,
}

impl Warnings {
    /// Counts one, at a simulated time.
    pub fn count(&mut self, warning: Warning, info: usize, time: f64) {
        self.count_again(warning, info);
        let total = &mut self.totals[warning as usize];
        total.lastinfo = i32::try_from(info).unwrap_or(i32::MAX);
        total.number = total.number.saturating_add(1);
        total.time = time;
    }

    /// Counts one that is in the totals already.
    pub(crate) fn count_again(&mut self, warning: Warning, info: usize) {
        let entry = &mut self.counts[warning as usize];
        entry.lastinfo = i32::try_from(info).unwrap_or(i32::MAX);
        entry.number = entry.number.saturating_add(1);
    }

    /// Counts an automatic reset.
    pub(crate) fn count_reset(&mut self) {
        self.resets = self.resets.saturating_add(1);
    }

    /// The counter of one kind.
    pub fn get(&self, warning: Warning) -> WarningCount {
        self.counts[warning as usize]
    }

    /// All counters in the order of their codes.
    pub fn all(&self) -> &[WarningCount] {
        &self.counts
    }

    /// All counters in the order of their codes, for writing; totals stay.
    pub fn all_mut(&mut self) -> &mut [WarningCount] {
        &mut self.counts
    }

    /// The total of one kind.
    pub fn total(&self, warning: Warning) -> WarningTotal {
        self.totals[warning as usize]
    }

    /// All totals in the order of their codes.
    pub fn totals(&self) -> &[WarningTotal] {
        &self.totals
    }

    /// Automatic resets over the life of the simulation.
    pub fn resets(&self) -> u64 {
        self.resets
    }

    /// Counters back to zero; totals stay.
    pub fn clear(&mut self) {
        self.counts = Default::default();
    }

    /// Totals and the number of resets back to zero.
    pub fn clear_totals(&mut self) {
        self.totals = Default::default();
        self.resets = 0;
    }
}
