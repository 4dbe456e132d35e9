//! Sensors of the acceleration stage.

use super::frame::{self, Frame};
use super::position::limit_row;
use super::{contact, tactile, touch};
use crate::data::Data;
use crate::pipeline;
use crate::query::Axes;
use sinew_math::spatial::{Spatial, into_axes, rotation, shift_force, translation};
use sinew_model::Model;
use sinew_model::kinds::{ObjectType, SensorType, TransmissionType};

pub(super) fn compute(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    kind: SensorType,
    out: &mut [f64],
) {
    let id = model.sensor_objid[sensor] as usize;
    let needs_body_forces = matches!(
        kind,
        SensorType::Accelerometer
            | SensorType::Force
            | SensorType::Torque
            | SensorType::Framelinacc
            | SensorType::Frameangacc
    );
    if needs_body_forces && !data.acceleration.body_force.is_current {
        pipeline::acceleration::body_force(model, data);
    }
    let actuation = &data.acceleration.actuation;
    match kind {
        SensorType::Accelerometer => {
            if let Ok(a) = data.object_acceleration(model, ObjectType::Site, id, Axes::Local) {
                out.copy_from_slice(&translation(&a).0);
            }
        }
        SensorType::Force => out.copy_from_slice(&translation(&force_at_site(model, data, id)).0),
        SensorType::Torque => out.copy_from_slice(&rotation(&force_at_site(model, data, id)).0),
        SensorType::Actuatorfrc => out[0] = actuation.actuator_force[id],
        SensorType::Jointactfrc => {
            out[0] = actuation.qfrc_actuator[model.jnt_dofadr[id] as usize];
        }
        SensorType::Tendonactfrc => {
            let mut force = 0.0;
            for i in 0..model.nu {
                let on_tendon = model.actuator_trntype[i] == TransmissionType::Tendon.code();
                if on_tendon && model.actuator_trnid[i][0] as usize == id {
                    force += actuation.actuator_force[i];
                }
            }
            out[0] = force;
        }
        SensorType::Jointlimitfrc | SensorType::Tendonlimitfrc => {
            let row = limit_row(&data.position.constraints, kind, id);
            // Rows made after the last solution have no force yet.
            let forces = &data.acceleration.solution.efc_force;
            out[0] = row
                .and_then(|row| forces.get(row))
                .map_or(0.0, |force| *force);
        }
        SensorType::Touch => out[0] = touch::compute(model, data, id),
        SensorType::Contact => contact::compute(model, data, sensor, out),
        SensorType::Tactile => tactile::compute(model, data, sensor, out),
        SensorType::Framelinacc | SensorType::Frameangacc => {
            let object = ObjectType::from_code(model.sensor_objtype[sensor]);
            let acceleration = object.and_then(|object| {
                data.object_acceleration(model, object, id, Axes::World)
                    .ok()
            });
            if let Some(a) = acceleration {
                let is_linear = kind == SensorType::Framelinacc;
                let part = if is_linear {
                    translation(&a)
                } else {
                    rotation(&a)
                };
                out.copy_from_slice(&part.0);
            }
        }
        _ => {}
    }
}

/// Force and torque between a site's body and its parent, at the site and in its axes.
fn force_at_site(model: &Model, data: &Data, site: usize) -> Spatial {
    let Frame { body, pos, mat } = frame::of(model, data, ObjectType::Site.code(), site);
    let origin = data.position.com.subtree_com[model.body_rootid[body] as usize];
    let force = shift_force(&data.acceleration.body_force.cfrc_int[body], pos, origin);
    into_axes(&force, &mat)
}
