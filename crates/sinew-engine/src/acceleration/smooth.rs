//! The acceleration that all forces but those of constraints cause.

use super::actuation::Actuation;
use crate::is_sparse;
use crate::position::Position;
use crate::position::jacobian::last_dof;
use crate::state::Input;
use crate::velocity::Velocity;
use crate::velocity::passive::apply_wrench;
use sinew_dynamics::smooth::{self, Forces};
pub use sinew_dynamics::smooth::{Smooth, SmoothMut, SmoothRef};
use sinew_math::Vec3;
use sinew_model::Model;

/// Sums the forces and solves for the acceleration.
#[doc(alias = "mj_fwdAcceleration")]
pub(crate) fn compute(
    model: &Model,
    input: &Input,
    position: &Position,
    velocity: &Velocity,
    actuation: &Actuation,
    out: &mut Smooth,
) {
    let forces = &Forces {
        passive: &velocity.passive.qfrc_passive,
        bias: &velocity.bias.qfrc_bias,
        applied: &input.qfrc_applied,
        actuator: &actuation.qfrc_actuator,
    };
    smooth::sum(forces, 0..model.nv, &mut out.qfrc_smooth);
    applied_wrenches(model, input, position, &mut out.qfrc_smooth);
    out.qacc_smooth.copy_from_slice(&out.qfrc_smooth);
    position.inertia.solve(model, &mut out.qacc_smooth);
}

/// Adds the forces and torques applied to bodies.
#[doc(alias = "mj_xfrcAccumulate")]
pub(crate) fn applied_wrenches(
    model: &Model,
    input: &Input,
    position: &Position,
    qfrc: &mut [f64],
) {
    for i in 1..model.nbody {
        let [fx, fy, fz, tx, ty, tz] = input.xfrc_applied[i];
        if input.xfrc_applied[i] != [0.0; 6] {
            let at = (i, position.kinematics.xipos[i]);
            let wrench = (Vec3([fx, fy, fz]), Vec3([tx, ty, tz]));
            apply_wrench(model, &position.com, at, wrench, qfrc);
            if !(wrench.0.dot(wrench.0) + wrench.1.dot(wrench.1)).is_finite() {
                spoil_others(model, i, &input.xfrc_applied[i], qfrc);
            }
        }
    }
}

/// In the reference a wrench that is not finite spoils the degrees of freedom that do not move its
/// body as well, because full Jacobians have zeros there, and zero times infinity is no number.
#[cold]
fn spoil_others(model: &Model, body: usize, wrench: &[f64; 6], qfrc: &mut [f64]) {
    if is_sparse(model) || wrench.iter().all(|x| x.is_finite()) {
        return;
    }
    let mut moving = last_dof(model, body);
    for dof in (0..model.nv).rev() {
        if dof as i32 == moving {
            moving = model.dof_parentid[dof];
        } else {
            qfrc[dof] = f64::NAN;
        }
    }
}
