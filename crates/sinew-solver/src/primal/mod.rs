//! Descent over accelerations, along exact line searches.
//!
//! A [`Descent`] says in which direction to go: Newton's method along −H⁻¹g ([`crate::hessian`]),
//! conjugate gradients along what the inertia makes of the gradient ([`conjugate_gradient`]). A run
//! ends when a step improves the scaled cost by less than the tolerance, the scaled gradient is below
//! it, the line search finds nothing, or the iterations are used up. With several lanes each ends for
//! itself: those that are done stay where they are while others go on.
//! E. Todorov, "Convex and analytically-invertible dynamics with contacts and constraints", 2014.

#[cfg(feature = "std")]
pub(crate) mod conjugate_gradient;
mod line_search;
mod memory;
#[cfg(feature = "std")]
mod products;
mod report;
#[cfg(feature = "std")]
mod workspace;

use crate::cost;
use crate::jacobian::Jacobian;
use crate::problem::{Problem, Settings};
use crate::rows::Rows;
use line_search::{Equalities, Inertial, Line, Quadratic, Step};
pub(crate) use memory::{Memory, Sizes};
#[cfg(feature = "std")]
pub(crate) use products::make_room;
pub use report::Report;
use sinew_math::dense::norm;
use sinew_math::{Mask, Real, tree};
#[cfg(feature = "std")]
pub(crate) use workspace::Workspace;

/// Where the solver is: the start on entry, the solution on return.
pub(crate) struct Iterate<'a, T = f64> {
    /// Acceleration.
    pub qacc: &'a mut [T],
    /// Constraint force in joint space.
    pub qfrc_constraint: &'a mut [T],
    /// Constraint force, per row.
    pub force: &'a mut [T],
    /// State, per row.
    pub state: &'a mut [T],
    /// J·qacc − aref.
    pub residual: &'a mut [T],
}

/// What a direction is chosen by.
pub(crate) struct Place<'a, T = f64, J = Rows<'a, T>> {
    pub problem: &'a Problem<'a, T, J>,
    /// State of each row one step before; none at the start.
    pub old_state: Option<&'a [T]>,
    /// State of each row.
    pub state: &'a [T],
    /// J·qacc − aref.
    pub residual: &'a [T],
    /// M·qacc − qfrc_smooth − Jᵀf.
    pub gradient: &'a [T],
}

