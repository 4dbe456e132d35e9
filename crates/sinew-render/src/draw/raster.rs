//! Which triangle is seen at which sample.

use super::project::Point;
use core::ops::Range;

/// Where samples lie in a pixel.
pub(super) const FOUR: [[f64; 2]; 4] = [
    [0.375, 0.125],
    [0.875, 0.375],
    [0.125, 0.625],
    [0.625, 0.875],
];
/// Samples this near to an edge, in pixels, are inside: those on an edge that two triangles share would else be in
/// neither of them when both round them away.
const SLACK: f64 = 1e-9;
/// Triangles of so few columns are tried everywhere.
const NARROW: usize = 6;
/// Where drawing libraries read depths from, if pixels have several samples.
pub(super) const FIRST: [[f64; 2]; 1] = [[0.375, 0.875]];
/// The middle of a pixel.
pub(super) const ONE: [[f64; 2]; 1] = [[0.5, 0.5]];

/// A triangle on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flat {
    pub points: [Point; 3],
    /// Shares of the corners of the whole triangle at each point.
    pub shares: [[f32; 3]; 3],
    /// Which piece, and the first of its corners.
    pub piece: u32,
    pub corner: u32,
    /// Twice its area, positive.
    pub area: f64,
    /// Edges that are not drawn where only edges are: a bit each, from the first corner to the second one on.
    pub hidden: u8,
}

/// What is seen in some rows: for every sample the nearest triangle's number plus one, and its key.
#[derive(Debug)]
pub(super) struct Band<'a> {
    pub first_row: usize,
    pub width: usize,
    pub samples: &'static [[f64; 2]],
    pub keys: &'a mut [f32],
    pub numbers: &'a mut [u32],
    /// Half the width of edges in pixels, where only these are drawn.
    pub edges: Option<f64>,
}

