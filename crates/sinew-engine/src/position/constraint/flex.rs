//! Equalities that keep the shape of a flex.
//!
//! *Flex* keeps the length of every edge that is not rigid (1 row per edge), *flexvert* the strain at every vertex
//! of a cloth (2 rows per vertex). Rows differ in their columns and come with their inverse weights. A law may have others
//! in their place.

use super::Constraints;
use crate::flex;
use crate::position::flex::Flex;
use sinew_dynamics::row::equality::row;
use sinew_model::Model;
use std::iter::repeat_n;
use std::ops::Range;

/// Rows of an equality that keeps lengths. One that moves nothing is left out, as the reference does.
pub(super) fn keep_lengths(model: &Model, flex: &Flex, equality: usize, out: &mut Constraints) {
    let before = out.nefc();
    out.efc_diagApprox.resize(before, 0.0);
    // Entries that follow each other are copied together.
    let mut copied = 0..0;
    let mut next = out.efc_J.len();
    for edge in flex::edges(model, model.eq_obj1id[equality] as usize) {
        let entries = flex::range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
        if model.flexedge_rigid[edge] != 0
            || entries.is_empty()
            || (out.is_dense
                && flex.flexedge_J[entries.clone()]
                    .iter()
                    .all(|value| *value == 0.0))
        {
            continue;
        }
        if entries.start != copied.end {
            out.copy_entries(model, flex, copied);
            copied = entries.start..entries.start;
        }
        copied.end = entries.end;
        out.efc_J_rowadr.push(next as i32);
        out.efc_J_rownnz.push(entries.len() as i32);
        next += entries.len();
        let stretch = flex.flexedge_length[edge] - model.flexedge_length0[edge];
        out.efc_pos.push(stretch);
        out.efc_diagApprox.push(model.flexedge_invweight0[edge]);
    }
    out.copy_entries(model, flex, copied);
    let (count, row) = (out.efc_pos.len() - before, row(equality, 0.0));
    out.efc_type.extend(repeat_n(row.kind.code(), count));
    out.efc_id.extend(repeat_n(row.id as i32, count));
    // Rows of one equality have the same columns elsewhere, but not here.
    out.repeats.extend(repeat_n(false, count));
    out.efc_margin.extend(repeat_n(row.margin, count));
    out.efc_frictionloss
        .extend(repeat_n(row.frictionloss, count));
}

impl Constraints {
    /// Appends entries of the Jacobian of lengths.
    fn copy_entries(&mut self, model: &Model, flex: &Flex, entries: Range<usize>) {
        let columns = &model.flexedge_J_colind[entries.clone()];
        self.efc_J_colind.extend_from_slice(columns);
        self.efc_J.extend_from_slice(&flex.flexedge_J[entries]);
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

/// Rows of a law in the place of an equality. False if there are none, and the equality has its own.
pub(super) fn by_law(model: &Model, equality: usize, out: &mut Constraints) -> bool {
    let rows = core::mem::take(&mut out.of_laws);
    let found = rows.of(model.eq_obj1id[equality] as usize);
    for row in found.unwrap_or_default() {
        let entries = rows.entries(row);
        add(equality, row.violation, entries, row.weight, out);
    }
    let is_taken = found.is_some();
    out.of_laws = rows;
    is_taken
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
