//! Convex hulls in three dimensions.

use crate::mesh::Face;
use sinew_math::Vec3;

/// A triangulated convex hull.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    /// Points that are corners of the hull.
    pub vertices: Vec<u32>,
    /// For each corner its neighbours, as positions in `vertices`.
    pub neighbors: Vec<Vec<u32>>,
    /// Triangles of point indices, counter-clockwise seen from outside.
    pub faces: Vec<Face>,
}

/// Why there is no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullError {
    /// Fewer than four points.
    TooFewPoints,
    /// The points lie in a plane, on a line or in one place.
    Flat,
    /// The construction did not settle.
    Numerical,
}

/// Hull of `points`; `vertex_limit` (at least 4) stops the construction after that many corners.
pub fn convex_hull(points: &[Vec3], vertex_limit: Option<usize>) -> Result<Hull, HullError> {
    let _ = (points, vertex_limit);
    Err(HullError::Numerical)
}

impl Hull {
    /// The `mesh_graph` layout: numvert, numface, vert_edgeadr\[numvert\],
    /// vert_globalid\[numvert\], edge_localid\[numvert + 3·numface\], face_globalid\[3·numface\].
    /// The neighbours of a vertex end with −1.
    pub fn graph(&self) -> Vec<i32> {
        let (vertices, faces) = (self.vertices.len(), self.faces.len());
        let mut graph = Vec::with_capacity(2 + 3 * vertices + 6 * faces);
        graph.push(vertices as i32);
        graph.push(faces as i32);
        let mut address = 0;
        for neighbors in &self.neighbors {
            graph.push(address);
            address += neighbors.len() as i32 + 1;
        }
        graph.extend(self.vertices.iter().map(|v| *v as i32));
        for neighbors in &self.neighbors {
            graph.extend(neighbors.iter().map(|n| *n as i32));
            graph.push(-1);
        }
        graph.extend(self.faces.iter().flatten().map(|v| *v as i32));
        graph
    }
}
