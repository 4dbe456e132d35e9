//! Products with a sparse J and with M that stay the same while a descent goes on.
//!
//! J is laid out once for all iterations. Rows that have as many entries are multiplied four at a time, a row
//! in each lane ([`row`]). So are columns that follow each other and have entries in the same rows, as
//! those of one body ([`column`]). M is multiplied number by number where trees are without
//! couplings, as those of point masses. Every sum keeps the order that it has alone: four interleaved
//! partial sums, then what is left over.

mod column;
mod row;

use crate::problem::Problem;
use crate::rows::Rows;
use column::ColumnPacks;
use core::ops::Range;
use row::RowPacks;
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
    /// Lays out the matrices of a problem whose J is sparse; its rows only where so many bytes suffice.
    pub fn prepare(&mut self, problem: &Problem<'_>, bytes: Option<usize>) {
        self.rows.collect(&problem.jacobian, bytes);
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
    let mut total = add_partial_sums(&sum);
    for entry in 4 * blocks..values.len() {
        add_product(&mut total, &values[entry], other(entry));
    }
    total
}

#[inline(always)]
fn add_partial_sums(sum: &[Lanes; 4]) -> Lanes {
    let mut total = [0.0; LANES];
    for lane in 0..LANES {
        total[lane] = (sum[0][lane] + sum[2][lane]) + (sum[1][lane] + sum[3][lane]);
    }
    total
}

#[inline(always)]
fn add_product(sum: &mut Lanes, values: &Lanes, other: Lanes) {
    for lane in 0..LANES {
        sum[lane] += values[lane] * other[lane];
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
        // A second time over the storage of the first, also without room for packs.
        for bytes in [None, Some(0), None] {
            products.rows.collect(&jacobian, bytes);
            products.columns.collect(&jacobian, DOFS);
            let mut out = vec![f64::NAN; count];
            products.multiply(&jacobian, &x, &mut out);
            let alone = (0..count).map(|row| {
                let (columns, values) = jacobian.row(row);
                dot_sparse(values, columns, &x)
            });
            assert_eq!(bits(&out), bits(&alone.collect::<Vec<_>>()));
        }

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
