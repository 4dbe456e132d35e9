//! Semi-implicit Euler, with joint damping taken implicitly.
//!
//! Where a degree of freedom has damping b, velocities advance by the solution of
//! (M + h·diag(b))·a = f instead of M·a = f: the damping force is that of the new velocity. The
//! reported `qacc` stays the undamped one. Conforms to MuJoCo's `mj_Euler`.

use super::{Integration, advance};
use crate::data::Data;
use crate::engine::Engine;
use crate::error::StepError;
use crate::parts::Parts;
use crate::position::inertia::rows;
use crate::{factor, is_disabled, sensor};
use sinew_dynamics::integrate::{self, Damped};
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;
use sinew_model::view::{Tree, TreeValues};

/// One step with the current accelerations.
#[doc(alias = "mj_Euler")]
pub(crate) fn step<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) -> Result<(), StepError> {
    let model = engine.model;
    if has_implicit_damping(model) {
        damped_acceleration(engine, data)?;
    } else {
        let qacc = &data.acceleration.solution.qacc;
        data.integration.acceleration.copy_from_slice(qacc);
    }
    sensor::record(model, data);
    let Data {
        state,
        input,
        acceleration,
        integration,
        ..
    } = data;
    let act_dot = &acceleration.actuation.act_dot;
    advance(
        model,
        state,
        input,
        act_dot,
        &integration.acceleration,
        None,
    );
    state
        .qacc_warmstart
        .copy_from_slice(&acceleration.solution.qacc);
    Ok(())
}

fn damped_acceleration<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
) -> Result<(), StepError> {
    let model = engine.model;
    let (tree, values) = (&Tree::from(model), &TreeValues::from(model));
    let (timestep, dofs) = (model.opt.timestep, 0..model.nv);
    let Integration {
        qH,
        qHDiagInv,
        acceleration,
        ..
    } = &mut data.integration;
    let inertia = &data.position.inertia.M;
    integrate::damped_matrix(tree, values, timestep, inertia, dofs.clone(), qH);
    if !factor::symmetric(rows(model), qH, qHDiagInv, || !engine.is_interrupted()) {
        return Err(StepError::Interrupted);
    }
    let smooth = &data.acceleration.smooth.qfrc_smooth;
    let constraint = &data.acceleration.solution.qfrc_constraint;
    let damped = &mut Damped {
        qH,
        qHDiagInv,
        acceleration,
    };
    integrate::solve(tree, (smooth, constraint), dofs, damped);
    Ok(())
}

fn has_implicit_damping(model: &Model) -> bool {
    !is_disabled(model, DisableFlag::Eulerdamp)
        && !is_disabled(model, DisableFlag::Damper)
        && model.dof_damping.iter().any(|&b| b > 0.0)
}
