//! Geoms as the convex algorithms see them.

use crate::Number;
use crate::scene::{FIELD_WORDS, MESH_WORDS, SOLID_WORDS, Scene};
use sinew_collision::convex::{HeightField, Mesh, Solid, SolidKind};
use sinew_collision::pair::Shape;
use sinew_math::Vec3;

/// Kinds of shapes, by their number in `solid_words`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[repr(i32)]
pub enum GeomKind {
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh,
}

/// A mesh as a scene has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polyhedron<'a, T> {
    vertices: &'a [[T; 3]],
    /// Numbers of vertices and faces of the hull, where the edges of each begin, the mesh vertex of each, edges that end in
    /// −1; nothing without a hull.
    graph: &'a [i32],
    bounds: &'a [T],
}

impl<'a, T: Number> Polyhedron<'a, T> {
    #[inline(always)]
    fn new(scene: &Scene<'a, T>, mesh: usize) -> Self {
        let tables = &scene.tables;
        let words = &tables.mesh_words.as_chunks::<MESH_WORDS>().0[mesh];
        let [start, count, graph, length] = words.map(|word| word as usize);
        let bounds = 6 * mesh;
        Polyhedron {
            vertices: &tables.mesh_vertices.as_chunks().0[start..start + count],
            graph: &tables.mesh_graph[graph..graph + length],
            bounds: &tables.mesh_bounds[bounds..bounds + 6],
        }
    }

    /// Vertices of the hull.
    #[inline(always)]
    fn places(&self) -> usize {
        self.graph[0] as usize
    }
}

impl<T: Number> Mesh<T> for Polyhedron<'_, T> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.vertices.len()
    }

    #[inline(always)]
    fn vertex(&self, i: usize) -> Vec3<T> {
        Vec3(self.vertices[i])
    }

    #[inline(always)]
    fn has_hull(&self) -> bool {
        !self.graph.is_empty()
    }

    #[inline(always)]
    fn bounds(&self) -> Option<[Vec3<T>; 2]> {
        let vector = |k: usize| Vec3([self.bounds[k], self.bounds[k + 1], self.bounds[k + 2]]);
        self.has_hull().then(|| [vector(0), vector(3)])
    }

    #[inline(always)]
    fn id(&self, place: usize) -> usize {
        self.graph[2 + self.places() + place] as usize
    }

    #[inline(always)]
    fn neighbour(&self, place: usize, k: usize) -> Option<usize> {
        let edges = self.graph[2 + place] as usize + 2 + 2 * self.places();
        usize::try_from(self.graph[edges + k]).ok()
    }

    #[inline(always)]
    fn climb(&self, start: usize, highest: T, direction: Vec3<T>) -> usize {
        let (mut best, mut highest) = (start, highest);
        loop {
            let (from, mut k) = (best, 0);
            while let Some(place) = self.neighbour(from, k) {
                let height = direction.dot(self.vertex(self.id(place)));
                if height > highest {
                    (best, highest) = (place, height);
                }
                k += 1;
            }
            if best == from {
                return best;
            }
        }
    }
}

/// What stands where there is no mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoMesh;

impl<T: Number> Mesh<T> for NoMesh {
    #[inline(always)]
    fn count(&self) -> usize {
        0
    }

    #[inline(always)]
    fn vertex(&self, _: usize) -> Vec3<T> {
        Vec3::zero()
    }

    #[inline(always)]
    fn has_hull(&self) -> bool {
        false
    }

    #[inline(always)]
    fn bounds(&self) -> Option<[Vec3<T>; 2]> {
        None
    }

    #[inline(always)]
    fn id(&self, place: usize) -> usize {
        place
    }

    #[inline(always)]
    fn neighbour(&self, _: usize, _: usize) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn climb(&self, start: usize, _: T, _: Vec3<T>) -> usize {
        start
    }
}

/// A height field.
#[inline(always)]
pub(crate) fn height_field<'a, T: Number>(
    scene: &Scene<'a, T>,
    geom: usize,
    shape: &Shape<T>,
) -> HeightField<&'a [T], T> {
    let tables = &scene.tables;
    let field = tables.solid_words.as_chunks::<SOLID_WORDS>().0[geom][1] as usize;
    let words = &tables.field_words.as_chunks::<FIELD_WORDS>().0[field];
    let [rows, columns, start] = words.map(|word| word as usize);
    HeightField {
        pos: shape.pos,
        mat: shape.mat,
        size: tables.field_sizes.as_chunks().0[field],
        rows,
        columns,
        elevation: &tables.field_heights[start..],
    }
}

/// A geom that carries a margin.
#[inline(always)]
pub(crate) fn solid<'a, T: Number>(
    scene: &Scene<'a, T>,
    geom: usize,
    shape: &Shape<T>,
    margin: T,
) -> Solid<Polyhedron<'a, T>, T> {
    let words = &scene.tables.solid_words.as_chunks::<SOLID_WORDS>().0[geom];
    const SPHERE: i32 = GeomKind::Sphere as i32;
    const CAPSULE: i32 = GeomKind::Capsule as i32;
    const ELLIPSOID: i32 = GeomKind::Ellipsoid as i32;
    const CYLINDER: i32 = GeomKind::Cylinder as i32;
    const MESH: i32 = GeomKind::Mesh as i32;
    let kind = match words[0] {
        SPHERE => SolidKind::Sphere,
        CAPSULE => SolidKind::Capsule,
        ELLIPSOID => SolidKind::Ellipsoid,
        CYLINDER => SolidKind::Cylinder,
        MESH => SolidKind::Mesh(Polyhedron::new(scene, words[1] as usize)),
        _ => SolidKind::Box,
    };
    Solid::new(kind, shape.pos, shape.mat, shape.size, margin)
}
