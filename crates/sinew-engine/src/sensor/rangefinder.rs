//! Rangefinders: one ray along a site's z axis, or one for each pixel of a camera.
//!
//! The fields of each ray are chosen by the sensor: distance (−1: nothing met), direction, origin,
//! point, normal, depth along the camera's view.

use crate::data::Data;
use crate::ray::{RayFilter, cast, cast_many};
use core::f64::consts::PI;
use sinew_collision::ray::{Hit, Ray};
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{ObjectType, Projection};

const DIST: i32 = 0;
const DIRECTION: i32 = 1;
const ORIGIN: i32 = 2;
const POINT: i32 = 3;
const NORMAL: i32 = 4;
const DEPTH: i32 = 5;

/// No geom is farther.
const FAR: f64 = 1e10;

pub(super) fn compute(model: &Model, data: &mut Data, sensor: usize, out: &mut [f64]) {
    let fields = model.sensor_intprm[sensor][0];
    let id = model.sensor_objid[sensor] as usize;
    let (kinematics, view) = (&data.position.kinematics, &data.position.view);
    let stack = &mut data.scratch.stack;
    if model.sensor_objtype[sensor] == ObjectType::Site.code() {
        let ray = Ray {
            origin: kinematics.site_xpos[id],
            direction: kinematics.site_xmat[id].column(2),
        };
        let filter = RayFilter {
            excluded_body: Some(model.site_bodyid[id] as usize),
            ..RayFilter::default()
        };
        let hit = cast(model, kinematics, &ray, &filter, stack).map(|(_, hit)| hit);
        write(fields, &ray, hit, hit.map_or(-1.0, |hit| hit.distance), out);
        return;
    }

    let [width, height] = model.cam_resolution[id];
    let pixels = width.max(0) as usize * height.max(0) as usize;
    if pixels == 0 || pixels > out.len() {
        return;
    }
    let (pos, mat) = (view.cam_xpos[id], view.cam_xmat[id]);
    let filter = RayFilter {
        excluded_body: Some(model.cam_bodyid[id] as usize),
        ..RayFilter::default()
    };
    let intrinsics = Intrinsics::of(model, id);
    let size = out.len() / pixels;
    let ray_of = |pixel: usize| {
        let (column, row) = (pixel as i32 % width, pixel as i32 / width);
        intrinsics.ray(pos, &mat, column, row)
    };
    let depth = |ray: &Ray, hit: Option<Hit>| {
        hit.map_or(-1.0, |hit| -(ray.at(hit.distance) - pos).dot(mat.column(2)))
    };
    let slots = out.chunks_exact_mut(size).take(pixels);
    if intrinsics.extent.is_some() {
        for (pixel, slot) in slots.enumerate() {
            let ray = ray_of(pixel);
            let hit = cast(model, kinematics, &ray, &filter, stack).map(|(_, hit)| hit);
            write(fields, &ray, hit, depth(&ray, hit), slot);
        }
        return;
    }
    let directions = (0..pixels).map(|pixel| ray_of(pixel).direction);
    let fan = &mut data.scratch.fan;
    let hits = cast_many(model, kinematics, pos, directions, &filter, FAR, fan);
    for ((pixel, slot), hit) in slots.enumerate().zip(hits) {
        let (ray, hit) = (ray_of(pixel), hit.map(|(_, hit)| hit));
        write(fields, &ray, hit, depth(&ray, hit), slot);
    }
}

impl Data {
    /// Origin and direction of the ray through a pixel of a camera, counted in rows from the top. None: there is no such
    /// camera or pixel.
    #[doc(alias = "mju_camPixelRay")]
    pub fn camera_ray(&self, model: &Model, camera: usize, pixel: usize) -> Option<(Vec3, Vec3)> {
        let view = &self.position.view;
        let (&pos, mat) = (view.cam_xpos.get(camera)?, view.cam_xmat.get(camera)?);
        let [width, height] = *model.cam_resolution.get(camera)?;
        let pixel = i32::try_from(pixel).ok()?;
        if width <= 0 || pixel / width >= height {
            return None;
        }
        let ray = Intrinsics::of(model, camera).ray(pos, mat, pixel % width, pixel / width);
        Some((ray.origin, ray.direction))
    }
}

/// Writes the requested fields of one ray.
fn write(fields: i32, ray: &Ray, hit: Option<Hit>, depth: f64, out: &mut [f64]) {
    let mut at = 0;
    let mut put = |field: i32, values: &[f64]| {
        if fields & (1 << field) != 0 {
            out[at..at + values.len()].copy_from_slice(values);
            at += values.len();
        }
    };
    let if_hit = |value: Vec3| if hit.is_some() { value } else { Vec3::ZERO };
    put(DIST, &[hit.map_or(-1.0, |hit| hit.distance)]);
    put(DIRECTION, &if_hit(ray.direction).0);
    put(ORIGIN, &ray.origin.0);
    put(POINT, &hit.map_or(Vec3::ZERO, |hit| ray.at(hit.distance)).0);
    put(NORMAL, &hit.map_or(Vec3::ZERO, |hit| hit.normal).0);
    put(DEPTH, &[depth]);
}

/// How pixels of a camera map to rays.
struct Intrinsics {
    focal: [f64; 2],
    centre: [f64; 2],
    /// Height of the image in space, for parallel rays.
    extent: Option<f64>,
}

impl Intrinsics {
    #[doc(alias = "mju_camIntrinsics")]
    fn of(model: &Model, camera: usize) -> Self {
        let [width, height] = model.cam_resolution[camera];
        let middle = [f64::from(width) / 2.0, f64::from(height) / 2.0];
        let fovy = model.cam_fovy[camera];
        if model.cam_projection[camera] == Projection::Orthographic.code() {
            return Intrinsics {
                focal: middle,
                centre: middle,
                extent: Some(fovy),
            };
        }
        let [sensor_width, sensor_height] = model.cam_sensorsize[camera];
        if sensor_width != 0.0 && sensor_height != 0.0 {
            let [fx, fy, cx, cy] = model.cam_intrinsic[camera];
            let along =
                |value: f32, size: f32, pixels: i32| f64::from(value / size * pixels as f32);
            return Intrinsics {
                focal: [
                    along(fx, sensor_width, width),
                    along(fy, sensor_height, height),
                ],
                centre: [
                    along(cx, sensor_width, width),
                    along(cy, sensor_height, height),
                ],
                extent: None,
            };
        }
        let focal = 0.5 / libm::tan(fovy * PI / 360.0) * f64::from(height);
        Intrinsics {
            focal: [focal; 2],
            centre: middle,
            extent: None,
        }
    }

    /// The ray through the middle of a pixel; row 0 is at the top.
    #[doc(alias = "mju_camPixelRay")]
    fn ray(&self, pos: Vec3, mat: &Mat3, column: i32, row: i32) -> Ray {
        let x = (f64::from(column) + 0.5 - self.centre[0]) / self.focal[0];
        let y = (f64::from(row) + 0.5 - self.centre[1]) / self.focal[1];
        match self.extent {
            None => Ray {
                origin: pos,
                direction: (*mat * Vec3([x, -y, -1.0])).normalized(),
            },
            Some(extent) => {
                let half = extent / 2.0;
                Ray {
                    origin: pos + *mat * Vec3([x * half, -y * half, 0.0]),
                    direction: -mat.column(2),
                }
            }
        }
    }
}
