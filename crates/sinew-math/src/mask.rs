//! The answer to a comparison: one truth, or one per lane.

use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, Not};

/// `bool` for a single number, as many truths as there are lanes for a pack.
pub trait Mask:
    Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> + 'static
{
    /// False in every lane.
    const NONE: Self;
    /// True in every lane.
    const ALL: Self;
    /// Whether it holds in some lane.
    fn any(self) -> bool;
    /// Whether it holds in every lane.
    fn all(self) -> bool;
    /// Number of lanes in which it holds.
    fn count(self) -> usize;
    /// Whether it holds in one lane.
    fn lane(self, lane: usize) -> bool;
    /// Says whether it holds in one lane.
    fn set_lane(&mut self, lane: usize, holds: bool);
}

impl Mask for bool {
    const NONE: Self = false;
    const ALL: Self = true;
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
    #[inline(always)]
    fn count(self) -> usize {
        usize::from(self)
    }
    #[inline(always)]
    fn lane(self, _: usize) -> bool {
        self
    }
    #[inline(always)]
    fn set_lane(&mut self, _: usize, holds: bool) {
        *self = holds;
    }
}
