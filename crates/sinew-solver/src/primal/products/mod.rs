//! Products with a sparse J and with M that stay the same while a descent goes on.
//!
//! J is laid out once for all iterations; of equalities, whose columns are mostly those of the last time, only the
//! numbers are taken over again ([`pattern`]). Rows that have as many entries are multiplied four at a time, a row
//! in each lane ([`row`]). So are columns that follow each other and have entries in the same rows, as
//! those of one body ([`column`]). M is multiplied number by number where trees are without
//! couplings, as those of point masses. Every sum keeps the order that it has alone: four interleaved
//! partial sums, then what is left over.

mod column;
mod pattern;
mod row;

use super::line_search::{Equalities, Quadratic};
use crate::problem::Problem;
use crate::rows::Rows;
use column::ColumnPacks;
use core::ops::Range;
use pattern::Pattern;
use row::RowPacks;
use sinew_math::Real;
use sinew_math::lanes::Double4;
use sinew_math::tree::{self, TreeRows};

/// Numbers side by side.
const LANES: usize = 4;

/// A list with as many numbers is long: it gets little more room than it needs.
const LONG: usize = 1 << 16;
/// A number in each lane.
type Lanes = Double4;

/// J and M, laid out for many products.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    /// Columns of the equalities, which come first.
    pattern: Pattern,
    equalities: RowPacks,
    others: RowPacks,
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
        let (equalities, width) = (problem.equality_count, problem.dof_count());
        self.lay_out(&problem.jacobian, equalities, width, bytes);
        self.find_trees(problem);
    }

    fn lay_out(
        &mut self,
        jacobian: &Rows<'_>,
        equalities: usize,
        width: usize,
        bytes: Option<usize>,
    ) {
        let count = jacobian.count();
        // The numbers, their columns, and these once more in the pattern.
        let needed = (size_of::<f64>() + 2 * size_of::<u32>()) * jacobian.value.len();
        if bytes.is_some_and(|bytes| needed > bytes) {
            self.pattern = Pattern::default();
            self.equalities = RowPacks::default();
            self.others = RowPacks::alone(0..count);
            self.columns.collect(jacobian, width, 0, false);
            return;
        }
        let is_known = self.pattern.follow(jacobian, equalities, width);
        if is_known {
            self.equalities.fill(jacobian);
        } else {
            self.equalities.collect(jacobian, 0..equalities);
        }
        self.others.collect(jacobian, equalities..count);
        self.columns.collect(jacobian, width, equalities, is_known);
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

    /// out = J·x; returns the sums over equalities along x. They wait for each other while rows are multiplied.
    #[inline(always)]
    pub fn multiply_along(
        &self,
        jacobian: &Rows<'_>,
        x: &[f64],
        equalities: Equalities<'_, f64>,
        out: &mut [f64],
    ) -> Quadratic<f64> {
        self.others.multiply(jacobian, x, out);
        self.equalities.multiply_along(jacobian, x, equalities, out)
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

/// Empties a list and makes room for so many numbers, and some more: for a quarter, of a long list for a sixteenth. A
/// list that is too short is given back and not grown: growing would copy what it has, and touch room that was never used.
pub(crate) fn make_room<T>(list: &mut Vec<T>, room: usize) {
    list.clear();
    if list.capacity() < room {
        let more = if room < LONG { room / 4 } else { room / 16 };
        *list = Vec::new();
        list.reserve_exact(room.saturating_add(more));
    }
}

/// The order in which [`tree::dot_sparse`] adds its partial sums.
#[inline(always)]
fn total_of_sums<T: Real>(sum: [T; 4]) -> T {
    (sum[0] + sum[2]) + (sum[1] + sum[3])
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
        let mut products = Products::default();
        // Again and again over the storage of the last time, with the pattern of the first rows known or not, also
        // without room for packs.
        let twenty = (20, None);
        for (equalities, bytes) in [
            twenty,
            twenty,
            (0, None),
            twenty,
            (3, Some(0)),
            twenty,
            twenty,
        ] {
            for value in &mut sparse.value {
                *value = sparse.random.between(-1.0, 1.0);
            }
            let jacobian = sparse.rows();
            products.lay_out(&jacobian, equalities, DOFS, bytes);
            let mut out = vec![f64::NAN; count];
            let along = Equalities::on([1.0, 2.0, 3.0], equalities, &f, &x);
            let sums = products.multiply_along(&jacobian, &x, along, &mut out);
            let alone = (0..count).map(|row| {
                let (columns, values) = jacobian.row(row);
                dot_sparse(values, columns, &x)
            });
            let alone: Vec<_> = alone.collect();
            assert_eq!(bits(&out), bits(&alone));
            let along = Equalities::on([1.0, 2.0, 3.0], equalities, &f, &x);
            assert_eq!(bits(&sums), bits(&along.add_all(&alone)));

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
}
