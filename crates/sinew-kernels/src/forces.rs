//! Forces that do not come from constraints, by a team.

use crate::Number;
use crate::adhesion::Grip;
use crate::block::{Event, State, count, has_bad};
use crate::drives::{self, Moving};
use crate::forward::any;
use crate::local::{Local, com_of};
use crate::medium::{self, Bodies};
use crate::scene::{CORD_NUMBERS, CORD_WORDS, Scene};
use crate::smooth::{body_of, gather, level_size, numbers, solve};
use crate::sums::{dot_of, sparse_dot_of};
use crate::team::Team;
use crate::tendon;
use crate::tendon_bias;
use sinew_dynamics::bias::{self, Scratch};
use sinew_dynamics::smooth::{self, Forces};
use sinew_dynamics::velocity::ComVelocityRef;
use sinew_dynamics::{actuation, spring};
use sinew_math::Vec3;
use sinew_math::series::Series;
use sinew_math::spatial::spatial;

/// What forces besides those of constraints lead to.
pub(crate) struct Accelerated<'a, T> {
    pub act_dot: &'a mut [T],
    pub actuator_force: &'a mut [T],
    pub events: &'a mut [i32],
}

/// Where the forces of a world have the bias.
const BIAS: usize = 2;

/// Forces that do not come from constraints, and the acceleration they cause.
#[inline(always)]
pub(crate) fn acceleration<T: Number, const GENERAL: bool>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    ctrl: &[T],
    at: &mut Local<'_, T>,
    out: &mut Accelerated<'_, T>,
) {
    let (structure, values, head) = (&scene.tree, &scene.values, &scene.head);
    let nv = head.nv;
    let [springs, dampers, bias_force, applied, _] = &mut at.forces;
    let (qpos, qvel) = (&*at.qpos, &*at.qvel);
    team.each(nv, |i| {
        springs[i] = T::ZERO;
        dampers[i] = T::ZERO;
        applied[i] = state.applied[i];
    });
    team.each(head.njnt, |i| {
        spring::springs(structure, values, qpos, i..i + 1, springs)
    });
    team.each(nv, |i| spring::dampers(values, qvel, i..i + 1, dampers));
    if GENERAL {
        tendon::forces(team, scene, qvel, &mut at.general, (springs, dampers));
        let bodies = &Bodies {
            kinematics: &at.kinematics,
            com: &at.com,
        };
        medium::passive(team, scene, bodies, &at.velocity, &mut at.general);
        let general = &at.general;
        team.each(nv, |i| {
            springs[i] += dampers[i];
            if head.swimmers > 0 {
                springs[i] += general.fluid[i];
            }
            let joint = structure.dof_jntid[i] as usize;
            if head.lifts > 0 && scene.extra.jnt_actgravcomp[joint] == 0 {
                springs[i] += general.gravcomp[i];
            }
        });
    } else {
        team.each(1, |_| {
            for cord in 0..head.cords {
                cord_forces(scene, cord, (qpos, qvel), (springs, dampers));
            }
        });
        team.each(nv, |i| springs[i] += dampers[i]);
    }
    let about = &com_of(&at.com);
    let moving = &ComVelocityRef {
        cvel: &*at.velocity.cvel,
        cdof_dot: &*at.velocity.cdof_dot,
    };
    let world = spatial(Vec3::zero(), Vec3(scene.constants.upward));
    let scratch = &mut Scratch {
        acceleration: at.body_acceleration,
        force: at.body_force,
    };
    team.each(1, |_| bias::of_world(world, scratch));
    for level in 0..head.levels {
        team.each(level_size(scene, level), |k| {
            let body = body_of(scene, level, k);
            bias::of_body(structure, body, (qvel, None), about, moving, scratch);
        });
    }
    gather::<T, 6>(team, scene, false, numbers(&mut *scratch.force));
    team.each(nv, |i| {
        let force = &*scratch.force;
        bias::project(structure, about, i..i + 1, force, bias_force)
    });
    if GENERAL {
        tendon_bias::add(team, scene, at, BIAS);
    }
    // What bodies stick to is not known yet.
    if !GENERAL || head.adheres == 0 {
        driven::<T, GENERAL>(team, scene, state, ctrl, at, None, out);
    }
}

