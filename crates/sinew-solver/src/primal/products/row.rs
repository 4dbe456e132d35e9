//! Rows of J with as many entries, four side by side.
//!
//! Degrees of freedom of point masses come in threes. Rows whose columns do, too, take three numbers of x at a time.

use super::{LANES, Lanes, make_room, total_of_sums};
use crate::primal::line_search::{Equalities, Quadratic};
use crate::rows::Rows;
use bytemuck::Pod;
use core::ops::Range;
use sinew_math::Real;
use sinew_math::lanes::{self, Work};

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
    /// Which run has the most packs.
    longest: usize,
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
    columns: Range<usize>,
    values: Range<usize>,
    /// Entries of each row.
    width: usize,
    has_threes: bool,
}

impl RowPacks {
    /// Some rows, each multiplied alone.
    pub fn alone(rows: Range<usize>) -> RowPacks {
        RowPacks {
            alone: vec![rows],
            ..RowPacks::default()
        }
    }

    /// Lays out some rows.
    pub fn collect(&mut self, jacobian: &Rows<'_>, range: Range<usize>) {
        self.clear(jacobian, range.clone());
        let starts = self.sort_rows(jacobian, range);
        for &row in &self.order[..starts[ALONE + 1]] {
            let row = row as usize;
            match self.alone.last_mut() {
                Some(rows) if rows.end == row => rows.end += 1,
                _ => self.alone.push(row..row + 1),
            }
        }
        for kind in ALONE + 1..KINDS {
            if starts[kind] < starts[kind + 1] {
                let (first, first_column) = (self.rows.len(), self.column.len());
                let first_value = self.runs.last().map_or(0, |run| run.values.end);
                let (width, has_threes) = (kind / 2, kind % 2 == 1);
                for pack in (starts[kind]..starts[kind + 1]).step_by(LANES) {
                    self.add_pack(jacobian, pack..starts[kind + 1], width, has_threes);
                }
                let packs = first..self.rows.len();
                self.runs.push(Run {
                    columns: first_column..self.column.len(),
                    values: first_value..first_value + packs.len() * width,
                    packs,
                    width,
                    has_threes,
                });
            }
        }
        let lengths = self.runs.iter().map(|run| run.packs.len());
        let longest = lengths.enumerate().max_by_key(|(_, length)| *length);
        self.longest = longest.map_or(0, |(run, _)| run);
        self.fill(jacobian);
    }

    /// Takes over the numbers of rows that have the columns of those that were laid out last.
    pub fn fill(&mut self, jacobian: &Rows<'_>) {
        self.value.clear();
        for run in &self.runs {
            for rows in &self.rows[run.packs.clone()] {
                let [a, b, c, d] = rows.map(|row| {
                    let start = jacobian.rowadr[row as usize] as usize;
                    &jacobian.value[start..start + run.width]
                });
                let numbers = a.iter().zip(b).zip(c.iter().zip(d));
                self.value
                    .extend(numbers.map(|((a, b), (c, d))| Lanes::from_array([*a, *b, *c, *d])));
            }
        }
    }

    /// Makes as much room as there can be need for, so that only a larger J takes more.
    fn clear(&mut self, jacobian: &Rows<'_>, range: Range<usize>) {
        let rows = range.len();
        let entries = jacobian.rownnz[range].iter().sum::<i32>() as usize;
        self.alone.clear();
        self.alone.reserve(rows);
        self.runs.clear();
        self.runs.reserve(KINDS);
        self.rows.clear();
        self.rows.reserve(rows / LANES + rows.min(KINDS));
        // The last pack of each kind may be of one row.
        let packed = entries / LANES + entries.min(LONGEST * KINDS / 2);
        make_room(&mut self.column, packed);
        make_room(&mut self.value, packed);
    }

