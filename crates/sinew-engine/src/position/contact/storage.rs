//! How much memory the list of contacts may take.
//!
//! Contacts and their constraint rows share the bytes that the model grants one simulation (`memory`
//! of the `size` element). The list grows with what a position needs as long as its contacts, and
//! the least that their rows take, fit; what does not is dropped from the end of the list, whose
//! order is fixed, and counted. What the rows take besides is known when they are made
//! (`constraint/storage.rs`).

use super::Contact;
use sinew_model::Model;

/// No simulation takes more, whatever the model says.
const MOST_BYTES: i64 = 1 << 32;
/// One contact, with its first row and the slope of its cone.
pub(in crate::position) const CONTACT_BYTES: usize = size_of::<Contact>() + 4 + 8;
/// One row without its entries: kind, addresses, parameters, velocity, reference, force, state.
pub(in crate::position) const ROW_BYTES: usize = 5 * 4 + 14 * 8;

/// What did not fit the list of contacts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Contacts of the current position that did not fit.
    pub dropped: usize,
    /// All contacts that did not fit so far.
    pub total_dropped: u64,
    /// Contacts of the list that were judged already, and the least bytes they take.
    judged: usize,
    judged_bytes: usize,
}

impl Storage {
    /// Starts over for a new position.
    pub(super) fn begin(&mut self) {
        self.dropped = 0;
        self.judged = 0;
        self.judged_bytes = 0;
    }

    /// Drops what is too much for the list of contacts: each takes its own bytes and those of its
    /// rows without entries.
    pub(super) fn trim(&mut self, model: &Model, contacts: &mut Vec<Contact>) {
        let limit = limit(model);
        while let Some(contact) = contacts.get(self.judged) {
            let mut bytes = CONTACT_BYTES;
            if contact.exclude == 0 {
                bytes += row_count(model, contact) * ROW_BYTES;
            }
            if self.judged_bytes + bytes > limit {
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

/// Bytes granted to contacts and rows.
pub fn limit(model: &Model) -> usize {
    let bytes = if model.narena > 0 {
        model.narena.min(MOST_BYTES)
    } else {
        MOST_BYTES
    };
    bytes as usize
}

/// Constraint rows that a contact makes.
pub(in crate::position) fn row_count(model: &Model, contact: &Contact) -> usize {
    contact.friction_form(model).rows()
}
