//! Constraint rows: what is constrained, how it moves with the joints, how hard it is.
//!
//! Rows come in fixed order: equalities, dry friction of joints and of tendons, limits of joints
//! and of tendons, contacts. Each has a row of the Jacobian J (compressed, columns ascending), the
//! violation `efc_pos` with its margin, and regularisation R = 1/D and reference parameters from
//! its impedance. The arithmetic is [`sinew_dynamics::row`]'s, except of tendons; order, memory and
//! options are here. Conforms to `mj_makeConstraint`.
//!
//! ```text
//! equality.rs   connect, weld, joint, tendon
//! flex.rs       lengths of edges and strains of flexes
//! friction.rs   dry friction of joints and tendons
//! limit.rs      limits of joints and tendons
//! contact.rs    frictionless, pyramidal and elliptic contacts
//! impedance.rs  diagApprox R D KBIP, slope of the friction cones
//! layout.rs     rows that were made elsewhere
//! storage.rs    how many rows fit the memory
//! ```

mod contact;
mod equality;
mod flex;
mod friction;
mod impedance;
pub mod layout;
mod limit;
pub mod storage;

use super::com::Com;
use super::contact::Contacts;
use super::contact::flex::motion::Motion;
use super::flex::Flex;
use super::kinematics::Kinematics;
use super::tendon::Tendon;
use crate::is_sparse;
use crate::parts::rows::LawRows;
use crate::state::{Input, State};
use sinew_dynamics::jacobian::Moves;
use sinew_dynamics::row::contact::DIRECTIONS;
use sinew_dynamics::row::equality::Scratch;
use sinew_dynamics::row::{Form, NewRows, Row};
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::column::Group;
use sinew_model::kinds::DisableFlag;
use sinew_solver::{Cone, ConeShape, Patience, Pyramid, Rows};
use storage::{Account, Storage};

/// All constraint rows of the current position.
#[derive(Clone, Debug, Default)]
#[allow(non_snake_case)]
pub struct Constraints {
    /// Number of equality rows.
    pub ne: usize,
    /// Number of dry-friction rows.
    pub nf: usize,
    /// Number of limit rows.
    pub nl: usize,
    /// Kind of each row, a [`Constraint`](sinew_model::kinds::Constraint) code.
    pub efc_type: Vec<i32>,
    /// What the row belongs to: equality, dof, tendon, joint or contact.
    pub efc_id: Vec<i32>,
    /// Entries of each row of J.
    pub efc_J_rownnz: Vec<i32>,
    /// First entry of each row of J.
    pub efc_J_rowadr: Vec<i32>,
    /// Column of each entry of J.
    pub efc_J_colind: Vec<i32>,
    /// Whether a row has the columns of the one before: rows of one object do.
    pub repeats: Vec<bool>,
    /// Entries of J.
    pub efc_J: Vec<f64>,
    /// Violation: position error or distance.
    pub efc_pos: Vec<f64>,
    /// Distance at which the row becomes active.
    pub efc_margin: Vec<f64>,
    /// Bound of dry friction.
    pub efc_frictionloss: Vec<f64>,
    /// Approximate diagonal of J·M⁻¹·Jᵀ.
    pub efc_diagApprox: Vec<f64>,
    /// Stiffness, damping, impedance and its derivative.
    pub efc_KBIP: Vec<[f64; 4]>,
    /// Inverse regularisation.
    pub efc_D: Vec<f64>,
    /// Regularisation.
    pub efc_R: Vec<f64>,
    /// First row of each tendon; −1: none.
    pub tendon_efcadr: Vec<i32>,
    /// First row of each contact; −1: none.
    pub contact_efc_address: Vec<i32>,
    /// Slope of the regularised friction cone of each contact; 0: it has none.
    pub contact_mu: Vec<f64>,
    /// Elliptic contacts, as the solver reads them.
    pub cones: Vec<Cone>,
    /// Shapes of their cones.
    pub cone_shapes: Vec<ConeShape>,
    /// Pyramidal contacts, as the solver reads them.
    pub pyramids: Vec<Pyramid>,
    /// Forces of contacts that have no rows but are springs: degree of freedom and force, in the order of contacts.
    pub(crate) passive_force: Vec<(i32, f64)>,
    /// What contacts and rows take, and what did not fit.
    pub storage: Storage,
    /// Whether the reference would store J as a full matrix, which decides the order of sums.
    is_dense: bool,
    /// J as a full matrix, where the reference keeps it so.
    full: Vec<f64>,
    /// Rows of laws, in place of those of the equalities of flexes.
    pub(crate) of_laws: LawRows,
    buffer: Buffer,
    account: Account,
}

