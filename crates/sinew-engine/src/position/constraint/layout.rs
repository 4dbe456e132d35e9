//! Rows that were made elsewhere: kept in a file, or by another engine.
//!
//! A [`RowLayout`] says which rows there are and where their entries of J stand; their numbers are written afterwards.
//! Nothing is believed: a layout that stages could stumble over is an error.

use super::Constraints;
use crate::position::contact::Contact;
use core::fmt;
use sinew_model::Model;
use sinew_model::kinds::Constraint;
use sinew_solver::{Cone, Pyramid};

/// Which rows there are, and where their entries of J stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowLayout {
    /// Whether J is stored as a full matrix.
    pub is_dense: bool,
    /// Kind of each row, a [`Constraint`] code: equalities, dry friction, limits, contacts.
    pub kind: Vec<i32>,
    /// What each row belongs to.
    pub id: Vec<i32>,
    /// Entries of each row.
    pub rownnz: Vec<i32>,
    /// First entry of each row: they follow each other.
    pub rowadr: Vec<i32>,
    /// Column of each entry, ascending in a row.
    pub colind: Vec<i32>,
    /// Whether a row is said to have the columns of the one before.
    pub repeats: Vec<bool>,
    /// First row of each contact; −1: none.
    pub contact_row: Vec<i32>,
}

/// Why there cannot be such rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutError {
    /// What it is about, `row` or `contact`.
    pub what: &'static str,
    /// Which of them.
    pub index: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LayoutError { what, index, why } = self;
        write!(f, "{what} {index} {why}")
    }
}

impl std::error::Error for LayoutError {}

impl RowLayout {
    /// Rows without a meaning yet, with room for so many entries of J: as many as possible in the first ones. They say
    /// that they are friction of the first degree of freedom.
    pub fn blank(model: &Model, rows: usize, entries: usize) -> Self {
        let widths = (0..rows).map(|row| (entries - (row * model.nv).min(entries)).min(model.nv));
        let rownnz: Vec<i32> = widths.map(|width| width as i32).collect();
        RowLayout {
            is_dense: !crate::is_sparse(model) && entries == rows * model.nv,
            kind: vec![Constraint::FrictionDof.code(); rows],
            id: vec![0; rows],
            rowadr: starts(&rownnz),
            colind: rownnz.iter().flat_map(|width| 0..*width).collect(),
            repeats: vec![false; rows],
            rownnz,
            contact_row: Vec::new(),
        }
    }

    /// The same rows, one behind the other.
    pub fn with_starts(self) -> Self {
        RowLayout {
            rowadr: starts(&self.rownnz),
            ..self
        }
    }

    /// Contacts that do not have all their rows have none.
    pub fn forget_cut_contacts(&mut self, contacts: &[Contact]) {
        for i in 0..self.contact_row.len().min(contacts.len()) {
            let first = usize::try_from(self.contact_row[i]);
            if first.is_ok_and(|first| self.rows_of(contacts, i, first).is_none()) {
                self.contact_row[i] = -1;
            }
        }
    }

    fn columns(&self, row: usize) -> &[i32] {
        let start = self.rowadr[row] as usize;
        &self.colind[start..start + self.rownnz[row] as usize]
    }

    /// Finds what a stage could stumble over.
    fn check(&self, model: &Model, contacts: &[Contact]) -> Result<(), LayoutError> {
        let rows = self.kind.len();
        let lengths = [self.id.len(), self.rownnz.len(), self.rowadr.len()];
        if lengths.iter().any(|length| *length != rows) || self.repeats.len() != rows {
            return wrong("row", rows, "is not described completely");
        }
        let mut group = 0;
        let mut next = 0;
        for row in 0..rows {
            let Some(kind) = Constraint::from_code(self.kind[row]) else {
                return wrong("row", row, "is of an unknown kind");
            };
            if group_of(kind) < group {
                return wrong("row", row, "stands behind rows of a later kind");
            }
            group = group_of(kind);
            let count = object_count(model, kind);
            if !usize::try_from(self.id[row]).is_ok_and(|id| id < count) {
                return wrong("row", row, "belongs to something that is not there");
            }
            let end = i64::from(self.rowadr[row]) + i64::from(self.rownnz[row]);
            let is_next = self.rowadr[row] == next && self.rownnz[row] >= 0;
            if !is_next || end > self.colind.len() as i64 {
                return wrong("row", row, "does not begin where the one before ends");
            }
            next = end as i32;
            let columns = self.columns(row);
            let mut dofs = columns.iter().map(|column| usize::try_from(*column));
            let is_known = dofs.all(|dof| dof.is_ok_and(|dof| dof < model.nv));
            if !is_known || !columns.is_sorted_by(|a, b| a < b) {
                return wrong("row", row, "has columns that are unknown or do not ascend");
            }
            if self.repeats[row] && (row == 0 || self.columns(row - 1) != columns) {
                return wrong("row", row, "has other columns than the one before");
            }
        }
        if next as usize != self.colind.len() {
            return wrong("row", rows, "is missing: entries are left over");
        }
        self.check_contacts(contacts)
    }

    fn check_contacts(&self, contacts: &[Contact]) -> Result<(), LayoutError> {
        if self.contact_row.len() > contacts.len() {
            return wrong("contact", contacts.len(), "is not there, but has rows");
        }
        let mut next = 0;
        for (i, first) in self.contact_row.iter().enumerate() {
            let Ok(first) = usize::try_from(*first) else {
                continue;
            };
            let Some((kind, dim)) = self.rows_of(contacts, i, first) else {
                return wrong("contact", i, "has other rows than its dimension asks for");
            };
            if first < next {
                return wrong("contact", i, "has rows of the one before");
            }
            next = first + row_count(kind, dim);
        }
        Ok(())
    }

