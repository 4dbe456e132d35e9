//! How the state of a world moves, by a warp.

use crate::Number;
use crate::arena::Arena;
use crate::block::{Event, Problem, State, Words, count, has_bad};
use crate::scene::{Head, Scene};
use crate::smooth::factor;
use crate::warp::Warp;
use sinew_dynamics::integrate::{self, Damped};
use sinew_dynamics::{actuation, inertia, joint};

/// Numbers of working memory that a world takes.
pub fn memory_length(head: &Head) -> usize {
    2 * head.nC + 2 * head.nv
}

/// Moves the state by a step, dampers and actuators taken implicitly where the scene says so. A world whose acceleration
/// is bad begins anew.
#[inline(always)]
pub fn advance<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
    ctrl: &[T],
    given: &Problem<'_, T>,
    words: &mut Words<'_, i32>,
    memory: &mut [T],
) {
    let (head, timestep) = (&scene.head, scene.constants.timestep);
    if has_bad(warp, given.qacc) {
        warp.each(1, |_| count(words.events, Event::BadState));
        reset(warp, scene, state, time);
        return;
    }
    let arena = &mut Arena::new(memory);
    let acceleration = arena.numbers(head.nv);
    if head.is_damped + head.is_implicit > 0 {
        implicit(warp, scene, (ctrl, state.act), given, acceleration, arena);
    } else {
        warp.each(head.nv, |i| acceleration[i] = given.qacc[i]);
    }
    warp.each(head.nu, |i| {
        if let Some(index) = actuation::driving_activation(&scene.drives, i) {
            let moving = (state.act[index], given.act_dot[index]);
            let (drives, laws) = (&scene.drives, &scene.drive_values);
            state.act[index] = actuation::next_activation(drives, laws, i, moving, timestep);
        }
    });
    warp.each(head.nv, |i| {
        let own = i..i + 1;
        integrate::velocities(&mut state.qvel[own.clone()], &acceleration[own], timestep);
        state.warm_start[i] = given.qacc[i];
    });
    warp.each(head.njnt, |i| {
        joint::advance(&scene.tree, i..i + 1, state.qpos, state.qvel, timestep);
    });
    warp.each(1, |_| *time += timestep.to_f64());
}

/// The acceleration with forces taken implicitly that change with velocity.
#[inline(always)]
fn implicit<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    inputs: (&[T], &[T]),
    given: &Problem<'_, T>,
    acceleration: &mut [T],
    arena: &mut Arena<'_, T>,
) {
    let (head, timestep) = (&scene.head, scene.constants.timestep);
    let (qH, qHDiagInv) = (arena.numbers(head.nC), arena.numbers(head.nv));
    if head.is_implicit != 0 {
        let slopes = arena.numbers(head.nC);
        warp.each(head.nC, |i| slopes[i] = T::ZERO);
        warp.each(1, |_| velocity_derivative(scene, inputs, given, slopes));
        warp.each(head.nC, |i| qH[i] = given.M[i] + slopes[i] * -timestep);
    } else {
        warp.each(head.nC, |i| qH[i] = given.M[i]);
        warp.each(head.nv, |i| {
            qH[diagonal(scene, i)] += timestep * scene.values.dof_damping[i];
        });
    }
    factor(warp, inertia::rows(&scene.tree), qH, qHDiagInv);
    warp.each(1, |_| {
        let out = &mut Damped {
            qH: &mut *qH,
            qHDiagInv: &mut *qHDiagInv,
            acceleration: &mut *acceleration,
        };
        let forces = (&*given.qfrc_smooth, &*given.qfrc_constraint);
        integrate::solve(&scene.tree, forces, 0..head.nv, out);
    });
}

/// How forces of actuators, dampers and tendons change with velocity, in the layout of M.
#[inline(always)]
fn velocity_derivative<T: Number>(
    scene: &Scene<'_, T>,
    (ctrl, act): (&[T], &[T]),
    given: &Problem<'_, T>,
    out: &mut [T],
) {
    let (drives, laws) = (&scene.drives, &scene.drive_values);
    let timestep = scene.constants.timestep;
    for i in 0..scene.head.nu {
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
pub fn reset<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
) {
    warp.each(scene.head.nq, |i| state.qpos[i] = scene.values.qpos0[i]);
    warp.each(scene.head.nv, |i| {
        state.qvel[i] = T::ZERO;
        state.warm_start[i] = T::ZERO;
        state.applied[i] = T::ZERO;
    });
    warp.each(scene.head.na, |i| state.act[i] = T::ZERO);
    warp.each(1, |_| *time = 0.0);
}
