//! Constraint forces of worlds side by side.

use super::alone;
use super::group::Group;
use super::island;
use super::jacobian::KnownRows;
use super::rows::RowStore;
use super::smooth::is_bad;
use bytemuck::{Pod, cast, cast_slice, cast_slice_mut};
use sinew_dynamics::inertia::{InertiaRef, rows as inertia_rows};
use sinew_dynamics::smooth::SmoothRef;
use sinew_engine::acceleration::constraint;
use sinew_math::Real;
use sinew_math::lanes::Work;
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;
use sinew_model::view::Tree;
use sinew_solver::problem::inertia_scale;
use sinew_solver::{Method, Problem, gauss_seidel, newton};

/// The finest tolerance of the solver in single precision.
const LEAST_TOLERANCE: f64 = 1e-6;

/// Rows count so much more than iterations where worlds are sorted by their effort.
const EFFORT_OF_ROW: f64 = 64.0;

/// How constraint forces are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Newton's method in all lanes.
    Newton,
    /// The same, island by island.
    NewtonByIsland,
    /// Gauss and Seidel's method in all lanes.
    GaussSeidel,
    /// By the solver of one world, one after the other.
    Alone,
}

/// Finds the constraint forces.
pub(super) struct Solve<'a, P>(pub &'a Model, pub &'a mut Group<P>);

impl<P: Real + Pod> Work for Solve<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let Solve(model, group) = self;
        let store = &group.rows;
        if group.plan.way == Way::Alone {
            alone::solve(model, group);
        } else if store.count == 0 {
            group.qacc.copy_from_slice(&group.smooth.qacc_smooth);
            group.constraint.fill(P::ZERO);
            group.effort = P::ZERO;
        } else {
            let mut own_rows = T::ZERO;
            for &exists in &cast_slice::<P, T>(&store.exists)[..store.count] {
                own_rows += exists;
            }
            let active = own_rows.greater(T::ZERO);
            let (alive, left) = (cast::<P, T>(group.is_alive), cast::<P, T>(group.is_left));
            let active = active & alive.equals(T::ONE) & left.equals(T::ZERO);
            let iterations = match group.plan.way {
                Way::GaussSeidel => relax::<P, T>(model, group, active),
                Way::NewtonByIsland => island::solve::<P, T>(model, group, active),
                _ => descend::<P, T>(model, group, active),
            };
            group.effort = cast(T::from_f64(EFFORT_OF_ROW) * own_rows + iterations);
        }
        let mut is_left = cast::<P, T>(group.is_left).equals(T::ONE);
        for &x in cast_slice::<P, T>(&group.qacc) {
            is_left = is_left | is_bad(x);
        }
        group.is_left = cast(T::select(is_left, T::ONE, T::ZERO));
    }
}

/// The rows of all lanes as one problem.
#[inline(always)]
pub(super) fn problem<'a, P: Real + Pod, T: Real + Pod>(
    model: &'a Model,
    store: &'a RowStore<P>,
    matrices: &InertiaRef<'a, T>,
    smooth: &SmoothRef<'a, T>,
    (warm_start, scale): (&'a [P], T),
) -> Problem<'a, T, KnownRows<'a, T>> {
    let count = store.count;
    let warm = model.opt.disableflags & DisableFlag::Warmstart.code() == 0;
    Problem {
        equality_count: store.equality_count,
        friction_count: store.friction_count,
        jacobian: KnownRows {
            entries: cast_slice::<P, T>(&store.entries),
            columns: &store.columns,
            start: &store.start,
            repeats: &store.repeats,
        },
        cones: &store.cones,
        cone_shapes: cast_slice(&store.cone_shapes),
        pyramids: &[],
        D: &cast_slice(&store.inverse)[..count],
        R: &cast_slice(&store.regularisation)[..count],
        frictionloss: &cast_slice(&store.frictionloss)[..count],
        aref: &cast_slice(&store.reference)[..count],
        tree: &model.dof_treeid,
        inertia_rows: inertia_rows(&Tree::from(model)),
        inertia: matrices.M,
        factor: matrices.qLD,
        factor_inverse: matrices.qLDiagInv,
        qfrc_smooth: smooth.qfrc_smooth,
        qacc_smooth: smooth.qacc_smooth,
        warm_start: warm.then_some(cast_slice(warm_start)),
        scale,
    }
}

