//! Coplanar faces merged into polygons, the `mesh_poly*` products.
//!
//! Faces whose normals agree (cosine above 0.99999872, about 0.09°) are collected in one group;
//! an edge shared in opposite directions by two faces of a group disappears. What is left of
//! each connected part ("island") is walked as a closed path. Conforms to
//! `mjCMesh::MakePolygons`: group order and group membership depend on the shape of the search
//! tree (`tree.rs`), path order on the order of insertion.
//!
//! A group keeps its edges in one list with a hash index from edge to place and a union-find of
//! islands, so that the cost stays linear in the number of faces.

mod tree;

use super::{Face, corners};
use sinew_math::{Vec3, quotient};
use std::collections::HashMap;
use tree::PolygonTree;

/// The polygons of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// Vertex indices of each polygon, counter-clockwise seen from outside.
    pub paths: Vec<Vec<u32>>,
}

impl Polygons {
    /// For each vertex the polygons it belongs to, in increasing order.
    pub fn by_vertex(&self, vertex_count: usize) -> Vec<Vec<u32>> {
        let mut map = vec![Vec::new(); vertex_count];
        for (polygon, path) in self.paths.iter().enumerate() {
            for &vertex in path {
                map[vertex as usize].push(polygon as u32);
            }
        }
        map
    }

    /// Normals of the polygons from their first three vertices.
    pub fn normals(&self, vertices: &[Vec3]) -> Vec<Vec3> {
        let corner = |path: &[u32], k: usize| vertices[path[k] as usize];
        self.paths
            .iter()
            .map(|path| {
                quotient::triangle_normal(corner(path, 0), corner(path, 1), corner(path, 2)).0
            })
            .collect()
    }
}

/// Merges coplanar faces.
pub fn merge_coplanar(vertices: &[Vec3], faces: &[Face]) -> Polygons {
    let mut tree = PolygonTree::default();
    let mut groups: Vec<Group> = Vec::new();
    for face in faces {
        let [a, b, c] = corners(vertices, face);
        let (normal, _) = quotient::triangle_normal(a, b, c);
        match tree.find(normal) {
            Some(group) => groups[group].insert(face),
            None => {
                if tree.insert(normal) {
                    groups.push(Group::new(face));
                }
            }
        }
    }
    let mut paths = Vec::new();
    for group in tree.in_order() {
        paths.extend(groups[group].paths().into_iter().filter(|p| p.len() >= 3));
    }
    Polygons { paths }
}

/// Faces of one orientation.
struct Group {
    /// Directed edges in order of insertion; `None` once matched by their opposite.
    edges: Vec<Option<Edge>>,
    /// Places in `edges` by (from, to), oldest first; filled once a second face arrives.
    places: HashMap<(u32, u32), Vec<usize>>,
    /// Union-find over islands; a root is the oldest island of its set.
    parents: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    island: usize,
}

impl Group {
    fn new(face: &Face) -> Self {
        let edge = |from, to| {
            Some(Edge {
                from,
                to,
                island: 0,
            })
        };
        Group {
            edges: vec![
                edge(face[0], face[1]),
                edge(face[1], face[2]),
                edge(face[2], face[0]),
            ],
            places: HashMap::new(),
            parents: vec![0],
        }
    }

