//! Coplanar faces merged into polygons, the `mesh_poly*` products.
//!
//! Faces whose normals agree (cosine above 0.99999872, about 0.09°) are collected in one group;
//! an edge shared in opposite directions by two faces of a group disappears. What is left of
//! each connected part ("island") is walked as a closed path. Conforms to
//! `mjCMesh::MakePolygons`: group order and group membership depend on the shape of the search
//! tree (`tree.rs`), path order on the order of insertion.
//!
//! A group keeps its edges in one list and its islands in a union-find; long lists get a hash
//! index, so that the cost stays linear in the number of faces.

mod tree;

use super::{Face, corners};
use crate::hash::QuickMap;
use sinew_math::{Vec3, quotient};
use tree::PolygonTree;

/// The polygons of a mesh, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// Vertex indices of all polygons, each counter-clockwise seen from outside.
    pub vertices: Vec<u32>,
    /// First entry of each polygon in `vertices`.
    pub addresses: Vec<u32>,
    /// Number of vertices of each polygon.
    pub lengths: Vec<u32>,
}

/// For each vertex the polygons it belongs to, in increasing order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolygonMap {
    /// Polygon indices of all vertices.
    pub polygons: Vec<u32>,
    /// First entry of each vertex in `polygons`.
    pub addresses: Vec<u32>,
    /// Number of polygons of each vertex.
    pub lengths: Vec<u32>,
}

impl Polygons {
    /// The vertices of each polygon.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let rows = self.addresses.iter().zip(&self.lengths);
        rows.map(|(address, length)| &self.vertices[*address as usize..][..*length as usize])
    }

    /// The polygons of each vertex.
    pub fn by_vertex(&self, vertex_count: usize) -> PolygonMap {
        let mut lengths = vec![0_u32; vertex_count];
        for &vertex in &self.vertices {
            lengths[vertex as usize] += 1;
        }
        let mut addresses = Vec::with_capacity(vertex_count);
        let mut total = 0;
        for &length in &lengths {
            addresses.push(total);
            total += length;
        }
        let mut next = addresses.clone();
        let mut polygons = vec![0_u32; self.vertices.len()];
        for (polygon, path) in self.iter().enumerate() {
            for &vertex in path {
                let place = &mut next[vertex as usize];
                polygons[*place as usize] = polygon as u32;
                *place += 1;
            }
        }
        PolygonMap {
            polygons,
            addresses,
            lengths,
        }
    }

    /// Normals of the polygons from their first three vertices.
    pub fn normals(&self, vertices: &[Vec3]) -> Vec<Vec3> {
        self.iter()
            .map(|path| {
                let [a, b, c] = [path[0], path[1], path[2]].map(|v| vertices[v as usize]);
                quotient::triangle_normal(a, b, c).0
            })
            .collect()
    }

    fn push(&mut self, path: &[u32]) {
        if path.len() >= 3 {
            self.addresses.push(self.vertices.len() as u32);
            self.lengths.push(path.len() as u32);
            self.vertices.extend_from_slice(path);
        }
    }
}

/// Faces or edges after which somebody is asked whether to go on.
const PACE: usize = 4096;

/// Merges coplanar faces.
pub fn merge_coplanar(vertices: &[Vec3], faces: &[Face]) -> Polygons {
    merge_coplanar_while(vertices, faces, || true).unwrap_or_default()
}

/// The same, as long as who is asked now and then wants it; then `None`.
pub fn merge_coplanar_while(
    vertices: &[Vec3],
    faces: &[Face],
    mut goes_on: impl FnMut() -> bool,
) -> Option<Polygons> {
    let mut tree = PolygonTree::default();
    let mut groups: Vec<Group> = Vec::new();
    for (count, face) in faces.iter().enumerate() {
        if count % PACE == 0 && !goes_on() {
            return None;
        }
        let [a, b, c] = corners(vertices, face);
        let (normal, _) = quotient::triangle_normal(a, b, c);
        match tree.find(normal) {
            Some(group) => groups[group].insert(face),
            None => {
                if tree.insert(normal) {
                    groups.push(Group {
                        first: *face,
                        merged: None,
                    });
                }
            }
        }
    }
    let mut polygons = Polygons::default();
    polygons.vertices.reserve(3 * groups.len());
    polygons.addresses.reserve(groups.len());
    polygons.lengths.reserve(groups.len());
    for (count, group) in tree.in_order().into_iter().enumerate() {
        if count % PACE == 0 && !goes_on() {
            return None;
        }
        groups[group].outline(&mut polygons, &mut goes_on)?;
    }
    Some(polygons)
}

/// Faces of one orientation; most groups have only one.
struct Group {
    first: Face,
    merged: Option<Box<Outline>>,
}

impl Group {
    fn insert(&mut self, face: &Face) {
        let first = &self.first;
        self.merged
            .get_or_insert_with(|| Box::new(Outline::new(first)))
            .insert(face);
    }

    /// `None`: nobody wants it any more.
    fn outline(
        &mut self,
        polygons: &mut Polygons,
        goes_on: &mut impl FnMut() -> bool,
    ) -> Option<()> {
        match &mut self.merged {
            None => polygons.push(&self.first),
            Some(outline) => outline.paths(polygons, goes_on)?,
        }
        Some(())
    }
}

