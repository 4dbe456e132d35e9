//! Edges between two triangles of a flex at rest.

use crate::flex;
use crate::parts::LawError;
use crate::position::flex::vertex;
use crate::position::kinematics;
use sinew_math::Vec3;
use sinew_model::Model;

/// Where the vertices of a flex stand at `qpos0`.
pub(crate) fn rest_positions(model: &Model, flex: usize) -> Vec<Vec3> {
    let poses = kinematics::at_rest(model);
    let mut positions = vec![Vec3::ZERO; model.nflexvert];
    vertex::positions(model, &poses, flex, &mut positions);
    positions[flex::vertices(model, flex)].to_vec()
}

/// The inverse mass of each vertex; 0 where it cannot move.
pub(crate) fn inverse_masses(model: &Model, flex: usize) -> Vec<f64> {
    let bodies = &model.flex_vertbodyid[flex::vertices(model, flex)];
    let inverse = |&body: &i32| {
        let body = body as usize;
        let mass = model.body_mass[body];
        if model.body_dofnum[body] > 0 && mass > 0.0 {
            1.0 / mass
        } else {
            0.0
        }
    };
    bodies.iter().map(inverse).collect()
}

/// An edge between two triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hinge {
    /// The edge among all edges of the model.
    pub edge: usize,
    /// Vertices of the flex: the ends of the edge, ascending, then the one across in each triangle.
    pub vertices: [usize; 4],
}

/// All edges of a cloth that lie between two triangles.
pub(crate) fn hinges(model: &Model, flex: usize) -> Vec<Hinge> {
    let mut across = vec![[None; 2]; flex::edges(model, flex).len()];
    let corners = flex::corners(model, flex).chunks_exact(3);
    let edges = flex::element_edges(model, flex).chunks_exact(3);
    for (corners, edges) in corners.zip(edges) {
        // The edge at each place lies across the corner at that place.
        for (&corner, &edge) in corners.iter().zip(edges) {
            let slots: &mut [Option<usize>; 2] = &mut across[edge as usize];
            if let Some(slot) = slots.iter_mut().find(|slot| slot.is_none()) {
                *slot = Some(corner as usize);
            }
        }
    }
    let first = flex::edges(model, flex).start;
    let hinge = |(edge, across): (usize, &[Option<usize>; 2])| {
        let &[Some(c), Some(d)] = across else {
            return None;
        };
        let [a, b] = model.flex_edge[first + edge].map(|vertex| vertex as usize);
        Some(Hinge {
            edge: first + edge,
            vertices: [a, b, c, d],
        })
    };
    across.iter().enumerate().filter_map(hinge).collect()
}

/// Refuses a flex one of whose vertices moves otherwise than along three slides.
pub(crate) fn check_slides(model: &Model, flex: usize) -> Result<(), LawError> {
    let bodies = &model.flex_vertbodyid[flex::vertices(model, flex)];
    let is_known = |&body: &i32| {
        let body = body as usize;
        let is_fixed = model.body_weldid[body] == 0;
        is_fixed || (model.body_simple[body] == 2 && model.body_dofnum[body] == 3)
    };
    match bodies.iter().position(|body| !is_known(body)) {
        None => Ok(()),
        Some(vertex) => Err(LawError::of_flex(
            model,
            flex,
            format!("vertex {vertex} does not move along three slides, which bending needs"),
        )),
    }
}

/// The reference's 3μt³/24A at a hinge, taken back out of its matrix, and the coefficients of that.
pub(crate) fn plate_stiffness(model: &Model, hinge: &Hinge, points: &[Vec3; 4]) -> f64 {
    let matrix = &model.flex_bending[hinge.edge];
    let trace = matrix[0] + matrix[5] + matrix[10] + matrix[15];
    let (coefficients, cosine) = mean_curvature(points);
    let squares: f64 = coefficients.iter().map(|c| c * c).sum();
    let scale = squares * cosine;
    if trace == 0.0 || scale == 0.0 {
        0.0
    } else {
        trace / scale
    }
}

/// Coefficients of the discrete mean curvature at a hinge, and the cosine of its fold.
pub(crate) fn mean_curvature(&[v0, v1, v2, v3]: &[Vec3; 4]) -> ([f64; 4], f64) {
    let (at_v0, also_at_v0) = (cotangent(v0, v1, v2), cotangent(v0, v3, v1));
    let (at_v1, also_at_v1) = (cotangent(v1, v2, v0), cotangent(v1, v0, v3));
    let coefficients = [
        at_v1 + also_at_v1,
        at_v0 + also_at_v0,
        -(at_v0 + at_v1),
        -(also_at_v0 + also_at_v1),
    ];
    let edge = v1 - v0;
    let first = -((v2 - v0) * at_v1 + (v2 - v1) * at_v0);
    let second = -((v3 - v0) * also_at_v1 + (v3 - v1) * also_at_v0);
    (coefficients, -first.dot(second) / edge.dot(edge))
}

/// Cotangent of the angle at a corner.
pub(crate) fn cotangent(corner: Vec3, first: Vec3, second: Vec3) -> f64 {
    let (a, b) = (first - corner, second - corner);
    a.dot(b) / a.cross(b).norm()
}
