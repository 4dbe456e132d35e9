//! The contact sensor: selected contacts, reduced to a fixed number of slots.
//!
//! Contacts are selected by site, geom, body or subtree on either side; a match on the other side
//! flips the contact so that its normal points from the first object to the second. Slots are filled
//! in order of detection, by distance, by force, or with the net force of all. Conforms to the
//! contact sensor of MuJoCo's `mj_sensorAcc`.

use crate::acceleration::contact_force::in_contact_frame;
use crate::data::Data;
use crate::position::contact::Contact;
use sinew_dynamics::sense::is_inside;
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{GeomType, ObjectType};

/// Numbers of each field: found, force, torque, dist, pos, normal, tangent.
const FIELD_SIZES: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];

const NEAREST: i32 = 1;
const STRONGEST: i32 = 2;
const NET: i32 = 3;

/// A contact that a sensor selects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Match {
    contact: usize,
    is_flipped: bool,
    criterion: f64,
}

/// What a slot may hold.
struct Slot {
    found: f64,
    force: Vec3,
    torque: Vec3,
    dist: f64,
    pos: Vec3,
    normal: Vec3,
    tangent: Vec3,
}

impl Slot {
    /// Writes the requested fields one after the other.
    fn write(&self, fields: i32, out: &mut [f64]) {
        let values: [&[f64]; 7] = [
            &[self.found],
            &self.force.0,
            &self.torque.0,
            &[self.dist],
            &self.pos.0,
            &self.normal.0,
            &self.tangent.0,
        ];
        let mut at = 0;
        for (field, value) in values.iter().enumerate() {
            if fields & (1 << field) != 0 {
                out[at..at + value.len()].copy_from_slice(value);
                at += value.len();
            }
        }
    }
}

pub(super) fn compute(model: &Model, data: &mut Data, sensor: usize, out: &mut [f64]) {
    out.fill(0.0);
    let [fields, reduction, _] = model.sensor_intprm[sensor];
    let size: usize = (0..FIELD_SIZES.len())
        .filter(|field| fields & (1 << field) != 0)
        .map(|field| FIELD_SIZES[field])
        .sum();
    if size == 0 {
        return;
    }
    let mut matches = core::mem::take(&mut data.scratch.matches);
    select(model, data, sensor, reduction, &mut matches);
    if reduction == NET {
        net_force(model, data, &matches).write(fields, out);
    } else {
        if reduction == NEAREST || reduction == STRONGEST {
            matches.sort_unstable_by(|a, b| {
                let order = a.criterion.total_cmp(&b.criterion);
                order.then(a.contact.cmp(&b.contact))
            });
        }
        for (slot, chosen) in out.chunks_exact_mut(size).zip(&matches) {
            one_contact(model, data, chosen, matches.len()).write(fields, slot);
        }
    }
    data.scratch.matches = matches;
}

fn force_of(model: &Model, data: &Data, contact: usize) -> (Vec3, Vec3) {
    let efc_force = &data.acceleration.solution.efc_force;
    let first_row = data.position.constraints.first_row(contact);
    let contact = &data.position.contacts.contact[contact];
    let f = in_contact_frame(model, contact, first_row, efc_force);
    (Vec3([f[0], f[1], f[2]]), Vec3([f[3], f[4], f[5]]))
}

fn select(model: &Model, data: &Data, sensor: usize, reduction: i32, out: &mut Vec<Match>) {
    out.clear();
    for (index, contact) in data.position.contacts.contact.iter().enumerate() {
        let Some(is_flipped) = direction(model, data, sensor, contact) else {
            continue;
        };
        let criterion = match reduction {
            NEAREST => contact.dist,
            STRONGEST => {
                let (force, _) = force_of(model, data, index);
                -force.dot(force)
            }
            _ => 0.0,
        };
        out.push(Match {
            contact: index,
            is_flipped,
            criterion,
        });
    }
}

