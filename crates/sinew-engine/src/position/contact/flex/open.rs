//! Boxes of elements that a sweep has begun and not yet ended, compared sixteen at a time.
//!
//! Rounding to 32 bits keeps the order of numbers: boxes that are apart in 32 bits are apart. Only the others are
//! compared in all their digits.

use sinew_math::wide::Work;

/// Boxes that are compared at a time.
const BLOCK: usize = 16;

/// Boxes of which it is asked first whether all are apart.
const GROUP: usize = 8;

/// Stands for a box that is not open.
const CLOSED: u32 = u32::MAX;

/// Ends of a box in the two directions across the axis of a sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides<T> {
    low: [T; 2],
    high: [T; 2],
}

impl Sides<f64> {
    fn are_apart(&self, other: &Self) -> bool {
        (self.low[0] > other.high[0])
            | (other.low[0] > self.high[0])
            | (self.low[1] > other.high[1])
            | (other.low[1] > self.high[1])
    }

    fn rounded(&self) -> Sides<f32> {
        Sides {
            low: self.low.map(|side| side as f32),
            high: self.high.map(|side| side as f32),
        }
    }
}

/// Boxes around elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Boxes {
    sides: Vec<Sides<f64>>,
    /// Bodies of the corners; another negative number for each that is not there.
    bodies: Vec<[i32; 4]>,
}

impl Boxes {
    pub fn clear(&mut self) {
        self.sides.clear();
        self.bodies.clear();
    }

    /// Adds a box by its ends across the axis and the bodies of the corners in it; −1: none.
    pub fn push(&mut self, low: [f64; 2], high: [f64; 2], corners: impl Iterator<Item = i32>) {
        let number = self.sides.len() as i32;
        let mut bodies = [0, 1, 2, 3].map(|corner| -1 - (4 * number + corner));
        for (slot, body) in bodies.iter_mut().zip(corners) {
            if body >= 0 {
                *slot = body;
            }
        }
        self.sides.push(Sides { low, high });
        self.bodies.push(bodies);
    }

    /// Whether elements share a body that moves their corners. All are compared, without a branch.
    #[inline(always)]
    fn share_body(&self, first: u32, second: u32) -> bool {
        let (first, second) = (&self.bodies[first as usize], &self.bodies[second as usize]);
        let mut is_shared = false;
        for turn in 0..4 {
            for k in 0..4 {
                is_shared |= first[k] == second[(k + turn) % 4];
            }
        }
        is_shared
    }
}

/// The open boxes, oldest first. Closed ones stay until they are the greater part.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    blocks: Vec<Block>,
    /// Boxes in the blocks, closed ones included.
    count: usize,
    closed: usize,
    /// Where each element is among them.
    slots: Vec<u32>,
}

/// Some boxes, direction by direction.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Which elements they are around; [`CLOSED`]: none.
    places: [u32; BLOCK],
    low: [[f32; BLOCK]; 2],
    high: [[f32; BLOCK]; 2],
}

impl Block {
    const EMPTY: Block = Block {
        places: [CLOSED; BLOCK],
        low: [[f32::INFINITY; BLOCK]; 2],
        high: [[f32::NEG_INFINITY; BLOCK]; 2],
    };

    /// The greatest gap between each box and another; no box is near that leaves one.
    #[inline(always)]
    fn gaps(&self, other: &Sides<f32>) -> [f32; BLOCK] {
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        let mut gaps = [0.0; BLOCK];
        for k in 0..BLOCK {
            let first = larger(
                self.low[0][k] - other.high[0],
                other.low[0] - self.high[0][k],
            );
            let second = larger(
                self.low[1][k] - other.high[1],
                other.low[1] - self.high[1][k],
            );
            gaps[k] = larger(first, second);
        }
        gaps
    }

    fn set(&mut self, k: usize, place: u32, sides: &Sides<f32>) {
        self.places[k] = place;
        for direction in 0..2 {
            self.low[direction][k] = sides.low[direction];
            self.high[direction][k] = sides.high[direction];
        }
    }

    fn sides(&self, k: usize) -> Sides<f32> {
        Sides {
            low: self.low.map(|low| low[k]),
            high: self.high.map(|high| high[k]),
        }
    }
}

impl Open {
    /// Begins with nothing open, for a number of elements.
    pub fn clear(&mut self, elements: usize) {
        self.blocks.clear();
        self.blocks.reserve(elements.div_ceil(BLOCK));
        self.slots.clear();
        self.slots.resize(elements, CLOSED);
        self.count = 0;
        self.closed = 0;
    }