    /// The kind of the rows of a contact that begin at one, if they are the contact's; its kind and dimension.
    fn rows_of(
        &self,
        contacts: &[Contact],
        contact: usize,
        first: usize,
    ) -> Option<(Constraint, usize)> {
        let dim = usize::try_from(contacts[contact].dim).ok()?;
        let kind = Constraint::from_code(*self.kind.get(first)?)?;
        let fits = match kind {
            Constraint::ContactFrictionless => dim == 1,
            Constraint::ContactPyramidal | Constraint::ContactElliptic => matches!(dim, 3 | 4 | 6),
            _ => false,
        };
        let rows = row_count(kind, dim);
        let own = self.kind.get(first..first + rows).filter(|_| fits)?;
        let is_one = own.iter().all(|other| *other == kind.code());
        is_one.then_some((kind, dim))
    }
}

/// Rows of a contact.
fn row_count(kind: Constraint, dim: usize) -> usize {
    match kind {
        Constraint::ContactPyramidal => 2 * dim.max(1) - 2,
        _ => dim,
    }
}

/// Where rows begin that follow each other.
fn starts(rownnz: &[i32]) -> Vec<i32> {
    let sums = rownnz.iter().scan(0_i32, |sum, width| {
        let start = *sum;
        *sum = sum.saturating_add(*width);
        Some(start)
    });
    sums.collect()
}

fn wrong(what: &'static str, index: usize, why: &'static str) -> Result<(), LayoutError> {
    Err(LayoutError { what, index, why })
}

/// Rows stand in the order of these.
fn group_of(kind: Constraint) -> usize {
    match kind {
        Constraint::Equality => 0,
        Constraint::FrictionDof | Constraint::FrictionTendon => 1,
        Constraint::LimitJoint | Constraint::LimitTendon => 2,
        _ => 3,
    }
}

/// How many things there are that rows of a kind can belong to. Rows of a contact may outlive it: others keep rows of
/// contacts that do not touch yet, and drop these.
fn object_count(model: &Model, kind: Constraint) -> usize {
    match kind {
        Constraint::Equality => model.neq,
        Constraint::FrictionDof => model.nv,
        Constraint::LimitJoint => model.njnt,
        Constraint::FrictionTendon | Constraint::LimitTendon => model.ntendon,
        _ => usize::MAX,
    }
}

impl Constraints {
    /// Which rows there are.
    pub fn layout(&self) -> RowLayout {
        RowLayout {
            is_dense: self.is_dense,
            kind: self.efc_type.clone(),
            id: self.efc_id.clone(),
            rownnz: self.efc_J_rownnz.clone(),
            rowadr: self.efc_J_rowadr.clone(),
            colind: self.efc_J_colind.clone(),
            repeats: self.repeats.clone(),
            contact_row: self.contact_efc_address.clone(),
        }
    }

    /// Other rows. Numbers of rows and entries that were there stay, by their index; new ones are zero.
    pub(in crate::position) fn set_layout(
        &mut self,
        model: &Model,
        contacts: &[Contact],
        layout: RowLayout,
    ) -> Result<(), LayoutError> {
        layout.check(model, contacts)?;
        let rows = layout.kind.len();
        let count_of = |group: usize| {
            let kinds = layout
                .kind
                .iter()
                .filter_map(|code| Constraint::from_code(*code));
            kinds.filter(|kind| group_of(*kind) == group).count()
        };
        (self.ne, self.nf, self.nl) = (count_of(0), count_of(1), count_of(2));
        self.contact_mu.resize(layout.contact_row.len(), 0.0);
        self.shape_contacts(contacts, &layout);
        self.efc_J.resize(layout.colind.len(), 0.0);
        self.efc_pos.resize(rows, 0.0);
        self.efc_margin.resize(rows, 0.0);
        self.efc_frictionloss.resize(rows, 0.0);
        self.resize_hardness(rows);
        self.is_dense = layout.is_dense;
        self.efc_type = layout.kind;
        self.efc_id = layout.id;
        self.efc_J_rownnz = layout.rownnz;
        self.efc_J_rowadr = layout.rowadr;
        self.efc_J_colind = layout.colind;
        self.repeats = layout.repeats;
        self.contact_efc_address = layout.contact_row;
        self.tendon_efcadr.resize(model.ntendon, -1);
        self.full.clear();
        if self.is_dense {
            let mut full = core::mem::take(&mut self.full);
            self.jacobian().expand(model.nv, &mut full);
            self.full = full;
        }
        Ok(())
    }

    /// Cones and pyramids as the solver reads them.
    fn shape_contacts(&mut self, contacts: &[Contact], layout: &RowLayout) {
        self.cones.clear();
        self.cone_shapes.clear();
        self.pyramids.clear();
        for (i, row) in layout.contact_row.iter().enumerate() {
            let Ok(row) = usize::try_from(*row) else {
                continue;
            };
            match layout.rows_of(contacts, i, row) {
                Some((Constraint::ContactPyramidal, dim)) => {
                    self.pyramids.push(Pyramid { row, dim });
                }
                Some((Constraint::ContactElliptic, dim)) => {
                    self.cones.push(Cone { row, dim });
                    let [a, b, c, d, e] = contacts[i].friction;
                    self.cone_shapes.push([self.contact_mu[i], a, b, c, d, e]);
                }
                _ => {}
            }
        }
    }
}
