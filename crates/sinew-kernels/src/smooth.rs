//! The stages without constraints, by a thread.

use crate::Number;
use crate::arena::Arena;
use crate::block::{Event, State, count};
use crate::scene::{CORD_NUMBERS, CORD_WORDS, Head, Scene};
use bytemuck::cast_slice;
use sinew_dynamics::bias::{self, Scratch};
use sinew_dynamics::com::{self, ComMut, ComRef};
use sinew_dynamics::inertia::{self, InertiaMut};
use sinew_dynamics::kinematics::{self, Coordinates, KinematicsMut, KinematicsRef};
use sinew_dynamics::smooth::{self, Forces};
use sinew_dynamics::velocity::{self, ComVelocityMut, ComVelocityRef};
use sinew_dynamics::{actuation, spring};
use sinew_math::dense::dot;
use sinew_math::spatial::{Spatial, spatial};
use sinew_math::{Vec3, tree};

/// The arrays of a world while its thread computes it.
pub(crate) struct Local<'a, T> {
    pub kinematics: KinematicsMut<'a, T>,
    pub com: ComMut<'a, T>,
    pub inertia: InertiaMut<'a, T>,
    pub velocity: ComVelocityMut<'a, T>,
    pub qpos: &'a mut [T],
    pub qvel: &'a mut [T],
    forces: [&'a mut [T]; 5],
    body_acceleration: &'a mut [Spatial<T>],
    body_force: &'a mut [Spatial<T>],
    /// Entries of the directions of a contact, and of its rows.
    pub directions: &'a mut [T],
    pub entries: &'a mut [T],
    /// A row with all degrees of freedom.
    pub row: &'a mut [T],
    pub translation: &'a mut [Vec3<T>],
    pub rotation: &'a mut [Vec3<T>],
}

/// Directions, and rows, of a contact at most.
pub(crate) const MOST_ROWS: usize = 10;

impl<'a, T: Number> Local<'a, T> {
    /// Numbers that [`Local::cut`] takes.
    pub fn length(head: &Head) -> usize {
        let Head {
            nq,
            nv,
            nbody,
            njnt,
            ngeom,
            nsite,
            nC,
            ..
        } = *head;
        let kinematics = 28 * nbody + 6 * njnt + 12 * (ngeom + nsite);
        let inertia = (3 + 10 + 10) * nbody + 2 * nC + nv + 6 * nv;
        let velocity = 6 * nbody + 6 * nv;
        kinematics + inertia + velocity + nq + 6 * nv + 12 * nbody + (2 * MOST_ROWS + 7) * nv
    }

    #[inline(always)]
    pub fn cut(head: &Head, memory: &'a mut [T]) -> Self {
        let arena = &mut Arena::new(memory);
        let (nbody, nv) = (head.nbody, head.nv);
        Local {
            kinematics: KinematicsMut {
                xpos: arena.cells(nbody),
                xquat: arena.cells(nbody),
                xmat: arena.cells(nbody),
                xipos: arena.cells(nbody),
                ximat: arena.cells(nbody),
                xanchor: arena.cells(head.njnt),
                xaxis: arena.cells(head.njnt),
                geom_xpos: arena.cells(head.ngeom),
                geom_xmat: arena.cells(head.ngeom),
                site_xpos: arena.cells(head.nsite),
                site_xmat: arena.cells(head.nsite),
            },
            com: ComMut {
                subtree_com: arena.cells(nbody),
                cdof: arena.cells(nv),
                cinert: arena.cells(nbody),
            },
            inertia: InertiaMut {
                crb: arena.cells(nbody),
                qM: &mut [],
                M: arena.numbers(head.nC),
                qLD: arena.numbers(head.nC),
                qLDiagInv: arena.numbers(nv),
            },
            velocity: ComVelocityMut {
                cvel: arena.cells(nbody),
                cdof_dot: arena.cells(nv),
            },
            qpos: arena.numbers(head.nq),
            qvel: arena.numbers(nv),
            forces: core::array::from_fn(|_| arena.numbers(nv)),
            body_acceleration: arena.cells(nbody),
            body_force: arena.cells(nbody),
            directions: arena.numbers(MOST_ROWS * nv),
            entries: arena.numbers(MOST_ROWS * nv),
            row: arena.numbers(nv),
            translation: arena.cells(nv),
            rotation: arena.cells(nv),
        }
    }
}

/// Poses, inertias and velocities.
#[inline(always)]
pub(crate) fn position<T: Number>(
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &mut Local<'_, T>,
) {
    let (structure, values, head) = (&scene.tree, &scene.values, &scene.head);
    let (bodies, joints, dofs) = (0..head.nbody, 0..head.njnt, 0..head.nv);
    let coordinates = Coordinates {
        qpos: at.qpos,
        mocap_pos: cast_slice(state.mocap_pos),
        mocap_quat: cast_slice(state.mocap_quat),
    };
    let out = &mut at.kinematics;
    kinematics::bodies(structure, values, &coordinates, bodies.clone(), out);
    kinematics::inertial_frames(structure, values, bodies.clone(), out);
    let (attached, poses) = (&scene.attached, &scene.attached_values);
    kinematics::geoms(attached, poses, 0..head.ngeom, out);
    kinematics::sites(attached, poses, 0..head.nsite, out);

    let poses = &kinematics_of(&at.kinematics);
    com::centres(structure, values, poses, bodies.clone(), &mut at.com);
    com::inertias(structure, values, poses, bodies.clone(), &mut at.com);
    com::axes(structure, poses, joints, &mut at.com);

    let about = &com_of(&at.com);
    inertia::composite(structure, about, bodies.clone(), at.inertia.crb);
    inertia::matrix(structure, values, about, dofs, &mut at.inertia);
    inertia::factor(structure, &mut at.inertia);
    velocity::bodies(structure, at.qvel, about, bodies, &mut at.velocity);
}

