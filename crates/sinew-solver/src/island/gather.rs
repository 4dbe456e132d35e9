//! The rows and degrees of freedom of one island as a problem of their own.

use super::Islands;
use crate::log::Log;
use crate::primal::{self, Iterate, make_room};
use crate::problem::{Cone, ConeShape, Problem, Settings, inertia_scale};
use crate::rows::Rows;
use core::ops::Range;
use sinew_math::tree::TreeRows;

/// Lists of more rows do not grow step by step: they would leave holes.
const MANY_ROWS: usize = 4096;

/// One island, gathered.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandProblem {
    equality_count: usize,
    friction_count: usize,
    jacobian: OwnedRows,
    cones: Vec<Cone>,
    cone_shapes: Vec<ConeShape>,
    D: Vec<f64>,
    R: Vec<f64>,
    frictionloss: Vec<f64>,
    aref: Vec<f64>,
    tree: Vec<i32>,
    inertia: OwnedInertia,
    qfrc_smooth: Vec<f64>,
    qacc_smooth: Vec<f64>,
    qacc: Vec<f64>,
    residual: Vec<f64>,
    qfrc_constraint: Vec<f64>,
    force: Vec<f64>,
    state: Vec<f64>,
}

/// Rows of J with their own storage.
#[derive(Clone, Debug, Default)]
struct OwnedRows {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    repeats: Vec<bool>,
    value: Vec<f64>,
    is_dense: bool,
    full: Vec<f64>,
}

/// The inertia and its factor with their own storage.
#[derive(Clone, Debug, Default)]
struct OwnedInertia {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    value: Vec<f64>,
    factor: Vec<f64>,
    factor_inverse: Vec<f64>,
}

impl IslandProblem {
    /// Copies the island's part of the whole problem, and of where it starts.
    pub fn gather(
        &mut self,
        whole: &Problem<'_>,
        islands: &Islands,
        island: usize,
        start: &Iterate<'_>,
    ) {
        self.equality_count = islands.island_ne[island] as usize;
        self.friction_count = islands.island_nf[island] as usize;
        self.gather_dofs(whole, islands, island, start.qacc);
        self.gather_rows(whole, islands, island, start.residual);
    }

    /// Degrees of freedom: inertia and its factor stay within the trees of the island.
    fn gather_dofs(&mut self, whole: &Problem<'_>, islands: &Islands, island: usize, qacc: &[f64]) {
        let dofs = islands.dofs(island);
        self.inertia.clear();
        self.tree.clear();
        for vector in [&mut self.qfrc_smooth, &mut self.qacc_smooth, &mut self.qacc] {
            vector.clear();
        }
        for run in consecutive(dofs) {
            let first = islands.map_dof2idof[run.start] - islands.island_idofadr[island];
            self.inertia.extend(whole, run.clone(), first);
            self.qfrc_smooth
                .extend_from_slice(&whole.qfrc_smooth[run.clone()]);
            self.qacc_smooth
                .extend_from_slice(&whole.qacc_smooth[run.clone()]);
            self.qacc.extend_from_slice(&qacc[run.clone()]);
            self.tree.extend_from_slice(&whole.tree[run]);
        }
        self.qfrc_constraint.resize(dofs.len(), 0.0);
    }

    /// Many rows get their memory at once.
    #[cold]
    fn make_room_for(&mut self, whole: &Problem<'_>, rows: &[i32]) {
        let widths = rows.iter().map(|row| whole.jacobian.rownnz[*row as usize]);
        self.jacobian
            .make_room(rows.len(), widths.map(|width| width as usize).sum());
        for vector in [
            &mut self.D,
            &mut self.R,
            &mut self.frictionloss,
            &mut self.aref,
            &mut self.residual,
        ] {
            make_room(vector, rows.len());
        }
    }

