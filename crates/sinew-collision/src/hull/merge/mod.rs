//! Merging of facets that are not clearly convex.
//!
//! After each cone: new triangles whose horizon is coplanar with the point join the horizon
//! (`horizon.rs`), edges shared by more than two triangles are merged away (`shared.rs`), flipped
//! triangles join a neighbour, and then every pair of neighbours whose centres are not clearly
//! below each other's planes is merged, the closest pair first. What a merge leaves behind
//! (facets without enough neighbours, facets whose corners another facet has, corners with two
//! facets) is cleaned up in between (`degenerate.rs`, `reduce.rs`). `facet.rs` merges two facets.
//! `pinched.rs` merges corners when two edges of a facet end in the same two corners.

mod degenerate;
mod facet;
mod horizon;
mod pinched;
mod reduce;
mod ridge;
mod shared;

use super::HullError;
use super::arena::{Builder, FacetId, Merge, MergeKind};
use std::cmp::Ordering;

/// Facets with more corners than this are measured by their centre.
const CENTER_TEST_SIZE: usize = 2 * 3 + 20;
/// Facets with more corners than this look at nonconvex edges first.
const NONCONVEX_FIRST_SIZE: usize = 3 + 15;

/// A neighbour to merge into, with the spread of corners over its plane.
#[derive(Clone, Copy)]
pub(super) struct BestNeighbor {
    facet: FacetId,
    width: f64,
    low: f64,
    high: f64,
}

