//! The lists of facets and vertices.
//!
//! New facets and the vertices they touch stand at the end; facets that will be deleted stand in
//! front of the new ones. The lists move on with every step, and their order decides the order of
//! the result.

use super::arena::{Builder, FacetId, VertexId};

impl Builder<'_> {
    /// Whether a facet is in a list, rather than its end or no facet at all.
    pub fn is_listed(&self, facet: FacetId) -> bool {
        facet.0 >= FacetId::RESERVED
    }

    pub fn is_listed_vertex(&self, vertex: VertexId) -> bool {
        vertex.0 >= VertexId::RESERVED
    }

    /// Adds a facet at the end of the list.
    pub fn append_facet(&mut self, facet: FacetId) {
        let tail = FacetId::TAIL;
        if self.new_facets == tail {
            self.new_facets = facet;
            if self.visible_facets == tail {
                self.visible_facets = facet;
            }
        }
        if self.next_facet == tail {
            self.next_facet = facet;
        }
        let previous = self[tail].previous;
        self[facet].previous = previous;
        self[facet].next = tail;
        if previous == FacetId::NONE {
            self.facet_list = facet;
        } else {
            self[previous].next = facet;
        }
        self[tail].previous = facet;
        self.facet_count += 1;
    }

    pub fn remove_facet(&mut self, facet: FacetId) {
        let (next, previous) = (self[facet].next, self[facet].previous);
        if self.new_facets == facet {
            self.new_facets = next;
        }
        if self.next_facet == facet {
            self.next_facet = next;
        }
        if self.visible_facets == facet {
            self.visible_facets = next;
        }
        if previous == FacetId::NONE {
            self.facet_list = next;
        } else {
            self[previous].next = next;
        }
        self[next].previous = previous;
        self.facet_count = self.facet_count.saturating_sub(1);
    }

    /// Moves a facet to the end of the list.
    pub fn move_to_end(&mut self, facet: FacetId) {
        self.remove_facet(facet);
        self.append_facet(facet);
    }

    /// Inserts a facet before another one.
    pub fn insert_facet_before(&mut self, facet: FacetId, place: FacetId) {
        let previous = self[place].previous;
        self[facet].previous = previous;
        if previous != FacetId::NONE {
            self[previous].next = facet;
        }
        self[place].previous = facet;
        self[facet].next = place;
        if self.facet_list == place {
            self.facet_list = facet;
        }
        if self.next_facet == place {
            self.next_facet = facet;
        }
        self.facet_count += 1;
    }

    /// Moves a facet to the front of those that will be deleted; `replacement` takes its points.
    pub fn will_delete(&mut self, facet: FacetId, replacement: FacetId) {
        self.remove_facet(facet);
        let front = if self.visible_facets == FacetId::NONE {
            FacetId::TAIL
        } else {
            self.visible_facets
        };
        self.insert_facet_before(facet, front);
        self.visible_facets = facet;
        self.visible_count += 1;
        let facet = &mut self[facet];
        facet.is_visible = true;
        facet.link = replacement;
        facet.ridges.clear();
        facet.neighbors.clear();
    }

    /// Takes a facet out of the list and frees its place.
    pub fn delete_facet(&mut self, facet: FacetId) {
        self.remove_facet(facet);
        self.free_facets.push(facet);
    }

    pub fn append_vertex(&mut self, vertex: VertexId) {
        let tail = VertexId::TAIL;
        if self.new_vertices == tail {
            self.new_vertices = vertex;
        }
        let previous = self[tail].previous;
        self[vertex].is_new = true;
        self[vertex].previous = previous;
        self[vertex].next = tail;
        if previous == VertexId::NONE {
            self.vertex_list = vertex;
        } else {
            self[previous].next = vertex;
        }
        self[tail].previous = vertex;
        self.vertex_count += 1;
    }

    pub fn remove_vertex(&mut self, vertex: VertexId) {
        let (next, previous) = (self[vertex].next, self[vertex].previous);
        if self.new_vertices == vertex {
            self.new_vertices = next;
        }
        if previous == VertexId::NONE {
            self.vertex_list = next;
        } else {
            self[previous].next = next;
        }
        self[next].previous = previous;
        self.vertex_count = self.vertex_count.saturating_sub(1);
    }

    /// Moves vertices of new facets to the end of the list, where new vertices stand.
    pub fn renew_vertices(&mut self, facet: FacetId) {
        for i in 0..self[facet].vertices.len() {
            let vertex = self[facet].vertices[i];
            if !self[vertex].is_new {
                self.remove_vertex(vertex);
                self.append_vertex(vertex);
            }
        }
    }

    /// Marks a vertex that lost its last facet.
    pub fn mark_deleted(&mut self, vertex: VertexId) {
        self[vertex].is_deleted = true;
        self.deleted_vertices.push(vertex);
    }

    /// What took the place of a facet that will be deleted.
    pub fn replacement(&self, facet: FacetId) -> FacetId {
        let mut result = facet;
        for _ in 0..=self.facets.len() {
            if result == FacetId::NONE || !self[result].is_visible {
                return result;
            }
            result = self[result].link;
        }
        FacetId::NONE
    }

    /// Ends a step: nothing is new or visible any more.
    pub fn reset_lists(&mut self, resets_visible: bool) {
        let mut vertex = self.new_vertices;
        while self.is_listed_vertex(vertex) {
            self[vertex].is_new = false;
            vertex = self[vertex].next;
        }
        self.new_vertices = VertexId::NONE;
        self.first_new_id = 0;
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            self[facet].is_new = false;
            self[facet].has_shared_ridge = false;
            facet = self[facet].next;
        }
        self.new_facets = FacetId::NONE;
        if resets_visible {
            let mut facet = self.visible_facets;
            while self.is_listed(facet) && self[facet].is_visible {
                self[facet].link = FacetId::NONE;
                self[facet].is_visible = false;
                facet = self[facet].next;
            }
            self.visible_count = 0;
        }
        self.visible_facets = FacetId::NONE;
    }

    /// Tells every vertex its facets, once.
    pub fn find_vertex_neighbors(&mut self) {
        if self.has_vertex_neighbors {
            return;
        }
        self.vertex_visit += 1;
        let mut facet = self.facet_list;
        while self.is_listed(facet) {
            if !self[facet].is_visible {
                for i in 0..self[facet].vertices.len() {
                    let vertex = self[facet].vertices[i];
                    if self[vertex].visit != self.vertex_visit {
                        self[vertex].visit = self.vertex_visit;
                        self[vertex].neighbors.clear();
                    }
                    self[vertex].neighbors.push(facet);
                }
            }
            facet = self[facet].next;
        }
        self.has_vertex_neighbors = true;
    }
}
