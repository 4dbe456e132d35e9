//! Inverse dynamics: the force that makes given accelerations.
//!
//! τ = M·q̈ + bias − passive − constraint force at q̈. With discrete inverse dynamics enabled, the
//! accelerations are differences of velocities over a step and are first converted to those that
//! the integrator would turn into them. Conforms to MuJoCo's `mj_inverse`.

use crate::data::Data;
use crate::derivative::{self, BiasTerm};
use crate::engine::Engine;
use crate::forward_inverse::Comparison;
use crate::integrate::{Integration, implicit};
use crate::is_disabled;
use crate::parts::Parts;
use crate::pipeline::acceleration::refresh_gain_laws;
use crate::position::inertia::rows;
use sinew_math::tree;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, Integrator};

sinew_model::columns! {
    /// Inverse dynamics.
    pub struct Inverse for Model {
        sizes {
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Force that causes `qacc`.
            qfrc_inverse: nv x f64,
        }
        other {
            /// Disagreement of forward and inverse dynamics: constraint forces, applied forces.
            solver_fwdinv: [f64; 2],
        }
        scratch {
            /// Forward results during that comparison.
            comparison: Comparison,
            /// Accelerations to restore.
            saved: Vec<f64> = nv,
            /// Forces of the conversion.
            force: Vec<f64> = nv,
        }
    }
}

/// The force that makes the current accelerations, beside that of the constraints.
pub(crate) fn compute(model: &Model, data: &mut Data) {
    let Data {
        position,
        velocity,
        acceleration,
        inverse,
        ..
    } = data;
    let solution = &acceleration.solution;
    position
        .inertia
        .multiply(model, &solution.qacc, &mut inverse.force);
    for i in 0..model.nv {
        inverse.qfrc_inverse[i] = velocity.bias.qfrc_bias[i]
            + (inverse.force[i] - velocity.passive.qfrc_passive[i] - solution.qfrc_constraint[i]);
    }
}

/// Turns accelerations that are velocity differences into those of the equations of motion.
pub(crate) fn make_continuous<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data) {
    let model = engine.model;
    let solution = &data.acceleration.solution;
    data.inverse.saved.copy_from_slice(&solution.qacc);
    refresh_gain_laws(engine, data);
    match Integrator::from_code(model.opt.integrator) {
        Some(Integrator::Implicit) => {
            derivative::compute(engine, data, BiasTerm::Included);
            implicit_force(model, data);
        }
        Some(Integrator::Implicitfast) => {
            derivative::compute(engine, data, BiasTerm::Omitted);
            implicitfast_force(model, data);
        }
        // Runge–Kutta steps have no single acceleration: taken as they are.
        Some(Integrator::Rk4) => return,
        Some(Integrator::Euler) | None => {
            let has_damping = model.dof_damping.iter().any(|&b| b > 0.0);
            if is_disabled(model, DisableFlag::Eulerdamp) || !has_damping {
                return;
            }
            damped_force(model, data);
        }
    }
    let qacc = &mut data.acceleration.solution.qacc;
    qacc.copy_from_slice(&data.inverse.force);
    data.position.inertia.solve(model, qacc);
}

/// The accelerations that were made continuous are differences of velocities again.
pub(crate) fn make_discrete(data: &mut Data) {
    let qacc = &mut data.acceleration.solution.qacc;
    qacc.copy_from_slice(&data.inverse.saved);
}

/// (M − h·∂f/∂q̇)·a with the whole derivative.
fn implicit_force(model: &Model, data: &mut Data) {
    let Integration { qDeriv, qLU, .. } = &mut data.integration;
    implicit::whole_matrix(model, &data.position.inertia.M, qDeriv, qLU);
    let qacc = &data.acceleration.solution.qacc;
    for i in 0..model.nv {
        let start = model.D_rowadr[i] as usize;
        let end = start + model.D_rownnz[i] as usize;
        data.inverse.force[i] =
            tree::dot_sparse(&qLU[start..end], &model.D_colind[start..end], qacc);
    }
}

/// (M − h·∂f/∂q̇)·a with the lower triangle of the derivative.
fn implicitfast_force(model: &Model, data: &mut Data) {
    let Integration { qDeriv, qH, .. } = &mut data.integration;
    implicit::lower_matrix(model, &data.position.inertia.M, qDeriv, qH);
    let qacc = &data.acceleration.solution.qacc;
    tree::multiply(rows(model), qH, qacc, &mut data.inverse.force);
}

/// (M + h·diag(b))·a.
fn damped_force(model: &Model, data: &mut Data) {
    let qacc = &data.acceleration.solution.qacc;
    let force = &mut data.inverse.force;
    data.position.inertia.multiply(model, qacc, force);
    for i in 0..model.nv {
        force[i] += model.opt.timestep * model.dof_damping[i] * qacc[i];
    }
}