impl Builder<'_> {
    /// Merges new facets until they are convex with each other and the horizon.
    pub fn merge_cone(&mut self) -> Result<(), HullError> {
        if self.is_cone_convex() {
            return Ok(());
        }
        let mut has_merged = false;
        self.mark_shared_ridges()?;
        self.merge_into_horizon(&mut has_merged)?;
        self.merge_shared_ridges(&mut has_merged)?;
        self.merge_flipped(&mut has_merged)?;
        self.find_first_merges()?;
        self.merge_all(has_merged)
    }

    /// Whether all new facets are simple and clearly convex.
    fn is_cone_convex(&mut self) -> bool {
        let limit = -2.0 * self.tolerance.distance;
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            let place = &self[facet];
            let horizon = place.first_neighbor();
            if !self[horizon].is_simplicial
                || place.is_flipped
                || place.has_shared_ridge
                || !place.has_normal
            {
                return false;
            }
            facet = place.next;
        }
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            let place = &self[facet];
            for (&vertex, &neighbor) in place.vertices.iter().zip(&place.neighbors).skip(1) {
                if self.distance(self.point_of(vertex), neighbor) >= limit {
                    return false;
                }
            }
            // The corner of the horizon that the facet does not have.
            let shared = &place.vertices[1..];
            let horizon = &self[place.first_neighbor()];
            let opposite = horizon.vertices.iter().find(|v| !shared.contains(v));
            if opposite.is_some_and(|v| self.distance(self.point_of(*v), facet) >= limit) {
                return false;
            }
            facet = place.next;
        }
        true
    }

    /// Queues a merge of `first` into `second`.
    pub(super) fn queue_merge(
        &mut self,
        first: FacetId,
        second: FacetId,
        kind: MergeKind,
        distance: f64,
    ) -> Result<(), HullError> {
        if (self[first].is_redundant && kind != MergeKind::Mirror) || self[second].is_redundant {
            return Ok(());
        }
        if self[first].is_degenerate && kind == MergeKind::Degenerate {
            return Ok(());
        }
        if self[second].is_flipped && !self[first].is_flipped && kind != MergeKind::SharedRidge {
            return Err(HullError::Numerical);
        }
        let merge = Merge {
            kind,
            first,
            second,
            distance,
        };
        match kind {
            MergeKind::Degenerate => {
                self[first].is_degenerate = true;
                // Redundant facets stay last, to be merged first.
                match self.degenerate_merges.last() {
                    Some(last) if last.kind != MergeKind::Degenerate => {
                        self.degenerate_merges.insert(0, merge);
                    }
                    _ => self.degenerate_merges.push(merge),
                }
            }
            MergeKind::Redundant => {
                self[first].is_redundant = true;
                self.degenerate_merges.push(merge);
            }
            MergeKind::Mirror => {
                if self[first].is_redundant || self[first].vertices != self[second].vertices {
                    return Err(HullError::Numerical);
                }
                self[first].is_redundant = true;
                self[second].is_redundant = true;
                self.degenerate_merges.push(merge);
            }
            _ => self.facet_merges.push(merge),
        }
        Ok(())
    }

    /// Queues the merges of all new facets that are not convex.
    fn find_first_merges(&mut self) -> Result<(), HullError> {
        self.visit += 1;
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            self[facet].visit = self.visit;
            for i in 0..self[facet].neighbors.len() {
                let neighbor = self[facet].neighbors[i];
                if self[neighbor].visit != self.visit && self.test_convexity(facet, neighbor)? {
                    for k in 0..self[neighbor].ridges.len() {
                        let ridge = self[neighbor].ridges[k];
                        if self.across(ridge, neighbor) == facet {
                            self[ridge].is_nonconvex = true;
                            break;
                        }
                    }
                }
            }
            self[facet].is_tested = true;
            for k in 0..self[facet].ridges.len() {
                let ridge = self[facet].ridges[k];
                self[ridge].is_tested = true;
            }
            facet = self[facet].next;
        }
        self.sort_merges();
        Ok(())
    }

    /// Queues the merges of new facets that changed since they were tested.
    pub(super) fn find_more_merges(&mut self) -> Result<(), HullError> {
        self.visit += 1;
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            if !self[facet].is_tested {
                self[facet].visit = self.visit;
                for i in 0..self[facet].neighbors.len() {
                    let neighbor = self[facet].neighbors[i];
                    self[neighbor].is_seen = false;
                }
                for k in 0..self[facet].ridges.len() {
                    let ridge = self[facet].ridges[k];
                    if self[ridge].is_tested && !self[ridge].is_nonconvex {
                        continue;
                    }
                    let neighbor = self.across(ridge, facet);
                    if self[neighbor].is_seen {
                        self[ridge].is_tested = true;
                        self[ridge].is_nonconvex = false;
                    } else if self[neighbor].visit != self.visit {
                        self[neighbor].is_seen = true;
                        self[ridge].is_nonconvex = self.test_convexity(facet, neighbor)?;
                        self[ridge].is_tested = true;
                    }
                }
                self[facet].is_tested = true;
            }
            facet = self[facet].next;
        }
        self.sort_merges();
        Ok(())
    }

    /// Orders merges so that the last one is the first to be made: coplanar before concave, close
    /// before far.
    fn sort_merges(&mut self) {
        self.facet_merges.sort_by(|a, b| {
            b.kind.cmp(&a.kind).then(if a.distance < b.distance {
                Ordering::Greater
            } else if b.distance < a.distance {
                Ordering::Less
            } else {
                Ordering::Equal
            })
        });
    }

    /// Queues a merge if two facets are not clearly convex; true if so.
    fn test_convexity(&mut self, facet: FacetId, neighbor: FacetId) -> Result<bool, HullError> {
        let limit = self.tolerance.center;
        let (mut is_concave, mut is_coplanar) = (false, false);
        let center = self.cached_center(facet);
        let distance = self.distance(center, neighbor);
        if distance > limit {
            is_concave = true;
        } else if distance >= -limit {
            is_coplanar = true;
        }
        let center = self.cached_center(neighbor);
        let back = self.distance(center, facet);
        if back > limit {
            is_concave = true;
        } else if !is_coplanar && back >= -limit {
            is_coplanar = true;
        }
        match (is_concave, is_coplanar) {
            (false, false) => return Ok(false),
            (true, true) => {
                if distance > back {
                    self.queue_merge(facet, neighbor, MergeKind::ConcaveCoplanar, distance)?;
                } else {
                    self.queue_merge(neighbor, facet, MergeKind::ConcaveCoplanar, back)?;
                }
            }
            (true, false) => {
                let distance = super::search::max(distance, back);
                self.queue_merge(facet, neighbor, MergeKind::Concave, distance)?;
            }
            (false, true) => {
                let (a, b) = (distance.abs(), back.abs());
                let distance = if a > b { b } else { a };
                self.queue_merge(facet, neighbor, MergeKind::Coplanar, distance)?;
            }
        }
        Ok(true)
    }

    fn cached_center(&mut self, facet: FacetId) -> sinew_math::Vec3 {
        match self[facet].center {
            Some(center) => center,
            None => {
                let center = self.center_of(facet);
                self[facet].center = Some(center);
                center
            }
        }
    }

    /// Makes all queued merges and those that follow from them.
    pub(super) fn merge_all(&mut self, mut has_merged: bool) -> Result<(), HullError> {
        loop {
            let mut has_merged_now = false;
            while !self.facet_merges.is_empty() || !self.degenerate_merges.is_empty() {
                if !self.degenerate_merges.is_empty() {
                    self.merge_degenerate()?;
                    has_merged_now = true;
                }
                while let Some(merge) = self.facet_merges.pop() {
                    let (first, second) = (merge.first, merge.second);
                    if self[first].is_visible || self[second].is_visible {
                        continue;
                    }
                    // A facet that changed is tested again before it is merged as coplanar.
                    let is_stale = |f: FacetId| !self[f].is_tested && self[f].is_new;
                    if merge.kind == MergeKind::Coplanar && (is_stale(first) || is_stale(second)) {
                        continue;
                    }
                    self.merge_nonconvex(first, second, merge.kind)?;
                    self.merge_degenerate()?;
                    has_merged_now = true;
                }
                self.find_more_merges()?;
            }
            if self.has_vertex_neighbors && (has_merged_now || has_merged) {
                has_merged = false;
                if self.reduce_vertices()? {
                    self.find_more_merges()?;
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Merges one of two facets into its best neighbour, which need not be the other one.
    fn merge_nonconvex(
        &mut self,
        mut first: FacetId,
        mut second: FacetId,
        kind: MergeKind,
    ) -> Result<(), HullError> {
        if !self[first].is_new {
            (first, second) = (second, first);
        }
        let best = self.best_neighbor(first)?;
        let other = self.best_neighbor(second)?;
        let (merging, best) = if best.width < other.width {
            (first, best)
        } else {
            (second, other)
        };
        self.merge_facet(merging, best.facet, kind, Some((best.low, best.high)))
    }

    /// The neighbour over whose plane the corners of a facet spread least.
    pub(super) fn best_neighbor(&mut self, facet: FacetId) -> Result<BestNeighbor, HullError> {
        let size = self[facet].vertices.len();
        let tests_center = size > CENTER_TEST_SIZE;
        if tests_center {
            self.cached_center(facet);
        }
        let mut best = BestNeighbor {
            facet: FacetId::NONE,
            width: f64::MAX,
            low: 0.0,
            high: 0.0,
        };
        if size > NONCONVEX_FIRST_SIZE {
            for k in 0..self[facet].ridges.len() {
                let ridge = self[facet].ridges[k];
                if self[ridge].is_nonconvex {
                    let neighbor = self.across(ridge, facet);
                    self.test_neighbor(facet, neighbor, tests_center, &mut best);
                }
            }
        }
        if best.facet == FacetId::NONE {
            for i in 0..self[facet].neighbors.len() {
                let neighbor = self[facet].neighbors[i];
                self.test_neighbor(facet, neighbor, tests_center, &mut best);
            }
        }
        if !self.is_listed(best.facet) {
            return Err(HullError::Numerical);
        }
        if tests_center {
            (best.low, best.high) = self.spread(facet, best.facet);
        }
        Ok(best)
    }

    fn test_neighbor(
        &mut self,
        facet: FacetId,
        neighbor: FacetId,
        tests_center: bool,
        best: &mut BestNeighbor,
    ) {
        if self[facet].is_flipped
            && self[neighbor].is_flipped
            && best.facet != FacetId::NONE
            && !self[best.facet].is_flipped
        {
            return;
        }
        let (low, high, width);
        if tests_center {
            let center = self.cached_center(facet);
            let distance = self.distance(center, neighbor) * 3.0;
            if distance < 0.0 {
                (low, high, width) = (distance, 0.0, -distance);
            } else {
                (low, high, width) = (0.0, distance, distance);
            }
        } else {
            (low, high) = self.spread(facet, neighbor);
            width = if high > -low { high } else { -low };
        }
        if width < best.width {
            *best = BestNeighbor {
                facet: neighbor,
                width,
                low,
                high,
            };
        }
    }

    /// Merges flipped facets into a neighbour.
    fn merge_flipped(&mut self, has_merged: &mut bool) -> Result<(), HullError> {
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            if self[facet].is_flipped && !self[facet].is_visible {
                self.queue_merge(facet, facet, MergeKind::Flipped, 0.0)?;
            }
            facet = self[facet].next;
        }
        let merges = std::mem::take(&mut self.facet_merges);
        for merge in &merges {
            if merge.kind != MergeKind::Flipped || self[merge.first].is_visible {
                continue;
            }
            let best = self.best_neighbor(merge.first)?;
            self.merge_facet(
                merge.first,
                best.facet,
                merge.kind,
                Some((best.low, best.high)),
            )?;
            *has_merged = true;
        }
        for merge in merges {
            if !self[merge.first].is_visible && !self[merge.second].is_visible {
                self.facet_merges.push(merge);
            }
        }
        self.merge_degenerate()?;
        Ok(())
    }
}
