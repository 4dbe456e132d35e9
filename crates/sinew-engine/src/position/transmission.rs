//! Actuator lengths and moments: what an actuator pulls on, and where it acts.
//!
//! The moment of an actuator is the gradient of its length (scaled by the gear), or, where no
//! length makes sense (free joints, sites), the direction of its force in joint space. Rows are
//! sparse: `moment_rownnz moment_rowadr moment_colind` describe `actuator_moment`. Conforms to
//! MuJoCo's `mj_transmission`.

use super::com::Com;
use super::constraint::Constraints;
use super::contact::{Contact, Contacts};
use super::jacobian::{difference_column, for_each_dof_of_pair, offset};
use super::kinematics::Kinematics;
use super::row::GatheredRow;
use super::tendon::Tendon;
use crate::is_sparse;
use crate::scratch::Scratch;
use crate::state::State;
use sinew_dynamics::joint::quat_at;
use sinew_dynamics::transmission::{self, Entries, Scene};
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{Cone, JointType, TransmissionType};
use sinew_model::view::{Attached, Tree};

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
    let scene = &Scene {
        tree: Tree::from(model),
        attached: Attached::from(model),
        kinematics: kinematics.as_ref(),
        com: com.as_ref(),
    };
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
                let rod = (model.actuator_cranklength[i], model.actuator_gear[i][0]);
                transmission::slider_crank(scene, sites, rod, &mut row)
            }
            Some(TransmissionType::Tendon) => through_tendon(model, tendon, moments, i, target),
            Some(TransmissionType::Site) => {
                let gear = &model.actuator_gear[i];
                match usize::try_from(second) {
                    Err(_) => transmission::site(scene, target, gear, &mut row),
                    Ok(second) => {
                        let quats = [target, second].map(|site| model.site_quat[site]);
                        let sites = (target, second);
                        transmission::site_in_site(scene, sites, quats, gear, &mut row)
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
    let in_parent = frame == Frame::Parent;
    match JointType::from_code(model.jnt_type[joint]) {
        Some(JointType::Ball) => {
            let (length, axis) = transmission::ball(quat_at(&state.qpos, address), gear, in_parent);
            out.push_dense(dof, axis);
            length
        }
        Some(JointType::Free) => {
            let quat = quat_at(&state.qpos, address + 3);
            let [linear, angular] = transmission::free(quat, gear, in_parent);
            out.push_dense(dof, linear);
            out.push_dense(dof + 3, angular);
            0.0
        }
        _ => {
            out.push(dof, gear[0]);
            state.qpos[address] * gear[0]
        }
    }
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
