//! Flexes: lines as tubes, cloth from both sides, solids by their surface; or vertices, edges and elements.

use super::objects::{dimmed, surface};
use super::{Corner, Link, Piece, Scene, Shape};
use crate::options::{Labels, Options, shows};
use sinew_engine::Data;
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// Two sizes of a piece that has none of its own.
const NO_SIZE: f64 = 0.1;

pub(super) fn add(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    let parts = options.flexes;
    if !(parts.vertices || parts.edges || parts.faces || parts.skin) {
        return;
    }
    for flex in 0..model.nflex {
        if !shows(&options.flex_groups, model.flex_group[flex]) {
            continue;
        }
        let mut look = surface(
            model,
            model.flex_matid[flex],
            model.flex_rgba[flex],
            options,
        );
        look = dimmed(look, model, options);
        if model.flex_texcoordadr[flex] < 0 {
            look.material = None;
        }
        if options.selected_flex == Some(flex) {
            look.emission += model.vis.global.glow;
        }
        if look.colour[3] == 0.0 {
            continue;
        }
        let first = (scene.corners.len(), scene.links.len());
        match model.flex_dim[flex] {
            1 => {}
            2 if parts.skin => add_cloth(scene, model, data, flex),
            _ if parts.skin => add_solid(scene, model, data, flex),
            _ if parts.faces => add_faces(scene, model, data, flex, parts.layer),
            _ => {}
        }
        let is_hidden = parts.skin && scene.corners.len() > first.0;
        if !is_hidden && model.flex_radius[flex] > 0.0 {
            add_links(scene, model, data, flex, options);
        }
        let points = vertices(model, data, flex);
        let piece = Piece {
            shape: Shape::Text,
            size: [model.flex_radius[flex], NO_SIZE, NO_SIZE],
            position: points.first().copied().unwrap_or(Vec3::ZERO),
            axes: Mat3::identity(),
            surface: look,
            object: [flex as i32, ObjectType::Flex.code()],
            is_decoration: false,
        };
        scene.push_soft(first, piece);
        if options.labels == Some(Labels::Flexes) {
            scene.write_name(model, ObjectType::Flex, flex);
        }
    }
}

/// The vertices of a flex.
fn vertices<'a>(model: &Model, data: &'a Data, flex: usize) -> &'a [Vec3] {
    let first = model.flex_vertadr[flex] as usize;
    let count = model.flex_vertnum[flex] as usize;
    &data.position.flex.flexvert_xpos[first..first + count]
}

/// Vertices as balls, edges as tubes.
fn add_links(scene: &mut Scene, model: &Model, data: &Data, flex: usize, options: &Options) {
    let points = vertices(model, data, flex);
    let radius = model.flex_radius[flex];
    if options.flexes.vertices {
        let ball = |&point: &Vec3| Link {
            ends: (point, point),
            radius,
        };
        scene.links.extend(points.iter().map(ball));
    }
    if options.flexes.edges {
        let first = model.flex_edgeadr[flex] as usize;
        let edges = &model.flex_edge[first..first + model.flex_edgenum[flex] as usize];
        let tube = |edge: &[i32; 2]| {
            let [from, to] = edge.map(|vertex| points[vertex as usize]);
            Link {
                ends: (from, to),
                radius,
            }
        };
        scene.links.extend(edges.iter().map(tube));
    }
}

/// The sides of elements, a radius away from them: both of triangles, the four of tetrahedra of a layer.
fn add_faces(scene: &mut Scene, model: &Model, data: &Data, flex: usize, layer: i32) {
    const TRIANGLE: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 1]];
    const TETRAHEDRON: [[usize; 3]; 4] = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    let points = vertices(model, data, flex);
    let dim = model.flex_dim[flex] as usize;
    let first = model.flex_elemdataadr[flex] as usize;
    let texture = textures(model, flex);
    let radius = model.flex_radius[flex];
    let sides: &[[usize; 3]] = if dim == 2 { &TRIANGLE } else { &TETRAHEDRON };
    for element in 0..model.flex_elemnum[flex] as usize {
        let layer_of = model.flex_elemadr[flex] as usize + element;
        if dim == 3 && model.flex_elemlayer.get(layer_of) != Some(&layer) {
            continue;
        }
        let start = first + element * (dim + 1);
        let ids = |list: &[i32], side: &[usize; 3]| side.map(|k| list[start + k] as usize);
        for side in sides {
            let corners = ids(&model.flex_elem, side).map(|vertex| points[vertex]);
            let normal = (corners[1] - corners[0])
                .cross(corners[2] - corners[0])
                .normalized();
            let places = ids(&model.flex_elemtexcoord, side);
            for k in 0..3 {
                scene.corners.push(Corner {
                    position: single(corners[k] + normal * radius),
                    normal: single(normal),
                    texture: texture_at(texture, places[k]),
                });
            }
        }
    }
}

/// Where in the texture a place of its list is.
fn texture_at(list: Option<&[[f32; 2]]>, place: usize) -> [f32; 2] {
    list.and_then(|list| list.get(place))
        .copied()
        .unwrap_or([0.0; 2])
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
    let corner = |vertex: i32, side: f64, normal: Vec3, place: i32| {
        let vertex = vertex as usize;
        Corner {
            position: single(points[vertex] + normals[vertex] * (side * radius)),
            normal: single(normal),
            texture: texture_at(texture, place as usize),
        }
    };
    let is_flat = model.flex_flatskin[flex] != 0;
    let places = model.flex_elemtexcoord.get(first..first + count);
    for (number, element) in elements.chunks_exact(3).enumerate() {
        let [a, b, c] = [0, 1, 2].map(|k| points[element[k] as usize]);
        // The reference's light falls on both sides of a flat element as on its front.
        let flat = (b - a).cross(c - a).normalized();
        for (side, order) in [(1.0, [0, 1, 2]), (-1.0, [0, 2, 1])] {
            for k in order {
                let vertex = element[k];
                let smooth = normals[vertex as usize] * side;
                let normal = if is_flat { flat } else { smooth };
                let place = places.map_or(vertex, |places| places[3 * number + k]);
                scene.corners.push(corner(vertex, side, normal, place));
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
            scene.corners.push(corner(vertex, side, outward, vertex));
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
    let is_flat = model.flex_flatskin[flex] != 0;
    for triangle in shell.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| points[triangle[k] as usize]);
        let flat = (b - a).cross(c - a).normalized();
        for &vertex in triangle {
            let vertex = vertex as usize;
            scene.corners.push(Corner {
                position: single(points[vertex] + normals[vertex] * radius),
                normal: single(if is_flat { flat } else { normals[vertex] }),
                texture: texture_at(texture, vertex),
            });
        }
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

/// Places in the texture, from the first of the flex on, if it has any.
fn textures(model: &Model, flex: usize) -> Option<&[[f32; 2]]> {
    let first = usize::try_from(model.flex_texcoordadr[flex]).ok()?;
    model.flex_texcoord.get(first..)
}

pub(super) fn single(v: Vec3) -> [f32; 3] {
    v.0.map(|x| x as f32)
}
