//! Neighbours among the new triangles.
//!
//! Every new triangle has the apex and an edge (a, b) of the horizon; triangles that share a or b
//! are neighbours across the edge from the apex to it. Triangles waiting for their neighbour
//! stand in a chain of the shared corner. With an imprecise horizon more than two triangles may
//! meet at an edge; then the pair that needs the least forced merging is matched and the others
//! are marked for it.

use super::HullError;
use super::arena::{Builder, FacetId, VertexId};
use super::cone::raise;

/// A forced merge within this many round-offs is harmless.
const HARMLESS_RATIO: f64 = 50.0;
/// End of a chain.
const END: u32 = u32::MAX;

/// A triangle and the place of one of its neighbours.
#[derive(Clone, Copy)]
struct Side {
    facet: FacetId,
    skip: usize,
}

impl Builder<'_> {
    /// Matches all new triangles with each other; the horizon stays the first neighbour.
    pub fn match_new_facets(&mut self) -> Result<(), HullError> {
        self.match_entries.clear();
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            self[facet].neighbors.truncate(1);
            self[facet].neighbors.resize(3, FacetId::NONE);
            for i in 0..self[facet].vertices.len() {
                let vertex = self[facet].vertices[i];
                self[vertex].chain = [END; 2];
            }
            facet = self[facet].next;
        }
        let mut unmatched = 0_isize;
        let mut facet = self.new_facets;
        while self.is_listed(facet) {
            if !self[facet].is_simplicial || self[facet].vertices.len() != 3 {
                return Err(HullError::Numerical);
            }
            for skip in 1..3 {
                self.match_side(Side { facet, skip }, &mut unmatched)?;
            }
            facet = self[facet].next;
        }
        if unmatched != 0 {
            let mut facet = self.new_facets;
            while self.is_listed(facet) {
                if self[facet].has_shared_ridge {
                    for skip in 0..self[facet].neighbors.len() {
                        if self[facet].neighbors[skip] == FacetId::SHARED {
                            self.match_shared(Side { facet, skip }, &mut unmatched)?;
                        }
                    }
                }
                facet = self[facet].next;
            }
        }
        if unmatched == 0 {
            Ok(())
        } else {
            Err(HullError::Numerical)
        }
    }

    /// The corner at the end of a side: the one that is neither the apex nor opposite.
    fn end_of(&self, side: Side) -> VertexId {
        let vertices = &self[side.facet].vertices;
        let place = if side.skip == 1 { 2 } else { 1 };
        vertices.get(place).copied().unwrap_or(VertexId::NONE)
    }

    /// The side of another triangle that ends in `end`, and whether the two triangles wind
    /// around it in a way that lets them be neighbours.
    fn side_at(&self, side: Side, facet: FacetId) -> Option<(Side, bool)> {
        let end = self.end_of(side);
        let vertices = &self[facet].vertices;
        let skip = if vertices.get(1) == Some(&end) {
            2
        } else if vertices.get(2) == Some(&end) {
            1
        } else {
            return None;
        };
        let is_same_place = skip & 1 == side.skip & 1;
        let differs = self[side.facet].is_top_oriented != self[facet].is_top_oriented;
        Some((Side { facet, skip }, is_same_place == differs))
    }

    fn set_neighbor(&mut self, side: Side, neighbor: FacetId) {
        if let Some(place) = self[side.facet].neighbors.get_mut(side.skip) {
            *place = neighbor;
        }
    }

    fn neighbor_at(&self, side: Side) -> FacetId {
        let neighbors = &self[side.facet].neighbors;
        neighbors.get(side.skip).copied().unwrap_or(FacetId::NONE)
    }

    /// Adds a triangle to the chain of a corner, once.
    fn enter(&mut self, end: VertexId, facet: FacetId) {
        let mut entry = self[end].chain[0];
        while entry != END {
            let (other, next) = self.match_entries[entry as usize];
            if other == facet {
                return;
            }
            entry = next;
        }
        let new = self.match_entries.len() as u32;
        self.match_entries.push((facet, END));
        let last = self[end].chain[1];
        if last == END {
            self[end].chain[0] = new;
        } else {
            self.match_entries[last as usize].1 = new;
        }
        self[end].chain[1] = new;
    }

    /// Finds the neighbour of one side, or lets it wait.
    fn match_side(&mut self, side: Side, unmatched: &mut isize) -> Result<(), HullError> {
        let end = self.end_of(side);
        let mut entry = self[end].chain[0];
        while entry != END {
            let (facet, next) = self.match_entries[entry as usize];
            entry = next;
            if facet == side.facet {
                continue;
            }
            let Some((other, can_match)) = self.side_at(side, facet) else {
                continue;
            };
            let matched = self.neighbor_at(other);
            if can_match && matched == FacetId::NONE {
                self.set_neighbor(other, side.facet);
                self.set_neighbor(side, facet);
                *unmatched -= 1;
                return Ok(());
            }
            // More than two triangles at this edge.
            self.set_neighbor(side, FacetId::SHARED);
            self[side.facet].has_shared_ridge = true;
            self.enter(end, side.facet);
            *unmatched += 1;
            if matched != FacetId::SHARED {
                self.set_neighbor(other, FacetId::SHARED);
                self[facet].has_shared_ridge = true;
                if matched != FacetId::NONE {
                    let neighbors = &self[matched].neighbors;
                    let Some(skip) = neighbors.iter().position(|f| *f == facet) else {
                        return Err(HullError::Numerical);
                    };
                    self.set_neighbor(
                        Side {
                            facet: matched,
                            skip,
                        },
                        FacetId::SHARED,
                    );
                    self[matched].has_shared_ridge = true;
                    self.enter(end, matched);
                    *unmatched += 2;
                }
            }
            return Ok(());
        }
        self.enter(end, side.facet);
        *unmatched += 1;
        Ok(())
    }

    /// Decides an edge that more than two triangles share.
    fn match_shared(&mut self, at: Side, unmatched: &mut isize) -> Result<(), HullError> {
        let harmless = HARMLESS_RATIO * (self.tolerance.one_merge + self.tolerance.distance);
        let end = self.end_of(at);
        let mut choice = Choice {
            harmless,
            ..Choice::default()
        };

        // First pass: find the best pair.
        self.visit += 1;
        let mut side = Some(at);
        while let Some(here) = side {
            side = None;
            self[here.facet].visit = self.visit;
            let mut entry = self[end].chain[0];
            while entry != END {
                let (facet, next) = self.match_entries[entry as usize];
                entry = next;
                if !self[facet].has_shared_ridge || self[facet].visit == self.visit {
                    continue;
                }
                let Some((other, can_match)) = self.side_at(here, facet) else {
                    continue;
                };
                let is_duplicate = self.opposite(here) == self.opposite(other);
                if self.neighbor_at(other) != FacetId::SHARED {
                    return Err(HullError::Numerical);
                }
                if !can_match {
                    side = Some(other);
                } else if self.neighbor_at(here) == FacetId::SHARED {
                    for facet in [other.facet, here.facet] {
                        if !self[facet].has_normal {
                            self.set_plane(facet);
                        }
                    }
                    choice.is_duplicate |= is_duplicate;
                    let to_here = self.width_of_merge(other.facet, here.facet);
                    let to_other = self.width_of_merge(here.facet, other.facet);
                    let flipped = [self[other.facet].is_flipped, self[here.facet].is_flipped];
                    if choice.consider(other, here, [to_here, to_other], flipped) {
                        break;
                    }
                }
            }
        }
        let (a, b) = match (choice.good, choice.furthest) {
            (Some((a, b)), _) | (None, Some((a, b))) => (a, b),
            (None, None) => return Err(HullError::Numerical),
        };
        self.set_neighbor(a, b.facet);
        self.set_neighbor(b, a.facet);
        *unmatched -= 2;

        // Second pass: mark the others for merging.
        let mut good = choice.good;
        self.visit += 1;
        let mut side = Some(at);
        while let Some(here) = side {
            side = None;
            self[here.facet].visit = self.visit;
            let mut entry = self[end].chain[0];
            while entry != END {
                let (facet, next) = self.match_entries[entry as usize];
                entry = next;
                if !self[facet].has_shared_ridge || self[facet].visit == self.visit {
                    continue;
                }
                let Some((other, can_match)) = self.side_at(here, facet) else {
                    continue;
                };
                if self.neighbor_at(other) != FacetId::SHARED {
                    continue;
                }
                if !can_match {
                    side = Some(other);
                } else if self.neighbor_at(here) == FacetId::SHARED {
                    self.set_neighbor(other, here.facet);
                    if self[here.facet].is_cut {
                        self.set_neighbor(here, facet);
                    } else if let Some((_, second)) = good.take() {
                        // The good pair is merged instead of this one.
                        self.set_neighbor(second, FacetId::FORCED);
                        self.set_neighbor(here, facet);
                    } else {
                        self.set_neighbor(here, FacetId::FORCED);
                    }
                    *unmatched -= 2;
                }
            }
            if self.neighbor_at(here) == FacetId::SHARED {
                return Err(HullError::Numerical);
            }
        }
        Ok(())
    }

    fn opposite(&self, side: Side) -> VertexId {
        let vertices = &self[side.facet].vertices;
        vertices.get(side.skip).copied().unwrap_or(VertexId::NONE)
    }

    /// How wide `facet` would make `neighbor`.
    pub fn width_of_merge(&mut self, facet: FacetId, neighbor: FacetId) -> f64 {
        let (low, high) = self.spread(facet, neighbor);
        if high > -low { high } else { -low }
    }
}

