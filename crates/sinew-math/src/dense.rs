//! Dense vectors and Cholesky factorisation on slices.
//!
//! A symmetric matrix A of size n is a row-major slice of n² numbers of which only the lower
//! triangle is read; the factor L with A = L·Lᵀ overwrites it and the strict upper triangle stays
//! as it was. Pivots below a minimum are raised to it and lower the returned rank, so that the
//! routines always complete; a caller that needs a positive definite matrix compares the rank with
//! n. With several lanes a pivot counts that is too low in one of them: the rank is n if it is n in
//! every lane. Conforms to MuJoCo's `mju_cholFactor`, `mju_cholSolve`, `mju_cholUpdate`.

use crate::mask::Mask;
use crate::real::Real;
use crate::wide::{self, Work};

/// Rows of a factor that are gathered, at most.
const MOST_GATHERED: usize = 96;

/// Scalar product with four interleaved partial sums: the order of additions of MuJoCo's `mju_dot`,
/// and the one a processor with wide registers likes.
#[doc(alias = "mju_dot")]
#[inline(always)]
pub fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let (blocks, x) = a.as_chunks::<4>();
    let (other_blocks, y) = b[..a.len()].as_chunks::<4>();
    let mut sum = [T::ZERO; 4];
    for (x, y) in blocks.iter().zip(other_blocks) {
        for k in 0..4 {
            sum[k] += x[k] * y[k];
        }
    }
    total_of_partial_sums(sum, x, y)
}

/// [`dot`] of one vector with each of four others, in one pass over it.
#[inline(always)]
pub fn dot_with_four<T: Real>(a: &[T], others: [&[T]; 4]) -> [T; 4] {
    let [b, c, d, e] = others;
    // Packs fill the registers with the partial sums of one product.
    if T::LANES > 1 {
        return [dot(a, b), dot(a, c), dot(a, d), dot(a, e)];
    }
    let n = a.len();
    let (blocks, a) = a.as_chunks::<4>();
    let (b_blocks, b) = b[..n].as_chunks::<4>();
    let (c_blocks, c) = c[..n].as_chunks::<4>();
    let (d_blocks, d) = d[..n].as_chunks::<4>();
    let (e_blocks, e) = e[..n].as_chunks::<4>();
    // Four sums by name: those of an array would stay in memory.
    let (mut sum_b, mut sum_c) = ([T::ZERO; 4], [T::ZERO; 4]);
    let (mut sum_d, mut sum_e) = ([T::ZERO; 4], [T::ZERO; 4]);
    let others = b_blocks
        .iter()
        .zip(c_blocks)
        .zip(d_blocks.iter().zip(e_blocks));
    for (x, ((b, c), (d, e))) in blocks.iter().zip(others) {
        add_products(&mut sum_b, x, b);
        add_products(&mut sum_c, x, c);
        add_products(&mut sum_d, x, d);
        add_products(&mut sum_e, x, e);
    }
    [
        total_of_partial_sums(sum_b, a, b),
        total_of_partial_sums(sum_c, a, c),
        total_of_partial_sums(sum_d, a, d),
        total_of_partial_sums(sum_e, a, e),
    ]
}

#[inline(always)]
fn add_products<T: Real>(sum: &mut [T; 4], x: &[T; 4], y: &[T; 4]) {
    for k in 0..4 {
        sum[k] += x[k] * y[k];
    }
}

/// [`dot`] of a row whose entries outside the given ascending columns are zero: products with them change none of its
/// partial sums.
#[inline(always)]
pub fn dot_of_known<T: Real>(row: &[T], x: &[T], columns: &[i32]) -> T {
    let (blocks, rest) = row[..x.len()].as_chunks::<4>();
    let (other_blocks, x) = x.as_chunks::<4>();
    let mut sum = [T::ZERO; 4];
    let mut last = usize::MAX;
    for &column in columns {
        let block = column as usize / 4;
        if block == last || block >= blocks.len() {
            continue;
        }
        last = block;
        let (row, x) = (&blocks[block], &other_blocks[block]);
        for k in 0..4 {
            sum[k] += row[k] * x[k];
        }
    }
    total_of_partial_sums(sum, rest, x)
}

