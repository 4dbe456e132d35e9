//! Facets, ridges and vertices of a hull under construction, and the lists they stand in.
//!
//! Everything is addressed by position in an arena. Facets and vertices stand in doubly linked
//! lists that end in a tail; the facets of the current step stand at the end of their list, first
//! those that will be deleted ("visible"), then the new ones. The sets inside a facet are short
//! vectors in which a deleted entry is replaced by the last one, except for vertices, which are
//! sorted from young to old.

use super::HullError;
use super::tolerance::Tolerance;
use sinew_math::Vec3;
use std::ops::{Index, IndexMut};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FacetId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RidgeId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VertexId(pub u32);
/// Index of an input point.
pub(super) type PointId = u32;

impl FacetId {
    /// The end of the facet list.
    pub const TAIL: FacetId = FacetId(0);
    /// No facet. This and the next two are real but empty facets, so that following them by
    /// mistake ends a walk.
    pub const NONE: FacetId = FacetId(1);
    /// In a neighbour set: the ridge has more than two facets and no decision yet.
    pub const SHARED: FacetId = FacetId(2);
    /// In a neighbour set: the facet must be merged across this ridge.
    pub const FORCED: FacetId = FacetId(3);
    pub const RESERVED: u32 = 4;
}

impl VertexId {
    /// The end of the vertex list.
    pub const TAIL: VertexId = VertexId(0);
    /// No vertex.
    pub const NONE: VertexId = VertexId(1);
    pub const RESERVED: u32 = 2;
}

#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// Number in order of creation.
    pub id: u32,
    pub normal: Vec3,
    pub offset: f64,
    pub has_normal: bool,
    /// Mean of the corners in the plane of the facet.
    pub center: Option<Vec3>,
    /// Distance of the last point of `outside`.
    pub furthest: f64,
    /// How far a corner may be above the plane.
    pub max_outside: f64,
    pub next: FacetId,
    pub previous: FacetId,
    /// One of several, by the state of the facet: what replaces it, the next in its cycle, the
    /// cycle that will be merged into it, the facet it was cut from.
    pub link: FacetId,
    pub visit: u32,
    pub merges: u32,
    /// Corners, youngest first.
    pub vertices: Vec<VertexId>,
    /// Neighbours; of a triangle each opposite the corner of the same place.
    pub neighbors: Vec<FacetId>,
    /// Edges; a triangle has only those to facets that are not triangles.
    pub ridges: Vec<RidgeId>,
    /// Whether there ever was one.
    pub had_ridges: bool,
    /// Points above the facet, the furthest last.
    pub outside: Vec<PointId>,
    /// Points near the facet, the highest last.
    pub coplanar: Vec<PointId>,
    pub is_top_oriented: bool,
    pub is_simplicial: bool,
    pub is_visible: bool,
    pub is_new: bool,
    pub is_flipped: bool,
    pub is_seen: bool,
    pub is_tested: bool,
    /// Merged since vertices were last reduced.
    pub is_newly_merged: bool,
    pub is_degenerate: bool,
    pub is_redundant: bool,
    /// On the horizon and coplanar with the new point.
    pub has_coplanar_horizon: bool,
    /// A new triangle that will be merged into its horizon.
    pub merges_into_horizon: bool,
    pub is_cycle_done: bool,
    pub has_shared_ridge: bool,
    pub has_forced_ridge: bool,
    pub has_second_forced_ridge: bool,
    pub keeps_center: bool,
    pub is_cut: bool,
    pub is_not_furthest: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ridge {
    /// The two ends, youngest first; fewer while a vertex is renamed.
    pub vertices: [VertexId; 2],
    pub top: FacetId,
    pub bottom: FacetId,
    pub is_top_simplicial: bool,
    pub is_bottom_simplicial: bool,
    pub is_tested: bool,
    pub is_nonconvex: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Vertex {
    /// Number in order of creation; sets of vertices are sorted by it.
    pub id: u32,
    pub point: PointId,
    pub next: VertexId,
    pub previous: VertexId,
    pub visit: u32,
    pub neighbors: Vec<FacetId>,
    pub is_seen: bool,
    pub is_new: bool,
    pub is_deleted: bool,
    pub has_lost_ridge: bool,
    pub is_partitioned: bool,
    /// First and last entry of this vertex in the table of unmatched edges.
    pub chain: [u32; 2],
}

/// Why two facets are merged; later kinds are merged later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MergeKind {
    Coplanar,
    Concave,
    ConcaveCoplanar,
    Flipped,
    SharedRidge,
    Degenerate,
    Redundant,
    Mirror,
    CoplanarHorizon,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    pub kind: MergeKind,
    pub first: FacetId,
    pub second: FacetId,
    pub distance: f64,
}

/// Two corners to be made one because two edges of a facet have the same ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexMerge {
    pub old: VertexId,
    pub new: VertexId,
    pub distance: f64,
    pub ridges: [RidgeId; 2],
}

