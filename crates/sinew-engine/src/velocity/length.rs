//! Rates of change of tendon and actuator lengths and of the edges of flexes.

use crate::flex;
use crate::position::Position;
use crate::state::State;
use crate::{is_disabled, is_sparse};
use sinew_math::dense::dot;
use sinew_math::tree::dot_sparse;
use sinew_model::Model;
use sinew_model::kinds::DisableFlag;

sinew_model::columns! {
    /// Velocities of tendons, actuators and edges.
    pub struct LengthVelocity<T>(LengthVelocityRef, LengthVelocityMut) for Model {
        sizes {
            /// Tendons.
            ntendon,
            /// Actuators.
            nu,
            /// Edges of flexes.
            nflexedge,
        }
        columns {
            /// Tendon velocities.
            ten_velocity: ntendon x T,
            /// Actuator velocities.
            actuator_velocity: nu x T,
            /// How fast each edge of a flex grows, m/s.
            flexedge_velocity: nflexedge x T,
        }
    }
}

/// Jacobian times velocity, for edges, tendons and actuators.
pub(crate) fn compute(model: &Model, state: &State, position: &Position, out: &mut LengthVelocity) {
    for flex in 0..model.nflex {
        let edges = flex::edges(model, flex);
        if !flex::has_own_edges(model, flex) {
            out.flexedge_velocity[edges].fill(0.0);
            continue;
        }
        for edge in edges {
            let (columns, values) = position.flex.edge_row(model, edge);
            out.flexedge_velocity[edge] = dot_sparse(values, columns, &state.qvel);
        }
    }
    let tendon = &position.tendon;
    if is_sparse(model) {
        for i in 0..model.ntendon {
            let start = tendon.ten_J_rowadr[i] as usize;
            let end = start + tendon.ten_J_rownnz[i] as usize;
            out.ten_velocity[i] = dot_sparse(
                &tendon.ten_J[start..end],
                &tendon.ten_J_colind[start..end],
                &state.qvel,
            );
        }
    } else {
        for i in 0..model.ntendon {
            let row = &tendon.ten_J[i * model.nv..(i + 1) * model.nv];
            out.ten_velocity[i] = dot(row, &state.qvel);
        }
    }
    if is_disabled(model, DisableFlag::Actuation) {
        out.actuator_velocity.fill(0.0);
        return;
    }
    for i in 0..model.nu {
        let (columns, values) = position.transmission.row(i);
        out.actuator_velocity[i] = dot_sparse(values, columns, &state.qvel);
    }
}
