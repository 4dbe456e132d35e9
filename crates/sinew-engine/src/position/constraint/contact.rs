//! Contacts as constraint rows.
//!
//! With n the normal row and tᵢ the tangential ones of the relative motion of the two geoms in the
//! contact frame: a frictionless contact is the row n; an elliptic one the rows n, t₁, …; a
//! pyramidal one a pair n ± μᵢtᵢ for each tangential direction. All rows of a contact have the same
//! columns, and contacts of the same two bodies have them too, so these are found once.

use super::impedance::ContactRows;
use super::storage::Account;
use super::{Buffer, Constraints, Moves};
use crate::is_sparse;
use crate::position::com::Com;
use crate::position::contact::storage::{CONTACT_BYTES, limit};
use crate::position::contact::{Contact, Contacts};
use crate::position::jacobian::{for_each_dof_of_pair, offset, translation_column};
use sinew_math::Vec3;
use sinew_math::spatial::rotation;
use sinew_model::Model;
use sinew_model::kinds::{Cone as ConeType, Constraint, DisableFlag};
use sinew_solver::problem::{Cone, Pyramid};
use std::iter::repeat_n;

/// Adds the rows of all contacts, with their impedances.
pub(super) fn add(model: &Model, com: &Com, contacts: &Contacts, out: &mut Constraints) {
    let contacts = &contacts.contact;
    let mut account = std::mem::take(&mut out.account);
    account.open(model, out);
    out.contact_efc_address.resize(contacts.len(), -1);
    out.contact_mu.resize(contacts.len(), 0.0);
    let mut kept = contacts.len();
    let is_enabled = model.opt.disableflags & DisableFlag::Contact.code() == 0;
    if kept > 0 && is_enabled && model.nv > 0 {
        kept = add_rows(model, com, contacts, &mut account, out);
    }
    out.contact_efc_address.truncate(kept);
    out.contact_mu.truncate(kept);
    out.storage.end(account.bytes, contacts.len() - kept);
    out.account = account;
}

/// Adds rows until the memory is used up. Returns how many contacts fit.
fn add_rows(
    model: &Model,
    com: &Com,
    contacts: &[Contact],
    account: &mut Account,
    out: &mut Constraints,
) -> usize {
    let limit = limit(model);
    let is_pyramidal = model.opt.cone == ConeType::Pyramidal.code();
    let is_sparse = is_sparse(model);
    let mut buffer = std::mem::take(&mut out.buffer);
    let mut kept = contacts.len();
    let mut collected = None;
    for (i, contact) in contacts.iter().enumerate() {
        let before = account.bytes;
        account.bytes += CONTACT_BYTES;
        if contact.exclude != 0 || !contact.can_move(model) {
            continue;
        }
        let Some(bodies) = contact.body_pair(model) else {
            continue;
        };
        let repeats = collected == Some(bodies);
        if !repeats {
            collect(model, bodies, is_sparse, &mut buffer);
            collected = Some(bodies);
        }
        account.add(model, contact, &buffer.column);
        if account.bytes > limit {
            account.bytes = before;
            kept = i;
            break;
        }
        entries(model, com, contact, bodies, &mut buffer);
        let row = out.nefc();
        out.repeats.push(repeats);
        out.contact_efc_address[i] = row as i32;
        let dim = contact.dim as usize;
        if dim == 1 {
            out.push_contact(Constraint::ContactFrictionless, i, 1, &buffer.column);
            out.efc_J.extend_from_slice(&buffer.direction[0]);
            out.efc_pos.push(contact.dist);
            out.efc_margin.push(contact.includemargin);
            ContactRows::new(model, contact).add_frictionless(out);
        } else if is_pyramidal {
            let rows = 2 * (dim - 1);
            out.pyramids.push(Pyramid { row, dim });
            out.push_contact(Constraint::ContactPyramidal, i, rows, &buffer.column);
            let (normal, tangents) = buffer.direction.split_at(1);
            for (tangent, friction) in tangents[..dim - 1].iter().zip(contact.friction) {
                out.push_edges(&normal[0], tangent, friction);
            }
            out.efc_pos.extend(repeat_n(contact.dist, rows));
            out.efc_margin.extend(repeat_n(contact.includemargin, rows));
            out.contact_mu[i] = ContactRows::new(model, contact).add_pyramid(rows, out);
        } else {
            out.push_contact(Constraint::ContactElliptic, i, dim, &buffer.column);
            for direction in &buffer.direction[..dim] {
                out.efc_J.extend_from_slice(direction);
            }
            out.efc_pos.push(contact.dist);
            out.efc_pos.extend(repeat_n(0.0, dim - 1));
            out.efc_margin.push(contact.includemargin);
            out.efc_margin.extend(repeat_n(0.0, dim - 1));
            let mu = ContactRows::new(model, contact).add_cone(out);
            out.contact_mu[i] = mu;
            out.cones.push(Cone {
                row,
                dim,
                mu,
                friction: contact.friction,
            });
        }
    }
    out.efc_frictionloss.resize(out.nefc(), 0.0);
    out.buffer = buffer;
    kept
}

