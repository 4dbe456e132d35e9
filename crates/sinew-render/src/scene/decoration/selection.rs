//! A body that is moved by hand.

use super::{Desk, unknown};
use crate::options::{Labels, Selection};
use crate::scene::Shape;
use sinew_math::{Mat3, Vec3};

/// The selected point.
pub(super) fn add_mark(desk: &mut Desk<'_>) {
    let Some((selection, point)) = selected(desk).filter(|(selection, _)| selection.is_marked)
    else {
        return;
    };
    let radius = desk.scaled(desk.model.vis.scale.selectpoint);
    let pose = (point, Mat3::identity());
    let colour = desk.model.vis.rgba.selectpoint;
    let object = unknown(selection.body);
    desk.put(Shape::Ellipsoid, [radius; 3], pose, colour, object);
    if desk.options.labels == Some(Labels::SelectedPoint) {
        let [x, y, z] = point.0;
        let [a, b, c] = selection.point.0;
        desk.scene
            .write(format!("{x:.3} {y:.3} {z:.3} (local {a:.3} {b:.3} {c:.3})"));
    }
}

/// How the body is moved: a line to where its point is pulled, a box as it is turned.
pub(super) fn add_moves(desk: &mut Desk<'_>) {
    let shown = selected(desk).filter(|(selection, _)| selection.is_explained);
    let Some((selection, point)) = shown else {
        return;
    };
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let (body, object) = (selection.body, unknown(selection.body));
    let (target, turned) = selection.target;
    let axes = turned.to_mat();
    if selection.is_pulled != [false; 2] {
        let radius = desk.scaled(model.vis.scale.constraint);
        let colour = by_hands(model.vis.rgba.constraint, selection.is_pulled);
        desk.connect(Shape::Capsule, radius, (point, target), colour, object);
        let ball = [2.0 * radius; 3];
        desk.put(Shape::Ellipsoid, ball, (target, axes), colour, object);
    }
    if selection.is_turned != [false; 2] {
        let colour = by_hands(model.vis.rgba.inertia, selection.is_turned);
        let (mut middle, mut size) = (kinematics.xipos[body], [desk.size; 3]);
        if model.body_bvhnum[body] > 0 {
            let bounds = model.bvh_aabb[model.body_bvhadr[body].max(0) as usize];
            let [x, y, z, ..] = bounds;
            middle += kinematics.ximat[body] * Vec3([x, y, z]);
            size = [bounds[3], bounds[4], bounds[5]];
        }
        desk.put(Shape::Box, size, (middle, axes), colour, object);
    }
}

/// The selection, with the selected point in the world.
fn selected(desk: &Desk<'_>) -> Option<(Selection, Vec3)> {
    let kinematics = &desk.data.position.kinematics;
    let selection = desk.options.selection?;
    let body = selection.body;
    let origin = *kinematics.xpos.get(body).filter(|_| body > 0)?;
    let point = origin + kinematics.xmat[body] * selection.point;
    Some((selection, point))
}

/// The colour for one hand, with red and green exchanged for the other, or both of them.
fn by_hands([r, g, b, a]: [f32; 4], [first, second]: [bool; 2]) -> [f32; 4] {
    let mut red = if first { r } else { 0.0 };
    let mut green = if first { g } else { 0.0 };
    if second {
        red = red.max(g);
        green = green.max(r);
    }
    [red, green, b, a]
}
