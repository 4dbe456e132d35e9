//! Sensors of the position stage.

use super::{distance, frame, rangefinder};
use crate::data::Data;
use crate::pipeline;
use crate::position::constraint::Constraints;
use core::f64::consts::PI;
use sinew_dynamics::joint::quat_at;
use sinew_dynamics::sense::is_inside;
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{Constraint, GeomType, SensorType};

pub(super) fn compute(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    kind: SensorType,
    out: &mut [f64],
) {
    let id = model.sensor_objid[sensor] as usize;
    let object_type = model.sensor_objtype[sensor];
    let position = &data.position;
    match kind {
        SensorType::Magnetometer => {
            let field = position.kinematics.site_xmat[id].transpose_mul(model.opt.magnetic);
            out.copy_from_slice(&field.0);
        }
        SensorType::Camprojection => {
            let camera = model.sensor_refid[sensor] as usize;
            let pixel = project(model, data, camera, position.kinematics.site_xpos[id]);
            out.copy_from_slice(&pixel);
        }
        SensorType::Rangefinder => rangefinder::compute(model, data, sensor, out),
        SensorType::Jointpos => out[0] = data.state.qpos[model.jnt_qposadr[id] as usize],
        SensorType::Tendonpos => out[0] = position.tendon.ten_length[id],
        SensorType::Actuatorpos => out[0] = position.transmission.actuator_length[id],
        SensorType::Ballquat => {
            let quat = quat_at(&data.state.qpos, model.jnt_qposadr[id] as usize);
            out.copy_from_slice(&quat.normalized().0);
        }
        SensorType::Jointlimitpos | SensorType::Tendonlimitpos => {
            let constraints = &position.constraints;
            out[0] = limit_row(constraints, kind, id).map_or(0.0, |row| {
                constraints.efc_pos[row] - constraints.efc_margin[row]
            });
        }
        SensorType::Framepos => {
            let object = frame::of(model, data, object_type, id);
            let pos = object.position(frame::reference(model, data, sensor).as_ref());
            out.copy_from_slice(&pos.0);
        }
        SensorType::Framexaxis => axis(model, data, sensor, 0, out),
        SensorType::Frameyaxis => axis(model, data, sensor, 1, out),
        SensorType::Framezaxis => axis(model, data, sensor, 2, out),
        SensorType::Framequat => {
            let quat = frame::quat(model, data, object_type, id);
            let quat = match usize::try_from(model.sensor_refid[sensor]) {
                Err(_) => quat,
                Ok(reference) => {
                    let reference_type = model.sensor_reftype[sensor];
                    frame::quat(model, data, reference_type, reference).conjugate() * quat
                }
            };
            out.copy_from_slice(&quat.0);
        }
        SensorType::Subtreecom => out.copy_from_slice(&position.com.subtree_com[id].0),
        SensorType::Insidesite => {
            let point = frame::of(model, data, object_type, id).pos;
            let site = model.sensor_refid[sensor] as usize;
            let is_inside = is_inside(
                GeomType::from_code(model.site_type[site]),
                model.site_size[site],
                (
                    position.kinematics.site_xpos[site],
                    &position.kinematics.site_xmat[site],
                ),
                point,
            );
            out[0] = f64::from(u8::from(is_inside));
        }
        SensorType::Geomdist | SensorType::Geomnormal | SensorType::Geomfromto => {
            distance::compute(model, data, sensor, kind, out);
        }
        SensorType::EPotential => {
            if !data.energy.has_potential {
                pipeline::position::energy(model, data);
            }
            out[0] = data.energy.values[0];
        }
        SensorType::EKinetic => {
            if !data.energy.has_kinetic {
                pipeline::velocity::energy(model, data);
            }
            out[0] = data.energy.values[1];
        }
        SensorType::Clock => out[0] = data.state.time,
        _ => {}
    }
}

/// The first row of the limit of a joint or tendon that a sensor is about.
pub(super) fn limit_row(constraints: &Constraints, kind: SensorType, id: usize) -> Option<usize> {
    let limit = match kind {
        SensorType::Jointlimitpos | SensorType::Jointlimitvel | SensorType::Jointlimitfrc => {
            Constraint::LimitJoint
        }
        _ => Constraint::LimitTendon,
    };
    let first = constraints.ne + constraints.nf;
    (first..first + constraints.nl).find(|&row| {
        constraints.efc_type[row] == limit.code() && constraints.efc_id[row] as usize == id
    })
}

/// One axis of the object's frame, in the reference frame if there is one.
fn axis(model: &Model, data: &Data, sensor: usize, index: usize, out: &mut [f64]) {
    let id = model.sensor_objid[sensor] as usize;
    let object = frame::of(model, data, model.sensor_objtype[sensor], id);
    let axis = object.axis(index, frame::reference(model, data, sensor).as_ref());
    out.copy_from_slice(&axis.0);
}

/// Pixel coordinates of a point in a camera's image. Focal lengths in pixels are formed in single
/// precision, as the model stores them.
fn project(model: &Model, data: &Data, camera: usize, point: Vec3) -> [f64; 2] {
    let view = &data.position.view;
    let [width, height] = model.cam_resolution[camera];
    let [sensor_width, sensor_height] = model.cam_sensorsize[camera];
    let (fx, fy) = if sensor_width != 0.0 && sensor_height != 0.0 {
        let [focal_x, focal_y, ..] = model.cam_intrinsic[camera];
        (
            f64::from(focal_x / sensor_width * width as f32),
            f64::from(focal_y / sensor_height * height as f32),
        )
    } else {
        let half_angle = model.cam_fovy[camera] * PI / 360.0;
        let focal = 0.5 / libm::tan(half_angle) * f64::from(height);
        (focal, focal)
    };
    // Rows of the matrix that takes a point of the world to pixels times depth, and to depth: sums
    // of the camera's axes, each with a factor, moved to the camera's place.
    let (axes, place) = (&view.cam_xmat[camera], view.cam_xpos[camera]);
    let row = |parts: &[(f64, usize)]| {
        let (mut direction, mut shift) = (Vec3::ZERO, 0.0);
        for &(factor, axis) in parts {
            for k in 0..3 {
                let entry = factor * axes[3 * k + axis];
                direction[k] += entry;
                shift -= entry * place[k];
            }
        }
        direction.dot(point) + shift
    };
    let x = row(&[(-fx, 0), (f64::from(width) / 2.0, 2)]);
    let y = row(&[(fy, 1), (f64::from(height) / 2.0, 2)]);
    let mut depth = row(&[(1.0, 2)]);
    if depth.abs() < MIN_VALUE {
        depth = if depth < 0.0 { -MIN_VALUE } else { MIN_VALUE };
    }
    [x / depth, y / depth]
}
