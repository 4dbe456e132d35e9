//! Passive forces of flexes: what their material and their edges do.
//!
//! ```text
//! bending        plates that resist bending          → qfrc_spring qfrc_damper
//! element        stretched triangles and tetrahedra  → qfrc_spring
//! interpolated   boxes of nodes                      → qfrc_spring qfrc_damper
//! edge           springs and dampers along edges     → qfrc_spring qfrc_damper
//! ```
//!
//! The laws are functions of arrays of elements; here is what they act on. Rigid flexes and lines have no
//! material. Conforms to the flex part of MuJoCo's `mj_passive`.

pub mod bending;
pub mod edge;
pub mod element;
pub mod interpolated;

use super::{Passive, apply_wrench};
use crate::flex;
use crate::position::Position;
use crate::state::State;
use crate::velocity::com::ComVelocity;
use crate::velocity::length::LengthVelocity;
use sinew_math::Vec3;
use sinew_model::Model;

/// Working memory of the laws, grown on first use.
#[derive(Clone, Debug, Default)]
pub struct FlexScratch {
    /// Force on each vertex of one flex.
    force: Vec<Vec3>,
    /// What drives the elements of one flex, per edge.
    elongation: Vec<f64>,
}

/// What exists: springs, dampers.
type Active = (bool, bool);

/// All passive forces of flexes.
#[inline(never)]
pub(super) fn compute(
    model: &Model,
    state: &State,
    position: &Position,
    velocity: &ComVelocity,
    length: &LengthVelocity,
    active: Active,
    out: &mut Passive,
) {
    for flex in 0..model.nflex {
        if model.flex_dim[flex] == 1 || model.flex_rigid[flex] != 0 {
            continue;
        }
        if model.flex_dim[flex] == 2 {
            bending::add(model, state, position, flex, active, out);
        }
        if !flex::is_elastic(model, flex) {
            continue;
        }
        if model.flex_interp[flex] == 0 {
            elasticity(model, position, length, flex, out);
        } else {
            interpolated::add(model, state, position, velocity, flex, active, out);
        }
    }
    for flex in 0..model.nflex {
        edge::add(model, position, length, flex, active, out);
    }
}

/// Forces of stretched elements, on the bodies of their vertices.
fn elasticity(
    model: &Model,
    position: &Position,
    length: &LengthVelocity,
    flex: usize,
    out: &mut Passive,
) {
    let (vertices, edges) = (flex::vertices(model, flex), flex::edges(model, flex));
    let xpos = &position.flex.flexvert_xpos[vertices.clone()];
    let FlexScratch { force, elongation } = &mut out.flex;
    element::elongations(
        &position.flex.flexedge_length[edges.clone()],
        &model.flexedge_length0[edges.clone()],
        &length.flexedge_velocity[edges],
        (model.flex_damping[flex], model.opt.timestep),
        elongation,
    );
    force.clear();
    force.resize(vertices.len(), Vec3::ZERO);
    let dim = model.flex_dim[flex] as usize;
    let elements = element::Elements {
        corners: flex::corners(model, flex),
        edges: flex::element_edges(model, flex),
        stiffness: &model.flex_stiffness[flex::elements(model, flex)],
    };
    element::forces(dim, &elements, elongation, xpos, force);

    let bodies = &model.flex_vertbodyid[vertices];
    for ((&body, &point), &force) in bodies.iter().zip(xpos).zip(force.iter()) {
        let body = body as usize;
        if model.body_simple[body] == 2 {
            add_to_slides(model, body, force, &mut out.qfrc_spring);
        } else {
            let place = (body, point);
            apply_wrench(
                model,
                &position.com,
                place,
                (force, Vec3::ZERO),
                &mut out.qfrc_spring,
            );
        }
    }
}

/// Adds a force to the slides of a body, one number to each.
#[inline(always)]
fn add_to_slides(model: &Model, body: usize, force: Vec3, qfrc: &mut [f64]) {
    let count = model.body_dofnum[body].clamp(0, 3);
    if count > 0 {
        let slides = &mut qfrc[flex::range(model.body_dofadr[body], count)];
        for (slide, force) in slides.iter_mut().zip(force.0) {
            *slide += force;
        }
    }
}
