//! Equalities that keep the shape of a flex.
//!
//! *Flex* keeps the length of every edge that is not rigid (1 row per edge), *flexvert* the strain at every vertex
//! of a cloth (2 rows per vertex). Rows differ in their columns and come with their inverse weights.

use super::Constraints;
use crate::flex;
use crate::position::flex::Flex;
use sinew_dynamics::row::equality::row;
use sinew_model::Model;

/// Rows of an equality that keeps lengths.
pub(super) fn keep_lengths(model: &Model, flex: &Flex, equality: usize, out: &mut Constraints) {
    for edge in flex::edges(model, model.eq_obj1id[equality] as usize) {
        if model.flexedge_rigid[edge] == 0 {
            let stretch = flex.flexedge_length[edge] - model.flexedge_length0[edge];
            let entries = flex.edge_row(model, edge);
            let weight = model.flexedge_invweight0[edge];
            add(equality, stretch, entries, weight, out);
        }
    }
}

/// Rows of an equality that keeps strains.
pub(super) fn keep_strains(model: &Model, flex: &Flex, equality: usize, out: &mut Constraints) {
    for vertex in flex::vertices(model, model.eq_obj1id[equality] as usize) {
        let body = model.flex_vertbodyid[vertex] as usize;
        let [weight, _] = model.body_invweight0[body];
        for (which, &strain) in flex.flexvert_length[vertex].iter().enumerate() {
            let entries = flex.strain_row(model, vertex, which);
            add(equality, strain, entries, weight, out);
        }
    }
}

/// Adds a row; one that moves nothing is left out, as the reference does.
fn add(
    equality: usize,
    pos: f64,
    (columns, values): (&[i32], &[f64]),
    weight: f64,
    out: &mut Constraints,
) {
    if columns.is_empty() || (out.is_dense && values.iter().all(|value| *value == 0.0)) {
        return;
    }
    let start = out.efc_J.len();
    out.efc_J_colind.extend_from_slice(columns);
    out.efc_J.extend_from_slice(values);
    out.finish_row(row(equality, pos), start);
    // Rows of one equality have the same columns elsewhere, but not here.
    if let Some(repeats) = out.repeats.last_mut() {
        *repeats = false;
    }
    out.efc_diagApprox.resize(out.nefc(), 0.0);
    if let Some(last) = out.efc_diagApprox.last_mut() {
        *last = weight;
    }
}
