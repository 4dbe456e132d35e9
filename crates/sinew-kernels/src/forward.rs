//! What a thread computes of its world before forces of constraints are known: poses, inertias, velocities, rows, and
//! the acceleration that there would be without constraints.

use crate::Number;
use crate::block::{Event, Problem, State, Words, count, has_bad};
use crate::scene::{Head, Scene};
use crate::smooth::{self, Accelerated, Local};
use crate::{advance, rows};
use sinew_dynamics::inertia;
use sinew_solver::problem::inertia_scale;

/// Numbers that the stack of a thread has room for: in the kernel for small models, and in that for large ones.
pub const STACKS: [usize; 2] = [4096, 16384];

/// Numbers of working memory that a world takes.
pub fn memory_length<T: Number>(head: &Head) -> usize {
    Local::<T>::length(head)
}

/// Forward dynamics of a world up to the constraint problem. A bad state begins anew.
#[inline(always)]
pub fn forward<T: Number>(
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
    ctrl: &[T],
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
    memory: &mut [T],
) {
    if has_bad(state.qpos) || has_bad(state.qvel) {
        count(words.events, Event::BadState);
        advance::reset(scene, state, time);
    }
    let at = &mut Local::cut(&scene.head, memory);
    at.qpos.copy_from_slice(state.qpos);
    at.qvel.copy_from_slice(state.qvel);
    smooth::position(scene, state, at);
    rows::make(scene, state, at, out, words);
    let accelerated = &mut Accelerated {
        qfrc_smooth: out.qfrc_smooth,
        qacc_smooth: out.qacc_smooth,
        act_dot: out.act_dot,
        actuator_force: out.actuator_force,
        events: words.events,
    };
    smooth::acceleration(scene, state, ctrl, at, accelerated);
    out.M.copy_from_slice(at.inertia.M);
    out.scale[0] = inertia_scale(inertia::rows(&scene.tree), at.inertia.M);
}