/// Whether a contact belongs to the sensor, and if so, whether it must be flipped.
fn direction(model: &Model, data: &Data, sensor: usize, contact: &Contact) -> Option<bool> {
    let first = ObjectType::from_code(model.sensor_objtype[sensor]).unwrap_or(ObjectType::Unknown);
    let second = ObjectType::from_code(model.sensor_reftype[sensor]).unwrap_or(ObjectType::Unknown);
    let (first_id, second_id) = (model.sensor_objid[sensor], model.sensor_refid[sensor]);
    let (has_first, has_second) = (first != ObjectType::Unknown, second != ObjectType::Unknown);
    if !has_first && !has_second {
        return Some(false);
    }
    if first == ObjectType::Site {
        let (site, k) = (first_id as usize, &data.position.kinematics);
        let shape = GeomType::from_code(model.site_type[site]);
        let frame = (k.site_xpos[site], &k.site_xmat[site]);
        if !is_inside(shape, model.site_size[site], frame, contact.pos) {
            return None;
        }
    }
    let matches = |side: usize, kind, id| belongs(model, contact, side, kind, id);
    let regular = (matches(0, first, first_id), matches(1, second, second_id));
    let reverse = (matches(1, first, first_id), matches(0, second, second_id));
    if !(regular.0 || reverse.0) || !(regular.1 || reverse.1) {
        return None;
    }
    match (has_first, has_second) {
        (true, true) if regular.0 && regular.1 => Some(false),
        (true, true) if reverse.0 && reverse.1 => Some(true),
        (true, true) => None,
        (true, false) => Some(!regular.0),
        _ => Some(!regular.1),
    }
}

/// Whether a side of a contact is, or hangs on, an object.
fn belongs(model: &Model, contact: &Contact, side: usize, kind: ObjectType, id: i32) -> bool {
    match kind {
        ObjectType::Unknown | ObjectType::Site => true,
        ObjectType::Geom => id == contact.geom[side],
        ObjectType::Body => contact.is_moved_by(model, side, id as usize),
        ObjectType::Xbody => contact.bodies(model, side).any(|(mut body, _)| {
            while body > id as usize {
                body = model.body_parentid[body] as usize;
            }
            body == id as usize
        }),
        _ => false,
    }
}

/// A contact seen from the sensor's side. Flipping turns the frame half round about its third axis.
fn one_contact(model: &Model, data: &Data, chosen: &Match, found: usize) -> Slot {
    let contact = &data.position.contacts.contact[chosen.contact];
    let (mut force, mut torque) = force_of(model, data, chosen.contact);
    let (mut normal, mut tangent) = (contact.frame.row(0), contact.frame.row(1));
    if chosen.is_flipped {
        force[2] *= -1.0;
        torque[2] *= -1.0;
        normal *= -1.0;
        tangent *= -1.0;
    }
    Slot {
        found: found as f64,
        force,
        torque,
        dist: contact.dist,
        pos: contact.pos,
        normal,
        tangent,
    }
}

/// The sum of all forces about their weighted centre, world axes.
fn net_force(model: &Model, data: &Data, matches: &[Match]) -> Slot {
    let contacts = &data.position.contacts.contact;
    let wrench = |chosen: &Match| {
        let (force, torque) = force_of(model, data, chosen.contact);
        let sign = if chosen.is_flipped { -1.0 } else { 1.0 };
        (force * sign, torque * sign)
    };
    let (mut pos, mut total) = (Vec3::ZERO, 0.0);
    for chosen in matches {
        let weight = wrench(chosen).0.norm();
        pos = pos.add_scaled(contacts[chosen.contact].pos, weight);
        total += weight;
    }
    pos *= 1.0 / f64::max(total, MIN_VALUE);
    let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
    for chosen in matches {
        let contact = &contacts[chosen.contact];
        let (local_force, local_torque) = wrench(chosen);
        let world_force = contact.frame.transpose_mul(local_force);
        force += world_force;
        torque += contact.frame.transpose_mul(local_torque);
        torque += (contact.pos - pos).cross(world_force);
    }
    Slot {
        found: matches.len() as f64,
        force,
        torque,
        dist: 0.0,
        pos,
        normal: Vec3::X,
        tangent: Vec3::Y,
    }
}
