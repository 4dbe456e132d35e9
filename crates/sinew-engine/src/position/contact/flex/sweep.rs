//! Elements of one flex that may touch, found by sweeping along an axis.
//!
//! The ends of the boxes around the active elements are sorted as 32-bit numbers along the axis on which the flex
//! is longest. Where a box begins it is compared with those that have begun and not yet ended, oldest first. Conforms
//! to `mj_collideFlexSAP`.

use super::placed::PlacedFlex;
use super::tree::Tree;

/// The reference looks at no more pairs.
const MOST_PAIRS: usize = 1_000_000;

/// Storage of the sweep, kept between steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// The active elements.
    elements: Vec<u32>,
    /// Lowest and highest coordinates of their boxes.
    bounds: Vec<[[f64; 3]; 2]>,
    /// Ends of the boxes: the coordinate above, twice the place of the element and whether it is the upper end below.
    ends: Vec<u64>,
    /// Places of the elements whose boxes are open.
    open: Vec<u32>,
}

impl Sweep {
    /// Visits the pairs of elements whose boxes overlap.
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
        let others = [0, 1, 2].into_iter().filter(|k| *k != axis);
        let mut pairs = 0;
        self.open.clear();
        for end in &self.ends {
            let place = (*end as u32) / 2;
            if end & 1 == 1 {
                if let Some(opened) = self.open.iter().position(|open| *open == place) {
                    self.open.remove(opened);
                }
                continue;
            }
            let [low, high] = &self.bounds[place as usize];
            for &open in &self.open {
                let [other_low, other_high] = &self.bounds[open as usize];
                let is_apart = |k: usize| other_low[k] > high[k] || low[k] > other_high[k];
                if others.clone().any(is_apart) {
                    continue;
                }
                let [first, second] = [open, place].map(|k| self.elements[k as usize] as usize);
                visit(first, second);
                pairs += 1;
                if pairs == MOST_PAIRS {
                    return;
                }
            }
            self.open.push(place);
        }
    }

    fn collect(&mut self, placed: &PlacedFlex<'_>) {
        self.elements.clear();
        self.bounds.clear();
        for (element, around) in placed.boxes.iter().enumerate() {
            if placed.is_active(element) {
                self.elements.push(element as u32);
                let low = [0, 1, 2].map(|k| around[k] - around[k + 3]);
                let high = [0, 1, 2].map(|k| around[k] + around[k + 3]);
                self.bounds.push([low, high]);
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
