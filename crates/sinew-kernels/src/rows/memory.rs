//! What a warp remembers while it makes rows: quick memory, cut into lists.

use crate::scene::Head;
use crate::warp::{LANES, Shared};

/// Rows of an equality at most.
pub(super) const EQUALITY_ROWS: usize = 6;
/// Numbers of a contact that was found: distance, position, normal, tangent.
pub(super) const FOUND: usize = 10;
/// Numbers of one that has rows: first row, cone, thread of its pair, place.
pub(super) const ORDER: usize = 4;
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

/// Numbers for pairs that are near each other, and for positions of geoms, where the warp itself looks for them.
#[inline(always)]
fn near_lengths(head: &Head) -> [usize; 2] {
    match head.meetings {
        0 => [head.pairs, 3 * head.ngeom * usize::from(head.pairs > 0)],
        _ => [0, 0],
    }
}

/// Numbers that contacts need after them.
fn contact_length(head: &Head) -> usize {
    let [near, positions] = near_lengths(head);
    match head.pairs {
        0 => 0,
        _ => near + positions + FOUND * LANES * head.touches + ORDER * head.rows + PLACED * LANES,
    }
}

/// Numbers of all lists.
pub(crate) fn length(head: &Head) -> usize {
    let own = equality_length(head).max(contact_length(head));
    (kept_length(head) + own).next_multiple_of(4)
}

/// Lists of a warp that looks for contacts.
pub(super) struct Lists<'a, T> {
    /// Damping by row.
    pub damping: Shared<'a, T>,
    /// Pairs of geoms that are near each other.
    pub near: Shared<'a, T>,
    /// Where geoms are.
    pub positions: Shared<'a, T>,
    /// Contacts that pairs have: the first contacts of all, first numbers first.
    pub found: Shared<'a, T>,
    /// Which of them have rows, in their order: the first rows of all, then cones, threads and places.
    pub order: Shared<'a, T>,
    /// 32 contacts whose rows are being made, in the same way.
    pub placed: Shared<'a, T>,
}

impl<'a, T> Lists<'a, T> {
    /// Cuts what comes after the velocities.
    #[inline(always)]
    pub fn cut(head: &Head, memory: Shared<'a, T>) -> Self {
        let (damping, memory) = memory.split_at(head.rows);
        // Without pairs there is no memory for the rest.
        let is_there = usize::from(head.pairs > 0);
        let [near, positions] = near_lengths(head);
        let (near, memory) = memory.split_at(near);
        let (positions, memory) = memory.split_at(positions);
        let (found, memory) = memory.split_at(FOUND * LANES * head.touches);
        let (order, memory) = memory.split_at(ORDER * head.rows * is_there);
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
