//! Constraint forces and the acceleration that satisfies them.
//!
//! Starts from the better of the previous step's acceleration and the unconstrained one, and hands
//! the rows to `sinew-solver`: each island on its own for Newton and conjugate gradients, all rows
//! together otherwise. Conforms to `mj_fwdConstraint`.

use super::smooth::Smooth;
use crate::position::Position;
use crate::position::constraint::Constraints;
use crate::position::inertia::Inertia;
use crate::position::island::Islands;
use crate::state::State;
use crate::velocity::reference::Reference;
use sinew_math::tree::{self, TreeRows};
use sinew_model::Model;
use sinew_model::column::Group;
use sinew_model::kinds::{DisableFlag, Solver};
use sinew_solver::dual::Projection;
use sinew_solver::primal::{self, Method};
use sinew_solver::problem::{Cone, Problem, Rows, Settings, Statistic};
use sinew_solver::{cost, dual};
use std::ops::{Deref, DerefMut, Range};

/// Islands whose solver statistics are kept.
pub const ISLANDS_COUNTED: usize = 20;
/// Iterations whose statistics are kept.
pub const ITERATIONS_COUNTED: usize = 200;

sinew_model::columns! {
    /// Constrained dynamics.
    pub struct Solution for Model {
        sizes {
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Acceleration.
            qacc: nv x f64,
            /// Generalised force of the constraints.
            qfrc_constraint: nv x f64,
        }
        other {
            /// Force of each row.
            efc_force: Vec<f64>,
            /// Branch of its cost each row is on.
            efc_state: Vec<i32>,
            /// J·qacc_smooth − aref.
            efc_b: Vec<f64>,
            /// Iterations, per island.
            solver_niter: [i32; ISLANDS_COUNTED],
            /// What each iteration did.
            solver: Statistics,
            /// J·M⁻¹·Jᵀ + R, for the solvers that need it.
            projection: Couplings,
        }
        scratch {
            /// Storage of the solvers.
            work: Work,
        }
    }
}

/// Storage of the solvers.
#[derive(Clone, Debug, Default)]
pub struct Work {
    residual: Vec<f64>,
    inertia_acceleration: Vec<f64>,
    primal: primal::Workspace,
    dual: dual::Workspace,
    island: IslandProblem,
}

/// J·M⁻¹·Jᵀ + R, as the solver keeps it.
#[derive(Clone, Debug, Default)]
pub struct Couplings(Projection);

impl Deref for Couplings {
    type Target = Projection;
    fn deref(&self) -> &Projection {
        &self.0
    }
}

impl DerefMut for Couplings {
    fn deref_mut(&mut self) -> &mut Projection {
        &mut self.0
    }
}

