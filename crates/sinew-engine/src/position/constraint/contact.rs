//! Contacts as constraint rows.
//!
//! All rows of a contact have the same columns, and contacts of the same two bodies have them too, so
//! these are found once. A contact with a flex is moved by several bodies on a side; that
//! of a passive flex has no rows but a force of its own. The arithmetic is [`sinew_dynamics::row::contact`]'s.

use super::impedance::settings;
use super::storage::Account;
use super::{Buffer, Constraints};
use crate::position::com::Com;
use crate::position::contact::flex::motion::Motion;
use crate::position::contact::flex::share::{PASSIVE, for_each_body};
use crate::position::contact::storage::{CONTACT_BYTES, limit, row_count};
use crate::position::contact::{Contact, Contacts};
use crate::position::flex::Flex;
use crate::position::jacobian::offset;
use sinew_dynamics::jacobian::{Moves, columns_of_pair};
use sinew_dynamics::row::contact::{self as row, Friction, Numbers, Place, RowsMut, Settings};
use sinew_dynamics::row::{Form, HardnessMut};
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;
use sinew_model::view::Tree;
use sinew_solver::Patience;
use sinew_solver::problem::{Cone, Pyramid};
use std::iter::repeat_n;

/// Somebody is asked after so many contacts whether to go on.
const CONTACTS_AT_ONCE: usize = 1024;
/// Room for the numbers of so many rows more is made at once, or for a quarter of those there are.
const ROWS_AT_ONCE: usize = 256;
/// From so many on entries of J get their room at once: vectors that grow step by step leave holes.
const MANY_CONTACTS: usize = 4096;
/// Entries of a row between two bodies that move freely.
const USUAL_ENTRIES: usize = 12;
/// Stiffness of contacts that are passive forces, N/m.
const PASSIVE_STIFFNESS: f64 = 1e4;

/// Adds the rows of all contacts, with their impedances.
pub(super) fn add(
    model: &Model,
    (com, flex): (&Com, &Flex),
    contacts: &Contacts,
    patience: Option<&mut dyn Patience>,
    out: &mut Constraints,
) {
    let pair_bytes = contacts.storage.pair_bytes;
    let contacts = &contacts.contact;
    let mut account = std::mem::take(&mut out.account);
    account.open(model, out);
    account.bytes += pair_bytes + contacts.len() * CONTACT_BYTES;
    out.contact_efc_address.resize(contacts.len(), -1);
    out.contact_mu.resize(contacts.len(), 0.0);
    let mut kept = contacts.len();
    let is_enabled = model.opt.disableflags & DisableFlag::Contact.code() == 0;
    if kept > 0 && is_enabled && model.nv > 0 {
        kept = add_rows(model, (com, flex), contacts, patience, &mut account, out);
    }
    out.contact_efc_address.truncate(kept);
    out.contact_mu.truncate(kept);
    out.storage.end(account.bytes, contacts.len() - kept);
    out.account = account;
}

