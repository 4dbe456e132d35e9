//! Actuator lengths and moments: what an actuator pulls on, and where it acts.
//!
//! The moment of an actuator is the gradient of its length (scaled by the gear), or, where no
//! length makes sense (free joints, sites), the direction of its force in joint space. Rows are
//! sparse: `moment_rownnz moment_rowadr moment_colind` describe `actuator_moment`. Conforms to
//! MuJoCo's `mj_transmission`.

use super::com::Com;
use super::constraint::Constraints;
use super::contact::{Contact, Contacts};
use super::jacobian::{
    Moves, difference_column, for_each_dof, for_each_dof_of_pair, last_dof, offset,
    translation_column,
};
use super::kinematics::Kinematics;
use super::row::GatheredRow;
use super::tendon::Tendon;
use crate::is_sparse;
use crate::scratch::Scratch;
use crate::state::State;
use sinew_dynamics::joint::quat_at;
use sinew_math::spatial::rotation;
use sinew_math::{Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{Cone, JointType, TransmissionType};

sinew_model::columns! {
    /// Actuator transmissions.
    pub struct Transmission for Model {
        sizes {
            /// Actuators.
            nu,
            /// Entries of the moment matrix.
            nJmom,
        }
        columns {
            /// Lengths.
            actuator_length: nu x f64,
            /// Entries of each row of the moment matrix.
            moment_rownnz: nu x i32,
            /// First entry of each row.
            moment_rowadr: nu x i32,
            /// Columns of the entries.
            moment_colind: nJmom x i32,
            /// Moments.
            actuator_moment: nJmom x f64,
        }
    }
}

impl Transmission {
    /// Columns and values of an actuator's moment.
    #[inline]
    pub(crate) fn row(&self, actuator: usize) -> (&[i32], &[f64]) {
        let start = self.moment_rowadr[actuator] as usize;
        let end = start + self.moment_rownnz[actuator] as usize;
        (
            &self.moment_colind[start..end],
            &self.actuator_moment[start..end],
        )
    }
}

/// The entries of the moment matrix from the row of one actuator on.
struct Moments<'a> {
    columns: &'a mut [i32],
    values: &'a mut [f64],
    length: usize,
}

impl Moments<'_> {
    #[inline]
    fn push(&mut self, dof: usize, value: f64) {
        self.columns[self.length] = dof as i32;
        self.values[self.length] = value;
        self.length += 1;
    }

    /// Appends entries of consecutive degrees of freedom.
    #[inline]
    fn push_dense(&mut self, first_dof: usize, values: Vec3) {
        for k in 0..3 {
            self.push(first_dof + k, values[k]);
        }
    }

    /// Appends the non-zero entries of a row, which is empty afterwards.
    fn push_nonzero(&mut self, row: &mut GatheredRow<'_>) {
        row.drain(|dof, value| {
            if value != 0.0 {
                self.push(dof, value);
            }
        });
    }
}

/// Lengths and moments of all actuators.
#[doc(alias = "mj_transmission")]
pub(crate) fn compute(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    com: &Com,
    tendon: &Tendon,
    (contacts, constraints): (&Contacts, &Constraints),
    out: &mut Transmission,
    scratch: &mut Scratch,
) {
    if model.nu == 0 {
        return;
    }
    let mut row = GatheredRow::new(&mut scratch.row, &mut scratch.touched);
    let mut entries = 0;
    for i in 0..model.nu {
        let [target, second] = model.actuator_trnid[i];
        let target = target as usize;
        let moments = &mut Moments {
            columns: &mut out.moment_colind[entries..],
            values: &mut out.actuator_moment[entries..],
            length: 0,
        };
        out.actuator_length[i] = match TransmissionType::from_code(model.actuator_trntype[i]) {
            Some(TransmissionType::Joint) => joint(model, state, moments, i, target, Frame::Child),
            Some(TransmissionType::Jointinparent) => {
                joint(model, state, moments, i, target, Frame::Parent)
            }
            Some(TransmissionType::Slidercrank) => {
                let sites = (target, second as usize);
                slider_crank(model, kinematics, com, i, sites, &mut row)
            }
            Some(TransmissionType::Tendon) => through_tendon(model, tendon, moments, i, target),
            Some(TransmissionType::Site) => {
                let gear = &model.actuator_gear[i];
                match usize::try_from(second) {
                    Err(_) => site(model, kinematics, com, target, gear, &mut row),
                    Ok(second) => {
                        site_in_site(model, kinematics, com, (target, second), gear, &mut row)
                    }
                }
            }
            Some(TransmissionType::Body) => {
                adhesion(model, com, (contacts, constraints), target, &mut row)
            }
            _ => 0.0,
        };
        moments.push_nonzero(&mut row);
        out.moment_rowadr[i] = entries as i32;
        out.moment_rownnz[i] = moments.length as i32;
        entries += moments.length;
    }
}

