//! Searches for the facet a point is furthest above.
//!
//! Three ways: walk uphill from a facet, test all new facets, and from the best one found look at
//! all facets that are nearly as good, because merged facets are not exactly convex.

use super::HullError;
use super::arena::{Builder, FacetId, PointId};

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub facet: FacetId,
    pub distance: f64,
    pub is_outside: bool,
}

impl Builder<'_> {
    /// Whether there were enough merges to distrust short searches.
    fn is_much_merged(&self) -> bool {
        self.merge_total > 50
    }

    /// Height from which on a point is taken as outside without looking further.
    pub fn clearly_outside(&self) -> f64 {
        let factor = if self.is_much_merged() { 2.0 } else { 1.0 };
        factor * max(2.0 * self.tolerance.outside, self.max_outside)
    }

    /// Walks uphill from `start`; `is_any` searches among all facets, otherwise among new ones
    /// only. `is_best` looks for the best facet, otherwise any facet the point is outside of will
    /// do.
    pub fn search_uphill(
        &mut self,
        point: PointId,
        start: FacetId,
        is_best: bool,
        is_among_new: bool,
    ) -> Result<Best, HullError> {
        let position = self.points[point as usize];
        let outside = self.tolerance.outside;
        let mut best = FacetId::NONE;
        let mut best_distance = -f64::MAX / 2.0;
        self.visit += 1;
        let visit = self.visit;
        if !self[start].is_flipped {
            let distance = self.distance(position, start);
            if !is_best && distance >= outside {
                return Ok(Best {
                    facet: start,
                    distance,
                    is_outside: true,
                });
            }
            best_distance = distance;
            best = start;
        }
        self[start].visit = visit;

        let mut at = start;
        let mut last = start;
        while at != FacetId::NONE {
            last = at;
            let mut next = FacetId::NONE;
            for i in 0..self[at].neighbors.len() {
                let neighbor = self[at].neighbors[i];
                if (is_among_new && !self[neighbor].is_new) || self[neighbor].visit == visit {
                    continue;
                }
                self[neighbor].visit = visit;
                if self[neighbor].is_flipped {
                    continue;
                }
                let distance = self.distance(position, neighbor);
                if distance > best_distance {
                    if !is_best && distance >= outside {
                        return Ok(Best {
                            facet: neighbor,
                            distance,
                            is_outside: true,
                        });
                    }
                    best = neighbor;
                    best_distance = distance;
                    next = neighbor;
                    break;
                }
            }
            at = next;
        }

        let mut looks_around = true;
        if is_among_new {
            if best == FacetId::NONE {
                let found = self.search_new(point, self.new_facets, is_best)?;
                (best, best_distance) = (found.facet, found.distance);
                looks_around = false;
            } else if !self.is_known_blunt && best_distance < -self.tolerance.distance {
                if self.are_new_facets_sharp() {
                    let found = self.search_new(point, best, is_best)?;
                    (best, best_distance) = (found.facet, found.distance);
                    looks_around = false;
                    self.tests_all_new = true;
                } else {
                    self.is_known_blunt = true;
                }
            }
        }
        if best == FacetId::NONE {
            (best, best_distance) = self.search_beyond_flipped(point, last)?;
        }
        if looks_around {
            (best, best_distance) = self.search_around(point, best, best_distance);
        }
        Ok(Best {
            facet: best,
            distance: best_distance,
            is_outside: best_distance >= outside,
        })
    }

    /// Tests all new facets, beginning with `start`.
    pub fn search_new(
        &mut self,
        point: PointId,
        start: FacetId,
        is_best: bool,
    ) -> Result<Best, HullError> {
        if !self.is_listed(start) {
            return Err(HullError::Numerical);
        }
        let position = self.points[point as usize];
        let enough = if is_best {
            f64::MAX
        } else {
            self.clearly_outside()
        };
        self.visit += 1;
        let visit = self.visit;
        let mut best = FacetId::NONE;
        let mut best_distance = -f64::MAX / 2.0;
        for pass in 0..2 {
            let mut facet = if pass == 0 { start } else { self.new_facets };
            while self.is_listed(facet) {
                if pass == 1 && facet == start {
                    break;
                }
                self[facet].visit = visit;
                if !self[facet].is_flipped {
                    let distance = self.distance(position, facet);
                    if distance > best_distance {
                        best = facet;
                        if distance >= enough {
                            return Ok(Best {
                                facet,
                                distance,
                                is_outside: true,
                            });
                        }
                        best_distance = distance;
                    }
                }
                facet = self[facet].next;
            }
        }
        let from = if best == FacetId::NONE { start } else { best };
        let (facet, distance) = self.search_around(point, from, best_distance);
        Ok(Best {
            facet,
            distance,
            is_outside: distance >= self.tolerance.outside,
        })
    }

    /// Looks at facets that are nearly as high as the best one, as long as better ones appear.
    fn search_around(
        &mut self,
        point: PointId,
        start: FacetId,
        mut best_distance: f64,
    ) -> (FacetId, f64) {
        let position = self.points[point as usize];
        let mut best = start;
        let factor = if self.is_much_merged() { 2.0 } else { 1.0 };
        let search = factor
            * (self.max_outside
                + 2.0 * self.tolerance.distance
                + max(self.tolerance.visible, self.tolerance.coplanar));
        let mut lowest = best_distance - search;
        self.visit += 1;
        let visit = self.visit;
        self[start].visit = visit;
        let mut stack = std::mem::take(&mut self.search_stack);
        stack.clear();
        let mut at = start;
        let mut next = FacetId::NONE;
        loop {
            for i in 0..self[at].neighbors.len() {
                let neighbor = self[at].neighbors[i];
                if self[neighbor].visit == visit {
                    continue;
                }
                self[neighbor].visit = visit;
                if !self[neighbor].is_flipped {
                    let distance = self.distance(position, neighbor);
                    if distance > best_distance {
                        lowest = distance - search;
                        // Much better: what was nearly as good before no longer is.
                        if distance > best_distance + search {
                            stack.clear();
                        }
                        best = neighbor;
                        best_distance = distance;
                    } else if distance < lowest {
                        continue;
                    }
                }
                if next != FacetId::NONE {
                    stack.push(next);
                }
                next = neighbor;
            }
            at = next;
            if at != FacetId::NONE {
                next = FacetId::NONE;
            } else {
                match stack.pop() {
                    Some(facet) => at = facet,
                    None => break,
                }
            }
        }
        self.search_stack = stack;
        (best, best_distance)
    }

    /// Searches on when all facets met so far are flipped.
    fn search_beyond_flipped(
        &mut self,
        point: PointId,
        last: FacetId,
    ) -> Result<(FacetId, f64), HullError> {
        let position = self.points[point as usize];
        let mut best = FacetId::NONE;
        let mut best_distance = -f64::MAX / 2.0;
        let test = |builder: &Self, facet: FacetId, best: &mut FacetId, best_distance: &mut f64| {
            if !builder[facet].is_flipped {
                let distance = builder.distance(position, facet);
                if distance > *best_distance {
                    *best = facet;
                    *best_distance = distance;
                }
            }
        };
        for &neighbor in &self[last].neighbors {
            test(self, neighbor, &mut best, &mut best_distance);
        }
        if best == FacetId::NONE {
            let nearest = self.nearest_vertex(last, point);
            self.find_vertex_neighbors();
            for &neighbor in &self[nearest].neighbors {
                test(self, neighbor, &mut best, &mut best_distance);
            }
        }
        if best == FacetId::NONE {
            best_distance = -f64::MAX;
            let mut facet = self.facet_list;
            while self.is_listed(facet) {
                let place = &self[facet];
                if !place.is_flipped && place.has_normal && !place.is_visible {
                    let distance = self.distance(position, facet);
                    if distance > best_distance {
                        best_distance = distance;
                        best = facet;
                        if distance > self.tolerance.outside {
                            break;
                        }
                    }
                }
                facet = self[facet].next;
            }
        }
        if best == FacetId::NONE {
            return Err(HullError::Numerical);
        }
        Ok((best, best_distance))
    }

    fn nearest_vertex(&self, facet: FacetId, point: PointId) -> super::arena::VertexId {
        let position = self.points[point as usize];
        let mut nearest = super::arena::VertexId::NONE;
        let mut smallest = f64::MAX;
        for &vertex in &self[facet].vertices {
            let gap = self.point_of(vertex) - position;
            let square = 0.0 + gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
            if square < smallest {
                smallest = square;
                nearest = vertex;
            }
        }
        nearest
    }

    /// Whether the new facets do not all face one octant.
    fn are_new_facets_sharp(&self) -> bool {
        let octant = |facet: FacetId| self[facet].normal.map(|x| x > 0.0);
        let mut facet = self.new_facets;
        let first = octant(facet);
        while self.is_listed(facet) {
            if octant(facet) != first {
                return true;
            }
            facet = self[facet].next;
        }
        false
    }
}

/// The larger; the first if equal.
pub(super) fn max(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}
