//! Where vertices stand: fixed in their bodies, or interpolated between nodes.

use crate::flex;
use crate::flex::interpolate::{MOST_NODES, interpolate_all};
use crate::position::kinematics::Kinematics;
use sinew_math::Vec3;
use sinew_model::Model;

/// Positions of the vertices of a flex in the world.
pub(crate) fn positions(model: &Model, kinematics: &Kinematics, flex: usize, xpos: &mut [Vec3]) {
    let vertices = flex::vertices(model, flex);
    let is_centered = model.flex_centered[flex] != 0;
    let order = model.flex_interp[flex] as usize;
    if order == 0 {
        let bodies = &model.flex_vertbodyid[vertices.clone()];
        let local = &model.flex_vert[vertices.clone()];
        fixed(kinematics, is_centered, bodies, local, &mut xpos[vertices]);
    } else {
        let mut nodes = [Vec3::ZERO; MOST_NODES];
        let nodes = &mut nodes[..flex::nodes(model, flex).len()];
        node_positions(model, kinematics, flex, nodes);
        let places = &model.flex_vert0[vertices.clone()];
        interpolate_all(order, places, nodes, &mut xpos[vertices]);
    }
}

/// Positions of the nodes of an interpolated flex in the world.
pub(crate) fn node_positions(
    model: &Model,
    kinematics: &Kinematics,
    flex: usize,
    xpos: &mut [Vec3],
) {
    let nodes = flex::nodes(model, flex);
    let is_centered = model.flex_centered[flex] != 0;
    let bodies = &model.flex_nodebodyid[nodes.clone()];
    fixed(
        kinematics,
        is_centered,
        bodies,
        &model.flex_node[nodes],
        xpos,
    );
}

/// Positions of points fixed in bodies; centred ones stand at the origins.
fn fixed(
    kinematics: &Kinematics,
    is_centered: bool,
    bodies: &[i32],
    local: &[Vec3],
    xpos: &mut [Vec3],
) {
    for ((out, &body), &local) in xpos.iter_mut().zip(bodies).zip(local) {
        *out = if is_centered {
            kinematics.xpos[body as usize]
        } else {
            kinematics.point(body as usize, local)
        };
    }
}
