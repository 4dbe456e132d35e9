//! How the state of a world moves, by a team.

use crate::Number;
use crate::block::{Event, Problem, State, Words, count, has_bad};
use crate::drives;
use crate::forward::any;
use crate::local::Local;
use crate::medium::{self, Bodies};
use crate::scene::Scene;
use crate::smooth::{factor, solve};
use crate::stages;
use crate::team::Team;
use sinew_dynamics::integrate;
use sinew_dynamics::{actuation, joint};
use sinew_math::series::Series;

/// Moves the state by a step, dampers and actuators taken implicitly where the scene says so. A world whose acceleration
/// is bad begins anew where it may.
#[inline(always)]
pub fn advance<T: Number, const GENERAL: bool>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
    ctrl: &[T],
    given: &Problem<'_, T>,
    words: &mut Words<'_, i32>,
    memory: &mut Series<T>,
    quick: &mut Series<T>,
) {
    let (head, timestep) = (&scene.head, scene.constants.timestep);
    let at = &mut Local::cut(head, memory, quick);
    if head.stages > 1 {
        return stages::advance(team, scene, state, time, given, words, at);
    }
    if head.is_damped + head.is_implicit > 0 {
        implicit::<T, GENERAL>(team, scene, (ctrl, state.act), given, at);
    } else {
        team.each(head.nv, |i| at.solved[i] = given.qacc[i]);
    }
    next_activations(team, scene, (state.act, true), |index| given.act_dot[index]);
    team.each(head.nv, |i| {
        let (mut speed, acceleration) = ([at.qvel[i]], [at.solved[i]]);
        integrate::velocities(&mut speed, &acceleration, timestep);
        at.qvel[i] = speed[0];
        state.qvel[i] = speed[0];
        state.warm_start[i] = given.qacc[i];
    });
    let (qpos, qvel) = (&mut at.qpos, &*at.qvel);
    team.each(head.njnt, |i| {
        joint::advance(&scene.tree, i..i + 1, qpos, qvel, timestep);
    });
    team.each(head.nq, |i| state.qpos[i] = qpos[i]);
    let is_bad = any(team, at.solved, head.nv, |i| has_bad(&given.qacc[i..i + 1]));
    team.each(1, |_| {
        *time += timestep.to_f64();
        is_over(scene, state, time, is_bad, words.events);
    });
}

/// Moves activations by a step at given rates, of worlds that move.
#[inline(always)]
pub(crate) fn next_activations<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    (act, moves): (&mut [T], bool),
    rate: impl Fn(usize) -> T,
) {
    let (structure, laws) = (&scene.drives, &scene.drive_values);
    let count = scene.head.nu * scene.head.acts * usize::from(moves);
    team.each(count, |i| {
        if let Some(index) = actuation::driving_activation(structure, i) {
            let is_off = scene.head.general != 0 && drives::is_off(scene, i);
            let moving = (act[index], if is_off { T::ZERO } else { rate(index) });
            let timestep = scene.constants.timestep;
            act[index] = actuation::next_activation(structure, laws, i, moving, timestep);
        }
    });
}

/// Whether a world's acceleration is bad and it begins anew for that.
#[inline(always)]
pub(crate) fn is_over<T: Number>(
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
    is_bad: bool,
    events: &mut [i32],
) -> bool {
    if is_bad {
        count(events, Event::BadState);
    }
    let is_over = is_bad && scene.head.resets != 0;
    if is_over {
        reset(scene, state, time);
    }
    is_over
}

