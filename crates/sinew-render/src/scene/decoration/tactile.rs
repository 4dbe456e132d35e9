//! Readings of tactile sensors: triangles over the geom that feels, in the colour of what they feel.

use super::Desk;
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::kinds::{ObjectType, SensorType};

pub(super) fn add(desk: &mut Desk<'_>) {
    if !desk.options.contact_points {
        return;
    }
    for sensor in 0..desk.model.nsensor {
        if SensorType::from_code(desk.model.sensor_type[sensor]) == Some(SensorType::Tactile) {
            add_sensor(desk, sensor);
        }
    }
}

fn add_sensor(desk: &mut Desk<'_>, sensor: usize) {
    let (model, data) = (desk.model, desk.data);
    let (Ok(mesh), Ok(geom)) = (
        usize::try_from(model.sensor_objid[sensor]),
        usize::try_from(model.sensor_refid[sensor]),
    ) else {
        return;
    };
    let count = model.mesh_vertnum[mesh].max(0) as usize;
    let first = model.sensor_adr[sensor].max(0) as usize;
    let end = first + model.sensor_dim[sensor].max(0) as usize;
    let Some(readings) = data.sensor.sensordata.get(first..end) else {
        return;
    };
    let normal = readings.get(..count).unwrap_or(readings);
    let most = normal.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if count == 0 || most == 0.0 || model.geom_rbound[geom] < MIN_VALUE {
        return;
    }
    let channels: Vec<&[f64]> = readings.chunks_exact(count).take(3).collect();
    let kinematics = &data.position.kinematics;
    let (origin, axes) = (kinematics.geom_xpos[geom], kinematics.geom_xmat[geom]);
    let vertices = model.mesh_vertadr[mesh].max(0) as usize;
    let faces = model.mesh_faceadr[mesh].max(0) as usize;
    for face in &model.mesh_face[faces..faces + model.mesh_facenum[mesh].max(0) as usize] {
        let ids = face.map(|id| id as usize);
        let corners = ids.map(|id| {
            let own = model.mesh_vert[vertices + id].map(f64::from);
            origin + axes * Vec3(own)
        });
        let mut colour = [0.0, 0.0, 0.0, 1.0];
        for (channel, target) in channels.iter().zip(&mut colour) {
            *target = mean_of_felt(ids.map(|id| channel[id] / most));
        }
        if colour[..3] == [0.0; 3] {
            colour[3] = 0.1;
        }
        let object = [sensor as i32, ObjectType::Sensor.code()];
        desk.put_triangle(corners, colour, object);
    }
}

/// The mean size of the numbers that are not zero.
fn mean_of_felt(numbers: [f64; 3]) -> f32 {
    let count = numbers.iter().filter(|&&x| x != 0.0).count();
    let sum: f32 = numbers
        .iter()
        .fold(0.0, |sum, x| (f64::from(sum) + x.abs()) as f32);
    if count > 0 { sum / count as f32 } else { 0.0 }
}