/// In which direction to go.
pub(crate) trait Descent<T: Real, J: Jacobian<T>> {
    /// Chooses the direction; after a step it held that of the step.
    fn choose(&mut self, place: &Place<'_, T, J>, direction: &mut [T]);

    /// Forces and states at the current point; returns the costs of the rows and of the inertia, for which M·qacc
    /// is given.
    #[inline(always)]
    fn costs(
        &self,
        problem: &Problem<'_, T, J>,
        at: &mut Iterate<'_, T>,
        inertia_acceleration: &[T],
    ) -> (T, T) {
        let rows = cost::update(problem, at.residual, at.state, at.force);
        let gauss = inertial_cost(problem, inertia_acceleration, at.qacc);
        (rows, gauss)
    }

    /// out = M·x
    #[inline(always)]
    fn multiply_inertia(&self, problem: &Problem<'_, T, J>, x: &[T], out: &mut [T]) {
        tree::multiply(problem.inertia_rows, problem.inertia, x, out);
    }

    /// out = J·x; returns a polynomial together with those of the equalities along x.
    #[inline(always)]
    fn multiply_jacobian(
        &self,
        problem: &Problem<'_, T, J>,
        x: &[T],
        (residual, sum): (&[T], Quadratic<T>),
        out: &mut [T],
    ) -> Quadratic<T> {
        problem.jacobian.multiply(x, out);
        Equalities::on(sum, problem.equality_count, problem.D, residual).add_all_of_lanes(out)
    }

    /// out = Jᵀ·force
    #[inline(always)]
    fn joint_force(&self, problem: &Problem<'_, T, J>, force: &[T], out: &mut [T]) {
        problem.jacobian.multiply_transposed(force, out);
    }
}

/// Solves the problem from where `at` is, in the lanes that are `active`; returns the number of
/// iterations. Each is told to `report`, which tells whether there may be another.
#[inline(always)]
pub(crate) fn descend<T: Real, J: Jacobian<T>, D: Descent<T, J>>(
    problem: &Problem<'_, T, J>,
    settings: &Settings,
    mut active: T::Mask,
    at: &mut Iterate<'_, T>,
    descent: &mut D,
    memory: &mut Memory<'_, T>,
    mut report: impl FnMut(&Report<'_, T>) -> bool,
) -> T {
    let tolerance = T::from_f64(settings.tolerance);
    descent.multiply_inertia(problem, at.qacc, memory.inertia_acceleration);
    let mut step = Step::NONE;
    let mut count = T::ZERO;
    let mut cost = T::ZERO;
    for iteration in 0.. {
        let old_cost = cost;
        let gauss;
        (cost, gauss) = update_constraint(problem, at, descent, memory);
        memory.update_gradient(problem, at.qfrc_constraint);
        if iteration > 0 {
            let improvement = problem.scale * (old_cost - cost);
            let gradient = problem.scale * norm(memory.gradient);
            count = T::select(active, count + T::ONE, count);
            let may_go_on = report(&Report {
                active,
                improvement,
                gradient,
                slope: step.slope,
                evaluations: step.evaluations,
                D: problem.D,
                old_state: memory.old_state,
                state: at.state,
            });
            active = active & !(improvement.less(tolerance) | gradient.less(tolerance));
            if !may_go_on {
                break;
            }
        }
        if !active.any() || iteration == settings.iterations {
            break;
        }

        // Only now is it known that a direction is wanted.
        let place = Place {
            problem,
            old_state: (iteration > 0).then_some(&*memory.old_state),
            state: at.state,
            residual: at.residual,
            gradient: memory.gradient,
        };
        descent.choose(&place, memory.direction);
        descent.multiply_inertia(problem, memory.direction, memory.inertia_direction);
        let inertial = Inertial::along(
            problem,
            memory.direction,
            memory.inertia_direction,
            memory.inertia_acceleration,
            gauss,
        );
        let always = descent.multiply_jacobian(
            problem,
            memory.direction,
            (at.residual, inertial.quadratic),
            memory.jacobian_direction,
        );
        let line = Line {
            problem,
            inertial,
            always,
            jacobian_direction: memory.jacobian_direction,
            residual: at.residual,
        };
        step = line.minimise(settings, active, memory.quadratics, memory.cones);
        active = active & !step.alpha.equals(T::ZERO);
        if !active.any() {
            break;
        }
        memory.old_state.copy_from_slice(at.state);
        advance(active, at.qacc, memory.direction, step.alpha);
        let start = &mut *memory.inertia_acceleration;
        advance(active, start, memory.inertia_direction, step.alpha);
        advance(active, at.residual, memory.jacobian_direction, step.alpha);
    }
    count
}

/// x += direction · alpha in the lanes that go on.
#[inline(always)]
fn advance<T: Real>(active: T::Mask, x: &mut [T], direction: &[T], alpha: T) {
    for (x, &d) in x.iter_mut().zip(direction) {
        *x = T::select(active, *x + d * alpha, *x);
    }
}

/// Forces and states at the current point; returns the total and the inertial cost.
#[inline(always)]
fn update_constraint<T: Real, J: Jacobian<T>, D: Descent<T, J>>(
    problem: &Problem<'_, T, J>,
    at: &mut Iterate<'_, T>,
    descent: &D,
    memory: &Memory<'_, T>,
) -> (T, T) {
    let (cost, gauss) = descent.costs(problem, at, memory.inertia_acceleration);
    descent.joint_force(problem, at.force, at.qfrc_constraint);
    (cost + gauss, gauss)
}

/// ½(a − aₛ)ᵀ(M·a − qfrc_smooth)
#[inline(always)]
pub(crate) fn inertial_cost<T: Real, J>(
    problem: &Problem<'_, T, J>,
    inertia_acceleration: &[T],
    qacc: &[T],
) -> T {
    let n = qacc.len();
    let inertia_acceleration = &inertia_acceleration[..n];
    let (force, smooth) = (&problem.qfrc_smooth[..n], &problem.qacc_smooth[..n]);
    let mut cost = T::ZERO;
    for i in 0..n {
        cost += inertial_term(inertia_acceleration[i] - force[i], qacc[i] - smooth[i]);
    }
    cost
}

/// What a degree of freedom adds to [`inertial_cost`]. No closure: lanes need it in place.
#[inline(always)]
fn inertial_term<T: Real>(force: T, acceleration: T) -> T {
    T::from_f64(0.5) * force * acceleration
}

impl<T: Real> Memory<'_, T> {
    /// M·qacc − qfrc_smooth − Jᵀf
    #[inline(always)]
    fn update_gradient<J>(&mut self, problem: &Problem<'_, T, J>, qfrc_constraint: &[T]) {
        let n = self.gradient.len();
        let (inertia_acceleration, out) = (&self.inertia_acceleration[..n], &mut *self.gradient);
        let (smooth, constraint) = (&problem.qfrc_smooth[..n], &qfrc_constraint[..n]);
        for i in 0..n {
            out[i] = inertia_acceleration[i] - smooth[i] - constraint[i];
        }
    }
}
