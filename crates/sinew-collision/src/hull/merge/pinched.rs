//! Corners that must become one because two ridges of a facet end in the same two corners.

use super::super::HullError;
use super::super::arena::{
    Builder, FacetId, MergeKind, RidgeId, VertexId, VertexMerge, append_unique, delete,
};

/// Corners further apart than this many round-offs are not merged.
const WIDE_RATIO: f64 = 100.0;

impl Builder<'_> {
    /// Queues a merge of the ends of ridges that became equal to `ridge`.
    pub(super) fn find_equal_ridges(&mut self, ridge: RidgeId) {
        let ends = self[ridge].vertices;
        for facet in [self[ridge].top, self[ridge].bottom] {
            if self[facet].is_simplicial || self[facet].merges == 0 {
                continue;
            }
            for k in 0..self[facet].ridges.len() {
                let other = self[facet].ridges[k];
                if other != ridge && self[other].vertices == ends {
                    let gap = self.point_of(ends[0]) - self.point_of(ends[1]);
                    let square = 0.0 + gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
                    self.vertex_merges.push(VertexMerge {
                        old: ends[1],
                        new: ends[0],
                        distance: square.sqrt(),
                        ridges: [ridge, other],
                    });
                }
            }
        }
    }

    /// Merges all queued corners between two steps.
    pub fn merge_vertices(&mut self) -> Result<(), HullError> {
        while !self.vertex_merges.is_empty() {
            self.merge_queued_vertices()?;
            self.update_neighbors();
            self.find_more_merges()?;
            self.merge_all(true)?;
            self.partition_visible()?;
            self.delete_visible()?;
            self.reset_lists(true);
        }
        Ok(())
    }

    fn merge_queued_vertices(&mut self) -> Result<(), HullError> {
        self.find_vertex_neighbors();
        self.visible_facets = FacetId::TAIL;
        self.new_facets = FacetId::TAIL;
        self.new_vertices = VertexId::TAIL;
        while let Some(merge) = self.next_vertex_merge()? {
            self.rename_adjacent(merge.old, merge.new)?;
            self.merge_degenerate()?;
        }
        Ok(())
    }

    /// The queued corners that are closest to each other.
    fn next_vertex_merge(&mut self) -> Result<Option<VertexMerge>, HullError> {
        let mut best: Option<usize> = None;
        let mut i = 0;
        while i < self.vertex_merges.len() {
            let merge = self.vertex_merges[i];
            if self[merge.old].is_deleted || self[merge.new].is_deleted {
                self.vertex_merges.swap_remove(i);
                continue;
            }
            if best.is_none_or(|b| merge.distance < self.vertex_merges[b].distance) {
                best = Some(i);
            }
            i += 1;
        }
        let Some(best) = best else {
            return Ok(None);
        };
        let merge = self.vertex_merges.swap_remove(best);
        Self::require(merge.distance / self.tolerance.one_merge <= WIDE_RATIO)?;
        Ok(Some(merge))
    }

    /// Renames a corner to an adjacent one in all its facets.
    fn rename_adjacent(&mut self, old: VertexId, new: VertexId) -> Result<(), HullError> {
        self.merge_total += 1;
        if self[old].is_deleted || self[new].is_deleted {
            return Ok(());
        }
        Self::require(!self[old].neighbors.is_empty() && !self[new].neighbors.is_empty())?;
        for i in 0..self[old].neighbors.len() {
            let facet = self[old].neighbors[i];
            if self[facet].is_simplicial {
                if self[facet].vertices.contains(&new) {
                    self.make_ridges(facet);
                } else {
                    self.replace_corner(facet, old, new)?;
                    append_unique(&mut self[new].neighbors, facet);
                    self.renew_vertices(facet);
                }
            }
        }
        let ridges = self.ridges_of_vertex(old, true);
        for i in 0..self[old].neighbors.len() {
            let facet = self[old].neighbors[i];
            if !self[facet].is_simplicial {
                self.add_corner(facet, new);
                append_unique(&mut self[new].neighbors, facet);
                self.renew_vertices(facet);
                if self.new_facets == FacetId::TAIL {
                    // Partitioning needs at least one new facet.
                    self.move_to_end(facet);
                    self[facet].is_new = true;
                }
            }
        }
        self.rename_corner(old, new, &ridges, None)?;
        if self[old].is_deleted && !self[old].is_partitioned {
            let position = self.point_of(old);
            let mut highest = -f64::MAX;
            let mut target = FacetId::NONE;
            for &facet in &self[new].neighbors {
                if !self[facet].is_visible {
                    let distance = self.distance(position, facet);
                    if distance > highest {
                        highest = distance;
                        target = facet;
                    }
                }
            }
            Self::require(self.is_listed(target))?;
            self.partition_coplanar(self[old].point, target, false)?;
            self[old].is_partitioned = true;
        }
        Ok(())
    }

    /// Puts a corner of a triangle in the place its age demands.
    fn replace_corner(
        &mut self,
        facet: FacetId,
        old: VertexId,
        new: VertexId,
    ) -> Result<(), HullError> {
        let place = &self[facet];
        let id = self[new].id;
        let old_place = place.vertices.iter().position(|v| *v == old);
        let old_place = old_place.ok_or(HullError::Numerical)?;
        let new_place = place.vertices.iter().position(|v| self[*v].id < id);
        let mut new_place = new_place.unwrap_or(place.vertices.len());
        if old_place < new_place {
            new_place -= 1;
        }
        Self::require(old_place < place.neighbors.len() && new_place < place.neighbors.len())?;
        let place = &mut self[facet];
        if (old_place ^ new_place) & 1 == 1 {
            place.is_top_oriented ^= true;
        }
        place.vertices.remove(old_place);
        place.vertices.insert(new_place, new);
        let neighbor = place.neighbors.remove(old_place);
        place.neighbors.insert(new_place, neighbor);
        Ok(())
    }

    /// Drops neighbours to which no ridge leads any more.
    pub(super) fn drop_lost_neighbors(&mut self, facet: FacetId) -> Result<(), HullError> {
        Self::require(!self[facet].is_simplicial)?;
        self.visit += 1;
        for k in 0..self[facet].ridges.len() {
            let ridge = self[self[facet].ridges[k]];
            self[ridge.top].visit = self.visit;
            self[ridge.bottom].visit = self.visit;
        }
        let mut i = 0;
        while i < self[facet].neighbors.len() {
            let neighbor = self[facet].neighbors[i];
            Self::require(!self[neighbor].is_visible)?;
            if self[neighbor].visit == self.visit {
                i += 1;
                continue;
            }
            Self::require(!self[neighbor].is_simplicial)?;
            delete(&mut self[neighbor].neighbors, facet);
            if self[neighbor].neighbors.len() < 3 {
                self.queue_merge(neighbor, neighbor, MergeKind::Degenerate, 0.0)?;
            }
            self[facet].neighbors.swap_remove(i);
        }
        if self[facet].neighbors.len() < 3 {
            self.queue_merge(facet, facet, MergeKind::Degenerate, 0.0)?;
        }
        Ok(())
    }
}
