//! Cloth, soft bodies and ropes by projection: what keeps their shape, beside the rows of the step.
//!
//! ```text
//! distance  C = |xᵢ − xⱼ| − L         α = 1/(E·t) of cloth, 1/(E·L) of solids, L/(E·πr²) of ropes
//! bending   C = θ − θ₀ at a hinge      α = 12·(1 − ν²)/(E·t³);   of ropes the distance of every other vertex
//! volume    C = V − V₀                 α = V₀/K      K = E/(3·(1 − 2ν))
//! ```
//!
//! Vertices are the point masses of a flex, which has the topology, contacts and arrays of any other. Constraints are
//! evaluated where the vertices have moved to, not linearised, so that they stay what they are however far a step goes.

use crate::flex;
use crate::law::dihedral::Fold;
use crate::law::hinge::{check_slides, hinges, inverse_masses, rest_positions};
use crate::parts::{Constrained, LawError};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;

/// What a flex is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// Which flex.
    pub flex: usize,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio, from 0 to below 0.5.
    pub poisson: f64,
    /// Thickness of a cloth, or diameter of a rope, m.
    pub thickness: f64,
    /// Part of the velocity that goes in a second.
    pub damping: f64,
}

impl Softness {
    fn check(&self, model: &Model) -> Result<(), LawError> {
        let flex = self.flex;
        if flex >= model.nflex {
            return Err(LawError::new("solver", format!("there is no flex {flex}")));
        }
        let refuse = |reason: &str| Err(LawError::of_flex(model, flex, reason));
        if model.flex_interp[flex] != 0 || model.flex_rigid[flex] != 0 {
            return refuse("only flexes whose vertices move by themselves are projected");
        }
        if !(self.young > 0.0 && self.young.is_finite() && self.thickness > 0.0) {
            return refuse("Young's modulus and thickness must be positive");
        }
        if !(0.0..0.5).contains(&self.poisson) || self.damping.is_nan() || self.damping < 0.0 {
            return refuse("Poisson's ratio is at least 0 and below 0.5, damping not negative");
        }
        check_slides(model, flex)
    }
}

/// Constraints between vertices.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Distance { ends: [usize; 2], rest: f64 },
    Hinge { vertices: [usize; 4], rest: f64 },
    Volume { corners: [usize; 4], rest: f64 },
}

/// One soft flex.
#[derive(Clone, Debug)]
pub(super) struct Body {
    flex: usize,
    damping: f64,
    /// First degree of freedom of each vertex; none: it stays.
    dofs: Vec<Option<usize>>,
    inverse_mass: Vec<f64>,
    shapes: Vec<(Shape, f64)>,
    lambda: Vec<f64>,
}

impl Body {
    /// A flex of a material.
    pub fn new(model: &Model, softness: &Softness) -> Result<Self, LawError> {
        softness.check(model)?;
        let flex = softness.flex;
        let bodies = &model.flex_vertbodyid[flex::vertices(model, flex)];
        let dof = |&body: &i32| {
            let body = body as usize;
            (model.body_dofnum[body] == 3).then_some(model.body_dofadr[body] as usize)
        };
        let rest = rest_positions(model, flex);
        let mut shapes = distances(model, softness, &rest);
        match model.flex_dim[flex] {
            1 => shapes.extend(skipping(model, softness, &rest)),
            2 => shapes.extend(folds(model, softness, &rest)),
            _ => shapes.extend(volumes(model, softness, &rest)),
        }
        Ok(Body {
            flex,
            damping: softness.damping,
            dofs: bodies.iter().map(dof).collect(),
            inverse_mass: inverse_masses(model, flex),
            lambda: vec![0.0; shapes.len()],
            shapes,
        })
    }

    /// Forgets the multipliers of the last substep.
    pub fn begin(&mut self) {
        self.lambda.fill(0.0);
    }

    /// Projects every constraint once.
    pub fn project(&mut self, task: &Constrained<'_>, timestep: f64, motion: &mut [f64]) {
        let vertices = flex::vertices(task.model, self.flex);
        let xpos = &task.position.flex.flexvert_xpos[vertices];
        let place = |vertex: usize, dof: Option<usize>, motion: &[f64]| match dof {
            Some(dof) => xpos[vertex] + Vec3([motion[dof], motion[dof + 1], motion[dof + 2]]),
            None => xpos[vertex],
        };
        for ((shape, compliance), lambda) in self.shapes.iter().zip(&mut self.lambda) {
            let at = |vertex: usize| place(vertex, self.dofs[vertex], motion);
            let Some((violation, vertices, gradients, count)) = evaluate(shape, at) else {
                continue;
            };
            let soft = compliance / (timestep * timestep);
            let mut weight = soft;
            for k in 0..count {
                let gradient: Vec3 = gradients[k];
                weight += self.inverse_mass[vertices[k]] * gradient.dot(gradient);
            }
            if weight <= MIN_VALUE {
                continue;
            }
            let change = (-violation - soft * *lambda) / weight;
            *lambda += change;
            for k in 0..count {
                let vertex = vertices[k];
                let Some(dof) = self.dofs[vertex] else {
                    continue;
                };
                let moved = gradients[k] * (change * self.inverse_mass[vertex]);
                for axis in 0..3 {
                    motion[dof + axis] += moved[axis];
                }
            }
        }
    }