impl Constraints {
    /// Adds what the rows of a contact share: kind, contact and columns. Whether the first repeats
    /// the columns of the row before is already noted.
    #[inline]
    fn push_contact(&mut self, kind: Constraint, contact: usize, rows: usize, columns: &[i32]) {
        let (start, count) = (self.efc_J.len(), columns.len());
        self.efc_type.extend(repeat_n(kind.code(), rows));
        self.efc_id.extend(repeat_n(contact as i32, rows));
        self.repeats.extend(repeat_n(true, rows - 1));
        self.efc_J_rownnz.extend(repeat_n(count as i32, rows));
        self.efc_J_rowadr
            .extend((0..rows).map(|row| (start + row * count) as i32));
        for _ in 0..rows {
            self.efc_J_colind.extend_from_slice(columns);
        }
    }

    /// Adds the entries n + μt and n − μt.
    #[inline]
    fn push_edges(&mut self, normal: &[f64], tangent: &[f64], friction: f64) {
        let start = self.efc_J.len();
        self.efc_J.resize(start + 2 * normal.len(), 0.0);
        let (plus, minus) = self.efc_J[start..].split_at_mut(normal.len());
        for (((plus, minus), n), t) in plus.iter_mut().zip(minus).zip(normal).zip(tangent) {
            let slide = t * friction;
            *plus = n + slide;
            *minus = n - slide;
        }
    }
}

/// Collects the degrees of freedom that move the second body against the first. One that moves both
/// alike has no effect: it keeps its column only where the sparse layout of the reference has one.
fn collect(model: &Model, [body1, body2]: [usize; 2], is_sparse: bool, buffer: &mut Buffer) {
    buffer.column.clear();
    buffer.moves.clear();
    for_each_dof_of_pair(model, body1, body2, |dof, moves1, moves2| {
        let moves = match (moves1, moves2) {
            (true, true) if !is_sparse => return,
            (true, true) => Moves::Both,
            (true, false) => Moves::First,
            (false, _) => Moves::Second,
        };
        buffer.column.push(dof as i32);
        buffer.moves.push(moves);
    });
    buffer.column.reverse();
    buffer.moves.reverse();
    for direction in &mut buffer.direction {
        direction.resize(buffer.column.len(), 0.0);
    }
}

/// Fills in the relative motion at the contact in each of its directions: translations along the
/// axes of its frame, then rotations about them.
fn entries(model: &Model, com: &Com, contact: &Contact, bodies: [usize; 2], buffer: &mut Buffer) {
    let offset1 = offset(model, com, bodies[0], contact.pos);
    let offset2 = offset(model, com, bodies[1], contact.pos);
    let count = buffer.column.len();
    let frame = [0, 1, 2].map(|k| contact.frame.row(k));
    let [n, t1, t2, turn @ ..] = &mut buffer.direction;
    let (n, t1, t2) = (&mut n[..count], &mut t1[..count], &mut t2[..count]);
    let moves = &buffer.moves[..count];
    for (c, &dof) in buffer.column.iter().enumerate() {
        let cdof = &com.cdof[dof as usize];
        let translation = match moves[c] {
            Moves::First => -translation_column(cdof, offset1),
            Moves::Second => translation_column(cdof, offset2),
            Moves::Both => Vec3::ZERO,
        };
        n[c] = frame[0].dot(translation);
        t1[c] = frame[1].dot(translation);
        t2[c] = frame[2].dot(translation);
    }
    if contact.dim <= 3 {
        return;
    }
    for (c, &dof) in buffer.column.iter().enumerate() {
        let cdof = &com.cdof[dof as usize];
        let rotation = match moves[c] {
            Moves::First => -rotation(cdof),
            Moves::Second => rotation(cdof),
            Moves::Both => Vec3::ZERO,
        };
        for k in 0..3 {
            turn[k][c] = frame[k].dot(rotation);
        }
    }
}
