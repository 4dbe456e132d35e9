//! Elements of one flex that may touch, found by sweeping along an axis.
//!
//! The ends of the boxes around the active elements are sorted as 32-bit numbers along the axis on which the flex
//! is longest. Where a box begins it is compared with those that have begun and not yet ended, oldest first. Conforms
//! to `mj_collideFlexSAP`.

use super::open::{Boxes, Near, Open};
use super::placed::PlacedFlex;
use super::tree::Tree;
use sinew_math::wide;

/// The reference looks at no more pairs.
const MOST_PAIRS: usize = 1_000_000;

/// Ends are moved to their places one by one while that takes fewer moves than this many times their number.
const MOVES_PER_END: usize = 8;

/// Storage of the sweep, kept between steps. Elements are known by their places among the active ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// The active elements.
    elements: Vec<u32>,
    boxes: Boxes,
    /// Ends of the boxes: the coordinate above, twice the place of the element and whether it is the upper end below.
    ends: Vec<u64>,
    open: Open,
    /// Open boxes near one that begins.
    near: Vec<u32>,
}

impl Sweep {
    /// Visits the pairs of elements whose boxes overlap across the axis and which share no body.
    pub fn find(
        &mut self,
        placed: &PlacedFlex<'_>,
        tree: &Tree<'_>,
        mut visit: impl FnMut(usize, usize),
    ) {
        let axis = longest_axis(&tree.boxes[0]);
        self.collect(placed, [(axis + 1) % 3, (axis + 2) % 3]);
        if self.elements.len() < 2 {
            return;
        }
        self.sort(placed, axis);
        self.open.clear(self.elements.len());
        self.near.reserve(self.elements.len());
        let mut left = MOST_PAIRS;
        for end in &self.ends {
            let place = (*end as u32) / 2;
            if end & 1 == 1 {
                self.open.close(place);
                continue;
            }
            self.near.clear();
            wide::run(Near {
                open: &self.open,
                boxes: &self.boxes,
                place,
                left: &mut left,
                out: &mut self.near,
            });
            let second = self.elements[place as usize] as usize;
            for &first in &self.near {
                visit(self.elements[first as usize] as usize, second);
            }
            if left == 0 {
                return;
            }
            self.open.push(place, &self.boxes);
        }
    }

    /// Lists the active elements with their boxes across the axis.
    fn collect(&mut self, placed: &PlacedFlex<'_>, across: [usize; 2]) {
        self.elements.clear();
        self.boxes.clear();
        for (element, around) in placed.boxes.iter().enumerate() {
            if placed.is_active(element) {
                self.elements.push(element as u32);
                let low = across.map(|axis| around[axis] - around[axis + 3]);
                let high = across.map(|axis| around[axis] + around[axis + 3]);
                self.boxes.push(low, high, placed.corner_bodies(element));
            }
        }
    }

    /// Sorts the ends; equal ones stay in the order of the elements, lower ends first. What was sorted in the step
    /// before nearly is.
    fn sort(&mut self, placed: &PlacedFlex<'_>, axis: usize) {
        let count = 2 * self.elements.len() as u64;
        if self.ends.len() as u64 != count {
            self.ends.clear();
            self.ends.extend(0..count);
        }
        for end in &mut self.ends {
            let number = *end & u64::from(u32::MAX);
            let around = &placed.boxes[self.elements[number as usize / 2] as usize];
            let coordinate = match number & 1 {
                0 => around[axis] - around[axis + 3],
                _ => around[axis] + around[axis + 3],
            };
            *end = ascending(coordinate) << 32 | number;
        }
        if !sort_by_moves(&mut self.ends) {
            self.ends.sort_unstable();
        }
    }
}

/// Sorts what is nearly sorted; gives up, with all numbers still there, if it is not.
fn sort_by_moves(numbers: &mut [u64]) -> bool {
    let mut left = MOVES_PER_END * numbers.len();
    for next in 1..numbers.len() {
        let number = numbers[next];
        let mut place = next;
        while place > 0 && numbers[place - 1] > number {
            numbers[place] = numbers[place - 1];
            place -= 1;
        }
        numbers[place] = number;
        if next - place > left {
            return false;
        }
        left -= next - place;
    }
    true
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

#[cfg(test)]
mod tests {
    use super::sort_by_moves;

    #[test]
    fn moves_sort_what_is_nearly_sorted_and_lose_nothing() {
        let mut nearly: Vec<u64> = (0..100).map(|k| k ^ 3).collect();
        assert!(sort_by_moves(&mut nearly));
        assert!(nearly.is_sorted());
        let mut far: Vec<u64> = (0..100).rev().collect();
        assert!(!sort_by_moves(&mut far));
        far.sort_unstable();
        assert!(far.into_iter().eq(0..100));
    }
}
