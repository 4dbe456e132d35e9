//! Columns of J, those with the same rows side by side.

use super::{LANES, LONG, Lanes, make_room, total_of_sums};
use crate::rows::Rows;
use bytemuck::Pod;
use core::ops::Range;
use sinew_math::Real;
use sinew_math::lanes::{self, Work};

/// Packs with as many entries or more are not told apart.
const MANY: usize = 64;

/// Columns of J, those with the same rows side by side.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnPacks {
    borders: Borders,
    /// Those of the rows that come again and again.
    known_borders: Borders,
    /// Which pack each column is in.
    pack_of: Vec<u32>,
    packs: Vec<Pack>,
    /// The packs as they are multiplied and stored, those with fewer entries first: loops that last equally
    /// long are foreseen.
    order: Vec<u32>,
    /// Row of each entry of the packs, and the numbers of its columns.
    row: Vec<u32>,
    value: Vec<Lanes>,
}

/// Up to four columns that follow each other and have the same rows.
#[derive(Clone, Copy, Debug)]
struct Pack {
    first: u32,
    width: u32,
    /// Its entries; while they are filled in, the end is the next one.
    start: u32,
    end: u32,
}

/// Where columns have other rows than those before them.
#[derive(Clone, Debug, Default)]
struct Borders {
    is_border: Vec<bool>,
    /// How many rows more a column has than the one before it.
    change: Vec<i32>,
}

impl Borders {
    fn clear(&mut self, width: usize) {
        self.is_border.clear();
        self.is_border.resize(width + 1, false);
        self.change.clear();
        self.change.resize(width + 1, 0);
    }

    fn copy_from(&mut self, other: &Borders) {
        self.is_border.clone_from(&other.is_border);
        self.change.clone_from(&other.change);
    }

    /// Adds the borders of some rows, all rows with the same columns at once.
    fn add(&mut self, jacobian: &Rows<'_>, rows: Range<usize>) {
        let mut row = rows.start;
        while row < rows.end {
            let end = jacobian.end_of_run(row, rows.end);
            let count = (end - row) as i32;
            let mut expected = None;
            for &column in jacobian.row(row).0 {
                let column = column as usize;
                if expected != Some(column) {
                    self.add_border(column, count);
                    if let Some(end) = expected {
                        self.add_border(end, -count);
                    }
                }
                expected = Some(column + 1);
            }
            if let Some(end) = expected {
                self.add_border(end, -count);
            }
            row = end;
        }
    }

    #[inline(always)]
    fn add_border(&mut self, column: usize, change: i32) {
        self.is_border[column] = true;
        self.change[column] += change;
    }
}

impl ColumnPacks {
    /// Lays out J. What its first rows say about the packs is kept, and used if their columns are those of the
    /// last time.
    pub fn collect(&mut self, jacobian: &Rows<'_>, width: usize, first: usize, is_known: bool) {
        if !is_known {
            self.known_borders.clear(width);
            self.known_borders.add(jacobian, 0..first);
        }
        self.borders.copy_from(&self.known_borders);
        self.borders.add(jacobian, first..jacobian.count());
        self.find_packs(width);
        let length = self.place_packs();
        // As much as there can be need for, unless that is a lot.
        let room = length.max(jacobian.value.len().min(LONG));
        make_room(&mut self.row, room);
        self.row.resize(length, 0);
        make_room(&mut self.value, room);
        self.value.resize(length, Lanes::ZERO);
        self.fill(jacobian);
    }

    /// Finds the packs, with the number of their entries as their end.
    fn find_packs(&mut self, width: usize) {
        self.packs.clear();
        self.pack_of.clear();
        self.packs.reserve(width);
        self.pack_of.reserve(width);
        self.order.reserve(width);
        let mut rows = 0;
        for column in 0..width {
            rows += self.borders.change[column];
            match self.packs.last_mut() {
                Some(pack) if !self.borders.is_border[column] && pack.width < LANES as u32 => {
                    pack.width += 1;
                }
                _ => self.packs.push(Pack {
                    first: column as u32,
                    width: 1,
                    start: 0,
                    end: rows as u32,
                }),
            }
            self.pack_of.push(self.packs.len() as u32 - 1);
        }
    }

    /// Orders the packs by the number of their entries and tells them where these start. Returns how many there are.
    fn place_packs(&mut self) -> usize {
        let number = |pack: &Pack| (pack.end as usize).min(MANY);
        let mut places = [0; MANY + 2];
        for pack in &self.packs {
            places[number(pack) + 1] += 1;
        }
        for count in 0..MANY {
            places[count + 1] += places[count];
        }
        self.order.clear();
        self.order.resize(self.packs.len(), 0);
        for (k, pack) in self.packs.iter().enumerate() {
            let place = &mut places[number(pack)];
            self.order[*place] = k as u32;
            *place += 1;
        }
        let mut next = 0;
        for &k in &self.order {
            let pack = &mut self.packs[k as usize];
            let length = pack.end;
            (pack.start, pack.end) = (next, next);
            next += length;
        }
        next as usize
    }

    fn fill(&mut self, jacobian: &Rows<'_>) {
        for row in 0..jacobian.count() {
            let (columns, values) = jacobian.row(row);
            let mut entry = 0;
            while entry < columns.len() {
                let pack = &mut self.packs[self.pack_of[columns[entry] as usize] as usize];
                let own = &values[entry..entry + pack.width as usize];
                entry += own.len();
                self.row[pack.end as usize] = row as u32;
                self.value[pack.end as usize] = Lanes::from_array(match *own {
                    [a] => [a, 0.0, 0.0, 0.0],
                    [a, b] => [a, b, 0.0, 0.0],
                    [a, b, c] => [a, b, c, 0.0],
                    [a, b, c, d] => [a, b, c, d],
                    _ => [0.0; LANES],
                });
                pack.end += 1;
            }
        }
    }

    /// out = Jᵀ·f
    #[inline(always)]
    pub fn multiply(&self, f: &[f64], out: &mut [f64]) {
        lanes::double4(Product {
            packs: self,
            f,
            out,
        });
    }
}

/// Jᵀ·f
struct Product<'a> {
    packs: &'a ColumnPacks,
    f: &'a [f64],
    out: &'a mut [f64],
}

impl Work for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let Product { packs, f, out } = self;
        let all: &[T] = bytemuck::cast_slice(&packs.value);
        for &k in &packs.order {
            let pack = packs.packs[k as usize];
            let entries = pack.start as usize..pack.end as usize;
            let total = dot(&all[entries.clone()], &packs.row[entries], f);
            let total: [f64; LANES] = bytemuck::cast(total);
            let first = pack.first as usize;
            match &mut out[first..first + pack.width as usize] {
                [x, y, z] => [*x, *y, *z] = [total[0], total[1], total[2]],
                out => {
                    for (out, total) in out.iter_mut().zip(total) {
                        *out = total;
                    }
                }
            }
        }
    }
}

/// [`sinew_math::tree::dot_sparse`] in every lane.
#[inline(always)]
fn dot<T: Real>(values: &[T], rows: &[u32], f: &[f64]) -> T {
    let (blocks, rest) = values.as_chunks::<4>();
    let (row_blocks, row_rest) = rows.as_chunks::<4>();
    let mut sum = [T::ZERO; 4];
    for (values, rows) in blocks.iter().zip(row_blocks) {
        for k in 0..4 {
            sum[k] += values[k] * T::from_f64(f[rows[k] as usize]);
        }
    }
    let mut total = total_of_sums(sum);
    for (&value, &row) in rest.iter().zip(row_rest) {
        total += value * T::from_f64(f[row as usize]);
    }
    total
}
