//! Spatial velocities of bodies and rates of change of the motion axes, about the tree's centre of
//! mass.
//!
//! cvel_i = cvel_parent + Σ cdof·q̇ over the body's degrees of freedom, and an axis fixed in a moving
//! frame changes by that frame's velocity: cdof_dot = cvel × cdof, with the velocity reached before
//! the joint. The translations of a free joint are fixed in the world. Conforms to MuJoCo's
//! `mj_comVel`.

use crate::position::com::Com;
use crate::state::State;
use sinew_math::spatial::{Spatial, add, cross_motion, scale};
use sinew_model::Model;
use sinew_model::kinds::JointType;

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
            cvel: nbody x [T; 6],
            /// Rates of change of `cdof`.
            cdof_dot: nv x [T; 6],
        }
    }
}

/// Σ axis·rate over consecutive degrees of freedom.
#[doc(alias = "mju_mulDofVec")]
#[inline]
pub(crate) fn combine(axes: &[Spatial], rates: &[f64]) -> Spatial {
    match axes {
        [] => [0.0; 6],
        [axis] => scale(axis, rates[0]),
        _ => {
            let mut sum = [0.0; 6];
            for (axis, &rate) in axes.iter().zip(rates) {
                for k in 0..6 {
                    sum[k] += axis[k] * rate;
                }
            }
            sum
        }
    }
}

/// The degrees of freedom of a body.
#[inline]
pub(crate) fn body_dofs(model: &Model, body: usize) -> core::ops::Range<usize> {
    match model.body_dofnum[body] as usize {
        0 => 0..0,
        count => {
            let first = model.body_dofadr[body] as usize;
            first..first + count
        }
    }
}

/// Velocities of all bodies and axes.
#[doc(alias = "mj_comVel")]
pub(crate) fn compute(model: &Model, state: &State, com: &Com, out: &mut ComVelocity) {
    out.cvel[0] = [0.0; 6];
    for i in 1..model.nbody {
        let mut velocity = out.cvel[model.body_parentid[i] as usize];
        let dofs = body_dofs(model, i);
        let mut dof = dofs.start;
        while dof < dofs.end {
            match JointType::from_code(model.jnt_type[model.dof_jntid[dof] as usize]) {
                Some(JointType::Free) => {
                    out.cdof_dot[dof..dof + 3].fill([0.0; 6]);
                    velocity = advance(state, com, dof..dof + 3, velocity);
                    velocity = turn(state, com, dof + 3..dof + 6, velocity, out);
                    dof += 6;
                }
                Some(JointType::Ball) => {
                    velocity = turn(state, com, dof..dof + 3, velocity, out);
                    dof += 3;
                }
                _ => {
                    velocity = turn(state, com, dof..dof + 1, velocity, out);
                    dof += 1;
                }
            }
        }
        out.cvel[i] = velocity;
    }
}

#[inline]
fn advance(state: &State, com: &Com, dofs: core::ops::Range<usize>, velocity: Spatial) -> Spatial {
    add(
        &velocity,
        &combine(&com.cdof[dofs.clone()], &state.qvel[dofs]),
    )
}

/// Axes carried by the current velocity, then that velocity with their motion added.
#[inline]
fn turn(
    state: &State,
    com: &Com,
    dofs: core::ops::Range<usize>,
    velocity: Spatial,
    out: &mut ComVelocity,
) -> Spatial {
    for dof in dofs.clone() {
        out.cdof_dot[dof] = cross_motion(&velocity, &com.cdof[dof]);
    }
    advance(state, com, dofs, velocity)
}
