//! Velocities of frames attached to bodies.

use super::com::ComVelocity;
use crate::position::com::Com;
use sinew_math::spatial::{Spatial, into_axes, shift_motion};
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;

/// Velocity of a point fixed in a body, world axes: rotation, translation.
#[doc(alias = "mj_objectVelocity")]
#[inline]
pub(crate) fn velocity_in_world(
    model: &Model,
    com: &Com,
    velocity: &ComVelocity,
    body: usize,
    point: Vec3,
) -> Spatial {
    if model.body_weldid[body] == 0 {
        return [0.0; 6];
    }
    let origin = com.subtree_com[model.body_rootid[body] as usize];
    shift_motion(&velocity.cvel[body], point, origin)
}

/// Velocity of a frame fixed in a body, in its own axes: rotation, translation.
#[inline]
pub(crate) fn velocity_in_frame(
    model: &Model,
    com: &Com,
    velocity: &ComVelocity,
    body: usize,
    (point, axes): (Vec3, &Mat3),
) -> Spatial {
    into_axes(&velocity_in_world(model, com, velocity, body, point), axes)
}
