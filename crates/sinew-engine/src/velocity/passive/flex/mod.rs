//! Passive forces of flexes: what their material and their edges do.
//!
//! ```text
//! bending        plates that resist bending          → qfrc_spring qfrc_damper
//! element        stretched triangles and tetrahedra  → qfrc_spring
//! interpolated   boxes of nodes                      → qfrc_spring qfrc_damper
//! edge           springs and dampers along edges     → qfrc_spring qfrc_damper
//! law            laws in place of bending and elements
//! ```
//!
//! The laws are functions of arrays of elements; here is what they act on. Rigid flexes and lines have no
//! material. Conforms to the flex part of MuJoCo's `mj_passive`.

pub mod bending;
pub mod edge;
pub mod element;
pub mod interpolated;
pub mod law;

use super::Passive;
use crate::flex;
use crate::law::named::{NamedBending, NamedElasticity};
use crate::parts::{FlexSlot, Laws, Physics, Prepared};
use crate::position::Position;
use crate::velocity::length::LengthVelocity;
use law::{Evaluation, FlexLoads, Forces};
use sinew_math::Vec3;
use sinew_model::Model;

/// Working memory of the laws, grown on first use.
#[derive(Clone, Debug, Default)]
pub struct FlexScratch {
    /// Force on each vertex of one flex.
    force: Vec<Vec3>,
    /// What drives the elements of one flex, per edge.
    elongation: Vec<f64>,
    /// Working memory of other laws.
    pub(crate) loads: FlexLoads,
    /// The laws that the model chooses by name.
    named: Physics<Prepared<NamedBending>, Prepared<NamedElasticity>>,
}

/// What exists: springs, dampers.
type Active = (bool, bool);

/// All passive forces of flexes.
#[inline(never)]
pub(super) fn compute<L: Laws>(
    evaluation: &Evaluation<'_>,
    length: &LengthVelocity,
    laws: &mut L,
    out: &mut Passive,
) {
    let Evaluation {
        model,
        state,
        position,
        velocity,
        active,
    } = *evaluation;
    for flex in 0..model.nflex {
        if model.flex_rigid[flex] != 0 {
            continue;
        }
        let is_taken = by_law(evaluation, flex, laws, out);
        if model.flex_dim[flex] == 1 {
            continue;
        }
        if model.flex_dim[flex] == 2 && !is_taken.bending {
            bending::add(model, state, position, flex, active, out);
        }
        if is_taken.elasticity || !flex::is_elastic(model, flex) {
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
    let FlexScratch {
        force, elongation, ..
    } = &mut out.flex;
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

    law::distribute(model, position, flex, force, &mut out.qfrc_spring);
}

/// What of a flex laws have computed.
#[derive(Clone, Copy)]
struct Taken {
    bending: bool,
    elasticity: bool,
}

/// Adds the forces of laws in place of the reference's: those of the user, then those that the model names.
#[inline(always)]
fn by_law<L: Laws>(
    evaluation: &Evaluation<'_>,
    flex: usize,
    laws: &mut L,
    out: &mut Passive,
) -> Taken {
    let model = evaluation.model;
    let has_vertices = model.flex_interp[flex] == 0;
    let bends = model.flex_dim[flex] == 2 && has_vertices;
    let mut taken = Taken {
        bending: bends && add(evaluation, flex, laws.bending(), out),
        elasticity: has_vertices && add(evaluation, flex, laws.elasticity(), out),
    };
    let chosen = model.laws();
    if !chosen.bending.is_empty() || !chosen.elasticity.is_empty() {
        let mut named = core::mem::take(&mut out.flex.named);
        if bends && !taken.bending {
            taken.bending = add(evaluation, flex, &mut named.bending, out);
        }
        if has_vertices && !taken.elasticity {
            taken.elasticity = add(evaluation, flex, &mut named.elasticity, out);
        }
        out.flex.named = named;
    }
    taken
}

/// Adds the forces of a law on a flex. False if it does not take it.
#[inline(always)]
fn add<S: FlexSlot>(
    evaluation: &Evaluation<'_>,
    flex: usize,
    law: &mut S,
    out: &mut Passive,
) -> bool {
    let forces = Forces {
        spring: &mut out.qfrc_spring,
        damper: &mut out.qfrc_damper,
    };
    law.add_force(evaluation, flex, &mut out.flex.loads, forces)
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
