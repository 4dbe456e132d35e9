//! Lengths of edges and how velocities change them: Jₑ = uᵀ·(J₂ − J₁), with u the unit vector from the first
//! end to the second and Jᵢ the translational Jacobians of the ends.

use super::Flex;
use super::motion::Column;
use crate::flex;
use sinew_math::Vec3;
use sinew_model::Model;

/// Lengths of the edges of a flex, and their Jacobian if something needs it.
pub(super) fn compute(model: &Model, flex: usize, out: &mut Flex) {
    if !flex::has_own_edges(model, flex) {
        return;
    }
    let needs_jacobian = flex::needs_edge_jacobian(model, flex);
    for edge in flex::edges(model, flex) {
        let ends = flex::ends(model, flex, edge);
        let points = ends.map(|vertex| out.flexvert_xpos[vertex]);
        let (direction, length) = (points[1] - points[0]).normalize();
        out.flexedge_length[edge] = length;
        if !needs_jacobian {
            continue;
        }
        let row = flex::range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
        let [first, second] = ends.map(|vertex| out.motions.of(vertex));
        jacobian_row(first, second, direction, &mut out.flexedge_J[row]);
    }
}

/// The row of one edge, given how its ends move.
#[inline]
fn jacobian_row(first: &[Column], second: &[Column], direction: Vec3, row: &mut [f64]) {
    // Point masses: the one with the higher degrees of freedom stands behind.
    if let ([.., a], [.., b], [low, high]) = (first, second, row.as_chunks_mut::<3>().0) {
        if first.len() == 3 && second.len() == 3 && a.dof != b.dof {
            let (back, forth) = match a.dof < b.dof {
                true => (low, high),
                false => (high, low),
            };
            for k in 0..3 {
                back[2 - k] = (-first[k].velocity).dot(direction);
                forth[2 - k] = second[k].velocity.dot(direction);
            }
            return;
        }
    }
    let (mut first, mut second) = (first, second);
    for entry in row.iter_mut().rev() {
        let velocity;
        match (first, second) {
            ([a, others @ ..], [b, rest @ ..]) if a.dof == b.dof => {
                velocity = b.velocity - a.velocity;
                (first, second) = (others, rest);
            }
            ([a, others @ ..], rest) if rest.first().is_none_or(|b| a.dof > b.dof) => {
                velocity = -a.velocity;
                first = others;
            }
            (_, [b, rest @ ..]) => {
                velocity = b.velocity;
                second = rest;
            }
            (_, []) => return,
        }
        *entry = velocity.dot(direction);
    }
}
