//! Cameras: pose, what they follow, intrinsics.

use super::{Tree, element};
use crate::compile::Context;
use crate::compile::orientation::Oriented;
use crate::compile::pose::{Pose, unit};
use crate::place::{At, Place};
use crate::spec::tree as written;
use core::f64::consts::PI;
use sinew_math::Vec3;
use sinew_model::kinds::{CameraOutput, ObjectType};

/// A camera of the flattened tree.
#[derive(Clone, Debug, Default)]
pub struct Camera {
    /// Its name; empty if it has none.
    pub name: String,
    /// Where it was written.
    pub place: Place,
    /// What was written, completed by its class.
    pub table: written::Camera,
    /// User data.
    pub user: Vec<f64>,
    /// The body it is fixed to.
    pub body: usize,
    /// The frame it stands in.
    pub frame: Option<usize>,

    /// Pose in the body frame.
    pub pose: Pose,
    /// Field of view, degrees.
    pub fovy: f64,
    /// Focal lengths and principal point.
    pub intrinsic: [f32; 4],
    /// Bits of what it renders.
    pub output: i32,
}

/// Compiles a camera.
pub fn compile(ctx: &mut Context, tree: &mut Tree, index: usize) {
    let camera = &mut tree.cameras[index];
    let label = element("camera", &camera.name);
    let place = camera.place;
    let table = &camera.table;
    let orientation = table.orientation();
    camera.pose = Pose {
        pos: table.pos.as_ref().map_or(Vec3::ZERO, |at| Vec3(at.value)),
        quat: orientation.resolve(place, ctx.spec, &label, ctx.report),
    };
    if let Some(frame) = camera.frame {
        camera.pose = tree.frames[frame].compose(&camera.pose);
    }
    camera.pose.quat = unit(camera.pose.quat);
    if let Some(target) = table.target.as_ref().filter(|at| !at.value.is_empty()) {
        ctx.resolve(ObjectType::Body, target, &label, "target");
    }

    camera.fovy = table.fovy.as_ref().map_or(45.0, |at| at.value);
    if camera.fovy >= 180.0 {
        ctx.report
            .error(
                "mjcf::fovy",
                table.fovy.as_ref().map_or(place, |at| at.place),
                "fovy must be smaller than 180 degrees",
            )
            .element(label.as_str())
            .attribute("fovy");
    }
    camera.output = output(ctx, table, &label);

    let pair = |at: &Option<At<[f32; 2]>>| at.as_ref().map_or([0.0; 2], |at| at.value);
    let sensor = pair(&table.sensorsize);
    let focal = pair(&table.focal);
    let focal_pixel = pair(&table.focalpixel);
    let principal = pair(&table.principal);
    let principal_pixel = pair(&table.principalpixel);
    let resolution = table.resolution.as_ref().map_or([1, 1], |at| at.value);
    let has_sensor = sensor[0] > 0.0 && sensor[1] > 0.0;
    let has_intrinsic = [focal, focal_pixel, principal, principal_pixel] != [[0.0; 2]; 4];
    if has_intrinsic && !has_sensor {
        ctx.report
            .error(
                "mjcf::sensorsize",
                place,
                "focal and principal require sensorsize",
            )
            .element(label.as_str());
    }
    if has_sensor && (resolution[0] <= 0 || resolution[1] <= 0) {
        ctx.report
            .error(
                "mjcf::resolution",
                place,
                "sensorsize requires a positive resolution",
            )
            .element(label.as_str());
    }
    if has_sensor {
        // Lengths in pixels win over lengths in metres.
        let length = |k: usize, pixels: [f32; 2], metres: [f32; 2]| {
            if pixels[k] != 0.0 {
                pixels[k] / (resolution[k] as f32 / sensor[k])
            } else {
                metres[k]
            }
        };
        camera.intrinsic = [
            length(0, focal_pixel, focal),
            length(1, focal_pixel, focal),
            length(0, principal_pixel, principal),
            length(1, principal_pixel, principal),
        ];
        // The reference takes this arc tangent in single precision.
        let half = libm::atan2f(sensor[1] / 2.0, camera.intrinsic[1]);
        camera.fovy = f64::from(half) * 360.0 / PI;
    } else {
        let znear = ctx
            .spec
            .visual
            .map
            .znear
            .as_ref()
            .map_or(0.01, |at| at.value);
        camera.intrinsic = [znear, znear, 0.0, 0.0];
    }
}

/// The bits of `output`.
fn output(ctx: &mut Context, table: &written::Camera, label: &str) -> i32 {
    let Some(words) = table.output.as_ref().filter(|at| !at.value.0.is_empty()) else {
        return CameraOutput::Rgb.code();
    };
    let mut bits = 0;
    for word in &words.value.0 {
        bits |= match word.as_str() {
            "rgb" => CameraOutput::Rgb.code(),
            "depth" => CameraOutput::Depth.code(),
            "distance" => CameraOutput::Dist.code(),
            "normal" => CameraOutput::Normal.code(),
            "segmentation" => CameraOutput::Seg.code(),
            _ => {
                ctx.report
                    .error(
                        "mjcf::keyword",
                        words.place,
                        format!("invalid keyword `{word}`"),
                    )
                    .element(label)
                    .attribute("output")
                    .hint("one of: rgb, depth, distance, normal, segmentation");
                0
            }
        };
    }
    bits
}
