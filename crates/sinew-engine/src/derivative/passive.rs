//! Derivatives of passive forces: dampers of joints, tendons and edges of flexes, fluid.

use super::{BiasTerm, DerivativeScratch, add_outer, fluid};
use crate::position::Position;
use crate::velocity::Velocity;
use crate::{flex, is_disabled, is_sparse};
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;

/// Adds the dependence of passive forces on velocity.
#[doc(alias = "mjd_passive_vel")]
pub(super) fn add(
    model: &Model,
    position: &Position,
    velocity: &Velocity,
    bias_term: BiasTerm,
    out: &mut [f64],
    scratch: &mut DerivativeScratch,
) {
    let has_dampers = !is_disabled(model, DisableFlag::Damper);
    if !has_dampers && is_disabled(model, DisableFlag::Spring) {
        return;
    }
    fluid::add(model, position, velocity, bias_term, out, scratch);
    if !has_dampers {
        return;
    }
    for i in 0..model.nv {
        out[(model.D_rowadr[i] + model.D_diag[i]) as usize] -= model.dof_damping[i];
    }
    for flex in 0..model.nflex {
        add_edges(model, position, flex, out);
    }
    let tendon = &position.tendon;
    for i in 0..model.ntendon {
        let damping = model.tendon_damping[i];
        if damping == 0.0 {
            continue;
        }
        if is_sparse(model) {
            let start = tendon.ten_J_rowadr[i] as usize;
            let end = start + tendon.ten_J_rownnz[i] as usize;
            let (columns, values) = (&tendon.ten_J_colind[start..end], &tendon.ten_J[start..end]);
            add_outer(model, columns, values, -damping, out);
        } else {
            let row = &tendon.ten_J[i * model.nv..(i + 1) * model.nv];
            add_dense_outer(model, row, -damping, out);
        }
    }
}

/// Adds what dampers along the edges of a flex do.
fn add_edges(model: &Model, position: &Position, flex: usize, out: &mut [f64]) {
    let damping = model.flex_edgedamping[flex];
    if model.flex_rigid[flex] != 0 || damping == 0.0 {
        return;
    }
    for edge in flex::edges(model, flex) {
        if model.flexedge_rigid[edge] == 0 {
            let (columns, values) = position.flex.edge_row(model, edge);
            add_outer(model, columns, values, -damping, out);
        }
    }
}

/// Adds scale·jᵀj for a dense row j, keeping pairs that the layout has.
fn add_dense_outer(model: &Model, row: &[f64], scale: f64, out: &mut [f64]) {
    for (k, &at_k) in row.iter().enumerate() {
        if at_k == 0.0 {
            continue;
        }
        let start = model.D_rowadr[k] as usize;
        for entry in start..start + model.D_rownnz[k] as usize {
            out[entry] += row[model.D_colind[entry] as usize] * (at_k * scale);
        }
    }
}
