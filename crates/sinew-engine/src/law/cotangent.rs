//! The reference's bending with coefficients that belong to the vertices they are used for.
//!
//! The reference computes the coefficients of a hinge with the ends of its edge in the order in which the first
//! triangle lists them, and uses them in ascending order. Where these differ, the ends are exchanged, and a flat cloth of
//! unequal triangles has forces at rest. Here both orders are the ascending one; all else is the same.

use super::hinge::{
    check_slides, cotangent, hinges, mean_curvature, plate_stiffness, rest_positions,
};
use crate::parts::{Bending, FlexLaw, FlexLoad, FlexView, LawError, Memory};
use crate::velocity::passive::flex::bending::{self, product, spring};
use sinew_math::Vec3;
use sinew_model::Model;

/// Bending by cotangents whose flat cloths are at rest. All flexes of two dimensions that bend are made of it.
#[derive(Clone, Debug, Default)]
pub struct CorrectedCotangent {
    /// Hinges of each flex: their vertices and matrices.
    flexes: Vec<Vec<([usize; 4], bending::Bending)>>,
}

impl Memory for CorrectedCotangent {}

impl FlexLaw for CorrectedCotangent {
    fn prepare(&mut self, model: &Model, flex: usize) -> Result<bool, LawError> {
        self.flexes.resize(model.nflex, Vec::new());
        self.flexes[flex].clear();
        let is_cloth = model.flex_dim[flex] == 2;
        if !is_cloth || model.flex_rigid[flex] != 0 || model.flex_interp[flex] != 0 {
            return Ok(false);
        }
        check_slides(model, flex)?;
        let rest = rest_positions(model, flex);
        let matrices = hinges(model, flex).into_iter().map(|hinge| {
            let points = hinge.vertices.map(|vertex| rest[vertex]);
            let stiffness = plate_stiffness(model, &hinge, &points);
            (hinge.vertices, matrix(&points, stiffness))
        });
        self.flexes[flex] = matrices
            .filter(|(_, matrix)| *matrix != [0.0; 17] && matrix.iter().all(|x| x.is_finite()))
            .collect();
        Ok(true)
    }

    fn add_force(&mut self, view: &FlexView<'_>, load: &mut FlexLoad<'_>) {
        let damping = view.model.flex_damping[view.flex];
        for (vertices, matrix) in &self.flexes[view.flex] {
            if view.has_springs {
                let forces = spring(matrix, &vertices.map(|vertex| view.xpos[vertex]));
                for (&vertex, force) in vertices.iter().zip(forces) {
                    load.spring[vertex] -= force;
                }
            }
            if view.has_dampers {
                let forces = product(matrix, &vertices.map(|vertex| view.velocity[vertex]));
                for (&vertex, force) in vertices.iter().zip(forces) {
                    load.damper[vertex] -= force * damping;
                }
            }
        }
    }
}

impl Bending for CorrectedCotangent {}

/// The matrix of a hinge with these vertices, and the number for its curvature.
fn matrix(points: &[Vec3; 4], stiffness: f64) -> bending::Bending {
    let (c, cosine) = mean_curvature(points);
    let mut out = [0.0; 17];
    for i in 0..4 {
        for j in 0..4 {
            out[4 * i + j] = c[i] * c[j] * cosine * stiffness;
        }
    }
    let &[v0, v1, v2, v3] = points;
    let (e0, e1, e2) = (v1 - v0, v2 - v0, v3 - v0);
    let first = cotangent(v0, v1, v2) - cotangent(v1, v2, v0);
    let second = cotangent(v1, v0, v3) - cotangent(v0, v3, v1);
    let cubed = e0.dot(e0) * e0.norm();
    out[16] = e0.cross(e1).dot(e2) * first * second * stiffness / cubed;
    out
}
