//! Boxes around elements, and trees of boxes that move with them.

use crate::{flex, is_disabled};
use sinew_math::{Real, Vec3};
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;

/// Centre and half size.
type Box = [f64; 6];

/// Boxes around the elements of a flex, as thick as its radius.
pub(super) fn elements(model: &Model, flex: usize, xpos: &[Vec3], out: &mut [Box]) {
    let vertices = &xpos[flex::vertices(model, flex)];
    let radius = model.flex_radius[flex];
    let corners = flex::corners(model, flex);
    let out = &mut out[flex::elements(model, flex)];
    match model.flex_dim[flex] {
        1 => around_corners::<2>(vertices, corners, radius, out),
        2 => around_corners::<3>(vertices, corners, radius, out),
        _ => around_corners::<4>(vertices, corners, radius, out),
    }
}

/// Boxes around elements with a number of corners.
fn around_corners<const CORNERS: usize>(
    vertices: &[Vec3],
    corners: &[i32],
    radius: f64,
    out: &mut [Box],
) {
    let (corners, _) = corners.as_chunks::<CORNERS>();
    for (out, corners) in out.iter_mut().zip(corners) {
        let points = corners.map(|corner| vertices[corner as usize]);
        let (mut low, mut high) = (points[0], points[0]);
        for point in &points[1..] {
            for axis in 0..3 {
                low[axis] = low[axis].min_of(point[axis]);
                high[axis] = high[axis].max_of(point[axis]);
            }
        }
        for axis in 0..3 {
            out[axis] = 0.5 * (high[axis] + low[axis]);
            out[axis + 3] = 0.5 * (high[axis] - low[axis]) + radius;
        }
    }
}

/// Boxes of the trees over elements, unless nobody looks at them. Parents come before their children.
pub(super) fn trees(model: &Model, elements: &[Box], out: &mut [Box]) {
    if is_disabled(model, DisableFlag::Midphase) {
        return;
    }
    for flex in 0..model.nflex {
        if model.flex_bvhadr[flex] < 0 {
            continue;
        }
        let nodes = flex::range(model.flex_bvhadr[flex], model.flex_bvhnum[flex]);
        let first = nodes.start;
        let elements = &elements[flex::elements(model, flex)];
        let boxes = &mut out[first - model.nbvhstatic..nodes.end - model.nbvhstatic];
        for node in nodes.rev() {
            boxes[node - first] = match usize::try_from(model.bvh_nodeid[node]) {
                Ok(element) => elements[element],
                Err(_) => around(model.bvh_child[node].map(|child| &boxes[child as usize])),
            };
        }
    }
}

/// The box around two boxes.
fn around([a, b]: [&Box; 2]) -> Box {
    let mut out = [0.0; 6];
    for axis in 0..3 {
        let low = (a[axis] - a[axis + 3]).min_of(b[axis] - b[axis + 3]);
        let high = (a[axis] + a[axis + 3]).max_of(b[axis] + b[axis + 3]);
        out[axis] = 0.5 * (high + low);
        out[axis + 3] = 0.5 * (high - low);
    }
    out
}
