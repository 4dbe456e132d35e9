//! Integrators that take the velocity dependence of forces implicitly.
//!
//! Velocities advance by the solution of (M − h·∂f/∂q̇)·a = f. `implicit` uses the full derivative
//! with Coriolis terms and a non-symmetric factorisation; `implicitfast` drops those terms, keeps
//! the lower triangle and factors like M. Nodes of interpolated flexes are solved for once more, with their
//! stiffness. Conforms to MuJoCo's `mj_implicit`.

use super::{Integration, advance};
use crate::data::Data;
use crate::derivative::{self, BiasTerm};
use crate::engine::Engine;
use crate::error::StepError;
use crate::parts::Parts;
use crate::position::inertia::rows;
use crate::{factor, sensor};
use sinew_math::tree::{self, TreeRows};
use sinew_math::tree_lu::{self, TreePairs};
use sinew_model::Model;

/// Whether the matrix of the step is that of the current state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    /// Computed anew.
    Fresh,
    /// The last one is used again.
    Kept,
}

/// One step with the current forces and a factor that may be older.
#[doc(alias = "mj_implicit")]
pub(crate) fn step<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
    bias_term: BiasTerm,
    factor: Factor,
) -> Result<(), StepError> {
    let model = engine.model;
    let is_fresh = factor == Factor::Fresh;
    if is_fresh {
        derivative::compute(engine, data, bias_term);
    }
    let Data {
        state,
        position,
        acceleration,
        integration,
        ..
    } = data;
    let Integration {
        qH,
        qHDiagInv,
        qDeriv,
        qLU,
        acceleration: a,
        remaining,
        flex: nodes,
        ..
    } = integration;
    for i in 0..model.nv {
        a[i] = acceleration.smooth.qfrc_smooth[i] + acceleration.solution.qfrc_constraint[i];
    }
    match bias_term {
        BiasTerm::Included => {
            let pairs = TreePairs {
                rownnz: &model.D_rownnz,
                rowadr: &model.D_rowadr,
                diag: &model.D_diag,
                colind: &model.D_colind,
            };
            if is_fresh {
                whole_matrix(model, &position.inertia.M, qDeriv, qLU);
                let rows = TreeRows {
                    rownnz: &model.D_rownnz,
                    rowadr: &model.D_rowadr,
                    colind: &model.D_colind,
                };
                nodes.assemble(model, state, position, (rows, qLU), a);
                let may_go_on = || !engine.is_interrupted();
                if !factor::both_triangles(pairs, qLU, remaining, may_go_on) {
                    return Err(StepError::Interrupted);
                }
            }
            tree_lu::solve(pairs, qLU, a);
        }
        BiasTerm::Omitted => {
            if is_fresh {
                lower_matrix(model, &position.inertia.M, qDeriv, qH);
                nodes.assemble(model, state, position, (rows(model), qH), a);
                let may_go_on = || !engine.is_interrupted();
                if !factor::symmetric(rows(model), qH, qHDiagInv, may_go_on) {
                    return Err(StepError::Interrupted);
                }
            }
            tree::solve(rows(model), qH, qHDiagInv, a);
        }
    }
    if is_fresh {
        nodes.solve(a);
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
    let a = &integration.acceleration;
    advance(model, state, input, act_dot, a, None);
    state
        .qacc_warmstart
        .copy_from_slice(&acceleration.solution.qacc);
    Ok(())
}

/// M − h·∂f/∂q̇, layout D.
pub(crate) fn whole_matrix(model: &Model, inertia: &[f64], derivative: &[f64], out: &mut [f64]) {
    let timestep = model.opt.timestep;
    for (k, value) in out.iter_mut().enumerate() {
        let inertia = match usize::try_from(model.mapM2D[k]) {
            Ok(entry) => inertia[entry],
            Err(_) => 0.0,
        };
        *value = inertia + derivative[k] * -timestep;
    }
}

/// The lower triangle of M − h·∂f/∂q̇, layout of M.
pub(crate) fn lower_matrix(model: &Model, inertia: &[f64], derivative: &[f64], out: &mut [f64]) {
    let timestep = model.opt.timestep;
    for (k, value) in out.iter_mut().enumerate() {
        *value = inertia[k] + derivative[model.mapD2M[k] as usize] * -timestep;
    }
}
