//! Skins: triangles whose vertices follow several bodies.

use super::flex::single;
use super::objects::{dimmed, surface};
use super::{Corner, Piece, Scene, Shape};
use crate::options::{Labels, Options, shows};
use sinew_engine::Data;
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

pub(super) fn add(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    if !options.skins {
        return;
    }
    for skin in 0..model.nskin {
        if !shows(&options.skin_groups, model.skin_group[skin]) {
            continue;
        }
        let look = surface(
            model,
            model.skin_matid[skin],
            model.skin_rgba[skin],
            options,
        );
        let mut look = dimmed(look, model, options);
        if options.selected_skin == Some(skin) {
            look.emission += model.vis.global.glow;
        }
        if look.colour[3] == 0.0 {
            continue;
        }
        let first = (scene.corners.len(), scene.links.len());
        add_corners(scene, model, data, skin);
        let bone = model.skin_boneadr[skin].max(0) as usize;
        let body = model.skin_bonebodyid.get(bone).copied().unwrap_or(0);
        let piece = Piece {
            shape: Shape::Text,
            size: [0.1; 3],
            position: data.position.kinematics.xpos[body.max(0) as usize],
            axes: Mat3::identity(),
            surface: look,
            object: [skin as i32, ObjectType::Skin.code()],
            is_decoration: false,
        };
        scene.push_soft(first, piece);
        if options.labels == Some(Labels::Skins) {
            scene.write_name(model, ObjectType::Skin, skin);
        }
    }
}

fn add_corners(scene: &mut Scene, model: &Model, data: &Data, skin: usize) {
    let mut points = vertices(model, data, skin);
    let first = model.skin_faceadr[skin] as usize;
    let faces = &model.skin_face[first..first + model.skin_facenum[skin] as usize];
    let mut normals = vec![Vec3::ZERO; points.len()];
    for face in faces {
        let [a, b, c] = face.map(|vertex| points[vertex as usize]);
        // Larger triangles count for more.
        let normal = (b - a).cross(c - a);
        for &vertex in face {
            normals[vertex as usize] += normal;
        }
    }
    let inflate = f64::from(model.skin_inflate[skin]);
    for (point, normal) in points.iter_mut().zip(&mut normals) {
        *normal = normal.normalized();
        *point += *normal * inflate;
    }
    let texture = usize::try_from(model.skin_texcoordadr[skin]).ok();
    for &vertex in faces.iter().flatten() {
        let vertex = vertex as usize;
        scene.corners.push(Corner {
            position: single(points[vertex]),
            normal: single(normals[vertex]),
            texture: texture.map_or([0.0; 2], |first| model.skin_texcoord[first + vertex]),
        });
    }
}

/// Where vertices are: the weighted mean of where each of their bones would have them.
fn vertices(model: &Model, data: &Data, skin: usize) -> Vec<Vec3> {
    let kinematics = &data.position.kinematics;
    let start = model.skin_vertadr[skin] as usize;
    let rest = &model.skin_vert[start..start + model.skin_vertnum[skin] as usize];
    let mut points = vec![Vec3::ZERO; rest.len()];
    let first = model.skin_boneadr[skin] as usize;
    for bone in first..first + model.skin_bonenum[skin] as usize {
        let body = model.skin_bonebodyid[bone] as usize;
        let bind = Quat(model.skin_bonebindquat[bone].map(f64::from));
        let turn = (kinematics.xquat[body] * bind.conjugate()).to_mat();
        let origin = Vec3(model.skin_bonebindpos[bone].map(f64::from));
        let first = model.skin_bonevertadr[bone] as usize;
        for k in first..first + model.skin_bonevertnum[bone] as usize {
            let vertex = model.skin_bonevertid[k] as usize;
            let from_bone = Vec3(rest[vertex].map(f64::from)) - origin;
            let place = kinematics.xpos[body] + turn * from_bone;
            points[vertex] += place * f64::from(model.skin_bonevertweight[k]);
        }
    }
    points
}
