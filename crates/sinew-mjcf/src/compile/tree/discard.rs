//! Drops geoms that are only seen, and the meshes that are then unused.
//!
//! Bodies keep the mass these geoms gave them: dynamics do not change.

use super::fuse::rename;
use super::references::References;
use super::{Geom, Tree};
use crate::compile::Context;
use sinew_model::kinds::{GeomType, ObjectType};

/// Drops visual geoms and unused meshes, and renumbers what is left.
pub fn discard(ctx: &mut Context, tree: &mut Tree) {
    let references = References::collect(ctx.spec, tree, ctx.report);
    let stays: Vec<bool> = tree
        .geoms
        .iter()
        .map(|geom| geom.can_collide() || references.geoms.contains(&geom.name))
        .collect();
    for body in &mut tree.bodies {
        body.geoms.retain(|&geom| stays[geom]);
    }
    let order = tree.renumber();
    rename(ctx, &order);

    let mut is_used: Vec<bool> = ctx
        .names
        .list(ObjectType::Mesh)
        .iter()
        .map(|name| references.meshes.contains(name))
        .collect();
    let has_mesh = |geom: &Geom| geom.kind() != GeomType::Hfield;
    for geom in tree.geoms.iter().filter(|geom| has_mesh(geom)) {
        if let Some(used) = geom.data.and_then(|mesh| is_used.get_mut(mesh)) {
            *used = true;
        }
    }
    let left: Vec<usize> = (0..is_used.len()).filter(|&mesh| is_used[mesh]).collect();
    for geom in tree.geoms.iter_mut().filter(|geom| has_mesh(geom)) {
        geom.data = geom.data.and_then(|mesh| left.binary_search(&mesh).ok());
    }
    ctx.names.reorder(ObjectType::Mesh, &left, ctx.report);
    ctx.meshes = left
        .iter()
        .map(|&mesh| ctx.meshes.get(mesh).cloned().flatten())
        .collect();
}
