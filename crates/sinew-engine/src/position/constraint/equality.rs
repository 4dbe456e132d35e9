//! Equality constraints.
//!
//! *Connect* holds two points together (3 rows); *weld* holds two frames together (6 rows, the
//! rotation error being the vector part of the relative quaternion times the torque scale);
//! *joint* and *tendon* tie one scalar to a quartic polynomial of another (1 row).

use super::{Buffer, Constraints, Row, for_each_tendon_entry};
use crate::is_sparse;
use crate::position::com::Com;
use crate::position::jacobian::{difference_column, for_each_dof_of_pair, offset};
use crate::position::kinematics::Kinematics;
use crate::position::tendon::Tendon;
use crate::state::{Input, State};
use sinew_math::spatial::rotation;
use sinew_math::{Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{Constraint, DisableFlag, EqualityType, ObjectType};

pub(super) fn add(
    model: &Model,
    state: &State,
    input: &Input,
    kinematics: &Kinematics,
    com: &Com,
    tendon: &Tendon,
    out: &mut Constraints,
) {
    if model.neq == 0 || model.opt.disableflags & DisableFlag::Equality.code() != 0 {
        return;
    }
    let mut buffer = std::mem::take(&mut out.buffer);
    for i in (0..model.neq).filter(|i| input.eq_active[*i] != 0) {
        match EqualityType::from_code(model.eq_type[i]) {
            Some(EqualityType::Connect) => connect(model, kinematics, com, i, &mut buffer, out),
            Some(EqualityType::Weld) => weld(model, kinematics, com, i, &mut buffer, out),
            Some(EqualityType::Joint) => couple_joints(model, state, i, out),
            Some(EqualityType::Tendon) => couple_tendons(model, tendon, i, &mut buffer, out),
            _ => {}
        }
    }
    out.buffer = buffer;
}

fn row(id: usize, pos: f64) -> Row {
    Row {
        kind: Constraint::Equality,
        id,
        pos,
        margin: 0.0,
        frictionloss: 0.0,
    }
}

/// The two bodies of an equality and its two points in the world. `anchors` are the offsets of the
/// points within the bodies, which sites do not need.
fn bodies_and_points(
    model: &Model,
    kinematics: &Kinematics,
    i: usize,
    anchors: [Vec3; 2],
) -> ([usize; 2], [Vec3; 2]) {
    let ids = [model.eq_obj1id[i] as usize, model.eq_obj2id[i] as usize];
    if model.eq_objtype[i] == ObjectType::Body.code() {
        let point = |k: usize| kinematics.point(ids[k], anchors[k]);
        (ids, [point(0), point(1)])
    } else {
        let bodies = ids.map(|site| model.site_bodyid[site] as usize);
        (bodies, ids.map(|site| kinematics.site_xpos[site]))
    }
}

/// Fills the buffer with the Jacobian of point 0 − point 1.
fn difference(
    model: &Model,
    com: &Com,
    bodies: [usize; 2],
    points: [Vec3; 2],
    buffer: &mut Buffer,
) {
    buffer.column.clear();
    buffer.translation.clear();
    buffer.rotation.clear();
    let offset0 = offset(model, com, bodies[0], points[0]);
    let offset1 = offset(model, com, bodies[1], points[1]);
    for_each_dof_of_pair(model, bodies[1], bodies[0], |dof, moves1, moves0| {
        let cdof = &com.cdof[dof];
        buffer.column.push(dof as i32);
        buffer.translation.push(difference_column(
            cdof,
            (moves1, offset1),
            (moves0, offset0),
        ));
        buffer.rotation.push(match (moves1, moves0) {
            (false, _) => rotation(cdof),
            (true, false) => -rotation(cdof),
            (true, true) => Vec3::ZERO,
        });
    });
    // Visited from the leaves; rows want ascending columns.
    buffer.column.reverse();
    buffer.translation.reverse();
    buffer.rotation.reverse();
}

/// Whether no joint can move the object: the constraint then has no rows.
fn is_empty(model: &Model, buffer: &Buffer) -> bool {
    if is_sparse(model) {
        return buffer.column.is_empty();
    }
    let is_zero = |v: &Vec3| v.0 == [0.0; 3];
    buffer.translation.iter().all(is_zero) && buffer.rotation.iter().all(is_zero)
}

fn connect(
    model: &Model,
    kinematics: &Kinematics,
    com: &Com,
    i: usize,
    buffer: &mut Buffer,
    out: &mut Constraints,
) {
    let d = &model.eq_data[i];
    let anchors = [Vec3([d[0], d[1], d[2]]), Vec3([d[3], d[4], d[5]])];
    let (bodies, points) = bodies_and_points(model, kinematics, i, anchors);
    difference(model, com, bodies, points, buffer);
    buffer.rotation.fill(Vec3::ZERO);
    if is_empty(model, buffer) {
        return;
    }
    let error = points[0] - points[1];
    for k in 0..3 {
        let values = buffer.translation.iter().map(|column| column[k]);
        out.push_row(row(i, error[k]), &buffer.column, values);
    }
}

fn weld(
    model: &Model,
    kinematics: &Kinematics,
    com: &Com,
    i: usize,
    buffer: &mut Buffer,
    out: &mut Constraints,
) {
    let d = &model.eq_data[i];
    // The first point is the relative position in body 0, the second the anchor in body 1.
    let anchors = [Vec3([d[3], d[4], d[5]]), Vec3([d[0], d[1], d[2]])];
    let (bodies, points) = bodies_and_points(model, kinematics, i, anchors);
    difference(model, com, bodies, points, buffer);

    // Relative orientation conj(q1)·q0·relpose, whose vector part is the error.
    let (target, inverse) = if model.eq_objtype[i] == ObjectType::Body.code() {
        let relative = Quat([d[6], d[7], d[8], d[9]]);
        (
            kinematics.xquat[bodies[0]] * relative,
            kinematics.xquat[bodies[1]].conjugate(),
        )
    } else {
        let site = |k: usize, id: i32| kinematics.xquat[bodies[k]] * model.site_quat[id as usize];
        (
            site(0, model.eq_obj1id[i]),
            site(1, model.eq_obj2id[i]).conjugate(),
        )
    };
    let torque_scale = d[10];
    let error = points[0] - points[1];
    let relative = inverse * target;
    for column in &mut buffer.rotation {
        let turned = inverse.mul_axis(*column) * target;
        *column = Vec3([0.5 * turned[1], 0.5 * turned[2], 0.5 * turned[3]]) * torque_scale;
    }
    if is_empty(model, buffer) {
        return;
    }
    for k in 0..3 {
        let values = buffer.translation.iter().map(|column| column[k]);
        out.push_row(row(i, error[k]), &buffer.column, values);
    }
    for k in 0..3 {
        let values = buffer.rotation.iter().map(|column| column[k]);
        out.push_row(
            row(i, relative[k + 1] * torque_scale),
            &buffer.column,
            values,
        );
    }
}

/// Value and derivative of the coupling polynomial without its constant.
fn polynomial(c: &[f64; 11], x: f64) -> (f64, f64) {
    let value = c[1] * x + c[2] * x * x + c[3] * x * x * x + c[4] * x * x * x * x;
    let slope = c[1] + 2.0 * c[2] * x + 3.0 * c[3] * x * x + 4.0 * c[4] * x * x * x;
    (value, slope)
}

fn couple_joints(model: &Model, state: &State, i: usize, out: &mut Constraints) {
    let from_reference = |joint: i32| {
        let address = model.jnt_qposadr[joint as usize] as usize;
        (state.qpos[address], model.qpos0[address])
    };
    let c = &model.eq_data[i];
    let (first, second) = (model.eq_obj1id[i], model.eq_obj2id[i]);
    let dof1 = model.jnt_dofadr[first as usize];
    let (value, reference) = from_reference(first);
    if second < 0 {
        let pos = value - reference - c[0];
        out.push_row(row(i, pos), &[dof1], std::iter::once(1.0));
        return;
    }
    let (value2, reference2) = from_reference(second);
    let (follow, slope) = polynomial(c, value2 - reference2);
    let pos = value - reference - c[0] - follow;
    let dof2 = model.jnt_dofadr[second as usize];
    match dof1.cmp(&dof2) {
        std::cmp::Ordering::Less => {
            out.push_row(row(i, pos), &[dof1, dof2], [1.0, -slope].into_iter());
        }
        std::cmp::Ordering::Greater => {
            out.push_row(row(i, pos), &[dof2, dof1], [-slope, 1.0].into_iter());
        }
        std::cmp::Ordering::Equal => {
            out.push_row(row(i, pos), &[dof1], std::iter::once(1.0 - slope));
        }
    }
}

fn couple_tendons(
    model: &Model,
    tendon: &Tendon,
    i: usize,
    buffer: &mut Buffer,
    out: &mut Constraints,
) {
    let c = &model.eq_data[i];
    let (first, second) = (model.eq_obj1id[i], model.eq_obj2id[i]);
    for id in [first, second].into_iter().filter(|id| *id >= 0) {
        let address = &mut out.tendon_efcadr[id as usize];
        if *address < 0 {
            *address = i as i32;
        }
    }
    let from_reference = |id: i32| {
        let id = id as usize;
        (tendon.ten_length[id], model.tendon_length0[id])
    };
    // Entries of both rows in a dense buffer, columns in order of degree of freedom.
    buffer.row.clear();
    buffer.row.resize(model.nv, 0.0);
    buffer.column.clear();
    let mut add = |id: i32, scale: f64| {
        for_each_tendon_entry(model, tendon, id as usize, |column, value| {
            buffer.row[column as usize] += value * scale;
            buffer.column.push(column);
        });
    };
    add(first, 1.0);
    let (length, reference) = from_reference(first);
    let mut pos = length - reference - c[0];
    if second >= 0 {
        let (length, reference) = from_reference(second);
        let (follow, slope) = polynomial(c, length - reference);
        pos -= follow;
        add(second, -slope);
    }
    buffer.column.sort_unstable();
    buffer.column.dedup();
    let is_zero = buffer.row.iter().all(|value| *value == 0.0);
    if buffer.column.is_empty() || (is_zero && !is_sparse(model)) {
        return;
    }
    let values = buffer
        .column
        .iter()
        .map(|column| buffer.row[*column as usize]);
    let start = out.efc_J.len();
    out.efc_J.extend(values);
    out.efc_J_colind.extend_from_slice(&buffer.column);
    out.finish_row(row(i, pos), start);
}
