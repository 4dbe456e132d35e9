//! Triangles of a mesh.

use super::{Triangles, normal};
use crate::scene::Corner;
use sinew_model::Model;

/// A corner's own normal counts where it is this near to the triangle's: elsewhere the mesh has an edge.
const SMOOTH: f32 = 0.8;

/// The triangles of a mesh, edges kept sharp where it has no texture.
pub(crate) fn mesh(model: &Model, id: usize) -> Triangles {
    let address = |column: &[i32]| usize::try_from(column[id]).ok();
    let (Some(vertices), Some(normals)) =
        (address(&model.mesh_vertadr), address(&model.mesh_normaladr))
    else {
        return Triangles::default();
    };
    let texture = address(&model.mesh_texcoordadr);
    let first = model.mesh_faceadr[id] as usize;
    let faces = first..first + model.mesh_facenum[id] as usize;
    let mut out = Triangles {
        corners: Vec::with_capacity(3 * faces.len()),
        points: model.mesh_vert[vertices..vertices + model.mesh_vertnum[id] as usize].to_vec(),
        order: Vec::with_capacity(3 * faces.len()),
        has_texture: texture.is_some(),
        inner_edges: Vec::new(),
    };
    for face in faces {
        let at = |list: &[[i32; 3]], start: usize, k: usize| start + list[face][k] as usize;
        let point = |k| model.mesh_vert[at(&model.mesh_face, vertices, k)];
        let flat = normal(point(0), point(1), point(2));
        for k in 0..3 {
            let own = model.mesh_normal[at(&model.mesh_facenormal, normals, k)];
            let agreement = own[0] * flat[0] + own[1] * flat[1] + own[2] * flat[2];
            let is_smooth = texture.is_some() || agreement >= SMOOTH;
            let texture = texture.map_or([0.0; 2], |start| {
                model.mesh_texcoord[at(&model.mesh_facetexcoord, start, k)]
            });
            out.order.push(model.mesh_face[face][k] as u32);
            out.corners.push(Corner {
                position: point(k),
                normal: if is_smooth { own } else { flat },
                texture,
            });
        }
    }
    out
}

/// The triangles of a mesh's convex hull, each flat; none if it has no hull.
pub(crate) fn hull(model: &Model, id: usize) -> Triangles {
    let mut out = Triangles::default();
    let (Ok(graph), Ok(vertices)) = (
        usize::try_from(model.mesh_graphadr[id]),
        usize::try_from(model.mesh_vertadr[id]),
    ) else {
        return out;
    };
    let number = |k: usize| {
        model
            .mesh_graph
            .get(graph + k)
            .map_or(0, |&x| x.max(0) as usize)
    };
    let (points, faces) = (number(0), number(1));
    // After the two counts: edges of each vertex, ids of vertices, edges; then the corners of faces.
    let first = graph + 2 + 3 * points + 3 * faces;
    let corners = model.mesh_graph.get(first..first + 3 * faces);
    for face in corners.unwrap_or(&[]).as_chunks::<3>().0 {
        let places = face.map(|vertex| {
            let vertex = vertices + vertex.max(0) as usize;
            model.mesh_vert.get(vertex).copied().unwrap_or_default()
        });
        let n = normal(places[0], places[1], places[2]);
        out.push(places.map(|place| (place, n)));
    }
    out.share();
    out
}
