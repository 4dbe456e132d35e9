//! Elasticity of a box of nodes: linear in the frame that turns with it.
//!
//! The deformation gradient in the middle of the box is split into a rotation and a stretch; nodes turned back by
//! that rotation are compared with their rest places, and force = K·displacement is turned forth again. Damping
//! is d·K·velocity in the same frame. What acts on a node whose body is not at its place is applied at the
//! turned place, as in the reference. Conforms to MuJoCo's `mj_flexInterpState` and its use in `mj_passive`.

use super::bending::slide_velocity;
use super::{Active, Passive, add_to_slides};
use crate::flex::interpolate::{MOST_NODES, deformation_gradient};
use crate::flex::{self};
use crate::position::Position;
use crate::position::flex::vertex::node_positions;
use crate::state::State;
use crate::velocity::com::ComVelocity;
use crate::velocity::object::velocity_in_world;
use crate::velocity::passive::apply_wrench;
use sinew_math::dense::dot;
use sinew_math::spatial::translation;
use sinew_math::{Quat, Vec3, vec3};
use sinew_model::Model;

/// The middle of a box.
const MIDDLE: Vec3 = vec3(0.5, 0.5, 0.5);

/// Nodes of an interpolated flex in the frame that turns with it.
pub(crate) struct Turned {
    /// Places, as many as there are nodes.
    pub places: [Vec3; MOST_NODES],
    /// From the world to that frame.
    pub turn: Quat,
}

/// Turns the nodes of a flex back.
pub(crate) fn turned(model: &Model, position: &Position, flex: usize) -> Turned {
    let mut places = [Vec3::ZERO; MOST_NODES];
    let nodes = &mut places[..flex::nodes(model, flex).len()];
    node_positions(model, &position.kinematics, flex, nodes);
    let gradient = deformation_gradient(model.flex_interp[flex] as usize, MIDDLE, nodes);
    let (rotation, _) = Quat::IDENTITY.extract_rotation(&gradient);
    let turn = rotation.conjugate();
    for place in nodes {
        *place = turn.rotate(*place) + MIDDLE;
    }
    Turned { places, turn }
}

/// Adds the forces of a box of nodes.
pub(super) fn add(
    model: &Model,
    state: &State,
    position: &Position,
    velocity: &ComVelocity,
    flex: usize,
    (has_springs, has_dampers): Active,
    out: &mut Passive,
) {
    let nodes = flex::nodes(model, flex);
    let bodies = &model.flex_nodebodyid[nodes.clone()];
    let Turned { places, turn } = turned(model, position, flex);
    let stiffness = flex::node_stiffness(model, flex);
    let back = turn.conjugate();
    if has_springs {
        let mut displacement = [Vec3::ZERO; MOST_NODES];
        for ((out, place), rest) in displacement
            .iter_mut()
            .zip(&places)
            .zip(&model.flex_node0[nodes])
        {
            *out = *place - *rest;
        }
        let forces = multiply(stiffness, &displacement[..bodies.len()]);
        let forces = forces.map(|force| back.rotate(force));
        distribute(
            model,
            position,
            flex,
            (&places, &forces),
            &mut out.qfrc_spring,
        );
    }
    if has_dampers {
        let mut speed = [Vec3::ZERO; MOST_NODES];
        for (out, &body) in speed.iter_mut().zip(bodies) {
            *out = turn.rotate(node_velocity(model, state, position, velocity, flex, body));
        }
        let forces = multiply(stiffness, &speed[..bodies.len()]);
        let forces = forces.map(|force| back.rotate(force) * model.flex_damping[flex]);
        distribute(
            model,
            position,
            flex,
            (&places, &forces),
            &mut out.qfrc_damper,
        );
    }
}

/// The velocity of a node in the world.
fn node_velocity(
    model: &Model,
    state: &State,
    position: &Position,
    velocity: &ComVelocity,
    flex: usize,
    body: i32,
) -> Vec3 {
    let body = body as usize;
    if model.flex_centered[flex] != 0 {
        slide_velocity(model, state, body)
    } else {
        let point = position.kinematics.xipos[body];
        translation(&velocity_in_world(
            model,
            &position.com,
            velocity,
            body,
            point,
        ))
    }
}

/// A square matrix times a vector per node.
fn multiply(matrix: &[f64], vectors: &[Vec3]) -> [Vec3; MOST_NODES] {
    let size = 3 * vectors.len();
    let vectors: &[f64] = bytemuck::cast_slice(vectors);
    let mut out = [Vec3::ZERO; MOST_NODES];
    let numbers: &mut [f64] = bytemuck::cast_slice_mut(&mut out);
    for (number, row) in numbers.iter_mut().zip(matrix.chunks_exact(size)) {
        *number = dot(row, vectors);
    }
    out
}

/// Adds forces on nodes to a generalised force.
fn distribute(
    model: &Model,
    position: &Position,
    flex: usize,
    (places, forces): (&[Vec3], &[Vec3]),
    qfrc: &mut [f64],
) {
    let bodies = &model.flex_nodebodyid[flex::nodes(model, flex)];
    for ((&body, &place), &force) in bodies.iter().zip(places).zip(forces) {
        let body = body as usize;
        if model.flex_centered[flex] != 0 {
            add_to_slides(model, body, force, qfrc);
        } else {
            let place = (body, place);
            apply_wrench(model, &position.com, place, (force, Vec3::ZERO), qfrc);
        }
    }
}