/// Columns of the Jacobian of one object, collected before its rows are written; as many as there are
/// degrees of freedom, of which those at the end are used.
#[derive(Clone, Debug, Default)]
struct Buffer {
    columns: Vec<i32>,
    /// Whose motion each column is.
    moves: Vec<Moves>,
    translation: Vec<Vec3>,
    rotation: Vec<Vec3>,
    /// Entries in each of the directions of a contact.
    directions: Vec<f64>,
    /// What moves a contact with a flex.
    motion: Motion,
    /// A full row, and the columns it has entries in.
    row: Vec<f64>,
    row_columns: Vec<i32>,
}

impl Buffer {
    /// Makes room for a number of degrees of freedom.
    fn resize(&mut self, nv: usize) {
        self.columns.resize(nv, 0);
        self.moves.resize(nv, Moves::Both);
        self.translation.resize(nv, Vec3::ZERO);
        self.rotation.resize(nv, Vec3::ZERO);
        self.directions.resize(DIRECTIONS * nv, 0.0);
    }

    /// What equalities need.
    fn equality(&mut self) -> Scratch<'_> {
        Scratch {
            columns: &mut self.columns,
            translation: &mut self.translation,
            rotation: &mut self.rotation,
        }
    }
}

impl Constraints {
    /// Number of rows.
    #[inline]
    pub fn nefc(&self) -> usize {
        self.efc_type.len()
    }

    /// The first row of a contact, if it has rows.
    #[inline]
    pub fn first_row(&self, contact: usize) -> Option<usize> {
        let row = self.contact_efc_address.get(contact)?;
        usize::try_from(*row).ok()
    }

    /// The Jacobian.
    pub fn jacobian(&self) -> Rows<'_> {
        Rows {
            rownnz: &self.efc_J_rownnz,
            rowadr: &self.efc_J_rowadr,
            colind: &self.efc_J_colind,
            repeats: &self.repeats,
            value: &self.efc_J,
            full: self.is_dense.then_some(&self.full),
        }
    }

    /// The entries of J as the model stores them: of the full matrix, or of the compressed rows.
    pub fn stored_jacobian(&self) -> &[f64] {
        if self.is_dense {
            &self.full
        } else {
            &self.efc_J
        }
    }

    /// Replaces the entries of J, given as [`Constraints::stored_jacobian`] gives them. What a row
    /// of the full matrix has in columns that do not move it is left out. Returns false, and changes
    /// nothing, if there are not as many.
    pub fn set_stored_jacobian(&mut self, nv: usize, entries: &[f64]) -> bool {
        let is_full = !self.is_dense || entries.len() == nv * self.nefc();
        if entries.len() != self.stored_jacobian().len() || !is_full {
            return false;
        }
        if !self.is_dense {
            self.efc_J.copy_from_slice(entries);
            return true;
        }
        for (i, given) in entries.chunks_exact(nv.max(1)).enumerate() {
            let start = self.efc_J_rowadr[i] as usize;
            for k in start..start + self.efc_J_rownnz[i] as usize {
                self.efc_J[k] = given[self.efc_J_colind[k] as usize];
            }
        }
        let mut full = core::mem::take(&mut self.full);
        self.jacobian().expand(nv, &mut full);
        self.full = full;
        true
    }

    /// No rows. The full matrix stays until it is written over.
    fn begin(&mut self, model: &Model) {
        (self.ne, self.nf, self.nl) = (0, 0, 0);
        self.is_dense = !crate::is_sparse(model);
        self.efc_type.clear();
        self.efc_id.clear();
        self.efc_J_rownnz.clear();
        self.efc_J_rowadr.clear();
        self.efc_J_colind.clear();
        self.repeats.clear();
        self.efc_J.clear();
        self.efc_pos.clear();
        self.efc_margin.clear();
        self.efc_frictionloss.clear();
        self.efc_diagApprox.clear();
        self.efc_KBIP.clear();
        self.efc_D.clear();
        self.efc_R.clear();
        self.tendon_efcadr.clear();
        self.tendon_efcadr.resize(model.ntendon, -1);
        self.contact_efc_address.clear();
        self.contact_mu.clear();
        self.cones.clear();
        self.cone_shapes.clear();
        self.pyramids.clear();
        self.passive_force.clear();
        self.storage.begin();
    }

    /// Adds a row; its entries were appended to `efc_J` and `efc_J_colind` from `start` on.
    fn finish_row(&mut self, row: Row, start: usize) {
        let (kind, id) = (row.kind.code(), row.id as i32);
        let before = (self.efc_type.last(), self.efc_id.last());
        self.repeats.push(before == (Some(&kind), Some(&id)));
        self.efc_J_rowadr.push(start as i32);
        self.efc_J_rownnz.push((self.efc_J.len() - start) as i32);
        self.efc_type.push(kind);
        self.efc_id.push(id);
        self.efc_pos.push(row.pos);
        self.efc_margin.push(row.margin);
        self.efc_frictionloss.push(row.frictionloss);
    }

    /// How the reference would store J.
    #[inline]
    fn form(&self) -> Form {
        match self.is_dense {
            true => Form::Full,
            false => Form::Compressed,
        }
    }
}

