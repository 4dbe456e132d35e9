//! Which worlds a call is about.

use sinew_engine::CallError;

/// Which worlds a call is about.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// All of them.
    All,
    /// One.
    One(usize),
    /// Those whose entry is true; the mask has an entry per world.
    Where(&'a [bool]),
}

impl Which<'_> {
    /// Whether there are such worlds among so many.
    pub(crate) fn check(self, count: usize) -> Result<(), CallError> {
        match self {
            Which::One(index) if index >= count => {
                let what = "world";
                Err(CallError::Index { what, index, count })
            }
            Which::Where(mask) if mask.len() != count => Err(CallError::Length {
                what: "mask",
                expected: count,
                found: mask.len(),
            }),
            _ => Ok(()),
        }
    }

    /// Whether a world is meant.
    pub(crate) fn has(self, world: usize) -> bool {
        match self {
            Which::All => true,
            Which::One(index) => world == index,
            Which::Where(mask) => mask[world],
        }
    }
}