impl Group for Couplings {
    fn new(_: &Model) -> Self {
        Couplings::default()
    }
    fn clear(&mut self, _: &Model) {
        self.0.clear();
    }
    fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

/// What each iteration of a solver did: island by island, up to 200 each.
#[derive(Clone, Debug)]
pub struct Statistics(Vec<Statistic>);

impl Deref for Statistics {
    type Target = [Statistic];
    fn deref(&self) -> &[Statistic] {
        &self.0
    }
}

impl DerefMut for Statistics {
    fn deref_mut(&mut self) -> &mut [Statistic] {
        &mut self.0
    }
}

impl Default for Statistics {
    fn default() -> Self {
        Statistics(vec![
            Statistic::default();
            ISLANDS_COUNTED * ITERATIONS_COUNTED
        ])
    }
}

impl Group for Statistics {
    fn new(_: &Model) -> Self {
        Statistics::default()
    }
    fn clear(&mut self, _: &Model) {
        self.0.fill(Statistic::default());
    }
    fn copy_from(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }
}

/// Finds the constrained acceleration.
#[doc(alias = "mj_fwdConstraint")]
pub(crate) fn compute(
    model: &Model,
    state: &State,
    position: &Position,
    reference: &Reference,
    smooth: &Smooth,
    out: &mut Solution,
) {
    let constraints = &position.constraints;
    let rows = constraints.nefc();
    out.solver_niter = [0; ISLANDS_COUNTED];
    out.qfrc_constraint.fill(0.0);
    out.efc_force.resize(rows, 0.0);
    out.efc_state.resize(rows, 0);
    out.efc_b.resize(rows, 0.0);
    if rows == 0 {
        out.qacc.copy_from_slice(&smooth.qacc_smooth);
        return;
    }
    let problem = whole(model, position, reference, smooth);
    problem
        .jacobian
        .multiply(&smooth.qacc_smooth, &mut out.efc_b);
    for (b, aref) in out.efc_b.iter_mut().zip(problem.aref) {
        *b -= aref;
    }
    let solver = Solver::from_code(model.opt.solver);
    let noslip = model.opt.noslip_iterations.max(0) as usize;
    if is_dual(model) {
        out.projection.compute(&problem);
    }
    warm_start(model, state, &problem, &position.islands, out);

    let settings = Settings {
        iterations: model.opt.iterations.max(0) as usize,
        tolerance: model.opt.tolerance,
        ls_tolerance: model.opt.ls_tolerance,
        ls_iterations: model.opt.ls_iterations.max(0) as usize,
    };
    let method = match solver {
        Some(Solver::Newton) => Some(Method::Newton),
        Some(Solver::Cg) => Some(Method::ConjugateGradient),
        _ => None,
    };
    match method {
        Some(method) if position.islands.nisland > 0 && noslip == 0 => {
            solve_islands(model, method, &problem, position, &settings, out);
        }
        Some(method) => {
            let statistics = &mut out.solver[..ITERATIONS_COUNTED];
            let mut solution = primal::Solution {
                qacc: &mut out.qacc,
                qfrc_constraint: &mut out.qfrc_constraint,
                force: &mut out.efc_force,
                state: &mut out.efc_state,
                residual: &out.work.residual,
            };
            let count = primal::solve(
                method,
                &problem,
                &settings,
                &mut solution,
                &mut out.work.primal,
                |i, statistic| keep(statistics, i, statistic),
            );
            out.solver_niter[0] += count as i32;
        }
        None => {
            let statistics = &mut out.solver[..ITERATIONS_COUNTED];
            let count = dual::solve(
                &problem,
                &out.projection,
                &out.efc_b,
                &settings,
                &mut out.efc_force,
                &mut out.efc_state,
                &mut out.work.dual,
                |i, statistic| keep(statistics, i, statistic),
            );
            out.solver_niter[0] += count as i32;
            dual::finish(
                &problem,
                &out.efc_force,
                &mut out.qfrc_constraint,
                &mut out.qacc,
            );
        }
    }

    if noslip > 0 {
        let before = out.solver_niter[0] as usize;
        let statistics = &mut out.solver[..ITERATIONS_COUNTED];
        let count = dual::no_slip(
            &problem,
            &constraints.pyramids,
            &out.projection,
            &out.efc_b,
            noslip,
            model.opt.noslip_tolerance,
            &mut out.efc_force,
            &mut out.efc_state,
            &mut out.work.dual,
            |i, statistic| keep(statistics, before + i, statistic),
        );
        out.solver_niter[0] += count as i32;
        dual::finish(
            &problem,
            &out.efc_force,
            &mut out.qfrc_constraint,
            &mut out.qacc,
        );
    }
}

/// Constraint forces at a given acceleration `out.qacc`.
#[doc(alias = "mj_invConstraint")]
pub(crate) fn inverse(
    model: &Model,
    position: &Position,
    reference: &Reference,
    smooth: &Smooth,
    out: &mut Solution,
) {
    let rows = position.constraints.nefc();
    out.qfrc_constraint.fill(0.0);
    out.efc_force.resize(rows, 0.0);
    out.efc_state.resize(rows, 0);
    if rows == 0 {
        return;
    }
    let problem = whole(model, position, reference, smooth);
    let residual = &mut out.work.residual;
    residual.resize(rows, 0.0);
    problem.jacobian.multiply(&out.qacc, residual);
    for (r, aref) in residual.iter_mut().zip(problem.aref) {
        *r -= aref;
    }
    cost::update(&problem, residual, &mut out.efc_state, &mut out.efc_force);
    problem
        .jacobian
        .multiply_transposed(&out.efc_force, &mut out.qfrc_constraint);
}

/// Constraint forces at given residuals J·q̈ − aref; returns the cost.
#[doc(alias = "mj_constraintUpdate")]
pub(crate) fn update(
    model: &Model,
    position: &Position,
    reference: &Reference,
    smooth: &Smooth,
    residual: &[f64],
    out: &mut Solution,
) -> f64 {
    let rows = position.constraints.nefc();
    out.efc_force.resize(rows, 0.0);
    out.efc_state.resize(rows, 0);
    out.qfrc_constraint.fill(0.0);
    if rows == 0 {
        return 0.0;
    }
    let problem = whole(model, position, reference, smooth);
    let cost = cost::update(&problem, residual, &mut out.efc_state, &mut out.efc_force);
    problem
        .jacobian
        .multiply_transposed(&out.efc_force, &mut out.qfrc_constraint);
    cost
}

fn keep(statistics: &mut [Statistic], i: usize, statistic: Statistic) {
    if let Some(slot) = statistics.get_mut(i) {
        *slot = statistic;
    }
}

/// Whether forces are what is solved for, at least in part.
#[doc(alias = "mj_isDual")]
pub fn is_dual(model: &Model) -> bool {
    model.opt.solver == Solver::Pgs.code() || model.opt.noslip_iterations > 0
}

/// J·M⁻¹·Jᵀ + R of the rows, where the solver needs it.
pub(crate) fn project(
    model: &Model,
    position: &Position,
    reference: &Reference,
    smooth: &Smooth,
    out: &mut Solution,
) {
    if is_dual(model) && position.constraints.nefc() > 0 {
        let problem = whole(model, position, reference, smooth);
        out.projection.compute(&problem);
    }
}

/// All rows as one problem.
fn whole<'a>(
    model: &'a Model,
    position: &'a Position,
    reference: &'a Reference,
    smooth: &'a Smooth,
) -> Problem<'a> {
    let Constraints {
        efc_D,
        efc_R,
        efc_frictionloss,
        cones,
        ..
    } = &position.constraints;
    let Inertia {
        M, qLD, qLDiagInv, ..
    } = &position.inertia;
    Problem {
        equality_count: position.constraints.ne,
        friction_count: position.constraints.nf,
        jacobian: position.constraints.jacobian(),
        cones,
        D: efc_D,
        R: efc_R,
        frictionloss: efc_frictionloss,
        aref: &reference.efc_aref,
        tree: &model.dof_treeid,
        inertia_rows: TreeRows {
            rownnz: &model.M_rownnz,
            rowadr: &model.M_rowadr,
            colind: &model.M_colind,
        },
        inertia: M,
        factor: qLD,
        factor_inverse: qLDiagInv,
        qfrc_smooth: &smooth.qfrc_smooth,
        qacc_smooth: &smooth.qacc_smooth,
        scale: 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64),
    }
}

