//! The rows already factored, taken out of the next one.
//!
//! Rows of one body, or of bodies that fill each other in, have the same columns; four of them go through the buffer
//! together. Each number of it changes in the order in which it would by one row after the other.

use super::SparseHessian;
use sinew_math::dense::add_scaled;
use sinew_math::wide::Work;

/// Rows with the same columns that are taken out together.
const ALIKE: usize = 4;

/// Takes the rows below that have an entry in a column out of the row being computed.
pub(super) struct TakeOut<'a> {
    pub factor: &'a SparseHessian,
    pub column: usize,
    pub buffer: &'a mut [f64],
}

impl Work for TakeOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let TakeOut {
            factor,
            column,
            buffer,
        } = self;
        let entries = factor.column_entries(column);
        let mut k = entries.start;
        while k < entries.end {
            if entries.end - k >= ALIKE && factor.are_alike(k) {
                factor.take_out_alike(k, buffer);
                k += ALIKE;
            } else {
                factor.take_out_one(k, buffer);
                k += 1;
            }
        }
    }
}

impl SparseHessian {
    /// The row of an entry of a column, and how many entries it has before that one.
    #[inline(always)]
    fn entry_in_row(&self, k: usize) -> (usize, usize) {
        let row = self.below_row[k] as usize;
        (row, self.below_entry[k] - self.row_start[row])
    }

    /// Whether the rows of some entries of a column, from one on, have the same columns up to there: a row's parent has
    /// all columns of the row that are below it.
    #[inline(always)]
    fn are_alike(&self, k: usize) -> bool {
        let (mut row, count) = self.entry_in_row(k);
        (k + 1..k + ALIKE).all(|k| {
            let (next, next_count) = self.entry_in_row(k);
            let is_parent = self.parent[row] as usize == next;
            row = next;
            is_parent && next_count == count
        })
    }

    /// Calls `visit(first, length, column)` for the runs of a row up to and with an entry, the first of each
    /// counted from the start of the row.
    #[inline(always)]
    fn for_each_run(&self, row: usize, count: usize, mut visit: impl FnMut(usize, usize, usize)) {
        let start = self.row_start[row];
        let mut runs = self.run[self.run_start[row]..self.run_start[row + 1]].iter();
        let mut run = runs.next();
        while let Some(&(first, column)) = run {
            let first = first as usize - start;
            run = runs.next();
            let end = run.map_or(count + 1, |&(next, _)| {
                (count + 1).min(next as usize - start)
            });
            visit(first, end - first, column as usize);
            if end > count {
                break;
            }
        }
    }

    #[inline(always)]
    fn take_out_one(&self, k: usize, buffer: &mut [f64]) {
        let (row, count) = self.entry_in_row(k);
        let row_values = &self.value[self.row_start[row]..];
        let weight = -row_values[count];
        self.for_each_run(row, count, |first, length, column| {
            let target = &mut buffer[column..column + length];
            add_scaled(target, &row_values[first..first + length], weight);
        });
    }

    /// The same for rows that are alike, one after the other in each number of the buffer.
    #[inline(always)]
    fn take_out_alike(&self, k: usize, buffer: &mut [f64]) {
        let (row, count) = self.entry_in_row(k);
        let values = |k: usize| &self.value[self.row_start[self.below_row[k] as usize]..];
        let (a, b, c, d) = (values(k), values(k + 1), values(k + 2), values(k + 3));
        let weights = [-a[count], -b[count], -c[count], -d[count]];
        self.for_each_run(row, count, |first, length, column| {
            let target = &mut buffer[column..column + length];
            let end = first + length;
            let (a, b) = (&a[first..end], &b[first..end]);
            let (c, d) = (&c[first..end], &d[first..end]);
            for i in 0..target.len() {
                let mut number = target[i];
                number += a[i] * weights[0];
                number += b[i] * weights[1];
                number += c[i] * weights[2];
                number += d[i] * weights[3];
                target[i] = number;
            }
        });
    }
}