/// The hull under construction.
pub(super) struct Builder<'a> {
    pub points: &'a [Vec3],
    pub tolerance: Tolerance,
    pub facets: Vec<Facet>,
    pub ridges: Vec<Ridge>,
    pub vertices: Vec<Vertex>,
    pub free_facets: Vec<FacetId>,
    pub facet_list: FacetId,
    pub next_facet: FacetId,
    pub new_facets: FacetId,
    pub visible_facets: FacetId,
    pub vertex_list: VertexId,
    pub new_vertices: VertexId,
    pub facet_count: usize,
    pub visible_count: usize,
    pub vertex_count: usize,
    pub facet_id: u32,
    pub vertex_id: u32,
    pub first_new_id: u32,
    pub visit: u32,
    pub vertex_visit: u32,
    pub interior: Vec3,
    pub is_narrow: bool,
    /// Whether vertices know their facets; from the first merge on.
    pub has_vertex_neighbors: bool,
    pub deleted_vertices: Vec<VertexId>,
    pub facet_merges: Vec<Merge>,
    pub degenerate_merges: Vec<Merge>,
    pub vertex_merges: Vec<VertexMerge>,
    pub merge_total: usize,
    /// Entries of new facets so far.
    pub work: u64,
    pub max_work: u64,
    pub max_outside: f64,
    pub max_vertex: f64,
    pub min_vertex: f64,
    /// Limit beyond which a coplanar point is partitioned again.
    pub outside_limit: f64,
    /// Test all new facets instead of walking towards the best.
    pub tests_all_new: bool,
    pub is_known_blunt: bool,
    pub repartitioned_facet: u32,
    /// Facets that are nearly as good during a search.
    pub search_stack: Vec<FacetId>,
    /// Table of unmatched edges: facet and next entry of the same vertex.
    pub match_entries: Vec<(FacetId, u32)>,
}

impl Index<FacetId> for Builder<'_> {
    type Output = Facet;
    #[inline]
    fn index(&self, id: FacetId) -> &Facet {
        &self.facets[id.0 as usize]
    }
}

impl IndexMut<FacetId> for Builder<'_> {
    #[inline]
    fn index_mut(&mut self, id: FacetId) -> &mut Facet {
        &mut self.facets[id.0 as usize]
    }
}

impl Index<RidgeId> for Builder<'_> {
    type Output = Ridge;
    #[inline]
    fn index(&self, id: RidgeId) -> &Ridge {
        &self.ridges[id.0 as usize]
    }
}

impl IndexMut<RidgeId> for Builder<'_> {
    #[inline]
    fn index_mut(&mut self, id: RidgeId) -> &mut Ridge {
        &mut self.ridges[id.0 as usize]
    }
}

impl Index<VertexId> for Builder<'_> {
    type Output = Vertex;
    #[inline]
    fn index(&self, id: VertexId) -> &Vertex {
        &self.vertices[id.0 as usize]
    }
}

impl IndexMut<VertexId> for Builder<'_> {
    #[inline]
    fn index_mut(&mut self, id: VertexId) -> &mut Vertex {
        &mut self.vertices[id.0 as usize]
    }
}

/// Deletes an entry; the last one takes its place.
pub(super) fn delete<T: PartialEq>(set: &mut Vec<T>, entry: T) -> bool {
    match set.iter().position(|e| *e == entry) {
        Some(place) => {
            set.swap_remove(place);
            true
        }
        None => false,
    }
}

/// Deletes an entry and closes the gap.
pub(super) fn delete_sorted<T: PartialEq>(set: &mut Vec<T>, entry: T) {
    if let Some(place) = set.iter().position(|e| *e == entry) {
        set.remove(place);
    }
}

/// Puts an entry in the place of another.
pub(super) fn replace<T: PartialEq>(set: &mut [T], old: T, new: T) -> Result<(), HullError> {
    match set.iter_mut().find(|e| **e == old) {
        Some(place) => {
            *place = new;
            Ok(())
        }
        None => Err(HullError::Numerical),
    }
}

/// Appends an entry unless it is there.
pub(super) fn append_unique<T: PartialEq>(set: &mut Vec<T>, entry: T) {
    if !set.contains(&entry) {
        set.push(entry);
    }
}

impl Facet {
    fn new(id: u32, max_outside: f64) -> Self {
        Facet {
            id,
            normal: Vec3::ZERO,
            offset: 0.0,
            has_normal: false,
            center: None,
            furthest: 0.0,
            max_outside,
            next: FacetId::NONE,
            previous: FacetId::NONE,
            link: FacetId::NONE,
            visit: 0,
            merges: 0,
            vertices: Vec::new(),
            neighbors: Vec::new(),
            ridges: Vec::new(),
            had_ridges: false,
            outside: Vec::new(),
            coplanar: Vec::new(),
            is_top_oriented: false,
            is_simplicial: true,
            is_visible: false,
            is_new: true,
            is_flipped: false,
            is_seen: false,
            is_tested: false,
            is_newly_merged: false,
            is_degenerate: false,
            is_redundant: false,
            has_coplanar_horizon: false,
            merges_into_horizon: false,
            is_cycle_done: false,
            has_shared_ridge: false,
            has_forced_ridge: false,
            has_second_forced_ridge: false,
            keeps_center: false,
            is_cut: false,
            is_not_furthest: false,
        }
    }

