//! Poses, inertias and velocities, by a team: its members share out bodies, joints or degrees of freedom. Where one
//! needs what another has, the tree is walked level by level, or by one member.

use crate::Number;
use crate::block::State;
use crate::local::{Local, com_of, kinematics_of};
use crate::scene::Scene;
use crate::sums::sparse_dot_of;
use crate::team::Team;
use crate::tendon;
use bytemuck::cast_slice;
use sinew_dynamics::kinematics::{self, Coordinates};
use sinew_dynamics::velocity::body_dofs;
use sinew_dynamics::{com, inertia, velocity};
use sinew_math::series::{Cells, Series};

/// Poses, inertias and velocities.
#[inline(always)]
pub(crate) fn position<T: Number, const GENERAL: bool>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &mut Local<'_, T>,
) {
    let (structure, values, head) = (&scene.tree, &scene.values, &scene.head);
    team.each(head.nq, |i| at.qpos[i] = state.qpos[i]);
    team.each(head.nv, |i| at.qvel[i] = state.qvel[i]);
    let coordinates = Coordinates {
        qpos: &*at.qpos,
        mocap_pos: cast_slice(state.mocap_pos),
        mocap_quat: cast_slice(state.mocap_quat),
    };
    let out = &mut at.kinematics;
    team.each(1, |_| {
        kinematics::bodies(structure, values, &coordinates, 0..1, out)
    });
    for level in 0..head.levels {
        team.each(level_size(scene, level), |k| {
            let body = body_of(scene, level, k);
            kinematics::bodies(structure, values, &coordinates, body..body + 1, out);
        });
    }
    let (attached, poses) = (&scene.attached, &scene.attached_values);
    team.each(head.nbody, |i| {
        kinematics::inertial_frames(structure, values, i..i + 1, out)
    });
    let placed = scene.tables.placed_geoms;
    team.each(placed.len(), |k| {
        let geom = placed[k] as usize;
        kinematics::geoms(attached, poses, geom..geom + 1, out);
    });
    team.each(head.nsite, |i| {
        kinematics::sites(attached, poses, i..i + 1, out)
    });

    let poses = &kinematics_of(&at.kinematics);
    let com = &mut at.com;
    team.each(head.nbody, |i| com::moments(values, poses, i..i + 1, com));
    let moments = numbers(&mut *com.subtree_com);
    gather::<T, 3>(team, scene, true, moments);
    team.each(head.nbody, |i| com::means(values, poses, i..i + 1, com));
    team.each(head.nbody, |i| {
        com::inertias(structure, values, poses, i..i + 1, com)
    });
    team.each(head.njnt, |i| com::axes(structure, poses, i..i + 1, com));
    if GENERAL {
        let poses = (&at.kinematics, &at.com);
        tendon::rows(team, scene, at.qpos, poses, &mut at.general);
    }
    masses::<T, GENERAL>(team, scene, at);
    let about = &com_of(&at.com);
    let (qvel, out) = (&*at.qvel, &mut at.velocity);
    team.each(1, |_| velocity::bodies(structure, qvel, about, 0..1, out));
    for level in 0..head.levels {
        team.each(level_size(scene, level), |k| {
            let body = body_of(scene, level, k);
            velocity::bodies(structure, qvel, about, body..body + 1, out);
        });
    }
}

/// Inertia in joint space, and its factor.
#[inline(always)]
fn masses<T: Number, const GENERAL: bool>(team: Team, scene: &Scene<'_, T>, at: &mut Local<'_, T>) {
    let (structure, values, head) = (&scene.tree, &scene.values, &scene.head);
    let about = &com_of(&at.com);
    let out = &mut at.inertia;
    team.each(head.nbody, |i| *out.crb.at_mut(i) = *about.cinert.at(i));
    gather::<T, 10>(team, scene, false, numbers(&mut *out.crb));
    team.each(head.nv, |i| {
        inertia::matrix(structure, values, about, i..i + 1, out)
    });
    if GENERAL {
        tendon::armature(team, scene, &at.general, out.M);
    }
    team.each(head.nC, |i| out.qLD[i] = out.M[i]);
    factor(team, scene, out.qLD, out.qLDiagInv);
}

/// The numbers of the cells of a series.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub(crate) fn numbers<T: Number, C: bytemuck::Pod>(cells: &mut Series<C>) -> &mut Series<T> {
    bytemuck::cast_slice_mut(cells)
}

