//! Poses of bodies, joints, geoms and sites in the world.
//!
//! A body's frame is its parent's, moved by the fixed offset and then by its joints in order: a
//! joint rotates about, or slides along, an axis fixed in the frame reached so far. A free joint
//! sets the pose itself. Quaternions in `qpos` are used normalised and left as they are. Conforms
//! to MuJoCo's `mj_kinematics`.

use crate::state::{Input, State};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{JointType, SameFrame};

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

impl Kinematics {
    /// World position of a point in a body.
    #[inline]
    pub(crate) fn point(&self, body: usize, local: Vec3) -> Vec3 {
        self.xmat[body] * local + self.xpos[body]
    }
}

pub(crate) fn vec3_at(q: &[f64], address: usize) -> Vec3 {
    Vec3([q[address], q[address + 1], q[address + 2]])
}

pub(crate) fn quat_at(q: &[f64], address: usize) -> Quat {
    Quat([q[address], q[address + 1], q[address + 2], q[address + 3]])
}

/// Poses of all bodies, joints, geoms and sites.
#[doc(alias = "mj_kinematics")]
pub(crate) fn compute(model: &Model, state: &State, input: &Input, out: &mut Kinematics) {
    bodies(model, state, input, out);
    attached(model, out);
}

fn bodies(model: &Model, state: &State, input: &Input, out: &mut Kinematics) {
    out.xpos[0] = Vec3::ZERO;
    out.xquat[0] = Quat::IDENTITY;
    out.xmat[0] = Mat3::IDENTITY;
    out.xipos[0] = Vec3::ZERO;
    out.ximat[0] = Mat3::IDENTITY;

    // The pose made last, at hand for a child that follows: reading it back from memory that was
    // just written would wait for the writes.
    let mut last = Pose {
        body: 0,
        pos: Vec3::ZERO,
        quat: Quat::IDENTITY,
        mat: Mat3::IDENTITY,
    };
    for i in 1..model.nbody {
        let joints = model.body_jntnum[i] as usize;
        let first = model.body_jntadr[i] as usize;
        let is_free = joints == 1 && model.jnt_type[first] == JointType::Free.code();
        let (pos, quat) = if is_free {
            let address = model.jnt_qposadr[first] as usize;
            let pos = vec3_at(&state.qpos, address);
            out.xanchor[first] = pos;
            out.xaxis[first] = model.jnt_axis[first];
            (pos, quat_at(&state.qpos, address + 3).normalized())
        } else {
            let start = offset_from_parent(model, input, out, &last, i);
            along_joints(model, state, out, first..first + joints, start)
        };
        let quat = quat.normalized();
        last = Pose {
            body: i,
            pos,
            quat,
            mat: quat.to_mat(),
        };
        out.xpos[i] = pos;
        out.xquat[i] = quat;
        out.xmat[i] = last.mat;
    }
}

/// A body's pose.
struct Pose {
    body: usize,
    pos: Vec3,
    quat: Quat,
    mat: Mat3,
}

/// The body's pose with all joints at their reference.
#[inline]
fn offset_from_parent(
    model: &Model,
    input: &Input,
    out: &Kinematics,
    last: &Pose,
    i: usize,
) -> (Vec3, Quat) {
    let (pos, quat) = match usize::try_from(model.body_mocapid[i]) {
        Ok(mocap) => (input.mocap_pos[mocap], input.mocap_quat[mocap].normalized()),
        Err(_) => (model.body_pos[i], model.body_quat[i]),
    };
    match model.body_parentid[i] as usize {
        0 => (pos, quat),
        parent if parent == last.body => (last.mat * pos + last.pos, last.quat * quat),
        parent => (out.point(parent, pos), out.xquat[parent] * quat),
    }
}

