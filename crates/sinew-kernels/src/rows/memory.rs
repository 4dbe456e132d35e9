//! What a warp remembers while it makes rows: quick memory, cut into lists.

use crate::contact::{CONVEX, POLYTOPES, pairs_at_once, polytope_length};
use crate::scene::Head;
use crate::warp::{LANES, Shared};

/// Rows of an equality at most.
pub(super) const EQUALITY_ROWS: usize = 6;
/// Numbers of a contact that was found: distance, position, normal, tangent, first row, cone.
pub(super) const FOUND: usize = 12;
/// Numbers of a contact whose rows are being made: frame, offsets from both trees, first row, pair.
pub(super) const PLACED: usize = 17;

/// Numbers that come first: velocities, and damping by row.
pub(super) fn kept_length(head: &Head) -> usize {
    head.stride() + head.rows
}

/// Numbers that equalities need after them: columns, translation and rotation of each degree of freedom; kind, id, violation,
/// margin, diagonal and four parameters of each row.
fn equality_length(head: &Head) -> usize {
    match head.equalities {
        0 => 0,
        _ => 7 * head.nv + 9 * EQUALITY_ROWS,
    }
}

/// Numbers of positions of geoms, of which none is asked for where none may touch.
#[inline(always)]
fn positions_length(head: &Head) -> usize {
    3 * head.ngeom * usize::from(head.pairs > 0)
}

/// Numbers that contacts need after them.
fn contact_length(head: &Head) -> usize {
    let slots = pairs_at_once(head.skill) * head.touches;
    match head.pairs {
        0 => 0,
        pairs => pairs + positions_length(head) + (FOUND + 1) * slots + PLACED * LANES,
    }
}

/// Numbers of all lists.
pub(crate) fn length(head: &Head) -> usize {
    let own = equality_length(head).max(contact_length(head));
    (kept_length(head) + own).next_multiple_of(4)
}

/// Numbers of polytopes, where the pairs ask for them: so many that they are outside of a block.
#[inline(always)]
pub(crate) fn polytopes_length(head: &Head) -> usize {
    match head.skill {
        CONVEX => (POLYTOPES * polytope_length(head)).next_multiple_of(4),
        _ => 0,
    }
}

/// Lists of a warp that looks for contacts.
pub(super) struct Lists<'a, T> {
    /// Damping by row.
    pub damping: Shared<'a, T>,
    /// Pairs of geoms that are near each other.
    pub near: Shared<'a, T>,
    /// Where geoms are.
    pub positions: Shared<'a, T>,
    /// Contacts that pairs have: the first numbers of all, then the second ones.
    pub found: Shared<'a, T>,
    /// Which of them exist, in their order.
    pub order: Shared<'a, T>,
    /// 32 contacts whose rows are being made, in the same way.
    pub placed: Shared<'a, T>,
}

impl<'a, T> Lists<'a, T> {
    /// Cuts what comes after the velocities.
    #[inline(always)]
    pub fn cut<const SKILL: usize>(head: &Head, memory: Shared<'a, T>) -> Self {
        let slots = pairs_at_once(SKILL) * head.touches;
        let (damping, memory) = memory.split_at(head.rows);
        let (near, memory) = memory.split_at(head.pairs);
        let (positions, memory) = memory.split_at(positions_length(head));
        let (found, memory) = memory.split_at(FOUND * slots);
        let (order, memory) = memory.split_at(slots);
        Lists {
            damping,
            near,
            positions,
            found,
            order,
            placed: memory,
        }
    }
}
