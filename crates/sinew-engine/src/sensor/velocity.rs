//! Sensors of the velocity stage.

use super::frame::{self, Frame};
use super::position::limit_row;
use crate::data::Data;
use crate::pipeline;
use crate::velocity::object::{velocity_in_frame, velocity_in_world};
use sinew_math::spatial::{Spatial, rotation, translation};
use sinew_model::Model;
use sinew_model::kinds::{ObjectType, SensorType};

pub(super) fn compute(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    kind: SensorType,
    out: &mut [f64],
) {
    let id = model.sensor_objid[sensor] as usize;
    let needs_momentum = matches!(kind, SensorType::Subtreelinvel | SensorType::Subtreeangmom);
    if needs_momentum && !data.velocity.momentum.is_current {
        pipeline::velocity::momentum(model, data);
    }
    let qvel = &data.state.qvel;
    match kind {
        SensorType::Velocimeter => {
            out.copy_from_slice(&translation(&site_velocity(model, data, id)).0);
        }
        SensorType::Gyro => out.copy_from_slice(&rotation(&site_velocity(model, data, id)).0),
        SensorType::Jointvel => out[0] = qvel[model.jnt_dofadr[id] as usize],
        SensorType::Tendonvel => out[0] = data.velocity.length.ten_velocity[id],
        SensorType::Actuatorvel => out[0] = data.velocity.length.actuator_velocity[id],
        SensorType::Ballangvel => {
            let dof = model.jnt_dofadr[id] as usize;
            out.copy_from_slice(&qvel[dof..dof + 3]);
        }
        SensorType::Jointlimitvel | SensorType::Tendonlimitvel => {
            let row = limit_row(&data.position.constraints, kind, id);
            out[0] = row.map_or(0.0, |row| data.velocity.reference.efc_vel[row]);
        }
        SensorType::Framelinvel => {
            out.copy_from_slice(&translation(&frame_velocity(model, data, sensor)).0);
        }
        SensorType::Frameangvel => {
            out.copy_from_slice(&rotation(&frame_velocity(model, data, sensor)).0);
        }
        SensorType::Subtreelinvel => {
            out.copy_from_slice(&data.velocity.momentum.subtree_linvel[id].0);
        }
        SensorType::Subtreeangmom => {
            out.copy_from_slice(&data.velocity.momentum.subtree_angmom[id].0);
        }
        _ => {}
    }
}

/// Velocity of a site in its own axes.
fn site_velocity(model: &Model, data: &Data, site: usize) -> Spatial {
    let Frame { body, pos, mat } = frame::of(model, data, ObjectType::Site.code(), site);
    velocity_in_frame(
        model,
        &data.position.com,
        &data.velocity.com,
        body,
        (pos, &mat),
    )
}

/// Velocity of an object in the world, or as seen from the reference frame that moves itself.
fn frame_velocity(model: &Model, data: &Data, sensor: usize) -> Spatial {
    let id = model.sensor_objid[sensor] as usize;
    let object = frame::of(model, data, model.sensor_objtype[sensor], id);
    let in_world = |frame: &Frame| {
        velocity_in_world(
            model,
            &data.position.com,
            &data.velocity.com,
            frame.body,
            frame.pos,
        )
    };
    let velocity = in_world(&object);
    let Some(reference) = frame::reference(model, data, sensor) else {
        return velocity;
    };
    let carrier = in_world(&reference);
    object.relative_velocity(&velocity, &reference, &carrier)
}