/// Chooses where the solver starts, and leaves J·qacc − aref there in `residual`.
fn warm_start(
    model: &Model,
    state: &State,
    problem: &Problem<'_>,
    islands: &Islands,
    out: &mut Solution,
) {
    if model.opt.disableflags & DisableFlag::Warmstart.code() != 0 {
        out.qacc.copy_from_slice(problem.qacc_smooth);
        out.efc_force.fill(0.0);
        out.work.residual.clone_from(&out.efc_b);
        return;
    }
    let Work {
        residual,
        inertia_acceleration,
        ..
    } = &mut out.work;
    out.qacc.copy_from_slice(&state.qacc_warmstart);
    residual.resize(problem.row_count(), 0.0);
    problem.jacobian.multiply(&state.qacc_warmstart, residual);
    for (r, aref) in residual.iter_mut().zip(problem.aref) {
        *r -= aref;
    }
    if model.opt.solver == Solver::Pgs.code() {
        dual::warm_start(
            problem,
            &out.projection,
            &out.efc_b,
            residual,
            &mut out.efc_force,
            &mut out.efc_state,
            inertia_acceleration,
        );
    } else {
        let mut warm = cost::update(problem, residual, &mut out.efc_state, &mut out.efc_force);
        inertia_acceleration.resize(problem.dof_count(), 0.0);
        tree::multiply(
            problem.inertia_rows,
            problem.inertia,
            &state.qacc_warmstart,
            inertia_acceleration,
        );
        warm += primal::inertial_cost(problem, inertia_acceleration, &state.qacc_warmstart);
        let cold = cost::update(problem, &out.efc_b, &mut out.efc_state, &mut out.efc_force);
        if warm > cold {
            out.qacc.copy_from_slice(problem.qacc_smooth);
            residual.copy_from_slice(&out.efc_b);
        }
    }
    if islands.nisland > 0 {
        for &dof in &islands.map_idof2dof[islands.nidof..] {
            out.qacc[dof as usize] = problem.qacc_smooth[dof as usize];
        }
    }
}

