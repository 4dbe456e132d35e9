//! Constraint forces and the acceleration that satisfies them.
//!
//! Hands the rows with the inertia they act on to `sinew-solver`. Conforms to `mj_fwdConstraint`.

use super::couplings::Couplings;
use super::smooth::Smooth;
use crate::law::{Xpbd, named};
use crate::parts::{Constrained, ConstraintSolver, Solved, SolverSlot};
use crate::position::Position;
use crate::position::constraint::Constraints;
use crate::position::inertia::Inertia;
use crate::state::State;
use crate::velocity::reference::Reference;
use sinew_math::tree::TreeRows;
use sinew_model::Model;
use sinew_model::column::Group;
use sinew_model::kinds::{DisableFlag, Solver};
use sinew_model::version::Version;
use sinew_solver::{Bounds, Method, Patience, Problem, Settings, Statistic, Workspace};
use std::ops::{Deref, DerefMut};

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
            work: Workspace,
            /// A solver in place of the model's.
            law: SolverLaw,
        }
    }
}

/// What a solver in place of the model's leaves.
#[derive(Clone, Debug, Default)]
pub struct SolverLaw {
    /// Whether the last solve was one of such a solver.
    pub(crate) is_in_use: bool,
    /// A displacement besides that of velocities; empty: none.
    pub(crate) shift: Vec<f64>,
    /// The solver that the model names, and the version of the model that named it.
    named: Option<(Version, Option<Xpbd>)>,
}

impl Solution {
    /// What the solver writes for a number of rows.
    fn for_rows(&mut self, count: usize) -> sinew_solver::Solution<'_> {
        self.efc_force.resize(count, 0.0);
        self.efc_state.resize(count, 0);
        self.efc_b.resize(count, 0.0);
        sinew_solver::Solution {
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            force: &mut self.efc_force,
            state: &mut self.efc_state,
            b: &mut self.efc_b,
            projection: &mut self.projection,
            iterations: &mut self.solver_niter,
            statistics: &mut self.solver,
            work: &mut self.work,
        }
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
    patience: Option<&mut dyn Patience>,
    out: &mut Solution,
) {
    let mut problem = problem(model, position, reference, smooth);
    if model.opt.disableflags & DisableFlag::Warmstart.code() == 0 {
        problem.warm_start = Some(&state.qacc_warmstart);
    }
    let islands = (position.islands.nisland > 0).then_some(&*position.islands);
    let bounds = Bounds {
        patience,
        hessian_bytes: Some(position.constraints.storage.hessian_bytes(model)),
    };
    let mut solution = out.for_rows(problem.row_count());
    sinew_solver::solve_within(&problem, islands, &settings(model), bounds, &mut solution);
}

/// The same by a solver in place of the model's: the user's, the one that the model names, or again the model's.
pub(crate) fn compute_by_law<S: SolverSlot>(
    model: &Model,
    state: &State,
    position: &Position,
    (reference, smooth): (&Reference, &Smooth),
    (solver, patience): (&mut S, Option<&mut dyn Patience>),
    out: &mut Solution,
) {
    let mut problem = problem(model, position, reference, smooth);
    if model.opt.disableflags & DisableFlag::Warmstart.code() == 0 {
        problem.warm_start = Some(&state.qacc_warmstart);
    }
    let SolverLaw {
        mut shift,
        mut named,
        is_in_use,
    } = core::mem::take(&mut out.law);
    let islands = (position.islands.nisland > 0).then_some(&*position.islands);
    let settings = settings(model);
    let task = Constrained {
        model,
        state,
        position,
        problem: &problem,
        islands,
        settings: &settings,
    };
    let bounds = Bounds {
        patience,
        hessian_bytes: Some(position.constraints.storage.hessian_bytes(model)),
    };
    let by_name = find_named(model, &mut named);
    shift.clear();
    let mut solved = Solved {
        rows: out.for_rows(problem.row_count()),
        shift: &mut shift,
    };
    if solver.is_present() {
        solver.solve(&task, bounds, &mut solved);
    } else if let Some(solver) = by_name {
        solver.solve(&task, bounds, &mut solved);
    } else {
        sinew_solver::solve_within(&problem, islands, &settings, bounds, &mut solved.rows);
    }
    out.law = SolverLaw {
        is_in_use,
        shift,
        named,
    };
}

/// The solver that a model names.
fn find_named<'a>(
    model: &Model,
    named: &'a mut Option<(Version, Option<Xpbd>)>,
) -> Option<&'a mut Xpbd> {
    model.laws().solver.as_ref()?;
    if !named
        .as_ref()
        .is_some_and(|(version, _)| version.is_of(model))
    {
        // The compiler has told of errors.
        *named = Some((model.version(), named::solver(model).ok().flatten()));
    }
    named.as_mut().and_then(|(_, solver)| solver.as_mut())
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
    let problem = problem(model, position, reference, smooth);
    sinew_solver::invert(&problem, &mut out.for_rows(problem.row_count()));
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
    let problem = problem(model, position, reference, smooth);
    let mut solution = out.for_rows(problem.row_count());
    sinew_solver::update(&problem, residual, &mut solution)
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
        let problem = problem(model, position, reference, smooth);
        out.projection.compute(&problem, &mut out.work);
    }
}

/// Whether forces are what is solved for, at least in part.
#[doc(alias = "mj_isDual")]
pub fn is_dual(model: &Model) -> bool {
    settings(model).is_dual()
}

/// How a model wants its rows solved.
pub fn settings(model: &Model) -> Settings {
    let opt = &model.opt;
    Settings {
        method: match Solver::from_code(opt.solver) {
            Some(Solver::Pgs) => Method::GaussSeidel,
            Some(Solver::Cg) => Method::ConjugateGradient,
            _ => Method::Newton,
        },
        iterations: opt.iterations.max(0) as usize,
        tolerance: opt.tolerance,
        ls_tolerance: opt.ls_tolerance,
        ls_iterations: opt.ls_iterations.max(0) as usize,
        noslip_iterations: opt.noslip_iterations.max(0) as usize,
        noslip_tolerance: opt.noslip_tolerance,
    }
}

/// The rows as a problem without a start.
fn problem<'a>(
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
        cone_shapes,
        pyramids,
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
        cone_shapes,
        pyramids,
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
        warm_start: None,
        scale: 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64),
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
