//! Geoms, meshes and height fields for the convex algorithms.

use sinew_kernels::scene::TableData;
use sinew_kernels::solid::GeomKind;
use sinew_model::Model;
use sinew_model::kinds::GeomType;

/// Packs all geoms, meshes and height fields of a model.
pub(crate) fn add(model: &Model, out: &mut TableData) {
    for geom in 0..model.ngeom {
        let kind = match GeomType::from_code(model.geom_type[geom]) {
            Some(GeomType::Sphere) => GeomKind::Sphere,
            Some(GeomType::Capsule) => GeomKind::Capsule,
            Some(GeomType::Ellipsoid) => GeomKind::Ellipsoid,
            Some(GeomType::Cylinder) => GeomKind::Cylinder,
            Some(GeomType::Mesh) => GeomKind::Mesh,
            _ => GeomKind::Box,
        };
        out.solid_words
            .extend([kind as i32, model.geom_dataid[geom]]);
    }
    out.mesh_graph.extend(&model.mesh_graph);
    let vertices = model.mesh_vert.iter().flatten();
    out.mesh_vertices.extend(vertices.map(|&x| f64::from(x)));
    for mesh in 0..model.nmesh {
        add_mesh(model, mesh, out);
    }
    for field in 0..model.nhfield {
        out.field_words.extend([
            model.hfield_nrow[field],
            model.hfield_ncol[field],
            model.hfield_adr[field],
        ]);
        out.field_sizes.extend(model.hfield_size[field]);
    }
    let heights = model.hfield_data.iter();
    out.field_heights.extend(heights.map(|&x| f64::from(x)));
}

fn add_mesh(model: &Model, mesh: usize, out: &mut TableData) {
    let (start, count) = (model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]);
    let graph = usize::try_from(model.mesh_graphadr[mesh]).ok();
    let hull = graph.map_or(&[][..], |start| {
        let graph = &model.mesh_graph[start..];
        &graph[..graph_length(graph)]
    });
    out.mesh_words
        .extend([start, count, graph.unwrap_or(0) as i32, hull.len() as i32]);
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let places = hull.first().map_or(0, |&places| places as usize);
    for &id in hull.iter().skip(2 + places).take(places) {
        let vertex = model.mesh_vert[(start + id) as usize];
        for k in 0..3 {
            low[k] = low[k].min(f64::from(vertex[k]));
            high[k] = high[k].max(f64::from(vertex[k]));
        }
    }
    let centre = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    out.mesh_bounds.extend(centre);
    out.mesh_bounds
        .extend([0, 1, 2].map(|k| (high[k] - centre[k]).max(centre[k] - low[k])));
}

/// Words of a graph of v vertices and f faces: both numbers, 2 v words, v + 3 f words of edges, 3 f words of faces, of which only
/// the last are not read.
fn graph_length(graph: &[i32]) -> usize {
    let [vertices, faces] = [graph[0] as usize, graph[1] as usize];
    2 + 3 * vertices + 3 * faces
}