/// Applies joints in order; records their anchors and axes.
fn along_joints(
    model: &Model,
    state: &State,
    out: &mut Kinematics,
    joints: core::ops::Range<usize>,
    (mut pos, mut quat): (Vec3, Quat),
) -> (Vec3, Quat) {
    for j in joints {
        let address = model.jnt_qposadr[j] as usize;
        let local_pos = model.jnt_pos[j];
        let axis = quat.rotate(model.jnt_axis[j]);
        // Most joints sit at the origin of their body, where turning moves nothing.
        let is_at_origin = local_pos == Vec3::ZERO;
        let anchor = match is_at_origin {
            true => pos,
            false => quat.rotate(local_pos) + pos,
        };
        match JointType::from_code(model.jnt_type[j]) {
            Some(JointType::Slide) => {
                let displacement = state.qpos[address] - model.qpos0[address];
                pos = pos.add_scaled(axis, displacement);
            }
            kind => {
                let rotation = if kind == Some(JointType::Ball) {
                    quat_at(&state.qpos, address).normalized()
                } else {
                    let angle = state.qpos[address] - model.qpos0[address];
                    Quat::from_axis_angle(model.jnt_axis[j], angle)
                };
                // The anchor stays where it is while the body turns about it.
                quat = quat * rotation;
                if !is_at_origin {
                    pos = anchor - quat.rotate(local_pos);
                }
            }
        }
        out.xanchor[j] = anchor;
        out.xaxis[j] = axis;
    }
    (pos, quat)
}

/// Frames that are fixed in bodies. Where the model says two frames coincide, they are copied.
fn attached(model: &Model, out: &mut Kinematics) {
    let poses = Poses {
        pos: &out.xpos,
        quat: &out.xquat,
        mat: &out.xmat,
    };
    for i in 1..model.nbody {
        let local = (model.body_ipos[i], &model.body_iquat[i]);
        let frame = (&mut out.xipos[i], &mut out.ximat[i]);
        poses.attach(i, local, model.body_sameframe[i], None, frame);
    }
    let inertia = |body: usize| Some((out.xipos[body], &out.ximat[body]));
    for i in 0..model.ngeom {
        let body = model.geom_bodyid[i] as usize;
        let local = (model.geom_pos[i], &model.geom_quat[i]);
        let frame = (&mut out.geom_xpos[i], &mut out.geom_xmat[i]);
        poses.attach(body, local, model.geom_sameframe[i], inertia(body), frame);
    }
    for i in 0..model.nsite {
        let body = model.site_bodyid[i] as usize;
        let local = (model.site_pos[i], &model.site_quat[i]);
        let frame = (&mut out.site_xpos[i], &mut out.site_xmat[i]);
        poses.attach(body, local, model.site_sameframe[i], inertia(body), frame);
    }
}

/// Poses of all bodies.
#[derive(Clone, Copy)]
struct Poses<'a> {
    pos: &'a [Vec3],
    quat: &'a [Quat],
    mat: &'a [Mat3],
}

impl Poses<'_> {
    /// Writes the world pose of a frame fixed in a body.
    #[doc(alias = "mj_local2Global")]
    #[inline(always)]
    fn attach(
        self,
        body: usize,
        (pos, quat): (Vec3, &Quat),
        same: u8,
        inertia: Option<(Vec3, &Mat3)>,
        (out_pos, out_mat): (&mut Vec3, &mut Mat3),
    ) {
        const BODY: u8 = SameFrame::Body.code() as u8;
        const INERTIA: u8 = SameFrame::Inertia.code() as u8;
        const BODY_ROTATION: u8 = SameFrame::Bodyrot.code() as u8;
        const INERTIA_ROTATION: u8 = SameFrame::Inertiarot.code() as u8;
        let mat = &self.mat[body];
        *out_pos = match (same, inertia) {
            (BODY, _) => self.pos[body],
            (INERTIA, Some((center, _))) => center,
            _ => *mat * pos + self.pos[body],
        };
        *out_mat = match (same, inertia) {
            (BODY | BODY_ROTATION, _) => *mat,
            (INERTIA | INERTIA_ROTATION, Some((_, axes))) => *axes,
            _ => (self.quat[body] * *quat).to_mat(),
        };
    }
}