fn first3(gear: &[f64; 6]) -> Vec3 {
    Vec3([gear[0], gear[1], gear[2]])
}

fn last3(gear: &[f64; 6]) -> Vec3 {
    Vec3([gear[3], gear[4], gear[5]])
}

/// The frame in which the gear of a ball or free joint is given.
#[derive(Clone, Copy, PartialEq)]
enum Frame {
    Child,
    Parent,
}

fn joint(
    model: &Model,
    state: &State,
    out: &mut Moments<'_>,
    actuator: usize,
    joint: usize,
    frame: Frame,
) -> f64 {
    let gear = &model.actuator_gear[actuator];
    let address = model.jnt_qposadr[joint] as usize;
    let dof = model.jnt_dofadr[joint] as usize;
    let in_child = |axis: Vec3, quat: Quat| match frame {
        Frame::Child => axis,
        Frame::Parent => quat.conjugate().rotate(axis),
    };
    match JointType::from_code(model.jnt_type[joint]) {
        Some(JointType::Ball) => {
            let quat = quat_at(&state.qpos, address).normalized();
            let axis = in_child(first3(gear), quat);
            out.push_dense(dof, axis);
            quat.to_velocity(1.0).dot(axis)
        }
        Some(JointType::Free) => {
            let quat = quat_at(&state.qpos, address + 3).normalized();
            out.push_dense(dof, first3(gear));
            out.push_dense(dof + 3, in_child(last3(gear), quat));
            0.0
        }
        _ => {
            out.push(dof, gear[0]);
            state.qpos[address] * gear[0]
        }
    }
}

/// A slider on the z axis of one site drives a rod that ends at another. Length
/// l = a·v − √((a·v)² + r² − v·v) with a the slider axis and v from slider to crank; where the rod
/// cannot reach, l = a·v.
fn slider_crank(
    model: &Model,
    kinematics: &Kinematics,
    com: &Com,
    actuator: usize,
    (crank, slider): (usize, usize),
    row: &mut GatheredRow<'_>,
) -> f64 {
    let rod = model.actuator_cranklength[actuator];
    let gear = model.actuator_gear[actuator][0];
    let axis = kinematics.site_xmat[slider].column(2);
    let v = kinematics.site_xpos[crank] - kinematics.site_xpos[slider];
    let along = v.dot(axis);
    let determinant = along * along + rod * rod - v.dot(v);
    let (length, by_v, by_axis) = if determinant <= 0.0 {
        (along, axis, v)
    } else {
        let root = determinant.sqrt();
        let ratio = 1.0 - along / root;
        (along - root, axis * ratio + v * (1.0 / root), v * ratio)
    };

    let crank_body = model.site_bodyid[crank] as usize;
    let slider_body = model.site_bodyid[slider] as usize;
    let at_crank = offset(model, com, crank_body, kinematics.site_xpos[crank]);
    let at_slider = offset(model, com, slider_body, kinematics.site_xpos[slider]);
    for_each_dof_of_pair(model, [slider_body, crank_body], |dof, moves| {
        let cdof = &com.cdof[dof];
        let of_v = difference_column(cdof, moves, [at_slider, at_crank]);
        let of_axis = match moves {
            Moves::First | Moves::Both => rotation(cdof).cross(axis),
            Moves::Second => Vec3::ZERO,
        };
        let mut moment = 0.0;
        for k in 0..3 {
            moment += by_axis[k] * of_axis[k] + by_v[k] * of_v[k];
        }
        row.set(dof, moment * gear);
    });
    length * gear
}

fn through_tendon(
    model: &Model,
    tendon: &Tendon,
    out: &mut Moments<'_>,
    actuator: usize,
    id: usize,
) -> f64 {
    let gear = model.actuator_gear[actuator][0];
    let is_sparse = is_sparse(model);
    tendon.for_each_entry(is_sparse, id, |dof, value| {
        let moment = value * gear;
        if is_sparse || moment != 0.0 {
            out.push(dof, moment);
        }
    });
    tendon.ten_length[id] * gear
}

/// A wrench fixed in a site's frame. Has no length.
fn site(
    model: &Model,
    kinematics: &Kinematics,
    com: &Com,
    site: usize,
    gear: &[f64; 6],
    row: &mut GatheredRow<'_>,
) -> f64 {
    let axes = &kinematics.site_xmat[site];
    let (force, torque) = (*axes * first3(gear), *axes * last3(gear));
    let body = model.site_bodyid[site] as usize;
    let offset = offset(model, com, body, kinematics.site_xpos[site]);
    for_each_dof(model, body, |dof| {
        let cdof = &com.cdof[dof];
        let along_force = translation_column(cdof, offset).dot(force);
        row.set(dof, along_force + rotation(cdof).dot(torque));
    });
    0.0
}

