use super::*;
use crate::dense;
use crate::tree::{self, TreeRows};
use crate::tree_lu::{self, TreePairs};
use std::vec;

/// A trunk of two with branches of two and four, and a row of its own.
const ROWS: TreeRows<'_> = TreeRows {
    rownnz: &[1, 2, 3, 4, 3, 4, 5, 6, 1],
    rowadr: &[0, 1, 3, 6, 10, 13, 17, 22, 28],
    colind: &[
        0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 4, 0, 1, 4, 5, 0, 1, 4, 5, 6, 0, 1, 4, 5, 6, 7, 8,
    ],
};
const SIZE: usize = 9;
const ENTRIES: usize = 29;

struct Tree;

impl Formula for Tree {
    const INPUTS: usize = ENTRIES + SIZE;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let (matrix, b) = x.split_at(ENTRIES);
        let mut product = vec![T::ZERO; SIZE];
        tree::multiply(ROWS, matrix, b, &mut product);
        out.extend(product);
        let mut full = vec![T::ZERO; SIZE * SIZE];
        tree::expand(ROWS, matrix, &mut full);
        out.extend(full);

        let (mut factor, mut inverse) = (matrix.to_vec(), vec![T::ZERO; SIZE]);
        tree::factor(ROWS, &mut factor, &mut inverse);
        let (mut solution, mut half, mut branch) = (b.to_vec(), b.to_vec(), b.to_vec());
        tree::solve(ROWS, &factor, &inverse, &mut solution);
        tree::half_solve(ROWS, &factor, &inverse, &mut half);
        tree::solve_range(ROWS, 8..9, &factor, &inverse, &mut branch);
        for part in [factor, inverse, solution, half, branch] {
            out.extend(part);
        }
        out.push(tree::dot_sparse(&x[..7], &ROWS.colind[22..29], b));
        out.push(tree::dot_contiguous(&x[..7], &b[1..8]));
    }
}

struct Unsymmetric;

impl Formula for Unsymmetric {
    const INPUTS: usize = 7 + 3;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        // A root with two children.
        let pairs = TreePairs {
            rownnz: &[3, 2, 2],
            rowadr: &[0, 3, 5],
            diag: &[0, 1, 1],
            colind: &[0, 1, 2, 0, 1, 0, 2],
        };
        let (mut lu, mut solution) = (x[..7].to_vec(), x[7..].to_vec());
        tree_lu::factor(pairs, &mut lu, &mut [0; 3]);
        tree_lu::solve(pairs, &lu, &mut solution);
        out.extend(lu);
        out.extend(solution);
    }
}

struct Dense;

impl Formula for Dense {
    const INPUTS: usize = 36 + 6;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let (a, b) = x.split_at(36);
        let minimum = T::from_f64(crate::MIN_VALUE);
        out.extend([dense::dot(a, a), dense::dot(b, b), dense::norm(&b[..3])]);
        for solve in [true, false] {
            let (mut factor, mut solution) = (a.to_vec(), b.to_vec());
            if solve {
                dense::cholesky_factor(&mut factor, 6, minimum);
                dense::cholesky_solve(&factor, &mut solution);
            } else {
                dense::reverse_cholesky_factor(&mut factor, 6, minimum);
                dense::reverse_cholesky_solve(&factor, &mut solution);
            }
            out.extend(factor);
            out.extend(solution);
        }
        let mut factor = a.to_vec();
        dense::cholesky_factor(&mut factor, 6, minimum);
        dense::cholesky_update(&mut factor, &mut b.to_vec());
        out.extend(&factor);
        let mut double = b.to_vec();
        dense::add_scaled(&mut double, b, T::ONE);
        dense::cholesky_downdate(&mut factor, &mut double);
        out.extend(&factor);
        dense::add_scaled(&mut factor, a, b[0]);
        out.extend(factor);
    }
}

/// A matrix with as many rows that entries are taken together in every number there is.
struct Gathered;

const ROWS_OF_GATHERED: usize = 15;

impl Formula for Gathered {
    const INPUTS: usize = ROWS_OF_GATHERED * ROWS_OF_GATHERED;

    #[inline(always)]
    fn apply<T: Real>(x: &[T], out: &mut Vec<T>) {
        let (n, minimum) = (ROWS_OF_GATHERED, T::from_f64(crate::MIN_VALUE));
        let (mut in_place, mut apart) = (x.to_vec(), vec![T::ONE; x.len()]);
        dense::reverse_cholesky_factor(&mut in_place, n, minimum);
        dense::reverse_cholesky_factor_of(x, &mut apart, n, minimum);
        for i in 0..n {
            out.extend(&in_place[i * n..=i * n + i]);
            out.extend(&apart[i * n..=i * n + i]);
        }
    }
}

/// Numbers for so many worlds, in some of them with zeros that others do not have.
fn worlds(seed: u64, inputs: usize, is_diagonal: impl Fn(usize) -> bool) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut worlds = Vec::new();
    for _ in 0..3000 {
        let kind = random.bits() % 6;
        for k in 0..inputs {
            let zero = if random.bits().is_multiple_of(2) {
                0.0
            } else {
                -0.0
            };
            worlds.push(match kind {
                0 => any_number(&mut random),
                1 | 2 if !is_diagonal(k) && !random.bits().is_multiple_of(3) => zero,
                _ if is_diagonal(k) => 3.0 + random.uniform(),
                _ => 0.3 * random.normal(),
            });
        }
    }
    worlds
}

#[test]
fn trees_agree_in_every_lane() {
    let diagonal = |k| (0..SIZE).any(|i| ROWS.rowadr[i] + ROWS.rownnz[i] - 1 == k as i32);
    check::<Tree>(&worlds(31, Tree::INPUTS, diagonal));
}

#[test]
fn unsymmetric_trees_agree_in_every_lane() {
    check::<Unsymmetric>(&worlds(32, Unsymmetric::INPUTS, |k| [0, 4, 6].contains(&k)));
}

#[test]
fn dense_matrices_agree_in_every_lane() {
    check::<Dense>(&worlds(33, Dense::INPUTS, |k| k < 36 && k % 7 == 0));
}

#[test]
fn larger_matrices_agree_in_every_lane() {
    check::<Gathered>(&worlds(34, Gathered::INPUTS, |k| {
        k % (ROWS_OF_GATHERED + 1) == 0
    }));
}

#[test]
fn a_low_pivot_in_one_lane_lowers_the_rank() {
    let mut matrix = [Double4::ONE];
    assert_eq!(
        dense::cholesky_factor(&mut matrix, 1, Double4::from_f64(1e-15)),
        1
    );
    matrix[0].set_lane(2, -1.0);
    assert_eq!(
        dense::cholesky_factor(&mut matrix, 1, Double4::from_f64(1e-15)),
        0
    );
    assert_eq!(matrix[0].lane(0), 1.0);
    assert_eq!(matrix[0].lane(2), Real::sqrt(1e-15_f64));
}
