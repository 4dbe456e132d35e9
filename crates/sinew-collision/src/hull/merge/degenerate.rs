//! Facets that lost too many neighbours, or whose corners another facet has.

use super::super::HullError;
use super::super::arena::{Builder, FacetId, MergeKind, delete};

impl Builder<'_> {
    /// Merges degenerate and redundant facets; true if there were any.
    pub fn merge_degenerate(&mut self) -> Result<bool, HullError> {
        let mut has_merged = false;
        while let Some(merge) = self.degenerate_merges.pop() {
            let facet = merge.first;
            if self[facet].is_visible {
                continue;
            }
            self[facet].is_degenerate = false;
            self[facet].is_redundant = false;
            if merge.kind == MergeKind::Redundant {
                let into = self.replacement(merge.second);
                Self::require(into != FacetId::NONE)?;
                if facet == into {
                    continue;
                }
                self.merge_facet(facet, into, merge.kind, None)?;
                has_merged = true;
            } else {
                let size = self[facet].neighbors.len();
                if size == 0 {
                    self.will_delete(facet, FacetId::NONE);
                    for i in 0..self[facet].vertices.len() {
                        let vertex = self[facet].vertices[i];
                        delete(&mut self[vertex].neighbors, facet);
                        if self[vertex].neighbors.is_empty() {
                            self.mark_deleted(vertex);
                        }
                    }
                    has_merged = true;
                } else if size < 3 {
                    let best = self.best_neighbor(facet)?;
                    self.merge_facet(facet, best.facet, merge.kind, Some((best.low, best.high)))?;
                    has_merged = true;
                }
            }
        }
        Ok(has_merged)
    }

    /// Queues a facet whose corners a neighbour has, or that has too few neighbours.
    pub(super) fn find_degeneracy(&mut self, facet: FacetId) -> Result<(), HullError> {
        if self[facet].is_flipped {
            return Ok(());
        }
        for i in 0..self[facet].neighbors.len() {
            let neighbor = self[facet].neighbors[i];
            if self[neighbor].is_flipped {
                continue;
            }
            Self::require(!self[neighbor].is_visible)?;
            self.mark_corners(neighbor);
            if self.has_only_marked_corners(facet) {
                return self.queue_merge(facet, neighbor, MergeKind::Redundant, 0.0);
            }
        }
        if self[facet].neighbors.len() < 3 {
            self.queue_merge(facet, facet, MergeKind::Degenerate, 0.0)?;
        }
        Ok(())
    }

    /// Queues the neighbours all of whose corners a facet has.
    pub(super) fn find_redundant_neighbors(&mut self, facet: FacetId) -> Result<(), HullError> {
        if self[facet].neighbors.len() < 3 {
            return self.queue_merge(facet, facet, MergeKind::Degenerate, 0.0);
        }
        self.mark_corners(facet);
        for i in 0..self[facet].neighbors.len() {
            let neighbor = self[facet].neighbors[i];
            let place = &self[neighbor];
            Self::require(!place.is_visible)?;
            let is_known = place.is_degenerate || place.is_redundant || place.has_shared_ridge;
            if is_known || (self[facet].is_flipped && !place.is_flipped) {
                continue;
            }
            if self.has_only_marked_corners(neighbor) {
                self.queue_merge(neighbor, facet, MergeKind::Redundant, 0.0)?;
            }
        }
        Ok(())
    }

    /// Queues the neighbours that have too few neighbours.
    pub(super) fn find_degenerate_neighbors(&mut self, facet: FacetId) -> Result<(), HullError> {
        for i in 0..self[facet].neighbors.len() {
            let neighbor = self[facet].neighbors[i];
            let place = &self[neighbor];
            Self::require(!place.is_visible)?;
            let is_known = place.is_degenerate || place.is_redundant || place.has_shared_ridge;
            if !is_known && place.neighbors.len() < 3 {
                self.queue_merge(neighbor, neighbor, MergeKind::Degenerate, 0.0)?;
            }
        }
        Ok(())
    }

    fn mark_corners(&mut self, facet: FacetId) {
        self.vertex_visit += 1;
        for i in 0..self[facet].vertices.len() {
            let vertex = self[facet].vertices[i];
            self[vertex].visit = self.vertex_visit;
        }
    }

    fn has_only_marked_corners(&self, facet: FacetId) -> bool {
        let vertices = &self[facet].vertices;
        vertices.iter().all(|v| self[*v].visit == self.vertex_visit)
    }
}
