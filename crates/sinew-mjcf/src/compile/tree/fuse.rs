//! Merges static bodies into their parents.
//!
//! A body without joints that nobody refers to by name hands its mass, geoms, sites and children
//! to its parent. Mass does not go into the world.
//!
//! Differs from MuJoCo: mass and inertia are merged at the pose they really have, also when the body
//! or its inertial frame is rotated, so that fusing changes no dynamics; and cameras and lights move
//! to the parent like geoms.

use super::inertia::{self, Lump};
use super::references::References;
use super::renumber::Order;
use super::{Tree, fail, volumes};
use crate::compile::Context;
use crate::compile::pose::{Pose, rotate};
use sinew_math::MIN_VALUE;
use sinew_model::kinds::ObjectType;

/// Fuses what can be fused and renumbers what is left.
pub fn fuse(ctx: &mut Context, tree: &mut Tree) {
    let references = References::collect(ctx.spec, tree, ctx.report);
    for id in 0..tree.bodies.len() {
        if !ctx.has_time(tree.bodies[id].place) {
            return;
        }
        volumes::remember(tree, id, ctx.report);
    }
    // A parent is looked at before its children, which then already hang on their final parent.
    for id in 1..tree.bodies.len() {
        if !ctx.has_time(tree.bodies[id].place) {
            return;
        }
        if can_fuse(tree, id, &references) {
            merge(ctx, tree, id);
        }
    }
    let order = tree.renumber();
    rename(ctx, &order);
    for id in 1..tree.bodies.len() {
        let parent_weld = tree.bodies[tree.bodies[id].parent].weld;
        let body = &mut tree.bodies[id];
        body.weld = if body.joints.is_empty() {
            parent_weld
        } else {
            id
        };
    }
}

/// Tells the names about a new numbering of the tree.
pub fn rename(ctx: &mut Context, order: &Order) {
    for (kind, list) in [
        (ObjectType::Body, &order.bodies),
        (ObjectType::Joint, &order.joints),
        (ObjectType::Geom, &order.geoms),
        (ObjectType::Site, &order.sites),
        (ObjectType::Camera, &order.cameras),
        (ObjectType::Light, &order.lights),
    ] {
        ctx.names.reorder(kind, list, ctx.report);
    }
}

fn can_fuse(tree: &Tree, id: usize, references: &References) -> bool {
    let body = &tree.bodies[id];
    if !body.joints.is_empty() || body.is_mocap() {
        return false;
    }
    // References go by name: what has none is not asked about, its sites neither.
    body.name.is_empty()
        || !(references.bodies.contains(&body.name)
            || body
                .sites
                .iter()
                .any(|&site| references.force_sites.contains(&tree.sites[site].name)))
}

fn merge(ctx: &mut Context, tree: &mut Tree, id: usize) {
    let body = std::mem::take(&mut tree.bodies[id]);
    let pose = body.pose;
    let parent = body.parent;
    if parent != 0 && body.lump.mass >= MIN_VALUE {
        let moved = Lump {
            pose: pose.compose(&body.lump.pose),
            ..body.lump
        };
        match inertia::combine(&[tree.bodies[parent].lump, moved]) {
            Some(lump) => tree.bodies[parent].lump = lump,
            None => {
                let message = "cannot be fused: the inertia has no positive eigenvalues";
                fail(ctx, "body", &body.name, body.place, message);
            }
        }
    }

    // The children take the body's place among its siblings.
    for &child in &body.children {
        tree.bodies[child].pose = pose.compose(&tree.bodies[child].pose);
        tree.bodies[child].parent = parent;
    }
    let siblings = &mut tree.bodies[parent].children;
    if let Some(position) = siblings.iter().position(|&sibling| sibling == id) {
        siblings.splice(position..=position, body.children.iter().copied());
    }

    for &geom in &body.geoms {
        let geom = &mut tree.geoms[geom];
        geom.pose = pose.compose(&geom.pose);
        geom.body = parent;
    }
    for &site in &body.sites {
        let site = &mut tree.sites[site];
        site.pose = pose.compose(&site.pose);
        site.body = parent;
    }
    for &camera in &body.cameras {
        let camera = &mut tree.cameras[camera];
        camera.pose = pose.compose(&camera.pose);
        camera.body = parent;
    }
    for &light in &body.lights {
        let light = &mut tree.lights[light];
        light.pos = pose.transform(light.pos);
        light.dir = rotate(pose.quat, light.dir);
        light.body = parent;
    }
    let collides = |list: &[usize]| list.iter().any(|&geom| tree.geoms[geom].can_collide());
    if collides(&body.geoms) && collides(&tree.bodies[parent].geoms) {
        tree.spare_volumes += 1;
    }
    let target = &mut tree.bodies[parent];
    target.geoms.extend(&body.geoms);
    target.sites.extend(&body.sites);
    target.cameras.extend(&body.cameras);
    target.lights.extend(&body.lights);
    volumes::remember(tree, parent, ctx.report);
    // What is left of it is dropped by the renumbering.
    tree.bodies[id].pose = Pose::default();
}