/// Solves each island on its own.
fn solve_islands(
    model: &Model,
    method: Method,
    problem: &Problem<'_>,
    position: &Position,
    settings: &Settings,
    out: &mut Solution,
) {
    let islands = &position.islands;
    for island in 0..islands.nisland {
        let statistics = if island < ISLANDS_COUNTED {
            let start = island * ITERATIONS_COUNTED;
            &mut out.solver[start..start + ITERATIONS_COUNTED]
        } else {
            &mut []
        };
        let report = |i: usize, statistic: Statistic| keep(statistics, i, statistic);
        let count = if islands.nisland == 1 && islands.nidof == model.nv {
            // The only island is everything: nothing to gather.
            let problem = Problem {
                scale: inertia_scale(problem.inertia_rows, problem.inertia),
                ..*problem
            };
            let mut solution = primal::Solution {
                qacc: &mut out.qacc,
                qfrc_constraint: &mut out.qfrc_constraint,
                force: &mut out.efc_force,
                state: &mut out.efc_state,
                residual: &out.work.residual,
            };
            primal::solve(
                method,
                &problem,
                settings,
                &mut solution,
                &mut out.work.primal,
                report,
            )
        } else {
            let part = &mut out.work.island;
            part.gather(problem, islands, island, &out.qacc, &out.work.residual);
            let count = part.solve(method, settings, &mut out.work.primal, report);
            let dofs = islands.dofs(island);
            let mut from = 0;
            for run in consecutive(dofs) {
                let part_run = from..from + run.len();
                from = part_run.end;
                out.qacc[run.clone()].copy_from_slice(&part.qacc[part_run.clone()]);
                out.qfrc_constraint[run].copy_from_slice(&part.qfrc_constraint[part_run]);
            }
            let mut from = 0;
            for run in consecutive(islands.rows(island)) {
                let part_run = from..from + run.len();
                from = part_run.end;
                out.efc_force[run.clone()].copy_from_slice(&part.force[part_run.clone()]);
                out.efc_state[run].copy_from_slice(&part.state[part_run]);
            }
            count
        };
        if island < ISLANDS_COUNTED {
            out.solver_niter[island] += count as i32;
        }
    }
}