/// Forces of actuators, the sum of all, and the acceleration they cause. Where bodies stick to what they touch somebody says
/// what that is.
#[inline(always)]
pub(crate) fn driven<T: Number, const GENERAL: bool>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    ctrl: &[T],
    at: &mut Local<'_, T>,
    grip: Option<&Grip<'_, T>>,
    out: &mut Accelerated<'_, T>,
) {
    let nv = scene.head.nv;
    let [springs, _, bias_force, applied, actuator] = &mut at.forces;
    let (qpos, qvel) = (&*at.qpos, &*at.qvel);
    let moving = &Moving {
        qpos,
        qvel,
        act: state.act,
        ctrl,
    };
    let (kinematics, com, general) = (&at.kinematics, &at.com, &mut at.general);
    actuators(
        team,
        scene,
        moving,
        out,
        actuator,
        |is_bad, out, actuator| {
            if GENERAL {
                let poses = (kinematics, com, grip);
                drives::forces(team, scene, moving, poses, is_bad, general, out, actuator);
            } else {
                axes(team, scene, moving, is_bad, out, actuator);
            }
        },
    );
    let forces = &Forces {
        passive: springs,
        bias: bias_force,
        applied,
        actuator,
    };
    let (total, solved) = (&mut at.qfrc_smooth, &mut at.solved);
    team.each(nv, |i| smooth::sum(forces, i..i + 1, total));
    if GENERAL {
        let bodies = &Bodies {
            kinematics: &at.kinematics,
            com: &at.com,
        };
        medium::applied(team, scene, state, bodies, total);
    }
    team.each(nv, |i| solved[i] = total[i]);
    let factor = (&*at.inertia.qLD, &*at.inertia.qLDiagInv);
    solve(team, scene, factor, solved);
    team.each(nv, |i| at.qacc_smooth[i] = solved[i]);
}

/// Length of a tendon.
#[inline(always)]
pub(crate) fn cord_length<T: Number>(scene: &Scene<'_, T>, cord: usize, qpos: &Series<T>) -> T {
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
    (qpos, qvel): (&Series<T>, &Series<T>),
    (springs, dampers): (&mut Series<T>, &mut Series<T>),
) {
    let tables = &scene.tables;
    let words = &tables.cord_words[cord * CORD_WORDS..][..CORD_WORDS];
    let numbers = &tables.cord_numbers[cord * CORD_NUMBERS..][..CORD_NUMBERS];
    let (stiffness, damping) = (numbers[0], numbers[1]);
    if stiffness == T::ZERO && damping == T::ZERO {
        return;
    }
    let columns = words[4] as usize..(words[4] + words[5]) as usize;
    let entry = |dof: usize| {
        let mut found = T::ZERO;
        for k in columns.clone() {
            if tables.cord_columns[k] as usize == dof {
                found = tables.cord_entries[k];
            }
        }
        found
    };
    let length = cord_length(scene, cord, qpos);
    let spring = stiffness * spring::outside_band(length, [numbers[2], numbers[3]]);
    let own = |k: usize| {
        let k = columns.start + k;
        tables.cord_entries[k] * qvel[tables.cord_columns[k] as usize]
    };
    let speed = match scene.head.is_sparse {
        0 => dot_of(scene.head.nv, |dof| entry(dof) * qvel[dof]),
        _ => sparse_dot_of(columns.len(), own),
    };
    let damper = -damping * speed;
    if spring == T::ZERO && damper == T::ZERO {
        return;
    }
    for k in columns.clone() {
        let (dof, entry) = (tables.cord_columns[k] as usize, tables.cord_entries[k]);
        springs[dof] += entry * spring;
        dampers[dof] += entry * damper;
    }
}

/// Forces of the actuators, which are given by how they make forces of controls, unless these are bad.
#[inline(always)]
fn actuators<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    moving: &Moving<'_, T>,
    given: &mut Accelerated<'_, T>,
    out: &mut Series<T>,
    forces: impl FnOnce(bool, &mut Accelerated<'_, T>, &mut Series<T>),
) {
    if scene.head.acts * scene.head.nu == 0 {
        team.each(scene.head.nv, |i| out[i] = T::ZERO);
        return;
    }
    // A bad control is none, and so are the others.
    let is_bad = any(team, out, scene.head.nu, |i| {
        has_bad(&moving.ctrl[i..i + 1])
    });
    team.each(1, |_| {
        if is_bad {
            count(given.events, Event::BadControl);
        }
    });
    forces(is_bad, given, out);
    team.each(scene.head.njnt, |j| {
        if scene.extra.jnt_actfrclimited[j] != 0 {
            let dof = scene.tree.jnt_dofadr[j] as usize;
            out[dof] = actuation::clip(out[dof], scene.extra.jnt_actfrcrange[j]);
        }
    });
}

/// Forces of actuators on hinges and slides.
#[inline(always)]
fn axes<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    moving: &Moving<'_, T>,
    is_bad: bool,
    given: &mut Accelerated<'_, T>,
    out: &mut Series<T>,
) {
    let (drives, values, qpos) = (&scene.drives, &scene.drive_values, moving.qpos);
    team.each(scene.head.nv, |i| out[i] = T::ZERO);
    team.each(scene.head.nu, |i| {
        let control = if is_bad { T::ZERO } else { moving.ctrl[i] };
        drive(scene, i, (qpos, moving.qvel, moving.act, control), given);
    });
    team.each(1, |_| {
        for i in 0..scene.head.nu {
            let on_axis = actuation::on_axis(&scene.tree, drives, values, qpos, i);
            let force = given.actuator_force[i];
            if let Some((_, dof, moment)) = on_axis {
                actuation::apply(force, (&[dof as i32], &[moment]), out);
            }
        }
    });
}

/// Force of an actuator, and the rate of its activation.
#[inline(always)]
fn drive<T: Number>(
    scene: &Scene<'_, T>,
    i: usize,
    (qpos, qvel, act, control): (&Series<T>, &Series<T>, &[T], T),
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