    /// Rows, with columns renumbered.
    fn gather_rows(
        &mut self,
        whole: &Problem<'_>,
        islands: &Islands,
        island: usize,
        residual: &[f64],
    ) {
        let (dofs, rows) = (islands.dofs(island), islands.rows(island));
        self.jacobian.clear(whole.jacobian.full.is_some());
        for vector in [
            &mut self.D,
            &mut self.R,
            &mut self.frictionloss,
            &mut self.aref,
            &mut self.residual,
        ] {
            vector.clear();
        }
        self.cones.clear();
        self.cone_shapes.clear();
        if rows.len() > MANY_ROWS {
            self.make_room_for(whole, rows);
        }
        let first_dof = islands.island_idofadr[island];
        let first_row = islands.island_iefcadr[island];
        let is_one_run = dofs
            .last()
            .is_some_and(|last| (last - dofs[0]) as usize + 1 == dofs.len());
        for run in consecutive(rows) {
            if is_one_run {
                let renumber = |column: i32| column - dofs[0];
                self.jacobian.extend(whole.jacobian, run.clone(), renumber);
            } else {
                let renumber = |column: i32| islands.map_dof2idof[column as usize] - first_dof;
                self.jacobian.extend(whole.jacobian, run.clone(), renumber);
            }
            self.residual.extend_from_slice(&residual[run.clone()]);
            self.D.extend_from_slice(&whole.D[run.clone()]);
            self.R.extend_from_slice(&whole.R[run.clone()]);
            self.frictionloss
                .extend_from_slice(&whole.frictionloss[run.clone()]);
            self.aref.extend_from_slice(&whole.aref[run.clone()]);
            let first_cone = whole.cones.partition_point(|cone| cone.row < run.start);
            let end_cone = whole.cones.partition_point(|cone| cone.row < run.end);
            let cones = whole.cones[first_cone..end_cone].iter();
            self.cones.extend(cones.map(|cone| Cone {
                row: (islands.map_efc2iefc[cone.row] - first_row) as usize,
                ..*cone
            }));
            let shapes = &whole.cone_shapes[first_cone..end_cone];
            self.cone_shapes.extend_from_slice(shapes);
        }
        self.jacobian.expand(dofs.len());
        self.force.resize(rows.len(), 0.0);
        self.state.resize(rows.len(), 0.0);
    }

    /// Solves the island from where it starts.
    pub fn solve(&mut self, settings: &Settings, work: &mut primal::Workspace, log: &mut Log<'_>) {
        let inertia_rows = self.inertia.rows();
        let problem = Problem {
            equality_count: self.equality_count,
            friction_count: self.friction_count,
            jacobian: self.jacobian.view(),
            cones: &self.cones,
            cone_shapes: &self.cone_shapes,
            pyramids: &[],
            D: &self.D,
            R: &self.R,
            frictionloss: &self.frictionloss,
            aref: &self.aref,
            tree: &self.tree,
            inertia_rows,
            inertia: &self.inertia.value,
            factor: &self.inertia.factor,
            factor_inverse: &self.inertia.factor_inverse,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            warm_start: None,
            scale: inertia_scale(inertia_rows, &self.inertia.value),
        };
        // In a full matrix the order of a sum follows from the island's own columns; the residual
        // of all rows was summed in another.
        if self.jacobian.is_dense {
            problem.residual(&self.qacc, &mut self.residual);
        }
        let mut iterate = Iterate {
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            force: &mut self.force,
            state: &mut self.state,
            residual: &mut self.residual,
        };
        work.solve(&problem, settings, &mut iterate, log);
    }

    /// Copies the island's solution to its place in the whole.
    pub fn scatter(&self, islands: &Islands, island: usize, out: &mut Iterate<'_>) {
        let mut from = 0;
        for run in consecutive(islands.dofs(island)) {
            let part = from..from + run.len();
            from = part.end;
            out.qacc[run.clone()].copy_from_slice(&self.qacc[part.clone()]);
            out.qfrc_constraint[run].copy_from_slice(&self.qfrc_constraint[part]);
        }
        let mut from = 0;
        for run in consecutive(islands.rows(island)) {
            let part = from..from + run.len();
            from = part.end;
            out.force[run.clone()].copy_from_slice(&self.force[part.clone()]);
            out.state[run].copy_from_slice(&self.state[part]);
        }
    }
}