impl NewRows<f64> for Constraints {
    #[inline(always)]
    fn add(&mut self, _: bool, row: Row, columns: &[i32], entries: impl Iterator<Item = f64>) {
        let start = self.efc_J.len();
        self.efc_J_colind.extend_from_slice(columns);
        self.efc_J.extend(entries);
        self.finish_row(row, start);
    }
}

impl Group for Constraints {
    fn new(model: &Model) -> Self {
        let mut out = Constraints::default();
        out.begin(model);
        out
    }

    fn clear(&mut self, model: &Model) {
        self.begin(model);
        self.full.clear();
    }

    fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }
}

/// A tendon's Jacobian row: columns (none stored: all of them) and entries.
fn tendon_row<'a>(model: &Model, tendon: &'a Tendon, i: usize) -> (Option<&'a [i32]>, &'a [f64]) {
    if is_sparse(model) {
        let start = tendon.ten_J_rowadr[i] as usize;
        let end = start + tendon.ten_J_rownnz[i] as usize;
        (
            Some(&tendon.ten_J_colind[start..end]),
            &tendon.ten_J[start..end],
        )
    } else {
        (None, &tendon.ten_J[i * model.nv..(i + 1) * model.nv])
    }
}

/// Calls `visit(column, value)` for the entries of a tendon's Jacobian; zeros of a dense one are
/// left out.
fn for_each_tendon_entry(
    model: &Model,
    tendon: &Tendon,
    i: usize,
    mut visit: impl FnMut(i32, f64),
) {
    match tendon_row(model, tendon, i) {
        (Some(columns), values) => {
            for (&column, &value) in columns.iter().zip(values) {
                visit(column, value);
            }
        }
        (None, values) => {
            for (column, &value) in values.iter().enumerate() {
                if value != 0.0 {
                    visit(column as i32, value);
                }
            }
        }
    }
}

/// Makes all rows.
#[doc(alias = "mj_makeConstraint")]
pub(crate) fn compute(
    model: &Model,
    state: &State,
    input: &Input,
    kinematics: &Kinematics,
    com: &Com,
    (tendon, flex): (&Tendon, &Flex),
    contacts: &Contacts,
    patience: Option<&mut dyn Patience>,
    out: &mut Constraints,
) {
    out.begin(model);
    if model.opt.disableflags & DisableFlag::Constraint.code() != 0 {
        return out.full.clear();
    }
    equality::add(model, state, input, kinematics, com, (tendon, flex), out);
    out.ne = out.nefc();
    friction::add(model, tendon, out);
    out.nf = out.nefc() - out.ne;
    limit::add(model, state, tendon, out);
    out.nl = out.nefc() - out.ne - out.nf;
    impedance::compute(model, out);
    contact::add(model, (com, flex), contacts, patience, out);
    if out.is_dense {
        let mut full = core::mem::take(&mut out.full);
        out.jacobian().expand(model.nv, &mut full);
        out.full = full;
    }
}
