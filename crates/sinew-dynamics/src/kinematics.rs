//! Poses of bodies, joints, geoms and sites in the world.
//!
//! A body's frame is its parent's, moved by the fixed offset and then by its joints in order: a
//! joint rotates about, or slides along, an axis fixed in the frame reached so far. A free joint
//! sets the pose itself. Quaternions in `qpos` are used normalised and left as they are. Conforms
//! to MuJoCo's `mj_kinematics`.

use crate::joint::{quat_at, vec3_at};
use core::ops::Range;
use sinew_math::series::{Cells, Series};
use sinew_math::{Lift, Mask, Mat3, Quat, Real, Vec3};
use sinew_model::kinds::{JointType, SameFrame};
use sinew_model::view::{Attached, AttachedValues, Tree, TreeValues};

sinew_model::columns! {
    /// Poses in the world frame.
    pub struct Kinematics<T>(KinematicsRef, KinematicsMut) for Model {
        sizes {
            /// Bodies.
            nbody,
            /// Joints.
            njnt,
            /// Geoms.
            ngeom,
            /// Sites.
            nsite,
        }
        columns {
            /// Body positions.
            xpos: nbody x Vec3<T>,
            /// Body orientations.
            xquat: nbody x Quat<T>,
            /// Body orientations.
            xmat: nbody x Mat3<T>,
            /// Centres of mass.
            xipos: nbody x Vec3<T>,
            /// Orientations of the principal axes.
            ximat: nbody x Mat3<T>,
            /// Joint anchors.
            xanchor: njnt x Vec3<T>,
            /// Joint axes.
            xaxis: njnt x Vec3<T>,
            /// Geom positions.
            geom_xpos: ngeom x Vec3<T>,
            /// Geom orientations.
            geom_xmat: ngeom x Mat3<T>,
            /// Site positions.
            site_xpos: nsite x Vec3<T>,
            /// Site orientations.
            site_xmat: nsite x Mat3<T>,
        }
    }
}

#[cfg(feature = "std")]
impl Kinematics {
    /// World position of a point in a body.
    #[inline]
    pub fn point(&self, body: usize, local: Vec3) -> Vec3 {
        self.as_ref().point(body, local)
    }
}

impl<T: Real> KinematicsRef<'_, T> {
    /// World position of a point in a body.
    #[inline(always)]
    pub fn point(&self, body: usize, local: Vec3<T>) -> Vec3<T> {
        *self.xmat.at(body) * local + *self.xpos.at(body)
    }
}

/// What moves bodies: positions of the joints, poses of the mocap bodies.
#[derive(Clone, Copy, Debug)]
pub struct Coordinates<'a, T = f64> {
    /// Positions.
    pub qpos: &'a Series<T>,
    /// Positions of mocap bodies.
    pub mocap_pos: &'a [Vec3<T>],
    /// Orientations of mocap bodies.
    pub mocap_quat: &'a [Quat<T>],
}

/// A body's pose.
#[derive(Clone, Copy)]
struct Pose<T> {
    body: usize,
    pos: Vec3<T>,
    quat: Quat<T>,
    mat: Mat3<T>,
}

/// Poses of bodies and of their joints. The world, if it is in the range, is at the origin.
#[inline(always)]
pub fn bodies<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    coordinates: &Coordinates<'_, T>,
    bodies: Range<usize>,
    out: &mut KinematicsMut<'_, T>,
) {
    // The pose made last, at hand for a child that follows: reading it back from memory that was
    // just written would wait for the writes.
    let mut last = Pose {
        body: 0,
        pos: Vec3::zero(),
        quat: Quat::identity(),
        mat: Mat3::identity(),
    };
    if bodies.start == 0 && !bodies.is_empty() {
        (*out.xpos.at_mut(0), *out.xipos.at_mut(0)) = (last.pos, last.pos);
        *out.xquat.at_mut(0) = last.quat;
        (*out.xmat.at_mut(0), *out.ximat.at_mut(0)) = (last.mat, last.mat);
    }
    for i in bodies.start.max(1)..bodies.end {
        let joints = tree.body_jntnum[i] as usize;
        let first = tree.body_jntadr[i] as usize;
        let is_free = joints == 1 && tree.jnt_type[first] == JointType::Free.code();
        let (pos, quat) = if is_free {
            let address = tree.jnt_qposadr[first] as usize;
            let pos = vec3_at(coordinates.qpos, address);
            *out.xanchor.at_mut(first) = pos;
            *out.xaxis.at_mut(first) = values.jnt_axis[first].lift();
            (pos, quat_at(coordinates.qpos, address + 3).normalized())
        } else {
            let start = offset_from_parent(tree, values, coordinates, out, &last, i);
            let joints = first..first + joints;
            along_joints(tree, values, coordinates.qpos, joints, start, out)
        };
        let quat = quat.normalized();
        last = Pose {
            body: i,
            pos,
            quat,
            mat: quat.to_mat(),
        };
        *out.xpos.at_mut(i) = pos;
        *out.xquat.at_mut(i) = quat;
        *out.xmat.at_mut(i) = last.mat;
    }
}

/// The body's pose with all joints at their reference.
#[inline(always)]
fn offset_from_parent<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    coordinates: &Coordinates<'_, T>,
    out: &KinematicsMut<'_, T>,
    last: &Pose<T>,
    i: usize,
) -> (Vec3<T>, Quat<T>) {
    let (pos, quat) = match usize::try_from(tree.body_mocapid[i]) {
        Ok(mocap) => (
            coordinates.mocap_pos[mocap],
            coordinates.mocap_quat[mocap].normalized(),
        ),
        Err(_) => (values.body_pos[i].lift(), values.body_quat[i].lift()),
    };
    match tree.body_parentid[i] as usize {
        0 => (pos, quat),
        parent if parent == last.body => (last.mat * pos + last.pos, last.quat * quat),
        parent => (
            *out.xmat.at(parent) * pos + *out.xpos.at(parent),
            *out.xquat.at(parent) * quat,
        ),
    }
}

