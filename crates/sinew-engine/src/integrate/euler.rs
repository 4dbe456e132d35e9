//! Semi-implicit Euler, with joint damping taken implicitly.
//!
//! Where a degree of freedom has damping b, velocities advance by the solution of
//! (M + h·diag(b))·a = f instead of M·a = f: the damping force is that of the new velocity. The
//! reported `qacc` stays the undamped one. Conforms to MuJoCo's `mj_Euler`.

use super::advance;
use crate::data::Data;
use crate::is_disabled;
use crate::sensor;
use sinew_dynamics::integrate::{self, Damped};
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;
use sinew_model::view::{Tree, TreeValues};

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
        let smooth = &acceleration.smooth.qfrc_smooth;
        integrate::damped_acceleration(
            &Tree::from(model),
            &TreeValues::from(model),
            model.opt.timestep,
            &position.inertia.M,
            (smooth, &solution.qfrc_constraint),
            0..model.nv,
            &mut Damped {
                qH: &mut integration.qH,
                qHDiagInv: &mut integration.qHDiagInv,
                acceleration: &mut integration.acceleration,
            },
        );
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
