//! Strain at the vertices of a cloth, and how velocities change it.
//!
//! At a vertex the deformation gradient F = (Σ m·dy·dxᵀ)·B is the best fit over its edges, dx at rest and dy now,
//! with m the mass at the other end and B = (Σ m·dx·dxᵀ)⁻¹ (`flex_vertmetric`). The two strains are the
//! invariants tr FᵀF − 2 and det FᵀF − 1, times the root of the vertex's mass, which makes rows of heavy and light
//! vertices alike. After Chen, Kry and Vouga, "Locking-free simulation of isometric thin plates", 2019.

use super::Flex;
use super::motion::Column;
use crate::flex;
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;

/// A matrix of 3 × 2 by its columns.
type Columns = [Vec3; 2];

/// A matrix of 2 × 2, row by row.
type Square = [f64; 4];

/// Strains at the vertices of all flexes that are held there.
pub(super) fn compute(model: &Model, out: &mut Flex) {
    out.flexvert_J.fill([0.0; 2]);
    for flex in 0..model.nflex {
        if !flex::has_own_edges(model, flex) || !flex::holds_vertices(model, flex) {
            continue;
        }
        out.rows.resize(model.nv, [0.0; 2]);
        for vertex in flex::vertices(model, flex) {
            at_vertex(model, (flex, vertex), out);
        }
    }
}

/// The strains at one vertex and their two rows.
fn at_vertex(model: &Model, (flex, vertex): (usize, usize), out: &mut Flex) {
    let metric = model.flex_vertmetric[vertex];
    let xpos = &out.flexvert_xpos;
    let mut sum = [Vec3::ZERO; 2];
    for edge in flex::edges_at(model, flex, vertex) {
        let (rest, mass) = flex::rest_edge(model, flex, edge, vertex);
        let [first, second] = flex::ends(model, flex, edge);
        let now = (xpos[second] - xpos[first]) * mass;
        for (sum, dx) in sum.iter_mut().zip(rest) {
            *sum += now * dx;
        }
    }
    let gradient = product(&sum, &metric);
    let [f0, f1] = gradient;
    let (c00, c01, c11) = (f0.dot(f0), f0.dot(f1), f1.dot(f1));
    let mass = model.body_mass[model.flex_vertbodyid[vertex] as usize];
    let scale = if mass > MIN_VALUE { mass.sqrt() } else { 1.0 };
    out.flexvert_length[vertex] = [
        (c00 + c11 - 2.0) * scale,
        (c00 * c11 - c01 * c01 - 1.0) * scale,
    ];

    // Half the derivatives of the two invariants by the sum above.
    let trace = product(&gradient, &metric);
    let determinant = product(&product(&gradient, &[c11, -c01, -c01, c00]), &metric);
    for edge in flex::edges_at(model, flex, vertex) {
        let (rest, mass) = flex::rest_edge(model, flex, edge, vertex);
        let slopes = [trace, determinant]
            .map(|half| (half[0] * rest[0] + half[1] * rest[1]) * (-2.0 * mass));
        let ends = flex::ends(model, flex, edge);
        for (end, sign) in ends.into_iter().zip([1.0, -1.0]) {
            let slopes = slopes.map(|slope| slope * sign);
            for Column { dof, velocity } in out.motions.of(end) {
                for (entry, slope) in out.rows[*dof].iter_mut().zip(slopes) {
                    *entry += velocity.dot(slope);
                }
            }
        }
    }
    gather(model, vertex, scale, out);
}

/// Moves the two dense rows to the sparse ones of a vertex, and leaves zeros.
fn gather(model: &Model, vertex: usize, scale: f64, out: &mut Flex) {
    let columns = model.flexvert_J_colind.as_flattened();
    let values = out.flexvert_J.as_flattened_mut();
    for row in 0..2 {
        let (start, count) = (
            model.flexvert_J_rowadr[vertex][row],
            model.flexvert_J_rownnz[vertex][row],
        );
        for index in flex::range(start, count) {
            let entry = &mut out.rows[columns[index] as usize][row];
            values[index] += *entry * scale;
            *entry = 0.0;
        }
    }
}

/// A product of a matrix of 3 × 2 and one of 2 × 2.
fn product([a0, a1]: &Columns, m: &Square) -> Columns {
    [*a0 * m[0] + *a1 * m[2], *a0 * m[1] + *a1 * m[3]]
}