/// 1 over the sum of the diagonal of M.
fn inertia_scale(rows: TreeRows<'_>, inertia: &[f64]) -> f64 {
    let diagonal = |i: usize| inertia[(rows.rowadr[i] + rows.rownnz[i] - 1) as usize];
    1.0 / (0..rows.size()).map(diagonal).sum::<f64>()
}

/// The runs of consecutive numbers in an ascending list.
fn consecutive(ids: &[i32]) -> impl Iterator<Item = Range<usize>> {
    ids.chunk_by(|a, b| a + 1 == *b)
        .map(|run| run[0] as usize..run[0] as usize + run.len())
}

/// The rows and degrees of freedom of one island, gathered.
#[derive(Clone, Debug, Default)]
struct IslandProblem {
    equality_count: usize,
    friction_count: usize,
    j: OwnedRows,
    cones: Vec<Cone>,
    efc: [Vec<f64>; 4],
    tree: Vec<i32>,
    m_rownnz: Vec<i32>,
    m_rowadr: Vec<i32>,
    m_colind: Vec<i32>,
    inertia: Vec<f64>,
    factor: Vec<f64>,
    factor_inverse: Vec<f64>,
    qfrc_smooth: Vec<f64>,
    qacc_smooth: Vec<f64>,
    qacc: Vec<f64>,
    residual: Vec<f64>,
    qfrc_constraint: Vec<f64>,
    force: Vec<f64>,
    state: Vec<i32>,
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

impl OwnedRows {
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

impl IslandProblem {
    fn gather(
        &mut self,
        whole: &Problem<'_>,
        islands: &Islands,
        island: usize,
        qacc: &[f64],
        residual: &[f64],
    ) {
        let dofs = islands.dofs(island);
        let rows = islands.rows(island);
        self.equality_count = islands.island_ne[island] as usize;
        self.friction_count = islands.island_nf[island] as usize;
        let first_dof = islands.island_idofadr[island];
        let local = |dof: i32| islands.map_dof2idof[dof as usize] - first_dof;

        // Degrees of freedom: inertia and its factor stay within the trees of the island.
        for vector in [
            &mut self.tree,
            &mut self.m_rownnz,
            &mut self.m_rowadr,
            &mut self.m_colind,
        ] {
            vector.clear();
        }
        for vector in [
            &mut self.inertia,
            &mut self.factor,
            &mut self.factor_inverse,
            &mut self.qfrc_smooth,
            &mut self.qacc_smooth,
            &mut self.qacc,
        ] {
            vector.clear();
        }
        let TreeRows {
            rownnz,
            rowadr,
            colind,
        } = whole.inertia_rows;
        for run in consecutive(dofs) {
            let start = rowadr[run.start] as usize;
            let end = (rowadr[run.end - 1] + rownnz[run.end - 1]) as usize;
            let shift = local(run.start as i32) - run.start as i32;
            let move_by = self.m_colind.len() as i32 - start as i32;
            self.m_rownnz.extend_from_slice(&rownnz[run.clone()]);
            self.m_rowadr
                .extend(rowadr[run.clone()].iter().map(|address| address + move_by));
            self.m_colind
                .extend(colind[start..end].iter().map(|column| column + shift));
            self.inertia.extend_from_slice(&whole.inertia[start..end]);
            self.factor.extend_from_slice(&whole.factor[start..end]);
            self.factor_inverse
                .extend_from_slice(&whole.factor_inverse[run.clone()]);
            self.qfrc_smooth
                .extend_from_slice(&whole.qfrc_smooth[run.clone()]);
            self.qacc_smooth
                .extend_from_slice(&whole.qacc_smooth[run.clone()]);
            self.qacc.extend_from_slice(&qacc[run.clone()]);
            self.tree.extend_from_slice(&whole.tree[run]);
        }
        self.qfrc_constraint.resize(dofs.len(), 0.0);

        // Rows, with columns renumbered.
        for vector in [&mut self.j.rownnz, &mut self.j.rowadr, &mut self.j.colind] {
            vector.clear();
        }
        self.j.value.clear();
        self.j.repeats.clear();
        self.efc.iter_mut().for_each(Vec::clear);
        self.residual.clear();
        self.cones.clear();
        let Rows {
            rownnz,
            rowadr,
            colind,
            repeats,
            value,
            full,
        } = whole.jacobian;
        self.j.is_dense = full.is_some();
        let first_row = islands.island_iefcadr[island];
        let is_one_run = dofs
            .last()
            .is_some_and(|last| (last - dofs[0]) as usize + 1 == dofs.len());
        for run in consecutive(rows) {
            let start = rowadr[run.start] as usize;
            let end = (rowadr[run.end - 1] + rownnz[run.end - 1]) as usize;
            let move_by = self.j.value.len() as i32 - start as i32;
            self.j.rownnz.extend_from_slice(&rownnz[run.clone()]);
            self.j
                .rowadr
                .extend(rowadr[run.clone()].iter().map(|address| address + move_by));
            let columns = colind[start..end].iter();
            if is_one_run {
                self.j.colind.extend(columns.map(|column| column - dofs[0]));
            } else {
                self.j.colind.extend(columns.map(|column| local(*column)));
            }
            self.j.repeats.extend_from_slice(&repeats[run.clone()]);
            self.j.value.extend_from_slice(&value[start..end]);
            self.residual.extend_from_slice(&residual[run.clone()]);
            let sources = [whole.D, whole.R, whole.frictionloss, whole.aref];
            for (out, from) in self.efc.iter_mut().zip(sources) {
                out.extend_from_slice(&from[run.clone()]);
            }
            let first_cone = whole.cones.partition_point(|cone| cone.row < run.start);
            let cones = whole.cones[first_cone..].iter();
            self.cones.extend(
                cones
                    .take_while(|cone| cone.row < run.end)
                    .map(|cone| Cone {
                        row: (islands.map_efc2iefc[cone.row] - first_row) as usize,
                        ..*cone
                    }),
            );
        }
        let mut full = core::mem::take(&mut self.j.full);
        full.clear();
        if self.j.is_dense {
            self.j.view().expand(dofs.len(), &mut full);
        }
        self.j.full = full;
        self.force.resize(rows.len(), 0.0);
        self.state.resize(rows.len(), 0);
    }

