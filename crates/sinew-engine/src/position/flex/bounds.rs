//! Boxes around elements, and trees of boxes that move with them.

use crate::{flex, is_disabled};
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;

/// Centre and half size.
type Box = [f64; 6];

/// Boxes around the elements of a flex, as thick as its radius.
pub(super) fn elements(model: &Model, flex: usize, xpos: &[Vec3], out: &mut [Box]) {
    let vertices = &xpos[flex::vertices(model, flex)];
    let radius = model.flex_radius[flex];
    let per_element = model.flex_dim[flex] as usize + 1;
    let corners = flex::corners(model, flex).chunks_exact(per_element);
    for (out, corners) in out[flex::elements(model, flex)].iter_mut().zip(corners) {
        let first = vertices[corners[0] as usize];
        let (mut low, mut high) = (first, first);
        for &corner in &corners[1..] {
            let point = vertices[corner as usize];
            for axis in 0..3 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
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
        let low = (a[axis] - a[axis + 3]).min(b[axis] - b[axis + 3]);
        let high = (a[axis] + a[axis + 3]).max(b[axis] + b[axis + 3]);
        out[axis] = 0.5 * (high + low);
        out[axis + 3] = 0.5 * (high - low);
    }
    out
}
