//! The cone of new triangles from a point to its horizon.

use super::HullError;
use super::arena::{Builder, FacetId, PointId, VertexId, delete, replace};
use sinew_math::Vec3;

impl Builder<'_> {
    /// Collects the facets a point sees at the end of the list, beginning with `facet`.
    pub fn find_horizon(&mut self, point: Vec3, facet: FacetId) -> Result<(), HullError> {
        self.move_to_end(facet);
        self.visible_count = 1;
        self.visible_facets = facet;
        self[facet].is_visible = true;
        self[facet].link = FacetId::NONE;
        self.visit += 1;
        let mut has_horizon = false;
        let mut visible = facet;
        while self.is_listed(visible) && self[visible].is_visible {
            if self[visible].neighbors.is_empty() {
                return Err(HullError::Numerical);
            }
            self[visible].visit = self.visit;
            for i in 0..self[visible].neighbors.len() {
                let neighbor = self[visible].neighbors[i];
                if self[neighbor].visit == self.visit {
                    continue;
                }
                self[neighbor].visit = self.visit;
                let distance = self.distance(point, neighbor);
                if distance > self.tolerance.visible {
                    self.move_to_end(neighbor);
                    self[neighbor].is_visible = true;
                    self[neighbor].link = FacetId::NONE;
                    self.visible_count += 1;
                    continue;
                }
                has_horizon = true;
                let is_coplanar = distance >= -self.tolerance.coplanar;
                self[neighbor].has_coplanar_horizon = is_coplanar;
                if is_coplanar {
                    if distance > 0.0 {
                        raise(&mut self.max_outside, distance);
                        raise(&mut self.max_vertex, distance);
                        raise(&mut self[neighbor].max_outside, distance);
                    } else if self.min_vertex > distance {
                        self.min_vertex = distance;
                    }
                }
            }
            visible = self[visible].next;
        }
        if has_horizon {
            Ok(())
        } else {
            Err(HullError::Numerical)
        }
    }

    /// Makes the new triangles and their planes; returns the new corner.
    pub fn build_cone(&mut self, point: PointId) -> Result<VertexId, HullError> {
        self.first_new_id = self.facet_id;
        let apex = self.make_new_facets(point)?;
        self.match_new_facets()?;
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            if !self[facet].merges_into_horizon {
                self.set_plane(facet);
            }
            facet = self[facet].next;
        }
        self.update_cone_neighbors();
        Ok(apex)
    }

    fn make_new_facets(&mut self, point: PointId) -> Result<VertexId, HullError> {
        self.new_facets = FacetId::TAIL;
        self.new_vertices = VertexId::TAIL;
        let apex = self.create_vertex(point);
        self.append_vertex(apex);
        self.visit += 1;
        let mut by_edge = FacetId::NONE;
        let mut replacement = FacetId::NONE;
        let mut visible = self.visible_facets;
        while self.is_listed(visible) && self[visible].is_visible {
            for i in 0..self[visible].neighbors.len() {
                let neighbor = self[visible].neighbors[i];
                self[neighbor].is_seen = false;
            }
            if self[visible].had_ridges {
                self[visible].visit = self.visit;
                by_edge = self.make_facets_by_ridge(visible, apex)?;
            }
            if self[visible].is_simplicial {
                replacement = self.make_facets_by_neighbor(visible, apex)?;
            }
            // The last triangle made so far, even for another facet, takes over.
            if by_edge != FacetId::NONE {
                replacement = by_edge;
            }
            if replacement != FacetId::NONE {
                self[visible].link = replacement;
            }
            self[visible].ridges.clear();
            self[visible].neighbors.clear();
            visible = self[visible].next;
        }
        Ok(apex)
    }

    /// A new triangle over an edge, at the end of the list.
    fn make_facet(
        &mut self,
        vertices: [VertexId; 3],
        is_top_oriented: bool,
        horizon: FacetId,
    ) -> FacetId {
        for vertex in vertices {
            if !self[vertex].is_new {
                self.remove_vertex(vertex);
                self.append_vertex(vertex);
            }
        }
        let facet = self.create_facet();
        let place = &mut self[facet];
        place.vertices.extend(vertices);
        place.is_top_oriented = is_top_oriented;
        place.neighbors.push(horizon);
        self.append_facet(facet);
        facet
    }

    /// Triangles from the ridges of a facet to neighbours that stay; also cuts up a facet.
    pub fn make_facets_by_ridge(
        &mut self,
        visible: FacetId,
        apex: VertexId,
    ) -> Result<FacetId, HullError> {
        let mut made = FacetId::NONE;
        for i in 0..self[visible].ridges.len() {
            let ridge = self[visible].ridges[i];
            let neighbor = self.across(ridge, visible);
            if !self[neighbor].is_visible {
                let is_top = self[ridge].top == visible;
                let [a, b] = self[ridge].vertices;
                made = self.make_facet([apex, a, b], is_top, neighbor);
                if self[neighbor].has_coplanar_horizon {
                    self[made].merges_into_horizon = true;
                    if self[neighbor].is_seen {
                        let cycle = self[neighbor].link;
                        self[made].link = self[cycle].link;
                        self[cycle].link = made;
                    } else {
                        self[made].link = made;
                        self[neighbor].link = made;
                    }
                }
                if self[neighbor].is_seen {
                    if self[neighbor].is_simplicial {
                        return Err(HullError::Numerical);
                    }
                    self[neighbor].neighbors.push(made);
                } else {
                    replace(&mut self[neighbor].neighbors, visible, made)?;
                }
                if self[neighbor].is_simplicial {
                    delete(&mut self[neighbor].ridges, ridge);
                } else {
                    self[made].add_ridge(ridge);
                    if is_top {
                        self[ridge].top = made;
                        self[ridge].is_top_simplicial = true;
                    } else {
                        self[ridge].bottom = made;
                        self[ridge].is_bottom_simplicial = true;
                    }
                }
            }
            self[neighbor].is_seen = true;
        }
        Ok(made)
    }

    /// Triangles from a triangle to neighbours that stay and were not yet seen.
    fn make_facets_by_neighbor(
        &mut self,
        visible: FacetId,
        apex: VertexId,
    ) -> Result<FacetId, HullError> {
        let mut made = FacetId::NONE;
        for i in 0..self[visible].neighbors.len() {
            let neighbor = self[visible].neighbors[i];
            if self[neighbor].is_seen || self[neighbor].is_visible {
                continue;
            }
            let place = &self[neighbor];
            let skip = place.neighbors.iter().take(3).position(|f| *f == visible);
            let (Some(skip), &[a, b, c]) = (skip, &place.vertices[..]) else {
                return Err(HullError::Numerical);
            };
            let [a, b] = match skip {
                0 => [b, c],
                1 => [a, c],
                _ => [a, b],
            };
            let is_top = (skip & 1 == 1) == place.is_top_oriented;
            made = self.make_facet([apex, a, b], is_top, neighbor);
            if self[neighbor].has_coplanar_horizon {
                self[made].link = made;
                self[made].merges_into_horizon = true;
            }
            self[neighbor].neighbors[skip] = made;
        }
        Ok(made)
    }

    /// Tells vertices about the new facets, and finds corners that are inside now.
    fn update_cone_neighbors(&mut self) {
        if self.has_vertex_neighbors {
            let mut vertex = self.new_vertices;
            while self.is_listed_vertex(vertex) {
                let mut i = 0;
                while i < self[vertex].neighbors.len() {
                    let neighbor = self[vertex].neighbors[i];
                    if self[neighbor].is_visible {
                        self[vertex].neighbors.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
                vertex = self[vertex].next;
            }
            let mut facet = self.new_facets;
            while self.is_listed(facet) {
                for i in 0..self[facet].vertices.len() {
                    let vertex = self[facet].vertices[i];
                    self[vertex].neighbors.push(facet);
                }
                facet = self[facet].next;
            }
        }
        self.find_deleted_vertices();
    }

    /// Finds the corners of visible facets that have no other facet.
    pub fn find_deleted_vertices(&mut self) {
        let mut visible = self.visible_facets;
        while self.is_listed(visible) && self[visible].is_visible {
            for i in 0..self[visible].vertices.len() {
                let vertex = self[visible].vertices[i];
                if self[vertex].is_new || self[vertex].is_deleted {
                    continue;
                }
                let stays = self.has_vertex_neighbors
                    && self[vertex]
                        .neighbors
                        .iter()
                        .any(|facet| !self[*facet].is_visible);
                if stays {
                    delete(&mut self[vertex].neighbors, visible);
                } else {
                    self.mark_deleted(vertex);
                }
            }
            visible = self[visible].next;
        }
    }

    /// The same after merging, when some of the new facets are old ones that grew.
    pub fn update_neighbors(&mut self) {
        if self.has_vertex_neighbors {
            let mut vertex = self.new_vertices;
            while self.is_listed_vertex(vertex) {
                let mut neighbors = std::mem::take(&mut self[vertex].neighbors);
                neighbors.retain(|facet| !self[*facet].is_visible);
                self[vertex].neighbors = neighbors;
                vertex = self[vertex].next;
            }
            let mut facet = self.new_facets;
            while self.is_listed(facet) {
                let is_made = self.first_new_id != 0 && self[facet].id >= self.first_new_id;
                for i in 0..self[facet].vertices.len() {
                    let vertex = self[facet].vertices[i];
                    if is_made {
                        self[vertex].neighbors.push(facet);
                    } else {
                        super::arena::append_unique(&mut self[vertex].neighbors, facet);
                    }
                }
                facet = self[facet].next;
            }
        }
        self.find_deleted_vertices();
    }

    /// Deletes what is no longer part of the hull.
    pub fn delete_visible(&mut self) -> Result<(), HullError> {
        let mut visible = self.visible_facets;
        while self.is_listed(visible) && self[visible].is_visible {
            let next = self[visible].next;
            self.delete_facet(visible);
            visible = next;
        }
        self.visible_count = 0;
        let deleted = std::mem::take(&mut self.deleted_vertices);
        for vertex in deleted {
            if !self[vertex].is_partitioned {
                return Err(HullError::Numerical);
            }
            self.remove_vertex(vertex);
            self[vertex].neighbors = Vec::new();
        }
        Ok(())
    }
}

/// Raises a maximum.
pub(super) fn raise(maximum: &mut f64, value: f64) {
    if *maximum < value {
        *maximum = value;
    }
}
