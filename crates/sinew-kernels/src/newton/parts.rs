//! Several kinematic trees: those that rows tie together are a part, and every part is solved on its own. What
//! `sinew_solver::island` and `sinew_solver::solve` do.
//!
//! Nothing is gathered: a part lists its degrees of freedom, rows and cones, ascending, and the solver looks them up.

use super::{Given, Part, Solution, Solver, Work};
use crate::Number;
use crate::scene::{Head, MOST_DOFS, Scene};
use crate::warp::{LANES, Shared, Warp};
use core::cell::Cell;

/// From so many trees of up to so many degrees of freedom on, H is eliminated tree by tree.
const FEWEST_BLOCKS: usize = 3;
const LARGEST_BLOCK: usize = 12;
const MOST_BLOCKS: usize = 2048;

macro_rules! maps {
    ($( $(#[$meta:meta])* $name:ident : |$head:ident| $count:expr, )*) => {
        /// What belongs to a part, and in which order its trees are eliminated.
        #[derive(Clone, Copy)]
        pub(crate) struct Maps<'a> { $( $(#[$meta])* pub $name: Shared<'a, i32>, )* }

        impl<'a> Maps<'a> {
            /// Of what has no parts.
            pub const NONE: Self = Maps { $( $name: &[], )* };

            #[inline(always)]
            fn cut(head: &Head, words: Shared<'a, i32>) -> Self {
                let rest = words;
                $( let (cut, rest) = { let $head = head; rest.split_at($count) }; let $name = cut; )*
                let _ = rest;
                Maps { $( $name, )* }
            }
        }

        /// Words that a warp takes.
        #[inline(always)]
        pub(crate) fn word_length(head: &Head) -> usize {
            let mut length = 0;
            $( length += { let $head = head; $count }; )*
            length * head.has_parts
        }
    };
}

maps! {
    /// Degrees of freedom of the part.
    dofs: |head| head.nv,
    /// Its rows.
    rows: |head| head.rows,
    /// Its cones.
    cones: |head| head.cones,
    /// Where it has the first row of each.
    cone_rows: |head| head.cones,
    /// The part of each tree; below 0 where no row touches it.
    tree_part: |head| head.trees,
    /// Trees that are eliminated later and touch each when it is: bits.
    joined: |head| head.trees * head.tree_words(),
    /// Trees that a row touches.
    touched: |head| head.tree_words(),
    /// A tree that stands for those that are tied together; how many trees each touches; where a part has each.
    degree: |head| head.trees,
    /// When each tree is eliminated.
    place: |head| head.trees,
    /// Which tree is eliminated when.
    sequence: |head| head.trees,
    /// Where its degrees of freedom begin then; one more for the end.
    starts: |head| head.trees + 1,
    /// In which order the degrees of freedom of a part are eliminated, and their trees.
    order: |head| head.nv,
    order_tree: |head| head.nv,
    /// The elimination tree of a large H, and whom a walk has met.
    parent: |head| head.nv * head.is_large,
    mark: |head| head.nv * head.is_large,
    /// Which entries its factor has: a bit each, and the rows of each column in the order in which they are met.
    pattern: |head| head.nv * head.dof_words() * head.is_large,
    below: |head| head.nv * head.nv * head.is_large,
    below_count: |head| head.nv * head.is_large,
}

impl Maps<'_> {
    #[inline(always)]
    pub fn dof(&self, i: usize) -> usize {
        self.dofs[i].get() as usize
    }

    #[inline(always)]
    pub fn row(&self, i: usize) -> usize {
        self.rows[i].get() as usize
    }

    /// Where the part has the first row of a cone, and which cone it is.
    #[inline(always)]
    pub fn cone(&self, i: usize) -> (usize, usize) {
        (
            self.cone_rows[i].get() as usize,
            self.cones[i].get() as usize,
        )
    }
}

/// Numbers of working memory that a warp takes.
pub fn memory_length(head: &Head) -> usize {
    head.nv + super::memory_length(head)
}

