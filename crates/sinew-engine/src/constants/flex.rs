//! Constants of flexes: the patterns of their Jacobians, rest shapes, and edges at `qpos0`.
//!
//! The patterns follow from the degrees of freedom that move the ends of an edge. An edge's row is made
//! if some force or constraint of its flex needs it; rows of flexes that need none are empty. Addresses
//! continue those of the row before, so that after an empty flex they start at 0 again, as in the
//! reference. Conforms to MuJoCo's `makeFlexSparse`, `mj_alignFlex` and the flex part of `mj_flex`.

use super::ConstantsError;
use crate::data::Data;
pub(super) use crate::flex::{bodies, edges, end_bodies};
use crate::flex::{
    edges_at, ends, has_edge_forces, has_own_edges, holds_vertices, needs_edge_jacobian, range,
    rest_edge, vertices,
};
use crate::position::Position;
use crate::position::jacobian::offset;
use sinew_dynamics::jacobian::{difference_column, for_each_dof, for_each_dof_of_pair};
use sinew_math::{MIN_VALUE, Quat, Vec3};
use sinew_model::view::Tree;
use sinew_model::{Model, ModelArrays};

/// Fills the patterns of the Jacobians and the edges at each vertex, whatever they were.
pub(super) fn patterns(model: &mut ModelArrays) -> Result<(), ConstantsError> {
    model.flex_vertedgeadr.fill(0);
    model.flex_vertedgenum.fill(0);
    model.flex_vertedge.fill([0; 2]);
    model.flexedge_J_rowadr.fill(0);
    model.flexedge_J_rownnz.fill(0);
    model.flexedge_J_colind.fill(0);
    model.flexvert_J_rowadr.fill([0; 2]);
    model.flexvert_J_rownnz.fill([0; 2]);
    model.flexvert_J_colind.fill([0; 2]);
    let mut rows = VertexRows::default();
    for flex in 0..model.nflex {
        if !has_own_edges(model, flex) {
            continue;
        }
        if model.flex_edgeequality[flex] != 0 || has_edge_forces(model, flex) {
            for edge in edges(model, flex) {
                edge_row(model, flex, edge)?;
            }
        }
        if holds_vertices(model, flex) {
            rows.edges_at_vertices(model, flex);
            rows.vertex_rows(model, flex)?;
        }
    }
    Ok(())
}

/// `count` entries of a matrix; an error where it has fewer.
fn entries(columns: &mut [i32], start: i32, count: i32) -> Result<&mut [i32], ConstantsError> {
    let entries = columns.get_mut(range(start, count));
    entries.ok_or(ConstantsError::TooLarge("Jacobian of a flex"))
}

/// The degrees of freedom that move either end of an edge, in ascending order.
fn edge_row(model: &mut ModelArrays, flex: usize, edge: usize) -> Result<(), ConstantsError> {
    let start = match edge.checked_sub(1) {
        Some(before) => model.flexedge_J_rowadr[before] + model.flexedge_J_rownnz[before],
        None => 0,
    };
    let bodies = end_bodies(model, flex, edge);
    let mut count = 0;
    for_each_dof_of_pair(&Tree::from(&*model), bodies, |_, _| count += 1);
    model.flexedge_J_rowadr[edge] = start;
    model.flexedge_J_rownnz[edge] = count;
    let mut columns = core::mem::take(&mut model.flexedge_J_colind);
    let mut entries = entries(&mut columns, start, count)?.iter_mut().rev();
    for_each_dof_of_pair(&Tree::from(&*model), bodies, |dof, _| {
        if let Some(entry) = entries.next() {
            *entry = dof as i32;
        }
    });
    model.flexedge_J_colind = columns;
    Ok(())
}

/// Working memory of the rows of vertices.
#[derive(Default)]
struct VertexRows {
    /// Entries of `flex_vertedge` in use.
    edges: i32,
    columns: Vec<i32>,
}

impl VertexRows {
    /// Lists the edges at each vertex.
    fn edges_at_vertices(&mut self, model: &mut ModelArrays, flex: usize) {
        for edge in edges(model, flex) {
            for vertex in ends(model, flex, edge) {
                model.flex_vertedgenum[vertex] += 1;
            }
        }
        let vertices = vertices(model, flex);
        for vertex in vertices.clone() {
            model.flex_vertedgeadr[vertex] = self.edges;
            self.edges += model.flex_vertedgenum[vertex];
        }
        let mut next = model.flex_vertedgeadr[vertices.clone()].to_vec();
        let first = model.flex_edgeadr[flex];
        for edge in edges(model, flex) {
            for vertex in ends(model, flex, edge) {
                let slot = &mut next[vertex - vertices.start];
                model.flex_vertedge.as_flattened_mut()[*slot as usize] = edge as i32 - first;
                *slot += 1;
            }
        }
    }

