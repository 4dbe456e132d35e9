//! Islands: groups of kinematic trees that constraints tie together.
//!
//! Trees are joined by every constraint row whose Jacobian touches them. A contact within one body
//! moves nothing and has an empty row; it belongs to the tree of that body. Islands are numbered by
//! their lowest tree; trees without constraint rows belong to none. Each island can be solved on
//! its own: its degrees of freedom and rows, in their global order, are listed here. Conforms to
//! `mj_island`.

use super::constraint::Constraints;
use super::contact::Contacts;
use sinew_model::Model;
use sinew_model::column::Group;
use sinew_model::kinds::{Constraint, DisableFlag};

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
    /// Rows that follow each other and belong together: how many, and a tree they touch.
    runs: Vec<(u32, u32)>,
}

impl Group for Islands {
    fn new(_: &Model) -> Self {
        Islands::default()
    }

    fn clear(&mut self, _: &Model) {
        Islands::clear(self);
    }

    fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }
}

/// Finds the islands.
#[doc(alias = "mj_island")]
pub(crate) fn compute(
    model: &Model,
    contacts: &Contacts,
    constraints: &Constraints,
    out: &mut Islands,
) {
    out.clear();
    let is_disabled = model.opt.disableflags & DisableFlag::Island.code() != 0;
    if is_disabled || constraints.nefc() == 0 {
        return;
    }
    out.join_trees(model, contacts, constraints);
    out.number(model);
    out.list_dofs(model);
    out.list_rows(constraints);
}

impl Islands {
    /// No islands. What each tree belonged to last stays.
    pub(crate) fn clear(&mut self) {
        (self.nisland, self.nidof) = (0, 0);
    }

    /// Joins the trees that each row touches.
    fn join_trees(&mut self, model: &Model, contacts: &Contacts, constraints: &Constraints) {
        self.parent.clear();
        self.parent.extend(0..model.ntree as u32);
        self.is_touched.clear();
        self.is_touched.resize(model.ntree, false);
        self.runs.clear();
        let jacobian = constraints.jacobian();
        let first_contact_row = constraints.ne + constraints.nf + constraints.nl;
        let mut row = 0;
        while row < constraints.nefc() {
            let count = row_count(constraints, row);
            let (columns, _) = jacobian.row(row);
            let tree = |column: i32| model.dof_treeid[column as usize] as u32;
            let first = match columns {
                [] => {
                    let tree = tree_of_empty_row(model, contacts, constraints, row);
                    self.is_touched[tree] = true;
                    tree as u32
                }
                [first, .., last] => {
                    let (first, last) = (tree(*first), tree(*last));
                    self.is_touched[first as usize] = true;
                    if first != last {
                        self.join(first, last);
                        // A contact ties two trees at most.
                        if row < first_contact_row {
                            for &column in columns {
                                self.join(first, tree(column));
                            }
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
            self.runs.push((count as u32, first));
            row += count;
        }
    }

    /// Joins two trees; the lowest stands for the island.
    fn join(&mut self, first: u32, second: u32) {
        self.is_touched[second as usize] = true;
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

    fn number(&mut self, model: &Model) {
        self.tree_island.clear();
        self.tree_island.resize(model.ntree, -1);
        for tree in 0..model.ntree {
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

    fn list_dofs(&mut self, model: &Model) {
        let nv = model.nv;
        self.dof_island.resize(nv, -1);
        self.island_nv.clear();
        self.island_nv.resize(self.nisland, 0);
        let trees = |tree: usize| {
            let start = model.tree_dofadr[tree] as usize;
            start..start + model.tree_dofnum[tree] as usize
        };
        for (tree, &island) in self.tree_island.iter().enumerate() {
            self.dof_island[trees(tree)].fill(island);
            if island >= 0 {
                self.island_nv[island as usize] += model.tree_dofnum[tree];
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

    fn list_rows(&mut self, constraints: &Constraints) {
        let rows = constraints.nefc();
        for counts in [
            &mut self.island_ne,
            &mut self.island_nf,
            &mut self.island_nefc,
        ] {
            counts.clear();
            counts.resize(self.nisland, 0);
        }
        self.efc_island.resize(rows, 0);
        let (equalities, frictions) = (constraints.ne, constraints.ne + constraints.nf);
        let mut row = 0;
        for &(count, tree) in &self.runs {
            let island = self.tree_island[tree as usize];
            self.efc_island[row..row + count as usize].fill(island);
            let island = island as usize;
            self.island_nefc[island] += count as i32;
            if row < equalities {
                self.island_ne[island] += count as i32;
            } else if row < frictions {
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

/// Number of rows from this one on that share columns, as those of a contact do.
#[inline]
fn row_count(constraints: &Constraints, row: usize) -> usize {
    const PYRAMIDAL: i32 = Constraint::ContactPyramidal.code();
    const ELLIPTIC: i32 = Constraint::ContactElliptic.code();
    let (kind, id) = (constraints.efc_type[row], constraints.efc_id[row]);
    if !matches!(kind, PYRAMIDAL | ELLIPTIC) {
        return 1;
    }
    // Told by the rows themselves: users may have changed the contact since they were made.
    let others = constraints.efc_type[row..]
        .iter()
        .zip(&constraints.efc_id[row..]);
    others.take_while(|other| *other == (&kind, &id)).count()
}

/// The tree of a contact that no degree of freedom changes: that of one of its bodies.
fn tree_of_empty_row(
    model: &Model,
    contacts: &Contacts,
    constraints: &Constraints,
    row: usize,
) -> usize {
    let contact = &contacts.contact[constraints.efc_id[row] as usize];
    let trees = contact
        .geom
        .map(|geom| model.body_treeid[model.geom_bodyid[geom as usize] as usize]);
    trees
        .into_iter()
        .find_map(|tree| usize::try_from(tree).ok())
        .unwrap_or(0)
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

impl Islands {
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
}