/// Newton's method; returns the number of iterations.
#[inline(always)]
fn descend<P: Real + Pod, T: Real + Pod>(
    model: &Model,
    group: &mut Group<P>,
    active: T::Mask,
) -> T {
    let matrices = &group.inertia.as_ref().cast::<T>();
    let smooth = &group.smooth.as_ref().cast::<T>();
    let start = (&*group.warm_start, cast(group.common.scale));
    let mut problem = problem(model, &group.rows, matrices, smooth, start);
    if model.opt.disableflags & DisableFlag::Island.code() == 0 {
        problem.scale = inertia_scale(problem.inertia_rows, matrices.M);
    }
    make_room(&mut group.solver, newton::memory_length(&problem));
    let count = group.rows.count;
    let answer = &mut group.answer;
    answer.make_room(count);
    let mut out = answer.solution::<T>(&mut group.qacc, &mut group.constraint, count);
    let memory = cast_slice_mut(&mut group.solver);
    let settings = &settings::<T>(model, Method::Newton);
    newton::solve(&problem, settings, active, &mut out, memory, |_| {});
    out.iterations
}

/// Gauss and Seidel's method; returns the number of sweeps.
#[inline(always)]
fn relax<P: Real + Pod, T: Real + Pod>(model: &Model, group: &mut Group<P>, active: T::Mask) -> T {
    let matrices = &group.inertia.as_ref().cast::<T>();
    let smooth = &group.smooth.as_ref().cast::<T>();
    let start = (&*group.warm_start, cast(group.common.scale));
    let problem = &problem(model, &group.rows, matrices, smooth, start);
    let count = group.rows.count;
    let exists = &cast_slice::<P, T>(&group.rows.exists)[..count];
    make_room(
        &mut group.solver,
        gauss_seidel::memory_length(problem, exists),
    );
    let answer = &mut group.answer;
    answer.make_room(count);
    let mut out = gauss_seidel::Solution {
        qacc: cast_slice_mut(&mut group.qacc),
        qfrc_constraint: cast_slice_mut(&mut group.constraint),
        force: &mut cast_slice_mut(&mut answer.force)[..count],
        iterations: T::ZERO,
    };
    let memory = cast_slice_mut(&mut group.solver);
    let settings = &settings::<T>(model, Method::GaussSeidel);
    gauss_seidel::solve(problem, exists, settings, active, &mut out, memory);
    out.iterations
}

/// Makes a vector at least so long.
pub(super) fn make_room<P: Real>(memory: &mut Vec<P>, needed: usize) {
    if memory.len() < needed {
        memory.resize(needed, P::ZERO);
    }
}

/// What solving writes per row; what lies behind the rows is room.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer<P> {
    pub force: Vec<P>,
    state: Vec<P>,
    residual: Vec<P>,
}

impl<P: Real> Answer<P> {
    pub fn make_room(&mut self, rows: usize) {
        for column in [&mut self.force, &mut self.state, &mut self.residual] {
            make_room(column, rows);
        }
    }
}

impl<P: Real + Pod> Answer<P> {
    /// What Newton's method writes for so many rows.
    #[inline(always)]
    pub fn solution<'a, T: Real + Pod>(
        &'a mut self,
        qacc: &'a mut [P],
        constraint: &'a mut [P],
        rows: usize,
    ) -> newton::Solution<'a, T> {
        newton::Solution {
            qacc: cast_slice_mut(qacc),
            qfrc_constraint: cast_slice_mut(constraint),
            force: &mut cast_slice_mut(&mut self.force)[..rows],
            state: &mut cast_slice_mut(&mut self.state)[..rows],
            b: &mut cast_slice_mut(&mut self.residual)[..rows],
            iterations: T::ZERO,
        }
    }
}

/// With which the solver ends; numbers of 32 bits cannot tell smaller improvements from rounding.
pub(super) fn settings<T: Real>(model: &Model, method: Method) -> sinew_solver::Settings {
    let is_single = T::from_f64(1.0 + f64::EPSILON).lane(0) == 1.0;
    let least = if is_single { LEAST_TOLERANCE } else { 0.0 };
    let stated = constraint::settings(model);
    sinew_solver::Settings {
        method,
        tolerance: stated.tolerance.max(least),
        noslip_iterations: 0,
        ..stated
    }
}
