//! Who finds the forces of constraint rows.

use super::Nothing;
use super::law::{LawError, Memory, Slot, take};
use crate::position::Position;
use crate::state::State;
use sinew_model::Model;
use sinew_model::version::Version;
use sinew_solver::{Bounds, Islands, Problem, Settings, Solution};

/// What a solver is given.
#[derive(Clone, Copy, Debug)]
pub struct Constrained<'a> {
    /// The model.
    pub model: &'a Model,
    /// Positions, velocities and time.
    pub state: &'a State,
    /// Everything that follows from positions: contacts, rows with their violations, inertia, flexes.
    pub position: &'a Position,
    /// The rows as a problem over accelerations, with the inertia they act on.
    pub problem: &'a Problem<'a>,
    /// Groups of trees that can be solved on their own, if they were looked for.
    pub islands: Option<&'a Islands>,
    /// How the model wants it solved.
    pub settings: &'a Settings,
}

/// What a solver writes.
#[derive(Debug)]
pub struct Solved<'a> {
    /// Accelerations, forces and states of rows, statistics. `qacc`, `qfrc_constraint` and `force` must agree:
    /// M·(qacc − qacc_smooth) = qfrc_constraint.
    pub rows: Solution<'a>,
    /// A displacement that positions make besides that of their velocities, one number per degree of freedom, all 0 before
    /// the call: for solvers that undo overlap without giving speed. Written by resizing it; empty: none.
    pub shift: &'a mut Vec<f64>,
}

/// Finds the forces of constraint rows.
pub trait ConstraintSolver: Memory {
    /// Whether it can solve what a model may contain.
    fn prepare(&mut self, model: &Model) -> Result<(), LawError>;

    /// Solves.
    fn solve(&mut self, task: &Constrained<'_>, bounds: Bounds<'_>, out: &mut Solved<'_>);
}

impl<S: ConstraintSolver + ?Sized> ConstraintSolver for &mut S {
    fn prepare(&mut self, model: &Model) -> Result<(), LawError> {
        (**self).prepare(model)
    }

    fn solve(&mut self, task: &Constrained<'_>, bounds: Bounds<'_>, out: &mut Solved<'_>) {
        (**self).solve(task, bounds, out);
    }
}

/// A place for a solver.
pub trait SolverSlot: Slot {
    /// Whether there is one.
    #[inline(always)]
    fn is_present(&self) -> bool {
        false
    }

    /// Prepares the solver for a model: an error if it refuses it.
    #[inline]
    fn check(&mut self, _model: &Model) -> Result<(), LawError> {
        Ok(())
    }

    /// Solves, if there is one.
    #[inline(always)]
    fn solve(&mut self, _task: &Constrained<'_>, _bounds: Bounds<'_>, _out: &mut Solved<'_>) {}
}

impl SolverSlot for Nothing {}

/// A solver with the model it was prepared for.
#[derive(Clone, Debug, Default)]
pub struct PreparedSolver<S> {
    version: Option<Version>,
    solver: S,
}

impl<S> PreparedSolver<S> {
    /// A solver that has met no model yet.
    pub fn new(solver: S) -> Self {
        PreparedSolver {
            version: None,
            solver,
        }
    }

    /// The solver.
    pub fn law(&self) -> &S {
        &self.solver
    }

    /// The solver for writing; it will be prepared again.
    pub fn law_mut(&mut self) -> &mut S {
        self.version = None;
        &mut self.solver
    }
}

impl<S: ConstraintSolver> SolverSlot for PreparedSolver<S> {
    fn is_present(&self) -> bool {
        true
    }

    fn check(&mut self, model: &Model) -> Result<(), LawError> {
        self.version = Some(model.version());
        self.solver.prepare(model)
    }

    fn solve(&mut self, task: &Constrained<'_>, bounds: Bounds<'_>, out: &mut Solved<'_>) {
        let is_current = |version: &Version| version.is_of(task.model);
        if !self.version.as_ref().is_some_and(is_current) {
            // Who asks hears of errors.
            let _ = self.check(task.model);
        }
        self.solver.solve(task, bounds, out);
    }
}

impl<S: Memory> Slot for PreparedSolver<S> {
    fn reset(&mut self) {
        self.solver.reset();
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(self.solver.numbers());
    }

    fn restore<'a>(&mut self, saved: &'a [f64]) -> Option<&'a [f64]> {
        take(saved, self.solver.numbers_mut())
    }
}
