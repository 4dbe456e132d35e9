//! Cameras with what they see, and lights.

use super::Desk;
use crate::options::{Frames, Labels};
use crate::scene::Shape;
use crate::scene::connector::along;
use libm::tan;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{ObjectType, Projection};

/// Pixels that lines are wide.
pub(super) const LINE: f64 = 3.0;

/// Cameras: a box and its lens; those with a resolution also show what they see.
pub(super) fn add(desk: &mut Desk<'_>) {
    if !desk.options.cameras {
        return;
    }
    let (model, poses) = (desk.model, &desk.data.position.view);
    let size = desk.scaled(model.vis.scale.camera);
    for camera in 0..model.ncam {
        let (position, axes) = (poses.cam_xpos[camera], poses.cam_xmat[camera]);
        let object = [camera as i32, ObjectType::Camera.code()];
        let mut colour = model.vis.rgba.camera;
        if model.cam_resolution[camera].iter().any(|&side| side > 1) {
            colour[3] = 0.3;
            add_frustum(desk, camera, object);
        }
        let body = [size, 0.8 * size, 0.4 * size];
        desk.put(Shape::Box, body, (position, axes), colour, object);
        desk.name(Labels::Cameras, ObjectType::Camera, camera);
        let lens = (position - axes.column(2) * (0.6 * size), axes);
        let sides = [0.4 * size, 0.4 * size, 0.3 * size];
        let [r, g, b, a] = colour;
        let darker = [0.5 * r, 0.5 * g, 0.5 * b, a];
        desk.put(Shape::Cylinder, sides, lens, darker, object);
        if desk.options.frames == Some(Frames::Cameras) {
            desk.put_frame(camera, (position, axes), 1.0);
        }
    }
}

/// What a camera sees: its sides, and lines along their edges.
fn add_frustum(desk: &mut Desk<'_>, camera: usize, object: [i32; 2]) {
    let (model, poses) = (desk.model, &desk.data.position.view);
    let near = f64::from(model.vis.map.znear) * model.stat.extent;
    let mut far = desk.scaled(model.vis.scale.frustum);
    let edges = edges(model, camera, near);
    let is_orthographic = model.cam_projection[camera] == Projection::Orthographic.code();
    let mut widen = far / near;
    if is_orthographic {
        far = 0.5 * (edges[0] + edges[2]);
        widen = 1.0;
    }
    let (position, axes) = (poses.cam_xpos[camera], poses.cam_xmat[camera]);
    let [left, right, bottom, top] = edges;
    let corners = |distance: f64, scale: f64| {
        [
            (-left, -bottom),
            (right, -bottom),
            (right, top),
            (-left, top),
        ]
        .map(|(x, y)| position + axes * Vec3([scale * x, scale * y, -distance]))
    };
    let (near, far) = (corners(near, 1.0), corners(far, widen));
    let colour = model.vis.rgba.frustum;
    for k in 0..4 {
        let next = (k + 1) % 4;
        desk.put_triangle([near[k], far[k], near[next]], colour, object);
        desk.put_triangle([far[k], far[next], near[next]], colour, object);
        let ends = [
            (near[k], near[next]),
            (far[k], far[next]),
            (near[k], far[k]),
        ];
        for ends in ends {
            desk.connect(Shape::Line, LINE, ends, colour, object);
        }
    }
}

/// How far a camera sees to the left, right, bottom and top at its near plane.
fn edges(model: &Model, camera: usize, near: f64) -> [f64; 4] {
    let [width, height] = model.cam_resolution[camera].map(f64::from);
    let fovy = model.cam_fovy[camera];
    let sensor = model.cam_sensorsize[camera].map(f64::from);
    if model.cam_projection[camera] == Projection::Orthographic.code() {
        let (across, up) = (0.5 * fovy * width / height, 0.5 * fovy);
        [across, across, up, up]
    } else if sensor[0] != 0.0 && sensor[1] != 0.0 {
        let [fx, fy, cx, cy] = model.cam_intrinsic[camera].map(f64::from);
        let [half_width, half_height] = sensor.map(|side| 0.5 * side);
        [
            near / fx * (half_width - cx),
            near / fx * (half_width + cx),
            near / fy * (half_height - cy),
            near / fy * (half_height + cy),
        ]
    } else {
        let up = near * tan(fovy.to_radians() / 2.0);
        let across = up * width / height;
        [across, across, up, up]
    }
}

/// Lights: cylinders behind their place, where they cast no shadow.
pub(super) fn add_lights(desk: &mut Desk<'_>) {
    if !desk.options.lights {
        return;
    }
    let (model, poses) = (desk.model, &desk.data.position.view);
    let size = desk.scaled(model.vis.scale.light);
    for light in 0..model.nlight {
        let (position, direction) = (poses.light_xpos[light], poses.light_xdir[light]);
        let axes = along(direction);
        let behind = position - direction * (size + 0.0001);
        let sides = [0.8 * size, 0.8 * size, size];
        let object = [light as i32, ObjectType::Light.code()];
        let colour = model.vis.rgba.light;
        desk.put(Shape::Cylinder, sides, (behind, axes), colour, object);
        desk.name(Labels::Lights, ObjectType::Light, light);
        if desk.options.frames == Some(Frames::Lights) {
            desk.put_frame(light, (position, axes), 1.0);
        }
    }
}
