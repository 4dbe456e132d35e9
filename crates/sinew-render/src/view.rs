//! Where the picture is taken from.

use libm::{cos, sin, tan};
use sinew_engine::Data;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::Projection;

/// What of the world lands on the picture, at the near plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    /// Distance of the near plane.
    pub near: f64,
    /// Distance of the far plane.
    pub far: f64,
    /// Bottom and top.
    pub vertical: [f64; 2],
    /// Left and right; none: as the picture's sides ask for.
    pub horizontal: Option<[f64; 2]>,
    /// Whether size does not depend on distance.
    pub is_orthographic: bool,
}

/// An eye in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where it is.
    pub position: Vec3,
    /// Where it looks.
    pub forward: Vec3,
    /// What is up in the picture; perpendicular to `forward`.
    pub up: Vec3,
    /// What it sees.
    pub frustum: Frustum,
}

impl View {
    /// The view that the reference starts with: the whole model from where its settings say.
    pub fn free(model: &Model) -> Self {
        let global = &model.vis.global;
        View::around(
            model,
            model.stat.center,
            1.5 * model.stat.extent,
            f64::from(global.azimuth),
            f64::from(global.elevation),
        )
    }

    /// A view of a point from a distance, by two angles in degrees.
    pub fn around(model: &Model, point: Vec3, distance: f64, azimuth: f64, elevation: f64) -> Self {
        let (a, e) = (azimuth.to_radians(), elevation.to_radians());
        let forward = Vec3([cos(e) * cos(a), cos(e) * sin(a), sin(e)]);
        let global = &model.vis.global;
        View {
            position: point - forward * distance,
            forward,
            up: Vec3([-sin(e) * cos(a), -sin(e) * sin(a), cos(e)]),
            frustum: frustum(model, f64::from(global.fovy), global.orthographic != 0),
        }
    }

    /// The view of a camera of the model, as of the last forward dynamics. None: there is no such camera.
    pub fn of_camera(model: &Model, data: &Data, camera: usize) -> Option<Self> {
        let view = &data.position.view;
        let (&position, axes) = (view.cam_xpos.get(camera)?, view.cam_xmat.get(camera)?);
        let is_orthographic = model.cam_projection[camera] == Projection::Orthographic.code();
        let mut seen = frustum(model, model.cam_fovy[camera], is_orthographic);
        let sensor = model.cam_sensorsize[camera].map(f64::from);
        if sensor[0] > 0.0 && sensor[1] > 0.0 && !is_orthographic {
            // Focal lengths and principal point, in the units of the sensor.
            let [fx, fy, cx, cy] = model.cam_intrinsic[camera].map(f64::from);
            let edge = |half: f64, centre: f64, focal: f64| seen.near / focal * (half - centre);
            let (right, top) = (
                edge(sensor[0] / 2.0, cx, fx),
                edge(sensor[1] / 2.0, -cy, fy),
            );
            let (left, bottom) = (
                -edge(sensor[0] / 2.0, -cx, fx),
                -edge(sensor[1] / 2.0, cy, fy),
            );
            seen.vertical = [bottom, top];
            seen.horizontal = Some([left, right]);
        }
        Some(View {
            position,
            forward: -axes.column(2),
            up: axes.column(1),
            frustum: seen,
        })
    }

    /// What is to the right in the picture.
    pub fn right(&self) -> Vec3 {
        self.forward.cross(self.up)
    }

    /// Left and right at the near plane, for a picture of these proportions.
    pub(crate) fn horizontal(&self, aspect: f64) -> [f64; 2] {
        let [bottom, top] = self.frustum.vertical;
        let half = 0.5 * aspect * (top - bottom);
        self.frustum.horizontal.unwrap_or([-half, half])
    }
}

fn frustum(model: &Model, fovy: f64, is_orthographic: bool) -> Frustum {
    let (map, extent) = (&model.vis.map, model.stat.extent);
    let near = f64::from(map.znear) * extent;
    // The field of view of an orthographic camera is a length.
    let half = if is_orthographic {
        fovy / 2.0
    } else {
        near * tan(fovy.to_radians() / 2.0)
    };
    Frustum {
        near,
        far: f64::from(map.zfar) * extent,
        vertical: [-half, half],
        horizontal: None,
        is_orthographic,
    }
}