/// The best pair of triangles at an edge so far.
#[derive(Default)]
struct Choice {
    harmless: f64,
    is_duplicate: bool,
    /// A pair whose merge is harmless; the first is merged.
    good: Option<(Side, Side)>,
    good_is_flipped: bool,
    good_width: f64,
    /// The pair furthest apart.
    furthest: Option<(Side, Side)>,
    furthest_width: Option<f64>,
}

impl Choice {
    /// Considers two sides; `widths` are those of merging the first into the second and back.
    /// True when the search can stop.
    fn consider(
        &mut self,
        first: Side,
        second: Side,
        widths: [f64; 2],
        flipped: [bool; 2],
    ) -> bool {
        let [width, back] = widths;
        let [first_flipped, second_flipped] = flipped;
        if self.is_duplicate {
            self.good = None;
            self.furthest = Some((first, second));
            self.furthest_width = Some(if width > back { back } else { width });
            return true;
        }
        if first_flipped && !second_flipped && width < self.harmless {
            if self.good.is_none() || !self.good_is_flipped || width < self.good_width {
                self.take_good(first, second, width, true);
            }
        } else if second_flipped && !first_flipped && back < self.harmless {
            if self.good.is_none() || !self.good_is_flipped || back < self.good_width {
                self.take_good(second, first, back, true);
            }
        } else if width < self.harmless && (!second_flipped || first_flipped) {
            if self.good.is_none() || (!self.good_is_flipped && width < self.good_width) {
                self.take_good(first, second, width, first_flipped);
            }
        } else if back < self.harmless && (!first_flipped || second_flipped) {
            if self.good.is_none() || (!self.good_is_flipped && back < self.good_width) {
                self.take_good(second, first, back, second_flipped);
            }
        } else if self.good.is_none() {
            let mut apart = width;
            if (!second_flipped || first_flipped) && apart > back {
                apart = back;
            }
            let mut furthest = self.furthest_width.unwrap_or(-f64::MAX);
            if apart > furthest {
                raise(&mut furthest, apart);
                self.furthest_width = Some(furthest);
                self.furthest = Some((first, second));
            }
        }
        false
    }

    fn take_good(&mut self, first: Side, second: Side, width: f64, is_flipped: bool) {
        self.good = Some((first, second));
        self.good_width = width;
        self.good_is_flipped = is_flipped;
    }
}
