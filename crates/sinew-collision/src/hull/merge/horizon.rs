//! New triangles that are coplanar with their horizon join it.
//!
//! All triangles over edges of one horizon facet form a cycle and are merged together.

use super::super::HullError;
use super::super::arena::{
    Builder, FacetId, MergeKind, RidgeId, VertexId, delete, delete_sorted, replace,
};
use super::facet::{KEEP_CENTER_SIZE, MAX_MERGES};

impl Builder<'_> {
    /// Merges all new triangles without a plane into their horizon.
    pub(super) fn merge_into_horizon(&mut self, has_merged: &mut bool) -> Result<(), HullError> {
        let mut has_cycles = false;
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            let mut next = self[facet].next;
            if self[facet].has_normal {
                facet = next;
                continue;
            }
            Self::require(self[facet].merges_into_horizon)?;
            let horizon = self[facet].first_neighbor();
            if self[facet].link == facet {
                // A single triangle.
                let apex = self[facet].first_vertex();
                for i in 0..self[facet].vertices.len() {
                    let vertex = self[facet].vertices[i];
                    if vertex != apex {
                        self[vertex].has_lost_ridge = true;
                    }
                }
                self[horizon].link = FacetId::NONE;
                self.merge_facet(facet, horizon, MergeKind::CoplanarHorizon, None)?;
            } else {
                let count = self.clean_cycle(facet)?;
                while self.is_listed(next) && self[next].is_cycle_done {
                    next = self[next].next;
                }
                self[horizon].link = FacetId::NONE;
                self.merge_cycle(facet, horizon)?;
                self[horizon].merges = (self[horizon].merges + count).min(MAX_MERGES);
            }
            has_cycles = true;
            facet = next;
        }
        if has_cycles {
            let mut facet = self.new_facets;
            while self.is_listed(facet) {
                if self[facet].has_coplanar_horizon {
                    self.find_redundant_neighbors(facet)?;
                    self[facet].has_coplanar_horizon = false;
                }
                facet = self[facet].next;
            }
            self.merge_degenerate()?;
            *has_merged = true;
        }
        Ok(())
    }

    /// Takes triangles that have a plane out of a cycle; returns how many are left.
    fn clean_cycle(&mut self, facet: FacetId) -> Result<u32, HullError> {
        let mut count = 0;
        let mut previous = facet;
        let mut same = self[facet].link;
        loop {
            let next = self[same].link;
            Self::require(!self[same].is_cycle_done && !self[same].is_visible)?;
            self[same].is_cycle_done = true;
            if self[same].has_normal {
                self[previous].link = next;
                self[same].link = FacetId::NONE;
            } else {
                previous = same;
                count += 1;
            }
            if same == facet {
                return Ok(count);
            }
            same = next;
        }
    }

    /// The triangles of a cycle, the given one last.
    fn cycle(&self, last: FacetId) -> Result<Vec<FacetId>, HullError> {
        let mut cycle = Vec::new();
        let mut same = self[last].link;
        while same != last {
            Self::require(self.is_listed(same) && cycle.len() <= self.facets.len())?;
            cycle.push(same);
            same = self[same].link;
        }
        cycle.push(last);
        Ok(cycle)
    }

    fn merge_cycle(&mut self, last: FacetId, into: FacetId) -> Result<(), HullError> {
        self.merge_total += 1;
        self.find_vertex_neighbors();
        let apex = self[last].first_vertex();
        self.make_ridges(into);
        let cycle = self.cycle(last)?;
        self.merge_cycle_neighbors(&cycle, into)?;
        self.merge_cycle_ridges(&cycle, into)?;
        self.merge_cycle_corners(&cycle, into, apex);
        if self[into].first_vertex() != apex {
            self[into].vertices.insert(0, apex);
        }
        if !self[into].is_new {
            self.renew_vertices(into);
        }
        // The facet is new now, its triangles are gone.
        self.move_to_end(into);
        let place = &mut self[into];
        place.is_new = true;
        place.is_simplicial = false;
        place.is_newly_merged = true;
        for same in cycle {
            self.will_delete(same, into);
        }
        if self[into].vertices.len() <= KEEP_CENTER_SIZE {
            self[into].center = None;
        }
        Ok(())
    }

    fn merge_cycle_neighbors(&mut self, cycle: &[FacetId], into: FacetId) -> Result<(), HullError> {
        self.visit += 1;
        let in_cycle = self.visit;
        for &same in cycle {
            Self::require(self[same].visit != in_cycle && !self[same].is_visible)?;
            self[same].visit = in_cycle;
        }
        self.visit += 1;
        self[into].visit = self.visit;
        let mut neighbors = std::mem::take(&mut self[into].neighbors);
        neighbors.retain(|neighbor| self[*neighbor].visit != in_cycle);
        for &neighbor in &neighbors {
            self[neighbor].visit = self.visit;
        }
        self[into].neighbors = neighbors;
        for &same in cycle {
            for i in 0..self[same].neighbors.len() {
                let neighbor = self[same].neighbors[i];
                if self[neighbor].visit == in_cycle {
                    continue;
                }
                let is_known = self[neighbor].visit == self.visit;
                if self[neighbor].is_simplicial {
                    if is_known {
                        self.make_ridges(neighbor);
                        delete(&mut self[neighbor].neighbors, same);
                        continue;
                    }
                    self[into].neighbors.push(neighbor);
                    replace(&mut self[neighbor].neighbors, same, into)?;
                    self[neighbor].visit = self.visit;
                    for k in 0..self[neighbor].ridges.len() {
                        let ridge = self[neighbor].ridges[k];
                        if self[ridge].top == same {
                            self[ridge].top = into;
                            break;
                        } else if self[ridge].bottom == same {
                            self[ridge].bottom = into;
                            break;
                        }
                    }
                } else {
                    delete(&mut self[neighbor].neighbors, same);
                    if !is_known {
                        self[neighbor].neighbors.push(into);
                        self[into].neighbors.push(neighbor);
                        self[neighbor].visit = self.visit;
                    }
                }
            }
        }
        Ok(())
    }

    fn merge_cycle_ridges(&mut self, cycle: &[FacetId], into: FacetId) -> Result<(), HullError> {
        let in_cycle = self.visit - 1;
        let mut ridges: Vec<RidgeId> = std::mem::take(&mut self[into].ridges);
        ridges.retain(|ridge| self[self.across(*ridge, into)].visit != in_cycle);
        self[into].ridges = ridges;
        for &same in cycle {
            for k in 0..self[same].ridges.len() {
                let ridge = self[same].ridges[k];
                let neighbor;
                if self[ridge].top == same {
                    self[ridge].top = into;
                    neighbor = self[ridge].bottom;
                } else if self[ridge].bottom == same {
                    self[ridge].bottom = into;
                    neighbor = self[ridge].top;
                } else if self[ridge].top == into || self[ridge].bottom == into {
                    self[into].add_ridge(ridge);
                    continue;
                } else {
                    return Err(HullError::Numerical);
                }
                if neighbor == into {
                    // Inside the merged facet.
                } else if self[neighbor].visit == in_cycle {
                    delete(&mut self[neighbor].ridges, ridge);
                } else {
                    self[into].add_ridge(ridge);
                }
            }
            self[same].ridges.clear();
            if !self[same].is_simplicial {
                continue;
            }
            for i in 0..self[same].neighbors.len() {
                let neighbor = self[same].neighbors[i];
                if self[neighbor].visit != in_cycle && self[neighbor].is_simplicial {
                    let ridge = self.make_ridge(same, i, into, neighbor);
                    if self[ridge].top == into {
                        self[ridge].is_bottom_simplicial = true;
                    } else {
                        self[ridge].is_top_simplicial = true;
                    }
                }
            }
        }
        Ok(())
    }

    fn merge_cycle_corners(&mut self, cycle: &[FacetId], into: FacetId, apex: VertexId) {
        let merged = self.visit - 1;
        self[into].visit = merged;
        // The corners of the triangles, the apex last.
        let mut vertices = Vec::new();
        self.vertex_visit += 1;
        self[apex].visit = self.vertex_visit;
        for &same in cycle {
            if self[same].has_forced_ridge {
                continue;
            }
            for i in 0..self[same].vertices.len() {
                let vertex = self[same].vertices[i];
                if self[vertex].visit != self.vertex_visit {
                    vertices.push(vertex);
                    self[vertex].visit = self.vertex_visit;
                    self[vertex].is_seen = false;
                }
            }
        }
        vertices.push(apex);
        for vertex in vertices {
            self[vertex].has_lost_ridge = true;
            let mut neighbors = std::mem::take(&mut self[vertex].neighbors);
            neighbors.retain(|neighbor| self[*neighbor].visit != merged);
            neighbors.push(into);
            let is_last = neighbors.len() < 2;
            self[vertex].neighbors = neighbors;
            if is_last {
                delete_sorted(&mut self[into].vertices, vertex);
                self.mark_deleted(vertex);
            }
        }
    }
}
