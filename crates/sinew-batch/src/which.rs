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

    /// In how many chunks of a size worlds are meant, among so many worlds.
    pub(crate) fn count_chunks(self, size: usize, count: usize) -> usize {
        match self {
            Which::All => count.div_ceil(size),
            Which::One(_) => 1,
            Which::Where(mask) => {
                let chunks = mask.chunks(size);
                chunks.filter(|chunk| chunk.contains(&true)).count()
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_without_worlds_that_are_meant_do_not_count() {
        let mut mask = [false; 20];
        assert_eq!(Which::All.count_chunks(8, 20), 3);
        assert_eq!(Which::All.count_chunks(8, 0), 0);
        assert_eq!(Which::One(19).count_chunks(8, 20), 1);
        assert_eq!(Which::Where(&mask).count_chunks(8, 20), 0);
        mask[7] = true;
        assert_eq!(Which::Where(&mask).count_chunks(8, 20), 1);
        mask[8] = true;
        mask[15] = true;
        assert_eq!(Which::Where(&mask).count_chunks(8, 20), 2);
    }
}