/// The numbers of the cells of a series.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) fn numbers<T: Number, C: Copy>(cells: &mut Series<C>) -> &mut Series<T> {
    cells.numbers()
}

/// Adds to each body what its children have, from the last body on; the members of the team share out the numbers that a body
/// has. What hangs on the world is added to it or stays apart.
#[inline(always)]
pub(crate) fn gather<T: Number, const NUMBERS: usize>(
    team: Team,
    scene: &Scene<'_, T>,
    to_world: bool,
    all: &mut Series<T>,
) {
    team.each(NUMBERS, |k| {
        for i in (1..scene.head.nbody).rev() {
            let parent = scene.tree.body_parentid[i] as usize;
            if parent > 0 || to_world {
                let own = all[i * NUMBERS + k];
                all[parent * NUMBERS + k] += own;
            }
        }
    });
}

/// How many bodies are as far from the world.
#[inline(always)]
pub(crate) fn level_size<T>(scene: &Scene<'_, T>, level: usize) -> usize {
    let starts = scene.tables.level_starts;
    (starts[level + 1] - starts[level]) as usize
}

/// One of them.
#[inline(always)]
pub(crate) fn body_of<T>(scene: &Scene<'_, T>, level: usize, k: usize) -> usize {
    let start = scene.tables.level_starts[level] as usize;
    scene.tables.level_bodies[start + k] as usize
}

/// Factors a matrix whose sparsity is a tree, as `sinew_math::tree::factor` does row by row.
#[inline(always)]
pub(crate) fn factor<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    matrix: &mut Series<T>,
    diagonal_inverse: &mut Series<T>,
) {
    let rows = inertia::rows(&scene.tree);
    for k in (0..rows.size()).rev() {
        let start = rows.rowadr[k] as usize;
        let count = rows.rownnz[k] as usize - 1;
        let inverse = T::ONE / matrix[start + count];
        // Each entry of the row is taken out of one of the rows above, long ones first.
        team.each(count + 1, |thread| {
            if thread == count {
                diagonal_inverse[k] = inverse;
                return;
            }
            let entry = count - 1 - thread;
            let row = rows.rowadr[rows.colind[start + entry] as usize] as usize;
            let scale = -matrix[start + entry] * inverse;
            let mut own = 0;
            while own + 4 <= entry + 1 {
                let next = |l: usize| matrix[row + own + l] + matrix[start + own + l] * scale;
                let values = [next(0), next(1), next(2), next(3)];
                for l in 0..4 {
                    matrix[row + own + l] = values[l];
                }
                own += 4;
            }
            while own <= entry {
                let taken = matrix[start + own] * scale;
                matrix[row + own] += taken;
                own += 1;
            }
        });
    }
    team.each(rows.size(), |k| {
        let start = rows.rowadr[k] as usize;
        let inverse = diagonal_inverse[k];
        for entry in start..start + rows.rownnz[k] as usize - 1 {
            matrix[entry] *= inverse;
        }
    });
}

/// Solves with a factor in place, as `sinew_math::tree::solve` does.
#[inline(always)]
pub(crate) fn solve<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    (factor, diagonal_inverse): (&Series<T>, &Series<T>),
    x: &mut Series<T>,
) {
    let rows = inertia::rows(&scene.tree);
    for i in (0..rows.size()).rev() {
        let start = rows.rowadr[i] as usize;
        let count = rows.rownnz[i] as usize - 1;
        if count == 0 {
            continue;
        }
        let value = x[i];
        team.each(count, |entry| {
            if value != T::ZERO {
                let column = rows.colind[start + entry] as usize;
                x[column] -= factor[start + entry] * value;
            }
        });
    }
    team.each(rows.size(), |i| x[i] *= diagonal_inverse[i]);
    for level in 0..scene.head.levels {
        team.each(level_size(scene, level), |k| {
            for i in body_dofs(&scene.tree, body_of(scene, level, k)) {
                let start = rows.rowadr[i] as usize;
                let count = rows.rownnz[i] as usize - 1;
                if count > 0 {
                    let product = |entry: usize| {
                        let column = rows.colind[start + entry] as usize;
                        factor[start + entry] * x[column]
                    };
                    let sum = sparse_dot_of(count, product);
                    x[i] -= sum;
                }
            }
        });
    }
}