/// Applies joints in order; records their anchors and axes.
#[inline(always)]
fn along_joints<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    qpos: &Series<T>,
    joints: Range<usize>,
    (mut pos, mut quat): (Vec3<T>, Quat<T>),
    out: &mut KinematicsMut<'_, T>,
) -> (Vec3<T>, Quat<T>) {
    for j in joints {
        let address = tree.jnt_qposadr[j] as usize;
        let local_pos: Vec3<T> = values.jnt_pos[j].lift();
        let local_axis: Vec3<T> = values.jnt_axis[j].lift();
        let axis = quat.rotate(local_axis);
        // Most joints sit at the origin of their body, where turning moves nothing.
        let is_at_origin = local_pos.equals(Vec3::zero());
        let anchor = match is_at_origin.all() {
            true => pos,
            false => Vec3::select(is_at_origin, pos, quat.rotate(local_pos) + pos),
        };
        match JointType::from_code(tree.jnt_type[j]) {
            Some(JointType::Slide) => {
                let displacement = qpos[address] - values.qpos0[address].lift();
                pos = pos.add_scaled(axis, displacement);
            }
            kind => {
                let rotation = if kind == Some(JointType::Ball) {
                    quat_at(qpos, address).normalized()
                } else {
                    let angle = qpos[address] - values.qpos0[address].lift();
                    Quat::from_axis_angle(local_axis, angle)
                };
                // The anchor stays where it is while the body turns about it.
                quat = quat * rotation;
                if !is_at_origin.all() {
                    let turned = anchor - quat.rotate(local_pos);
                    pos = Vec3::select(is_at_origin, pos, turned);
                }
            }
        }
        *out.xanchor.at_mut(j) = anchor;
        *out.xaxis.at_mut(j) = axis;
    }
    (pos, quat)
}

/// Centres of mass and principal axes of bodies.
#[inline(always)]
pub fn inertial_frames<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    bodies: Range<usize>,
    out: &mut KinematicsMut<'_, T>,
) {
    for i in bodies.start.max(1)..bodies.end {
        let local = (values.body_ipos[i], values.body_iquat[i]);
        let same = tree.body_sameframe[i];
        (*out.xipos.at_mut(i), *out.ximat.at_mut(i)) = attach(out, i, local, same, Inertial::Made);
    }
}

/// Poses of geoms.
#[inline(always)]
pub fn geoms<T: Real, V: Lift<T>>(
    attached: &Attached<'_>,
    values: &AttachedValues<'_, V>,
    geoms: Range<usize>,
    out: &mut KinematicsMut<'_, T>,
) {
    for i in geoms {
        let body = attached.geom_bodyid[i] as usize;
        let local = (values.geom_pos[i], values.geom_quat[i]);
        let same = attached.geom_sameframe[i];
        (*out.geom_xpos.at_mut(i), *out.geom_xmat.at_mut(i)) =
            attach(out, body, local, same, Inertial::Known);
    }
}

/// Poses of sites.
#[inline(always)]
pub fn sites<T: Real, V: Lift<T>>(
    attached: &Attached<'_>,
    values: &AttachedValues<'_, V>,
    sites: Range<usize>,
    out: &mut KinematicsMut<'_, T>,
) {
    for i in sites {
        let body = attached.site_bodyid[i] as usize;
        let local = (values.site_pos[i], values.site_quat[i]);
        let same = attached.site_sameframe[i];
        (*out.site_xpos.at_mut(i), *out.site_xmat.at_mut(i)) =
            attach(out, body, local, same, Inertial::Known);
    }
}

/// Whether the inertial frame of a body is known or just being made.
#[derive(Clone, Copy, PartialEq)]
enum Inertial {
    Known,
    Made,
}

/// The world pose of a frame fixed in a body. Where the model says that it coincides with the body's
/// or its inertial frame, that one is copied.
#[doc(alias = "mj_local2Global")]
#[inline(always)]
fn attach<T: Real, V: Lift<T>>(
    made: &KinematicsMut<'_, T>,
    body: usize,
    (pos, quat): (Vec3<V>, Quat<V>),
    same: u8,
    inertial: Inertial,
) -> (Vec3<T>, Mat3<T>) {
    const BODY: u8 = SameFrame::Body.code() as u8;
    const INERTIA: u8 = SameFrame::Inertia.code() as u8;
    const BODY_ROTATION: u8 = SameFrame::Bodyrot.code() as u8;
    const INERTIA_ROTATION: u8 = SameFrame::Inertiarot.code() as u8;
    let world_pos = match (same, inertial) {
        (BODY, _) => *made.xpos.at(body),
        (INERTIA, Inertial::Known) => *made.xipos.at(body),
        _ => *made.xmat.at(body) * pos.lift() + *made.xpos.at(body),
    };
    let world_mat = match (same, inertial) {
        (BODY | BODY_ROTATION, _) => *made.xmat.at(body),
        (INERTIA | INERTIA_ROTATION, Inertial::Known) => *made.ximat.at(body),
        _ => (*made.xquat.at(body) * quat.lift()).to_mat(),
    };
    (world_pos, world_mat)
}
