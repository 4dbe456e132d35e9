//! Edges of the elements, and the vertices across the edges of a cloth.

use crate::asset::pace::{Late, Pace};
use sinew_collision::hash::QuickMap;
use sinew_math::Vec3;

/// Corners of the edges of an element: a segment, a triangle, a tetrahedron.
const EDGES: [&[[usize; 2]]; 3] = [
    &[[0, 1]],
    &[[1, 2], [2, 0], [0, 1]],
    &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]],
];

/// What it takes to find an edge again among many, in bytes that are read meanwhile.
const EDGE: usize = 64;

/// All edges of a flex.
pub struct Edges {
    /// Lower and higher vertex, in the order of their first appearance.
    pub vertices: Vec<[i32; 2]>,
    /// Edges of each element.
    pub of_element: Vec<i32>,
    /// For triangles: the vertices of an edge as its first triangle lists them, the vertex across in
    /// that triangle, and the vertex across in the last other one; −1 without another.
    pub flaps: Vec<[i32; 4]>,
}

/// Number of edges of an element.
pub fn per_element(dim: usize) -> usize {
    EDGES[dim - 1].len()
}

impl Edges {
    /// Lists the edges of all elements, as long as there is time.
    pub fn find(elements: &[i32], dim: usize, pace: &Pace) -> Result<Edges, Late> {
        let pattern = EDGES[dim - 1];
        let count = elements.len() / (dim + 1);
        let mut known: QuickMap<[i32; 2], i32> = QuickMap::default();
        known.reserve(2 * count);
        let mut edges = Edges {
            vertices: Vec::new(),
            of_element: Vec::with_capacity(count * pattern.len()),
            flaps: Vec::new(),
        };
        for corners in elements.chunks_exact(dim + 1) {
            pace.after(EDGE * pattern.len())?;
            for &[a, b] in pattern {
                let (first, second) = (corners[a], corners[b]);
                let pair = [first.min(second), first.max(second)];
                let next = edges.vertices.len() as i32;
                let id = *known.entry(pair).or_insert(next);
                edges.of_element.push(id);
                if id == next {
                    edges.vertices.push(pair);
                }
                if dim == 2 {
                    let across = corners[(b + 1) % 3];
                    if id == next {
                        edges.flaps.push([first, second, across, -1]);
                    } else {
                        edges.flaps[id as usize][3] = across;
                    }
                }
            }
        }
        Ok(edges)
    }
}

/// Orders the corners of tetrahedra so that the faces (0 1 2), (0 2 3), (0 3 1), (1 3 2) look outwards.
pub fn turn_outwards(elements: &mut [i32], world: &[Vec3]) {
    for corners in elements.chunks_exact_mut(4) {
        let [v0, v1, v2, v3] = [0, 1, 2, 3].map(|k| world[corners[k] as usize]);
        if (v1 - v0).cross(v2 - v0).dot(v3 - v0) > 0.0 {
            corners.swap(1, 2);
        }
    }
}
