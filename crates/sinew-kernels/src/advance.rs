//! How the state of a world moves, by a thread.

use crate::Number;
use crate::arena::Arena;
use crate::block::{Event, Problem, State, Words, count, has_bad};
use crate::scene::{Head, Scene};
use sinew_dynamics::integrate::{self, Damped};
use sinew_dynamics::{actuation, joint};

/// Numbers that the stack of a thread has room for: in the kernel for small models, and in that for large ones.
pub const STACKS: [usize; 2] = [1024, 8192];

/// Numbers of working memory that a world takes.
pub fn memory_length(head: &Head) -> usize {
    3 * head.nC + 3 * head.nv + head.nq
}

/// Moves the state by a step, dampers and actuators taken implicitly where the scene says so. A world whose acceleration
/// is bad begins anew.
#[inline(always)]
pub fn advance<T: Number>(
    scene: &Scene<'_, T>,
    state: &mut State<'_, T>,
    time: &mut f64,
    ctrl: &[T],
    given: &Problem<'_, T>,
    words: &mut Words<'_, i32>,
    memory: &mut [T],
) {
    let (head, timestep) = (&scene.head, scene.constants.timestep);
    if has_bad(given.qacc) {
        count(words.events, Event::BadState);
        reset(scene, state, time);
        return;
    }
    let arena = &mut Arena::new(memory);
    let acceleration = arena.numbers(head.nv);
    if head.is_damped + head.is_implicit > 0 {
        let inertia = arena.numbers(head.nC);
        inertia.copy_from_slice(given.M);
        let out = &mut Damped {
            qH: arena.numbers(head.nC),
            qHDiagInv: arena.numbers(head.nv),
            acceleration,
        };
        let forces = (&*given.qfrc_smooth, &*given.qfrc_constraint);
        let (tree, values) = (&scene.tree, &scene.values);
        let dofs = 0..head.nv;
        if head.is_implicit != 0 {
            let slopes = arena.numbers(head.nC);
            velocity_derivative(scene, (ctrl, state.act), given, slopes);
            integrate::implicit_acceleration(tree, slopes, timestep, inertia, forces, dofs, out);
        } else {
            integrate::damped_acceleration(tree, values, timestep, inertia, forces, dofs, out);
        }
    } else {
        acceleration.copy_from_slice(given.qacc);
    }
    for i in 0..head.nu {
        if let Some(index) = actuation::driving_activation(&scene.drives, i) {
            let moving = (state.act[index], given.act_dot[index]);
            let (drives, laws) = (&scene.drives, &scene.drive_values);
            state.act[index] = actuation::next_activation(drives, laws, i, moving, timestep);
        }
    }
    let (qvel, qpos) = (arena.numbers(head.nv), arena.numbers(head.nq));
    qvel.copy_from_slice(state.qvel);
    qpos.copy_from_slice(state.qpos);
    integrate::velocities(qvel, acceleration, timestep);
    joint::advance(&scene.tree, 0..head.njnt, qpos, qvel, timestep);
    state.qvel.copy_from_slice(qvel);
    state.qpos.copy_from_slice(qpos);
    state.warm_start.copy_from_slice(given.qacc);
    *time += timestep.to_f64();
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
    out.fill(T::ZERO);
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
pub fn reset<T: Number>(scene: &Scene<'_, T>, state: &mut State<'_, T>, time: &mut f64) {
    state.qpos.copy_from_slice(scene.values.qpos0);
    state.qvel.fill(T::ZERO);
    state.act.fill(T::ZERO);
    state.warm_start.fill(T::ZERO);
    state.applied.fill(T::ZERO);
    *time = 0.0;
}