/// The end of a scalar product: its partial sums, and up to three products that are in none of them.
#[inline(always)]
fn total_of_partial_sums<T: Real>(sum: [T; 4], x: &[T], y: &[T]) -> T {
    let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    match x.len() {
        3 => total + (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]),
        2 => total + (x[0] * y[0] + x[1] * y[1]),
        1 => total + x[0] * y[0],
        _ => total,
    }
}

/// `a += b · scale`.
#[doc(alias = "mju_addToScl")]
#[inline(always)]
pub fn add_scaled<T: Real>(a: &mut [T], b: &[T], scale: T) {
    for (x, &y) in a.iter_mut().zip(b) {
        *x += y * scale;
    }
}

/// `a += b · scale` where the mask holds; elsewhere `a` stays as it is, to the bit.
#[inline(always)]
fn add_scaled_where<T: Real>(mask: T::Mask, a: &mut [T], b: &[T], scale: T) {
    for (x, &y) in a.iter_mut().zip(b) {
        *x = T::select(mask, *x + y * scale, *x);
    }
}

/// Euclidean length.
#[doc(alias = "mju_norm")]
#[inline(always)]
pub fn norm<T: Real>(a: &[T]) -> T {
    dot(a, a).sqrt()
}

/// Replaces the lower triangle of `a` (n × n) by its Cholesky factor. Returns the rank: n minus the
/// number of pivots that were below `minimum` and were replaced by it.
#[doc(alias = "mju_cholFactor")]
#[inline(always)]
pub fn cholesky_factor<T: Real>(a: &mut [T], n: usize, minimum: T) -> usize {
    assert_eq!(a.len(), n * n, "a square matrix has n² entries");
    let mut rank = n;
    for j in 0..n {
        let (above, below) = a.split_at_mut((j + 1) * n);
        let row = &mut above[j * n..];
        let pivot = row[j] - dot(&row[..j], &row[..j]);
        row[j] = raised(pivot, minimum, &mut rank).sqrt();
        let inverse = T::ONE / row[j];
        for other in below.chunks_exact_mut(n) {
            other[j] = (other[j] - dot(&other[..j], &row[..j])) * inverse;
        }
    }
    rank
}

/// A pivot, or the minimum where it is less; counts that in `rank`.
#[inline(always)]
fn raised<T: Real>(pivot: T, minimum: T, rank: &mut usize) -> T {
    let is_low = pivot.less(minimum);
    if !is_low.any() {
        return pivot;
    }
    *rank -= 1;
    T::select(is_low, minimum, pivot)
}