impl OwnedRows {
    fn clear(&mut self, is_dense: bool) {
        for vector in [&mut self.rownnz, &mut self.rowadr, &mut self.colind] {
            vector.clear();
        }
        self.value.clear();
        self.repeats.clear();
        self.is_dense = is_dense;
    }

    /// Makes room for rows and their entries; there are none yet.
    fn make_room(&mut self, rows: usize, entries: usize) {
        make_room(&mut self.rownnz, rows);
        make_room(&mut self.rowadr, rows);
        make_room(&mut self.repeats, rows);
        make_room(&mut self.colind, entries);
        make_room(&mut self.value, entries);
    }

    /// Appends consecutive rows.
    fn extend(&mut self, from: Rows<'_>, run: Range<usize>, renumber: impl Fn(i32) -> i32) {
        let start = from.rowadr[run.start] as usize;
        let end = (from.rowadr[run.end - 1] + from.rownnz[run.end - 1]) as usize;
        let move_by = self.value.len() as i32 - start as i32;
        self.rownnz.extend_from_slice(&from.rownnz[run.clone()]);
        let addresses = from.rowadr[run.clone()].iter();
        self.rowadr
            .extend(addresses.map(|address| address + move_by));
        let columns = from.colind[start..end].iter();
        self.colind.extend(columns.map(|column| renumber(*column)));
        self.repeats.extend_from_slice(&from.repeats[run]);
        self.value.extend_from_slice(&from.value[start..end]);
    }

    /// Writes the full matrix, where sums run in its order.
    fn expand(&mut self, width: usize) {
        if self.is_dense {
            let mut full = core::mem::take(&mut self.full);
            self.view().expand(width, &mut full);
            self.full = full;
        }
    }

    fn view(&self) -> Rows<'_> {
        Rows {
            rownnz: &self.rownnz,
            rowadr: &self.rowadr,
            colind: &self.colind,
            repeats: &self.repeats,
            value: &self.value,
            full: self.is_dense.then_some(&self.full),
        }
    }
}

impl OwnedInertia {
    fn clear(&mut self) {
        for vector in [&mut self.rownnz, &mut self.rowadr, &mut self.colind] {
            vector.clear();
        }
        for vector in [&mut self.value, &mut self.factor, &mut self.factor_inverse] {
            vector.clear();
        }
    }

    /// Appends the consecutive degrees of freedom of whole trees; the first gets number `first`.
    fn extend(&mut self, from: &Problem<'_>, run: Range<usize>, first: i32) {
        let TreeRows {
            rownnz,
            rowadr,
            colind,
        } = from.inertia_rows;
        let start = rowadr[run.start] as usize;
        let end = (rowadr[run.end - 1] + rownnz[run.end - 1]) as usize;
        let shift = first - run.start as i32;
        let move_by = self.colind.len() as i32 - start as i32;
        self.rownnz.extend_from_slice(&rownnz[run.clone()]);
        let addresses = rowadr[run.clone()].iter();
        self.rowadr
            .extend(addresses.map(|address| address + move_by));
        let columns = colind[start..end].iter();
        self.colind.extend(columns.map(|column| column + shift));
        self.value.extend_from_slice(&from.inertia[start..end]);
        self.factor.extend_from_slice(&from.factor[start..end]);
        self.factor_inverse
            .extend_from_slice(&from.factor_inverse[run]);
    }

    fn rows(&self) -> TreeRows<'_> {
        TreeRows {
            rownnz: &self.rownnz,
            rowadr: &self.rowadr,
            colind: &self.colind,
        }
    }
}

/// The runs of consecutive numbers in an ascending list.
fn consecutive(ids: &[i32]) -> impl Iterator<Item = Range<usize>> {
    ids.chunk_by(|a, b| a + 1 == *b)
        .map(|run| run[0] as usize..run[0] as usize + run.len())
}
