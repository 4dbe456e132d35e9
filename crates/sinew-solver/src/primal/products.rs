//! Products with a sparse J and with M that stay the same while a descent goes on.
//!
//! J is laid out once for all iterations. Rows that follow each other and have as many entries are
//! multiplied four at a time, a row in each lane. So are columns that follow each other and have
//! entries in the same rows, as those of one body. M is multiplied number by number where trees are
//! without couplings, as those of point masses. Every sum keeps the order that it has alone: four
//! interleaved partial sums, then what is left over.

use crate::problem::Problem;
use crate::rows::Rows;
use core::ops::Range;
use sinew_math::tree::{self, TreeRows};

/// Numbers side by side.
const LANES: usize = 4;

/// A number in each lane.
type Lanes = [f64; LANES];

/// J and M, laid out for many products.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    rows: RowPacks,
    columns: ColumnPacks,
    trees: Vec<Trees>,
}

/// Trees that follow each other, by their degrees of freedom.
#[derive(Clone, Debug)]
struct Trees {
    dofs: Range<usize>,
    /// Whether M has nothing but a diagonal there.
    is_diagonal: bool,
}

impl Products {
    /// Lays out the matrices of a problem whose J is sparse.
    pub fn prepare(&mut self, problem: &Problem<'_>) {
        self.rows.collect(&problem.jacobian);
        self.columns.collect(&problem.jacobian, problem.dof_count());
        self.find_trees(problem);
    }

    fn find_trees(&mut self, problem: &Problem<'_>) {
        self.trees.clear();
        self.trees.reserve(problem.dof_count());
        let mut start = 0;
        for tree in problem.tree.chunk_by(|a, b| a == b) {
            let dofs = start..start + tree.len();
            start = dofs.end;
            let counts = &problem.inertia_rows.rownnz[dofs.clone()];
            let is_diagonal = counts.iter().all(|count| *count == 1);
            match self.trees.last_mut() {
                Some(last) if last.is_diagonal == is_diagonal => last.dofs.end = dofs.end,
                _ => self.trees.push(Trees { dofs, is_diagonal }),
            }
        }
    }

    /// out = J·x
    #[inline(always)]
    pub fn multiply(&self, jacobian: &Rows<'_>, x: &[f64], out: &mut [f64]) {
        self.rows.multiply(jacobian, x, out);
    }

    /// out = Jᵀ·f
    #[inline(always)]
    pub fn multiply_transposed(&self, f: &[f64], out: &mut [f64]) {
        self.columns.multiply(f, out);
    }

    /// out = M·x
    #[inline(always)]
    pub fn multiply_inertia(&self, problem: &Problem<'_>, x: &[f64], out: &mut [f64]) {
        let rows = problem.inertia_rows;
        for Trees { dofs, is_diagonal } in &self.trees {
            if *is_diagonal {
                let diagonal = &problem.inertia[entries(rows, dofs)];
                let products = diagonal.iter().zip(&x[dofs.clone()]);
                for (out, (entry, x)) in out[dofs.clone()].iter_mut().zip(products) {
                    *out = entry * x;
                }
            } else {
                tree::multiply_range(rows, dofs.clone(), problem.inertia, x, out);
            }
        }
    }

    /// x ← M⁻¹·x
    #[inline(always)]
    pub fn solve_inertia(&self, problem: &Problem<'_>, x: &mut [f64]) {
        let Problem {
            inertia_rows,
            factor,
            factor_inverse,
            ..
        } = problem;
        for Trees { dofs, is_diagonal } in &self.trees {
            if *is_diagonal {
                let inverse = &factor_inverse[dofs.clone()];
                for (x, inverse) in x[dofs.clone()].iter_mut().zip(inverse) {
                    *x *= inverse;
                }
            } else {
                tree::solve_range(*inertia_rows, dofs.clone(), factor, factor_inverse, x);
            }
        }
    }
}

/// Entries of M of consecutive rows that have one each.
#[inline(always)]
fn entries(rows: TreeRows<'_>, dofs: &Range<usize>) -> Range<usize> {
    let first = rows.rowadr[dofs.start] as usize;
    first..first + dofs.len()
}

/// Rows of J, where possible four side by side.
#[derive(Clone, Debug, Default)]
struct RowPacks {
    runs: Vec<Run>,
    /// Columns and entries of the packs, one entry of each of four rows after the other.
    column: Vec<[u32; LANES]>,
    value: Vec<Lanes>,
}

/// Rows that follow each other.
#[derive(Clone, Debug)]
struct Run {
    rows: Range<usize>,
    /// Entries of each row of packs; none: rows that are multiplied alone.
    width: Option<usize>,
}

