//! Islands: groups of kinematic trees that constraint rows tie together.
//!
//! Trees are joined by every row whose Jacobian touches them. Islands are numbered by their lowest
//! tree; trees without rows belong to none. Each island can be solved on its own (`gather`): its
//! degrees of freedom and rows, in their global order, are listed here. Conforms to `mj_island`.

pub(crate) mod gather;

use crate::rows::Rows;
use core::ops::Range;

/// What the search for islands reads.
#[derive(Clone, Copy, Debug)]
pub struct Coupling<'a> {
    /// First degree of freedom of each tree.
    pub tree_dofadr: &'a [i32],
    /// Degrees of freedom of each tree.
    pub tree_dofnum: &'a [i32],
    /// Tree of each degree of freedom.
    pub dof_treeid: &'a [i32],
    /// Constraint Jacobian.
    pub jacobian: Rows<'a>,
    /// Number of equality rows.
    pub equality_count: usize,
    /// Number of dry-friction rows.
    pub friction_count: usize,
    /// First of the rows at the end that tie two trees at most: contacts of geoms.
    pub contact_start: usize,
}

impl Coupling<'_> {
    /// Equalities, dry friction, everything else.
    fn kinds(&self) -> [Range<usize>; 3] {
        let frictions = self.equality_count + self.friction_count;
        [
            0..self.equality_count,
            self.equality_count..frictions,
            frictions..self.jacobian.count(),
        ]
    }
}

/// The partition of trees, degrees of freedom and rows.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// Number of islands.
    pub nisland: usize,
    /// Number of degrees of freedom in islands.
    pub nidof: usize,
    /// Island of each tree; −1: none.
    pub tree_island: Vec<i32>,
    /// Island of each degree of freedom; −1: none.
    pub dof_island: Vec<i32>,
    /// Island of each row.
    pub efc_island: Vec<i32>,
    /// Degrees of freedom by island, then those of none.
    pub map_idof2dof: Vec<i32>,
    /// Position of each degree of freedom in that list.
    pub map_dof2idof: Vec<i32>,
    /// Rows by island.
    pub map_iefc2efc: Vec<i32>,
    /// Position of each row in that list.
    pub map_efc2iefc: Vec<i32>,
    /// Degrees of freedom of each island.
    pub island_nv: Vec<i32>,
    /// First degree of freedom of each island in its list.
    pub island_idofadr: Vec<i32>,
    /// Equality rows of each island.
    pub island_ne: Vec<i32>,
    /// Dry-friction rows of each island.
    pub island_nf: Vec<i32>,
    /// Rows of each island.
    pub island_nefc: Vec<i32>,
    /// First row of each island in its list.
    pub island_iefcadr: Vec<i32>,
    parent: Vec<u32>,
    is_touched: Vec<bool>,
    /// Rows that follow each other, are of one kind and share columns: how many, and a tree they touch.
    runs: Vec<(u32, u32)>,
}

impl Islands {
    /// No islands. What each tree belonged to last stays.
    pub fn clear(&mut self) {
        (self.nisland, self.nidof) = (0, 0);
    }

    /// Finds the islands. A row without entries belongs to the tree that `tree_of_empty_row` tells.
    #[doc(alias = "mj_island")]
    pub fn find(&mut self, coupling: &Coupling<'_>, tree_of_empty_row: impl Fn(usize) -> usize) {
        self.clear();
        if coupling.jacobian.count() == 0 {
            return;
        }
        self.join_trees(coupling, tree_of_empty_row);
        self.number(coupling.tree_dofnum.len());
        self.list_dofs(coupling);
        self.list_rows(coupling);
    }

    /// Whether there is one island with as many degrees of freedom.
    pub(crate) fn is_everything(&self, dof_count: usize) -> bool {
        self.nisland == 1 && self.nidof == dof_count
    }

    /// Degrees of freedom of an island, ascending.
    pub(crate) fn dofs(&self, island: usize) -> &[i32] {
        let start = self.island_idofadr[island] as usize;
        &self.map_idof2dof[start..start + self.island_nv[island] as usize]
    }

    /// Rows of an island, ascending.
    pub(crate) fn rows(&self, island: usize) -> &[i32] {
        let start = self.island_iefcadr[island] as usize;
        &self.map_iefc2efc[start..start + self.island_nefc[island] as usize]
    }

    /// Joins the trees that each row touches.
    fn join_trees(&mut self, coupling: &Coupling<'_>, tree_of_empty_row: impl Fn(usize) -> usize) {
        let tree_count = coupling.tree_dofnum.len();
        self.parent.clear();
        self.parent.extend(0..tree_count as u32);
        self.is_touched.clear();
        self.is_touched.resize(tree_count, false);
        self.runs.clear();
        for rows in coupling.kinds() {
            self.join_trees_of(coupling, rows, &tree_of_empty_row);
        }
    }

    /// Joins the trees of rows of one kind.
    fn join_trees_of(
        &mut self,
        coupling: &Coupling<'_>,
        rows: Range<usize>,
        tree_of_empty_row: impl Fn(usize) -> usize,
    ) {
        let jacobian = coupling.jacobian;
        let tree = |column: i32| coupling.dof_treeid[column as usize] as u32;
        let mut row = rows.start;
        while row < rows.end {
            let (columns, _) = jacobian.row(row);
            let first = match columns {
                [] => {
                    let tree = tree_of_empty_row(row);
                    self.is_touched[tree] = true;
                    tree as u32
                }
                [first, .., last] => {
                    let (first, last) = (tree(*first), tree(*last));
                    self.is_touched[first as usize] = true;
                    if first != last {
                        self.join(first, last);
                        if row < coupling.contact_start {
                            self.join_all(first, columns.iter().map(|column| tree(*column)));
                        }
                    }
                    first
                }
                [only] => {
                    let only = tree(*only);
                    self.is_touched[only as usize] = true;
                    only
                }
            };
            let others = jacobian.repeats[row + 1..rows.end].iter();
            let count = 1 + others.take_while(|repeats| **repeats).count();
            self.runs.push((count as u32, first));
            row += count;
        }
    }