    /// The youngest corner: the apex of a new triangle.
    pub fn first_vertex(&self) -> VertexId {
        self.vertices.first().copied().unwrap_or(VertexId::NONE)
    }

    pub fn add_ridge(&mut self, ridge: RidgeId) {
        self.ridges.push(ridge);
        self.had_ridges = true;
    }

    /// The first neighbour: the horizon of a new triangle.
    pub fn first_neighbor(&self) -> FacetId {
        self.neighbors.first().copied().unwrap_or(FacetId::NONE)
    }
}

impl Vertex {
    fn new(id: u32, point: PointId) -> Self {
        Vertex {
            id,
            point,
            next: VertexId::NONE,
            previous: VertexId::NONE,
            visit: 0,
            neighbors: Vec::new(),
            is_seen: false,
            is_new: false,
            is_deleted: false,
            has_lost_ridge: false,
            is_partitioned: false,
            chain: [u32::MAX; 2],
        }
    }
}

impl<'a> Builder<'a> {
    /// The hull of nothing yet.
    pub fn new(points: &'a [Vec3]) -> Result<Self, HullError> {
        let tolerance = Tolerance::new(points)?;
        let mut facets: Vec<Facet> = (0..FacetId::RESERVED)
            .map(|_| Facet::new(0, tolerance.distance))
            .collect();
        for facet in &mut facets[1..] {
            facet.next = FacetId::TAIL;
        }
        let mut vertices: Vec<Vertex> =
            (0..VertexId::RESERVED).map(|_| Vertex::new(0, 0)).collect();
        vertices[1].next = VertexId::TAIL;
        Ok(Builder {
            points,
            facets,
            ridges: Vec::new(),
            vertices,
            free_facets: Vec::new(),
            facet_list: FacetId::TAIL,
            next_facet: FacetId::TAIL,
            new_facets: FacetId::TAIL,
            visible_facets: FacetId::NONE,
            vertex_list: VertexId::TAIL,
            new_vertices: VertexId::TAIL,
            facet_count: 0,
            visible_count: 0,
            vertex_count: 0,
            // The tails have number 0.
            facet_id: 1,
            vertex_id: 1,
            first_new_id: 0,
            visit: 0,
            vertex_visit: 0,
            interior: Vec3::ZERO,
            is_narrow: false,
            has_vertex_neighbors: false,
            deleted_vertices: Vec::new(),
            facet_merges: Vec::new(),
            degenerate_merges: Vec::new(),
            vertex_merges: Vec::new(),
            merge_total: 0,
            work: 0,
            max_work: super::build::MAX_WORK,
            max_outside: 0.0,
            max_vertex: tolerance.distance,
            min_vertex: -tolerance.distance,
            outside_limit: 0.0,
            tests_all_new: false,
            is_known_blunt: false,
            repartitioned_facet: 0,
            search_stack: Vec::new(),
            match_entries: Vec::new(),
            tolerance,
        })
    }

    /// A new triangle, not yet in the list.
    pub fn create_facet(&mut self) -> FacetId {
        let id = self.facet_id;
        self.facet_id += 1;
        let mut facet = Facet::new(id, self.tolerance.distance);
        match self.free_facets.pop() {
            Some(place) => {
                // Keep the memory of the sets.
                let old = &mut self[place];
                old.neighbors.clear();
                old.vertices.clear();
                old.ridges.clear();
                old.outside.clear();
                old.coplanar.clear();
                facet.vertices = std::mem::take(&mut old.vertices);
                facet.neighbors = std::mem::take(&mut old.neighbors);
                facet.ridges = std::mem::take(&mut old.ridges);
                facet.outside = std::mem::take(&mut old.outside);
                facet.coplanar = std::mem::take(&mut old.coplanar);
                *old = facet;
                place
            }
            None => {
                self.facets.push(facet);
                FacetId(self.facets.len() as u32 - 1)
            }
        }
    }

    pub fn create_vertex(&mut self, point: PointId) -> VertexId {
        let id = self.vertex_id;
        self.vertex_id += 1;
        self.vertices.push(Vertex::new(id, point));
        VertexId(self.vertices.len() as u32 - 1)
    }

    pub fn create_ridge(&mut self, ridge: Ridge) -> RidgeId {
        self.ridges.push(ridge);
        RidgeId(self.ridges.len() as u32 - 1)
    }

    pub fn point_of(&self, vertex: VertexId) -> Vec3 {
        self.points[self[vertex].point as usize]
    }

    /// The facet on the other side of a ridge.
    pub fn across(&self, ridge: RidgeId, facet: FacetId) -> FacetId {
        let ridge = &self[ridge];
        if ridge.top == facet {
            ridge.bottom
        } else {
            ridge.top
        }
    }
}