    /// Lists the rows kind by kind; tells where each kind starts.
    fn sort_rows(&mut self, jacobian: &Rows<'_>, range: Range<usize>) -> [usize; KINDS + 1] {
        let mut starts = [0; KINDS + 1];
        self.kinds.clear();
        for row in range.clone() {
            let kind = kind(jacobian, row, range.end);
            self.kinds.push(kind as u8);
            starts[kind + 1] += 1;
        }
        for kind in 0..KINDS {
            starts[kind + 1] += starts[kind];
        }
        let mut next = starts;
        self.order.clear();
        self.order.resize(range.len(), 0);
        for (row, kind) in range.zip(&self.kinds) {
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
        if has_threes {
            let threes = (0..width).step_by(3);
            let threes = threes.map(|entry| columns.map(|columns| columns[entry] as u32 / 3));
            self.column.extend(threes);
        } else {
            let columns = (0..width).map(|entry| columns.map(|columns| columns[entry] as u32));
            self.column.extend(columns);
        }
        self.rows.push(rows);
    }

    /// The products of these rows of J with x.
    #[inline(always)]
    pub fn multiply(&self, jacobian: &Rows<'_>, x: &[f64], out: &mut [f64]) {
        for rows in &self.alone {
            jacobian.multiply_range(rows.clone(), x, &mut out[rows.clone()]);
        }
        if !self.runs.is_empty() {
            lanes::double4(Product {
                packs: self,
                x,
                out,
                beside: (),
            });
        }
    }

    /// The same for equalities; returns their sums along x.
    #[inline(always)]
    pub fn multiply_along(
        &self,
        jacobian: &Rows<'_>,
        x: &[f64],
        equalities: Equalities<'_, f64>,
        out: &mut [f64],
    ) -> Quadratic<f64> {
        for rows in &self.alone {
            jacobian.multiply_range(rows.clone(), x, &mut out[rows.clone()]);
        }
        lanes::double4(Product {
            packs: self,
            x,
            out,
            beside: equalities,
        })
    }
}

/// What is done while rows are multiplied, in the order of the rows.
trait Beside {
    type Output;
    /// All rows below `end` are multiplied.
    fn reach(&mut self, end: usize, out: &[f64]);
    /// All rows are.
    fn finish(self, out: &[f64]) -> Self::Output;
}

impl Beside for () {
    type Output = ();
    #[inline(always)]
    fn reach(&mut self, _: usize, _: &[f64]) {}
    #[inline(always)]
    fn finish(self, _: &[f64]) {}
}

impl Beside for Equalities<'_, f64> {
    type Output = Quadratic<f64>;
    #[inline(always)]
    fn reach(&mut self, end: usize, out: &[f64]) {
        self.add_until(end, out);
    }
    #[inline(always)]
    fn finish(self, out: &[f64]) -> Quadratic<f64> {
        self.add_all(out)
    }
}

/// J·x of the rows in packs.
struct Product<'a, B> {
    packs: &'a RowPacks,
    x: &'a [f64],
    out: &'a mut [f64],
    beside: B,
}

impl<B: Beside> Work for Product<'_, B> {
    type Output = B::Output;

    #[inline(always)]
    fn run<T: Real + Pod>(self) -> B::Output {
        let Product {
            packs: all,
            x,
            out,
            mut beside,
        } = self;
        for (k, run) in all.runs.iter().enumerate() {
            if k != all.longest {
                all.multiply_run::<T, _>(run, x, out, &mut ());
            }
        }
        // Rows of other runs are multiplied by now, and those of this one ascend.
        if let Some(run) = all.runs.get(all.longest) {
            all.multiply_run::<T, _>(run, x, out, &mut beside);
        }
        beside.finish(out)
    }
}

impl RowPacks {
    #[inline(always)]
    fn multiply_run<T: Real + Pod, B: Beside>(
        &self,
        run: &Run,
        x: &[f64],
        out: &mut [f64],
        beside: &mut B,
    ) {
        let packs = Packs::<T> {
            rows: &self.rows[run.packs.clone()],
            columns: &self.column[run.columns.clone()],
            values: &bytemuck::cast_slice(&self.value)[run.values.clone()],
        };
        let threes = run.width / 3;
        match (run.has_threes, threes % 4) {
            (false, _) => packs.multiply(run.width, x, out, beside),
            (true, 0) => packs.multiply_threes::<0, _>(threes, x, out, beside),
            (true, 1) => packs.multiply_threes::<1, _>(threes, x, out, beside),
            (true, 2) => packs.multiply_threes::<2, _>(threes, x, out, beside),
            (true, _) => packs.multiply_threes::<3, _>(threes, x, out, beside),
        }
    }
}

/// What a row is, of those up to `end`.
fn kind(jacobian: &Rows<'_>, row: usize, end: usize) -> usize {
    let (columns, _) = jacobian.row(row);
    // Rows that share their columns are better off alone: they share what they gather.
    let is_shared = jacobian.repeats[row] || jacobian.end_of_run(row, end) > row + 1;
    if is_shared || columns.len() > LONGEST {
        return ALONE;
    }
    let (threes, rest) = columns.as_chunks::<3>();
    let is_three = |[a, b, c]: &[i32; 3]| a % 3 == 0 && *b == a + 1 && *c == a + 2;
    let has_threes = rest.is_empty() && threes.iter().all(is_three);
    2 * columns.len() + usize::from(has_threes && !threes.is_empty())
}

