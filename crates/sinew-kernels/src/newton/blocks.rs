//! H of many small trees: what `sinew_solver::hessian::block` does.
//!
//! Trees are eliminated one after the other, next always one that touches the fewest others. H and its factor L·Lᵀ are
//! full triangles in that order, of which only the blocks of trees are used that touch each other by then.

use super::Solver;
use super::cost::code;
use super::parts::next_bit;
use crate::Number;
use crate::sums::dot_of;
use crate::warp::LANES;
use sinew_math::MIN_VALUE;
use sinew_solver::problem::state;

impl<T: Number, const PARTS: bool> Solver<'_, T, PARTS> {
    /// −H⁻¹g.
    #[inline(always)]
    pub(super) fn choose_by_blocks(&self, is_first: bool) {
        let is_new = if is_first {
            self.warp.each(1, |_| self.find_order());
            self.fill_blocks();
            true
        } else {
            self.is_changed()
        };
        if is_new {
            self.add_to_blocks(is_first);
            self.factor_blocks();
        }
        self.substitute_in_blocks();
    }

    /// Whether two trees touch when the first of them is eliminated.
    #[inline(always)]
    fn is_joined(&self, tree: usize, other: usize) -> bool {
        let words = self.scene.head.tree_words();
        self.maps.joined[tree * words + other / 32].get() >> (other % 32) & 1 != 0
    }

    /// Whether L has an entry for two degrees of freedom in the order of elimination.
    #[inline(always)]
    fn has_entry(&self, first: usize, second: usize) -> bool {
        let tree = |k: usize| self.maps.order_tree[k].get() as usize;
        tree(first) == tree(second) || self.is_joined(tree(first), tree(second))
    }

    /// The degree of freedom that is eliminated in a place.
    #[inline(always)]
    fn eliminated(&self, k: usize) -> usize {
        self.dof(self.maps.order[k].get() as usize)
    }

    /// Trees of the part: the first from one on.
    #[inline(always)]
    fn next_tree(&self, from: usize) -> Option<usize> {
        let part = self.maps.tree_part[self.scene.tables.dof_trees[self.dof(0)] as usize].get();
        (from..self.scene.head.trees).find(|&tree| self.maps.tree_part[tree].get() == part)
    }

    /// Finds the order in which trees are eliminated, by one thread.
    #[inline(always)]
    fn find_order(&self) {
        self.join_neighbours();
        let maps = &self.maps;
        let mut next = self.next_tree(0);
        let mut first_dof = 0;
        while let Some(tree) = next {
            maps.degree[tree].set(self.count_joined(tree));
            maps.place[tree].set(-1);
            next = self.next_tree(tree + 1);
        }
        let mut place = 0;
        while let Some(tree) = self.fewest_neighbours() {
            maps.place[tree].set(place as i32);
            maps.sequence[place].set(tree as i32);
            place += 1;
            self.eliminate(tree);
        }
        // Where the part has its trees.
        let mut next = self.next_tree(0);
        while let Some(tree) = next {
            maps.degree[tree].set(first_dof);
            first_dof += self.tree_size(tree) as i32;
            next = self.next_tree(tree + 1);
        }
        let mut k = 0;
        for place in 0..place {
            let tree = maps.sequence[place].get() as usize;
            maps.starts[place].set(k as i32);
            for i in 0..self.tree_size(tree) {
                maps.order[k].set(maps.degree[tree].get() + i as i32);
                maps.order_tree[k].set(tree as i32);
                k += 1;
            }
        }
        maps.starts[place].set(k as i32);
    }

    #[inline(always)]
    fn tree_size(&self, tree: usize) -> usize {
        let starts = self.scene.tables.tree_starts;
        (starts[tree + 1] - starts[tree]) as usize
    }

    /// Trees that a row touches both of are neighbours.
    #[inline(always)]
    fn join_neighbours(&self) {
        let (head, tables, maps) = (&self.scene.head, &self.scene.tables, &self.maps);
        let words = head.tree_words();
        for word in maps.joined {
            word.set(0);
        }
        for i in 0..self.part.rows {
            let start = self.row(i) * head.dof_words();
            for word in maps.touched {
                word.set(0);
            }
            let mut from = 0;
            while let Some(dof) = next_bit(self.given.row_dofs, start, head.nv, from) {
                let tree = tables.dof_trees[dof] as usize;
                let word = &maps.touched[tree / 32];
                word.set(word.get() | 1 << (tree % 32));
                for k in 0..words {
                    let own = &maps.joined[tree * words + k];
                    own.set(own.get() | maps.touched[k].get());
                }
                from = tables.tree_starts[tree + 1] as usize;
            }
            // Neighbours that came later.
            let mut from = 0;
            while let Some(dof) = next_bit(self.given.row_dofs, start, head.nv, from) {
                let tree = tables.dof_trees[dof] as usize;
                for k in 0..words {
                    let own = &maps.joined[tree * words + k];
                    own.set(own.get() | maps.touched[k].get());
                }
                self.part_from(tree, tree);
                from = tables.tree_starts[tree + 1] as usize;
            }
        }
    }

    /// Takes a tree out of another's neighbours.
    #[inline(always)]
    fn part_from(&self, tree: usize, other: usize) {
        let words = self.scene.head.tree_words();
        let word = &self.maps.joined[tree * words + other / 32];
        word.set(word.get() & !(1 << (other % 32)));
    }

    #[inline(always)]
    fn count_joined(&self, tree: usize) -> i32 {
        let words = self.scene.head.tree_words();
        let own = &self.maps.joined[tree * words..(tree + 1) * words];
        let mut count = 0;
        for word in own {
            count += word.get().count_ones();
        }
        count as i32
    }

    /// Of the trees that wait the first that touches the fewest others.
    #[inline(always)]
    fn fewest_neighbours(&self) -> Option<usize> {
        let maps = &self.maps;
        let mut best = None;
        let mut fewest = i32::MAX;
        let mut next = self.next_tree(0);
        while let Some(tree) = next {
            if maps.place[tree].get() < 0 && maps.degree[tree].get() < fewest {
                (best, fewest) = (Some(tree), maps.degree[tree].get());
            }
            next = self.next_tree(tree + 1);
        }
        best
    }

    /// Makes the neighbours of a tree neighbours of each other.
    #[inline(always)]
    fn eliminate(&self, tree: usize) {
        let (maps, words) = (&self.maps, self.scene.head.tree_words());
        let mut next = self.next_tree(0);
        while let Some(other) = next {
            if self.is_joined(tree, other) {
                for k in 0..words {
                    let own = &maps.joined[other * words + k];
                    own.set(own.get() | maps.joined[tree * words + k].get());
                }
                self.part_from(other, other);
                self.part_from(other, tree);
                maps.degree[other].set(self.count_joined(other));
            }
            next = self.next_tree(other + 1);
        }
    }

    /// The lower triangle of M.
    #[inline(always)]
    fn fill_blocks(&self) {
        let (base, n, tree) = (self.work.base, self.dofs(), &self.scene.tree);
        self.warp.each(n * n, |k| base[k].set(T::ZERO));
        self.warp.each(n, |k| {
            let dof = self.eliminated(k);
            let start = tree.M_rowadr[dof] as usize;
            for entry in start..start + tree.M_rownnz[dof] as usize {
                let column = k - (dof - tree.M_colind[entry] as usize);
                base[k * n + column].set(self.given.M[entry]);
            }
        });
    }

    /// Adds the rows that have a weight.
    #[inline(always)]
    fn add_to_blocks(&self, is_first: bool) {
        let (base, n, rows) = (self.work.base, self.dofs(), self.part.rows);
        let mut first = 0;
        while first < rows {
            let enters = |row: usize| self.weight(is_first, row) != T::ZERO;
            let wanted = self.warp.which(first, rows, enters);
            if wanted != 0 {
                self.warp.each(n, |b| {
                    let column = self.eliminated(b);
                    for a in b..n {
                        if !self.has_entry(b, a) {
                            continue;
                        }
                        let own = self.eliminated(a);
                        let mut sum = base[a * n + b].get();
                        let mut rest = wanted;
                        while rest != 0 {
                            let i = first + rest.trailing_zeros() as usize;
                            rest &= rest - 1;
                            let row = self.row(i);
                            if self.touches(row, column) && self.touches(row, own) {
                                let start = self.row_start(i);
                                let scaled =
                                    self.weight(is_first, i) * self.given.J[start + column];
                                sum += self.given.J[start + own] * scaled;
                            }
                        }
                        base[a * n + b].set(sum);
                    }
                });
            }
            first += LANES;
        }
    }

    /// Adds the contacts that are on the side of their cone to the factor's matrix.
    #[inline(always)]
    fn add_cones_to_blocks(&self) {
        let (work, n) = (&self.work, self.dofs());
        self.cone_hessians();
        for index in 0..self.part.cones {
            let cone = self.cone(index);
            if work.state[cone.row].get() != code::<T>(state::CONE) {
                continue;
            }
            let weight = &work.cone_hessians[36 * index..36 * (index + 1)];
            let row = self.row(cone.row);
            let entry = |j: usize, dof: usize| self.given.J[self.row_start(cone.row + j) + dof];
            self.warp.each(n, |b| {
                let column = self.eliminated(b);
                if !self.touches(row, column) {
                    return;
                }
                for a in b..n {
                    let own = self.eliminated(a);
                    if !self.touches(row, own) {
                        continue;
                    }
                    let mut sum = work.factor[a * n + b].get();
                    for j in 0..cone.dim {
                        for k in 0..cone.dim {
                            let scaled = weight[j * cone.dim + k].get() * entry(j, column);
                            sum += entry(k, own) * scaled;
                        }
                    }
                    work.factor[a * n + b].set(sum);
                }
            });
        }
    }

    /// Factors H, with 1/L on the diagonal.
    #[inline(always)]
    fn factor_blocks(&self) {
        let (factor, base, n) = (self.work.factor, self.work.base, self.dofs());
        self.warp.each(n * n, |k| factor[k].set(base[k].get()));
        if self.part.cones > 0 {
            self.add_cones_to_blocks();
        }
        for p in 0..n {
            let (pivot, low) = (factor[p * n + p].get(), T::from_f64(MIN_VALUE));
            let inverse = T::ONE / if pivot > low { pivot } else { low }.sqrt();
            self.warp.each(0, |_| {});
            self.warp.each(n - p, |k| {
                let entry = &factor[(p + k) * n + p];
                if k == 0 {
                    entry.set(inverse);
                } else if self.has_entry(p, p + k) {
                    entry.set(entry.get() * inverse);
                }
            });
            self.warp.each(n - p - 1, |k| {
                let b = p + 1 + k;
                if !self.has_entry(p, b) {
                    return;
                }
                let own = factor[b * n + p].get();
                for a in b..n {
                    if self.has_entry(p, a) {
                        let entry = &factor[a * n + b];
                        entry.set(entry.get() + factor[a * n + p].get() * -own);
                    }
                }
            });
        }
    }

    /// Solves L·Lᵀ·x = −g for the direction.
    #[inline(always)]
    fn substitute_in_blocks(&self) {
        let (work, maps, n) = (&self.work, &self.maps, self.dofs());
        let (factor, parts) = (work.factor, work.parts);
        // Nobody needs what is there before the direction is known.
        let x = work.inertia_direction;
        let place = |k: usize| maps.order[k].get() as usize;
        self.warp
            .each(n, |k| x[k].set(work.gradient[place(k)].get()));
        for p in 0..n {
            let value = x[p].get() * factor[p * n + p].get();
            self.warp.each(0, |_| {});
            self.warp.each(n - p, |k| {
                let q = p + k;
                if k == 0 {
                    x[p].set(value);
                } else if self.has_entry(p, q) {
                    x[q].set(x[q].get() + factor[q * n + p].get() * -value);
                }
            });
        }
        let last = maps.order_tree[n - 1].get() as usize;
        let blocks = maps.place[last].get() as usize + 1;
        for p in (0..n).rev() {
            let tree = maps.order_tree[p].get() as usize;
            let own = maps.place[tree].get() as usize;
            let is_below = |place: usize| self.is_joined(tree, maps.sequence[place].get() as usize);
            // Each block adds up its scalar product with what is known.
            self.warp.each(blocks - own, |k| {
                let place = own + k;
                if k == 0 || is_below(place) {
                    let start = match k {
                        0 => p + 1,
                        _ => maps.starts[place].get() as usize,
                    };
                    let count = maps.starts[place + 1].get() as usize - start;
                    let product = |i: usize| x[start + i].get() * factor[(start + i) * n + p].get();
                    parts[k].set(dot_of(count, product));
                }
            });
            let mut sum = parts[0].get();
            for k in 1..blocks - own {
                if is_below(own + k) {
                    sum += parts[k].get();
                }
            }
            let value = (x[p].get() - sum) * factor[p * n + p].get();
            self.warp.each(0, |_| {});
            self.warp.each(1, |_| x[p].set(value));
        }
        self.warp
            .each(n, |k| work.direction[place(k)].set(-x[k].get()));
    }
}
