//! Poses, inertias and velocities, by a warp: threads share out bodies, joints or degrees of freedom. Where one needs what
//! another has, the tree is walked level by level, or by one thread.

use crate::Number;
use crate::arena::Arena;
use crate::block::State;
use crate::scene::{Head, Scene};
use crate::warp::Warp;
use bytemuck::cast_slice;
use sinew_dynamics::com::{self, ComMut, ComRef};
use sinew_dynamics::inertia::{self, InertiaMut};
use sinew_dynamics::kinematics::{self, Coordinates, KinematicsMut, KinematicsRef};
use sinew_dynamics::velocity::{self, ComVelocityMut};
use sinew_math::Vec3;
use sinew_math::spatial::Spatial;
use sinew_math::tree::TreeRows;

/// The arrays of a world while its warp computes it.
pub(crate) struct Local<'a, T> {
    pub kinematics: KinematicsMut<'a, T>,
    pub com: ComMut<'a, T>,
    pub inertia: InertiaMut<'a, T>,
    pub velocity: ComVelocityMut<'a, T>,
    pub qpos: &'a mut [T],
    pub qvel: &'a mut [T],
    pub forces: [&'a mut [T]; 5],
    pub body_acceleration: &'a mut [Spatial<T>],
    pub body_force: &'a mut [Spatial<T>],
    /// A row with all degrees of freedom.
    pub row: &'a mut [T],
    /// Pairs of geoms that are near each other.
    pub near: &'a mut [T],
    pub translation: &'a mut [Vec3<T>],
    pub rotation: &'a mut [Vec3<T>],
}

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
            pairs,
            ..
        } = *head;
        let kinematics = 28 * nbody + 6 * njnt + 12 * (ngeom + nsite);
        let inertia = (3 + 10 + 10) * nbody + 2 * nC + nv + 6 * nv;
        let velocity = 6 * nbody + 6 * nv;
        kinematics + inertia + velocity + nq + 6 * nv + 12 * nbody + 7 * nv + pairs
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
            row: arena.numbers(nv),
            near: arena.numbers(head.pairs),
            translation: arena.cells(nv),
            rotation: arena.cells(nv),
        }
    }
}

/// Poses, inertias and velocities.
#[inline(always)]
pub(crate) fn position<T: Number>(
    warp: Warp,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &mut Local<'_, T>,
) {
    let (structure, values, head) = (&scene.tree, &scene.values, &scene.head);
    let (bodies, nv) = (0..head.nbody, head.nv);
    warp.each(head.nq, |i| at.qpos[i] = state.qpos[i]);
    warp.each(nv, |i| at.qvel[i] = state.qvel[i]);
    let coordinates = Coordinates {
        qpos: at.qpos,
        mocap_pos: cast_slice(state.mocap_pos),
        mocap_quat: cast_slice(state.mocap_quat),
    };
    let out = &mut at.kinematics;
    warp.each(1, |_| {
        kinematics::bodies(structure, values, &coordinates, 0..1, out)
    });
    for level in 0..head.levels {
        warp.each(level_size(scene, level), |k| {
            let body = body_of(scene, level, k);
            kinematics::bodies(structure, values, &coordinates, body..body + 1, out);
        });
    }
    let (attached, poses) = (&scene.attached, &scene.attached_values);
    warp.each(head.nbody, |i| {
        kinematics::inertial_frames(structure, values, i..i + 1, out)
    });
    warp.each(head.ngeom, |i| {
        kinematics::geoms(attached, poses, i..i + 1, out)
    });
    warp.each(head.nsite, |i| {
        kinematics::sites(attached, poses, i..i + 1, out)
    });

    let poses = &kinematics_of(&at.kinematics);
    let com = &mut at.com;
    warp.each(1, |_| {
        com::centres(structure, values, poses, bodies.clone(), com)
    });
    warp.each(head.nbody, |i| {
        com::inertias(structure, values, poses, i..i + 1, com)
    });
    warp.each(head.njnt, |i| com::axes(structure, poses, i..i + 1, com));

    let about = &com_of(&at.com);
    warp.each(1, |_| {
        inertia::composite(structure, about, bodies.clone(), at.inertia.crb)
    });
    warp.each(nv, |i| {
        inertia::matrix(structure, values, about, i..i + 1, &mut at.inertia)
    });
    let (M, qLD) = (&*at.inertia.M, &mut *at.inertia.qLD);
    warp.each(head.nC, |i| qLD[i] = M[i]);
    factor(warp, inertia::rows(structure), qLD, at.inertia.qLDiagInv);
    let out = &mut at.velocity;
    warp.each(1, |_| {
        velocity::bodies(structure, at.qvel, about, 0..1, out)
    });
    for level in 0..head.levels {
        warp.each(level_size(scene, level), |k| {
            let body = body_of(scene, level, k);
            velocity::bodies(structure, at.qvel, about, body..body + 1, out);
        });
    }
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
    warp: Warp,
    rows: TreeRows<'_>,
    matrix: &mut [T],
    diagonal_inverse: &mut [T],
) {
    for k in (0..rows.size()).rev() {
        let start = rows.rowadr[k] as usize;
        let count = rows.rownnz[k] as usize - 1;
        let inverse = T::ONE / matrix[start + count];
        // Each entry of the row is taken out of the rows above by two threads.
        warp.each(2 * count, |thread| {
            let own = thread / 2;
            let mut entry = own + thread % 2;
            while entry < count {
                let row = rows.rowadr[rows.colind[start + entry] as usize] as usize;
                let scale = -matrix[start + entry] * inverse;
                matrix[row + own] += matrix[start + own] * scale;
                entry += 2;
            }
        });
        warp.each(count + 1, |own| match own < count {
            true => matrix[start + own] *= inverse,
            false => diagonal_inverse[k] = inverse,
        });
    }
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