/// Packs of rows with as many entries.
struct Packs<'a, T> {
    rows: &'a [[u32; LANES]],
    columns: &'a [[u32; LANES]],
    values: &'a [T],
}

impl<T: Real + Pod> Packs<'_, T> {
    /// Products where each row has a number of threes, of which `REST` are left over from groups of four.
    #[inline(always)]
    fn multiply_threes<const REST: usize, B: Beside>(
        &self,
        threes: usize,
        x: &[f64],
        out: &mut [f64],
        beside: &mut B,
    ) {
        let x = x.as_chunks::<3>().0;
        let values = self.values.as_chunks::<3>().0.chunks_exact(threes);
        let packs = self.columns.chunks_exact(threes).zip(values);
        for (rows, (columns, values)) in self.rows.iter().zip(packs) {
            let (groups, rest) = columns.as_chunks::<4>();
            let (value_groups, value_rest) = values.as_chunks::<4>();
            let mut sum = [T::ZERO; 4];
            for (columns, values) in groups.iter().zip(value_groups) {
                for three in 0..4 {
                    let other = gather::<T>(&columns[three], x);
                    for k in 0..3 {
                        sum[(3 * three + k) % 4] += values[three][k] * other[k];
                    }
                }
            }
            let mut others = [[T::ZERO; 3]; REST];
            for three in 0..REST {
                others[three] = gather(&rest[three], x);
            }
            let others = others.as_flattened();
            let values = &value_rest[..REST].as_flattened();
            let summed = 3 * REST / 4 * 4;
            for k in 0..summed {
                sum[k % 4] += values[k] * others[k];
            }
            let mut total = total_of_sums(sum);
            for k in summed..3 * REST {
                total += values[k] * others[k];
            }
            scatter(rows, total, out);
            beside.reach(rows[LANES - 1] as usize + 1, out);
        }
    }

    /// Products where each row has a number of columns.
    #[inline(always)]
    fn multiply<B: Beside>(&self, width: usize, x: &[f64], out: &mut [f64], beside: &mut B) {
        let packs = self.columns.chunks_exact(width);
        let packs = packs.zip(self.values.chunks_exact(width));
        for (rows, (columns, values)) in self.rows.iter().zip(packs) {
            let (blocks, rest) = values.as_chunks::<4>();
            let (column_blocks, column_rest) = columns.as_chunks::<4>();
            let mut sum = [T::ZERO; 4];
            for (values, columns) in blocks.iter().zip(column_blocks) {
                for k in 0..4 {
                    sum[k] += values[k] * gather_numbers(&columns[k], x);
                }
            }
            let mut total = total_of_sums(sum);
            for (&value, columns) in rest.iter().zip(column_rest) {
                total += value * gather_numbers(columns, x);
            }
            scatter(rows, total, out);
            beside.reach(rows[LANES - 1] as usize + 1, out);
        }
    }
}

/// Three numbers for each lane.
#[inline(always)]
fn gather<T: Real + Pod>(threes: &[u32; LANES], x: &[[f64; 3]]) -> [T; 3] {
    let [a, b, c, d] = *threes;
    let (a, b) = (&x[a as usize], &x[b as usize]);
    let (c, d) = (&x[c as usize], &x[d as usize]);
    [
        bytemuck::cast([a[0], b[0], c[0], d[0]]),
        bytemuck::cast([a[1], b[1], c[1], d[1]]),
        bytemuck::cast([a[2], b[2], c[2], d[2]]),
    ]
}

/// A number for each lane.
#[inline(always)]
fn gather_numbers<T: Real + Pod>(columns: &[u32; LANES], x: &[f64]) -> T {
    let [a, b, c, d] = *columns;
    bytemuck::cast([x[a as usize], x[b as usize], x[c as usize], x[d as usize]])
}

#[inline(always)]
fn scatter<T: Pod>(rows: &[u32; LANES], total: T, out: &mut [f64]) {
    let total: [f64; LANES] = bytemuck::cast(total);
    for lane in 0..LANES {
        out[rows[lane] as usize] = total[lane];
    }
}
