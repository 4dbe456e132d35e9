//! Constraint rows solved by projection: extended position-based dynamics over the rows of one step.
//!
//! A step h is divided into substeps hₛ. Each moves by hₛ·q̇ and then projects row after row, as often as there are
//! iterations:
//!
//! ```text
//! Δλ = (−C − α̃·λ)/(J·M⁻¹·Jᵀ + α̃)      α̃ = α/hₛ²      Δq = M⁻¹·Jᵀ·Δλ
//! ```
//!
//! with the violation C at the moved place, linear in the motion since the start of the step, and the compliance α in m/N.
//! Velocities are the moves divided by hₛ. What only pushes has λ ≥ 0, dry friction |λ| ≤ its bound, and the friction of a
//! contact stays in its cone. M. Macklin et al., "XPBD: position-based simulation of compliant constrained dynamics"
//! (2016).
//!
//! Without compliance, violations that are there when the step begins are undone by displacement alone
//! ([`Solved::shift`]), which gives no speed: what starts inside the ground comes out of it, but for [`ALLOWED_OVERLAP`],
//! and stays where it is. With
//! compliance they push; then nothing leaves an overlap faster than [`Xpbd::push_out_speed`].
//!
//! All kinds of rows are handled. Reported forces are the mean over the step: M·(q̈ − q̈ of the smooth forces) = Jᵀ·force.

mod rows;
mod soft;

pub use soft::Softness;

use crate::parts::{Constrained, ConstraintSolver, LawError, Memory, Solved};
use rows::{Kind, Projected};
use sinew_math::tree;
use sinew_model::Model;
use sinew_solver::problem::state::{QUADRATIC, SATISFIED};
use sinew_solver::{Bounds, Question, Statistic};
use soft::Body;

/// Overlap that is left, m: contacts that touch no more are not found, and what lies on them would fall from step to step.
pub const ALLOWED_OVERLAP: f64 = 5e-5;

/// Most iterations of all substeps of a step.
const MOST_ITERATIONS: usize = 1_000_000;

/// A solver by projection.
///
/// ```
/// use sinew_engine::law::Xpbd;
/// let solver = Xpbd { iterations: 30, substeps: 4, ..Xpbd::default() };
/// # let _ = solver;
/// ```
#[derive(Clone, Debug)]
pub struct Xpbd {
    /// How often all rows are projected in a substep.
    pub iterations: usize,
    /// Into how many substeps a step is divided.
    pub substeps: usize,
    /// How far a row yields, m/N (or rad/N·m).
    pub compliance: f64,
    /// Speed with which compliant rows undo what they find violated, m/s.
    pub push_out_speed: f64,
    /// How often rows and shapes of soft flexes are projected after each other: 1 to 4.
    pub outer_iterations: usize,
    /// Flexes whose shape is kept by projection. They should have neither elasticity nor equalities.
    pub soft: Vec<Softness>,
    /// Storage kept between solves.
    pub work: Work,
}

impl Default for Xpbd {
    fn default() -> Self {
        Xpbd {
            iterations: 20,
            substeps: 1,
            compliance: 0.0,
            push_out_speed: 1.0,
            outer_iterations: 1,
            soft: Vec::new(),
            work: Work::default(),
        }
    }
}

/// Storage kept between solves.
#[derive(Clone, Debug, Default)]
pub struct Work {
    rows: Projected,
    bodies: Vec<Body>,
    velocity: Vec<f64>,
    /// Motion since the start of the step, of which the last substep is not yet certain.
    motion: Vec<f64>,
    before: Vec<f64>,
    lambda: Vec<f64>,
    impulse: Vec<f64>,
    /// Accelerations of the vertices of soft flexes by what keeps their shape.
    shaping: Vec<f64>,
    /// Motion before the shapes were projected.
    unshaped: Vec<f64>,
}

impl Memory for Xpbd {}

impl ConstraintSolver for Xpbd {
    fn prepare(&mut self, model: &Model) -> Result<(), LawError> {
        self.work.bodies.clear();
        if let Some(reason) = self.fault() {
            return Err(LawError::new("solver", reason));
        }
        let bodies = self.soft.iter().map(|softness| Body::new(model, softness));
        self.work.bodies = bodies.collect::<Result<_, _>>()?;
        Ok(())
    }