    /// Opens the box around an element.
    pub fn push(&mut self, place: u32, boxes: &Boxes) {
        let sides = boxes.sides[place as usize].rounded();
        self.add(place, &sides);
    }

    fn add(&mut self, place: u32, sides: &Sides<f32>) {
        let (block, k) = (self.count / BLOCK, self.count % BLOCK);
        if block == self.blocks.len() {
            self.blocks.push(Block::EMPTY);
        }
        self.blocks[block].set(k, place, sides);
        self.slots[place as usize] = self.count as u32;
        self.count += 1;
    }

    /// Closes a box, if it is open.
    pub fn close(&mut self, place: u32) {
        let slot = self.slots[place as usize] as usize;
        let Some(block) = self.blocks.get_mut(slot / BLOCK) else {
            return;
        };
        block.set(slot % BLOCK, CLOSED, &Block::EMPTY.sides(0));
        self.slots[place as usize] = CLOSED;
        self.closed += 1;
        if 2 * self.closed > self.count {
            self.drop_closed();
        }
    }

    fn drop_closed(&mut self) {
        let count = core::mem::take(&mut self.count);
        for slot in 0..count {
            let (block, k) = (&self.blocks[slot / BLOCK], slot % BLOCK);
            let (place, sides) = (block.places[k], block.sides(k));
            if place != CLOSED {
                self.add(place, &sides);
            }
        }
        // What is behind them is no longer open.
        self.blocks.truncate(self.count.div_ceil(BLOCK));
        for slot in self.count..self.blocks.len() * BLOCK {
            self.blocks[slot / BLOCK].set(slot % BLOCK, CLOSED, &Block::EMPTY.sides(0));
        }
        self.closed = 0;
    }
}

/// Lists the open boxes that overlap one and whose elements share no body with its element, oldest first.
pub(super) struct Near<'a> {
    pub open: &'a Open,
    pub boxes: &'a Boxes,
    /// The element.
    pub place: u32,
    /// How many overlaps may still be looked at.
    pub left: &'a mut usize,
    pub out: &'a mut Vec<u32>,
}

impl Work for Near<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let own = &self.boxes.sides[self.place as usize];
        let rounded = own.rounded();
        for block in &self.open.blocks {
            let gaps = block.gaps(&rounded);
            for group in 0..BLOCK / GROUP {
                let mut apart = 0;
                for k in 0..GROUP {
                    apart += u32::from(gaps[GROUP * group + k] > 0.0);
                }
                if apart as usize == GROUP {
                    continue;
                }
                for k in GROUP * group..GROUP * (group + 1) {
                    let is_apart = gaps[k] > 0.0;
                    if !is_apart && self.take(block.places[k], own) {
                        return;
                    }
                }
            }
        }
    }
}

impl Near<'_> {
    /// Lists a box that may overlap, if it does; whether it was the last to be looked at.
    #[inline(always)]
    fn take(&mut self, other: u32, own: &Sides<f64>) -> bool {
        if other == CLOSED || self.boxes.sides[other as usize].are_apart(own) {
            return false;
        }
        if !self.boxes.share_body(other, self.place) {
            self.out.push(other);
        }
        *self.left -= 1;
        *self.left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few numbers between 0 and 1.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as f64 / (1_u64 << 24) as f64
        }
    }

    #[test]
    fn open_boxes_are_found_as_one_by_one() {
        let mut next = numbers();
        let mut boxes = Boxes::default();
        let count = 200;
        for place in 0..count {
            let low = [next(), next()];
            let high = low.map(|side| side + 0.3 * next());
            boxes.push(low, high, [place / 3, -1].into_iter());
        }
        let mut open = Open::default();
        open.clear(count as usize);
        let (mut expected, mut found) = (Vec::new(), 0);
        let mut left = usize::MAX;
        for place in 0..count as u32 {
            let mut out = Vec::new();
            Near {
                open: &open,
                boxes: &boxes,
                place,
                left: &mut left,
                out: &mut out,
            }
            .run();
            let sides = &boxes.sides[place as usize];
            let is_near = |other: &u32| {
                !boxes.sides[*other as usize].are_apart(sides) && other / 3 != place / 3
            };
            assert!(
                out.iter().eq(expected
                    .iter()
                    .copied()
                    .filter(is_near)
                    .collect::<Vec<_>>()
                    .iter())
            );
            found += out.len();
            open.push(place, &boxes);
            expected.push(place);
            if next() < 0.8 {
                let at = (next() * expected.len() as f64) as usize;
                open.close(expected.remove(at));
            }
        }
        assert!(found > 100);
    }
}