/// Finds the forces of constraints and the acceleration they lead to. Returns the number of iterations.
#[inline(always)]
pub fn solve<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    given: &Given<'_, T>,
    out: Solution<'_, T>,
    words: Shared<'_, i32>,
    memory: Shared<'_, T>,
) -> usize {
    let (head, trees) = (&scene.head, scene.tables.dof_trees);
    let maps = Maps::cut(head, words);
    let (own, memory) = memory.split_at(head.nv);
    warp.each(head.nv, |i| maps.dofs[i].set(i as i32));
    let mut solver = Solver::<T, true> {
        warp,
        scene,
        given,
        part: Part::whole(scene, given),
        maps,
        qacc: out.qacc,
        qfrc_constraint: out.qfrc_constraint,
        work: Work::cut(head, memory),
    };
    if given.rows == 0 {
        solver.copy(given.qacc_smooth, out.qacc);
        warp.each(head.nv, |i| out.qfrc_constraint[i].set(T::ZERO));
        return 0;
    }
    warp.each(given.rows, |i| maps.rows[i].set(i as i32));
    warp.each(given.cones, |i| {
        maps.cones[i].set(i as i32);
        maps.cone_rows[i].set(given.cone_rows[i]);
    });
    solver.choose_start();
    let parts = &Finding {
        warp,
        scene,
        given,
        maps,
    };
    let count = parts.find();
    // What no row touches moves as if there were none.
    warp.each(head.nv, |i| {
        if maps.tree_part[trees[i] as usize].get() < 0 {
            out.qacc[i].set(given.qacc_smooth[i]);
            out.qfrc_constraint[i].set(T::ZERO);
        }
    });
    solver.qacc = own;
    let mut iterations = 0;
    for k in 0..count {
        solver.part = parts.list(k as i32);
        let n = solver.part.dofs;
        warp.each(n, |i| own[i].set(out.qacc[maps.dof(i)].get()));
        solver.multiply_rows(own, solver.work.residual);
        warp.each(solver.part.rows, |i| {
            let residual = &solver.work.residual[i];
            residual.set(residual.get() - given.aref[maps.row(i)]);
        });
        iterations += solver.descend();
        let (work, is_read) = (&solver.work, !out.force.is_empty());
        warp.each(solver.part.rows * usize::from(is_read), |i| {
            out.force[maps.row(i)].set(work.force[i].get());
        });
        warp.each(n, |i| out.qacc[maps.dof(i)].set(own[i].get()));
    }
    iterations
}

impl<T: Number, const PARTS: bool> Solver<'_, T, PARTS> {
    /// Whether a row has a degree of freedom.
    #[inline(always)]
    pub(super) fn touches(&self, row: usize, dof: usize) -> bool {
        let words = self.scene.head.dof_words();
        self.given.row_dofs[row * words + dof / 32] >> (dof % 32) & 1 != 0
    }

    /// A row of the part times a vector: as a full matrix would have it, or as compressed rows would.
    #[inline(always)]
    pub(super) fn multiply_row(&self, i: usize, x: Shared<'_, T>) -> T {
        let (start, row) = (self.row_start(i), self.row(i));
        let product = |j: usize| self.entry(start, j) * x[j].get();
        if self.scene.head.is_sparse == 0 {
            return crate::sums::dot_of(self.dofs(), product);
        }
        crate::sums::sparse_dot_where(self.dofs(), |j| self.touches(row, self.dof(j)), product)
    }
}

/// A warp that looks for parts.
struct Finding<'a, T> {
    warp: Warp,
    scene: &'a Scene<'a, T>,
    given: &'a Given<'a, T>,
    maps: Maps<'a>,
}

