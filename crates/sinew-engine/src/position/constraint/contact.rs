//! Contacts as constraint rows.
//!
//! With n the normal row and tᵢ the tangential ones of the relative motion of the two geoms in the
//! contact frame: a frictionless contact is the row n; an elliptic one the rows n, t₁, …; a
//! pyramidal one a pair n ± μᵢtᵢ for each tangential direction.

use super::{Constraints, Row};
use crate::is_sparse;
use crate::position::com::Com;
use crate::position::contact::storage::{self, Account};
use crate::position::contact::{Contact, Contacts};
use crate::position::jacobian::{for_each_dof_of_pair, offset, translation_column};
use sinew_math::Vec3;
use sinew_math::spatial::rotation;
use sinew_model::Model;
use sinew_model::kinds::{Cone as ConeType, Constraint, DisableFlag};
use sinew_solver::problem::{Cone, Pyramid};

/// Why a contact makes no force: nothing can move its geoms.
const EXCLUDED_WITHOUT_DOFS: i32 = 3;

pub(super) fn add(model: &Model, com: &Com, contacts: &mut Contacts, out: &mut Constraints) {
    let mut account = std::mem::take(&mut out.account);
    account.open(model, out);
    if model.opt.disableflags & DisableFlag::Contact.code() == 0 && model.nv > 0 {
        add_rows(model, com, contacts, &mut account, out);
    }
    contacts.storage.end(account.bytes);
    out.account = account;
}

/// Adds rows until the memory is used up; the contacts that are left then are dropped.
fn add_rows(
    model: &Model,
    com: &Com,
    contacts: &mut Contacts,
    account: &mut Account,
    out: &mut Constraints,
) {
    let limit = storage::limit(model);
    let is_pyramidal = model.opt.cone == ConeType::Pyramidal.code();
    let is_sparse = is_sparse(model);
    let mut buffer = std::mem::take(&mut out.buffer);
    let mut kept = contacts.contact.len();
    for (i, contact) in contacts.contact.iter_mut().enumerate() {
        let before = account.bytes;
        account.bytes += size_of::<Contact>();
        if contact.exclude != 0 {
            continue;
        }
        let is_static = |geom: i32| {
            let body = model.geom_bodyid[geom as usize] as usize;
            model.body_weldid[body] == 0
        };
        if contact.geom.into_iter().all(is_static) {
            contact.exclude = EXCLUDED_WITHOUT_DOFS;
            continue;
        }
        collect(model, com, contact, is_sparse, &mut buffer);
        account.add(model, contact, &buffer.column);
        if account.bytes > limit {
            account.bytes = before;
            kept = i;
            break;
        }
        contact.efc_address = out.nefc() as i32;
        let dim = contact.dim as usize;
        let row = |kind, pos, margin| Row {
            kind,
            id: i,
            pos,
            margin,
            frictionloss: 0.0,
        };
        // Entry c of direction k: translations along the frame's axes, then rotations about them.
        let entry = |k: usize, c: usize| {
            if k < 3 {
                contact.frame.row(k).dot(buffer.translation[c])
            } else {
                contact.frame.row(k - 3).dot(buffer.rotation[c])
            }
        };
        let count = buffer.column.len();
        if dim == 1 {
            let row = row(
                Constraint::ContactFrictionless,
                contact.dist,
                contact.includemargin,
            );
            out.push_row(row, &buffer.column, (0..count).map(|c| entry(0, c)));
        } else if is_pyramidal {
            out.pyramids.push(Pyramid {
                row: out.nefc(),
                dim,
            });
            let row = row(
                Constraint::ContactPyramidal,
                contact.dist,
                contact.includemargin,
            );
            buffer.row.clear();
            buffer.row.extend((0..count).map(|c| entry(0, c)));
            for k in 1..dim {
                let friction = contact.friction[k - 1];
                for scale in [friction, -friction] {
                    let values = (0..count).map(|c| buffer.row[c] + entry(k, c) * scale);
                    out.push_row(row, &buffer.column, values);
                }
            }
        } else {
            out.cones.push(Cone {
                row: out.nefc(),
                dim,
                mu: 0.0,
                friction: contact.friction,
            });
            for k in 0..dim {
                let (pos, margin) = if k == 0 {
                    (contact.dist, contact.includemargin)
                } else {
                    (0.0, 0.0)
                };
                let row = row(Constraint::ContactElliptic, pos, margin);
                out.push_row(row, &buffer.column, (0..count).map(|c| entry(k, c)));
            }
        }
    }
    out.buffer = buffer;
    if kept < contacts.contact.len() {
        contacts.storage.cut(&mut contacts.contact, kept);
    }
}

/// Collects the relative motion of the second geom's body against the first's at the contact. A
/// degree of freedom that moves both alike has no effect: it keeps its column only where the
/// sparse layout of the reference has one.
fn collect(
    model: &Model,
    com: &Com,
    contact: &Contact,
    is_sparse: bool,
    buffer: &mut super::Buffer,
) {
    let [body1, body2] = contact
        .geom
        .map(|geom| model.geom_bodyid[geom as usize] as usize);
    let offset1 = offset(model, com, body1, contact.pos);
    let offset2 = offset(model, com, body2, contact.pos);
    buffer.column.clear();
    buffer.translation.clear();
    buffer.rotation.clear();
    for_each_dof_of_pair(model, body1, body2, |dof, moves1, moves2| {
        let cdof = &com.cdof[dof];
        let (translation, rotation) = match (moves1, moves2) {
            (true, true) if !is_sparse => return,
            (true, true) => (Vec3::ZERO, Vec3::ZERO),
            (false, _) => (translation_column(cdof, offset2), rotation(cdof)),
            (true, false) => (-translation_column(cdof, offset1), -rotation(cdof)),
        };
        buffer.column.push(dof as i32);
        buffer.translation.push(translation);
        buffer.rotation.push(rotation);
    });
    buffer.column.reverse();
    buffer.translation.reverse();
    buffer.rotation.reverse();
}
