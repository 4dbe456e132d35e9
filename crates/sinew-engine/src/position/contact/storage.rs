//! How much memory contacts and their constraint rows may take.
//!
//! The lists grow with what a position needs, up to the bytes that the model grants one simulation
//! (`memory` of the `size` element). What does not fit is dropped from the end of the list of
//! contacts, whose order is fixed, and counted; rows of equalities, friction and limits always
//! stay. Differs from MuJoCo: there, rows that do not fit take all other rows with them.

use super::Contact;
use crate::position::constraint::Constraints;
use sinew_model::Model;
use sinew_model::kinds::{Cone, Solver};

/// No simulation takes more, whatever the model says.
const MOST_BYTES: i64 = 1 << 32;
/// One row without its entries: kind, addresses, parameters, velocity, reference, force, state.
const ROW_BYTES: usize = 5 * 4 + 14 * 8;
/// One entry of a sparse matrix: number and column.
const ENTRY_BYTES: usize = 8 + 4;

/// What contacts and rows take, and what did not fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Bytes that contacts and rows take at the current position.
    pub bytes: usize,
    /// Most bytes they ever took.
    pub most_bytes: usize,
    /// How often that mark rose.
    pub growth_count: u64,
    /// Contacts of the current position that did not fit the list.
    pub contacts_dropped: usize,
    /// Contacts of the current position whose rows did not fit.
    pub rows_dropped: usize,
    /// All contacts dropped so far.
    pub total_dropped: u64,
    /// Contacts of the list that were judged already, and the least bytes they take.
    judged: usize,
    judged_bytes: usize,
}

impl Storage {
    /// Starts over for a new position.
    pub(super) fn begin(&mut self) {
        self.bytes = 0;
        self.contacts_dropped = 0;
        self.rows_dropped = 0;
        self.judged = 0;
        self.judged_bytes = 0;
    }

    /// Drops what is too much for the list of contacts: each takes its own bytes and those of its
    /// rows without entries.
    pub(super) fn trim(&mut self, model: &Model, contacts: &mut Vec<Contact>) {
        let limit = limit(model);
        while let Some(contact) = contacts.get(self.judged) {
            let mut bytes = size_of::<Contact>();
            if contact.exclude == 0 {
                bytes += row_count(model, contact) * ROW_BYTES;
            }
            if self.judged_bytes + bytes > limit {
                let surplus = contacts.len() - self.judged;
                contacts.truncate(self.judged);
                self.contacts_dropped += surplus;
                self.total_dropped += surplus as u64;
                return;
            }
            self.judged_bytes += bytes;
            self.judged += 1;
        }
    }

    /// Drops contacts from one on, whose rows are too many.
    pub(in crate::position) fn cut(&mut self, contacts: &mut Vec<Contact>, from: usize) {
        let surplus = contacts.len() - from;
        contacts.truncate(from);
        self.rows_dropped += surplus;
        self.total_dropped += surplus as u64;
    }

    /// Notes what the current position takes.
    pub(in crate::position) fn end(&mut self, bytes: usize) {
        self.bytes = bytes;
        if bytes > self.most_bytes {
            self.most_bytes = bytes;
            self.growth_count += 1;
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

fn row_count(model: &Model, contact: &Contact) -> usize {
    let dim = contact.dim.max(1) as usize;
    if dim > 1 && model.opt.cone == Cone::Pyramidal.code() {
        2 * (dim - 1)
    } else {
        dim
    }
}

/// Counts the bytes of rows while they are added.
#[derive(Clone, Debug, Default)]
pub(in crate::position) struct Account {
    /// Bytes so far.
    pub bytes: usize,
    /// Rows that touch each tree, where the solver needs their products J·M⁻¹·Jᵀ.
    tree_rows: Vec<usize>,
    has_products: bool,
    /// Whether J and the products are full matrices.
    is_full: bool,
}

impl Account {
    /// Opens the account with the rows that always stay.
    pub(crate) fn open(&mut self, model: &Model, rows: &Constraints) {
        let solver = model.opt.solver;
        let is_primal = solver == Solver::Newton.code() || solver == Solver::Cg.code();
        self.has_products = !is_primal || model.opt.noslip_iterations > 0;
        self.is_full = !crate::is_sparse(model);
        self.tree_rows.clear();
        self.bytes = rows.nefc() * self.row_bytes(model) + rows.efc_J.len() * ENTRY_BYTES;
        if self.has_products {
            self.tree_rows.resize(model.ntree, 0);
            for row in 0..rows.nefc() {
                let (columns, _) = rows.jacobian().row(row);
                self.add_products(model, 1, columns);
            }
        }
    }

    /// Adds the rows of a contact on the given degrees of freedom.
    pub(crate) fn add(&mut self, model: &Model, contact: &Contact, columns: &[i32]) {
        let rows = row_count(model, contact);
        self.bytes += rows * (self.row_bytes(model) + columns.len() * ENTRY_BYTES);
        if self.has_products {
            self.add_products(model, rows, columns);
        }
    }

    fn row_bytes(&self, model: &Model) -> usize {
        let full = if self.is_full { model.nv * 8 } else { 0 };
        ROW_BYTES + full
    }

    /// Products exist between rows that share a tree, or between all. Columns ascend, so trees come in runs.
    fn add_products(&mut self, model: &Model, rows: usize, columns: &[i32]) {
        let mut last = -1;
        let mut partners = 0;
        for &column in columns {
            let tree = match self.is_full {
                true => 0,
                false => model.dof_treeid[column as usize],
            };
            if tree != last {
                last = tree;
                let count = &mut self.tree_rows[tree as usize];
                partners += *count;
                *count += rows;
            }
        }
        // The products, and the half-solved rows they are made of, by rows and by columns.
        let entries = rows * (2 * partners + rows + 2 * columns.len());
        self.bytes += entries * ENTRY_BYTES;
    }
}
