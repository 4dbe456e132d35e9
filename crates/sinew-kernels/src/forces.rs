//! Forces that do not come from constraints, by a warp.

use crate::Number;
use crate::block::{Event, State, count, has_bad};
use crate::scene::{CORD_NUMBERS, CORD_WORDS, Scene};
use crate::smooth::{Local, body_of, com_of, level_size};
use crate::warp::Warp;
use sinew_dynamics::bias::{self, Scratch};
use sinew_dynamics::smooth::{self, Forces};
use sinew_dynamics::velocity::ComVelocityRef;
use sinew_dynamics::{actuation, inertia, spring};
use sinew_math::dense::dot;
use sinew_math::spatial::spatial;
use sinew_math::{Vec3, tree};

/// What forces besides those of constraints lead to.
pub(crate) struct Accelerated<'a, T> {
    pub qfrc_smooth: &'a mut [T],
    pub qacc_smooth: &'a mut [T],
    pub act_dot: &'a mut [T],
    pub actuator_force: &'a mut [T],
    pub events: &'a mut [i32],
}

/// Forces that do not come from constraints, and the acceleration they cause.
#[inline(always)]
pub(crate) fn acceleration<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    ctrl: &[T],
    at: &mut Local<'_, T>,
    out: &mut Accelerated<'_, T>,
) {
    let (structure, values, head) = (&scene.tree, &scene.values, &scene.head);
    let (bodies, nv) = (0..head.nbody, head.nv);
    let [springs, dampers, bias_force, actuator, smooth_force] = &mut at.forces;
    warp.each(nv, |i| {
        springs[i] = T::ZERO;
        dampers[i] = T::ZERO;
    });
    warp.each(head.njnt, |i| {
        spring::springs(structure, values, at.qpos, i..i + 1, springs)
    });
    warp.each(nv, |i| spring::dampers(values, at.qvel, i..i + 1, dampers));
    warp.each(1, |_| {
        for cord in 0..head.cords {
            cord_forces(scene, cord, (at.qpos, at.qvel), at.row, (springs, dampers));
        }
    });
    warp.each(nv, |i| springs[i] += dampers[i]);
    let about = &com_of(&at.com);
    let moving = &ComVelocityRef {
        cvel: at.velocity.cvel,
        cdof_dot: at.velocity.cdof_dot,
    };
    let world = spatial(Vec3::zero(), Vec3(scene.constants.upward));
    let scratch = &mut Scratch {
        acceleration: at.body_acceleration,
        force: at.body_force,
    };
    warp.each(1, |_| bias::of_world(world, scratch));
    for level in 0..head.levels {
        warp.each(level_size(scene, level), |k| {
            let body = body_of(scene, level, k);
            bias::of_body(structure, body, (at.qvel, None), about, moving, scratch);
        });
    }
    warp.each(1, |_| {
        bias::gather(structure, bodies.clone(), scratch.force)
    });
    warp.each(nv, |i| {
        bias::project(structure, about, i..i + 1, scratch.force, bias_force)
    });
    actuators(
        warp,
        scene,
        (at.qpos, at.qvel, state.act, ctrl),
        out,
        actuator,
    );
    let forces = &Forces {
        passive: springs,
        bias: bias_force,
        applied: state.applied,
        actuator,
    };
    warp.each(nv, |i| smooth::sum(forces, i..i + 1, smooth_force));
    warp.each(nv, |i| out.qfrc_smooth[i] = smooth_force[i]);
    let matrices = &at.inertia;
    warp.each(1, |_| {
        let rows = inertia::rows(structure);
        tree::solve(rows, matrices.qLD, matrices.qLDiagInv, smooth_force);
    });
    warp.each(nv, |i| out.qacc_smooth[i] = smooth_force[i]);
}

/// Length of a tendon.
#[inline(always)]
pub(crate) fn cord_length<T: Number>(scene: &Scene<'_, T>, cord: usize, qpos: &[T]) -> T {
    let tables = &scene.tables;
    let words = &tables.cord_words[cord * CORD_WORDS..][..CORD_WORDS];
    let mut length = T::ZERO;
    for term in words[2]..words[2] + words[3] {
        let address = tables.cord_addresses[term as usize] as usize;
        length += tables.cord_coefficients[term as usize] * qpos[address];
    }
    length
}