impl Flat {
    /// The weight of each point at a place of the screen, times the area.
    #[inline]
    pub fn weights(&self, x: f64, y: f64) -> [f64; 3] {
        let [a, b, c] = &self.points;
        let side = |p: &Point, q: &Point| (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
        [side(b, c), side(c, a), side(a, b)]
    }

    /// Whether a place inside is this near to an edge that is drawn.
    pub fn is_at_edge(&self, (x, y): (f64, f64), distance: f64) -> bool {
        let weights = self.weights(x, y);
        (0..3).any(|k| {
            let (p, q) = (&self.points[(k + 1) % 3], &self.points[(k + 2) % 3]);
            let is_drawn = !self.is_hidden((k + 1) % 3, (k + 2) % 3);
            is_drawn && weights[k] <= distance * (q.x - p.x).hypot(q.y - p.y)
        })
    }

    /// Whether the line between two of its points is no edge of the shape: it is an inner one, or where it was cut.
    fn is_hidden(&self, one: usize, other: usize) -> bool {
        let share = |k: usize| self.shares[one][k] + self.shares[other][k];
        // A line along an edge has no share of the corner that is opposite.
        match (0..3).find(|&k| share(k) == 0.0) {
            // Edges are numbered by the corner they begin at, and so is the one opposite of the corner before.
            Some(corner) => self.hidden & (1 << ((corner + 1) % 3)) != 0,
            None => true,
        }
    }

    /// How many pixels of a picture it may touch.
    pub fn pixels(&self, width: usize, height: usize) -> usize {
        let reach = self.reach(width, 0..height);
        reach.map_or(0, |[left, right, top, bottom]| {
            right.saturating_sub(left) * bottom.saturating_sub(top)
        })
    }

    /// Rows and columns of pixels that it may touch, within a picture.
    fn reach(&self, width: usize, rows: Range<usize>) -> Option<[usize; 4]> {
        let low = |f: fn(&Point) -> f64| self.points.iter().map(f).fold(f64::INFINITY, f64::min);
        let high =
            |f: fn(&Point) -> f64| self.points.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
        let (left, right) = (low(|p| p.x), high(|p| p.x));
        let (top, bottom) = (low(|p| p.y), high(|p| p.y));
        // Comparisons that are false for what is not a number.
        let is_inside = right >= 0.0
            && left < width as f64
            && bottom >= rows.start as f64
            && top < rows.end as f64;
        is_inside.then(|| {
            [
                left.max(0.0) as usize,
                (right as usize + 1).min(width),
                (top.max(0.0) as usize).max(rows.start),
                (bottom as usize + 1).min(rows.end),
            ]
        })
    }

    /// Calls `visit(x, y, sample, key)` for every sample inside, in some rows.
    #[inline]
    pub fn for_each_sample(
        &self,
        width: usize,
        rows: Range<usize>,
        samples: &[[f64; 2]],
        mut visit: impl FnMut(usize, usize, usize, f32),
    ) {
        let Some([left, right, top, bottom]) = self.reach(width, rows) else {
            return;
        };
        let [a, b, c] = &self.points;
        let scale = 1.0 / self.area;
        let is_narrow = right - left <= NARROW;
        // Weights change by these from pixel to pixel.
        let slope = |p: &Point, q: &Point| -(q.y - p.y);
        let slopes = [slope(b, c), slope(c, a), slope(a, b)];
        let least = |p: &Point, q: &Point| -SLACK * ((q.x - p.x).abs() + (q.y - p.y).abs());
        let least = [least(b, c), least(c, a), least(a, b)];
        for y in top..bottom {
            for (number, [dx, dy]) in samples.iter().enumerate() {
                let start = self.weights(left as f64 + dx, y as f64 + dy);
                let columns = if is_narrow {
                    left..right
                } else {
                    inside(left..right, start, slopes, least)
                };
                for x in columns {
                    let steps = (x - left) as f64;
                    let w: [f64; 3] = core::array::from_fn(|k| start[k] + slopes[k] * steps);
                    if w[0] >= least[0] && w[1] >= least[1] && w[2] >= least[2] {
                        let key = (w[0] * a.key + w[1] * b.key + w[2] * c.key) * scale;
                        visit(x, y, number, key as f32);
                    }
                }
            }
        }
    }
}

/// The part of a row where all weights are as large as they must be, and perhaps a column more.
#[inline]
fn inside(
    columns: Range<usize>,
    start: [f64; 3],
    slopes: [f64; 3],
    least: [f64; 3],
) -> Range<usize> {
    let left = columns.start as f64;
    let (mut first, mut last) = (left, columns.end as f64);
    for k in 0..3 {
        let (w, s) = (start[k] - least[k], slopes[k]);
        if s > 0.0 {
            first = first.max(left + (-w / s).floor());
        } else if s < 0.0 {
            last = last.min(left + (-w / s).ceil() + 1.0);
        } else if w < 0.0 {
            last = first;
        }
    }
    first as usize..(last.max(0.0) as usize).min(columns.end)
}

impl Band<'_> {
    /// The rows of the picture that it has.
    pub fn rows(&self) -> Range<usize> {
        let rows = self.keys.len() / (self.width * self.samples.len()).max(1);
        self.first_row..self.first_row + rows
    }

    /// Where a sample is stored.
    #[inline]
    pub fn at(&self, x: usize, y: usize, sample: usize) -> usize {
        ((y - self.first_row) * self.width + x) * self.samples.len() + sample
    }

    /// Notes where a triangle is nearer than what is seen.
    pub fn fill(&mut self, triangle: &Flat, number: u32) {
        let (width, rows, samples) = (self.width, self.rows(), self.samples);
        let (first_row, count) = (self.first_row, samples.len());
        let (keys, numbers) = (&mut *self.keys, &mut *self.numbers);
        if let Some(half) = self.edges {
            triangle.for_each_sample(width, rows, samples, |x, y, sample, key| {
                let [dx, dy] = samples[sample];
                let at = ((y - first_row) * width + x) * count + sample;
                let place = (x as f64 + dx, y as f64 + dy);
                if key > keys[at] && triangle.is_at_edge(place, half) {
                    keys[at] = key;
                    numbers[at] = number + 1;
                }
            });
            return;
        }
        triangle.for_each_sample(width, rows, samples, |x, y, sample, key| {
            let at = ((y - first_row) * width + x) * count + sample;
            if key > keys[at] {
                keys[at] = key;
                numbers[at] = number + 1;
            }
        });
    }
}
