//! Flexes: lines as capsules, cloth from both sides, solids by their surface.

use super::connector::connector;
use super::objects::{dimmed, surface};
use super::{Corner, Scene, Shape, Surface};
use crate::options::{Options, shows};
use sinew_engine::Data;
use sinew_math::Vec3;
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
        let look = dimmed(look, model, options);
        if model.flex_dim[flex] == 1 {
            add_lines(scene, model, data, flex, look);
            continue;
        }
        let first = scene.corners.len();
        if model.flex_dim[flex] == 2 {
            add_cloth(scene, model, data, flex);
        } else {
            add_solid(scene, model, data, flex);
        }
        scene.push_corners(first, look, [flex as i32, ObjectType::Flex.code()]);
    }
}

/// The vertices of a flex.
fn vertices<'a>(model: &Model, data: &'a Data, flex: usize) -> &'a [Vec3] {
    let first = model.flex_vertadr[flex] as usize;
    let count = model.flex_vertnum[flex] as usize;
    &data.position.flex.flexvert_xpos[first..first + count]
}

fn add_lines(scene: &mut Scene, model: &Model, data: &Data, flex: usize, look: Surface) {
    let points = vertices(model, data, flex);
    let first = model.flex_edgeadr[flex] as usize;
    let radius = model.flex_radius[flex];
    let object = [flex as i32, ObjectType::Flex.code()];
    for edge in &model.flex_edge[first..first + model.flex_edgenum[flex] as usize] {
        let [from, to] = edge.map(|vertex| points[vertex as usize]);
        let piece = connector(Shape::Capsule, radius, (from, to), look, object);
        scene.pieces.push(piece);
    }
}

/// Both sides of a cloth, a radius away from its middle, and its rim.
fn add_cloth(scene: &mut Scene, model: &Model, data: &Data, flex: usize) {
    let points = vertices(model, data, flex);
    let first = model.flex_elemdataadr[flex] as usize;
    let count = 3 * model.flex_elemnum[flex] as usize;
    let elements = &model.flex_elem[first..first + count];
    let texture = textures(model, flex);
    let normals = normals(points, elements);
    let radius = model.flex_radius[flex];
    let corner = |vertex: i32, side: f64, normal: Vec3| {
        let vertex = vertex as usize;
        Corner {
            position: single(points[vertex] + normals[vertex] * (side * radius)),
            normal: single(normal),
            texture: texture.map_or([0.0; 2], |texture| texture[vertex]),
        }
    };
    for element in elements.chunks_exact(3) {
        for (side, order) in [(1.0, [0, 1, 2]), (-1.0, [0, 2, 1])] {
            for k in order {
                let vertex = element[k];
                let normal = normals[vertex as usize] * side;
                scene.corners.push(corner(vertex, side, normal));
            }
        }
    }
    // The rim: edges that belong to one element, in the direction that the element goes around.
    let first = model.flex_shelldataadr[flex] as usize;
    let count = 2 * model.flex_shellnum[flex] as usize;
    for edge in model.flex_shell[first..first + count].chunks_exact(2) {
        let [a, b] = [edge[0], edge[1]];
        let along = points[b as usize] - points[a as usize];
        let outward = along.cross(normals[b as usize]).normalized();
        for (vertex, side) in [
            (a, 1.0),
            (b, -1.0),
            (b, 1.0),
            (b, -1.0),
            (a, 1.0),
            (a, -1.0),
        ] {
            scene.corners.push(corner(vertex, side, outward));
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
    let normals = normals(points, shell);
    let radius = model.flex_radius[flex];
    for &vertex in shell {
        let vertex = vertex as usize;
        scene.corners.push(Corner {
            position: single(points[vertex] + normals[vertex] * radius),
            normal: single(normals[vertex]),
            texture: texture.map_or([0.0; 2], |texture| texture[vertex]),
        });
    }
}

/// Normals of vertices: the mean of their triangles'.
fn normals(points: &[Vec3], triangles: &[i32]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; points.len()];
    for triangle in triangles.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| points[triangle[k] as usize]);
        let normal = (b - a).cross(c - a).normalized();
        for &vertex in triangle {
            normals[vertex as usize] += normal;
        }
    }
    for normal in &mut normals {
        *normal = normal.normalized();
    }
    normals
}

/// Where in the texture the vertices are, if they say so.
fn textures(model: &Model, flex: usize) -> Option<&[[f32; 2]]> {
    let first = usize::try_from(model.flex_texcoordadr[flex]).ok()?;
    let count = model.flex_vertnum[flex] as usize;
    model.flex_texcoord.get(first..first + count)
}

pub(super) fn single(v: Vec3) -> [f32; 3] {
    v.0.map(|x| x as f32)
}
