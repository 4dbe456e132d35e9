//! Joints: how positions move along velocities, how far apart they are, how far from rest.
//!
//! Conforms to MuJoCo's `mj_integratePos` and `mj_differentiatePos`.

use core::ops::Range;
use sinew_math::series::{Cells, Series};
use sinew_math::{Lift, Quat, Real, Vec3};
use sinew_model::joint::Layout;
use sinew_model::view::Tree;

/// Three consecutive numbers.
#[inline(always)]
pub fn vec3_at<T: Real>(q: &Series<T>, address: usize) -> Vec3<T> {
    Vec3([q[address], q[address + 1], q[address + 2]])
}

/// Four consecutive numbers.
#[inline(always)]
pub fn quat_at<T: Real>(q: &Series<T>, address: usize) -> Quat<T> {
    Quat([q[address], q[address + 1], q[address + 2], q[address + 3]])
}

/// Moves positions with velocities for a time.
#[doc(alias = "mj_integratePos")]
#[inline(always)]
pub fn advance<T: Real>(
    tree: &Tree<'_>,
    joints: Range<usize>,
    qpos: &mut Series<T>,
    qvel: &Series<T>,
    duration: T,
) {
    for j in joints {
        let layout = Layout::of(tree.jnt_type[j]);
        let address = tree.jnt_qposadr[j] as usize;
        let dof = tree.jnt_dofadr[j] as usize;
        for k in 0..layout.linear {
            qpos[address + k] += duration * qvel[dof + k];
        }
        if layout.turns {
            let (address, dof) = (address + layout.linear, dof + layout.linear);
            let turned = quat_at(qpos, address).integrate(vec3_at(qvel, dof), duration);
            let place = qpos.part_mut(address..address + 4);
            for k in 0..4 {
                place[k] = turned[k];
            }
        }
    }
}

/// The velocities that lead from one position to another in a time.
#[doc(alias = "mj_differentiatePos")]
#[inline(always)]
pub fn difference<T: Real>(
    tree: &Tree<'_>,
    joints: Range<usize>,
    (from, to): (&Series<T>, &Series<T>),
    duration: T,
    qvel: &mut [T],
) {
    for j in joints {
        let layout = Layout::of(tree.jnt_type[j]);
        let address = tree.jnt_qposadr[j] as usize;
        let dof = tree.jnt_dofadr[j] as usize;
        for k in 0..layout.linear {
            qvel[dof + k] = (to[address + k] - from[address + k]) / duration;
        }
        if layout.turns {
            let (address, dof) = (address + layout.linear, dof + layout.linear);
            let turn = quat_at(to, address).difference(quat_at(from, address));
            let velocity = turn * (T::ONE / duration);
            qvel[dof..dof + 3].copy_from_slice(&velocity.0);
        }
    }
}

/// How far a joint is from where its spring rests, as velocities would count it; `visit` is told each
/// degree of freedom, counted within the joint, and its displacement.
#[inline(always)]
pub fn displacement<T: Real, V: Lift<T>>(
    layout: Layout,
    qpos: &Series<T>,
    rest: &[V],
    address: usize,
    mut visit: impl FnMut(usize, T),
) {
    for k in 0..layout.linear {
        visit(k, qpos[address + k] - rest[address + k].lift());
    }
    if layout.turns {
        let address = address + layout.linear;
        let at_rest = Quat([
            rest[address],
            rest[address + 1],
            rest[address + 2],
            rest[address + 3],
        ]);
        let at_rest: Quat<T> = at_rest.lift();
        let turn = quat_at(qpos, address).normalized().difference(at_rest);
        for k in 0..3 {
            visit(layout.linear + k, turn[k]);
        }
    }
}
