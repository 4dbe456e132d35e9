//! Semi-implicit Euler, with joint damping taken implicitly.
//!
//! Where a degree of freedom has damping b, velocities advance by the solution of
//! (M + h·diag(b))·a = f instead of M·a = f: the damping force is that of the new velocity. The
//! reported `qacc` stays the undamped one. Conforms to MuJoCo's `mj_Euler`.

use super::{Integration, advance};
use crate::data::Data;
use crate::is_disabled;
use crate::position::inertia::rows;
use crate::sensor;
use sinew_math::tree;
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;

/// One step with the current accelerations.
#[doc(alias = "mj_Euler")]
pub(crate) fn step(model: &Model, data: &mut Data) {
    sensor::record(model, data);
    let Data {
        state,
        input,
        position,
        acceleration,
        integration,
        ..
    } = data;
    let solution = &acceleration.solution;
    if has_implicit_damping(model) {
        let Integration {
            qH,
            qHDiagInv,
            acceleration: a,
            ..
        } = integration;
        qH.copy_from_slice(&position.inertia.M);
        for i in 0..model.nv {
            let diagonal = (model.M_rowadr[i] + model.M_rownnz[i] - 1) as usize;
            qH[diagonal] += model.opt.timestep * model.dof_damping[i];
        }
        tree::factor(rows(model), qH, qHDiagInv);
        for i in 0..model.nv {
            a[i] = acceleration.smooth.qfrc_smooth[i] + solution.qfrc_constraint[i];
        }
        tree::solve(rows(model), qH, qHDiagInv, a);
    } else {
        integration.acceleration.copy_from_slice(&solution.qacc);
    }
    let act_dot = &acceleration.actuation.act_dot;
    advance(
        model,
        state,
        input,
        act_dot,
        &integration.acceleration,
        None,
    );
    state.qacc_warmstart.copy_from_slice(&solution.qacc);
}

fn has_implicit_damping(model: &Model) -> bool {
    !is_disabled(model, DisableFlag::Eulerdamp)
        && !is_disabled(model, DisableFlag::Damper)
        && model.dof_damping.iter().any(|&b| b > 0.0)
}
