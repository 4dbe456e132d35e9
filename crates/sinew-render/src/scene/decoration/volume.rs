//! Bounding volumes, as boxes of lines.

use super::{Desk, unknown};
use crate::options::shows;
use crate::scene::Shape;
use sinew_math::{Mat3, Vec3};
use sinew_model::kinds::GeomType;

/// Pixels that the lines between the nodes of a flex are wide.
const LINE: f64 = 3.0;

pub(super) fn add(desk: &mut Desk<'_>) {
    if desk.options.body_volumes {
        add_bodies(desk);
    }
    if desk.options.mesh_volumes {
        for flex in 0..desk.model.nflex {
            add_flex(desk, flex);
            add_nodes(desk, flex);
        }
        add_meshes(desk);
        add_octrees(desk);
    }
}

/// Whether a volume is shown: it is of the wanted depth, or ends before it.
fn is_shown(desk: &Desk<'_>, volume: usize) -> bool {
    let (model, wanted) = (desk.model, desk.options.volume_depth);
    let depth = model.bvh_depth[volume];
    depth == wanted || (is_leaf(desk, volume) && depth < wanted)
}

fn is_leaf(desk: &Desk<'_>, volume: usize) -> bool {
    desk.model.bvh_child[volume] == [-1, -1]
}

/// A box about a point of a frame.
fn put(desk: &mut Desk<'_>, id: usize, (position, axes): (Vec3, Mat3), bounds: [f64; 6]) {
    let [x, y, z, a, b, c] = bounds;
    let pose = (position + axes * Vec3([x, y, z]), axes);
    let colour = desk.model.vis.rgba.bv;
    desk.put(Shape::LineBox, [a, b, c], pose, colour, unknown(id));
}

/// Volumes of bodies; the last ones are those of geoms.
fn add_bodies(desk: &mut Desk<'_>) {
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    for body in 0..model.nbody {
        let Ok(first) = usize::try_from(model.body_bvhadr[body]) else {
            continue;
        };
        for volume in first..first + model.body_bvhnum[body].max(0) as usize {
            if !is_shown(desk, volume) {
                continue;
            }
            let geom = usize::try_from(model.bvh_nodeid[volume]).ok();
            match geom.filter(|_| is_leaf(desk, volume)) {
                Some(geom) => {
                    let pose = (kinematics.geom_xpos[geom], kinematics.geom_xmat[geom]);
                    put(desk, volume, pose, model.geom_aabb[geom]);
                }
                None => {
                    let pose = (kinematics.xipos[body], kinematics.ximat[body]);
                    put(desk, volume, pose, model.bvh_aabb[volume]);
                }
            }
        }
    }
}

/// Volumes of a flex, which are in the world.
fn add_flex(desk: &mut Desk<'_>, flex: usize) {
    let (model, data) = (desk.model, desk.data);
    if !shows(&desk.options.flex_groups, model.flex_group[flex]) {
        return;
    }
    let Ok(first) = usize::try_from(model.flex_bvhadr[flex]) else {
        return;
    };
    for volume in first..first + model.flex_bvhnum[flex].max(0) as usize {
        let moving = volume.checked_sub(model.nbvhstatic);
        let bounds = moving.and_then(|k| data.position.flex.bvh_aabb_dyn.get(k));
        if let Some(&bounds) = bounds.filter(|_| is_shown(desk, volume)) {
            put(desk, volume, (Vec3::ZERO, Mat3::identity()), bounds);
        }
    }
}

/// Lines between the nodes that a flex is interpolated from.
fn add_nodes(desk: &mut Desk<'_>, flex: usize) {
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let order = model.flex_interp[flex].max(0) as usize;
    if order == 0 {
        return;
    }
    let first = model.flex_nodeadr[flex].max(0) as usize;
    let side = order + 1;
    let node = |k: usize| {
        let body = model.flex_nodebodyid[first + k] as usize;
        let own = if model.flex_centered[flex] != 0 {
            Vec3::ZERO
        } else {
            model.flex_node[first + k]
        };
        kinematics.xpos[body] + kinematics.xmat[body] * own
    };
    let grey = [0.5, 0.5, 0.5, 1.0];
    for k in 0..side * side * side {
        let place = [k / (side * side), k / side % side, k % side];
        for (axis, step) in [side * side, side, 1].into_iter().enumerate() {
            if place[axis] + 1 < side {
                let ends = (node(k), node(k + step));
                desk.connect(Shape::Line, LINE, ends, grey, unknown(place[0]));
            }
        }
    }
}

/// Volumes of meshes, also of those that simple shapes were fitted to. Where the model asks for those that were met, there are none: they are not kept.
fn add_meshes(desk: &mut Desk<'_>) {
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    if model.vis.global.bvactive != 0 {
        return;
    }
    for geom in 0..model.ngeom {
        let kind = GeomType::from_code(model.geom_type[geom]);
        let mesh = usize::try_from(model.geom_dataid[geom]).ok();
        let has_mesh = !matches!(kind, Some(GeomType::Sdf | GeomType::Hfield));
        let Some(mesh) = mesh.filter(|_| has_mesh) else {
            continue;
        };
        let Ok(first) = usize::try_from(model.mesh_bvhadr[mesh]) else {
            continue;
        };
        if model.mesh_octadr[mesh] >= 0 {
            continue;
        }
        for volume in first..first + model.mesh_bvhnum[mesh].max(0) as usize {
            if is_shown(desk, volume) {
                let pose = (kinematics.geom_xpos[geom], kinematics.geom_xmat[geom]);
                put(desk, volume, pose, model.bvh_aabb[volume]);
            }
        }
    }
}

/// Cells of meshes that are distance fields.
fn add_octrees(desk: &mut Desk<'_>) {
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    for geom in 0..model.ngeom {
        let kind = GeomType::from_code(model.geom_type[geom]);
        let mesh = usize::try_from(model.geom_dataid[geom]).ok();
        let Some(mesh) = mesh.filter(|_| kind != Some(GeomType::Hfield)) else {
            continue;
        };
        let Ok(first) = usize::try_from(model.mesh_octadr[mesh]) else {
            continue;
        };
        for cell in first..first + model.mesh_octnum[mesh].max(0) as usize {
            if model.oct_depth[cell] == desk.options.volume_depth {
                let pose = (kinematics.geom_xpos[geom], kinematics.geom_xmat[geom]);
                put(desk, cell, pose, model.oct_aabb[cell]);
            }
        }
    }
}
