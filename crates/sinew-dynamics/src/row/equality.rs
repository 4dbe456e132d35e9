//! Equality constraints.
//!
//! *Connect* holds two points together (3 rows); *weld* holds two frames together (6 rows, the
//! rotation error being the vector part of the relative quaternion times the torque scale);
//! *joint* ties one scalar to a quartic polynomial of another (1 row).

use super::{Form, NewRows, Row, Source};
use crate::com::ComRef;
use crate::jacobian::{Moves, difference_column, for_each_dof_of_pair, offset};
use crate::kinematics::KinematicsRef;
use sinew_math::series::{Cells, Series};
use sinew_math::spatial::rotation;
use sinew_math::{Lift, Mask, Quat, Real, Vec3};
use sinew_model::kinds::{Constraint, EqualityType, ObjectType};

/// Where everything is.
#[derive(Clone, Copy, Debug)]
pub struct Pose<'a, T = f64> {
    /// Positions.
    pub qpos: &'a Series<T>,
    /// Poses of bodies and sites.
    pub kinematics: KinematicsRef<'a, T>,
    /// Centres of mass and motion axes.
    pub com: ComRef<'a, T>,
}

/// Columns of the Jacobian of one equality, before its rows are told; as long as there are degrees of
/// freedom.
#[derive(Debug)]
pub struct Scratch<'a, T = f64> {
    /// Degrees of freedom.
    pub columns: &'a mut [i32],
    /// Columns of the translation between the points.
    pub translation: &'a mut [Vec3<T>],
    /// Columns of the rotation between the bodies.
    pub rotation: &'a mut [Vec3<T>],
}

/// Rows of one equality, which is active in some lane. Those of tendons are not made here.
#[inline(always)]
pub fn rows<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    pose: &Pose<'_, T>,
    (equality, is_active): (usize, T::Mask),
    form: Form,
    scratch: &mut Scratch<'_, T>,
    out: &mut impl NewRows<T>,
) {
    let given = (equality, is_active);
    match EqualityType::from_code(source.constrained.eq_type[equality]) {
        Some(EqualityType::Connect) => connect(source, pose, given, form, scratch, out),
        Some(EqualityType::Weld) => weld(source, pose, given, form, scratch, out),
        Some(EqualityType::Joint) => couple_joints(source, pose.qpos, given, out),
        _ => {}
    }
}

/// A row of an equality.
#[inline(always)]
pub fn row<T: Real>(equality: usize, pos: T) -> Row<T> {
    Row {
        kind: Constraint::Equality,
        id: equality,
        pos,
        margin: T::ZERO,
        frictionloss: T::ZERO,
    }
}

/// The two objects of an equality.
#[inline(always)]
fn objects<V>(source: &Source<'_, V>, equality: usize) -> [i32; 2] {
    let constrained = &source.constrained;
    [
        constrained.eq_obj1id[equality],
        constrained.eq_obj2id[equality],
    ]
}

#[inline(always)]
fn is_of_bodies<V>(source: &Source<'_, V>, equality: usize) -> bool {
    source.constrained.eq_objtype[equality] == ObjectType::Body.code()
}

/// The two bodies of an equality and its two points in the world. `anchors` are the offsets of the
/// points within the bodies, which sites do not need.
#[inline(always)]
fn bodies_and_points<T: Real, V>(
    source: &Source<'_, V>,
    kinematics: &KinematicsRef<'_, T>,
    equality: usize,
    anchors: [Vec3<T>; 2],
) -> ([usize; 2], [Vec3<T>; 2]) {
    let ids = objects(source, equality).map(|id| id as usize);
    if is_of_bodies(source, equality) {
        let point = |k: usize| kinematics.point(ids[k], anchors[k]);
        (ids, [point(0), point(1)])
    } else {
        let bodies = ids.map(|site| source.attached.site_bodyid[site] as usize);
        (bodies, ids.map(|site| *kinematics.site_xpos.at(site)))
    }
}

/// Fills in the columns of point 0 − point 1 and of the rotation that `turn` makes of an angular
/// velocity, at the end of the slices. Returns where they begin.
#[inline(always)]
fn collect<T: Real, V>(
    source: &Source<'_, V>,
    com: &ComRef<'_, T>,
    (bodies, points): ([usize; 2], [Vec3<T>; 2]),
    turn: impl Fn(Vec3<T>) -> Vec3<T>,
    scratch: &mut Scratch<'_, T>,
) -> usize {
    let tree = &source.tree;
    let at = |k: usize| offset(tree, com.subtree_com, bodies[k], points[k]);
    let offsets = [at(1), at(0)];
    let mut start = scratch.columns.len();
    for_each_dof_of_pair(tree, [bodies[1], bodies[0]], |dof, moves| {
        let cdof = &com.cdof.at(dof);
        start -= 1;
        scratch.columns[start] = dof as i32;
        scratch.translation[start] = difference_column(cdof, moves, offsets);
        scratch.rotation[start] = turn(match moves {
            Moves::Second => rotation(cdof),
            Moves::First => -rotation(cdof),
            Moves::Both => Vec3::zero(),
        });
    });
    start
}

/// Where a constraint with the given columns has rows: a full matrix does not keep rows of zeros.
#[inline(always)]
fn has_rows<'a, T: Real>(
    form: Form,
    mut columns: impl ExactSizeIterator<Item = &'a Vec3<T>>,
) -> T::Mask {
    if form == Form::Full {
        let mut moves = T::Mask::NONE;
        while !moves.all() {
            match columns.next() {
                Some(column) => moves = moves | !column.equals(Vec3::zero()),
                None => break,
            }
        }
        moves
    } else if columns.len() == 0 {
        T::Mask::NONE
    } else {
        T::Mask::ALL
    }
}