impl<T: Number> Finding<'_, T> {
    /// The first degree of freedom from one on that a row has.
    #[inline(always)]
    fn next_dof(&self, row: usize, from: usize) -> Option<usize> {
        next_bit(
            self.given.row_dofs,
            row * self.scene.head.dof_words(),
            self.scene.head.nv,
            from,
        )
    }

    /// The tree of the first degree of freedom that a row has.
    #[inline(always)]
    fn tree(&self, row: usize) -> usize {
        let dof = self.next_dof(row, 0).unwrap_or(0);
        self.scene.tables.dof_trees[dof] as usize
    }

    #[inline(always)]
    fn is_in(&self, tree: usize, part: i32) -> bool {
        self.maps.tree_part[tree].get() == part
    }

    /// Finds out which part each tree belongs to; how many there are. Parts are numbered by their first tree.
    #[inline(always)]
    fn find(&self) -> usize {
        let (head, maps) = (&self.scene.head, &self.maps);
        if head.by_island == 0 {
            self.warp
                .each(head.trees, |tree| maps.tree_part[tree].set(0));
            return 1;
        }
        self.warp.each(head.trees, |tree| {
            maps.degree[tree].set(tree as i32);
            maps.tree_part[tree].set(-1);
        });
        self.warp.each(1, |_| {
            for row in 0..self.given.rows {
                self.tie(row);
            }
            let mut count = 0;
            for tree in 0..head.trees {
                if maps.tree_part[tree].get() < 0 {
                    continue;
                }
                let root = root(maps.degree, tree);
                let part = if root == tree {
                    count += 1;
                    count - 1
                } else {
                    maps.tree_part[root].get()
                };
                maps.tree_part[tree].set(part);
            }
            maps.touched[0].set(count);
        });
        maps.touched[0].get() as usize
    }

    /// Ties the trees of a row together; the first stands for all.
    #[inline(always)]
    fn tie(&self, row: usize) {
        let (tables, maps) = (&self.scene.tables, &self.maps);
        let first = self.tree(row);
        maps.tree_part[first].set(0);
        let mut last = first;
        let mut from = tables.tree_starts[first + 1] as usize;
        while let Some(dof) = self.next_dof(row, from) {
            let tree = tables.dof_trees[dof] as usize;
            maps.tree_part[tree].set(0);
            let (a, b) = (root(maps.degree, last), root(maps.degree, tree));
            maps.degree[a.max(b)].set(a.min(b) as i32);
            last = tree;
            from = tables.tree_starts[tree + 1] as usize;
        }
    }

    /// Lists what belongs to a part.
    #[inline(always)]
    fn list(&self, part: i32) -> Part<T> {
        let (head, given, maps) = (&self.scene.head, self.given, &self.maps);
        let trees = self.scene.tables.dof_trees;
        let dofs = self.gather(head.nv, maps.dofs, |i| self.is_in(trees[i] as usize, part));
        let rows = self.gather(given.rows, maps.rows, |i| self.is_in(self.tree(i), part));
        let of_cone = |i: usize| self.is_in(self.tree(given.cone_rows[i] as usize), part);
        let cones = self.gather(given.cones, maps.cones, of_cone);
        let before = |row: usize| place_of(maps.rows, rows, row);
        self.warp.each(cones, |i| {
            let row = given.cone_rows[maps.cones[i].get() as usize] as usize;
            maps.cone_rows[i].set(before(row) as i32);
        });
        let has_blocks = self.has_blocks(part);
        let equality_count = before(given.equality_count);
        let frictions_end = before(given.equality_count + given.friction_count);
        Part {
            dofs,
            rows,
            equality_count,
            friction_count: frictions_end - equality_count,
            cones,
            scale: match head.by_island {
                0 => given.scale,
                _ => self.scale(dofs),
            },
            has_blocks,
            is_large: head.is_large != 0 && !has_blocks && dofs > MOST_DOFS,
        }
    }

    /// `sinew_solver::problem::inertia_scale`.
    #[inline(always)]
    fn scale(&self, dofs: usize) -> T {
        let tree = &self.scene.tree;
        let mut sum = T::ZERO;
        for i in 0..dofs {
            let dof = self.maps.dof(i);
            sum += self.given.M[(tree.M_rowadr[dof] + tree.M_rownnz[dof] - 1) as usize];
        }
        T::ONE / sum
    }

    #[inline(always)]
    fn has_blocks(&self, part: i32) -> bool {
        let starts = self.scene.tables.tree_starts;
        let (mut count, mut largest) = (0, 0);
        for tree in 0..self.scene.head.trees {
            if self.is_in(tree, part) {
                count += 1;
                largest = largest.max((starts[tree + 1] - starts[tree]) as usize);
            }
        }
        (FEWEST_BLOCKS..=MOST_BLOCKS).contains(&count) && largest <= LARGEST_BLOCK
    }

    /// Lists the numbers below a count that a test holds for; how many there are.
    #[inline(always)]
    fn gather(&self, count: usize, list: Shared<'_, i32>, test: impl Fn(usize) -> bool) -> usize {
        let (mut found, mut first) = (0, 0);
        while first < count {
            let wanted = self.warp.which(first, count, &test);
            self.warp.each(LANES, |lane| {
                if wanted >> lane & 1 != 0 {
                    let before = wanted & ((1 << lane) - 1);
                    let place = found + before.count_ones() as usize;
                    list[place].set((first + lane) as i32);
                }
            });
            found += wanted.count_ones() as usize;
            first += LANES;
        }
        found
    }
}

/// The first bit that is set from one on, of as many as there are, in words that begin in a place.
#[inline(always)]
pub(super) fn next_bit(words: &[i32], start: usize, count: usize, from: usize) -> Option<usize> {
    let mut i = from;
    while i < count {
        let rest = (words[start + i / 32] as u32) >> (i % 32);
        if rest != 0 {
            return Some(i + rest.trailing_zeros() as usize);
        }
        i = (i / 32 + 1) * 32;
    }
    None
}

/// The tree that stands for the trees that are tied to one.
#[inline(always)]
fn root(above: &[Cell<i32>], tree: usize) -> usize {
    let mut tree = tree;
    while above[tree].get() as usize != tree {
        tree = above[tree].get() as usize;
    }
    tree
}

/// How many numbers of an ascending list are below one.
#[inline(always)]
pub(super) fn place_of(list: &[Cell<i32>], count: usize, number: usize) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        if (list[middle].get() as usize) < number {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