    fn insert(&mut self, face: &Face) {
        if self.places.is_empty() {
            for (place, edge) in self.edges.iter().enumerate() {
                if let Some(edge) = edge {
                    self.places
                        .entry((edge.from, edge.to))
                        .or_default()
                        .push(place);
                }
            }
        }
        let sides = [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])];
        // Take away edges that the face traverses in the opposite direction.
        let mut island = None;
        let mut is_new = [true; 3];
        for (side, (from, to)) in sides.into_iter().enumerate() {
            let Some(matched) = self.take(to, from) else {
                continue;
            };
            is_new[side] = false;
            let other = self.root(matched.island);
            island = Some(match island {
                None => other,
                Some(current) => self.union(current, other),
            });
        }
        let island = island.unwrap_or_else(|| {
            self.parents.push(self.parents.len());
            self.parents.len() - 1
        });
        for (side, (from, to)) in sides.into_iter().enumerate() {
            if is_new[side] {
                self.places
                    .entry((from, to))
                    .or_default()
                    .push(self.edges.len());
                self.edges.push(Some(Edge { from, to, island }));
            }
        }
    }

    /// Removes the oldest edge between two vertices.
    fn take(&mut self, from: u32, to: u32) -> Option<Edge> {
        let places = self.places.get_mut(&(from, to))?;
        if places.is_empty() {
            return None;
        }
        let place = places.remove(0);
        self.edges[place].take()
    }

    fn root(&mut self, mut island: usize) -> usize {
        while self.parents[island] != island {
            self.parents[island] = self.parents[self.parents[island]];
            island = self.parents[island];
        }
        island
    }

    fn union(&mut self, a: usize, b: usize) -> usize {
        let (low, high) = if b < a { (b, a) } else { (a, b) };
        self.parents[high] = low;
        low
    }

    /// The outlines of the islands; outlines that do not close are dropped.
    fn paths(&mut self) -> Vec<Vec<u32>> {
        let mut edges: Vec<Edge> = self.edges.iter().flatten().copied().collect();
        if edges.len() == 3 {
            return vec![edges.iter().map(|e| e.from).collect()];
        }
        for edge in &mut edges {
            edge.island = self.root(edge.island);
        }
        // The first edge of each island, and for each vertex of an island the edge that leaves
        // it; the first edge of the whole group is never a continuation.
        let mut starts: Vec<Option<usize>> = vec![None; self.parents.len()];
        let mut next: HashMap<(usize, u32), usize> = HashMap::with_capacity(edges.len());
        for (place, edge) in edges.iter().enumerate() {
            starts[edge.island].get_or_insert(place);
            if place > 0 {
                next.entry((edge.island, edge.from)).or_insert(place);
            }
        }
        let mut paths = Vec::new();
        for start in starts.into_iter().flatten() {
            let Edge { from, to, island } = edges[start];
            let mut path = vec![from, to];
            let mut at = to;
            for _ in 0..edges.len() {
                let Some(&place) = next.get(&(island, at)) else {
                    break;
                };
                at = edges[place].to;
                if at == from {
                    paths.push(path);
                    break;
                }
                path.push(at);
            }
        }
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::vec3;

    #[test]
    fn cube_of_triangles_has_six_squares() {
        let vertices: Vec<Vec3> = (0..8)
            .map(|i| vec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64))
            .collect();
        let faces = [
            [0, 2, 3],
            [0, 3, 1],
            [4, 5, 7],
            [4, 7, 6],
            [0, 1, 5],
            [0, 5, 4],
            [2, 6, 7],
            [2, 7, 3],
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
        ];
        let polygons = merge_coplanar(&vertices, &faces);
        assert_eq!(polygons.paths.len(), 6);
        assert!(polygons.paths.iter().all(|p| p.len() == 4));
        // Larger normals come first.
        assert_eq!(polygons.normals(&vertices)[0], Vec3::X);
        assert!(polygons.by_vertex(8).iter().all(|p| p.len() == 3));
    }

    #[test]
    fn separate_coplanar_patches_stay_separate() {
        let vertices = [
            vec3(0.0, 0.0, 0.0),
            vec3(1.0, 0.0, 0.0),
            vec3(0.0, 1.0, 0.0),
            vec3(5.0, 0.0, 0.0),
            vec3(6.0, 0.0, 0.0),
            vec3(5.0, 1.0, 0.0),
        ];
        let polygons = merge_coplanar(&vertices, &[[0, 1, 2], [3, 4, 5]]);
        assert_eq!(polygons.paths, vec![vec![0, 1, 2], vec![3, 4, 5]]);
    }
}
