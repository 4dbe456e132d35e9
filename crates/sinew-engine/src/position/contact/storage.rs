//! How much memory the list of contacts may take.
//!
//! Pairs of bodies that may touch, contacts and their constraint rows share the bytes that the model grants one simulation (`memory`
//! of the `size` element). The list grows with what a position needs as long as its contacts, and
//! the least that their rows take, fit; what does not is dropped from the end of the list, whose
//! order is fixed, and counted. What the rows take besides is known when they are made
//! (`constraint/storage.rs`). What is counted is what a simulation then takes, copies for islands and the
//! vectors of the solvers included, and before it is made. Where a process gets less than the model grants,
//! that is the limit: beyond the first mebibytes memory is asked for before it is needed.

use super::Contact;
use sinew_dynamics::row::contact::Friction;
use sinew_model::Model;

/// No simulation takes more, whatever the model says.
const MOST_BYTES: i64 = 1 << 32;
/// One contact, with its first row, the slope of its cone and its pyramid.
pub(in crate::position) const CONTACT_BYTES: usize = size_of::<Contact>() + 4 + 8 + 16;
/// What an elliptic contact takes besides: its cone and the shape of it, both once more for its island, the cone
/// along a line, the Hessian of the cone.
const CONE_BYTES: usize = 2 * (16 + 6 * 8) + 6 * 8 + 36 * 8;
/// One row without its entries.
pub(in crate::position) const ROW_BYTES: usize = OWN_ROW + ISLAND_ROW + SOLVER_ROW + HOLES;
/// Kind, id, addresses, whether it repeats columns; position, margin, friction, weight, parameters of hardness;
/// velocity, reference, force, state, residual.
const OWN_ROW: usize = (4 * 4 + 1) + 10 * 8 + (3 * 8 + 8 + 4 + 2 * 8);
/// Its island and places, and the row once more for it.
const ISLAND_ROW: usize = (3 * 4 + 8) + (2 * 4 + 1) + 7 * 8;
/// What solvers keep per row.
const SOLVER_ROW: usize = 5 * 8 + 4;
/// What lists leave behind per row when they grow and move, as measured: holes that the allocator does not fill.
const HOLES: usize = 5 * 8;
/// Memory that is not asked for before it is needed.
const UNASKED_BYTES: usize = 16 << 20;

/// What did not fit the list of contacts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Contacts of the current position that did not fit.
    pub dropped: usize,
    /// All contacts that did not fit so far.
    pub total_dropped: u64,
    /// Bytes of the pairs of bodies that were looked at.
    pub(in crate::position) pair_bytes: usize,
    /// Contacts of the list that were judged already, and the least bytes they take, pairs included.
    judged: usize,
    judged_bytes: usize,
    room: Room,
}

/// How many bytes are known to be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::position) struct Room {
    known: usize,
}

impl Default for Room {
    fn default() -> Self {
        Room {
            known: UNASKED_BYTES,
        }
    }
}

impl Room {
    /// Whether there is memory for what takes so many bytes; vectors that grow may hold twice as many.
    pub fn has(&mut self, bytes: usize) -> bool {
        if bytes <= self.known {
            return true;
        }
        let wanted = bytes.saturating_mul(2);
        let is_there = Vec::<u8>::new().try_reserve_exact(wanted).is_ok();
        if is_there {
            self.known = wanted;
        }
        is_there
    }
}

/// Whether pairs of bodies that take so many bytes would leave enough for the contacts they make: these and their rows
/// are asked for together with the pairs, and twice over ([`Room::has`]).
pub(super) fn leave_room(pair_bytes: usize) -> bool {
    const OF_THAT: usize = 5;
    let wanted = pair_bytes.saturating_mul(OF_THAT);
    pair_bytes <= UNASKED_BYTES || Vec::<u8>::new().try_reserve_exact(wanted).is_ok()
}

impl Storage {
    /// Starts over for a new position, whose pairs of bodies take so many bytes; some did not fit.
    pub(super) fn begin(&mut self, pair_bytes: usize, left_out: usize) {
        self.pair_bytes = pair_bytes;
        self.dropped = 0;
        self.judged = 0;
        self.judged_bytes = pair_bytes;
        self.leave_out(left_out);
    }

    /// Counts pairs that were not looked at, because the list was full, as contacts that did not fit.
    pub(super) fn leave_out(&mut self, pairs: usize) {
        self.dropped += pairs;
        self.total_dropped += pairs as u64;
    }

    /// Drops what is too much for the list of contacts: each takes its own bytes and those of its
    /// rows without entries.
    #[inline]
    pub(super) fn trim(&mut self, model: &Model, contacts: &mut Vec<Contact>) {
        if self.judged < contacts.len() {
            self.judge(model, contacts);
        }
    }

    fn judge(&mut self, model: &Model, contacts: &mut Vec<Contact>) {
        let limit = limit(model);
        while let Some(contact) = contacts.get(self.judged) {
            let mut bytes = CONTACT_BYTES;
            if contact.exclude == 0 {
                bytes += rows_bytes(model, contact);
            }
            let total = self.judged_bytes + bytes;
            if total > limit || !self.room.has(total) {
                let surplus = contacts.len() - self.judged;
                contacts.truncate(self.judged);
                self.dropped += surplus;
                self.total_dropped += surplus as u64;
                return;
            }
            self.judged_bytes += bytes;
            self.judged += 1;
        }
    }
}

/// More contacts than these do not fit, whatever rows they have.
pub(super) fn most_contacts(model: &Model) -> usize {
    limit(model) / CONTACT_BYTES
}

/// Whether a list may grow by what one pair of geoms gives: it is not too long yet, and a long one finds memory.
#[inline]
pub(super) fn may_grow(contacts: &mut Vec<Contact>, most: usize) -> bool {
    const LONG: usize = 4096;
    const OF_ONE_PAIR: usize = 64;
    let count = contacts.len();
    count <= most
        && (count < LONG
            || contacts.capacity() - count >= OF_ONE_PAIR
            || contacts
                .try_reserve_exact((count / 16).max(OF_ONE_PAIR))
                .is_ok())
}

/// Bytes granted to contacts and rows.
pub fn limit(model: &Model) -> usize {
    let bytes = if model.narena > 0 {
        model.narena.min(MOST_BYTES)
    } else {
        MOST_BYTES
    };
    bytes as usize
}

/// Whether contacts, rows and entries of J fit the bytes granted, and the memory that there is.
pub fn fits(model: &Model, contacts: usize, rows: usize, entries: usize) -> bool {
    /// Number and column of an entry.
    const ENTRY_BYTES: usize = 8 + 4;
    let parts = [
        (contacts, CONTACT_BYTES),
        (rows, ROW_BYTES),
        (entries, ENTRY_BYTES),
    ];
    let sizes = parts.map(|(count, bytes)| count.saturating_mul(bytes));
    let total = sizes
        .iter()
        .fold(0, |sum: usize, size| sum.saturating_add(*size));
    total <= limit(model) && Room::default().has(total)
}

/// Bytes of a contact's rows without their entries.
pub(in crate::position) fn rows_bytes(model: &Model, contact: &Contact) -> usize {
    let friction = contact.friction_form(model);
    let cone = match friction {
        Friction::Elliptic(_) => CONE_BYTES,
        _ => 0,
    };
    friction.rows() * ROW_BYTES + cone
}

/// Constraint rows that a contact makes.
pub(in crate::position) fn row_count(model: &Model, contact: &Contact) -> usize {
    contact.friction_form(model).rows()
}
