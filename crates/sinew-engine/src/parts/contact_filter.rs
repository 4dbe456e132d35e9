//! User code that decides which geoms may touch.

use super::Nothing;
use crate::position::contact::bits_match;
use crate::state::State;
use sinew_model::Model;

/// Decides which geoms may touch.
pub trait ContactFilter {
    /// Whether two geoms may touch, in place of the comparison of their contact bits. Asked for geoms
    /// of bodies that pass all other filters; not for explicit pairs.
    #[doc(alias = "mjcb_contactfilter")]
    fn may_touch(&mut self, model: &Model, state: &State, geom1: usize, geom2: usize) -> bool;
}

impl ContactFilter for Nothing {
    #[inline]
    fn may_touch(&mut self, model: &Model, _: &State, geom1: usize, geom2: usize) -> bool {
        bits_match(model, geom1, geom2)
    }
}

impl<F: ContactFilter + ?Sized> ContactFilter for &mut F {
    #[inline]
    fn may_touch(&mut self, model: &Model, state: &State, geom1: usize, geom2: usize) -> bool {
        (**self).may_touch(model, state, geom1, geom2)
    }
}
