//! Convex hulls in three dimensions.
//!
//! Quickhull with merged facets: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull
//! algorithm for convex hulls", ACM Trans. Math. Softw. 22 (1996) 469–483. A simplex of extreme
//! points is grown by the furthest point outside a facet: the facets it sees are replaced by a
//! cone of triangles from their horizon. Distances are only known up to a round-off that follows
//! from the size of the input; triangles that are not clearly convex within it are merged with a
//! neighbour, so that a facet may have many corners and points closer than the round-off to the
//! surface are not corners. At the end facets are cut into triangles again.
//!
//! The corners of the hull, the order of its triangles and the order of neighbours around a
//! corner are those of the reference, which calls Qhull 2020.2 with the options `Qt` and `TAn`:
//! facet lists, sets and tolerances evolve in the same sequence. A hull that Qhull would refuse
//! because merging opened too wide a facet is refused here as well.
//!
//! Differs from MuJoCo: the final search for points outside, after which Qhull may still refuse a
//! hull, is not made; a hull whose flat facets have tens of thousands of corners is refused instead
//! of taking minutes.
//!
//! | file | step |
//! |---|---|
//! | `arena.rs`, `lists.rs` | facets, ridges, vertices, and the lists they stand in |
//! | `tolerance.rs` | round-off of distances and what follows from it |
//! | `plane.rs` | planes, distances, centres |
//! | `simplex.rs` | the first four corners and facets |
//! | `partition.rs`, `search.rs` | which facet a point is outside of |
//! | `cone.rs`, `matching.rs` | horizon of a point, new triangles, their neighbours |
//! | `merge/` | merging of facets that are not clearly convex |
//! | `triangulate.rs` | facets with many corners become triangles |
//! | `build.rs` | the loop over points |

mod arena;
mod build;
mod cone;
mod lists;
mod matching;
mod merge;
mod partition;
mod plane;
mod search;
mod simplex;
mod tolerance;
mod triangulate;

use crate::mesh::Face;
use arena::Builder;
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
    /// Facets with so many corners that the construction would take too long.
    TooComplex,
    /// Round-off and nearly coplanar points left no consistent hull.
    Numerical,
    /// The caller did not want to go on.
    Interrupted,
}

/// Facets or corners after which somebody is asked whether to go on.
const PACE: usize = 4096;

/// Hull of `points`; `vertex_limit` (at least 4) stops the construction after that many corners.
pub fn convex_hull(points: &[Vec3], vertex_limit: Option<usize>) -> Result<Hull, HullError> {
    convex_hull_while(points, vertex_limit, || true)
}

/// As [`convex_hull`], as long as `may_go_on` says so; it is asked before every corner, and now and then while what was built is
/// finished.
pub fn convex_hull_while(
    points: &[Vec3],
    vertex_limit: Option<usize>,
    mut may_go_on: impl FnMut() -> bool,
) -> Result<Hull, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFewPoints);
    }
    let mut builder = Builder::new(points)?;
    builder.build(vertex_limit, &mut may_go_on)?;
    let mut done = 0_usize;
    let mut goes_on = || {
        done += 1;
        match done % PACE != 0 || may_go_on() {
            true => Ok(()),
            false => Err(HullError::Interrupted),
        }
    };
    builder.triangulate(&mut goes_on)?;
    builder.hull(&mut goes_on)
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

#[cfg(test)]
mod tests;