/// Tells three rows, one per axis.
#[inline(always)]
fn add_axes<T: Real>(
    exists: T::Mask,
    equality: usize,
    error: [T; 3],
    (columns, entries): (&[i32], &[Vec3<T>]),
    out: &mut impl NewRows<T>,
) {
    for k in 0..3 {
        let entries = entries.iter().map(|column| column[k]);
        out.add(exists, row(equality, error[k]), columns, entries);
    }
}

#[inline(always)]
fn connect<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    pose: &Pose<'_, T>,
    (equality, is_active): (usize, T::Mask),
    form: Form,
    scratch: &mut Scratch<'_, T>,
    out: &mut impl NewRows<T>,
) {
    let d: [T; 11] = source.values.eq_data[equality].lift();
    let anchors = [Vec3([d[0], d[1], d[2]]), Vec3([d[3], d[4], d[5]])];
    let (bodies, points) = bodies_and_points(source, &pose.kinematics, equality, anchors);
    let no_turn = |_| Vec3::zero();
    let start = collect(source, &pose.com, (bodies, points), no_turn, scratch);
    let (columns, entries) = (&scratch.columns[start..], &scratch.translation[start..]);
    let exists = is_active & has_rows(form, entries.iter());
    if exists.any() {
        let error = points[0] - points[1];
        add_axes(exists, equality, error.0, (columns, entries), out);
    }
}

#[inline(always)]
fn weld<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    pose: &Pose<'_, T>,
    (equality, is_active): (usize, T::Mask),
    form: Form,
    scratch: &mut Scratch<'_, T>,
    out: &mut impl NewRows<T>,
) {
    let d: [T; 11] = source.values.eq_data[equality].lift();
    // The first point is the relative position in body 0, the second the anchor in body 1.
    let anchors = [Vec3([d[3], d[4], d[5]]), Vec3([d[0], d[1], d[2]])];
    let (bodies, points) = bodies_and_points(source, &pose.kinematics, equality, anchors);

    // Relative orientation conj(q1)·q0·relpose, whose vector part is the error.
    let of_bodies = [
        *pose.kinematics.xquat.at(bodies[0]),
        *pose.kinematics.xquat.at(bodies[1]),
    ];
    let (target, inverse) = if is_of_bodies(source, equality) {
        let relative = Quat([d[6], d[7], d[8], d[9]]);
        (of_bodies[0] * relative, of_bodies[1].conjugate())
    } else {
        let sites = objects(source, equality);
        let first: Quat<T> = source.site_quat[sites[0] as usize].lift();
        let second: Quat<T> = source.site_quat[sites[1] as usize].lift();
        (of_bodies[0] * first, (of_bodies[1] * second).conjugate())
    };
    let torque_scale = d[10];
    let turn = |velocity| {
        let turned = inverse.mul_axis(velocity) * target;
        let half = T::from_f64(0.5);
        Vec3([half * turned[1], half * turned[2], half * turned[3]]) * torque_scale
    };
    let start = collect(source, &pose.com, (bodies, points), turn, scratch);
    let columns = &scratch.columns[start..];
    let (moving, turning) = (&scratch.translation[start..], &scratch.rotation[start..]);
    let exists = is_active & (has_rows(form, moving.iter()) | has_rows(form, turning.iter()));
    if exists.any() {
        let error = points[0] - points[1];
        add_axes(exists, equality, error.0, (columns, moving), out);
        let [_, x, y, z] = (inverse * target).0;
        let error = [x, y, z].map(|part| part * torque_scale);
        add_axes(exists, equality, error, (columns, turning), out);
    }
}

/// Value and derivative of the polynomial of a coupling, without its constant.
#[inline(always)]
pub fn polynomial<T: Real>(c: &[T; 11], x: T) -> (T, T) {
    let [two, three, four] = [2.0, 3.0, 4.0].map(T::from_f64);
    let value = c[1] * x + c[2] * x * x + c[3] * x * x * x + c[4] * x * x * x * x;
    let slope = c[1] + two * c[2] * x + three * c[3] * x * x + four * c[4] * x * x * x;
    (value, slope)
}

/// The row of an equality of joints.
#[inline(always)]
pub fn couple_joints<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    qpos: &Series<T>,
    (equality, exists): (usize, T::Mask),
    out: &mut impl NewRows<T>,
) {
    let from_reference = |joint: i32| -> T {
        let address = source.tree.jnt_qposadr[joint as usize] as usize;
        qpos[address] - source.qpos0[address].lift()
    };
    let c: [T; 11] = source.values.eq_data[equality].lift();
    let [first, second] = objects(source, equality);
    let dof1 = source.tree.jnt_dofadr[first as usize];
    let pos = from_reference(first) - c[0];
    if second < 0 {
        out.add_few(exists, row(equality, pos), [dof1], [T::ONE]);
        return;
    }
    let (follow, slope) = polynomial(&c, from_reference(second));
    let row = row(equality, pos - follow);
    let dof2 = source.tree.jnt_dofadr[second as usize];
    if dof1 == dof2 {
        out.add_few(exists, row, [dof1], [T::ONE - slope]);
        return;
    }
    let (columns, entries) = match dof1 < dof2 {
        true => ([dof1, dof2], [T::ONE, -slope]),
        false => ([dof2, dof1], [-slope, T::ONE]),
    };
    out.add_few(exists, row, columns, entries);
}
