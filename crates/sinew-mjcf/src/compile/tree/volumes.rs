//! Bounding-volume trees of the geoms of a body.
//!
//! Only geoms that can collide are in the tree. A leaf is a node without children; `bvh_nodeid`
//! means nothing on other nodes. When static bodies are fused the reference builds the tree of the
//! parent anew but keeps a list of leaves from the earlier tree, and counts one node too many for
//! each merging of two trees; both are visible in its arrays and reproduced here.

use super::{Body, Tree};
use crate::compile::mesh::append_bvh;
use crate::report::Report;
use sinew_collision::bvh::{self, Bvh, Element};
use sinew_model::ModelArrays;

/// The tree of a body's geoms. `None`: no time is left.
fn build(tree: &Tree, body: &Body, report: &mut Report) -> Option<Bvh> {
    let elements: Vec<Element> = body
        .geoms
        .iter()
        .map(|&id| (id, &tree.geoms[id]))
        .filter(|(_, geom)| geom.can_collide())
        .map(|(id, geom)| Element {
            id: id as i32,
            pos: geom.pose.pos,
            quat: Some(geom.pose.quat),
            aabb: geom.aabb,
        })
        .collect();
    let frame = &body.lump.pose;
    let mut goes_on = || report.has_time(body.place);
    bvh::build_while(&elements, frame.pos, frame.quat, &mut goes_on)
}

/// Remembers the leaves of a body's tree as it is now.
pub fn remember(tree: &mut Tree, id: usize, report: &mut Report) {
    let Some(bvh) = build(tree, &tree.bodies[id], report) else {
        return;
    };
    let leaves = &mut tree.bodies[id].leaves;
    leaves.resize(leaves.len() + bvh.nodeid.len(), None);
    for (leaf, &geom) in leaves.iter_mut().zip(&bvh.nodeid) {
        if let Ok(geom) = usize::try_from(geom) {
            *leaf = Some(geom);
        }
    }
}

/// Writes the tree of a body. `None`: no time is left.
pub fn write(model: &mut ModelArrays, tree: &Tree, body: &Body, report: &mut Report) -> Option<()> {
    let mut bvh = build(tree, body, report)?;
    for (node, leaf) in bvh.nodeid.iter_mut().zip(&body.leaves) {
        *node = leaf.map_or(-1, |geom| geom as i32);
    }
    let (address, count) = append_bvh(model, &bvh);
    model.body_bvhadr.push(address);
    model.body_bvhnum.push(count);
    Some(())
}
