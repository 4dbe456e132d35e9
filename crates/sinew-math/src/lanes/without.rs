//! Processors whose registers are not known here: all work is handed back.

use super::Work;

macro_rules! dispatch {
    ($($name:ident),*) => {
        $(
            /// Hands the work back.
            #[inline(always)]
            pub fn $name<W: Work>(work: W) -> Result<W::Output, W> {
                Err(work)
            }
        )*
    };
}

dispatch!(double4, double8, single8, single16);
