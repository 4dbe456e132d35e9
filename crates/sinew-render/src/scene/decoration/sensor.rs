//! Rays of rangefinders, and lines of sensors that tell the nearest points of two geoms.

use super::Desk;
use super::camera::LINE;
use crate::scene::Shape;
use sinew_math::{Mat3, Vec3};
use sinew_model::kinds::{ObjectType, SensorType};

/// Numbers of what a ray tells, in order: distance, direction, origin, point, normal, depth.
const WIDTHS: [usize; 6] = [1, 3, 3, 3, 3, 1];
const DISTANCE: usize = 0;
const POINT: usize = 3;
const NORMAL: usize = 4;

pub(super) fn add(desk: &mut Desk<'_>) {
    if !desk.options.rangefinders {
        return;
    }
    let (model, data) = (desk.model, desk.data);
    for sensor in 0..model.nsensor {
        let first = model.sensor_adr[sensor].max(0) as usize;
        let end = first + model.sensor_dim[sensor].max(0) as usize;
        let Some(values) = data.sensor.sensordata.get(first..end) else {
            continue;
        };
        match SensorType::from_code(model.sensor_type[sensor]) {
            Some(SensorType::Rangefinder) => add_rays(desk, sensor, values),
            Some(SensorType::Geomfromto) => {
                let [from, to] = [0, 3].map(|k| vector(values, k));
                if values.iter().any(|&x| x != 0.0) {
                    line(desk, sensor, (from, to));
                }
            }
            _ => {}
        }
    }
}

/// Three numbers from a place on; zeros beyond the end.
fn vector(values: &[f64], first: usize) -> Vec3 {
    Vec3(core::array::from_fn(|k| {
        values.get(first + k).copied().unwrap_or(0.0)
    }))
}

fn line(desk: &mut Desk<'_>, sensor: usize, ends: (Vec3, Vec3)) {
    let colour = desk.model.vis.rgba.rangefinder;
    desk.connect(Shape::Line, LINE, ends, colour, object(sensor));
}

fn object(sensor: usize) -> [i32; 2] {
    [sensor as i32, ObjectType::Sensor.code()]
}

/// The ray of a site, or those of all pixels of a camera.
fn add_rays(desk: &mut Desk<'_>, sensor: usize, values: &[f64]) {
    let (model, data) = (desk.model, desk.data);
    let fields = model.sensor_intprm[sensor][0];
    let width: usize = (0..WIDTHS.len())
        .filter(|field| fields & (1 << field) != 0)
        .map(|field| WIDTHS[field])
        .sum();
    let id = model.sensor_objid[sensor].max(0) as usize;
    let kind = model.sensor_objtype[sensor];
    if kind == ObjectType::Site.code() {
        let kinematics = &data.position.kinematics;
        let ray = (kinematics.site_xpos[id], kinematics.site_xmat[id].column(2));
        add_ray(desk, sensor, ray, values, 1.5);
    } else if kind == ObjectType::Camera.code() && width > 0 {
        for (pixel, values) in values.chunks_exact(width).enumerate() {
            let Some(ray) = data.camera_ray(model, id, pixel) else {
                return;
            };
            add_ray(desk, sensor, ray, values, 1.3);
        }
    }
}

/// A line to where a ray ends, a ball there if the sensor tells the point, and the normal if it tells that.
fn add_ray(
    desk: &mut Desk<'_>,
    sensor: usize,
    (origin, direction): (Vec3, Vec3),
    values: &[f64],
    ball: f64,
) {
    let model = desk.model;
    let fields = model.sensor_intprm[sensor][0];
    let has = |field: usize| fields & (1 << field) != 0;
    let place = |field: usize| -> usize {
        let before = (0..field).filter(|&earlier| has(earlier));
        before.map(|earlier| WIDTHS[earlier]).sum()
    };
    let distance = if has(DISTANCE) {
        values.first().copied().unwrap_or(-1.0)
    } else {
        -1.0
    };
    let mut point = Vec3::ZERO;
    if distance >= 0.0 {
        point = origin + direction * distance;
        line(desk, sensor, (origin, point));
    }
    let (width, colour) = (
        desk.scaled(model.vis.scale.framewidth),
        model.vis.rgba.rangefinder,
    );
    if has(POINT) && vector(values, place(POINT)) != Vec3::ZERO {
        point = vector(values, place(POINT));
        let pose = (point, Mat3::identity());
        let size = [ball * width; 3];
        desk.put(Shape::Ellipsoid, size, pose, colour, object(sensor));
    }
    if has(NORMAL) && (distance >= 0.0 || point != Vec3::ZERO) {
        let length = 2.0 * desk.scaled(model.vis.scale.framelength);
        let ends = (point, point + vector(values, place(NORMAL)) * length);
        desk.connect(Shape::Pointer, width, ends, colour, object(sensor));
    }
}
