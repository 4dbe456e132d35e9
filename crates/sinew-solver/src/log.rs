//! What iterations did, written down where there is room; and whether there may be more.

use crate::problem::Statistic;

/// Somebody who is asked between iterations whether to go on.
pub trait Patience {
    /// Whether to go on. Once it has refused, it goes on refusing.
    fn may_go_on(&mut self) -> bool;
}

impl<F: FnMut() -> bool> Patience for F {
    fn may_go_on(&mut self) -> bool {
        self()
    }
}

/// What a solve may use.
#[derive(Default)]
pub struct Bounds<'a> {
    /// Somebody who is asked between islands, iterations and sweeps, and inside long ones, whether to go on.
    pub patience: Option<&'a mut dyn Patience>,
    /// Bytes that the Hessian of Newton's method may take; none: as many as it needs. A problem whose Hessian
    /// takes more is solved by conjugate gradients: the same minimum in more iterations. These lay out J once more
    /// if it fits, too; if not, they multiply its rows one by one.
    pub hessian_bytes: Option<usize>,
}

/// Asks now and then, by the amount of work done, whether to go on.
pub struct Question<'a> {
    patience: Option<&'a mut dyn Patience>,
    work: usize,
}

impl<'a> Question<'a> {
    /// Products after which somebody is asked: some milliseconds.
    const WORK: usize = 1 << 23;

    /// To somebody who is there, or to nobody.
    pub fn to(patience: Option<&'a mut dyn Patience>) -> Self {
        Question { patience, work: 0 }
    }

    /// Notes work done. False: somebody does not want to go on.
    #[inline]
    pub fn may_go_on(&mut self, work: usize) -> bool {
        self.work += work;
        if self.work < Question::WORK {
            return true;
        }
        self.work = 0;
        let patience = self.patience.as_mut();
        patience.is_none_or(|patience| patience.may_go_on())
    }
}

/// The same patience for a while.
pub(crate) fn lend<'a>(
    patience: &'a mut Option<&mut dyn Patience>,
) -> Option<&'a mut dyn Patience> {
    match patience {
        Some(patience) => Some(&mut **patience),
        None => None,
    }
}

/// The iterations of one island.
pub(crate) struct Log<'a> {
    count: Option<&'a mut i32>,
    records: &'a mut [Statistic],
    patience: Option<&'a mut dyn Patience>,
}

impl<'a> Log<'a> {
    /// Continues the count of an island. Each of the islands that are counted has as many records;
    /// iterations beyond are counted only.
    pub fn of_island(
        island: usize,
        iterations: &'a mut [i32],
        statistics: &'a mut [Statistic],
        patience: Option<&'a mut dyn Patience>,
    ) -> Self {
        let room = statistics.len() / iterations.len().max(1);
        match iterations.get_mut(island) {
            Some(count) => Log {
                count: Some(count),
                records: &mut statistics[island * room..(island + 1) * room],
                patience,
            },
            None => Log {
                count: None,
                records: &mut [],
                patience,
            },
        }
    }

    /// One more iteration. Tells whether there may be another.
    pub fn add(&mut self, statistic: Statistic) -> bool {
        if let Some(count) = &mut self.count {
            if let Some(record) = self.records.get_mut(**count as usize) {
                *record = statistic;
            }
            **count += 1;
        }
        self.may_go_on()
    }

    /// To be asked while an iteration lasts.
    pub fn question(&mut self) -> Question<'_> {
        Question::to(lend(&mut self.patience))
    }

    /// Whether there may be another iteration.
    pub fn may_go_on(&mut self) -> bool {
        let patience = self.patience.as_mut();
        patience.is_none_or(|patience| patience.may_go_on())
    }
}
