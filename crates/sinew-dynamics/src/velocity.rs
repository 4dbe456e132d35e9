//! Spatial velocities of bodies and rates of change of the motion axes, about the tree's centre of
//! mass.
//!
//! cvel_i = cvel_parent + Σ cdof·q̇ over the body's degrees of freedom, and an axis fixed in a moving
//! frame changes by that frame's velocity: cdof_dot = cvel × cdof, with the velocity reached before
//! the joint. The translations of a free joint are fixed in the world. Conforms to MuJoCo's
//! `mj_comVel`.

use crate::com::ComRef;
use core::ops::Range;
use sinew_math::Real;
use sinew_math::series::{Cells, Series};
use sinew_math::spatial::{Spatial, add, cross_motion, scale};
use sinew_model::kinds::JointType;
use sinew_model::view::Tree;

sinew_model::columns! {
    /// Spatial velocities.
    pub struct ComVelocity<T>(ComVelocityRef, ComVelocityMut) for Model {
        sizes {
            /// Bodies.
            nbody,
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Velocities of bodies: rotation, translation.
            cvel: nbody x Spatial<T>,
            /// Rates of change of `cdof`.
            cdof_dot: nv x Spatial<T>,
        }
    }
}

/// Σ axis·rate over consecutive degrees of freedom.
#[doc(alias = "mju_mulDofVec")]
#[inline(always)]
pub fn combine<T: Real>(axes: &Series<Spatial<T>>, rates: &Series<T>) -> Spatial<T> {
    match axes.len() {
        0 => [T::ZERO; 6],
        1 => scale(&axes.at(0), rates[0]),
        _ => {
            let mut sum = [T::ZERO; 6];
            for i in 0..axes.len() {
                let (axis, rate) = (axes.at(i), rates[i]);
                for k in 0..6 {
                    sum[k] += axis[k] * rate;
                }
            }
            sum
        }
    }
}

/// The degrees of freedom of a body.
#[inline(always)]
pub fn body_dofs(tree: &Tree<'_>, body: usize) -> Range<usize> {
    match tree.body_dofnum[body] as usize {
        0 => 0..0,
        count => {
            let first = tree.body_dofadr[body] as usize;
            first..first + count
        }
    }
}

/// Velocities of bodies and axes. The world, if it is in the range, is at rest.
#[doc(alias = "mj_comVel")]
#[inline(always)]
pub fn bodies<T: Real>(
    tree: &Tree<'_>,
    qvel: &Series<T>,
    com: &ComRef<'_, T>,
    bodies: Range<usize>,
    out: &mut ComVelocityMut<'_, T>,
) {
    if bodies.start == 0 && !bodies.is_empty() {
        *out.cvel.at_mut(0) = [T::ZERO; 6];
    }
    for i in bodies.start.max(1)..bodies.end {
        let mut velocity = *out.cvel.at(tree.body_parentid[i] as usize);
        let dofs = body_dofs(tree, i);
        let mut dof = dofs.start;
        while dof < dofs.end {
            match JointType::from_code(tree.jnt_type[tree.dof_jntid[dof] as usize]) {
                Some(JointType::Free) => {
                    for k in 0..3 {
                        *out.cdof_dot.at_mut(dof + k) = [T::ZERO; 6];
                    }
                    velocity = advance(qvel, com, dof..dof + 3, velocity);
                    velocity = turn(qvel, com, dof + 3..dof + 6, velocity, out);
                    dof += 6;
                }
                Some(JointType::Ball) => {
                    velocity = turn(qvel, com, dof..dof + 3, velocity, out);
                    dof += 3;
                }
                _ => {
                    velocity = turn(qvel, com, dof..dof + 1, velocity, out);
                    dof += 1;
                }
            }
        }
        *out.cvel.at_mut(i) = velocity;
    }
}

#[inline(always)]
fn advance<T: Real>(
    qvel: &Series<T>,
    com: &ComRef<'_, T>,
    dofs: Range<usize>,
    velocity: Spatial<T>,
) -> Spatial<T> {
    add(
        &velocity,
        &combine(com.cdof.part(dofs.clone()), qvel.part(dofs)),
    )
}

/// Axes carried by the current velocity, then that velocity with their motion added.
#[inline(always)]
fn turn<T: Real>(
    qvel: &Series<T>,
    com: &ComRef<'_, T>,
    dofs: Range<usize>,
    velocity: Spatial<T>,
    out: &mut ComVelocityMut<'_, T>,
) -> Spatial<T> {
    for dof in dofs.clone() {
        *out.cdof_dot.at_mut(dof) = cross_motion(&velocity, &com.cdof.at(dof));
    }
    advance(qvel, com, dofs, velocity)
}
