//! Inertias, axes, centres of mass and connections of bodies, and forces on them.

use super::{Desk, unknown};
use crate::options::{Frames, Labels};
use crate::scene::Shape;
use crate::scene::objects::is_selected;
use libm::{cbrt, sqrt};
use sinew_math::{MIN_VALUE, Mat3, Vec3};
use sinew_model::kinds::ObjectType;

/// Inertias as boxes or ellipsoids of the same mass and inertia.
pub(super) fn add_inertias(desk: &mut Desk<'_>) {
    if !desk.options.inertias {
        return;
    }
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let is_round = model.vis.global.ellipsoidinertia == 1;
    for body in 1..model.nbody {
        let mass = model.body_mass[body];
        if mass <= MIN_VALUE || !desk.shows_body(body as i32) {
            continue;
        }
        let [x, y, z] = model.body_inertia[body].0;
        let widen = if is_round { sqrt(5.0) } else { sqrt(3.0) };
        let mut size =
            [y + z - x, x + z - y, x + y - z].map(|moment| sqrt(moment / (2.0 * mass)) * widen);
        if desk.options.scaled_inertias {
            let unit = if is_round {
                4.0 / 3.0 * core::f64::consts::PI
            } else {
                8.0
            };
            let volume = unit * size[0] * size[1] * size[2];
            let density = mass / volume.max(MIN_VALUE);
            size = size.map(|side| side * cbrt(0.001 * density));
        }
        let shape = if is_round {
            Shape::Ellipsoid
        } else {
            Shape::Box
        };
        let pose = (kinematics.xipos[body], kinematics.ximat[body]);
        let object = [body as i32, ObjectType::Body.code()];
        desk.put(shape, size, pose, model.vis.rgba.inertia, object);
        if is_selected(body as i32, desk.options)
            && let Some(piece) = desk.scene.pieces.last_mut()
        {
            piece.surface.emission += model.vis.global.glow;
        }
        if is_named(desk, body) {
            desk.scene.write_name(model, ObjectType::Body, body);
        }
    }
}

/// Whether the name of a body is written: all are, or it is the selected one.
fn is_named(desk: &Desk<'_>, body: usize) -> bool {
    match desk.options.labels {
        Some(Labels::Bodies) => true,
        Some(Labels::Selection) => is_selected(body as i32, desk.options),
        _ => false,
    }
}

/// Names of bodies, where no inertias are shown that have them.
pub(super) fn add_names(desk: &mut Desk<'_>) {
    if desk.options.inertias {
        return;
    }
    let kinematics = &desk.data.position.kinematics;
    for body in 1..desk.model.nbody {
        if is_named(desk, body) && desk.shows_body(body as i32) {
            desk.put_text((kinematics.xpos[body], kinematics.xmat[body]), body);
            desk.scene.write_name(desk.model, ObjectType::Body, body);
        }
    }
}

/// Numbers of the islands of bodies.
pub(super) fn add_islands(desk: &mut Desk<'_>) {
    let (model, data) = (desk.model, desk.data);
    let islands = &data.position.islands;
    if desk.options.labels != Some(Labels::Islands) || islands.nisland == 0 {
        return;
    }
    for body in 1..model.nbody {
        let welded = model.body_weldid[body] as usize;
        let dof = usize::try_from(model.body_dofadr[welded]).ok();
        let dof = dof.filter(|_| model.body_dofnum[welded] > 0);
        let island = dof.and_then(|dof| islands.dof_island.get(dof));
        if let Some(&island) = island.filter(|&&island| island >= 0) {
            let kinematics = &data.position.kinematics;
            desk.put_text((kinematics.xipos[body], kinematics.ximat[body]), body);
            desk.scene.write(island.to_string());
        }
    }
}

/// Axes of the world, twice as large, or of bodies.
pub(super) fn add_frames(desk: &mut Desk<'_>) {
    let kinematics = &desk.data.position.kinematics;
    let pose = |body: usize| {
        if desk.options.inertias {
            (kinematics.xipos[body], kinematics.ximat[body])
        } else {
            (kinematics.xpos[body], kinematics.xmat[body])
        }
    };
    match desk.options.frames {
        Some(Frames::World) => desk.put_frame(0, pose(0), 2.0),
        Some(Frames::Bodies) => {
            for body in 1..desk.model.nbody {
                if desk.shows_body(body as i32) {
                    desk.put_frame(body, pose(body), 1.0);
                }
            }
        }
        _ => {}
    }
}

/// Centres of mass of whole trees.
pub(super) fn add_centres(desk: &mut Desk<'_>) {
    if !desk.options.centres_of_mass {
        return;
    }
    let (model, centres) = (desk.model, &desk.data.position.com.subtree_com);
    let radius = desk.scaled(model.vis.scale.com);
    for body in 1..model.nbody {
        if model.body_rootid[body] == body as i32 {
            let pose = (centres[body], Mat3::identity());
            let colour = model.vis.rgba.com;
            desk.put(Shape::Ellipsoid, [radius; 3], pose, colour, unknown(body));
        }
    }
}

/// Bodies that do not hang on the world itself are connected with their joints, and with their parent.
pub(super) fn add_connections(desk: &mut Desk<'_>) {
    if !desk.options.connections {
        return;
    }
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let width = desk.scaled(model.vis.scale.connect);
    let colour = model.vis.rgba.connect;
    for body in 1..model.nbody {
        let parent = model.body_parentid[body] as usize;
        if parent == 0 {
            continue;
        }
        let first = model.body_jntadr[body].max(0) as usize;
        let joints = first..first + model.body_jntnum[body].max(0) as usize;
        let anchors = joints.rev().map(|joint| kinematics.xanchor[joint]);
        let mut at = kinematics.xipos[body];
        for next in anchors.chain([kinematics.xipos[parent]]) {
            desk.connect(Shape::Capsule, width, (at, next), colour, unknown(body));
            at = next;
        }
    }
}

/// Forces that are applied to bodies.
pub(super) fn add_forces(desk: &mut Desk<'_>) {
    if !desk.options.applied_forces {
        return;
    }
    let (model, kinematics) = (desk.model, &desk.data.position.kinematics);
    let width = desk.scaled(model.vis.scale.forcewidth);
    let scale = f64::from(model.vis.map.force) / model.stat.meanmass;
    for body in 1..model.nbody {
        let [x, y, z, ..] = desk.data.input.xfrc_applied[body];
        let force = Vec3([x, y, z]);
        if force.norm() > MIN_VALUE {
            let from = kinematics.xipos[body];
            let ends = (from, from + force * scale);
            desk.connect(
                Shape::Arrow,
                width,
                ends,
                model.vis.rgba.force,
                unknown(body),
            );
        }
    }
}
