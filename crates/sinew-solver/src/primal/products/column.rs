//! Columns of J, those with the same rows side by side.

use super::{LANES, Lanes, dot_lanes};
use crate::rows::Rows;
use core::ops::Range;

/// Packs with as many entries or more are not told apart.
const MANY: usize = 64;

/// Columns of J, those with the same rows side by side.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnPacks {
    /// Whether a column has other rows than the one before it.
    begins: Vec<bool>,
    /// Which pack each column is in.
    pack_of: Vec<u32>,
    packs: Vec<Pack>,
    /// The packs, those with fewer entries first: loops that last equally long are foreseen.
    order: Vec<u32>,
    /// Row of each entry of the packs, and the numbers of its columns.
    row: Vec<u32>,
    value: Vec<Lanes>,
}

/// Up to four columns that follow each other and have the same rows.
#[derive(Clone, Debug)]
struct Pack {
    columns: Range<usize>,
    entries: Range<usize>,
}

impl ColumnPacks {
    pub fn collect(&mut self, jacobian: &Rows<'_>, width: usize) {
        self.find_packs(jacobian, width);
        // What is the end of a pack while it fills is the next entry.
        for row in 0..jacobian.count() {
            let (columns, values) = jacobian.row(row);
            let mut entry = 0;
            while entry < columns.len() {
                let pack = &mut self.packs[self.pack_of[columns[entry] as usize] as usize];
                let values = &values[entry..entry + pack.columns.len()];
                entry += values.len();
                self.row[pack.entries.end] = row as u32;
                self.value[pack.entries.end] = match *values {
                    [a] => [a, 0.0, 0.0, 0.0],
                    [a, b] => [a, b, 0.0, 0.0],
                    [a, b, c] => [a, b, c, 0.0],
                    [a, b, c, d] => [a, b, c, d],
                    _ => [0.0; LANES],
                };
                pack.entries.end += 1;
            }
        }
        self.sort_packs();
    }

    fn sort_packs(&mut self) {
        let number = |pack: &Pack| pack.entries.len().min(MANY);
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
    }

    /// Finds the packs and makes room for their entries.
    fn find_packs(&mut self, jacobian: &Rows<'_>, width: usize) {
        self.begins.clear();
        self.begins.resize(width + 2, false);
        self.row.clear();
        self.row.resize(width, 0);
        for row in 0..jacobian.count() {
            // Nothing is expected at the start of a row: what stands behind all columns.
            let mut expected = width + 1;
            for &column in jacobian.row(row).0 {
                let column = column as usize;
                let begins = column != expected;
                self.begins[column] |= begins;
                self.begins[expected] |= begins;
                self.row[column] += 1;
                expected = column + 1;
            }
            self.begins[expected] = true;
        }
        self.packs.clear();
        self.pack_of.clear();
        self.packs.reserve(width);
        self.order.reserve(width);
        let mut start = 0;
        for column in 0..width {
            match self.packs.last_mut() {
                Some(pack) if !self.begins[column] && pack.columns.len() < LANES => {
                    pack.columns.end += 1;
                }
                _ => {
                    self.packs.push(Pack {
                        columns: column..column + 1,
                        entries: start..start,
                    });
                    start += self.row[column] as usize;
                }
            }
            self.pack_of.push(self.packs.len() as u32 - 1);
        }
        let room = jacobian.value.len();
        self.row.reserve(room.saturating_sub(self.row.len()));
        self.row.resize(start, 0);
        self.value.reserve(room.saturating_sub(self.value.len()));
        self.value.resize(start, [0.0; LANES]);
    }

    #[inline(always)]
    pub fn multiply(&self, f: &[f64], out: &mut [f64]) {
        for &pack in &self.order {
            let Pack { columns, entries } = &self.packs[pack as usize];
            let rows = &self.row[entries.clone()];
            let values = &self.value[entries.clone()];
            let total = dot_lanes(values, |entry| [f[rows[entry] as usize]; LANES]);
            match &mut out[columns.clone()] {
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
