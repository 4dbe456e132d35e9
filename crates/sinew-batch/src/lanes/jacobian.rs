//! J of worlds side by side: full rows, of which some columns are known to be zero in all lanes.

use core::ops::Range;
use sinew_math::dense::dot_of_known;
use sinew_math::{Mask, Real};
use sinew_solver::cost::ConeHessian;
use sinew_solver::jacobian::Jacobian;

/// Full rows with the columns that may be other than zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownRows<'a, T> {
    pub entries: &'a [T],
    pub columns: &'a [i32],
    pub start: &'a [u32],
    /// Whether a row has the columns of the one before.
    pub repeats: &'a [bool],
}

impl<'a, T: Real> KnownRows<'a, T> {
    #[inline(always)]
    fn row(&self, i: usize, n: usize) -> &'a [T] {
        &self.entries[i * n..(i + 1) * n]
    }

    #[inline(always)]
    fn columns(&self, i: usize) -> &'a [i32] {
        &self.columns[self.start[i] as usize..self.start[i + 1] as usize]
    }

    /// Adds rows with the same columns. Every entry takes their products one after the other.
    #[inline(always)]
    fn add_at_once<const N: usize>(&self, first: usize, weights: [T; N], h: &mut [T], n: usize) {
        let columns = self.columns(first);
        let mut rows = [self.row(first, n); N];
        for (k, row) in rows.iter_mut().enumerate() {
            *row = self.row(first + k, n);
        }
        for (k, &a) in columns.iter().enumerate() {
            let a = a as usize;
            let mut scaled = weights;
            for j in 0..N {
                scaled[j] = weights[j] * rows[j][a];
            }
            let target = &mut h[a * n..=a * n + a];
            for &b in &columns[..=k] {
                let b = b as usize;
                let mut sum = target[b];
                for j in 0..N {
                    sum += rows[j][b] * scaled[j];
                }
                target[b] = sum;
            }
        }
    }

    /// Adds the forces of rows with the same columns. Every entry takes them one after the other.
    #[inline(always)]
    fn add_forces<const N: usize>(&self, first: usize, f: &[T], out: &mut [T]) {
        let (mut forces, mut is_idle) = ([T::ZERO; N], T::Mask::ALL);
        let mut rows = [self.row(first, out.len()); N];
        for k in 0..N {
            forces[k] = f[first + k];
            is_idle = is_idle & forces[k].equals(T::ZERO);
            rows[k] = self.row(first + k, out.len());
        }
        if is_idle.all() {
            return;
        }
        for &column in self.columns(first) {
            let column = column as usize;
            let mut sum = out[column];
            for k in 0..N {
                sum += rows[k][column] * forces[k];
            }
            out[column] = sum;
        }
    }

    /// Adds JᵀWJ of the rows of one contact. Every entry takes its products one after the other.
    #[inline(always)]
    fn add_cone<const N: usize>(
        &self,
        first: usize,
        weight: &ConeHessian<T>,
        h: &mut [T],
        n: usize,
    ) {
        let columns = self.columns(first);
        let mut rows = [self.row(first, n); N];
        for (k, row) in rows.iter_mut().enumerate() {
            *row = self.row(first + k, n);
        }
        for (k, &a) in columns.iter().enumerate() {
            let a = a as usize;
            let mut weighted = [T::ZERO; N];
            for j in 0..N {
                let value = rows[j][a];
                for i in 0..N {
                    weighted[i] += weight[j * N + i] * value;
                }
            }
            let target = &mut h[a * n..=a * n + a];
            for &b in &columns[..=k] {
                let b = b as usize;
                let mut sum = target[b];
                for j in 0..N {
                    sum += rows[j][b] * weighted[j];
                }
                target[b] = sum;
            }
        }
    }
}

impl<T: Real> Jacobian<T> for KnownRows<'_, T> {
    #[inline(always)]
    fn multiply(&self, x: &[T], out: &mut [T]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = dot_of_known(self.row(i, x.len()), x, self.columns(i));
        }
    }

    #[inline(always)]
    fn multiply_transposed(&self, f: &[T], out: &mut [T]) {
        out.fill(T::ZERO);
        let mut i = 0;
        while i < f.len() {
            let run = &self.repeats[i + 1..f.len().min(i + Self::ROWS_AT_ONCE)];
            let count = 1 + run.iter().take_while(|repeats| **repeats).count();
            match count {
                4 => self.add_forces::<4>(i, f, out),
                3 => self.add_forces::<3>(i, f, out),
                2 => self.add_forces::<2>(i, f, out),
                _ => self.add_forces::<1>(i, f, out),
            }
            i += count;
        }
    }

    #[inline(always)]
    fn add_row(&self, row: usize, weight: T, h: &mut [T], n: usize) {
        let (values, columns) = (self.row(row, n), self.columns(row));
        for (k, &a) in columns.iter().enumerate() {
            let a = a as usize;
            let scaled = weight * values[a];
            for &b in &columns[..=k] {
                let b = b as usize;
                h[a * n + b] += values[b] * scaled;
            }
        }
    }

    const ROWS_AT_ONCE: usize = 4;

    #[inline(always)]
    fn repeats(&self, row: usize) -> bool {
        self.repeats[row]
    }

    #[inline(always)]
    fn add_rows(&self, first: usize, weights: &[T], h: &mut [T], n: usize) {
        match *weights {
            [a, b, c, d] => self.add_at_once(first, [a, b, c, d], h, n),
            [a, b, c] => self.add_at_once(first, [a, b, c], h, n),
            [a, b] => self.add_at_once(first, [a, b], h, n),
            _ => {
                for (row, &weight) in (first..).zip(weights) {
                    self.add_row(row, weight, h, n);
                }
            }
        }
    }

    #[inline(always)]
    fn write_row(&self, row: usize, lanes: T::Mask, out: &mut [T]) {
        let values = self.row(row, out.len());
        for &column in self.columns(row) {
            let entry = &mut out[column as usize];
            *entry = T::select(lanes, values[column as usize], *entry);
        }
    }

    #[inline(always)]
    fn add_contact(&self, rows: Range<usize>, weight: &ConeHessian<T>, h: &mut [T], n: usize) {
        match rows.len() {
            6 => self.add_cone::<6>(rows.start, weight, h, n),
            4 => self.add_cone::<4>(rows.start, weight, h, n),
            _ => self.add_cone::<3>(rows.start, weight, h, n),
        }
    }
}
