//! Conjugate gradients, preconditioned by the inertia: what `sinew_solver::primal::conjugate_gradient` does.
//!
//! They amplify rounding: even the order of sums in Jᵀf is that of compressed columns where rows are compressed.

use super::Solver;
use super::parts::place_of;
use crate::Number;
use crate::sums::{sparse_dot_of, sparse_dot_where};
use crate::warp::Shared;
use sinew_math::MIN_VALUE;

/// Vectors that are remembered from one direction to the next.
struct Remembered<'a, T> {
    preconditioned: Shared<'a, T>,
    old_gradient: Shared<'a, T>,
    old_preconditioned: Shared<'a, T>,
}

impl<T: Number, const PARTS: bool> Solver<'_, T, PARTS> {
    #[inline(always)]
    fn remembered(&self) -> Remembered<'_, T> {
        let (preconditioned, rest) = self.work.conjugate.split_at(self.scene.head.nv);
        let (old_gradient, old_preconditioned) = rest.split_at(self.scene.head.nv);
        Remembered {
            preconditioned,
            old_gradient,
            old_preconditioned,
        }
    }

    /// −M⁻¹g + β·d with the last direction d.
    #[inline(always)]
    pub(super) fn choose_conjugate(&self, is_first: bool) {
        let (work, n) = (&self.work, self.dofs());
        let Remembered {
            preconditioned: p,
            old_gradient,
            old_preconditioned: change,
        } = self.remembered();
        self.warp.each(n, |i| p[i].set(work.gradient[i].get()));
        self.precondition(p);
        if is_first {
            self.warp.each(n, |i| work.direction[i].set(-p[i].get()));
        } else {
            let [scale] = self.dots(|_| (old_gradient, change));
            self.warp
                .each(n, |i| change[i].set(p[i].get() - change[i].get()));
            let [product] = self.dots(|_| (work.gradient, change));
            let low = T::from_f64(MIN_VALUE);
            let beta = product / if scale > low { scale } else { low };
            let beta = if beta > T::ZERO { beta } else { T::ZERO };
            self.warp.each(n, |i| {
                let d = &work.direction[i];
                d.set(beta * d.get() - p[i].get());
            });
        }
        self.warp.each(n, |i| {
            old_gradient[i].set(work.gradient[i].get());
            change[i].set(p[i].get());
        });
    }

    /// x ← M⁻¹·x, a tree by each thread.
    #[inline(always)]
    fn precondition(&self, x: Shared<'_, T>) {
        let starts = self.scene.tables.tree_starts;
        let part = self.maps.tree_part;
        let own = part[self.scene.tables.dof_trees[self.dof(0)] as usize].get();
        self.warp.each(self.scene.head.trees, |tree| {
            if part[tree].get() == own {
                let first = starts[tree] as usize;
                let place = place_of(self.maps.dofs, self.dofs(), first);
                self.solve_tree(first, starts[tree + 1] as usize, first - place, x);
            }
        });
    }

    /// `sinew_math::tree::solve` of one tree, whose degrees of freedom the part has so many places before.
    #[inline(always)]
    fn solve_tree(&self, first: usize, end: usize, shift: usize, x: Shared<'_, T>) {
        let (tree, given) = (&self.scene.tree, self.given);
        let row = |dof: usize| {
            let start = tree.M_rowadr[dof] as usize;
            (start, tree.M_rownnz[dof] as usize - 1)
        };
        let column = |entry: usize| &x[tree.M_colind[entry] as usize - shift];
        for dof in (first..end).rev() {
            let ((start, count), value) = (row(dof), x[dof - shift].get());
            if value == T::ZERO {
                continue;
            }
            for entry in start..start + count {
                let x = column(entry);
                x.set(x.get() - given.factor[entry] * value);
            }
        }
        for dof in first..end {
            let x = &x[dof - shift];
            x.set(x.get() * given.factor_inverse[dof]);
        }
        for dof in first..end {
            let (start, count) = row(dof);
            if count > 0 {
                let product = |k: usize| given.factor[start + k] * column(start + k).get();
                let x = &x[dof - shift];
                x.set(x.get() - sparse_dot_of(count, product));
            }
        }
    }

    /// Jᵀ·force along a degree of freedom, as compressed columns add it up.
    #[inline(always)]
    pub(super) fn column_force(&self, dof: usize) -> T {
        let product = |i: usize| self.given.J[self.row_start(i) + dof] * self.work.force[i].get();
        sparse_dot_where(self.part.rows, |i| self.touches(self.row(i), dof), product)
    }
}