    fn solve(
        &mut self,
        method: Method,
        settings: &Settings,
        work: &mut primal::Workspace,
        report: impl FnMut(usize, Statistic),
    ) -> usize {
        let inertia_rows = TreeRows {
            rownnz: &self.m_rownnz,
            rowadr: &self.m_rowadr,
            colind: &self.m_colind,
        };
        let [regularisation_inverse, regularisation, frictionloss, aref] = &self.efc;
        let problem = Problem {
            equality_count: self.equality_count,
            friction_count: self.friction_count,
            jacobian: self.j.view(),
            cones: &self.cones,
            D: regularisation_inverse,
            R: regularisation,
            frictionloss,
            aref,
            tree: &self.tree,
            inertia_rows,
            inertia: &self.inertia,
            factor: &self.factor,
            factor_inverse: &self.factor_inverse,
            qfrc_smooth: &self.qfrc_smooth,
            qacc_smooth: &self.qacc_smooth,
            scale: inertia_scale(inertia_rows, &self.inertia),
        };
        // In a full matrix the order of a sum follows from the island's own columns; the residual
        // of all rows was summed in another.
        if self.j.is_dense {
            problem.jacobian.multiply(&self.qacc, &mut self.residual);
            for (residual, aref) in self.residual.iter_mut().zip(aref) {
                *residual -= aref;
            }
        }
        let mut solution = primal::Solution {
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            force: &mut self.force,
            state: &mut self.state,
            residual: &self.residual,
        };
        primal::solve(method, &problem, settings, &mut solution, work, report)
    }
}
