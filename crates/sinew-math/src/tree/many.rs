//! Several right-hand sides solved together.
//!
//! The factor of a long chain does not fit the caches: read once for every right-hand side, it costs
//! more time than the arithmetic. Here it is read once for N of them, and each entry is used for N
//! numbers that lie beside each other. Every right-hand side sees the same operations in the same order as
//! alone, so its bits are those of [`solve_range`](super::solve_range).

use super::{TreeRows, contiguous};
use crate::wide::{self, Work};
use core::ops::Range;

/// Solves M·x = b in place for N right-hand sides, entry i of all of them in `x[i]`.
///
/// The range must hold the ancestors of all its rows. It may leave out descendants of theirs where every
/// right-hand side is zero; what the solution is there is not computed.
pub fn solve_many<const N: usize>(
    rows: TreeRows<'_>,
    range: Range<usize>,
    factor: &[f64],
    diagonal_inverse: &[f64],
    x: &mut [[f64; N]],
) {
    wide::run(Solve {
        rows,
        range,
        factor,
        diagonal_inverse,
        x,
    });
}

struct Solve<'a, const N: usize> {
    rows: TreeRows<'a>,
    range: Range<usize>,
    factor: &'a [f64],
    diagonal_inverse: &'a [f64],
    x: &'a mut [[f64; N]],
}

impl<const N: usize> Work for Solve<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Solve {
            rows,
            range,
            factor,
            diagonal_inverse,
            x,
        } = self;
        transposed(rows, range.clone(), factor, x);
        for i in range.clone() {
            for value in &mut x[i] {
                *value *= diagonal_inverse[i];
            }
        }
        for i in range {
            let (start, diagonal) = rows.row(i);
            if start < diagonal {
                let columns = &rows.colind[start..diagonal];
                let (before, rest) = x.split_at_mut(i);
                let sum = product(&factor[start..diagonal], columns, before);
                for k in 0..N {
                    rest[0][k] -= sum[k];
                }
            }
        }
    }
}

/// x ← L⁻ᵀ·x. A right-hand side with a zero stays as it is, to the bit.
#[inline(always)]
fn transposed<const N: usize>(
    rows: TreeRows<'_>,
    range: Range<usize>,
    factor: &[f64],
    x: &mut [[f64; N]],
) {
    for i in range.rev() {
        let (start, diagonal) = rows.row(i);
        let (before, rest) = x.split_at_mut(i);
        let value = rest[0];
        if start == diagonal || value == [0.0; N] {
            continue;
        }
        let (entries, columns) = (&factor[start..diagonal], &rows.colind[start..diagonal]);
        if value.contains(&0.0) {
            for (&entry, &column) in entries.iter().zip(columns) {
                let target = &mut before[column as usize];
                for k in 0..N {
                    if value[k] != 0.0 {
                        target[k] -= entry * value[k];
                    }
                }
            }
        } else if let Some(first) = contiguous(columns) {
            for (target, &entry) in before[first..].iter_mut().zip(entries) {
                for k in 0..N {
                    target[k] -= entry * value[k];
                }
            }
        } else {
            for (&entry, &column) in entries.iter().zip(columns) {
                let target = &mut before[column as usize];
                for k in 0..N {
                    target[k] -= entry * value[k];
                }
            }
        }
    }
}

/// Scalar products of a compressed row, each with four interleaved partial sums.
#[inline(always)]
fn product<const N: usize>(entries: &[f64], columns: &[i32], x: &[[f64; N]]) -> [f64; N] {
    let mut sum = [[0.0; N]; 4];
    let (blocks, rest) = entries.as_chunks::<4>();
    let whole = 4 * blocks.len();
    let mut total = [0.0; N];
    if let Some(first) = contiguous(columns) {
        let x = &x[first..first + entries.len()];
        for (entries, x) in blocks.iter().zip(x.as_chunks::<4>().0) {
            add(&mut sum, entries, x);
        }
        fold(&mut total, &sum);
        for (&entry, x) in rest.iter().zip(&x[whole..]) {
            for k in 0..N {
                total[k] += entry * x[k];
            }
        }
    } else {
        for (entries, columns) in blocks.iter().zip(columns.as_chunks::<4>().0) {
            add(&mut sum, entries, &columns.map(|column| x[column as usize]));
        }
        fold(&mut total, &sum);
        for (&entry, &column) in rest.iter().zip(&columns[whole..]) {
            for k in 0..N {
                total[k] += entry * x[column as usize][k];
            }
        }
    }
    total
}

#[inline(always)]
fn add<const N: usize>(sum: &mut [[f64; N]; 4], entries: &[f64; 4], x: &[[f64; N]; 4]) {
    for part in 0..4 {
        for k in 0..N {
            sum[part][k] += entries[part] * x[part][k];
        }
    }
}

#[inline(always)]
fn fold<const N: usize>(total: &mut [f64; N], sum: &[[f64; N]; 4]) {
    for k in 0..N {
        total[k] = (sum[0][k] + sum[2][k]) + (sum[1][k] + sum[3][k]);
    }
}
