//! Springs and dampers along edges: k·(L₀ − L) and −b·L̇, through the Jacobian of lengths.

use super::{Active, Passive};
use crate::flex;
use crate::position::Position;
use crate::velocity::length::LengthVelocity;
use sinew_model::Model;

/// Adds the forces along the edges of a flex.
pub(super) fn add(
    model: &Model,
    position: &Position,
    velocity: &LengthVelocity,
    flex: usize,
    (has_springs, has_dampers): Active,
    out: &mut Passive,
) {
    let where_active = |value: f64, is_active: bool| if is_active { value } else { 0.0 };
    let stiffness = where_active(model.flex_edgestiffness[flex], has_springs);
    let damping = where_active(model.flex_edgedamping[flex], has_dampers);
    if model.flex_rigid[flex] != 0 || (stiffness == 0.0 && damping == 0.0) {
        return;
    }
    for edge in flex::edges(model, flex) {
        if model.flexedge_rigid[edge] != 0 {
            continue;
        }
        let stretch = model.flexedge_length0[edge] - position.flex.flexedge_length[edge];
        let spring = stiffness * stretch;
        let damper = -damping * velocity.flexedge_velocity[edge];
        let (columns, values) = position.flex.edge_row(model, edge);
        for (&dof, value) in columns.iter().zip(values) {
            out.qfrc_spring[dof as usize] += value * spring;
            out.qfrc_damper[dof as usize] += value * damper;
        }
    }
}
