//! Rays from sites. They are in double precision, as the functions for them are.

use super::Sensing;
use crate::Number;
use crate::scene::SENSOR_WORDS;
use sinew_collision::ray::{Hit, Pose, Ray, capsule, cuboid, cylinder, ellipsoid, plane, sphere};
use sinew_math::series::Cells;
use sinew_math::{MIN_VALUE, Mat3, Vec3};
use sinew_model::kinds::GeomType;

/// A vector in double precision.
#[inline(always)]
pub(crate) fn double<T: Number>(v: Vec3<T>) -> Vec3 {
    Vec3([v[0].to_f64(), v[1].to_f64(), v[2].to_f64()])
}

/// Axes in double precision.
#[inline(always)]
pub(crate) fn double_axes<T: Number>(axes: &Mat3<T>) -> Mat3 {
    Mat3(core::array::from_fn(|k| axes.0[k].to_f64()))
}

/// Where a ray meets a primitive shape; other shapes are never met.
#[inline(always)]
pub(crate) fn against_shape(
    kind: GeomType,
    ray: &Ray,
    pose: Pose<'_>,
    size: [f64; 3],
) -> Option<Hit> {
    match kind {
        GeomType::Plane => plane(ray, pose, size),
        GeomType::Sphere => sphere(ray, pose, size),
        GeomType::Capsule => capsule(ray, pose, size),
        GeomType::Ellipsoid => ellipsoid(ray, pose, size),
        GeomType::Cylinder => cylinder(ray, pose, size),
        GeomType::Box => cuboid(ray, pose, size),
        _ => None,
    }
}

/// Writes the fields of a ray that are asked for.
#[inline(always)]
pub(crate) fn write<T: Number>(fields: i32, ray: &Ray, hit: Option<Hit>, out: &mut [T]) {
    let distance = hit.map_or(-1.0, |hit| hit.distance);
    let none = Vec3::ZERO;
    let direction = if hit.is_some() { ray.direction } else { none };
    let point = hit.map_or(none, |hit| ray.at(hit.distance));
    let normal = hit.map_or(none, |hit| hit.normal);
    let mut at = 0;
    let mut put = |field: i32, x: f64| {
        if fields >> field & 1 != 0 && at < out.len() {
            out[at] = T::from_f64(x);
            at += 1;
        }
    };
    put(0, distance);
    for (field, vector) in [(1, direction), (2, ray.origin), (3, point), (4, normal)] {
        for k in 0..3 {
            put(field, vector[k]);
        }
    }
    put(5, distance);
}

impl<T: Number> Sensing<'_, '_, T> {
    /// What the ray of a rangefinder meets: the fields that it has.
    #[inline(always)]
    pub(super) fn range(&self, words: &[i32; SENSOR_WORDS], out: &mut [T]) {
        let frame = self.frame(words[1], words[2] as usize);
        let ray = &Ray {
            origin: double(frame.pos),
            direction: double_axes(&frame.mat).column(2),
        };
        write(words[8], ray, self.cast(ray, frame.body), out);
    }

    /// The nearest geom of another body that a ray meets.
    #[inline(always)]
    fn cast(&self, ray: &Ray, body: usize) -> Option<Hit> {
        let (scene, kinematics) = (self.scene, &self.at.kinematics);
        if ray.direction.norm() < MIN_VALUE {
            return None;
        }
        let mut nearest: Option<Hit> = None;
        for geom in 0..scene.head.ngeom {
            let Some(kind) = GeomType::from_code(scene.tables.ray_geoms[geom]) else {
                continue;
            };
            if scene.attached.geom_bodyid[geom] as usize == body {
                continue;
            }
            let axes = *kinematics.geom_xmat.at(geom);
            let pose = Pose {
                pos: double(*kinematics.geom_xpos.at(geom)),
                mat: &double_axes(&axes),
            };
            let size = scene.extra.geom_size[geom].map(|x| x.to_f64());
            if let Some(hit) = against_shape(kind, ray, pose, size) {
                let is_nearer = nearest.is_none_or(|best| hit.distance < best.distance);
                nearest = if is_nearer { Some(hit) } else { nearest };
            }
        }
        nearest
    }
}
