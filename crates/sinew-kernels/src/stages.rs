//! Runge and Kutta's method, by a team: what `sinew_engine::integrate::rk4` does, a stage at a time.
//!
//! All kernels of a step run four times. A word of the world says which stage its team is at; what the stages have in
//! common is in the world's memory, since nobody but the step needs it.

use crate::Number;
use crate::advance::{is_over, next_activations};
use crate::block::{Problem, State, Words, has_bad};
use crate::forward::any;
use crate::local::Local;
use crate::scene::Scene;
use crate::team::Team;
use sinew_dynamics::integrate::{STAGE_STEPS, STAGE_WEIGHTS};
use sinew_dynamics::joint;

/// Stages of a step.
pub const STAGES: usize = 4;

/// Ends a stage: leads to the state of the next one, or over the step. A world that begins anew rests through the stages
/// that are left.
#[inline(always)]
pub(crate) fn advance<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
    given: &Problem<'_, T>,
    words: &mut Words<'_, i32>,
    at: &mut Local<'_, T>,
) {
    let word = words.stage[0];
    // All worlds are at the same stage, and all go through its phases; one that rests has a word below zero.
    let stage = word.rem_euclid(STAGES as i32) as usize;
    let moves = word >= 0;
    let is_bad = any(team, at.solved, scene.head.nv, |i| {
        has_bad(&given.qacc[i..i + 1])
    });
    add_slopes(team, scene, state, given, stage, at);
    match STAGE_STEPS.get(stage) {
        Some(&step) => next(team, scene, state, given, (T::from_f64(step), moves), at),
        None => finish(team, scene, state, given, moves, at),
    }
    team.each(1, |_| {
        let is_last = stage + 1 == STAGES;
        words.stage[0] = if is_last { 0 } else { word + 1 };
        if is_last && moves {
            *time += scene.constants.timestep.to_f64();
        }
        if stage == 0 && is_over(scene, state, time, is_bad, words.events) {
            words.stage[0] = 1 - STAGES as i32;
        }
    });
}

/// Remembers where the step began, and adds the slopes of a stage.
#[inline(always)]
fn add_slopes<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    given: &Problem<'_, T>,
    stage: usize,
    at: &mut Local<'_, T>,
) {
    let head = &scene.head;
    let weight = T::from_f64(STAGE_WEIGHTS[stage]);
    let is_first = stage == 0;
    let (begin, slope) = (&mut at.begin, &mut at.slope);
    if is_first {
        team.each(head.nq, |i| begin.qpos[i] = at.qpos[i]);
    }
    team.each(head.nv, |i| {
        if is_first {
            begin.qvel[i] = at.qvel[i];
            (slope.qpos[i], slope.qvel[i]) = (T::ZERO, T::ZERO);
        }
        slope.qpos[i] += at.qvel[i] * weight;
        slope.qvel[i] += given.qacc[i] * weight;
    });
    team.each(head.na, |i| {
        if is_first {
            begin.act[i] = state.act[i];
            slope.act[i] = T::ZERO;
        }
        slope.act[i] += given.act_dot[i] * weight;
    });
}

/// The state of the next stage: a part of a step along the slopes of this one.
#[inline(always)]
fn next<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    given: &Problem<'_, T>,
    (part, moves): (T, bool),
    at: &mut Local<'_, T>,
) {
    let head = &scene.head;
    let step = part * scene.constants.timestep;
    let begin = &at.begin;
    let (qpos, qvel) = (&mut at.qpos, &*at.qvel);
    team.each(head.nq, |i| qpos[i] = begin.qpos[i]);
    team.each(head.njnt, |i| {
        joint::advance(&scene.tree, i..i + 1, qpos, qvel, step);
    });
    team.each(head.nq * usize::from(moves), |i| state.qpos[i] = qpos[i]);
    team.each(head.nv * usize::from(moves), |i| {
        state.qvel[i] = begin.qvel[i] + given.qacc[i] * step
    });
    team.each(head.na * usize::from(moves), |i| {
        state.act[i] = begin.act[i] + given.act_dot[i] * step
    });
}

/// The state after the step, from where it began along the slopes of all stages.
#[inline(always)]
fn finish<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    given: &Problem<'_, T>,
    moves: bool,
    at: &mut Local<'_, T>,
) {
    let (head, timestep) = (&scene.head, scene.constants.timestep);
    let (begin, slope) = (&at.begin, &at.slope);
    team.each(head.na * usize::from(moves), |i| {
        state.act[i] = begin.act[i]
    });
    next_activations(team, scene, (state.act, moves), |index| slope.act[index]);
    let qpos = &mut at.qpos;
    team.each(head.nq, |i| qpos[i] = begin.qpos[i]);
    team.each(head.njnt, |i| {
        joint::advance(&scene.tree, i..i + 1, qpos, slope.qpos, timestep);
    });
    team.each(head.nq * usize::from(moves), |i| state.qpos[i] = qpos[i]);
    team.each(head.nv * usize::from(moves), |i| {
        state.qvel[i] = begin.qvel[i] + slope.qvel[i] * timestep;
        state.warm_start[i] = given.qacc[i];
    });
}
