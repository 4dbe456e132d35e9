//! Elements of one flex that may touch, found by sweeping along an axis.
//!
//! The ends of the boxes around the active elements are sorted as 32-bit numbers along the axis on which the flex
//! is longest. Where a box begins it is compared with those that have begun and not yet ended, oldest first. Conforms
//! to `mj_collideFlexSAP`.

use super::placed::PlacedFlex;
use super::tree::Tree;

/// The reference looks at no more pairs.
const MOST_PAIRS: usize = 1_000_000;

/// Stands for a box that is no longer open.
const CLOSED: u32 = u32::MAX;

/// Storage of the sweep, kept between steps. Elements are known by their places among the active ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// The active elements.
    elements: Vec<u32>,
    /// Lowest and highest coordinates of their boxes.
    bounds: Vec<[[f64; 3]; 2]>,
    /// Bodies of their corners; −1: none.
    bodies: Vec<[i32; 4]>,
    /// Ends of the boxes: the coordinate above, twice the place of the element and whether it is the upper end below.
    ends: Vec<u64>,
    open: Open,
}

impl Sweep {
    /// Visits the pairs of elements whose boxes overlap and which share no body.
    pub fn find(
        &mut self,
        placed: &PlacedFlex<'_>,
        tree: &Tree<'_>,
        mut visit: impl FnMut(usize, usize),
    ) {
        self.collect(placed);
        if self.elements.len() < 2 {
            return;
        }
        let axis = longest_axis(&tree.boxes[0]);
        self.sort(axis);
        let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
        let mut pairs = 0;
        self.open.clear(self.elements.len());
        for end in &self.ends {
            let place = (*end as u32) / 2;
            if end & 1 == 1 {
                self.open.close(place);
                continue;
            }
            let [low, high] = &self.bounds[place as usize];
            let sides = [low[a], high[a], low[b], high[b]];
            let own = &self.bodies[place as usize];
            for (&other, around) in self.open.places.iter().zip(&self.open.sides) {
                if are_apart(around, &sides) || other == CLOSED {
                    continue;
                }
                pairs += 1;
                if !share_body(&self.bodies[other as usize], own) {
                    let [first, second] = [other, place].map(|k| self.elements[k as usize]);
                    visit(first as usize, second as usize);
                }
                if pairs == MOST_PAIRS {
                    return;
                }
            }
            self.open.push(place, sides);
        }
    }

    fn collect(&mut self, placed: &PlacedFlex<'_>) {
        self.elements.clear();
        self.bounds.clear();
        self.bodies.clear();
        for (element, around) in placed.boxes.iter().enumerate() {
            if placed.is_active(element) {
                self.elements.push(element as u32);
                let low = [0, 1, 2].map(|k| around[k] - around[k + 3]);
                let high = [0, 1, 2].map(|k| around[k] + around[k + 3]);
                self.bounds.push([low, high]);
                let mut bodies = [-1; 4];
                for (slot, body) in bodies.iter_mut().zip(placed.corner_bodies(element)) {
                    *slot = body;
                }
                self.bodies.push(bodies);
            }
        }
    }

    /// Sorts the ends; equal ones stay in the order of the elements, lower ends first.
    fn sort(&mut self, axis: usize) {
        self.ends.clear();
        for (place, [low, high]) in self.bounds.iter().enumerate() {
            let end = 2 * place as u64;
            self.ends.push(ascending(low[axis]) << 32 | end);
            self.ends.push(ascending(high[axis]) << 32 | end | 1);
        }
        self.ends.sort_unstable();
    }
}

/// The boxes that have begun and not yet ended, oldest first. Closed ones stay until they are the greater part.
#[derive(Clone, Debug, Default)]
struct Open {
    /// Places of the elements; [`CLOSED`] where a box has ended.
    places: Vec<u32>,
    /// Their boxes across the axis: low and high along one direction, then along the other.
    sides: Vec<[f64; 4]>,
    /// Where each element is in these lists.
    slots: Vec<u32>,
    closed: usize,
}

impl Open {
    /// Begins with nothing open, for a number of elements.
    fn clear(&mut self, elements: usize) {
        self.places.clear();
        self.sides.clear();
        self.slots.clear();
        self.slots.resize(elements, CLOSED);
        self.closed = 0;
    }

    fn push(&mut self, place: u32, sides: [f64; 4]) {
        self.slots[place as usize] = self.places.len() as u32;
        self.places.push(place);
        self.sides.push(sides);
    }

    /// Closes a box, if it is open.
    fn close(&mut self, place: u32) {
        let slot = self.slots[place as usize] as usize;
        let Some(open) = self.places.get_mut(slot) else {
            return;
        };
        *open = CLOSED;
        self.sides[slot] = [f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0];
        self.slots[place as usize] = CLOSED;
        self.closed += 1;
        if 2 * self.closed > self.places.len() {
            self.drop_closed();
        }
    }

    fn drop_closed(&mut self) {
        let mut kept = 0;
        for slot in 0..self.places.len() {
            let place = self.places[slot];
            if place != CLOSED {
                self.places[kept] = place;
                self.sides[kept] = self.sides[slot];
                self.slots[place as usize] = kept as u32;
                kept += 1;
            }
        }
        self.places.truncate(kept);
        self.sides.truncate(kept);
        self.closed = 0;
    }
}

/// Whether boxes are apart in one of two directions, all compared without a branch.
#[inline(always)]
fn are_apart(first: &[f64; 4], second: &[f64; 4]) -> bool {
    (first[0] > second[1])
        | (second[0] > first[1])
        | (first[2] > second[3])
        | (second[2] > first[3])
}

/// Whether elements share a body that moves their corners.
#[inline(always)]
fn share_body(first: &[i32; 4], second: &[i32; 4]) -> bool {
    first.iter().any(|body| *body >= 0 && second.contains(body))
}

fn longest_axis(around: &[f64; 6]) -> usize {
    let [_, _, _, x, y, z] = *around;
    if x > y && x > z {
        0
    } else if y > z {
        1
    } else {
        2
    }
}

/// A number that orders like the coordinate in 32 bits. Both zeros are one.
fn ascending(coordinate: f64) -> u64 {
    let bits = (coordinate as f32 + 0.0).to_bits();
    let is_negative = bits >> 31 == 1;
    u64::from(if is_negative { !bits } else { bits | 1 << 31 })
}
