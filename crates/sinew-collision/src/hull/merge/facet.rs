//! Merging one facet into another.

use super::super::HullError;
use super::super::arena::{Builder, FacetId, MergeKind, VertexId, delete, delete_sorted, replace};
use super::super::cone::raise;

/// Merges wider than this many round-offs are refused.
const WIDE_RATIO: f64 = 100.0;
/// Counting merges of one facet ends here.
pub(super) const MAX_MERGES: u32 = 511;
/// Facets with more corners than this keep their centre.
pub(super) const KEEP_CENTER_SIZE: usize = 3 + 5;

impl Builder<'_> {
    /// Merges `from` into `into`. `spread`: lowest and highest corner of `from` over `into`.
    pub fn merge_facet(
        &mut self,
        from: FacetId,
        into: FacetId,
        kind: MergeKind,
        spread: Option<(f64, f64)>,
    ) -> Result<(), HullError> {
        self.merge_total += 1;
        if let Some((low, high)) = spread {
            let mut limit = WIDE_RATIO * self.tolerance.one_merge;
            raise(&mut limit, self[from].max_outside);
            raise(&mut limit, self[into].max_outside);
            Self::require(high <= limit && -low <= limit)?;
        }
        Self::require(
            from != into
                && self.is_listed(from)
                && self.is_listed(into)
                && !self[from].is_visible
                && !self[into].is_visible
                && self.facet_count > self.visible_count + 4,
        )?;
        self.find_vertex_neighbors();
        self.make_ridges(from);
        self.make_ridges(into);
        if let Some((low, high)) = spread {
            raise(&mut self.max_outside, high);
            raise(&mut self.max_vertex, high);
            raise(&mut self[into].max_outside, high);
            if self.min_vertex > low {
                self.min_vertex = low;
            }
            let wide = self.tolerance.wide;
            if high > wide || low < -wide {
                self[into].keeps_center = true;
            }
        }
        self[into].merges = (self[from].merges + self[into].merges + 1).min(MAX_MERGES);
        self[into].is_newly_merged = true;
        self[into].has_shared_ridge = false;
        self.forget_tests(from, into);
        if self[from].vertices.len() == 3 {
            let is_apex = kind == MergeKind::CoplanarHorizon;
            self.merge_triangle(from, into, is_apex)?;
        } else {
            self.vertex_visit += 1;
            for i in 0..self[into].vertices.len() {
                let vertex = self[into].vertices[i];
                self[vertex].visit = self.vertex_visit;
            }
            self.merge_neighbors(from, into)?;
            self.merge_corners(from, into)?;
            self.merge_ridges(from, into);
            self.merge_vertex_neighbors(from, into)?;
            if !self[into].is_new {
                self.renew_vertices(into);
            }
        }
        self.move_to_end(into);
        self[into].is_new = true;
        self[into].is_tested = false;
        if kind != MergeKind::CoplanarHorizon {
            self.find_redundant_neighbors(into)?;
            self.find_degenerate_neighbors(from)?;
            self.find_degeneracy(into)?;
        }
        self.will_delete(from, into);
        Ok(())
    }

    /// Convexity is to be tested again, unless a facet is large enough to keep its centre.
    fn forget_tests(&mut self, from: FacetId, into: FacetId) {
        self[into].is_tested = false;
        for k in 0..self[from].ridges.len() {
            let ridge = self[from].ridges[k];
            self[ridge].is_tested = false;
        }
        if self[into].center.is_none() {
            return;
        }
        let size = self[into].vertices.len();
        if !self[into].keeps_center {
            if size > KEEP_CENTER_SIZE {
                self[into].keeps_center = true;
            }
        } else if size == 3 {
            self[into].keeps_center = false;
        }
        if !self[into].keeps_center {
            self[into].center = None;
            for k in 0..self[into].ridges.len() {
                let ridge = self[into].ridges[k];
                self[ridge].is_tested = false;
            }
        }
    }

    /// Merges a facet with three corners; `is_apex`: its first corner is the new one.
    fn merge_triangle(
        &mut self,
        from: FacetId,
        into: FacetId,
        is_apex: bool,
    ) -> Result<(), HullError> {
        let opposite;
        let mut is_added = false;
        if is_apex {
            opposite = self[from].first_vertex();
            if !self[into].is_new {
                self.renew_vertices(into);
            }
            if self[into].first_vertex() != opposite {
                self[into].vertices.insert(0, opposite);
                is_added = true;
            }
        } else {
            for i in 0..self[from].vertices.len() {
                let vertex = self[from].vertices[i];
                self[vertex].is_seen = false;
            }
            for k in 0..self[from].ridges.len() {
                let ridge = self[from].ridges[k];
                if self.across(ridge, from) == into {
                    for vertex in self[ridge].vertices {
                        self[vertex].is_seen = true;
                        self[vertex].has_lost_ridge = true;
                    }
                    break;
                }
            }
            let unseen = self[from].vertices.iter().find(|v| !self[**v].is_seen);
            opposite = *unseen.ok_or(HullError::Numerical)?;
            is_added = self.add_corner(into, opposite);
            if !self[into].is_new {
                self.renew_vertices(into);
            } else if !self[opposite].is_new {
                self.remove_vertex(opposite);
                self.append_vertex(opposite);
            }
        }
        for i in 0..self[from].vertices.len() {
            let vertex = self[from].vertices[i];
            if vertex == opposite && is_added {
                replace(&mut self[vertex].neighbors, from, into)?;
            } else {
                delete(&mut self[vertex].neighbors, from);
                if self[vertex].neighbors.len() < 2 {
                    self.drop_corner(vertex, into);
                }
            }
        }
        self.visit += 1;
        for i in 0..self[into].neighbors.len() {
            let neighbor = self[into].neighbors[i];
            self[neighbor].visit = self.visit;
        }
        let mut k = 0;
        while k < self[from].ridges.len() {
            let ridge = self[from].ridges[k];
            let other = self.across(ridge, from);
            if other == into {
                self.delete_ridge(ridge);
                delete(&mut self[into].neighbors, from);
                continue;
            }
            Self::require(!self[other].has_shared_ridge || self[other].neighbors.contains(&from))?;
            self[into].add_ridge(ridge);
            if self[other].visit != self.visit {
                self[into].neighbors.push(other);
                replace(&mut self[other].neighbors, from, into)?;
                self[other].visit = self.visit;
            } else {
                self.make_ridges(other);
                if self[other].first_neighbor() == from {
                    delete(&mut self[other].neighbors, into);
                    replace(&mut self[other].neighbors, from, into)?;
                } else {
                    delete(&mut self[other].neighbors, from);
                }
            }
            let place = &mut self[ridge];
            if place.top == from {
                place.top = into;
                place.is_top_simplicial = false;
            } else {
                place.bottom = into;
                place.is_bottom_simplicial = false;
            }
            k += 1;
        }
        Ok(())
    }

    /// Adds a corner in its place by age; false if it is there.
    pub(super) fn add_corner(&mut self, facet: FacetId, corner: VertexId) -> bool {
        let id = self[corner].id;
        let vertices = &self[facet].vertices;
        let place = vertices.iter().position(|v| self[*v].id <= id);
        let place = place.unwrap_or(vertices.len());
        if vertices.get(place) == Some(&corner) {
            return false;
        }
        self[facet].vertices.insert(place, corner);
        true
    }

    /// A corner with only one facet left is none.
    fn drop_corner(&mut self, vertex: VertexId, facet: FacetId) {
        delete_sorted(&mut self[facet].vertices, vertex);
        self.mark_deleted(vertex);
    }

    fn merge_neighbors(&mut self, from: FacetId, into: FacetId) -> Result<(), HullError> {
        self.visit += 1;
        for i in 0..self[into].neighbors.len() {
            let neighbor = self[into].neighbors[i];
            self[neighbor].visit = self.visit;
        }
        for i in 0..self[from].neighbors.len() {
            let neighbor = self[from].neighbors[i];
            if self[neighbor].visit == self.visit {
                self.make_ridges(neighbor);
                if self[neighbor].first_neighbor() != from {
                    delete(&mut self[neighbor].neighbors, from);
                } else {
                    delete(&mut self[neighbor].neighbors, into);
                    replace(&mut self[neighbor].neighbors, from, into)?;
                }
            } else if neighbor != into {
                self[into].neighbors.push(neighbor);
                replace(&mut self[neighbor].neighbors, from, into)?;
            }
        }
        delete(&mut self[from].neighbors, into);
        delete(&mut self[into].neighbors, from);
        Ok(())
    }

    /// Merges the corners by age.
    fn merge_corners(&mut self, from: FacetId, into: FacetId) -> Result<(), HullError> {
        let (a, b) = (&self[from].vertices, &self[into].vertices);
        let mut merged = Vec::with_capacity(a.len() + b.len());
        let (mut i, mut k) = (0, 0);
        while i < a.len() || k < b.len() {
            let (age_a, age_b) = (a.get(i).map(|v| self[*v].id), b.get(k).map(|v| self[*v].id));
            if age_a >= age_b {
                merged.push(a[i]);
                i += 1;
                if age_a == age_b {
                    k += 1;
                }
            } else {
                merged.push(b[k]);
                k += 1;
            }
        }
        Self::require(merged.len() + 2 <= a.len() + b.len())?;
        self[into].vertices = merged;
        Ok(())
    }

    fn merge_ridges(&mut self, from: FacetId, into: FacetId) {
        let mut k = 0;
        while k < self[into].ridges.len() {
            let ridge = self[into].ridges[k];
            if self[ridge].top == from || self[ridge].bottom == from {
                self.delete_ridge(ridge);
            } else {
                k += 1;
            }
        }
        for k in 0..self[from].ridges.len() {
            let ridge = self[from].ridges[k];
            let place = &mut self[ridge];
            if place.top == from {
                place.top = into;
                place.is_top_simplicial = false;
            } else {
                place.bottom = into;
                place.is_bottom_simplicial = false;
            }
            self[into].add_ridge(ridge);
        }
    }

    /// Tells corners; those of the current visit were corners of `into` before.
    fn merge_vertex_neighbors(&mut self, from: FacetId, into: FacetId) -> Result<(), HullError> {
        for i in 0..self[from].vertices.len() {
            let vertex = self[from].vertices[i];
            if self[vertex].visit != self.vertex_visit {
                replace(&mut self[vertex].neighbors, from, into)?;
            } else {
                delete(&mut self[vertex].neighbors, from);
                if self[vertex].neighbors.len() < 2 {
                    self.drop_corner(vertex, into);
                }
            }
        }
        Ok(())
    }
}