    /// Takes a part of the velocities away; tells by how much that of each degree of freedom changes.
    pub fn damp(&self, timestep: f64, velocity: &mut [f64], mut note: impl FnMut(usize, f64)) {
        let lost = 1.0 - 1.0 / (1.0 + self.damping * timestep);
        for &first in self.dofs.iter().flatten() {
            for dof in first..first + 3 {
                let change = -lost * velocity[dof];
                velocity[dof] += change;
                note(dof, change);
            }
        }
    }
}

/// Violation, vertices and gradients of a constraint; none where it has no direction.
#[inline(always)]
fn evaluate(
    shape: &Shape,
    at: impl Fn(usize) -> Vec3,
) -> Option<(f64, [usize; 4], [Vec3; 4], usize)> {
    match *shape {
        Shape::Distance { ends: [a, b], rest } => {
            let side = at(b) - at(a);
            let length = side.norm();
            if length < MIN_VALUE {
                return None;
            }
            let along = side * (1.0 / length);
            let gradients = [-along, along, Vec3::ZERO, Vec3::ZERO];
            Some((length - rest, [a, b, a, b], gradients, 2))
        }
        Shape::Hinge { vertices, rest } => {
            let fold = Fold::of(&vertices.map(at))?;
            Some((fold.beyond(rest), vertices, fold.gradient, 4))
        }
        Shape::Volume { corners, rest } => {
            let [a, b, c, d] = corners.map(at);
            let (u, v, w) = (b - a, c - a, d - a);
            let at_b = v.cross(w) * (1.0 / 6.0);
            let at_c = w.cross(u) * (1.0 / 6.0);
            let at_d = u.cross(v) * (1.0 / 6.0);
            let gradients = [-(at_b + at_c + at_d), at_b, at_c, at_d];
            Some((at_d.dot(w) - rest, corners, gradients, 4))
        }
    }
}

/// Edges keep their lengths.
fn distances(model: &Model, softness: &Softness, rest: &[Vec3]) -> Vec<(Shape, f64)> {
    let Softness {
        flex,
        young,
        thickness,
        ..
    } = *softness;
    let dim = model.flex_dim[flex];
    let distance = |edge: usize| {
        let ends = model.flex_edge[edge].map(|vertex| vertex as usize);
        let length = rest[ends[0]].distance(rest[ends[1]]);
        let stiffness = match dim {
            1 => young * core::f64::consts::PI * thickness * thickness / (4.0 * length),
            2 => young * thickness,
            _ => young * length,
        };
        let shape = Shape::Distance { ends, rest: length };
        (shape, 1.0 / stiffness)
    };
    flex::edges(model, flex).map(distance).collect()
}

/// Every other vertex of a line keeps its distance.
fn skipping(model: &Model, softness: &Softness, rest: &[Vec3]) -> Vec<(Shape, f64)> {
    let Softness {
        flex,
        young,
        thickness,
        ..
    } = *softness;
    let edges: Vec<[usize; 2]> = flex::edges(model, flex)
        .map(|edge| model.flex_edge[edge].map(|vertex| vertex as usize))
        .collect();
    // Second moment of area of a round rope.
    let square = thickness * thickness;
    let area = core::f64::consts::PI * square * square / 64.0;
    let mut out = Vec::new();
    for (k, first) in edges.iter().enumerate() {
        for second in &edges[k + 1..] {
            let shared = first.iter().find(|vertex| second.contains(vertex));
            let Some(&middle) = shared else {
                continue;
            };
            let other = |edge: &[usize; 2]| if edge[0] == middle { edge[1] } else { edge[0] };
            let ends = [other(first), other(second)];
            let length = rest[ends[0]].distance(rest[ends[1]]);
            let stiffness = young * area / (length * length * length).max(MIN_VALUE);
            out.push((Shape::Distance { ends, rest: length }, 1.0 / stiffness));
        }
    }
    out
}

/// Hinges keep their angles.
fn folds(model: &Model, softness: &Softness, rest: &[Vec3]) -> Vec<(Shape, f64)> {
    let Softness {
        young,
        poisson,
        thickness,
        ..
    } = *softness;
    let plate = young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson));
    let hinge = |vertices: [usize; 4]| {
        let fold = Fold::of(&vertices.map(|vertex| rest[vertex]))?;
        let rest = fold.angle;
        Some((Shape::Hinge { vertices, rest }, 1.0 / plate))
    };
    let hinges = hinges(model, softness.flex).into_iter();
    hinges.filter_map(|found| hinge(found.vertices)).collect()
}

/// Tetrahedra keep their volumes.
fn volumes(model: &Model, softness: &Softness, rest: &[Vec3]) -> Vec<(Shape, f64)> {
    let bulk = softness.young / (3.0 * (1.0 - 2.0 * softness.poisson));
    let (corners, _) = flex::corners(model, softness.flex).as_chunks::<4>();
    let volume = |corners: &[i32; 4]| {
        let corners = corners.map(|corner| corner as usize);
        let [a, b, c, d] = corners.map(|corner| rest[corner]);
        let rest = (b - a).cross(c - a).dot(d - a) / 6.0;
        (Shape::Volume { corners, rest }, rest.abs() / bulk)
    };
    corners.iter().map(volume).collect()
}
