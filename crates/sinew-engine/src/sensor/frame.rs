//! Frames of the objects that sensors are attached to.

use crate::data::Data;
pub(super) use sinew_dynamics::sense::Frame;
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// The frame of a body (inertial or regular), geom, site or camera.
pub(super) fn of(model: &Model, data: &Data, kind: i32, id: usize) -> Frame {
    let (k, view) = (&data.position.kinematics, &data.position.view);
    let (body, pos, mat) = match ObjectType::from_code(kind) {
        Some(ObjectType::Xbody) => (id, k.xpos[id], k.xmat[id]),
        Some(ObjectType::Body) => (id, k.xipos[id], k.ximat[id]),
        Some(ObjectType::Geom) => (
            model.geom_bodyid[id] as usize,
            k.geom_xpos[id],
            k.geom_xmat[id],
        ),
        Some(ObjectType::Site) => (
            model.site_bodyid[id] as usize,
            k.site_xpos[id],
            k.site_xmat[id],
        ),
        Some(ObjectType::Camera) => (
            model.cam_bodyid[id] as usize,
            view.cam_xpos[id],
            view.cam_xmat[id],
        ),
        _ => (0, Vec3::ZERO, Mat3::IDENTITY),
    };
    Frame { body, pos, mat }
}

/// The orientation of an object as a quaternion.
pub(super) fn quat(model: &Model, data: &Data, kind: i32, id: usize) -> Quat {
    let xquat = &data.position.kinematics.xquat;
    match ObjectType::from_code(kind) {
        Some(ObjectType::Xbody) => xquat[id],
        Some(ObjectType::Body) => xquat[id] * model.body_iquat[id],
        Some(ObjectType::Geom) => xquat[model.geom_bodyid[id] as usize] * model.geom_quat[id],
        Some(ObjectType::Site) => xquat[model.site_bodyid[id] as usize] * model.site_quat[id],
        Some(ObjectType::Camera) => xquat[model.cam_bodyid[id] as usize] * model.cam_quat[id],
        _ => Quat::IDENTITY,
    }
}

/// The sensor's reference frame, if it has one.
pub(super) fn reference(model: &Model, data: &Data, sensor: usize) -> Option<Frame> {
    let id = usize::try_from(model.sensor_refid[sensor]).ok()?;
    Some(of(model, data, model.sensor_reftype[sensor], id))
}