/// Solves L·Lᵀ·x = b in place.
#[doc(alias = "mju_cholSolve")]
#[inline(always)]
pub fn cholesky_solve<T: Real>(l: &[T], x: &mut [T]) {
    let n = x.len();
    assert_eq!(l.len(), n * n, "factor and right-hand side must fit");
    for i in 0..n {
        let row = &l[i * n..i * n + n];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
    for i in (0..n).rev() {
        let mut value = x[i];
        for j in i + 1..n {
            value -= l[j * n + i] * x[j];
        }
        x[i] = value / l[i * n + i];
    }
}

/// Turns the factor of A into the factor of A + x·xᵀ. Destroys `x`, returns the rank.
#[doc(alias = "mju_cholUpdate")]
#[inline(always)]
pub fn cholesky_update<T: Real>(l: &mut [T], x: &mut [T]) -> usize {
    rank_one(l, x, T::ONE)
}

/// Turns the factor of A into the factor of A − x·xᵀ. Destroys `x`, returns the rank.
#[doc(alias = "mju_cholUpdate")]
#[inline(always)]
pub fn cholesky_downdate<T: Real>(l: &mut [T], x: &mut [T]) -> usize {
    rank_one(l, x, -T::ONE)
}

#[inline(always)]
fn rank_one<T: Real>(l: &mut [T], x: &mut [T], sign: T) -> usize {
    let n = x.len();
    assert_eq!(l.len(), n * n, "factor and vector must fit");
    let minimum = T::from_f64(crate::MIN_VALUE);
    let mut rank = n;
    for k in 0..n {
        let is_still = x[k].equals(T::ZERO);
        if is_still.all() {
            continue;
        }
        let diagonal = l[k * n + k];
        let square = diagonal * diagonal + sign * (x[k] * x[k]);
        let square = T::select(is_still, minimum, square);
        let r = raised(square, minimum, &mut rank).sqrt();
        let c = r / diagonal;
        let inverse = T::ONE / c;
        let s = x[k] / diagonal;
        // Lanes without an entry stay as they are, to the bit.
        l[k * n + k] = T::select(is_still, diagonal, r);
        for i in k + 1..n {
            let (before, other) = (l[i * n + k], x[i]);
            let entry = (before + sign * (s * other)) * inverse;
            l[i * n + k] = T::select(is_still, before, entry);
            x[i] = T::select(is_still, other, c * other - s * entry);
        }
    }
    rank
}

/// Replaces the lower triangle of `a` (n × n) by L with A = Lᵀ·L, from the last row to the first;
/// the diagonal holds 1/L, which is what a solution needs. Returns the rank as [`cholesky_factor`]
/// does. Rows without an entry in the pivot's row are left
/// alone, so matrices with the sparsity of kinematic trees, which have no fill-in in this order,
/// cost what their entries cost.
#[inline(always)]
pub fn reverse_cholesky_factor<T: Real>(a: &mut [T], n: usize, minimum: T) -> usize {
    assert_eq!(a.len(), n * n, "a square matrix has n² entries");
    wide::run_with::<T, _>(ReverseCholesky { a, n, minimum })
}

/// [`reverse_cholesky_factor`] of a matrix that stays as it is. Of `factor` the lower triangle is written.
#[inline(always)]
pub fn reverse_cholesky_factor_of<T: Real>(
    matrix: &[T],
    factor: &mut [T],
    n: usize,
    minimum: T,
) -> usize {
    assert_eq!(matrix.len(), n * n, "a square matrix has n² entries");
    assert_eq!(factor.len(), n * n, "a square matrix has n² entries");
    if T::LANES > 1 && n <= MOST_GATHERED {
        return factor_gathering(Some(matrix), factor, n, minimum);
    }
    factor.copy_from_slice(matrix);
    reverse_cholesky_factor(factor, n, minimum)
}

struct ReverseCholesky<'a, T> {
    a: &'a mut [T],
    n: usize,
    minimum: T,
}

impl<T: Real> Work for ReverseCholesky<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        factor_from_the_end(self.a, self.n, self.minimum)
    }
}

#[inline(always)]
fn factor_from_the_end<T: Real>(a: &mut [T], n: usize, minimum: T) -> usize {
    if T::LANES > 1 && n <= MOST_GATHERED {
        return factor_gathering(None, a, n, minimum);
    }
    let mut rank = n;
    for k in (0..n).rev() {
        let (above, row) = a.split_at_mut(k * n);
        let row = &mut row[..=k];
        let inverse = T::ONE / raised(row[k], minimum, &mut rank).sqrt();
        row[k] = inverse;
        for value in &mut row[..k] {
            *value *= inverse;
        }
        for (i, other) in above.chunks_exact_mut(n).enumerate() {
            let weight = row[i];
            let is_zero = weight.equals(T::ZERO);
            if !is_zero.any() {
                add_scaled(&mut other[..=i], &row[..=i], -weight);
            } else if !is_zero.all() {
                add_scaled_where(!is_zero, &mut other[..=i], &row[..=i], -weight);
            }
        }
    }
    rank
}

