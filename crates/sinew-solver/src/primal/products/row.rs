//! Rows of J with as many entries, four side by side.
//!
//! Degrees of freedom of point masses come in threes. Rows whose columns do, too, take three numbers of x at a time.

use super::{LANES, Lanes, add_partial_sums, add_product, dot_lanes};
use crate::rows::Rows;
use core::ops::Range;

/// Longer rows are multiplied alone.
const LONGEST: usize = 63;

/// Kinds of rows: twice the number of their entries, and 1 more if their columns come in threes.
const KINDS: usize = 2 * (LONGEST + 1);

/// The kind of rows that are multiplied alone.
const ALONE: usize = 0;

/// Rows of J, where possible four side by side.
#[derive(Clone, Debug, Default)]
pub(super) struct RowPacks {
    /// Rows that are multiplied alone.
    alone: Vec<Range<usize>>,
    runs: Vec<Run>,
    /// The rows of each pack.
    rows: Vec<[u32; LANES]>,
    /// Columns of the packs, or which threes of columns, one of each row after the other.
    column: Vec<[u32; LANES]>,
    value: Vec<Lanes>,
    /// The kind of each row, and all rows kind by kind.
    kinds: Vec<u8>,
    order: Vec<u32>,
}

/// Packs of rows of one kind.
#[derive(Clone, Debug)]
struct Run {
    packs: Range<usize>,
    /// Entries of each row.
    width: usize,
    has_threes: bool,
}

impl RowPacks {
    /// Lays out J, within so many bytes: where they do not suffice, all rows are multiplied alone.
    pub fn collect(&mut self, jacobian: &Rows<'_>, bytes: Option<usize>) {
        let needed = (size_of::<u32>() + size_of::<f64>()) * jacobian.value.len();
        if bytes.is_some_and(|bytes| needed > bytes) {
            *self = RowPacks::default();
            self.alone.push(0..jacobian.count());
            return;
        }
        self.clear(jacobian);
        let starts = self.sort_rows(jacobian);
        for &row in &self.order[..starts[ALONE + 1]] {
            let row = row as usize;
            match self.alone.last_mut() {
                Some(rows) if rows.end == row => rows.end += 1,
                _ => self.alone.push(row..row + 1),
            }
        }
        for kind in ALONE + 1..KINDS {
            if starts[kind] < starts[kind + 1] {
                let first = self.rows.len();
                let (width, has_threes) = (kind / 2, kind % 2 == 1);
                for pack in (starts[kind]..starts[kind + 1]).step_by(LANES) {
                    self.add_pack(jacobian, pack..starts[kind + 1], width, has_threes);
                }
                self.runs.push(Run {
                    packs: first..self.rows.len(),
                    width,
                    has_threes,
                });
            }
        }
    }

    /// Makes as much room as there can be need for, so that only a larger J takes more.
    fn clear(&mut self, jacobian: &Rows<'_>) {
        let (rows, entries) = (jacobian.count(), jacobian.value.len());
        self.alone.clear();
        self.alone.reserve(rows);
        self.runs.clear();
        self.runs.reserve(KINDS);
        self.rows.clear();
        self.rows.reserve(rows / LANES + rows.min(KINDS));
        // The last pack of each kind may be of one row.
        let packed = entries / LANES + entries.min(LONGEST * KINDS / 2);
        self.column.clear();
        self.column.reserve(packed);
        self.value.clear();
        self.value.reserve(packed);
    }

    /// Lists the rows kind by kind; tells where each kind starts.
    fn sort_rows(&mut self, jacobian: &Rows<'_>) -> [usize; KINDS + 1] {
        let mut starts = [0; KINDS + 1];
        self.kinds.clear();
        for row in 0..jacobian.count() {
            let kind = kind(jacobian, row);
            self.kinds.push(kind as u8);
            starts[kind + 1] += 1;
        }
        for kind in 0..KINDS {
            starts[kind + 1] += starts[kind];
        }
        let mut next = starts;
        self.order.clear();
        self.order.resize(jacobian.count(), 0);
        for (row, kind) in self.kinds.iter().enumerate() {
            let place = &mut next[*kind as usize];
            self.order[*place] = row as u32;
            *place += 1;
        }
        starts
    }

    /// Adds the first rows of a list; where there are too few, the last stands in all lanes that are left.
    fn add_pack(
        &mut self,
        jacobian: &Rows<'_>,
        list: Range<usize>,
        width: usize,
        has_threes: bool,
    ) {
        let rows: [u32; LANES] =
            core::array::from_fn(|lane| self.order[(list.start + lane).min(list.end - 1)]);
        let addresses = rows.map(|row| jacobian.rowadr[row as usize] as usize);
        let columns = addresses.map(|address| &jacobian.colind[address..address + width]);
        let values = addresses.map(|address| &jacobian.value[address..address + width]);
        if has_threes {
            let threes = (0..width).step_by(3);
            let threes = threes.map(|entry| columns.map(|columns| columns[entry] as u32 / 3));
            self.column.extend(threes);
        } else {
            let columns = (0..width).map(|entry| columns.map(|columns| columns[entry] as u32));
            self.column.extend(columns);
        }
        let values = (0..width).map(|entry| values.map(|values| values[entry]));
        self.value.extend(values);
        self.rows.push(rows);
    }

