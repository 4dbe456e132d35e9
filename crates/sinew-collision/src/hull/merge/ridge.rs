//! Ridges: edges as objects, needed where a facet is no triangle.

use super::super::HullError;
use super::super::arena::{Builder, FacetId, Ridge, RidgeId, delete};

impl Builder<'_> {
    /// Gives a triangle ridges to all its neighbours, as to a merged facet.
    pub fn make_ridges(&mut self, facet: FacetId) {
        if !self[facet].is_simplicial {
            return;
        }
        self[facet].is_simplicial = false;
        let mut has_forced = false;
        for i in 0..self[facet].neighbors.len() {
            let neighbor = self[facet].neighbors[i];
            if neighbor == FacetId::FORCED {
                has_forced = true;
            } else {
                self[neighbor].is_seen = false;
            }
        }
        for k in 0..self[facet].ridges.len() {
            let neighbor = self.across(self[facet].ridges[k], facet);
            self[neighbor].is_seen = true;
        }
        for i in 0..self[facet].neighbors.len() {
            let neighbor = self[facet].neighbors[i];
            if neighbor == FacetId::FORCED || self[neighbor].is_seen {
                continue;
            }
            let ridge = self.make_ridge(facet, i, facet, neighbor);
            self[ridge].is_tested = self[facet].is_tested && !has_forced;
            let is_neighbor_simplicial = self[neighbor].is_simplicial;
            let place = &mut self[ridge];
            if place.top == facet {
                place.is_top_simplicial = true;
                place.is_bottom_simplicial = is_neighbor_simplicial;
            } else {
                place.is_top_simplicial = is_neighbor_simplicial;
                place.is_bottom_simplicial = true;
            }
        }
        if has_forced {
            while delete(&mut self[facet].neighbors, FacetId::FORCED) {}
        }
    }

    /// A ridge opposite a corner of a triangle, between `owner` and `neighbor`.
    pub(super) fn make_ridge(
        &mut self,
        triangle: FacetId,
        skip: usize,
        owner: FacetId,
        neighbor: FacetId,
    ) -> RidgeId {
        let place = &self[triangle];
        let mut vertices = [super::super::arena::VertexId::NONE; 2];
        let others = place
            .vertices
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != skip);
        for (end, (_, vertex)) in vertices.iter_mut().zip(others) {
            *end = *vertex;
        }
        let is_top = place.is_top_oriented != (skip & 1 == 1);
        let (top, bottom) = if is_top {
            (owner, neighbor)
        } else {
            (neighbor, owner)
        };
        let ridge = self.create_ridge(Ridge {
            vertices,
            top,
            bottom,
            is_top_simplicial: false,
            is_bottom_simplicial: false,
            is_tested: false,
            is_nonconvex: false,
        });
        self[owner].add_ridge(ridge);
        self[neighbor].add_ridge(ridge);
        ridge
    }

    /// Deletes a ridge between two merged facets.
    pub(super) fn delete_ridge(&mut self, ridge: RidgeId) {
        if self[ridge].is_nonconvex {
            self.pass_on_nonconvexity(ridge);
        }
        for vertex in self[ridge].vertices {
            self[vertex].has_lost_ridge = true;
        }
        let mut i = 0;
        while i < self.vertex_merges.len() {
            if self.vertex_merges[i].ridges.contains(&ridge) {
                self.vertex_merges.swap_remove(i);
            } else {
                i += 1;
            }
        }
        let Ridge { top, bottom, .. } = self[ridge];
        delete(&mut self[top].ridges, ridge);
        delete(&mut self[bottom].ridges, ridge);
    }

    /// Another ridge between the same facets becomes nonconvex instead.
    pub(super) fn pass_on_nonconvexity(&mut self, ridge: RidgeId) {
        let Ridge { top, bottom, .. } = self[ridge];
        self[ridge].is_nonconvex = false;
        for k in 0..self[top].ridges.len() {
            let other = self[top].ridges[k];
            let place = &self[other];
            if other != ridge && (place.top == bottom || place.bottom == bottom) {
                self[other].is_nonconvex = true;
                break;
            }
        }
    }

    /// Ridges of a facet that end in a vertex and lead to facets of the current visit.
    pub(super) fn collect_ridges(
        &mut self,
        vertex: super::super::arena::VertexId,
        facet: FacetId,
        ridges: &mut Vec<RidgeId>,
    ) {
        for &ridge in &self[facet].ridges {
            let neighbor = self.across(ridge, facet);
            if self[neighbor].visit == self.visit && self[ridge].vertices.contains(&vertex) {
                ridges.push(ridge);
            }
        }
        self[facet].visit = self.visit - 1;
    }

    /// Ridges that end in a vertex; without the last facet's own ones unless `is_all`.
    pub(super) fn ridges_of_vertex(
        &mut self,
        vertex: super::super::arena::VertexId,
        is_all: bool,
    ) -> Vec<RidgeId> {
        self.visit += 2;
        let count = self[vertex].neighbors.len();
        for i in 0..count {
            let neighbor = self[vertex].neighbors[i];
            self[neighbor].visit = self.visit;
        }
        let mut ridges = Vec::new();
        let end = if is_all {
            count
        } else {
            count.saturating_sub(1)
        };
        for i in 0..end {
            let neighbor = self[vertex].neighbors[i];
            self.collect_ridges(vertex, neighbor, &mut ridges);
        }
        ridges
    }

    /// Fails when a set does not hold what it must.
    pub(super) fn require(holds: bool) -> Result<(), HullError> {
        if holds {
            Ok(())
        } else {
            Err(HullError::Numerical)
        }
    }
}
