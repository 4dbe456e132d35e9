//! What moves the two sides of a contact.

use super::Contact;
use sinew_model::Model;

/// Why a contact has no constraint rows: nothing can move its sides.
pub(super) const NOTHING_MOVES: i32 = 3;

impl Contact {
    /// Whether a side of the contact is a flex.
    #[inline]
    pub fn is_with_flex(&self) -> bool {
        (0..2).any(|side| self.geom[side] < 0 && self.flex[side] >= 0)
    }

    /// Bodies that move a side of the contact, the first or the second, with their shares in the
    /// motion of its point, which add up to 1. A geom moves with its body alone; what moves a flex is not
    /// listed here.
    #[inline]
    pub fn bodies(&self, model: &Model, side: usize) -> impl Iterator<Item = (usize, f64)> {
        let body = model.geom_bodyid.get(self.geom[side] as usize);
        body.map(|&body| (body as usize, 1.0)).into_iter()
    }

    /// The bodies of the two sides, if each side moves with one body.
    #[inline]
    pub fn body_pair(&self, model: &Model) -> Option<[usize; 2]> {
        let only = |side: usize| {
            let mut bodies = self.bodies(model, side);
            let (body, _) = bodies.next()?;
            bodies.next().is_none().then_some(body)
        };
        Some([only(0)?, only(1)?])
    }

    /// Whether any degree of freedom moves a side of the contact.
    #[inline]
    pub(in crate::position) fn can_move(&self, model: &Model) -> bool {
        let mut bodies = (0..2).flat_map(|side| self.bodies(model, side));
        bodies.any(|(body, _)| model.body_weldid[body] != 0)
    }

    /// Excludes the contact if nothing can move it. In a model where nothing moves at all no contact
    /// is, as in the reference.
    pub(crate) fn exclude_if_fixed(&mut self, model: &Model) {
        if self.exclude == 0 && model.nv > 0 && !self.can_move(model) {
            self.exclude = NOTHING_MOVES;
        }
    }

    /// Whether a body moves a side of the contact.
    #[inline]
    pub fn is_moved_by(&self, model: &Model, side: usize, body: usize) -> bool {
        self.bodies(model, side).any(|(own, _)| own == body)
    }
}