    /// Two equal rows per vertex: the degrees of freedom that move it or a neighbour.
    fn vertex_rows(&mut self, model: &mut ModelArrays, flex: usize) -> Result<(), ConstantsError> {
        let vertices = vertices(model, flex);
        let mut start = match vertices.start.checked_sub(1) {
            Some(before) => model.flexvert_J_rowadr[before][1] + model.flexvert_J_rownnz[before][1],
            None => 0,
        };
        for vertex in vertices {
            self.columns.clear();
            for edge in edges_at(model, flex, vertex) {
                for body in end_bodies(model, flex, edge) {
                    for_each_dof(&Tree::from(&*model), body, |dof| {
                        self.columns.push(dof as i32);
                    });
                }
            }
            self.columns.sort_unstable();
            self.columns.dedup();
            let count = self.columns.len() as i32;
            model.flexvert_J_rownnz[vertex] = [count; 2];
            model.flexvert_J_rowadr[vertex] = [start, start + count];
            let columns = model.flexvert_J_colind.as_flattened_mut();
            for row in [start, start + count] {
                entries(columns, row, count)?.copy_from_slice(&self.columns);
            }
            start += 2 * count;
            // The row after the last one begins there, too, whatever its flex.
            if let Some(next) = model.flexvert_J_rowadr.get_mut(vertex + 1) {
                next[0] = start;
            }
        }
        Ok(())
    }
}

/// Fills the rest shapes that constraints on the strain at vertices compare with.
pub(super) fn rest_shapes(model: &mut ModelArrays) {
    for flex in 0..model.nflex {
        if holds_vertices(model, flex) {
            if has_own_edges(model, flex) {
                for vertex in vertices(model, flex) {
                    model.flex_vertmetric[vertex] = metric(model, flex, vertex);
                }
            }
            align(model, flex);
        }
    }
}

/// Inverse of Σ m·dx·dxᵀ over the edges at a vertex, with m the mass at the other end; zero if there is
/// none.
fn metric(model: &ModelArrays, flex: usize, vertex: usize) -> [f64; 4] {
    let mut sum = [0.0; 4];
    for edge in edges_at(model, flex, vertex) {
        let (dx, mass) = rest_edge(model, flex, edge, vertex);
        for row in 0..2 {
            for column in 0..2 {
                sum[2 * row + column] += mass * dx[row] * dx[column];
            }
        }
    }
    let determinant = sum[0] * sum[3] - sum[1] * sum[2];
    if determinant.abs() < MIN_VALUE {
        return [0.0; 4];
    }
    let inverse = 1.0 / determinant;
    [
        sum[3] * inverse,
        -sum[1] * inverse,
        -sum[2] * inverse,
        sum[0] * inverse,
    ]
}

/// Turns the rest shape so that the normal of its first element is z.
fn align(model: &mut ModelArrays, flex: usize) {
    let vertices = vertices(model, flex);
    let element = model.flex_elemdataadr[flex] as usize;
    let [a, b, c] = [0, 1, 2].map(|corner| {
        let vertex = model.flex_elem[element + corner] as usize;
        model.flex_vert0[vertices.start + vertex]
    });
    let normal = (b - a).cross(c - a).normalized();
    let turn = Quat::from_z_to(normal).to_mat();
    for vertex in &mut model.flex_vert0[vertices] {
        *vertex = turn.transpose_mul(*vertex);
    }
}

/// Fills the lengths of edges at `qpos0`; the position stage has run there. Those of interpolated
/// flexes have none.
pub(super) fn lengths(model: &mut Model, p: &Position) {
    for flex in 0..model.nflex {
        if model.flex_interp[flex] != 0 {
            continue;
        }
        for edge in edges(model, flex) {
            let [first, second] = ends(model, flex, edge).map(|v| position(model, p, flex, v));
            model.unchecked().flexedge_length0[edge] = (second - first).norm();
        }
    }
}

/// Where a vertex stands in the world.
fn position(model: &ModelArrays, p: &Position, flex: usize, vertex: usize) -> Vec3 {
    let body = model.flex_vertbodyid[vertex] as usize;
    if model.flex_centered[flex] != 0 {
        p.kinematics.xpos[body]
    } else {
        p.kinematics.point(body, model.flex_vert[vertex])
    }
}

/// Calls `visit(dof, value)` for the Jacobian of an edge's length, if something needs it: how fast
/// the edge grows under unit velocity of each degree of freedom.
pub(super) fn for_each_entry(
    model: &Model,
    p: &Position,
    flex: usize,
    edge: usize,
    mut visit: impl FnMut(usize, f64),
) {
    if !needs_edge_jacobian(model, flex) {
        return;
    }
    let points = ends(model, flex, edge).map(|vertex| position(model, p, flex, vertex));
    let bodies = end_bodies(model, flex, edge);
    let direction = (points[1] - points[0]).normalized();
    let offsets = [0, 1].map(|end| offset(model, &p.com, bodies[end], points[end]));
    for_each_dof_of_pair(&Tree::from(model), bodies, |dof, moves| {
        let column = difference_column(&p.com.cdof[dof], moves, offsets);
        visit(dof, column.dot(direction));
    });
}

/// How far the edges of flexes reach from their bodies, and nodes from each other.
pub(super) fn widen(model: &Model, data: &Data, sizes: &mut [f64]) {
    let xpos = &data.position.kinematics.xpos;
    for flex in 0..model.nflex {
        if model.flex_interp[flex] != 0 {
            for &first in bodies(model, flex) {
                for &second in bodies(model, flex) {
                    let length = xpos[first as usize].distance(xpos[second as usize]);
                    let size = &mut sizes[first as usize];
                    *size = size.max(length);
                }
            }
            continue;
        }
        for edge in edges(model, flex) {
            for body in end_bodies(model, flex, edge) {
                sizes[body] = sizes[body].max(model.flexedge_length0[edge]);
            }
        }
    }
}
