//! Which facet a point belongs to.
//!
//! A point above a facet goes to the facet's outside set, the furthest one last; a point near the
//! surface to its coplanar set, from where it returns when the facet is deleted. Points clearly
//! inside are forgotten.

use super::HullError;
use super::arena::{Builder, FacetId, PointId, VertexId};
use super::search::Best;

/// A coplanar point that is this many times further out than any so far is tried again.
const REPARTITION_RATIO: f64 = 30.0;

/// Appends before the last entry.
fn append_second_last(set: &mut Vec<PointId>, point: PointId) {
    let place = set.len().saturating_sub(1);
    set.insert(place, point);
}

impl Builder<'_> {
    /// Distributes all points over the facets of the simplex.
    pub fn partition_all(&mut self, simplex: [VertexId; 4]) -> Result<(), HullError> {
        let corners = simplex.map(|vertex| self[vertex].point);
        let mut rest: Vec<PointId> = (0..self.points.len() as PointId)
            .filter(|point| !corners.contains(point))
            .collect();
        let enough = self.clearly_outside();
        for facet in self.listed_facets() {
            let mut outside = Vec::new();
            let mut best: Option<(PointId, f64)> = None;
            rest.retain(|&point| {
                let distance = self.distance(self.points[point as usize], facet);
                if distance < enough {
                    return true;
                }
                match best {
                    None => best = Some((point, distance)),
                    Some((furthest, height)) if distance > height => {
                        outside.push(furthest);
                        best = Some((point, distance));
                    }
                    Some(_) => outside.push(point),
                }
                false
            });
            if let Some((furthest, height)) = best {
                outside.push(furthest);
                self[facet].furthest = height;
            }
            self[facet].outside = outside;
        }
        self.tests_all_new = true;
        for point in rest {
            self.partition_point(point, self.facet_list)?;
        }
        self.tests_all_new = false;
        Ok(())
    }

    /// Puts a point where it belongs, searching from `start`.
    pub fn partition_point(&mut self, point: PointId, start: FacetId) -> Result<(), HullError> {
        let Best {
            facet,
            distance,
            mut is_outside,
        } = if self.tests_all_new {
            self.search_new(point, start, false)?
        } else {
            self.search_uphill(point, start, false, true)?
        };
        if self[facet].is_visible || !self.is_listed(facet) {
            return Err(HullError::Numerical);
        }
        if self.is_narrow && distance >= -self.tolerance.near_inside {
            is_outside = true;
        }
        if is_outside {
            self.add_outside(point, facet, distance);
        } else if distance >= -self.tolerance.near_inside {
            self.add_coplanar(point, facet, facet, distance, true)?;
        }
        Ok(())
    }

    fn add_outside(&mut self, point: PointId, facet: FacetId, distance: f64) {
        let outside = self.tolerance.outside;
        let is_narrow = self.is_narrow;
        let place = &mut self[facet];
        let mut is_first = false;
        if place.outside.is_empty() {
            place.outside.push(point);
            place.furthest = distance;
            is_first = !is_narrow || distance > outside;
        } else if place.furthest < distance {
            is_first = is_narrow && place.furthest < outside && distance >= outside;
            place.outside.push(point);
            place.furthest = distance;
        } else {
            append_second_last(&mut place.outside, point);
        }
        // A facet that had no points outside must come up again.
        if is_first && self.next_facet != facet {
            if self[facet].is_new {
                if self[self.next_facet].is_new {
                    self.next_facet = self.new_facets;
                }
            } else {
                self.move_to_end(facet);
                if self.new_facets != FacetId::NONE {
                    self[facet].is_new = true;
                }
            }
        }
    }

    /// Puts a point near the surface into a coplanar set, searching from `start`.
    pub fn partition_coplanar(
        &mut self,
        point: PointId,
        start: FacetId,
        tests_all_new: bool,
    ) -> Result<(), HullError> {
        let best = if tests_all_new {
            self.search_new(point, start, true)?
        } else {
            self.search_uphill(point, start, true, false)?
        };
        if best.distance < -self.tolerance.near_inside {
            self.repartitioned_facet = 0;
            return Ok(());
        }
        self.add_coplanar(point, start, best.facet, best.distance, false)
    }

    /// Adds a point to the coplanar set of `facet`, unless it is far enough above to be outside.
    fn add_coplanar(
        &mut self,
        point: PointId,
        start: FacetId,
        facet: FacetId,
        distance: f64,
        is_partitioned: bool,
    ) -> Result<(), HullError> {
        if self[facet].is_visible || !self.is_listed(facet) {
            return Err(HullError::Numerical);
        }
        if distance > self.max_outside {
            let mut is_outside = false;
            if !is_partitioned && start != facet {
                let (a, b) = (self[start].normal, self[facet].normal);
                is_outside = 0.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0.0;
            }
            if !is_outside && distance > self.outside_limit * REPARTITION_RATIO {
                if start == facet {
                    if self[facet].id == self.repartitioned_facet {
                        return Err(HullError::Numerical);
                    }
                    self.repartitioned_facet = self[facet].id;
                }
                is_outside = true;
            }
            if is_outside {
                let tests_all_new = std::mem::replace(&mut self.tests_all_new, false);
                self.partition_point(point, facet)?;
                self.tests_all_new = tests_all_new;
                self.repartitioned_facet = 0;
                return Ok(());
            }
            self.repartitioned_facet = 0;
            self.max_outside = distance;
        }
        let highest = self[facet].coplanar.last().copied();
        let is_highest = match highest {
            Some(other) => self.distance(self.points[other as usize], facet) < distance,
            None => true,
        };
        let coplanar = &mut self[facet].coplanar;
        if is_highest {
            coplanar.push(point);
        } else {
            append_second_last(coplanar, point);
        }
        Ok(())
    }

    /// Distributes the points of the facets that will be deleted, and deleted corners.
    pub fn partition_visible(&mut self) -> Result<(), HullError> {
        let mut visible = self.visible_facets;
        while self.is_listed(visible) && self[visible].is_visible {
            if !self[visible].outside.is_empty() || !self[visible].coplanar.is_empty() {
                let mut target = self.replacement(visible);
                if target == FacetId::NONE {
                    target = self.new_facets;
                }
                if !self.is_listed(target) {
                    return Err(HullError::Numerical);
                }
                let outside = std::mem::take(&mut self[visible].outside);
                for &point in &outside {
                    self.partition_point(point, target)?;
                }
                let coplanar = std::mem::take(&mut self[visible].coplanar);
                for &point in &coplanar {
                    self.partition_coplanar(point, target, self.tests_all_new)?;
                }
                self[visible].outside = outside;
                self[visible].coplanar = coplanar;
            }
            visible = self[visible].next;
        }
        for i in 0..self.deleted_vertices.len() {
            let vertex = self.deleted_vertices[i];
            if !self[vertex].is_partitioned {
                if !self.is_listed(self.new_facets) {
                    return Err(HullError::Numerical);
                }
                self.partition_coplanar(self[vertex].point, self.new_facets, true)?;
                self[vertex].is_partitioned = true;
            }
        }
        Ok(())
    }
}
