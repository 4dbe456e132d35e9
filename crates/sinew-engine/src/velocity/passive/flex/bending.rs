//! Bending of thin plates, by cotangents.
//!
//! Across an interior edge two triangles make a diamond of four vertices, the ends of the edge and the vertices
//! opposite to it. Its bending energy is a quadratic form in their positions, whose matrix B is computed at rest
//! (`flex_bending`: 16 numbers); a 17th number makes up for a curved rest shape. Force and damping are
//!
//! ```text
//! fᵢ = −Σⱼ Bᵢⱼ·xⱼ − B₁₆·wᵢ      w₁ = e₁×e₂  w₂ = e₂×e₀  w₃ = e₀×e₁  w₀ = −(w₁+w₂+w₃)
//! dᵢ = −d·Σⱼ Bᵢⱼ·ẋⱼ
//! ```
//!
//! with eₖ from the first vertex to the others. The degrees of freedom of a vertex are taken for its motions along
//! the axes of the world, as in the reference.

use super::{Active, Passive};
use crate::flex;
use crate::position::Position;
use crate::state::State;
use sinew_math::Vec3;
use sinew_model::Model;

/// The matrix of a diamond, row by row, and the number for its curvature.
pub type Bending = [f64; 17];

/// Adds the bending forces of a cloth.
pub(super) fn add(
    model: &Model,
    state: &State,
    position: &Position,
    flex: usize,
    (has_springs, has_dampers): Active,
    out: &mut Passive,
) {
    let first = flex::vertices(model, flex).start;
    let damping = model.flex_damping[flex];
    for edge in flex::edges(model, flex) {
        let [a, b] = model.flex_edge[edge];
        let [c, d] = model.flex_edgeflap[edge];
        if d == -1 {
            continue;
        }
        let bending = &model.flex_bending[edge];
        let vertices = [a, b, c, d].map(|vertex| first + vertex as usize);
        let bodies = vertices.map(|vertex| model.flex_vertbodyid[vertex] as usize);
        if has_springs {
            let points = vertices.map(|vertex| position.flex.flexvert_xpos[vertex]);
            let forces = spring(bending, &points);
            for (body, force) in bodies.into_iter().zip(forces) {
                super::add_to_slides(model, body, -force, &mut out.qfrc_spring);
            }
        }
        if has_dampers {
            let velocities = bodies.map(|body| slide_velocity(model, state, body));
            let forces = product(bending, &velocities);
            for (body, force) in bodies.into_iter().zip(forces) {
                super::add_to_slides(model, body, -(force * damping), &mut out.qfrc_damper);
            }
        }
    }
}

/// The velocities of the three slides of a body.
pub(super) fn slide_velocity(model: &Model, state: &State, body: usize) -> Vec3 {
    let Ok(first) = usize::try_from(model.body_dofadr[body]) else {
        return Vec3::ZERO;
    };
    Vec3([0, 1, 2].map(|axis| state.qvel.get(first + axis).copied().unwrap_or(0.0)))
}

/// The gradient of the energy of a diamond.
pub fn spring(bending: &Bending, points: &[Vec3; 4]) -> [Vec3; 4] {
    let [e0, e1, e2] = [1, 2, 3].map(|other| points[other] - points[0]);
    let (w1, w2, w3) = (e1.cross(e2), e2.cross(e0), e0.cross(e1));
    let curved = [-(w1 + w2 + w3), w1, w2, w3];
    let mut force = product(bending, points);
    for (force, curved) in force.iter_mut().zip(curved) {
        *force += curved * bending[16];
    }
    force
}

/// The matrix of a diamond times a vector per vertex.
pub fn product(bending: &Bending, vectors: &[Vec3; 4]) -> [Vec3; 4] {
    [0, 1, 2, 3].map(|row| {
        let mut sum = Vec3::ZERO;
        for (vector, entry) in vectors.iter().zip(&bending[4 * row..]) {
            sum += *vector * *entry;
        }
        sum
    })
}
