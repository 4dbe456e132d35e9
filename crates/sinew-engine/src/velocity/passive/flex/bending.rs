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
use sinew_math::wide::{self, Work};
use sinew_model::Model;

/// The matrix of a diamond, row by row, and the number for its curvature.
pub type Bending = [f64; 17];

/// Adds the bending forces of a cloth.
pub(super) fn add(
    model: &Model,
    state: &State,
    position: &Position,
    flex: usize,
    active: Active,
    out: &mut Passive,
) {
    wide::run(Diamonds {
        model,
        state,
        position,
        flex,
        active,
        out,
    });
}

/// All diamonds of a cloth.
struct Diamonds<'a> {
    model: &'a Model,
    state: &'a State,
    position: &'a Position,
    flex: usize,
    active: Active,
    out: &'a mut Passive,
}

impl Work for Diamonds<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Diamonds { model, out, .. } = self;
        let (has_springs, has_dampers) = self.active;
        let first = flex::vertices(model, self.flex).start;
        let damping = model.flex_damping[self.flex];
        for edge in flex::edges(model, self.flex) {
            let [a, b] = model.flex_edge[edge];
            let [c, d] = model.flex_edgeflap[edge];
            if d == -1 {
                continue;
            }
            let bending = &model.flex_bending[edge];
            // Nothing comes of what does not resist.
            if *bending == [0.0; 17] {
                continue;
            }
            let (mut bodies, mut points) = ([0; 4], [Vec3::ZERO; 4]);
            for (k, vertex) in [a, b, c, d].into_iter().enumerate() {
                let vertex = first + vertex as usize;
                bodies[k] = model.flex_vertbodyid[vertex] as usize;
                points[k] = self.position.flex.flexvert_xpos[vertex];
            }
            if has_springs {
                let forces = spring(bending, &points);
                for k in 0..4 {
                    super::add_to_slides(model, bodies[k], -forces[k], &mut out.qfrc_spring);
                }
            }
            if has_dampers {
                let mut velocities = [Vec3::ZERO; 4];
                for k in 0..4 {
                    velocities[k] = slide_velocity(model, self.state, bodies[k]);
                }
                let forces = product(bending, &velocities);
                for k in 0..4 {
                    let force = -(forces[k] * damping);
                    super::add_to_slides(model, bodies[k], force, &mut out.qfrc_damper);
                }
            }
        }
    }
}

/// The velocities of the three slides of a body.
#[inline(always)]
pub(super) fn slide_velocity(model: &Model, state: &State, body: usize) -> Vec3 {
    let Ok(first) = usize::try_from(model.body_dofadr[body]) else {
        return Vec3::ZERO;
    };
    let velocity = |axis: usize| state.qvel.get(first + axis).copied().unwrap_or(0.0);
    Vec3([velocity(0), velocity(1), velocity(2)])
}

/// The gradient of the energy of a diamond.
#[inline(always)]
pub fn spring(bending: &Bending, points: &[Vec3; 4]) -> [Vec3; 4] {
    let e0 = points[1] - points[0];
    let e1 = points[2] - points[0];
    let e2 = points[3] - points[0];
    let (w1, w2, w3) = (e1.cross(e2), e2.cross(e0), e0.cross(e1));
    let curved = [-(w1 + w2 + w3), w1, w2, w3];
    let mut force = product(bending, points);
    for k in 0..4 {
        force[k] += curved[k] * bending[16];
    }
    force
}

/// The matrix of a diamond times a vector per vertex.
#[inline(always)]
pub fn product(bending: &Bending, vectors: &[Vec3; 4]) -> [Vec3; 4] {
    // A fourth number makes a vector fill a register.
    let mut padded = [[0.0; 4]; 4];
    for (padded, vector) in padded.iter_mut().zip(vectors) {
        *padded = [vector[0], vector[1], vector[2], 0.0];
    }
    let mut out = [Vec3::ZERO; 4];
    for row in 0..4 {
        let mut sum = [0.0; 4];
        for column in 0..4 {
            for k in 0..4 {
                sum[k] += padded[column][k] * bending[4 * row + column];
            }
        }
        out[row] = Vec3([sum[0], sum[1], sum[2]]);
    }
    out
}