/// Spring and damper of a fixed tendon.
#[inline(always)]
fn cord_forces<T: Number>(
    scene: &Scene<'_, T>,
    cord: usize,
    (qpos, qvel): (&[T], &[T]),
    row: &mut [T],
    (springs, dampers): (&mut [T], &mut [T]),
) {
    let tables = &scene.tables;
    let words = &tables.cord_words[cord * CORD_WORDS..][..CORD_WORDS];
    let numbers = &tables.cord_numbers[cord * CORD_NUMBERS..][..CORD_NUMBERS];
    let (stiffness, damping) = (numbers[0], numbers[1]);
    if stiffness == T::ZERO && damping == T::ZERO {
        return;
    }
    row.fill(T::ZERO);
    let columns = words[4] as usize..(words[4] + words[5]) as usize;
    for k in columns.clone() {
        row[tables.cord_columns[k] as usize] = tables.cord_entries[k];
    }
    let length = cord_length(scene, cord, qpos);
    let spring = stiffness * spring::outside_band(length, [numbers[2], numbers[3]]);
    let damper = -damping * dot(row, qvel);
    if spring == T::ZERO && damper == T::ZERO {
        return;
    }
    for k in columns {
        let dof = tables.cord_columns[k] as usize;
        springs[dof] += row[dof] * spring;
        dampers[dof] += row[dof] * damper;
    }
}

/// Forces of the actuators.
#[inline(always)]
fn actuators<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    (qpos, qvel, act, ctrl): (&[T], &[T], &[T], &[T]),
    given: &mut Accelerated<'_, T>,
    out: &mut [T],
) {
    let (drives, values) = (&scene.drives, &scene.drive_values);
    // A bad control is none, and so are the others.
    let is_bad = has_bad(warp, ctrl);
    if is_bad {
        warp.each(1, |_| count(given.events, Event::BadState));
    }
    warp.each(scene.head.nv, |i| out[i] = T::ZERO);
    warp.each(scene.head.nu, |i| {
        let control = if is_bad { T::ZERO } else { ctrl[i] };
        drive(scene, i, (qpos, qvel, act, control), given);
    });
    warp.each(1, |_| {
        for i in 0..scene.head.nu {
            let on_axis = actuation::on_axis(&scene.tree, drives, values, qpos, i);
            let force = given.actuator_force[i];
            if let Some((_, dof, moment)) = on_axis {
                actuation::apply(force, (&[dof as i32], &[moment]), out);
            }
        }
    });
    warp.each(scene.head.njnt, |j| {
        if scene.extra.jnt_actfrclimited[j] != 0 {
            let dof = scene.tree.jnt_dofadr[j] as usize;
            out[dof] = actuation::clip(out[dof], scene.extra.jnt_actfrcrange[j]);
        }
    });
}

/// Force of an actuator, and the rate of its activation.
#[inline(always)]
fn drive<T: Number>(
    scene: &Scene<'_, T>,
    i: usize,
    (qpos, qvel, act, control): (&[T], &[T], &[T], T),
    given: &mut Accelerated<'_, T>,
) {
    let (drives, values) = (&scene.drives, &scene.drive_values);
    let on_axis = actuation::on_axis(&scene.tree, drives, values, qpos, i);
    let Some((length, dof, moment)) = on_axis else {
        return;
    };
    let speed = T::ZERO + moment * qvel[dof];
    let control = match scene.head.clamps_control != 0 {
        true => actuation::control(drives, values, i, control),
        false => control,
    };
    let gain = actuation::gain(drives, values, i, (length, speed));
    let bias = actuation::bias(drives, values, i, (length, speed));
    // Other laws are refused before.
    let (Some(gain), Some(bias)) = (gain, bias) else {
        return;
    };
    if let Some(index) = actuation::driving_activation(drives, i) {
        let rate = actuation::activation_rate(drives, values, i, control, act[index]);
        given.act_dot[index] = rate.unwrap_or(T::ZERO);
    }
    let moving = (act, &*given.act_dot);
    let timestep = scene.constants.timestep;
    let driver = actuation::drive(drives, values, i, control, moving, timestep);
    given.actuator_force[i] = actuation::limited(drives, values, i, gain * driver + bias);
}
