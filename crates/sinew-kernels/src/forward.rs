//! What a warp computes of its world before forces of constraints are known: poses, inertias, velocities, rows, and
//! the acceleration that there would be without constraints.

use crate::Number;
use crate::block::{Event, Problem, State, Words, count, has_bad};
use crate::forces::Accelerated;
use crate::scene::{Head, Scene};
use crate::smooth::{self, Local};
use crate::warp::Warp;
use crate::{advance, forces, rows};
use sinew_dynamics::inertia;
use sinew_solver::problem::inertia_scale;

/// Numbers of working memory that a world takes.
pub fn memory_length<T: Number>(head: &Head) -> usize {
    Local::<T>::length(head)
}

/// Forward dynamics of a world up to the constraint problem. A bad state begins anew.
#[inline(always)]
pub fn forward<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
    ctrl: &[T],
    out: &mut Problem<'_, T>,
    words: &mut Words<'_, i32>,
    memory: &mut [T],
) {
    if has_bad(warp, state.qpos) || has_bad(warp, state.qvel) {
        warp.each(1, |_| count(words.events, Event::BadState));
        advance::reset(warp, scene, state, time);
    }
    let at = &mut Local::cut(&scene.head, memory);
    smooth::position(warp, scene, state, at);
    rows::make(warp, scene, state, at, out, words);
    let accelerated = &mut Accelerated {
        qfrc_smooth: out.qfrc_smooth,
        qacc_smooth: out.qacc_smooth,
        act_dot: out.act_dot,
        actuator_force: out.actuator_force,
        events: words.events,
    };
    forces::acceleration(warp, scene, state, ctrl, at, accelerated);
    let M = &*at.inertia.M;
    warp.each(scene.head.nC, |i| out.M[i] = M[i]);
    warp.each(1, |_| {
        out.scale[0] = inertia_scale(inertia::rows(&scene.tree), M)
    });
}
