//! H = M + JᵀDJ, its factor and the direction −H⁻¹g: what `sinew_solver::hessian::dense` does.
//!
//! The part without cones is kept and follows the rows that enter or leave the quadratic state. A thread has a column:
//! it adds up its entries one after the other, in the order of the rows.

use super::Solver;
use super::cost::{Cone, code};
use crate::Number;
use crate::warp::LANES;
use sinew_math::MIN_VALUE;
use sinew_math::dense::norm;
use sinew_solver::problem::state;

/// Entries of a column that are added up at once.
const AT_ONCE: usize = 8;

impl<T: Number, const PARTS: bool> Solver<'_, T, PARTS> {
    /// −H⁻¹g. The states of the rows before are known unless this is the first direction.
    #[inline(always)]
    pub(super) fn choose_direction(&self, is_first: bool) {
        let (work, n) = (&self.work, self.dofs());
        if PARTS && self.scene.head.is_conjugate != 0 {
            return self.choose_conjugate(is_first);
        }
        if PARTS && self.part.has_blocks {
            return self.choose_by_blocks(is_first);
        }
        if PARTS && self.part.is_large {
            return self.choose_by_elimination(is_first);
        }
        let is_new = if is_first {
            self.fill_base();
            true
        } else {
            self.is_changed()
        };
        if is_new {
            self.add_rows(is_first);
            self.refactor();
        }
        self.warp
            .each(n, |i| work.direction[i].set(work.gradient[i].get()));
        self.substitute();
        self.warp
            .each(n, |i| work.direction[i].set(-work.direction[i].get()));
    }

    /// Whether H is another than at the last direction.
    #[inline(always)]
    pub(super) fn is_changed(&self) -> bool {
        let (rows, work) = (self.part.rows, &self.work);
        let (quadratic, side) = (code::<T>(state::QUADRATIC), code::<T>(state::CONE));
        let mut any = 0;
        let mut first = 0;
        while first < rows {
            any |= self.warp.which(first, rows, |i| {
                let (old, new) = (work.old_state[i].get(), work.state[i].get());
                let is_other = old != new && (old == quadratic || new == quadratic);
                is_other || old == side || new == side
            });
            first += LANES;
        }
        any != 0
    }

    /// The lower triangle of M.
    #[inline(always)]
    fn fill_base(&self) {
        let (base, n) = (self.work.base, self.dofs());
        self.warp.each(n * n, |k| base[k].set(T::ZERO));
        let tree = &self.scene.tree;
        self.warp.each(n, |i| {
            let dof = self.dof(i);
            let start = tree.M_rowadr[dof] as usize;
            for entry in start..start + tree.M_rownnz[dof] as usize {
                // Trees stay together.
                let column = i - (dof - tree.M_colind[entry] as usize);
                base[i * n + column].set(self.given.M[entry] + T::ZERO);
            }
        });
    }

    /// With which weight a row enters the base: after a change of states, or all at once. Zero if it does not.
    #[inline(always)]
    pub(super) fn weight(&self, is_first: bool, row: usize) -> T {
        let (work, quadratic) = (&self.work, code::<T>(state::QUADRATIC));
        let is = work.state[row].get() == quadratic;
        let was = !is_first && work.old_state[row].get() == quadratic;
        let D = self.given.D[self.row(row)];
        match (was, is) {
            (false, true) => D,
            (true, false) => -D,
            _ => T::ZERO,
        }
    }

    /// Adds the rows that have a weight.
    #[inline(always)]
    fn add_rows(&self, is_first: bool) {
        let (base, n, rows) = (self.work.base, self.dofs(), self.part.rows);
        let mut first = 0;
        while first < rows {
            let enters = |row: usize| self.weight(is_first, row) != T::ZERO;
            let wanted = self.warp.which(first, rows, enters);
            if wanted != 0 {
                self.warp.each(n, |b| {
                    let mut a = b / AT_ONCE * AT_ONCE;
                    while a < n {
                        let mut sums = [T::ZERO; AT_ONCE];
                        for k in 0..AT_ONCE {
                            if a + k < n {
                                sums[k] = base[(a + k) * n + b].get();
                            }
                        }
                        let mut rows = wanted;
                        while rows != 0 {
                            let row = first + rows.trailing_zeros() as usize;
                            rows &= rows - 1;
                            let weight = self.weight(is_first, row);
                            let start = self.row_start(row);
                            let own = self.entry(start, b);
                            for k in 0..AT_ONCE {
                                if a + k < n {
                                    sums[k] += own * (weight * self.entry(start, a + k));
                                }
                            }
                        }
                        for k in 0..AT_ONCE {
                            if a + k < n {
                                base[(a + k) * n + b].set(sums[k]);
                            }
                        }
                        a += AT_ONCE;
                    }
                });
            }
            first += LANES;
        }
    }

    /// Factors H: A = Lᵀ·L from the last row to the first, with 1/L on the diagonal.
    #[inline(always)]
    fn refactor(&self) {
        let (factor, base, n) = (self.work.factor, self.work.base, self.dofs());
        self.warp.each(n * n, |k| factor[k].set(base[k].get()));
        if self.part.cones > 0 {
            self.add_cones();
        }
        for k in (0..n).rev() {
            let row = &factor[k * n..=k * n + k];
            let pivot = row[k].get();
            let low = T::from_f64(MIN_VALUE);
            let inverse = T::ONE / if pivot < low { low } else { pivot }.sqrt();
            self.warp.each(0, |_| {});
            self.warp.each(k + 1, |j| {
                row[j].set(if j == k {
                    inverse
                } else {
                    row[j].get() * inverse
                });
            });
            self.warp.each(k, |j| {
                let own = row[j].get();
                let mut i = j;
                while i + 4 <= k {
                    let entry = |l: usize| &factor[(i + l) * n + j];
                    let next = |l: usize| entry(l).get() + own * -row[i + l].get();
                    let values = [next(0), next(1), next(2), next(3)];
                    for l in 0..4 {
                        entry(l).set(values[l]);
                    }
                    i += 4;
                }
                while i < k {
                    let entry = &factor[i * n + j];
                    entry.set(entry.get() + own * -row[i].get());
                    i += 1;
                }
            });
        }
    }

    /// Adds the contacts that are on the side of their cone to the factor's matrix.
    #[inline(always)]
    fn add_cones(&self) {
        let (work, n) = (&self.work, self.dofs());
        let side = code::<T>(state::CONE);
        self.cone_hessians();
        for index in 0..self.part.cones {
            let cone = self.cone(index);
            if work.state[cone.row].get() != side {
                continue;
            }
            let weight = &work.cone_hessians[36 * index..36 * (index + 1)];
            self.warp.each(n, |a| {
                let entry =
                    |j: usize, column: usize| self.entry(self.row_start(cone.row + j), column);
                let mut weighted = [T::ZERO; 6];
                for j in 0..cone.dim {
                    let value = entry(j, a);
                    for i in 0..6 {
                        if i < cone.dim {
                            weighted[i] += weight[j * cone.dim + i].get() * value;
                        }
                    }
                }
                for b in 0..=a {
                    let target = &work.factor[a * n + b];
                    let mut sum = target.get();
                    for j in 0..6 {
                        if j < cone.dim {
                            sum += entry(j, b) * weighted[j];
                        }
                    }
                    target.set(sum);
                }
            });
        }
    }

    /// Hessians of the costs of contacts that are on the side of their cone.
    #[inline(always)]
    pub(super) fn cone_hessians(&self) {
        let side = code::<T>(state::CONE);
        self.warp.each(self.part.cones, |index| {
            let cone = self.cone(index);
            if self.work.state[cone.row].get() == side {
                self.cone_hessian(index, &cone);
            }
        });
    }

    /// Hessian of the cost of a contact on the side of its cone, by its residuals.
    #[inline(always)]
    fn cone_hessian(&self, index: usize, cone: &Cone<'_, T>) {
        let (dim, mu, shape) = (cone.dim, cone.shape[0], cone.shape);
        let h = &self.work.cone_hessians[36 * index..36 * (index + 1)];
        let u = cone.circular(self.work.residual);
        let n = u[0];
        let t = norm(&u[1..dim]);
        let stiffness = cone.stiffness();
        h[0].set(T::ONE);
        for j in 1..dim {
            h[j].set(-mu / t * u[j]);
        }
        let outer = mu * n / (t * t * t);
        let diagonal = mu * mu - mu * n / t;
        for k in 1..dim {
            for j in k..dim {
                h[k * dim + j].set(outer * u[j] * u[k]);
            }
            h[k * dim + k].set(h[k * dim + k].get() + diagonal);
        }
        for k in 0..dim {
            for j in k..dim {
                let value = h[k * dim + j].get() * (stiffness * shape[k] * shape[j]);
                h[k * dim + j].set(value);
                h[j * dim + k].set(value);
            }
        }
    }

    /// Solves Lᵀ·L·x = b in the direction's place.
    #[inline(always)]
    fn substitute(&self) {
        let (factor, x, n) = (self.work.factor, self.work.direction, self.dofs());
        for i in (0..n).rev() {
            let row = &factor[i * n..=i * n + i];
            let value = x[i].get() * row[i].get();
            self.warp.each(0, |_| {});
            self.warp.each(i + 1, |j| {
                let next = if j == i {
                    value
                } else {
                    x[j].get() + row[j].get() * -value
                };
                x[j].set(next);
            });
        }
        // Each row adds up its scalar product with what is known so far: four interleaved sums, and what is left over.
        let parts = self.work.parts;
        self.warp.each(5 * n, |k| parts[k].set(T::ZERO));
        for j in 0..n {
            self.warp.each(n, |i| {
                if i == j {
                    x[j].set(self.substituted(j));
                }
            });
            let known = x[j].get();
            self.warp.each(n, |i| {
                if i > j {
                    let product = factor[i * n + j].get() * known;
                    let blocks = i / 4 * 4;
                    let part = &parts[5 * i + if j < blocks { j % 4 } else { 4 }];
                    // The first of what is left over is not added to a zero.
                    part.set(if j == blocks {
                        product
                    } else {
                        part.get() + product
                    });
                }
            });
        }
    }

    /// One number of the solution, when all before are known.
    #[inline(always)]
    fn substituted(&self, i: usize) -> T {
        let (factor, x, n) = (self.work.factor, self.work.direction, self.dofs());
        let part = |k: usize| self.work.parts[5 * i + k].get();
        let total = (part(0) + part(2)) + (part(1) + part(3));
        let product = if i % 4 == 0 { total } else { total + part(4) };
        (x[i].get() - product) * factor[i * n + i].get()
    }
}