impl RowPacks {
    fn collect(&mut self, jacobian: &Rows<'_>) {
        self.runs.clear();
        self.column.clear();
        self.value.clear();
        // As much room as there can be need for, so that only a larger J takes more.
        self.runs.reserve(jacobian.count());
        self.column.reserve(jacobian.value.len() / LANES);
        self.value.reserve(jacobian.value.len() / LANES);
        let mut row = 0;
        while row < jacobian.count() {
            let width = pack_width(jacobian, row);
            let rows = row..row + width.map_or(1, |_| LANES);
            row = rows.end;
            if let Some(width) = width {
                let addresses: [usize; LANES] =
                    core::array::from_fn(|lane| jacobian.rowadr[rows.start + lane] as usize);
                for entry in 0..width {
                    let entries = addresses.map(|address| address + entry);
                    self.column
                        .push(entries.map(|entry| jacobian.colind[entry] as u32));
                    self.value.push(entries.map(|entry| jacobian.value[entry]));
                }
            }
            match self.runs.last_mut() {
                Some(last) if last.width == width => last.rows.end = rows.end,
                _ => self.runs.push(Run { rows, width }),
            }
        }
    }

    #[inline(always)]
    fn multiply(&self, jacobian: &Rows<'_>, x: &[f64], out: &mut [f64]) {
        let mut start = 0;
        for Run { rows, width } in &self.runs {
            let out = &mut out[rows.clone()];
            let Some(width) = *width else {
                jacobian.multiply_range(rows.clone(), x, out);
                continue;
            };
            let end = start + width * (rows.len() / LANES);
            let (columns, values) = (&self.column[start..end], &self.value[start..end]);
            start = end;
            match width {
                3 => multiply_packs::<3>(columns, values, x, out),
                6 => multiply_packs::<6>(columns, values, x, out),
                _ => {
                    let packs = columns.chunks_exact(width).zip(values.chunks_exact(width));
                    for (out, (columns, values)) in out.as_chunks_mut().0.iter_mut().zip(packs) {
                        *out = dot_lanes(values, |entry| columns[entry].map(|c| x[c as usize]));
                    }
                }
            }
        }
    }
}

/// How many entries the four rows from one on have, if they can be a pack. Rows that share their columns
/// are better off alone: they share what they gather.
fn pack_width(jacobian: &Rows<'_>, row: usize) -> Option<usize> {
    let counts = jacobian.rownnz.get(row..row + LANES)?;
    let is_pack = counts.iter().all(|count| *count == counts[0] && *count > 0)
        && !jacobian.repeats[row + 1..row + LANES].contains(&true);
    is_pack.then_some(counts[0] as usize)
}

/// Products of packs whose rows have a known number of entries.
#[inline(always)]
fn multiply_packs<const WIDTH: usize>(
    columns: &[[u32; LANES]],
    values: &[Lanes],
    x: &[f64],
    out: &mut [f64],
) {
    let columns = columns.as_chunks::<WIDTH>().0.iter();
    let packs = columns.zip(values.as_chunks::<WIDTH>().0);
    for (out, (columns, values)) in out.as_chunks_mut().0.iter_mut().zip(packs) {
        *out = dot_lanes(values, |entry| columns[entry].map(|c| x[c as usize]));
    }
}

/// [`tree::dot_sparse`] in every lane; `other` tells what an entry is multiplied by.
#[inline(always)]
fn dot_lanes(values: &[Lanes], other: impl Fn(usize) -> Lanes) -> Lanes {
    let blocks = values.len() / 4;
    let mut sum = [[0.0; LANES]; 4];
    for block in 0..blocks {
        for k in 0..4 {
            add_product(&mut sum[k], &values[4 * block + k], other(4 * block + k));
        }
    }
    let mut total =
        core::array::from_fn(|lane| (sum[0][lane] + sum[2][lane]) + (sum[1][lane] + sum[3][lane]));
    for entry in 4 * blocks..values.len() {
        add_product(&mut total, &values[entry], other(entry));
    }
    total
}

#[inline(always)]
fn add_product(sum: &mut Lanes, values: &Lanes, other: Lanes) {
    for lane in 0..LANES {
        sum[lane] += values[lane] * other[lane];
    }
}

/// Columns of J, those with the same rows side by side.
#[derive(Clone, Debug, Default)]
struct ColumnPacks {
    /// Whether a column has other rows than the one before it.
    begins: Vec<bool>,
    /// Which pack each column is in.
    pack_of: Vec<u32>,
    packs: Vec<Pack>,
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
    fn collect(&mut self, jacobian: &Rows<'_>, width: usize) {
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
    }

