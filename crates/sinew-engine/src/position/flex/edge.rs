//! Lengths of edges and how velocities change them: Jₑ = uᵀ·(J₂ − J₁), with u the unit vector from the first
//! end to the second and Jᵢ the translational Jacobians of the ends.

use super::Flex;
use crate::flex;
use crate::position::com::Com;
use crate::position::jacobian::{difference_column, for_each_dof_of_pair, offset};
use sinew_model::Model;

/// Lengths of the edges of a flex, and their Jacobian if something needs it.
pub(super) fn compute(model: &Model, com: &Com, flex: usize, out: &mut Flex) {
    if !flex::has_own_edges(model, flex) {
        return;
    }
    let needs_jacobian = flex::needs_edge_jacobian(model, flex);
    for edge in flex::edges(model, flex) {
        let points = flex::ends(model, flex, edge).map(|vertex| out.flexvert_xpos[vertex]);
        let (direction, length) = (points[1] - points[0]).normalize();
        out.flexedge_length[edge] = length;
        if !needs_jacobian {
            continue;
        }
        let bodies = flex::end_bodies(model, flex, edge);
        let offsets = [0, 1].map(|end| offset(model, com, bodies[end], points[end]));
        let row = flex::range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
        let mut entries = out.flexedge_J[row].iter_mut().rev();
        for_each_dof_of_pair(model, bodies, |dof, moves| {
            if let Some(entry) = entries.next() {
                *entry = difference_column(&com.cdof[dof], moves, offsets).dot(direction);
            }
        });
    }
}
