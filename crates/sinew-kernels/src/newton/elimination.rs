//! H of more degrees of freedom than a full one has: what `sinew_solver::hessian::sparse` does.
//!
//! The factor Lᵀ·L is found from the last row to the first; which entries it has follows from an elimination tree. Rows of
//! L that are done are taken out of the next one in the order in which the tree is walked.

use super::Solver;
use super::cost::code;
use super::parts::{next_bit, place_of};
use crate::Number;
use crate::sums::sparse_dot_where;
use sinew_math::MIN_VALUE;
use sinew_solver::problem::state;

impl<T: Number, const PARTS: bool> Solver<'_, T, PARTS> {
    /// −H⁻¹g.
    #[inline(always)]
    pub(super) fn choose_by_elimination(&self, is_first: bool) {
        if is_first {
            self.warp.each(1, |_| self.find_pattern());
        }
        if is_first || self.is_changed() {
            self.factor_rows();
        }
        self.substitute_rows();
    }

    /// Whether L has an entry.
    #[inline(always)]
    fn has(&self, row: usize, column: usize) -> bool {
        let words = self.scene.head.dof_words();
        self.maps.pattern[row * words + column / 32].get() >> (column % 32) & 1 != 0
    }

    /// Finds the pattern of L, by one thread.
    #[inline(always)]
    fn find_pattern(&self) {
        let (tables, maps, n) = (&self.scene.tables, &self.maps, self.dofs());
        for word in maps.pattern {
            word.set(0);
        }
        for i in 0..n {
            maps.parent[i].set(-1);
            maps.mark[i].set(-1);
        }
        for r in (0..n).rev() {
            maps.mark[r].set(r as i32);
            let dof = self.dof(r);
            let mut count = 0;
            for k in tables.below_starts[dof]..tables.below_starts[dof + 1] {
                // Trees stay together.
                let row = tables.below_rows[k as usize] as usize - (dof - r);
                count = self.walk(row, r, count);
            }
            for i in 0..self.part.rows {
                let row = self.row(i);
                if self.touches(row, dof) {
                    let last = self.last_dof(row);
                    count = self.walk(place_of(maps.dofs, n, last), r, count);
                }
            }
            maps.below_count[r].set(count as i32);
        }
    }

    /// The last degree of freedom that a row has.
    #[inline(always)]
    fn last_dof(&self, row: usize) -> usize {
        let head = &self.scene.head;
        let (mut last, mut from) = (0, 0);
        while let Some(dof) = next_bit(self.given.row_dofs, row * head.dof_words(), head.nv, from) {
            (last, from) = (dof, dof + 1);
        }
        last
    }

    /// From a row towards another along parents: all on the way have an entry in its column. How many there are then.
    #[inline(always)]
    fn walk(&self, row: usize, r: usize, count: usize) -> usize {
        let (maps, words) = (&self.maps, self.scene.head.dof_words());
        let (mut i, mut count) = (row, count);
        while maps.mark[i].get() != r as i32 {
            if maps.parent[i].get() < 0 {
                maps.parent[i].set(r as i32);
            }
            maps.mark[i].set(r as i32);
            maps.below[r * self.scene.head.nv + count].set(i as i32);
            count += 1;
            let word = &maps.pattern[i * words + r / 32];
            word.set(word.get() | 1 << (r % 32));
            i = maps.parent[i].get() as usize;
        }
        count
    }

    /// Computes L, with the inverse on the diagonal: each thread has entries of a row.
    #[inline(always)]
    fn factor_rows(&self) {
        let (factor, n) = (self.work.factor, self.dofs());
        self.cone_hessians();
        for r in (0..n).rev() {
            self.warp.each(r + 1, |c| {
                if c == r || self.has(r, c) {
                    factor[r * n + c].set(self.entry_of_row(r, c));
                }
            });
            let (pivot, low) = (factor[r * n + r].get(), T::from_f64(MIN_VALUE));
            let inverse = T::ONE / if pivot > low { pivot } else { low }.sqrt();
            self.warp.each(0, |_| {});
            self.warp.each(r + 1, |c| {
                let entry = &factor[r * n + c];
                if c == r {
                    entry.set(inverse);
                } else if self.has(r, c) {
                    entry.set(entry.get() * inverse);
                }
            });
        }
    }

    /// An entry of H, without the rows of L that are done.
    #[inline(always)]
    fn entry_of_row(&self, r: usize, c: usize) -> T {
        let (given, tree, work, maps) = (self.given, &self.scene.tree, &self.work, &self.maps);
        let (n, nv) = (self.dofs(), self.scene.head.nv);
        let (own, other) = (self.dof(r), self.dof(c));
        let mut sum = T::ZERO;
        let start = tree.M_rowadr[own] as usize;
        for entry in start..start + tree.M_rownnz[own] as usize {
            if tree.M_colind[entry] as usize == other {
                sum += given.M[entry];
            }
        }
        let (quadratic, side) = (code::<T>(state::QUADRATIC), code::<T>(state::CONE));
        let mut cone = 0;
        for i in 0..self.part.rows {
            let is_cone = cone < self.part.cones && self.cone(cone).row == i;
            let index = cone;
            cone += usize::from(is_cone);
            let row = self.row(i);
            if !self.touches(row, own) || !self.touches(row, other) {
                continue;
            }
            let entry = |j: usize, dof: usize| given.J[self.row_start(i + j) + dof];
            if work.state[i].get() == quadratic {
                let weight = given.D[row] * entry(0, own);
                sum += weight * entry(0, other);
            } else if work.state[i].get() == side && is_cone {
                let dim = self.cone(index).dim;
                let hessian = &work.cone_hessians[36 * index..36 * (index + 1)];
                for j in 0..dim {
                    let mut weight = T::ZERO;
                    for l in 0..dim {
                        weight += hessian[j * dim + l].get() * entry(l, own);
                    }
                    sum += weight * entry(j, other);
                }
            }
        }
        for k in 0..maps.below_count[r].get() as usize {
            let i = maps.below[r * nv + k].get() as usize;
            if c == r || self.has(i, c) {
                let weight = -work.factor[i * n + r].get();
                sum += work.factor[i * n + c].get() * weight;
            }
        }
        sum
    }

    /// Solves Lᵀ·L·x = −g for the direction.
    #[inline(always)]
    fn substitute_rows(&self) {
        let (work, n) = (&self.work, self.dofs());
        let (factor, x) = (work.factor, work.direction);
        self.warp.each(n, |i| x[i].set(work.gradient[i].get()));
        for i in (0..n).rev() {
            let start = x[i].get();
            let value = start * factor[i * n + i].get();
            self.warp.each(0, |_| {});
            if start == T::ZERO {
                continue;
            }
            self.warp.each(i + 1, |c| {
                if c == i {
                    x[i].set(value);
                } else if self.has(i, c) {
                    x[c].set(x[c].get() - factor[i * n + c].get() * value);
                }
            });
        }
        for i in 0..n {
            let product = |c: usize| factor[i * n + c].get() * x[c].get();
            let known = sparse_dot_where(i, |c| self.has(i, c), product);
            let value = (x[i].get() - known) * factor[i * n + i].get();
            self.warp.each(0, |_| {});
            self.warp.each(1, |_| x[i].set(value));
        }
        self.warp.each(n, |i| x[i].set(-x[i].get()));
    }
}