    #[inline(always)]
    pub fn multiply(&self, jacobian: &Rows<'_>, x: &[f64], out: &mut [f64]) {
        for rows in &self.alone {
            jacobian.multiply_range(rows.clone(), x, &mut out[rows.clone()]);
        }
        let (mut columns, mut values) = (&self.column[..], &self.value[..]);
        for run in &self.runs {
            let rows = &self.rows[run.packs.clone()];
            let (own_columns, own_values);
            let column_count = if run.has_threes {
                run.width / 3
            } else {
                run.width
            };
            (own_columns, columns) = columns.split_at(column_count * rows.len());
            (own_values, values) = values.split_at(run.width * rows.len());
            let packs = Packs {
                rows,
                columns: own_columns,
                values: own_values,
            };
            match (run.has_threes, run.width / 3 % 4) {
                (false, _) => packs.multiply(run.width, x, out),
                (true, 0) => packs.multiply_threes::<0>(run.width / 3, x, out),
                (true, 1) => packs.multiply_threes::<1>(run.width / 3, x, out),
                (true, 2) => packs.multiply_threes::<2>(run.width / 3, x, out),
                (true, _) => packs.multiply_threes::<3>(run.width / 3, x, out),
            }
        }
    }
}

/// What a row is.
fn kind(jacobian: &Rows<'_>, row: usize) -> usize {
    let (columns, _) = jacobian.row(row);
    // Rows that share their columns are better off alone: they share what they gather.
    let is_shared = jacobian.repeats[row] || jacobian.repeats.get(row + 1) == Some(&true);
    if is_shared || columns.len() > LONGEST {
        return ALONE;
    }
    let (threes, rest) = columns.as_chunks::<3>();
    let is_three = |[a, b, c]: &[i32; 3]| a % 3 == 0 && *b == a + 1 && *c == a + 2;
    let has_threes = rest.is_empty() && threes.iter().all(is_three);
    2 * columns.len() + usize::from(has_threes && !threes.is_empty())
}

/// Packs of rows with as many entries.
struct Packs<'a> {
    rows: &'a [[u32; LANES]],
    columns: &'a [[u32; LANES]],
    values: &'a [Lanes],
}

impl Packs<'_> {
    /// Products where each row has a number of threes, of which `REST` are left over from groups of four.
    #[inline(always)]
    fn multiply_threes<const REST: usize>(&self, threes: usize, x: &[f64], out: &mut [f64]) {
        let x = x.as_chunks::<3>().0;
        let values = self.values.as_chunks::<3>().0.chunks_exact(threes);
        let packs = self.columns.chunks_exact(threes).zip(values);
        for (rows, (columns, values)) in self.rows.iter().zip(packs) {
            let (groups, rest) = columns.as_chunks::<4>();
            let (value_groups, value_rest) = values.as_chunks::<4>();
            let mut sum = [[0.0; LANES]; 4];
            for (columns, values) in groups.iter().zip(value_groups) {
                for three in 0..4 {
                    let other = gather(&columns[three], x);
                    for k in 0..3 {
                        add_product(&mut sum[(3 * three + k) % 4], &values[three][k], other[k]);
                    }
                }
            }
            let mut others = [[[0.0; LANES]; 3]; REST];
            for three in 0..REST {
                others[three] = gather(&rest[three], x);
            }
            let others = others.as_flattened();
            let values = &value_rest[..REST].as_flattened();
            let summed = 3 * REST / 4 * 4;
            for k in 0..summed {
                add_product(&mut sum[k % 4], &values[k], others[k]);
            }
            let mut total = add_partial_sums(&sum);
            for k in summed..3 * REST {
                add_product(&mut total, &values[k], others[k]);
            }
            scatter(rows, &total, out);
        }
    }

    /// Products where each row has a number of columns.
    #[inline(always)]
    fn multiply(&self, width: usize, x: &[f64], out: &mut [f64]) {
        let packs = self.columns.chunks_exact(width);
        let packs = packs.zip(self.values.chunks_exact(width));
        for (rows, (columns, values)) in self.rows.iter().zip(packs) {
            let columns = &columns[..values.len()];
            let total = dot_lanes(values, |k| {
                let [a, b, c, d] = columns[k];
                [x[a as usize], x[b as usize], x[c as usize], x[d as usize]]
            });
            scatter(rows, &total, out);
        }
    }
}

/// Three numbers for each lane.
#[inline(always)]
fn gather(threes: &[u32; LANES], x: &[[f64; 3]]) -> [Lanes; 3] {
    let [a, b, c, d] = *threes;
    let (a, b) = (&x[a as usize], &x[b as usize]);
    let (c, d) = (&x[c as usize], &x[d as usize]);
    [
        [a[0], b[0], c[0], d[0]],
        [a[1], b[1], c[1], d[1]],
        [a[2], b[2], c[2], d[2]],
    ]
}

#[inline(always)]
fn scatter(rows: &[u32; LANES], total: &Lanes, out: &mut [f64]) {
    for lane in 0..LANES {
        out[rows[lane] as usize] = total[lane];
    }
}
