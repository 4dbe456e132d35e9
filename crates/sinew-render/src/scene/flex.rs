//! Flexes: lines as capsules, cloth from both sides, solids by their surface.

use super::objects::{surface, upright};
use super::{Corner, Piece, Scene, Shape};
use crate::options::{Options, shows};
use sinew_engine::Data;
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

pub(super) fn add(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    for flex in 0..model.nflex {
        if !shows(&options.flex_groups, model.flex_group[flex]) {
            continue;
        }
        let look = surface(
            model,
            model.flex_matid[flex],
            model.flex_rgba[flex],
            options,
        );
        if look.colour[3] == 0.0 {
            continue;
        }
        let mut piece = Piece {
            shape: Shape::Corners(0, 0),
            size: [1.0; 3],
            position: Vec3::ZERO,
            axes: upright(),
            surface: look,
            object: [flex as i32, ObjectType::Flex.code()],
            is_decoration: false,
        };
        if model.flex_dim[flex] == 1 {
            add_lines(scene, model, data, flex, piece);
            continue;
        }
        let first = scene.corners.len();
        if model.flex_dim[flex] == 2 {
            add_cloth(scene, model, data, flex);
        } else {
            add_solid(scene, model, data, flex);
        }
        piece.shape = Shape::Corners(first, scene.corners.len() - first);
        scene.pieces.push(piece);
    }
}

/// The vertices of a flex.
fn vertices<'a>(model: &Model, data: &'a Data, flex: usize) -> &'a [Vec3] {
    let first = model.flex_vertadr[flex] as usize;
    let count = model.flex_vertnum[flex] as usize;
    &data.position.flex.flexvert_xpos[first..first + count]
}

fn add_lines(scene: &mut Scene, model: &Model, data: &Data, flex: usize, mut piece: Piece) {
    let points = vertices(model, data, flex);
    let first = model.flex_edgeadr[flex] as usize;
    let radius = model.flex_radius[flex];
    for edge in &model.flex_edge[first..first + model.flex_edgenum[flex] as usize] {
        let [from, to] = edge.map(|vertex| points[vertex as usize]);
        let z = (to - from).normalized();
        let other = if z[0].abs() < 0.9 { Vec3::X } else { Vec3::Y };
        let x = (other - z * other.dot(z)).normalized();
        piece.shape = Shape::Capsule;
        piece.size = [radius, radius, 0.5 * from.distance(to)];
        piece.position = (from + to) * 0.5;
        piece.axes = Mat3::from_columns(x, z.cross(x), z);
        scene.pieces.push(piece);
    }
}

/// Both sides of a cloth, a radius away from its middle, with smooth normals.
fn add_cloth(scene: &mut Scene, model: &Model, data: &Data, flex: usize) {
    let points = vertices(model, data, flex);
    let first = model.flex_elemdataadr[flex] as usize;
    let count = 3 * model.flex_elemnum[flex] as usize;
    let elements = &model.flex_elem[first..first + count];
    let texture = textures(model, flex);
    let mut normals = vec![Vec3::ZERO; points.len()];
    for element in elements.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| points[element[k] as usize]);
        let normal = (b - a).cross(c - a);
        for &vertex in element {
            normals[vertex as usize] += normal;
        }
    }
    let radius = model.flex_radius[flex];
    for element in elements.chunks_exact(3) {
        for (side, order) in [(1.0, [0, 1, 2]), (-1.0, [0, 2, 1])] {
            for k in order {
                let vertex = element[k] as usize;
                let normal = normals[vertex].normalized() * side;
                scene.corners.push(Corner {
                    position: single(points[vertex] + normal * radius),
                    normal: single(normal),
                    texture: texture.map_or([0.0; 2], |texture| texture[vertex]),
                });
            }
        }
    }
}

/// The triangles that bound a solid.
fn add_solid(scene: &mut Scene, model: &Model, data: &Data, flex: usize) {
    let points = vertices(model, data, flex);
    let first = model.flex_shelldataadr[flex] as usize;
    let count = 3 * model.flex_shellnum[flex] as usize;
    let shell = &model.flex_shell[first..first + count];
    let texture = textures(model, flex);
    let mut normals = vec![Vec3::ZERO; points.len()];
    for triangle in shell.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| points[triangle[k] as usize]);
        let normal = (b - a).cross(c - a);
        for &vertex in triangle {
            normals[vertex as usize] += normal;
        }
    }
    let radius = model.flex_radius[flex];
    for &vertex in shell {
        let vertex = vertex as usize;
        let normal = normals[vertex].normalized();
        scene.corners.push(Corner {
            position: single(points[vertex] + normal * radius),
            normal: single(normal),
            texture: texture.map_or([0.0; 2], |texture| texture[vertex]),
        });
    }
}

/// Where in the texture the vertices are, if they say so.
fn textures(model: &Model, flex: usize) -> Option<&[[f32; 2]]> {
    let first = usize::try_from(model.flex_texcoordadr[flex]).ok()?;
    let count = model.flex_vertnum[flex] as usize;
    model.flex_texcoord.get(first..first + count)
}

fn single(v: Vec3) -> [f32; 3] {
    v.0.map(|x| x as f32)
}
