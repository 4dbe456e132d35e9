//! A + R = J·M⁻¹·Jᵀ + R of the rows of each lane, as a full matrix.

use super::own_rows::{Extent, OwnRows};
use crate::problem::Problem;
use sinew_math::{Mask, Real, tree};

/// Columns that are looked at together.
const COLUMNS: usize = 64;

/// A + R, and what follows from its diagonal.
pub(super) struct Projection<'a, T> {
    /// Numbers from row to row.
    width: usize,
    value: &'a mut [T],
    pub inverse_diagonal: &'a mut [T],
    /// The diagonal, as 1 over that.
    pub curvature: &'a mut [T],
}

impl<'a, T: Real> Projection<'a, T> {
    /// Numbers of memory.
    pub fn length(extent: &Extent<T>, dofs: usize) -> usize {
        extent.width() * (extent.width() + 2) + dofs
    }

    /// Computes it in memory of that length. J of the rows is replaced by J·L⁻¹·D^(−½).
    #[inline(always)]
    pub fn compute<J>(
        problem: &Problem<'_, T, J>,
        own: &mut OwnRows<'_, T>,
        memory: &'a mut [T],
    ) -> Self {
        let (rows, width) = (own.extent.rows(), own.extent.width());
        let dofs = problem.dof_count();
        let (value, memory) = memory.split_at_mut(rows * width);
        let (inverse_diagonal, memory) = memory.split_at_mut(rows);
        let (curvature, memory) = memory.split_at_mut(rows);
        let (inverse_sqrt, _) = memory.split_at_mut(dofs);
        let tree = problem.inertia_rows;
        for (i, out) in inverse_sqrt.iter_mut().enumerate() {
            let diagonal = tree.rowadr[i] + tree.rownnz[i] - 1;
            *out = T::ONE / problem.factor[diagonal as usize].sqrt();
        }
        let mut projection = Projection {
            width,
            value,
            inverse_diagonal,
            curvature,
        };
        for i in 0..rows {
            let row = &mut own.jacobian[i * dofs..(i + 1) * dofs];
            tree::half_solve(tree, problem.factor, inverse_sqrt, row);
            projection.multiply_with_earlier(i, own.jacobian, dofs);
            projection.value[i * width + i] += own.regularisation[i];
            projection.value[i * width + rows..(i + 1) * width].fill(T::ZERO);
        }
        for i in 0..rows {
            let inverse = T::ONE / projection.value[i * width + i];
            projection.inverse_diagonal[i] = inverse;
            projection.curvature[i] = T::ONE / inverse;
        }
        projection
    }

    /// Row and column `i` up to the diagonal: products of rows of X = J·L⁻¹·D^(−½), each summed over ascending columns.
    #[inline(always)]
    fn multiply_with_earlier(&mut self, i: usize, half: &[T], dofs: usize) {
        let width = self.width;
        let own = &half[i * dofs..(i + 1) * dofs];
        self.value[i * width..=i * width + i].fill(T::ZERO);
        let mut list = [0; COLUMNS];
        for first in (0..dofs).step_by(COLUMNS) {
            let mut count = 0;
            for column in first..dofs.min(first + COLUMNS) {
                if !own[column].equals(T::ZERO).all() {
                    list[count] = column;
                    count += 1;
                }
            }
            let (list, mut j) = (&list[..count], 0);
            while j + 4 <= i + 1 {
                self.add_products::<4>(i, j, list, half, dofs);
                j += 4;
            }
            while j <= i {
                self.add_products::<1>(i, j, list, half, dofs);
                j += 1;
            }
        }
        for j in 0..i {
            self.value[j * width + i] = self.value[i * width + j];
        }
    }

    /// Adds the products of row `i` and of rows from `j` on in some columns.
    #[inline(always)]
    fn add_products<const N: usize>(
        &mut self,
        i: usize,
        j: usize,
        columns: &[usize],
        half: &[T],
        dofs: usize,
    ) {
        let own = &half[i * dofs..(i + 1) * dofs];
        let mut others = [own; N];
        for (k, other) in others.iter_mut().enumerate() {
            *other = &half[(j + k) * dofs..(j + k + 1) * dofs];
        }
        let start = i * self.width + j;
        let mut sum = [T::ZERO; N];
        sum.copy_from_slice(&self.value[start..start + N]);
        for &column in columns {
            for k in 0..N {
                sum[k] += others[k][column] * own[column];
            }
        }
        self.value[start..start + N].copy_from_slice(&sum);
    }

    /// Row i of (A + R)·f
    #[inline(always)]
    pub fn product(&self, i: usize, own: &OwnRows<'_, T>) -> T {
        own.dot(&self.value[i * self.width..(i + 1) * self.width])
    }
}