/// The acceleration with forces taken implicitly that change with velocity.
#[inline(always)]
fn implicit<T: Number, const GENERAL: bool>(
    team: Team,
    scene: &Scene<'_, T>,
    inputs: (&[T], &[T]),
    given: &Problem<'_, T>,
    at: &mut Local<'_, T>,
) {
    let (head, timestep) = (&scene.head, scene.constants.timestep);
    let (qH, qHDiagInv, M) = (
        &mut at.inertia.qLD,
        &mut at.inertia.qLDiagInv,
        &*at.inertia.M,
    );
    if head.is_implicit != 0 {
        team.each(head.nC, |i| qH[i] = T::ZERO);
        if GENERAL {
            let bodies = &Bodies {
                kinematics: &at.kinematics,
                com: &at.com,
            };
            medium::slopes(team, scene, bodies, &at.velocity, &mut at.general);
            drives::slopes(team, scene, inputs, given, bodies, &mut at.general, qH);
        } else {
            team.each(1, |_| velocity_derivative(scene, inputs, given, qH));
        }
        team.each(head.nC, |i| qH[i] = M[i] + qH[i] * -timestep);
    } else {
        team.each(head.nC, |i| qH[i] = M[i]);
        team.each(head.nv, |i| {
            qH[diagonal(scene, i)] += timestep * scene.values.dof_damping[i];
        });
    }
    factor(team, scene, qH, qHDiagInv);
    let (solved, smooth) = (&mut at.solved, &*at.qfrc_smooth);
    team.each(head.nv, |i| {
        solved[i] = smooth[i] + given.qfrc_constraint[i]
    });
    solve(team, scene, (*qH, *qHDiagInv), solved);
}

/// How forces of actuators, dampers and tendons change with velocity, in the layout of M.
#[inline(always)]
fn velocity_derivative<T: Number>(
    scene: &Scene<'_, T>,
    (ctrl, act): (&[T], &[T]),
    given: &Problem<'_, T>,
    out: &mut Series<T>,
) {
    let (drives, laws) = (&scene.drives, &scene.drive_values);
    let timestep = scene.constants.timestep;
    for i in 0..scene.head.nu * scene.head.acts {
        let gain = actuation::gain_slope::<T, T>(drives, laws, i);
        let bias = actuation::bias_slope::<T, T>(drives, laws, i);
        // Other laws are refused before.
        let (Some(gain), Some(bias)) = (gain, bias) else {
            continue;
        };
        let moving = (act, &*given.act_dot);
        let driver = actuation::drive(drives, laws, i, ctrl[i], moving, timestep);
        let slope = if gain == T::ZERO {
            bias
        } else {
            bias + gain * driver
        };
        let joint = drives.actuator_trnid[i][0] as usize;
        let at = diagonal(scene, scene.tree.jnt_dofadr[joint] as usize);
        let gear = laws.actuator_gear[i][0];
        let is_at_limit = actuation::is_at_limit(drives, laws, i, given.actuator_force[i]);
        if !is_at_limit && slope != T::ZERO {
            out[at] += gear * (gear * slope);
        }
    }
    for dof in 0..scene.head.nv {
        out[diagonal(scene, dof)] -= scene.values.dof_damping[dof];
    }
    let tables = &scene.tables;
    for (&entry, &slope) in tables.cord_slope_entries.iter().zip(tables.cord_slopes) {
        out[entry as usize] += slope;
    }
}

/// Where M has the entry of a degree of freedom with itself.
#[inline(always)]
fn diagonal<T>(scene: &Scene<'_, T>, dof: usize) -> usize {
    (scene.tree.M_rowadr[dof] + scene.tree.M_rownnz[dof] - 1) as usize
}

/// Puts a world back to the start.
#[inline(always)]
pub fn reset<T: Number>(scene: &Scene<'_, T>, state: &mut State<'_, T>, time: &mut f64) {
    for i in 0..scene.head.nq {
        state.qpos[i] = scene.values.qpos0[i];
    }
    for i in 0..scene.head.nv {
        state.qvel[i] = T::ZERO;
        state.warm_start[i] = T::ZERO;
        state.applied[i] = T::ZERO;
    }
    for i in 0..scene.head.na {
        state.act[i] = T::ZERO;
    }
    for i in 0..state.wrenches.len() {
        state.wrenches[i] = T::ZERO;
    }
    *time = 0.0;
}
