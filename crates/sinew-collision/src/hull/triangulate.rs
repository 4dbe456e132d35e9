//! Facets with many corners become triangles.
//!
//! A facet is cut by edges from its youngest corner. Where the facet touches that corner more
//! than once, triangles with two equal corners ("null") appear and are taken out again, as are
//! pairs of triangles on the same three corners ("mirrored") that this can create.

use super::HullError;
use super::arena::{Builder, FacetId, MergeKind, VertexId, replace};

impl Builder<'_> {
    /// Cuts all facets that are no triangles.
    pub fn triangulate(
        &mut self,
        goes_on: &mut impl FnMut() -> Result<(), HullError>,
    ) -> Result<(), HullError> {
        self.visit += 1;
        self.new_vertices = VertexId::TAIL;
        let mut first_facet = FacetId::NONE;
        let mut first_vertex = VertexId::NONE;
        let mut facet = self.facet_list;
        while self.is_listed(facet) {
            goes_on()?;
            let next = self[facet].next;
            if !self[facet].is_visible && !self[facet].is_simplicial {
                if first_facet == FacetId::NONE {
                    first_facet = facet;
                }
                self.cut_facet(facet, &mut first_vertex)?;
            }
            facet = next;
        }
        // Take out triangles with two equal corners.
        let mut facet = first_facet;
        while self.is_listed(facet) {
            goes_on()?;
            let next = self[facet].next;
            if !self[facet].is_visible {
                if !self[facet].ridges.is_empty() {
                    return Err(HullError::Numerical);
                }
                if matches!(self[facet].vertices[..], [a, b, ..] if a == b) {
                    self.remove_null(facet)?;
                }
            }
            facet = next;
        }
        self.visible_facets = FacetId::TAIL;
        while let Some(merge) = self.degenerate_merges.pop() {
            goes_on()?;
            if merge.kind == MergeKind::Mirror {
                self.remove_mirrored(merge.first, merge.second)?;
            }
        }
        self.new_vertices = first_vertex;
        self.visible_facets = FacetId::NONE;
        self.update_neighbors();
        self.reset_lists(false);
        self.delete_cut_facets(first_facet);
        Ok(())
    }

    fn cut_facet(&mut self, facet: FacetId, first: &mut VertexId) -> Result<(), HullError> {
        self.first_new_id = self.facet_id;
        for i in 0..self[facet].neighbors.len() {
            let neighbor = self[facet].neighbors[i];
            self[neighbor].is_seen = false;
            self[neighbor].has_coplanar_horizon = false;
        }
        self.visible_facets = FacetId::TAIL;
        self.new_facets = FacetId::TAIL;
        self[facet].visit = self.visit;
        let apex = self[facet].first_vertex();
        self.make_facets_by_ridge(facet, apex)?;
        self.will_delete(facet, FacetId::NONE);
        let (normal, offset) = (self[facet].normal, self[facet].offset);
        let mut triangle = self.new_facets;
        while self.is_listed(triangle) {
            let place = &mut self[triangle];
            place.is_cut = true;
            place.link = facet;
            place.is_degenerate = false;
            place.normal = normal;
            place.offset = offset;
            place.has_normal = true;
            triangle = place.next;
        }
        self.match_new_facets()?;
        if *first == VertexId::NONE {
            *first = self.new_vertices;
        }
        self.new_vertices = VertexId::NONE;
        self.visible_facets = FacetId::NONE;
        self.update_neighbors();
        self.reset_lists(false);
        Ok(())
    }

    /// Joins what two triangles that vanish have on their other sides.
    fn link_neighbors(
        &mut self,
        old_a: FacetId,
        a: FacetId,
        old_b: FacetId,
        b: FacetId,
    ) -> Result<(), HullError> {
        let (has_b, has_a) = (
            self[a].neighbors.contains(&b),
            self[b].neighbors.contains(&a),
        );
        if has_a != has_b {
            return Err(HullError::Numerical);
        }
        if has_b {
            let is_queued = self[a].is_redundant && self[b].is_redundant && self.is_mirror(a, b);
            if !is_queued {
                self.queue_merge(a, b, MergeKind::Mirror, 0.0)?;
            }
        }
        replace(&mut self[b].neighbors, old_b, a)?;
        replace(&mut self[a].neighbors, old_a, b)
    }

    fn is_mirror(&self, a: FacetId, b: FacetId) -> bool {
        self.degenerate_merges.iter().any(|merge| {
            merge.kind == MergeKind::Mirror
                && ((merge.first, merge.second) == (a, b) || (merge.first, merge.second) == (b, a))
        })
    }

    fn remove_null(&mut self, facet: FacetId) -> Result<(), HullError> {
        let &[a, b, ..] = &self[facet].neighbors[..] else {
            return Err(HullError::Numerical);
        };
        self.link_neighbors(facet, a, facet, b)?;
        self.will_delete(facet, FacetId::NONE);
        Ok(())
    }

    fn remove_mirrored(&mut self, a: FacetId, b: FacetId) -> Result<(), HullError> {
        for i in 0..self[a].neighbors.len() {
            let neighbor = self[a].neighbors[i];
            let other = self[b].neighbors.get(i).copied();
            let other = other.ok_or(HullError::Numerical)?;
            if neighbor == b && other == a {
                continue;
            }
            let (place, other_place) = (&self[neighbor], &self[other]);
            if place.is_redundant && other_place.is_redundant && self.is_mirror(neighbor, other) {
                continue;
            }
            if place.is_visible && other_place.is_visible {
                continue;
            }
            self.link_neighbors(a, neighbor, b, other)?;
        }
        self.will_delete(a, FacetId::NONE);
        self.will_delete(b, FacetId::NONE);
        Ok(())
    }

    /// Deletes the facets that were cut and the triangles that were taken out.
    fn delete_cut_facets(&mut self, first: FacetId) {
        let mut facet = first;
        while self.is_listed(facet) {
            let next = self[facet].next;
            if self[facet].is_visible {
                self.delete_facet(facet);
            }
            facet = next;
        }
    }
}
