//! How well inverse dynamics returns what forward dynamics was given.
//!
//! With the flag `fwdinv`, a step runs inverse dynamics on the acceleration it has found. Two norms
//! tell the solver's error: of the difference of the constraint forces (those of the solver, and
//! those that the acceleration implies), and of the difference between the force that inverse
//! dynamics asks for and the one applied. Conforms to `mj_compareFwdInv`.

use crate::acceleration::smooth::applied_wrenches;
use crate::data::Data;
use crate::engine::{Engine, Sensors};
use crate::parts::Parts;
use crate::pipeline;
use sinew_math::dense::norm;
use sinew_model::kinds::Stage;

/// Forward results that inverse dynamics overwrites, and the applied force.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    qfrc_constraint: Vec<f64>,
    efc_force: Vec<f64>,
    efc_state: Vec<i32>,
    applied: Vec<f64>,
}

/// Fills `solver_fwdinv` from the current accelerations; forward results stay. Zero without
/// constraints.
pub(crate) fn compare<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    data.inverse.solver_fwdinv = [0.0; 2];
    if data.position.constraints.nefc() == 0 {
        return;
    }
    let mut kept = std::mem::take(&mut data.inverse.comparison);
    let solution = &data.acceleration.solution;
    kept.qfrc_constraint.clone_from(&solution.qfrc_constraint);
    kept.efc_force.clone_from(&solution.efc_force);
    kept.efc_state.clone_from(&solution.efc_state);
    let qfrc_actuator = &data.acceleration.actuation.qfrc_actuator;
    let applied = data.input.qfrc_applied.iter().zip(qfrc_actuator);
    kept.applied.clear();
    kept.applied.extend(applied.map(|(a, b)| a + b));
    applied_wrenches(engine.model, &data.input, &data.position, &mut kept.applied);

    pipeline::inverse(engine, data, Stage::Vel, Sensors::Skipped);

    // The buffers of the inverse results are free again once the differences are taken.
    let Data {
        acceleration,
        inverse,
        ..
    } = data;
    let solution = &mut acceleration.solution;
    for (inverse, forward) in solution
        .qfrc_constraint
        .iter_mut()
        .zip(&kept.qfrc_constraint)
    {
        *inverse = forward - *inverse;
    }
    for (applied, needed) in kept.applied.iter_mut().zip(&inverse.qfrc_inverse) {
        *applied -= needed;
    }
    inverse.solver_fwdinv = [norm(&solution.qfrc_constraint), norm(&kept.applied)];

    solution.qfrc_constraint.clone_from(&kept.qfrc_constraint);
    solution.efc_force.clone_from(&kept.efc_force);
    solution.efc_state.clone_from(&kept.efc_state);
    inverse.comparison = kept;
}