/// Poses, for reading.
#[inline(always)]
pub(crate) fn kinematics_of<'a, T>(of: &'a KinematicsMut<'_, T>) -> KinematicsRef<'a, T> {
    KinematicsRef {
        xpos: of.xpos,
        xquat: of.xquat,
        xmat: of.xmat,
        xipos: of.xipos,
        ximat: of.ximat,
        xanchor: of.xanchor,
        xaxis: of.xaxis,
        geom_xpos: of.geom_xpos,
        geom_xmat: of.geom_xmat,
        site_xpos: of.site_xpos,
        site_xmat: of.site_xmat,
    }
}

/// Centres of mass, for reading.
#[inline(always)]
pub(crate) fn com_of<'a, T>(of: &'a ComMut<'_, T>) -> ComRef<'a, T> {
    ComRef {
        subtree_com: of.subtree_com,
        cdof: of.cdof,
        cinert: of.cinert,
    }
}

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
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    ctrl: &[T],
    at: &mut Local<'_, T>,
    out: &mut Accelerated<'_, T>,
) {
    let (structure, values, head) = (&scene.tree, &scene.values, &scene.head);
    let (bodies, joints, dofs) = (0..head.nbody, 0..head.njnt, 0..head.nv);
    let [springs, dampers, bias_force, actuator, smooth_force] = &mut at.forces;
    springs.fill(T::ZERO);
    spring::springs(structure, values, at.qpos, joints, springs);
    dampers.fill(T::ZERO);
    spring::dampers(values, at.qvel, dofs.clone(), dampers);
    for cord in 0..head.cords {
        cord_forces(scene, cord, (at.qpos, at.qvel), at.row, (springs, dampers));
    }
    for i in dofs.clone() {
        springs[i] += dampers[i];
    }
    bias::newton_euler(
        structure,
        (at.qvel, None),
        &com_of(&at.com),
        &ComVelocityRef {
            cvel: at.velocity.cvel,
            cdof_dot: at.velocity.cdof_dot,
        },
        spatial(Vec3::zero(), Vec3(scene.constants.upward)),
        (bodies, dofs.clone()),
        bias_force,
        &mut Scratch {
            acceleration: at.body_acceleration,
            force: at.body_force,
        },
    );
    actuators(scene, (at.qpos, at.qvel, state.act, ctrl), out, actuator);
    let forces = &Forces {
        passive: springs,
        bias: bias_force,
        applied: state.applied,
        actuator,
    };
    smooth::sum(forces, dofs, smooth_force);
    out.qfrc_smooth.copy_from_slice(smooth_force);
    let matrices = &at.inertia;
    tree::solve(
        inertia::rows(structure),
        matrices.qLD,
        matrices.qLDiagInv,
        smooth_force,
    );
    out.qacc_smooth.copy_from_slice(smooth_force);
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
    scene: &Scene<'_, T>,
    (qpos, qvel, act, ctrl): (&[T], &[T], &[T], &[T]),
    given: &mut Accelerated<'_, T>,
    out: &mut [T],
) {
    let (drives, values) = (&scene.drives, &scene.drive_values);
    let clamps = scene.head.clamps_control != 0;
    let timestep = scene.constants.timestep;
    // A bad control is none, and so are the others.
    let is_bad = crate::block::has_bad(ctrl);
    if is_bad {
        count(given.events, Event::BadState);
    }
    out.fill(T::ZERO);
    for i in 0..scene.head.nu {
        let on_axis = actuation::on_axis(&scene.tree, drives, values, qpos, i);
        let Some((length, dof, moment)) = on_axis else {
            continue;
        };
        let speed = T::ZERO + moment * qvel[dof];
        let given_control = if is_bad { T::ZERO } else { ctrl[i] };
        let control = match clamps {
            true => actuation::control(drives, values, i, given_control),
            false => given_control,
        };
        let gain = actuation::gain(drives, values, i, (length, speed));
        let bias = actuation::bias(drives, values, i, (length, speed));
        // Other laws are refused before.
        let (Some(gain), Some(bias)) = (gain, bias) else {
            continue;
        };
        if let Some(index) = actuation::driving_activation(drives, i) {
            let rate = actuation::activation_rate(drives, values, i, control, act[index]);
            given.act_dot[index] = rate.unwrap_or(T::ZERO);
        }
        let moving = (act, &*given.act_dot);
        let driver = actuation::drive(drives, values, i, control, moving, timestep);
        let force = actuation::limited(drives, values, i, gain * driver + bias);
        given.actuator_force[i] = force;
        actuation::apply(force, (&[dof as i32], &[moment]), out);
    }
    for j in 0..scene.head.njnt {
        if scene.extra.jnt_actfrclimited[j] != 0 {
            let dof = scene.tree.jnt_dofadr[j] as usize;
            out[dof] = actuation::clip(out[dof], scene.extra.jnt_actfrcrange[j]);
        }
    }
}