/// Adds rows until the memory is used up. Returns how many contacts fit. Whoever does not want to go on leaves
/// the other contacts without rows.
fn add_rows(
    model: &Model,
    (com, flex): (&Com, &Flex),
    contacts: &[Contact],
    mut patience: Option<&mut dyn Patience>,
    account: &mut Account,
    out: &mut Constraints,
) -> usize {
    let (limit, settings) = (limit(model), &settings(model));
    let tree = &Tree::from(model);
    // A degree of freedom that moves both bodies alike has no effect.
    let form = out.form();
    let wanted = |moves| form == Form::Compressed || moves != Moves::Both;
    let mut buffer = std::mem::take(&mut out.buffer);
    buffer.resize(model.nv);
    let with_rows = contacts.iter().filter(|contact| contact.exclude == 0);
    let wished: usize = with_rows.map(|contact| row_count(model, contact)).sum();
    let affordable = account.affordable(model, limit, USUAL_ENTRIES);
    let most = out.nefc() + wished.min(affordable);
    let mut room = out.nefc();
    if contacts.len() > MANY_CONTACTS {
        out.reserve_entries(most);
    }
    let mut kept = contacts.len();
    let (mut collected, mut start) = (None, 0);
    for (i, contact) in contacts.iter().enumerate() {
        if (i + 1).is_multiple_of(CONTACTS_AT_ONCE)
            && patience
                .as_mut()
                .is_some_and(|patience| !patience.may_go_on())
        {
            break;
        }
        let before = account.bytes;
        if contact.exclude != 0 {
            if contact.exclude == PASSIVE {
                buffer.motion.find(model, com, flex, contact);
                add_force(contact, &buffer.motion, &mut out.passive_force);
            }
            continue;
        }
        if !contact.is_with_flex() && !contact.can_move(model) {
            continue;
        }
        let bodies = contact.body_pair(model);
        let (columns, repeats) = match bodies {
            Some(bodies) => {
                let repeats = collected == Some(bodies);
                if !repeats {
                    let Buffer { columns, moves, .. } = &mut buffer;
                    start = columns_of_pair(tree, bodies, wanted, columns, moves);
                }
                (&buffer.columns[start..], repeats)
            }
            None => {
                buffer.motion.find(model, com, flex, contact);
                let columns = &buffer.motion.columns[..];
                if columns.is_empty() {
                    continue;
                }
                (columns, out.last_columns() == Some(columns))
            }
        };
        collected = bodies;
        account.add(model, contact, columns);
        if !account.fits(limit) {
            account.bytes = before;
            kept = i;
            break;
        }
        let friction = contact.friction_form(model);
        let (frame, directions) = (contact.frame, &mut buffer.directions);
        let weight = match bodies {
            Some(bodies) => {
                let offsets = bodies.map(|body| offset(model, com, body, contact.pos));
                let columns_and_moves = (columns, &buffer.moves[start..]);
                let place = &Place { frame, offsets };
                let dim = friction.dim();
                row::directions(&com.cdof, columns_and_moves, place, dim, directions);
                let inverse = |body: usize| model.body_invweight0[body][0];
                inverse(bodies[0]) + inverse(bodies[1])
            }
            None => {
                let motion = (&buffer.motion.sliding[..], &buffer.motion.turning[..]);
                row::known_directions(columns, motion, &frame, friction.dim(), directions);
                inverse_weight(model, flex, contact)
            }
        };
        let first = out.nefc();
        let needed = first + friction.rows();
        if needed > room {
            room = most.max(needed).min(needed + needed / 4 + ROWS_AT_ONCE);
            out.resize_numbers(room);
        }
        out.repeats.push(repeats);
        out.contact_efc_address[i] = first as i32;
        let source = (i, &numbers(contact, weight), settings);
        let mu = out.push_contact(friction, source, columns, &buffer.directions);
        out.contact_mu[i] = mu;
        match friction {
            Friction::None => {}
            Friction::Pyramidal(dim) => out.pyramids.push(Pyramid { row: first, dim }),
            Friction::Elliptic(dim) => {
                out.cones.push(Cone { row: first, dim });
                let [a, b, c, d, e] = contact.friction;
                out.cone_shapes.push([mu, a, b, c, d, e]);
            }
        }
    }
    out.resize_numbers(out.nefc());
    out.efc_frictionloss.resize(out.nefc(), 0.0);
    out.buffer = buffer;
    kept
}

impl Constraints {
    /// Makes room for the usual entries of so many rows, if there is memory.
    fn reserve_entries(&mut self, rows: usize) {
        let entries = USUAL_ENTRIES * rows;
        if self.efc_J.capacity().min(self.efc_J_colind.capacity()) < entries {
            let more = (entries + entries / 16).saturating_sub(self.efc_J.len());
            let _ = self.efc_J.try_reserve_exact(more);
            let _ = self.efc_J_colind.try_reserve_exact(more);
        }
    }

