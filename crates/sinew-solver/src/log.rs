//! What iterations did, written down where there is room.

use crate::problem::Statistic;

/// The iterations of one island.
pub(crate) struct Log<'a> {
    count: Option<&'a mut i32>,
    records: &'a mut [Statistic],
}

impl<'a> Log<'a> {
    /// Continues the count of an island. Each of the islands that are counted has as many records;
    /// iterations beyond are counted only.
    pub fn of_island(
        island: usize,
        iterations: &'a mut [i32],
        statistics: &'a mut [Statistic],
    ) -> Self {
        let room = statistics.len() / iterations.len().max(1);
        match iterations.get_mut(island) {
            Some(count) => Log {
                count: Some(count),
                records: &mut statistics[island * room..(island + 1) * room],
            },
            None => Log {
                count: None,
                records: &mut [],
            },
        }
    }

    /// One more iteration.
    pub fn add(&mut self, statistic: Statistic) {
        let Some(count) = &mut self.count else {
            return;
        };
        if let Some(record) = self.records.get_mut(**count as usize) {
            *record = statistic;
        }
        **count += 1;
    }
}