    /// Finds the packs and makes room for their entries.
    fn find_packs(&mut self, jacobian: &Rows<'_>, width: usize) {
        self.begins.clear();
        self.begins.resize(width + 1, false);
        self.row.clear();
        self.row.resize(width, 0);
        for row in 0..jacobian.count() {
            let (columns, _) = jacobian.row(row);
            let mut expected = None;
            for &column in columns {
                if expected != Some(column) {
                    if let Some(end) = expected {
                        self.begins[end as usize] = true;
                    }
                    self.begins[column as usize] = true;
                }
                self.row[column as usize] += 1;
                expected = Some(column + 1);
            }
            if let Some(end) = expected {
                self.begins[end as usize] = true;
            }
        }
        self.packs.clear();
        self.pack_of.clear();
        self.packs.reserve(width);
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
    fn multiply(&self, f: &[f64], out: &mut [f64]) {
        for Pack { columns, entries } in &self.packs {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Random;
    use crate::rows::Columns;
    use sinew_math::tree::dot_sparse;

    /// Degrees of freedom of ten point masses and of one chain of four.
    const DOFS: usize = 34;

    struct Sparse {
        rownnz: Vec<i32>,
        rowadr: Vec<i32>,
        colind: Vec<i32>,
        repeats: Vec<bool>,
        value: Vec<f64>,
        random: Random,
    }

    impl Sparse {
        fn push(&mut self, columns: &[i32], repeats: bool) {
            self.rowadr.push(self.colind.len() as i32);
            self.rownnz.push(columns.len() as i32);
            self.colind.extend_from_slice(columns);
            self.repeats.push(repeats);
            for _ in columns {
                self.value.push(self.random.between(-1.0, 1.0));
            }
        }

        fn rows(&self) -> Rows<'_> {
            Rows {
                rownnz: &self.rownnz,
                rowadr: &self.rowadr,
                colind: &self.colind,
                repeats: &self.repeats,
                value: &self.value,
                full: None,
            }
        }
    }

    /// Edges between masses, edges to what is fixed, contacts that share their columns, and rows of the chain.
    fn rows() -> Sparse {
        let mut rows = Sparse {
            rownnz: Vec::new(),
            rowadr: Vec::new(),
            colind: Vec::new(),
            repeats: Vec::new(),
            value: Vec::new(),
            random: Random(7),
        };
        let mass = |k: i32| [3 * k, 3 * k + 1, 3 * k + 2];
        for first in 0..10 {
            for second in first + 1..10.min(first + 4) {
                rows.push(&[mass(first), mass(second)].concat(), false);
            }
        }
        for k in 0..5 {
            rows.push(&mass(k), false);
        }
        rows.push(&[], false);
        for count in [3, 1, 4] {
            let all: Vec<i32> = (0..count).flat_map(|k| mass(2 * k)).collect();
            for row in 0..count {
                rows.push(&all, row > 0);
            }
        }
        for length in 1..=4 {
            let chain: Vec<i32> = (30..30 + length).collect();
            rows.push(&[&mass(9)[..], &chain].concat(), false);
        }
        rows
    }

    fn bits(numbers: &[f64]) -> Vec<u64> {
        numbers.iter().map(|number| number.to_bits()).collect()
    }

    #[test]
    fn products_with_the_jacobian_have_the_bits_of_rows_and_columns_alone() {
        let mut sparse = rows();
        let x: Vec<f64> = (0..DOFS)
            .map(|_| sparse.random.between(-1.0, 1.0))
            .collect();
        let count = sparse.rownnz.len();
        let f: Vec<f64> = (0..count)
            .map(|_| sparse.random.between(-1.0, 1.0))
            .collect();
        let jacobian = sparse.rows();
        let mut products = Products::default();
        // A second time over the storage of the first.
        for _ in 0..2 {
            products.rows.collect(&jacobian);
            products.columns.collect(&jacobian, DOFS);
        }
        let is_packed = |run: &Run| run.width.is_some();
        assert!(products.rows.runs.iter().any(is_packed));
        assert!(!products.rows.runs.iter().all(is_packed));

        let mut out = vec![f64::NAN; count];
        products.multiply(&jacobian, &x, &mut out);
        let alone = (0..count).map(|row| {
            let (columns, values) = jacobian.row(row);
            dot_sparse(values, columns, &x)
        });
        assert_eq!(bits(&out), bits(&alone.collect::<Vec<_>>()));

        let mut columns = Columns::default();
        columns.collect(&jacobian, DOFS);
        let mut out = vec![f64::NAN; DOFS];
        products.multiply_transposed(&f, &mut out);
        let alone = (0..DOFS).map(|column| {
            let (rows, values) = columns.column(column);
            dot_sparse(values, rows, &f)
        });
        assert_eq!(bits(&out), bits(&alone.collect::<Vec<_>>()));
    }
}
