//! How much memory constraint rows may take, together with the contacts they are made of.
//!
//! Rows of equalities, friction and limits always stay. Rows of contacts are made as long as they
//! fit the bytes that the model grants one simulation; the contacts from the first one on whose rows
//! do not fit are dropped, with their rows, and counted. Differs from MuJoCo: there, rows that do not
//! fit take all other rows with them.

use super::Constraints;
use crate::position::contact::Contact;
use crate::position::contact::storage::{ROW_BYTES, Room, limit, row_count, rows_bytes};
use sinew_model::Model;
use sinew_model::kinds::Solver;

/// One entry of a sparse matrix: number and column.
const ENTRY_BYTES: usize = 8 + 4;
/// One entry of J: its own, that of its island, and by column for the solvers.
const JACOBIAN_BYTES: usize = 3 * ENTRY_BYTES;
/// A Hessian that takes no more is always made.
const SMALL_HESSIAN: usize = 4 << 20;

/// What contacts and rows take, and what did not fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// Bytes that contacts and rows take at the current position.
    pub bytes: usize,
    /// Most bytes they ever took.
    pub most_bytes: usize,
    /// How often that mark rose.
    pub growth_count: u64,
    /// Contacts of the current position whose rows did not fit: the last ones of the list.
    pub dropped: usize,
    /// All contacts whose rows did not fit so far.
    pub total_dropped: u64,
}

impl Storage {
    /// Starts over for a new position.
    pub(super) fn begin(&mut self) {
        self.bytes = 0;
        self.dropped = 0;
    }

    /// Bytes that the solver's Hessian may take: what rows and contacts left.
    pub fn hessian_bytes(&self, model: &Model) -> usize {
        limit(model).saturating_sub(self.bytes).max(SMALL_HESSIAN)
    }

    /// Notes what the current position takes, and how many contacts it has no rows for.
    pub(super) fn end(&mut self, bytes: usize, dropped: usize) {
        self.bytes = bytes;
        if bytes > self.most_bytes {
            self.most_bytes = bytes;
            self.growth_count += 1;
        }
        self.dropped = dropped;
        self.total_dropped += dropped as u64;
    }
}

/// Counts the bytes of rows while they are added.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    /// Bytes so far.
    pub bytes: usize,
    /// Rows that touch each tree, where the solver needs their products J·M⁻¹·Jᵀ.
    tree_rows: Vec<usize>,
    has_products: bool,
    /// Whether J and the products are full matrices.
    is_full: bool,
    room: Room,
}

impl Account {
    /// Opens the account with the rows that always stay.
    pub fn open(&mut self, model: &Model, rows: &Constraints) {
        let solver = model.opt.solver;
        let is_primal = solver == Solver::Newton.code() || solver == Solver::Cg.code();
        self.has_products = !is_primal || model.opt.noslip_iterations > 0;
        self.is_full = !crate::is_sparse(model);
        self.tree_rows.clear();
        self.bytes = rows.nefc() * self.row_bytes(model) + rows.efc_J.len() * JACOBIAN_BYTES;
        if self.has_products {
            self.tree_rows.resize(model.ntree, 0);
            for row in 0..rows.nefc() {
                let (columns, _) = rows.jacobian().row(row);
                self.add_products(model, 1, columns);
            }
        }
    }

    /// Adds the rows of a contact on the given degrees of freedom.
    pub fn add(&mut self, model: &Model, contact: &Contact, columns: &[i32]) {
        let rows = row_count(model, contact);
        let full = rows * (self.row_bytes(model) - ROW_BYTES);
        self.bytes += rows_bytes(model, contact) + full + rows * columns.len() * JACOBIAN_BYTES;
        if self.has_products {
            self.add_products(model, rows, columns);
        }
    }

    /// Whether what was added is within a limit, and the memory for it there.
    pub fn fits(&mut self, limit: usize) -> bool {
        self.bytes <= limit && self.room.has(self.bytes)
    }

    /// About how many rows more fit a limit, if each has so many entries. How many products rows have is not known before:
    /// where there are some they are taken as many as the rows that are there.
    pub fn affordable(&self, model: &Model, limit: usize, entries: usize) -> usize {
        let left = limit.saturating_sub(self.bytes);
        let bytes = self.row_bytes(model) + entries * JACOBIAN_BYTES;
        if !self.has_products {
            return left / bytes;
        }
        // n rows that all share a tree: n·bytes + n²·entry.
        let half = bytes as f64 / (2 * ENTRY_BYTES) as f64;
        ((half * half + (left / ENTRY_BYTES) as f64).sqrt() - half) as usize
    }

    fn row_bytes(&self, model: &Model) -> usize {
        // The full matrix, and that of an island.
        let full = if self.is_full { 2 * model.nv * 8 } else { 0 };
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
