//! Corners that merged facets do not need.
//!
//! A corner of a facet without a ridge there is removed; a corner that only two facets share lies
//! on one edge between them and is renamed to another corner of that edge.

use super::super::HullError;
use super::super::arena::{Builder, FacetId, RidgeId, VertexId, delete, delete_sorted};

impl Builder<'_> {
    /// Removes what is not needed; true if facets were merged on the way.
    pub(super) fn reduce_vertices(&mut self) -> Result<bool, HullError> {
        let mut has_merged = self.merge_degenerate()?;
        'restart: loop {
            let mut facet = self.new_facets;
            while self.is_listed(facet) {
                if self[facet].is_newly_merged && self.remove_extra_corners(facet) {
                    self.find_degeneracy(facet)?;
                    if self.merge_degenerate()? {
                        has_merged = true;
                        continue 'restart;
                    }
                }
                facet = self[facet].next;
            }
            let mut facet = self.new_facets;
            while self.is_listed(facet) {
                if self[facet].is_newly_merged {
                    self[facet].is_newly_merged = false;
                    let mut i = 0;
                    while i < self[facet].vertices.len() {
                        let vertex = self[facet].vertices[i];
                        if self[vertex].has_lost_ridge && self.rename_shared(vertex, facet)? {
                            if self.merge_degenerate()? {
                                has_merged = true;
                                continue 'restart;
                            }
                        } else {
                            i += 1;
                        }
                    }
                }
                facet = self[facet].next;
            }
            let mut vertex = self.new_vertices;
            while self.is_listed_vertex(vertex) {
                if self[vertex].has_lost_ridge && !self[vertex].is_deleted {
                    self[vertex].has_lost_ridge = false;
                }
                vertex = self[vertex].next;
            }
            return Ok(has_merged);
        }
    }

    /// Removes corners in which no ridge ends; true if there were any.
    pub(super) fn remove_extra_corners(&mut self, facet: FacetId) -> bool {
        if self[facet].is_simplicial {
            return false;
        }
        for i in 0..self[facet].vertices.len() {
            let vertex = self[facet].vertices[i];
            self[vertex].is_seen = false;
        }
        for k in 0..self[facet].ridges.len() {
            for vertex in self[self[facet].ridges[k]].vertices {
                self[vertex].is_seen = true;
            }
        }
        let mut has_removed = false;
        let mut i = 0;
        while i < self[facet].vertices.len() {
            let vertex = self[facet].vertices[i];
            if self[vertex].is_seen {
                i += 1;
                continue;
            }
            has_removed = true;
            self[facet].vertices.remove(i);
            delete(&mut self[vertex].neighbors, facet);
            if self[vertex].neighbors.is_empty() {
                self.mark_deleted(vertex);
            }
        }
        has_removed
    }

    /// Renames a corner that only two facets share.
    fn rename_shared(&mut self, vertex: VertexId, facet: FacetId) -> Result<bool, HullError> {
        let &[a, b] = &self[vertex].neighbors[..] else {
            return Ok(false);
        };
        let neighbor = if a == facet { b } else { a };
        self.visit += 1;
        self[neighbor].visit = self.visit;
        let mut ridges = Vec::new();
        self.collect_ridges(vertex, facet, &mut ridges);
        let shared = &self[neighbor].vertices;
        let mut candidates: Vec<VertexId> = self[facet]
            .vertices
            .iter()
            .copied()
            .filter(|v| shared.contains(v))
            .collect();
        delete(&mut candidates, vertex);
        match self.find_new_corner(vertex, candidates, &ridges) {
            Some(new) => {
                self.rename_corner(vertex, new, &ridges, Some((facet, neighbor)))?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// A corner that can take the place of another without making two ridges equal; the one
    /// with fewest ridges is preferred.
    fn find_new_corner(
        &mut self,
        old: VertexId,
        mut candidates: Vec<VertexId>,
        ridges: &[RidgeId],
    ) -> Option<VertexId> {
        for &ridge in ridges {
            for vertex in self[ridge].vertices {
                self[vertex].is_seen = false;
            }
        }
        for &vertex in &candidates {
            self[vertex].visit = 0;
            self[vertex].is_seen = true;
        }
        for &ridge in ridges {
            for vertex in self[ridge].vertices {
                if self[vertex].is_seen {
                    self[vertex].visit += 1;
                }
            }
        }
        let mut i = 0;
        while i < candidates.len() {
            if self[candidates[i]].visit == 0 {
                candidates.swap_remove(i);
            } else {
                i += 1;
            }
        }
        self.vertex_visit = self.vertex_visit.max(ridges.len() as u32);
        candidates.sort_by_key(|vertex| self[*vertex].visit);
        candidates.into_iter().find(|&vertex| {
            let around = self.ridges_of_vertex(vertex, false);
            !around.iter().any(|&ridge| {
                let end = self.other_end(ridge, vertex);
                ridges
                    .iter()
                    .any(|&other| other != ridge && self.other_end(other, old) == end)
            })
        })
    }

    fn other_end(&self, ridge: RidgeId, vertex: VertexId) -> VertexId {
        let [a, b] = self[ridge].vertices;
        if a == vertex { b } else { a }
    }

    /// Renames a corner in some ridges. `between`: the facet and neighbour that shared it;
    /// otherwise it is renamed everywhere.
    pub(super) fn rename_corner(
        &mut self,
        old: VertexId,
        new: VertexId,
        ridges: &[RidgeId],
        between: Option<(FacetId, FacetId)>,
    ) -> Result<(), HullError> {
        for &ridge in ridges {
            if self.rename_in_ridge(ridge, old, new)? {
                // A facet that is about to vanish needs no care.
                let vanishes = |f: FacetId| {
                    let place = &self[f];
                    let size = place.vertices.len();
                    size < 3 || (size == 3 && !place.is_simplicial && place.vertices.contains(&new))
                };
                if !vanishes(self[ridge].top) && !vanishes(self[ridge].bottom) {
                    self.find_equal_ridges(ridge);
                }
            }
        }
        let Some((facet, neighbor)) = between else {
            let mut i = 0;
            while i < self[old].neighbors.len() {
                let neighbor = self[old].neighbors[i];
                i += 1;
                if self[neighbor].is_simplicial {
                    self.find_degeneracy(neighbor)?;
                } else {
                    self.drop_lost_neighbors(neighbor)?;
                    delete_sorted(&mut self[neighbor].vertices, old);
                    if self.remove_extra_corners(neighbor) {
                        i -= 1;
                    }
                    self.find_degeneracy(neighbor)?;
                    self.find_redundant_neighbors(neighbor)?;
                    self.find_degenerate_neighbors(neighbor)?;
                }
                if i > 4 * self.facets.len() {
                    return Err(HullError::Numerical);
                }
            }
            if !self[old].is_deleted {
                self.mark_deleted(old);
            }
            return Ok(());
        };
        if self[old].neighbors.len() == 2 {
            for i in 0..2 {
                let neighbor = self[old].neighbors[i];
                delete_sorted(&mut self[neighbor].vertices, old);
                self.find_degeneracy(neighbor)?;
            }
            self.mark_deleted(old);
        } else {
            delete_sorted(&mut self[facet].vertices, old);
            delete(&mut self[old].neighbors, facet);
            if self.remove_extra_corners(neighbor) {
                self.find_degeneracy(neighbor)?;
            }
        }
        self.find_degeneracy(facet)
    }

    /// Renames an end of a ridge; false if the ridge vanished.
    fn rename_in_ridge(
        &mut self,
        ridge: RidgeId,
        old: VertexId,
        new: VertexId,
    ) -> Result<bool, HullError> {
        let [a, b] = self[ridge].vertices;
        let (old_place, other) = if a == old {
            (0, b)
        } else if b == old {
            (1, a)
        } else {
            return Err(HullError::Numerical);
        };
        if other == new {
            self[ridge].vertices = [other; 2];
            if self[ridge].is_nonconvex {
                self.pass_on_nonconvexity(ridge);
            }
            self.delete_ridge(ridge);
            return Ok(false);
        }
        let new_place = usize::from(self[other].id >= self[new].id);
        let place = &mut self[ridge];
        place.vertices = if new_place == 0 {
            [new, other]
        } else {
            [other, new]
        };
        place.is_top_simplicial = false;
        place.is_bottom_simplicial = false;
        if old_place != new_place {
            std::mem::swap(&mut place.top, &mut place.bottom);
        }
        Ok(true)
    }
}