    /// Joins a tree with others, of which many follow each other.
    fn join_all(&mut self, first: u32, others: impl Iterator<Item = u32>) {
        let mut last = first;
        for other in others {
            if other != last {
                self.join(first, other);
                last = other;
            }
        }
    }

    /// Joins two trees; the lowest stands for the island.
    fn join(&mut self, first: u32, second: u32) {
        self.is_touched[second as usize] = true;
        if self.parent[first as usize] == self.parent[second as usize] {
            return;
        }
        let (first, second) = (self.root(first), self.root(second));
        self.parent[first.max(second) as usize] = first.min(second);
    }

    fn root(&mut self, mut tree: u32) -> u32 {
        while self.parent[tree as usize] != tree {
            let above = self.parent[self.parent[tree as usize] as usize];
            self.parent[tree as usize] = above;
            tree = above;
        }
        tree
    }

    fn number(&mut self, tree_count: usize) {
        self.tree_island.clear();
        self.tree_island.resize(tree_count, -1);
        for tree in 0..tree_count {
            if !self.is_touched[tree] {
                continue;
            }
            let root = self.root(tree as u32) as usize;
            if root == tree {
                self.tree_island[tree] = self.nisland as i32;
                self.nisland += 1;
            } else {
                self.tree_island[tree] = self.tree_island[root];
            }
        }
    }

    fn list_dofs(&mut self, coupling: &Coupling<'_>) {
        let nv = coupling.dof_treeid.len();
        self.dof_island.resize(nv, -1);
        self.island_nv.clear();
        self.island_nv.resize(self.nisland, 0);
        let trees = |tree: usize| {
            let start = coupling.tree_dofadr[tree] as usize;
            start..start + coupling.tree_dofnum[tree] as usize
        };
        for (tree, &island) in self.tree_island.iter().enumerate() {
            self.dof_island[trees(tree)].fill(island);
            if island >= 0 {
                self.island_nv[island as usize] += coupling.tree_dofnum[tree];
            }
        }
        starts(&self.island_nv, &mut self.island_idofadr);
        self.nidof = self.island_nv.iter().sum::<i32>() as usize;
        self.map_idof2dof.resize(nv, 0);
        self.map_dof2idof.resize(nv, 0);
        let mut rest = self.nidof as i32;
        for (tree, &island) in self.tree_island.iter().enumerate() {
            let slot = match island {
                island if island >= 0 => &mut self.island_idofadr[island as usize],
                _ => &mut rest,
            };
            let dofs = trees(tree);
            number_run(
                &mut self.map_dof2idof,
                &mut self.map_idof2dof,
                dofs.start,
                dofs.len(),
                slot,
            );
        }
        starts(&self.island_nv, &mut self.island_idofadr);
    }

    fn list_rows(&mut self, coupling: &Coupling<'_>) {
        let rows = coupling.jacobian.count();
        for counts in [
            &mut self.island_ne,
            &mut self.island_nf,
            &mut self.island_nefc,
        ] {
            counts.clear();
            counts.resize(self.nisland, 0);
        }
        self.efc_island.resize(rows, 0);
        let [equalities, frictions, _] = coupling.kinds();
        let mut row = 0;
        for &(count, tree) in &self.runs {
            let island = self.tree_island[tree as usize];
            self.efc_island[row..row + count as usize].fill(island);
            let island = island as usize;
            self.island_nefc[island] += count as i32;
            if equalities.contains(&row) {
                self.island_ne[island] += count as i32;
            } else if frictions.contains(&row) {
                self.island_nf[island] += count as i32;
            }
            row += count as usize;
        }
        starts(&self.island_nefc, &mut self.island_iefcadr);
        self.map_iefc2efc.resize(rows, 0);
        self.map_efc2iefc.resize(rows, 0);
        let mut row = 0;
        for &(count, tree) in &self.runs {
            let island = self.tree_island[tree as usize] as usize;
            number_run(
                &mut self.map_efc2iefc,
                &mut self.map_iefc2efc,
                row,
                count as usize,
                &mut self.island_iefcadr[island],
            );
            row += count as usize;
        }
        starts(&self.island_nefc, &mut self.island_iefcadr);
    }
}

/// Puts the next `count` members of a whole, from `start` on, into the next places of a part.
#[inline]
fn number_run(place: &mut [i32], member: &mut [i32], start: usize, count: usize, slot: &mut i32) {
    let first = *slot as usize;
    for (k, place) in place[start..start + count].iter_mut().enumerate() {
        *place = (first + k) as i32;
    }
    for (k, member) in member[first..first + count].iter_mut().enumerate() {
        *member = (start + k) as i32;
    }
    *slot += count as i32;
}

/// First position of each group, given the sizes.
fn starts(counts: &[i32], out: &mut Vec<i32>) {
    out.clear();
    let mut start = 0;
    for &count in counts {
        out.push(start);
        start += count;
    }
}
