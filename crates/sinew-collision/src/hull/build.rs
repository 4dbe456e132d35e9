//! The loop over points, and the finished hull.

use super::arena::{Builder, FacetId, PointId, VertexId};
use super::search::max;
use super::{Hull, HullError};

/// A facet is walked around whenever a point joins it, so that a facet with n corners costs n²
/// steps; beyond this many in all the hull is given up. About half a minute of work.
pub(super) const MAX_WORK: u64 = 500_000_000;

impl Builder<'_> {
    /// Builds the hull up to a number of corners.
    pub fn build(
        &mut self,
        vertex_limit: Option<usize>,
        mut may_go_on: impl FnMut() -> bool,
    ) -> Result<(), HullError> {
        self.set_outside_limit();
        let simplex = self.build_simplex()?;
        self.partition_all(simplex)?;
        self.reset_lists(true);
        self.next_facet = self.facet_list;
        self.bring_furthest_forward();
        self.next_facet = self.facet_list;
        while let Some((point, facet)) = self.next_point() {
            if !may_go_on() {
                return Err(HullError::Interrupted);
            }
            if vertex_limit.is_some_and(|limit| self.vertex_count >= limit.max(4)) {
                return Ok(());
            }
            self.add_point(point, facet)?;
        }
        Ok(())
    }

    /// The facet with the furthest point comes first.
    fn bring_furthest_forward(&mut self) {
        let mut best = FacetId::NONE;
        let mut furthest = -f64::MAX;
        for facet in self.listed_facets() {
            if !self[facet].outside.is_empty() && self[facet].furthest > furthest {
                best = facet;
                furthest = self[facet].furthest;
            }
        }
        if best != FacetId::NONE {
            self.remove_facet(best);
            let place = self.next_facet;
            self.insert_facet_before(best, place);
            self.next_facet = best;
        }
    }

    /// Takes the next point and a facet it is outside of.
    fn next_point(&mut self) -> Option<(PointId, FacetId)> {
        while self.is_listed(self.next_facet) {
            let facet = self.next_facet;
            let skips = if self[facet].outside.is_empty() {
                true
            } else if self.is_narrow {
                if self[facet].is_not_furthest {
                    self.update_furthest(facet);
                }
                self[facet].furthest < self.tolerance.outside
            } else {
                false
            };
            if skips {
                self.next_facet = self[facet].next;
                continue;
            }
            return self[facet].outside.pop().map(|point| (point, facet));
        }
        None
    }

    /// As in Qhull, only the distance is brought up to date, not the order of the set.
    fn update_furthest(&mut self, facet: FacetId) {
        let mut furthest = -f64::MAX;
        for &point in &self[facet].outside {
            let distance = self.distance(self.points[point as usize], facet);
            if distance > furthest {
                furthest = distance;
            }
        }
        self[facet].furthest = furthest;
        self[facet].is_not_furthest = false;
    }

    fn set_outside_limit(&mut self) {
        let mut limit = max(
            self.max_outside,
            self.tolerance.one_merge + self.tolerance.distance,
        );
        limit = max(limit, self.tolerance.outside);
        self.outside_limit = limit;
    }

    /// Grows the hull by one point above `facet`.
    fn add_point(&mut self, point: PointId, facet: FacetId) -> Result<(), HullError> {
        self.set_outside_limit();
        self.find_horizon(self.points[point as usize], facet)?;
        self.build_cone(point)?;
        self.tests_all_new = false;
        self.merge_cone()?;
        self.tests_all_new = self.merge_total > 50;
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            let place = &self[facet];
            let size = place.vertices.len() + place.neighbors.len() + place.ridges.len();
            if !place.is_simplicial {
                self.tests_all_new = true;
            }
            facet = self[facet].next;
            self.work += size as u64;
        }
        if self.work > self.max_work {
            return Err(HullError::TooComplex);
        }
        self.partition_visible()?;
        self.tests_all_new = false;
        self.is_known_blunt = false;
        self.delete_visible()?;
        self.reset_lists(true);
        self.merge_vertices()?;
        if !self.facet_merges.is_empty() || !self.degenerate_merges.is_empty() {
            return Err(HullError::Numerical);
        }
        Ok(())
    }

    /// The finished hull: every facet must be a triangle and every corner have its fan.
    pub fn hull(
        &mut self,
        goes_on: &mut impl FnMut() -> Result<(), HullError>,
    ) -> Result<Hull, HullError> {
        self.find_vertex_neighbors();
        let mut place = vec![u32::MAX; self.vertices.len()];
        let mut corners: Vec<VertexId> = Vec::with_capacity(self.vertex_count);
        let mut vertex = self.vertex_list;
        while self.is_listed_vertex(vertex) {
            goes_on()?;
            place[vertex.0 as usize] = corners.len() as u32;
            corners.push(vertex);
            vertex = self[vertex].next;
        }
        let mut hull = Hull {
            vertices: corners.iter().map(|v| self[*v].point).collect(),
            neighbors: Vec::with_capacity(corners.len()),
            faces: Vec::with_capacity(self.facet_count),
        };
        let mut edge_count = 0;
        self.vertex_visit += 1;
        for &corner in &corners {
            goes_on()?;
            // Mark what is listed by the number of the visit, one per corner.
            self.vertex_visit += 1;
            let visit = self.vertex_visit;
            self[corner].visit = visit;
            let mut around = Vec::with_capacity(self[corner].neighbors.len());
            for i in 0..self[corner].neighbors.len() {
                let facet = self[corner].neighbors[i];
                if self[facet].vertices.len() != 3 {
                    return Err(HullError::Numerical);
                }
                for k in 0..3 {
                    let other = self[facet].vertices[k];
                    if self[other].visit != visit {
                        self[other].visit = visit;
                        let position = place[other.0 as usize];
                        if position == u32::MAX {
                            return Err(HullError::Numerical);
                        }
                        around.push(position);
                    }
                }
            }
            edge_count += around.len();
            hull.neighbors.push(around);
        }
        let mut facet = self.facet_list;
        while self.is_listed(facet) {
            goes_on()?;
            let &[a, b, c] = &self[facet].vertices[..] else {
                return Err(HullError::Numerical);
            };
            let [a, b, c] = [a, b, c].map(|vertex| self[vertex].point);
            hull.faces.push(if self[facet].is_top_oriented {
                [b, a, c]
            } else {
                [a, b, c]
            });
            facet = self[facet].next;
        }
        if edge_count != 3 * hull.faces.len() {
            return Err(HullError::Numerical);
        }
        Ok(hull)
    }
}