/// The same factor for packs, whose entries are as wide as a line of the cache: each row gathers the terms of those below
/// it, which come in the same order, and is written once. What is factored is `matrix`, or what `a` holds without it.
#[inline(always)]
fn factor_gathering<T: Real>(matrix: Option<&[T]>, a: &mut [T], n: usize, minimum: T) -> usize {
    let mut rank = n;
    // Rows with an entry in the column, and whether lanes are without it.
    let mut below = [(0_u8, false); MOST_GATHERED];
    for i in (0..n).rev() {
        let (head, tail) = a.split_at_mut((i + 1) * n);
        let row = &mut head[i * n..=i * n + i];
        let mut count = 0;
        for k in (0..n - 1 - i).rev() {
            let is_zero = tail[k * n + i].equals(T::ZERO);
            if !is_zero.all() {
                below[count] = (k as u8, is_zero.any());
                count += 1;
            }
        }
        let terms = &Terms {
            tail,
            n,
            i,
            below: &below[..count],
        };
        let given = matrix.map(|matrix| &matrix[i * n..=i * n + i]);
        let mut start = 0;
        while start + 8 <= row.len() {
            terms.gather::<8>(given, row, start);
            start += 8;
        }
        if start + 4 <= row.len() {
            terms.gather::<4>(given, row, start);
            start += 4;
        }
        match row.len() - start {
            3 => terms.gather::<3>(given, row, start),
            2 => terms.gather::<2>(given, row, start),
            1 => terms.gather::<1>(given, row, start),
            _ => {}
        }
        let inverse = T::ONE / raised(row[i], minimum, &mut rank).sqrt();
        row[i] = inverse;
        for value in &mut row[..i] {
            *value *= inverse;
        }
    }
    rank
}

/// What the rows below row `i` take from it.
struct Terms<'a, T> {
    /// The rows below, n entries each.
    tail: &'a [T],
    n: usize,
    i: usize,
    /// Those with an entry in column `i`, the last first, and whether lanes are without it.
    below: &'a [(u8, bool)],
}

impl<T: Real> Terms<'_, T> {
    /// Takes the products of the rows below, each with its entry in column `i`, from a few entries of row `i`: of the
    /// given one, or of what is there.
    #[inline(always)]
    fn gather<const N: usize>(&self, given: Option<&[T]>, row: &mut [T], start: usize) {
        let (n, i) = (self.n, self.i);
        let row = &mut row[start..start + N];
        let mut sum = [T::ZERO; N];
        sum.copy_from_slice(given.map_or(&*row, |given| &given[start..start + N]));
        for &(k, has_gaps) in self.below {
            let other = &self.tail[k as usize * n..k as usize * n + i + 1];
            let weight = -other[i];
            let terms = &other[start..start + N];
            if has_gaps {
                let is_there = !weight.equals(T::ZERO);
                for j in 0..N {
                    sum[j] = T::select(is_there, sum[j] + terms[j] * weight, sum[j]);
                }
            } else {
                for j in 0..N {
                    sum[j] += terms[j] * weight;
                }
            }
        }
        row.copy_from_slice(&sum);
    }
}

/// Solves Lᵀ·L·x = b in place, for the factor of [`reverse_cholesky_factor`].
#[inline(always)]
pub fn reverse_cholesky_solve<T: Real>(l: &[T], x: &mut [T]) {
    let n = x.len();
    assert_eq!(l.len(), n * n, "factor and right-hand side must fit");
    for i in (0..n).rev() {
        let row = &l[i * n..i * n + i + 1];
        let (before, rest) = x.split_at_mut(i);
        rest[0] *= row[i];
        add_scaled(before, &row[..i], -rest[0]);
    }
    for i in 0..n {
        let row = &l[i * n..i * n + i + 1];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) * row[i];
    }
}

#[cfg(test)]
mod tests;