    fn solve(&mut self, task: &Constrained<'_>, bounds: Bounds<'_>, out: &mut Solved<'_>) {
        let question = &mut Question::to(bounds.patience);
        let problem = task.problem;
        out.rows.iterations.fill(0);
        out.rows.qfrc_constraint.fill(0.0);
        out.rows.qacc.copy_from_slice(problem.qacc_smooth);
        if problem.row_count() == 0 && self.work.bodies.is_empty() {
            return;
        }
        problem.jacobian.multiply(problem.qacc_smooth, out.rows.b);
        for (b, aref) in out.rows.b.iter_mut().zip(problem.aref) {
            *b -= aref;
        }
        self.work.rows.collect(task);
        // Who is not wanted any more has his step taken back.
        if !self.move_by_velocities(task, question) {
            return;
        }
        let impulse = &self.work.impulse;
        self.work
            .rows
            .write_forces(impulse, task.model.opt.timestep, out.rows.force);
        self.undo_violations(task, question, out.shift);
        finish(task, &self.work.shaping, out);
        if let (Some(count), Some(statistic)) = (
            out.rows.iterations.first_mut(),
            out.rows.statistics.first_mut(),
        ) {
            *count = (self.iterations * self.substeps) as i32;
            *statistic = Statistic::default();
        }
    }
}

impl Xpbd {
    /// What is wrong with its numbers, if something is.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let all = self.iterations.checked_mul(self.substeps);
        if all == Some(0) {
            Some("projection needs at least one iteration and one substep")
        } else if all.is_none_or(|all| all > MOST_ITERATIONS) {
            Some("projection has at most 1,000,000 iterations in all substeps")
        } else if !(self.compliance >= 0.0 && self.compliance.is_finite()) {
            Some("the compliance of projection must not be negative")
        } else if self.push_out_speed.is_nan() || self.push_out_speed < 0.0 {
            Some("the speed with which projection pushes out must not be negative")
        } else if !(1..=4).contains(&self.outer_iterations) {
            Some("projection has 1 to 4 outer iterations")
        } else {
            None
        }
    }

    /// Substeps with their projections; leaves the impulses of all directions. False: it is not wanted any more.
    fn move_by_velocities(&mut self, task: &Constrained<'_>, question: &mut Question<'_>) -> bool {
        let timestep = task.model.opt.timestep / self.substeps as f64;
        let (smooth, push_out) = (task.problem.qacc_smooth, self.push_out_speed);
        let has_compliance = self.compliance > 0.0;
        let soft = self.compliance / (timestep * timestep);
        let Work {
            rows,
            velocity,
            motion,
            before,
            lambda,
            impulse,
            bodies,
            shaping,
            unshaped,
        } = &mut self.work;
        shaping.clear();
        shaping.resize(task.model.nv, 0.0);
        let rounds = self.iterations * self.outer_iterations;
        let work = rows.entries() + task.model.nv;
        velocity.clear();
        velocity.extend_from_slice(&task.state.qvel);
        motion.clear();
        motion.resize(velocity.len(), 0.0);
        impulse.clear();
        impulse.resize(rows.len(), 0.0);
        for _ in 0..self.substeps {
            before.clone_from(motion);
            for ((motion, velocity), smooth) in motion.iter_mut().zip(&mut *velocity).zip(smooth) {
                *velocity += timestep * smooth;
                *motion += timestep * *velocity;
            }
            lambda.clear();
            lambda.resize(rows.len(), 0.0);
            bodies.iter_mut().for_each(Body::begin);
            for _ in 0..rounds {
                if !question.may_go_on(work) {
                    return false;
                }
                shape(bodies, task, timestep, (motion, unshaped), shaping);
                for row in 0..rows.len() {
                    let start = rows.start(row);
                    // Overlap that was there is undone elsewhere, or gently.
                    let start = match rows.kind(row) {
                        Kind::Both if has_compliance => start,
                        Kind::Both => 0.0,
                        _ if has_compliance => start.max(-push_out * timestep),
                        _ => start.max(0.0),
                    };
                    let violation = start + rows.moved(row, motion, before);
                    let weight = rows.weight(row);
                    if weight <= 0.0 {
                        continue;
                    }
                    let bound = timestep * timestep;
                    let change = (-violation - soft * lambda[row]) / (weight + soft);
                    rows.project(row, change, bound, lambda, motion);
                }
            }
            for ((velocity, motion), before) in velocity.iter_mut().zip(&*motion).zip(&*before) {
                *velocity = (motion - before) / timestep;
            }
            for body in &*bodies {
                body.damp(timestep, velocity, |dof, change| {
                    shaping[dof] += change / task.model.opt.timestep;
                });
            }
            for (impulse, lambda) in impulse.iter_mut().zip(&*lambda) {
                *impulse += lambda / timestep;
            }
        }
        // What substeps moved is not what the last velocity would.
        let whole = task.model.opt.timestep;
        for (motion, velocity) in motion.iter_mut().zip(&*velocity) {
            *motion -= whole * velocity;
        }
        true
    }

    /// A displacement that undoes what is violated when the step begins.
    fn undo_violations(
        &mut self,
        task: &Constrained<'_>,
        question: &mut Question<'_>,
        shift: &mut Vec<f64>,
    ) {
        let Work {
            rows,
            motion,
            lambda,
            ..
        } = &mut self.work;
        shift.clear();
        if self.substeps > 1 {
            shift.extend_from_slice(motion);
        } else {
            shift.resize(task.model.nv, 0.0);
        }
        if self.compliance > 0.0 {
            return;
        }
        lambda.clear();
        lambda.resize(rows.len(), 0.0);
        for _ in 0..self.iterations {
            if !question.may_go_on(rows.entries()) {
                return;
            }
            for row in 0..rows.len() {
                let (kind, weight) = (rows.kind(row), rows.weight(row));
                let start = match kind {
                    Kind::Both => rows.start(row),
                    Kind::Push => (rows.start(row) + ALLOWED_OVERLAP).min(0.0),
                    Kind::Bounded | Kind::Tangent => continue,
                };
                if weight <= 0.0 || (kind == Kind::Push && start == 0.0) {
                    continue;
                }
                let violation = start + rows.product(row, shift);
                rows.project(row, -violation / weight, 0.0, lambda, shift);
            }
        }
    }
}

