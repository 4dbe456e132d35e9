//! What is known of a world before forces of constraints are: its team computes poses, inertias, velocities and the
//! acceleration that there would be without constraints; then its warp makes the rows.

use crate::Number;
use crate::block::{Event, Problem, State, Words, count, has_bad};
use crate::forces::Accelerated;
use crate::local::Local;
use crate::scene::{Head, Scene};
use crate::team::Team;
use crate::warp::Warp;
use crate::{advance, forces, rows, smooth};
use sinew_dynamics::inertia;
use sinew_math::series::Series;

/// Numbers of memory that a world takes through its step.
pub fn memory_length<T: Number>(head: &Head) -> usize {
    Local::<T>::lengths(head)[0]
}

/// Numbers of quick memory that it takes for the length of a team's kernel.
pub fn quick_length<T: Number>(head: &Head) -> usize {
    Local::<T>::lengths(head)[1]
}

/// Numbers of working memory that a warp takes to make rows.
pub fn row_memory_length(head: &Head) -> usize {
    rows::memory_length(head)
}

/// Forward dynamics of a world without constraints. A bad state begins anew where it may.
#[inline(always)]
pub fn smooth<T: Number, const GENERAL: bool>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
    ctrl: &[T],
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
    memory: &mut Series<T>,
    quick: &mut Series<T>,
) {
    let at = &mut Local::cut(&scene.head, memory, quick);
    let (nq, nv) = (scene.head.nq, scene.head.nv);
    let is_bad = |i: usize| match i < nq {
        true => has_bad(&state.qpos[i..i + 1]),
        false => has_bad(&state.qvel[i - nq..i - nq + 1]),
    };
    let is_bad = any(team, at.solved, nq + nv, is_bad);
    team.each(1, |_| {
        // Within a step nobody looks.
        if is_bad && words.stage[0] == 0 {
            count(words.events, Event::BadState);
            if scene.head.resets != 0 {
                advance::reset(scene, state, time);
            }
        }
    });
    smooth::position::<T, GENERAL>(team, scene, state, at);
    let accelerated = &mut Accelerated {
        act_dot: out.act_dot,
        actuator_force: out.actuator_force,
        events: words.events,
    };
    forces::acceleration::<T, GENERAL>(team, scene, state, ctrl, at, accelerated);
    if scene.head.is_conjugate != 0 {
        let (factor, inverse) = (&*at.inertia.qLD, &*at.inertia.qLDiagInv);
        team.each(scene.head.nC, |i| at.factor[i] = factor[i]);
        team.each(scene.head.nv, |i| at.factor_inverse[i] = inverse[i]);
    }
    let M = &*at.inertia.M;
    team.each(1, |_| {
        out.scale[0] = match scene.head.by_island {
            0 => scene.constants.whole_scale,
            _ => inertia_scale(scene, M),
        }
    });
}

/// Whether something holds for any of `0..count`; the members of the team share out the looking, and leave word in memory that
/// is free.
#[inline(always)]
pub(crate) fn any<T: Number>(
    team: Team,
    word: &mut Series<T>,
    count: usize,
    holds: impl Fn(usize) -> bool,
) -> bool {
    team.each(1, |_| word[0] = T::ZERO);
    team.each(count, |i| {
        if holds(i) {
            word[0] = T::ONE;
        }
    });
    let found = word[0] != T::ZERO;
    // No member writes before all have read.
    team.each(0, |_| {});
    found
}

/// Numbers that are read at once.
const AT_ONCE: usize = 8;

/// `sinew_solver::problem::inertia_scale`.
#[inline(always)]
fn inertia_scale<T: Number>(scene: &Scene<'_, T>, M: &Series<T>) -> T {
    let rows = inertia::rows(&scene.tree);
    let last = rows.size() - 1;
    let mut sum = T::ZERO;
    let mut i = 0;
    while i <= last {
        let diagonal = |k: usize| {
            let row = (i + k).min(last);
            M[(rows.rowadr[row] + rows.rownnz[row] - 1) as usize]
        };
        let mut numbers = [T::ZERO; AT_ONCE];
        for k in 0..AT_ONCE {
            numbers[k] = diagonal(k);
        }
        for k in 0..AT_ONCE {
            if i + k <= last {
                sum += numbers[k];
            }
        }
        i += AT_ONCE;
    }
    T::ONE / sum
}

/// Makes the rows of a world, those of equalities and of tendons of any kind, and of contacts that others have found, where it
/// has some.
#[inline(always)]
pub fn rows<T: Number, const GENERAL: bool>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
    (memory, quick): (&mut Series<T>, &mut Series<T>),
    own: &mut [T],
) {
    let at = &Local::cut(&scene.head, memory, quick);
    rows::make::<T, GENERAL>(warp, scene, state, at, own, out, words);
}

/// What the solver reads of what a team has computed.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a, T> {
    /// Inertia.
    pub M: &'a Series<T>,
    /// Force without constraints.
    pub qfrc_smooth: &'a Series<T>,
    /// Acceleration without constraints.
    pub qacc_smooth: &'a Series<T>,
    /// Factor of the inertia, where it is kept.
    pub factor: &'a Series<T>,
    /// The inverse of its diagonal.
    pub factor_inverse: &'a Series<T>,
}

/// That part of a world's memory.
#[inline(always)]
pub fn solved<'a, T: Number>(
    head: &Head,
    memory: &'a mut Series<T>,
    quick: &'a mut Series<T>,
) -> Solved<'a, T> {
    let at = Local::cut(head, memory, quick);
    Solved {
        M: at.inertia.M,
        qfrc_smooth: at.qfrc_smooth,
        qacc_smooth: at.qacc_smooth,
        factor: at.factor,
        factor_inverse: at.factor_inverse,
    }
}
