//! Edges that more than two new triangles share.

use super::super::HullError;
use super::super::arena::{Builder, FacetId, MergeKind};
use super::super::search::max;

/// Merges wider than this many round-offs are refused.
const WIDE_RATIO: f64 = 100.0;
/// A flipped facet is merged even if it is this many round-offs wide.
const FLIPPED_RATIO: f64 = 50.0;

impl Builder<'_> {
    /// Queues merges across shared edges and makes the facets ready for them.
    pub(super) fn mark_shared_ridges(&mut self) -> Result<(), HullError> {
        let facets: Vec<FacetId> = {
            let mut list = Vec::new();
            let mut facet = self.new_facets;
            while self.is_listed(facet) {
                self[facet].has_forced_ridge = false;
                self[facet].has_second_forced_ridge = false;
                if self[facet].has_shared_ridge {
                    list.push(facet);
                }
                facet = self[facet].next;
            }
            list
        };
        let mut has_merges = false;
        for &facet in &facets {
            for i in 0..self[facet].neighbors.len() {
                let neighbor = self[facet].neighbors[i];
                if neighbor == FacetId::FORCED {
                    self[facet].has_forced_ridge = true;
                    continue;
                }
                if !self[neighbor].has_shared_ridge {
                    continue;
                }
                let is_one_sided = !self[neighbor].neighbors.contains(&facet);
                if is_one_sided || self[facet].vertices == self[neighbor].vertices {
                    self.queue_merge(facet, neighbor, MergeKind::SharedRidge, 0.0)?;
                    self[facet].has_second_forced_ridge = true;
                    self[facet].has_forced_ridge = true;
                    has_merges = true;
                    if !is_one_sided {
                        break;
                    }
                }
            }
        }
        if !has_merges {
            return Ok(());
        }
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            if self[facet].has_forced_ridge && !self[facet].has_second_forced_ridge {
                self.make_ridges(facet);
            }
            facet = self[facet].next;
        }
        for i in 0..self.facet_merges.len() {
            let merge = self.facet_merges[i];
            if merge.kind == MergeKind::SharedRidge {
                let second = &self[merge.second];
                Self::require(
                    !second.has_second_forced_ridge || !second.neighbors.contains(&merge.first),
                )?;
                self[merge.second].neighbors.push(merge.first);
                self.make_ridges(merge.first);
            }
        }
        Ok(())
    }

    /// Makes the queued merges across shared edges.
    pub(super) fn merge_shared_ridges(&mut self, has_merged: &mut bool) -> Result<(), HullError> {
        let merges = std::mem::take(&mut self.facet_merges);
        let mut has_shared = false;
        for merge in &merges {
            if merge.kind != MergeKind::SharedRidge {
                continue;
            }
            has_shared = true;
            let first = self.replacement(merge.first);
            let second = self.replacement(merge.second);
            if first == second {
                continue;
            }
            Self::require(self[second].neighbors.contains(&first))?;
            let ahead = self.spread(first, second);
            let back = self.spread(second, first);
            let width = |(low, high): (f64, f64)| if high > -low { high } else { -low };
            let (to_second, to_first) = (width(ahead), width(back));
            self.check_width(if to_second > to_first {
                to_first
            } else {
                to_second
            })?;
            let limit = FLIPPED_RATIO * (self.tolerance.one_merge + self.tolerance.distance);
            let (first_flipped, second_flipped) = (self[first].is_flipped, self[second].is_flipped);
            let merges_second = if to_second < to_first {
                second_flipped && !first_flipped && to_first < limit
            } else {
                !(first_flipped && !second_flipped && to_second < limit)
            };
            if merges_second {
                self.merge_facet(second, first, merge.kind, Some(back))?;
            } else {
                self.merge_facet(first, second, merge.kind, Some(ahead))?;
            }
            self.merge_degenerate()?;
            *has_merged = true;
        }
        for merge in merges {
            if merge.kind != MergeKind::SharedRidge {
                self.facet_merges.push(merge);
            }
        }
        if has_shared {
            let mut facet = self.new_facets;
            while self.is_listed(facet) {
                if self[facet].has_shared_ridge {
                    let place = &mut self[facet];
                    place.has_shared_ridge = false;
                    place.has_forced_ridge = false;
                    place.has_second_forced_ridge = false;
                    if place.neighbors.len() < 3 {
                        self.queue_merge(facet, facet, MergeKind::Degenerate, 0.0)?;
                    }
                }
                facet = self[facet].next;
            }
            self.merge_degenerate()?;
        }
        Ok(())
    }

    /// Refuses a merge that is far wider than all before.
    fn check_width(&self, width: f64) -> Result<(), HullError> {
        let round_off = self.tolerance.distance;
        let outer = max(self.max_outside, round_off) + round_off;
        let inner = self.min_vertex - round_off;
        let mut before = max(outer, inner);
        before = max(before, self.tolerance.one_merge + round_off);
        before = max(before, self.tolerance.outside + round_off);
        Self::require(width / before <= WIDE_RATIO)
    }
}
