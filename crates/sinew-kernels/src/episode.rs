//! How worlds begin anew, and how they have ended: what happens to them between steps.

use crate::Number;
use crate::block::{Event, State, StateLayout, WordLayout, range};
use crate::scene::Scene;
use sinew_dynamics::joint;
use sinew_math::random::{Noise, Stream};
use sinew_math::series::Series;

/// What a world begins with: the model's initial state, or that of a keyframe.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a, T> {
    /// The block of its state.
    pub block: &'a [T],
    /// Controls.
    pub ctrl: &'a [T],
    /// Time.
    pub time: f64,
}

/// What is known of a world's last call: an entry of arrays for all worlds.
#[derive(Debug)]
pub struct Marks<'a> {
    /// Events of the kind [`Event::BadState`] that were seen when the call ended.
    pub seen: &'a mut i32,
    /// 1 if there were new ones in it: the next call puts the world to its start first.
    pub failed: &'a mut u8,
    /// 1 if the episode has ended: by failure, or as the user says.
    pub terminated: &'a mut u8,
    /// 1 if the time limit has been reached.
    pub truncated: &'a mut u8,
}

/// Puts a world to its start, and forgets what happened to it.
#[inline(always)]
pub fn restart<T: Number>(
    start: &Start<'_, T>,
    block: &mut [T],
    ctrl: &mut [T],
    time: &mut f64,
    (layout, words): (&WordLayout, &mut [i32]),
    readings: &mut [T],
    marks: Marks<'_>,
) {
    for reading in readings {
        *reading = T::ZERO;
    }
    for i in 0..block.len() {
        block[i] = start.block[i];
    }
    for i in 0..ctrl.len() {
        ctrl[i] = start.ctrl[i];
    }
    *time = start.time;
    for event in &mut words[range(layout.events)] {
        *event = 0;
    }
    for word in &mut words[range(layout.energy)] {
        *word = 0;
    }
    *marks.seen = 0;
    *marks.failed = 0;
    *marks.terminated = 0;
    *marks.truncated = 0;
}

/// Moves a world away from its start, as `Batch::reset_randomly` of `sinew-batch` does. Numbers are drawn in double
/// precision; `memory` is that of the world through a step.
#[inline(always)]
pub fn scatter<T: Number>(
    scene: &Scene<'_, T>,
    layout: &StateLayout,
    block: &mut [T],
    noise: &Noise,
    mut stream: Stream,
    memory: &mut Series<T>,
) {
    let (nq, nv) = (scene.head.nq, scene.head.nv);
    let state = State::cut(layout, block);
    for i in 0..nq {
        memory[i] = state.qpos[i];
    }
    for i in 0..nv {
        memory[nq + i] = T::from_f64(noise.position * stream.number(noise.spread));
    }
    for j in 0..scene.head.njnt {
        let (qpos, qvel) = parts(memory, nq, nv);
        joint::advance(&scene.tree, j..j + 1, qpos, qvel, T::ONE);
    }
    for i in 0..nq {
        state.qpos[i] = memory[i];
    }
    for i in 0..nv {
        let change = noise.velocity * stream.number(noise.spread);
        state.qvel[i] += T::from_f64(change);
    }
}

/// Positions and velocities in the memory.
#[cfg(not(target_arch = "nvptx64"))]
fn parts<T: Number>(memory: &mut [T], nq: usize, nv: usize) -> (&mut [T], &[T]) {
    let (qpos, rest) = memory.split_at_mut(nq);
    (qpos, &rest[..nv])
}

#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn parts<T: Number>(memory: &mut Series<T>, nq: usize, nv: usize) -> (&mut Series<T>, &Series<T>) {
    use sinew_math::series::Cells;
    let (qpos, rest) = memory.split(nq);
    (qpos, rest.part(0..nv))
}

/// Says how a world's call has ended.
#[inline(always)]
pub fn end(
    (layout, words): (&WordLayout, &[i32]),
    time: f64,
    limit: f64,
    is_over: bool,
    marks: Marks<'_>,
) {
    let count = words[layout.events[0] + Event::BadState as usize];
    let has_failed = count != *marks.seen;
    *marks.seen = count;
    *marks.failed = u8::from(has_failed);
    *marks.terminated = u8::from(has_failed || is_over);
    *marks.truncated = u8::from(time >= limit);
}
