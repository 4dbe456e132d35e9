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
use sinew_model::kinds::DisableFlag;

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
}

/// Finds the islands.
#[doc(alias = "mj_island")]
pub fn compute(model: &Model, contacts: &Contacts, constraints: &Constraints, out: &mut Islands) {
    out.nisland = 0;
    out.nidof = 0;
    let is_disabled = model.opt.disableflags & DisableFlag::Island.code() != 0;
    if is_disabled || constraints.nefc() == 0 {
        return;
    }
    out.join_trees(model, contacts, constraints);
    out.number(model);
    out.list_dofs(model);
    out.list_rows(model, contacts, constraints);
}

impl Islands {
    /// Joins the trees that each row touches.
    fn join_trees(&mut self, model: &Model, contacts: &Contacts, constraints: &Constraints) {
        self.parent.clear();
        self.parent.extend(0..model.ntree as u32);
        self.is_touched.clear();
        self.is_touched.resize(model.ntree, false);
        for row in 0..constraints.nefc() {
            let (columns, _) = constraints.jacobian().row(row);
            if columns.is_empty() {
                let tree = tree_of_empty_row(model, contacts, constraints, row);
                self.is_touched[tree] = true;
                continue;
            }
            let mut first = None;
            let mut last = -1;
            for &column in columns {
                let tree = model.dof_treeid[column as usize];
                if tree == last {
                    continue;
                }
                last = tree;
                let root = self.root(tree as u32);
                match first {
                    None => {
                        self.is_touched[tree as usize] = true;
                        first = Some(root);
                    }
                    Some(other) => {
                        self.is_touched[tree as usize] = true;
                        // The lowest tree stands for the island.
                        let (low, high) = (root.min(other), root.max(other));
                        self.parent[high as usize] = low;
                        first = Some(low);
                    }
                }
            }
        }
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
        self.dof_island.clear();
        self.dof_island.extend(
            model
                .dof_treeid
                .iter()
                .map(|tree| self.tree_island[*tree as usize]),
        );
        self.island_nv.clear();
        self.island_nv.resize(self.nisland, 0);
        for &island in self.dof_island.iter().filter(|island| **island >= 0) {
            self.island_nv[island as usize] += 1;
        }
        starts(&self.island_nv, &mut self.island_idofadr);
        self.nidof = self.island_nv.iter().sum::<i32>() as usize;
        self.map_idof2dof.resize(nv, 0);
        self.map_dof2idof.resize(nv, 0);
        let mut rest = self.nidof as i32;
        for dof in 0..nv {
            let slot = match self.dof_island[dof] {
                island if island >= 0 => &mut self.island_idofadr[island as usize],
                _ => &mut rest,
            };
            self.map_idof2dof[*slot as usize] = dof as i32;
            self.map_dof2idof[dof] = *slot;
            *slot += 1;
        }
        starts(&self.island_nv, &mut self.island_idofadr);
    }

    fn list_rows(&mut self, model: &Model, contacts: &Contacts, constraints: &Constraints) {
        let rows = constraints.nefc();
        for counts in [
            &mut self.island_ne,
            &mut self.island_nf,
            &mut self.island_nefc,
        ] {
            counts.clear();
            counts.resize(self.nisland, 0);
        }
        self.efc_island.clear();
        for row in 0..rows {
            let (columns, _) = constraints.jacobian().row(row);
            let tree = match columns.first() {
                Some(column) => model.dof_treeid[*column as usize] as usize,
                None => tree_of_empty_row(model, contacts, constraints, row),
            };
            let island = self.tree_island[tree];
            self.efc_island.push(island);
            let island = island as usize;
            self.island_nefc[island] += 1;
            self.island_ne[island] += i32::from(row < constraints.ne);
            let is_friction = (constraints.ne..constraints.ne + constraints.nf).contains(&row);
            self.island_nf[island] += i32::from(is_friction);
        }
        starts(&self.island_nefc, &mut self.island_iefcadr);
        self.map_iefc2efc.resize(rows, 0);
        self.map_efc2iefc.resize(rows, 0);
        for row in 0..rows {
            let slot = &mut self.island_iefcadr[self.efc_island[row] as usize];
            self.map_iefc2efc[*slot as usize] = row as i32;
            self.map_efc2iefc[row] = *slot;
            *slot += 1;
        }
        starts(&self.island_nefc, &mut self.island_iefcadr);
    }
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
    pub fn dofs(&self, island: usize) -> &[i32] {
        let start = self.island_idofadr[island] as usize;
        &self.map_idof2dof[start..start + self.island_nv[island] as usize]
    }

    /// Rows of an island, ascending.
    pub fn rows(&self, island: usize) -> &[i32] {
        let start = self.island_iefcadr[island] as usize;
        &self.map_iefc2efc[start..start + self.island_nefc[island] as usize]
    }
}