/// Projects the shapes of soft flexes, and notes what that moves.
fn shape(
    bodies: &mut [Body],
    task: &Constrained<'_>,
    timestep: f64,
    (motion, unshaped): (&mut [f64], &mut Vec<f64>),
    shaping: &mut [f64],
) {
    if bodies.is_empty() {
        return;
    }
    unshaped.clear();
    unshaped.extend_from_slice(motion);
    for body in bodies {
        body.project(task, timestep, motion);
    }
    let whole = timestep * task.model.opt.timestep;
    for ((shaping, motion), unshaped) in shaping.iter_mut().zip(motion).zip(unshaped) {
        *shaping += (*motion - *unshaped) / whole;
    }
}

/// Generalised force, acceleration and states from the forces of rows, and from what keeps shapes.
fn finish(task: &Constrained<'_>, shaping: &[f64], out: &mut Solved<'_>) {
    let (problem, rows) = (task.problem, &mut out.rows);
    problem
        .jacobian
        .multiply_transposed(rows.force, rows.qfrc_constraint);
    rows.qacc.copy_from_slice(rows.qfrc_constraint);
    tree::solve(
        problem.inertia_rows,
        problem.factor,
        problem.factor_inverse,
        rows.qacc,
    );
    for (acceleration, smooth) in rows.qacc.iter_mut().zip(problem.qacc_smooth) {
        *acceleration += smooth;
    }
    // Vertices are points: each has a mass and nothing that couples it.
    for (dof, &shaping) in shaping.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        let entry = problem.inertia_rows.rowadr[dof] + problem.inertia_rows.rownnz[dof] - 1;
        rows.qacc[dof] += shaping;
        rows.qfrc_constraint[dof] += problem.inertia[entry as usize] * shaping;
    }
    for (state, &force) in rows.state.iter_mut().zip(&*rows.force) {
        *state = if force == 0.0 { SATISFIED } else { QUADRATIC };
    }
}