/// Position and orientation of a site in the frame of a reference site, weighted by the gear.
/// Degrees of freedom that move both sites alike have no moment.
fn site_in_site(
    model: &Model,
    kinematics: &Kinematics,
    com: &Com,
    (site, reference): (usize, usize),
    gear: &[f64; 6],
    row: &mut GatheredRow<'_>,
) -> f64 {
    let body = model.site_bodyid[site] as usize;
    let reference_body = model.site_bodyid[reference] as usize;
    let axes = kinematics.site_xmat[reference];
    let common = common_dof(model, body, reference_body);
    let mut length = 0.0;

    let linear = first3(gear);
    if linear != Vec3::ZERO {
        let (p, q) = (kinematics.site_xpos[site], kinematics.site_xpos[reference]);
        length += axes.transpose_mul(p - q).dot(linear);
        let force = axes * linear;
        let (at_site, at_reference) = (
            offset(model, com, body, p),
            offset(model, com, reference_body, q),
        );
        for_each_dof(model, body, |dof| {
            if dof as i32 > common {
                row.set(dof, translation_column(&com.cdof[dof], at_site).dot(force));
            }
        });
        for_each_dof(model, reference_body, |dof| {
            if dof as i32 > common {
                let column = -translation_column(&com.cdof[dof], at_reference);
                row.set(dof, column.dot(force));
            }
        });
    }

    let angular = last3(gear);
    if angular != Vec3::ZERO {
        // The order of the products is the reference's.
        let quat = model.site_quat[site] * kinematics.xquat[body];
        let reference_quat = model.site_quat[reference] * kinematics.xquat[reference_body];
        length += quat.difference(reference_quat).dot(angular);
        let torque = axes * angular;
        for_each_dof(model, body, |dof| {
            if dof as i32 > common {
                row.add(dof, rotation(&com.cdof[dof]).dot(torque));
            }
        });
        for_each_dof(model, reference_body, |dof| {
            if dof as i32 > common {
                row.add(dof, (-rotation(&com.cdof[dof])).dot(torque));
            }
        });
    }
    length
}

/// Adhesion of a body: minus the mean of the normal directions of its contacts, those within the
/// gap included. Has no length.
fn adhesion(
    model: &Model,
    com: &Com,
    (contacts, constraints): (&Contacts, &Constraints),
    body: usize,
    row: &mut GatheredRow<'_>,
) -> f64 {
    let mut count = 0;
    for (i, contact) in contacts.contact.iter().enumerate() {
        let Some(bodies) = contact.body_pair(model) else {
            continue;
        };
        if !bodies.contains(&body) {
            continue;
        }
        match contact.exclude {
            0 => add_normal_row(model, constraints, (i, contact), row),
            1 => add_normal(model, com, contact, bodies, row),
            _ => continue,
        }
        count += 1;
    }
    if count > 0 {
        row.scale(-1.0 / f64::from(count));
    }
    0.0
}

/// The normal direction of a contact that has constraint rows: its first row, or the mean of the
/// edges of its pyramid.
fn add_normal_row(
    model: &Model,
    constraints: &Constraints,
    (index, contact): (usize, &Contact),
    row: &mut GatheredRow<'_>,
) {
    // Contacts found after the rows were made have none yet.
    let Some(first) = constraints.first_row(index) else {
        return;
    };
    let is_first_row = contact.dim == 1 || model.opt.cone == Cone::Elliptic.code();
    let (rows, weight) = if is_first_row {
        (1, 1.0)
    } else {
        let directions = contact.dim as usize - 1;
        (2 * directions, 0.5 / directions as f64)
    };
    // Rows made for another kind of cone may be fewer.
    for edge in first..(first + rows).min(constraints.nefc()) {
        let (columns, values) = constraints.jacobian().row(edge);
        for (&dof, &value) in columns.iter().zip(values) {
            row.add(dof as usize, value * weight);
        }
    }
}

/// The normal direction of a contact without constraint rows.
fn add_normal(
    model: &Model,
    com: &Com,
    contact: &Contact,
    bodies: [usize; 2],
    row: &mut GatheredRow<'_>,
) {
    let normal = contact.frame.row(0);
    let offsets = bodies.map(|body| offset(model, com, body, contact.pos));
    for_each_dof_of_pair(model, bodies, |dof, moves| {
        let column = difference_column(&com.cdof[dof], moves, offsets);
        row.add(dof, column.dot(normal));
    });
}

/// The last degree of freedom that moves both bodies; −1: none.
fn common_dof(model: &Model, first: usize, second: usize) -> i32 {
    let (mut a, mut b) = (last_dof(model, first), last_dof(model, second));
    while a != b && a >= 0 && b >= 0 {
        if a < b {
            b = model.dof_parentid[b as usize];
        } else {
            a = model.dof_parentid[a as usize];
        }
    }
    if a == b { a } else { -1 }
}