    /// Makes room for the numbers of contacts' rows besides their entries.
    fn resize_numbers(&mut self, rows: usize) {
        self.efc_pos.resize(rows, 0.0);
        self.efc_margin.resize(rows, 0.0);
        self.resize_hardness(rows);
    }

    /// Columns of the last row.
    fn last_columns(&self) -> Option<&[i32]> {
        let start = *self.efc_J_rowadr.last()?;
        Some(&self.efc_J_colind[start as usize..])
    }

    /// Adds the rows of a contact, with entries in the given directions; there is room for their numbers.
    /// Whether the first repeats the columns of the row before is already noted. Returns the slope of
    /// its cone.
    #[inline]
    fn push_contact(
        &mut self,
        friction: Friction,
        (id, numbers, settings): (usize, &Numbers, &Settings),
        columns: &[i32],
        directions: &[f64],
    ) -> f64 {
        let (first, rows) = (self.nefc(), friction.rows());
        let (start, width) = (self.efc_J.len(), columns.len());
        self.efc_type.extend(repeat_n(friction.kind().code(), rows));
        self.efc_id.extend(repeat_n(id as i32, rows));
        self.repeats.extend(repeat_n(true, rows - 1));
        self.efc_J_rownnz.extend(repeat_n(width as i32, rows));
        self.efc_J_rowadr
            .extend((0..rows).map(|row| (start + row * width) as i32));
        for _ in 0..rows {
            self.efc_J_colind.extend_from_slice(columns);
        }
        self.efc_J.resize(start + rows * width, 0.0);
        let own = first..first + rows;
        row::rows(
            friction,
            numbers,
            settings,
            (directions, width),
            &mut RowsMut {
                efc_J: &mut self.efc_J[start..],
                efc_pos: &mut self.efc_pos[own.clone()],
                efc_margin: &mut self.efc_margin[own.clone()],
                hardness: HardnessMut {
                    efc_diagApprox: &mut self.efc_diagApprox[own.clone()],
                    efc_R: &mut self.efc_R[own.clone()],
                    efc_D: &mut self.efc_D[own.clone()],
                    efc_KBIP: &mut self.efc_KBIP[own],
                },
            },
        )
    }
}

impl Constraints {
    /// Forces of contacts that have no rows but are springs.
    pub(in crate::position) fn find_passive_forces(
        &mut self,
        model: &Model,
        (com, flex): (&Com, &Flex),
        contacts: &[Contact],
    ) {
        self.passive_force.clear();
        for contact in contacts.iter().filter(|contact| contact.exclude == PASSIVE) {
            self.buffer.motion.find(model, com, flex, contact);
            add_force(contact, &self.buffer.motion, &mut self.passive_force);
        }
    }
}

/// Adds the force of a contact that is a spring along its normal.
#[doc(alias = "mj_contactPassive")]
fn add_force(contact: &Contact, motion: &Motion, out: &mut Vec<(i32, f64)>) {
    let (normal, force) = (contact.frame.row(0), -PASSIVE_STIFFNESS * contact.dist);
    out.extend(motion.columns.iter().map(|dof| {
        let lever = normal.dot(motion.sliding[*dof as usize]);
        (*dof, lever * force)
    }));
}

/// Inverse weights of the bodies that move a contact with a flex, by their shares.
fn inverse_weight(model: &Model, flex: &Flex, contact: &Contact) -> f64 {
    let mut sum = 0.0;
    for side in 0..2 {
        for_each_body(model, flex, contact, side, |body, share| {
            sum += model.body_invweight0[body][0] * share;
        });
    }
    sum
}

/// What the rows of a contact follow from.
#[inline]
fn numbers(contact: &Contact, weight: f64) -> Numbers {
    Numbers {
        dist: contact.dist,
        includemargin: contact.includemargin,
        friction: contact.friction,
        solref: contact.solref,
        solreffriction: contact.solreffriction,
        solimp: contact.solimp,
        weight,
    }
}