/// Edges that are left of several faces.
#[derive(Default)]
struct Outline {
    /// Directed edges in order of insertion; `None` once matched by their opposite.
    edges: Vec<Option<Edge>>,
    /// For long lists: first and last place in `edges` by (from, to).
    places: QuickMap<(u32, u32), (usize, usize)>,
    /// Next place of the same edge; as long as `edges` once `places` is in use.
    next: Vec<usize>,
    /// Union-find over islands; a root is the oldest island of its set.
    parents: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    island: usize,
}

/// Lists up to this length are searched from the front.
const SHORT: usize = 48;
/// No further place.
const END: usize = usize::MAX;

impl Outline {
    fn new(face: &Face) -> Self {
        let mut outline = Outline {
            parents: vec![0],
            ..Outline::default()
        };
        for (from, to) in sides(face) {
            outline.add(Edge {
                from,
                to,
                island: 0,
            });
        }
        outline
    }

    fn insert(&mut self, face: &Face) {
        // Take away edges that the face traverses in the opposite direction.
        let mut island = None;
        let mut is_new = [true; 3];
        for ((from, to), is_new) in sides(face).into_iter().zip(&mut is_new) {
            let Some(matched) = self.take(to, from) else {
                continue;
            };
            *is_new = false;
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
        for ((from, to), is_new) in sides(face).into_iter().zip(is_new) {
            if is_new {
                self.add(Edge { from, to, island });
            }
        }
    }

    fn add(&mut self, edge: Edge) {
        self.edges.push(Some(edge));
        if self.edges.len() <= SHORT {
            return;
        }
        while self.next.len() < self.edges.len() {
            let place = self.next.len();
            self.next.push(END);
            if let Some(edge) = self.edges[place] {
                self.places
                    .entry((edge.from, edge.to))
                    .and_modify(|(_, last)| {
                        self.next[*last] = place;
                        *last = place;
                    })
                    .or_insert((place, place));
            }
        }
    }

    /// Removes the oldest edge between two vertices.
    fn take(&mut self, from: u32, to: u32) -> Option<Edge> {
        if self.next.is_empty() {
            let is_match = |e: &&mut Option<Edge>| e.is_some_and(|e| e.from == from && e.to == to);
            return self.edges.iter_mut().find(is_match)?.take();
        }
        let std::collections::hash_map::Entry::Occupied(mut entry) = self.places.entry((from, to))
        else {
            return None;
        };
        let (first, last) = *entry.get();
        if first == last {
            entry.remove();
        } else {
            *entry.get_mut() = (self.next[first], last);
        }
        self.edges[first].take()
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

    /// The outlines of the islands; outlines that do not close are dropped. `None`: nobody wants them any more.
    fn paths(&mut self, polygons: &mut Polygons, goes_on: &mut impl FnMut() -> bool) -> Option<()> {
        let mut steps = 0_usize;
        let mut step = || {
            steps += 1;
            (steps % PACE != 0 || goes_on()).then_some(())
        };
        let mut edges: Vec<Edge> = self.edges.iter().flatten().copied().collect();
        if let [a, b, c] = edges[..] {
            polygons.push(&[a.from, b.from, c.from]);
            return Some(());
        }
        // How many edges an island has: its outline is no longer.
        let mut sizes = vec![0_usize; self.parents.len()];
        for edge in &mut edges {
            step()?;
            edge.island = self.root(edge.island);
            sizes[edge.island] += 1;
        }
        // The first edge of each island, and for each vertex of an island the edge that leaves
        // it; the first edge of the whole group is never a continuation.
        let mut starts: Vec<Option<usize>> = vec![None; self.parents.len()];
        let mut next: QuickMap<(u32, u32), usize> = QuickMap::default();
        let is_short = edges.len() <= SHORT;
        for (place, edge) in edges.iter().enumerate() {
            step()?;
            starts[edge.island].get_or_insert(place);
            if place > 0 && !is_short {
                next.entry((edge.island as u32, edge.from)).or_insert(place);
            }
        }
        let continuation = |island: usize, at: u32| {
            if is_short {
                let is_next = |e: &&Edge| e.island == island && e.from == at;
                edges.iter().skip(1).find(is_next).map(|edge| edge.to)
            } else {
                let place = next.get(&(island as u32, at));
                place.map(|place| edges[*place].to)
            }
        };
        for start in starts.into_iter().flatten() {
            step()?;
            let Edge { from, to, island } = edges[start];
            let mut path = vec![from, to];
            let mut at = to;
            for _ in 0..sizes[island] {
                step()?;
                let Some(to) = continuation(island, at) else {
                    break;
                };
                at = to;
                if at == from {
                    polygons.push(&path);
                    break;
                }
                path.push(at);
            }
        }
        Some(())
    }
}

fn sides(face: &Face) -> [(u32, u32); 3] {
    [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])]
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
        assert_eq!(polygons.lengths, vec![4; 6]);
        // Larger normals come first.
        assert_eq!(polygons.normals(&vertices)[0], Vec3::X);
        assert_eq!(polygons.by_vertex(8).lengths, vec![3; 8]);
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
        let paths: Vec<&[u32]> = polygons.iter().collect();
        assert_eq!(paths, [[0, 1, 2], [3, 4, 5]]);
    }
}
