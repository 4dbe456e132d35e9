//! How the vertices of flexes move: the columns of their translational Jacobians. Several edges meet at a vertex.

use crate::flex;
use crate::position::com::Com;
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use sinew_math::Vec3;
use sinew_model::Model;

/// The motions of all vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct Motions {
    columns: Vec<Column>,
    /// Where the columns of each vertex end.
    ends: Vec<usize>,
}

/// How a vertex moves with a degree of freedom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub dof: usize,
    pub velocity: Vec3,
}

impl Motions {
    /// Finds the motions of vertices, as far as Jacobians of lengths or strains are made of them.
    pub fn find(&mut self, model: &Model, com: &Com, xpos: &[Vec3]) {
        self.columns.clear();
        self.ends.clear();
        for flex in 0..model.nflex {
            let is_needed = flex::has_own_edges(model, flex)
                && (flex::needs_edge_jacobian(model, flex) || flex::holds_vertices(model, flex));
            for vertex in flex::vertices(model, flex) {
                if is_needed {
                    let body = model.flex_vertbodyid[vertex] as usize;
                    let offset = offset(model, com, body, xpos[vertex]);
                    for_each_dof(model, body, |dof| {
                        let velocity = translation_column(&com.cdof[dof], offset);
                        self.columns.push(Column { dof, velocity });
                    });
                }
                self.ends.push(self.columns.len());
            }
        }
    }

    /// The columns of a vertex, from its body to the root.
    #[inline]
    pub fn of(&self, vertex: usize) -> &[Column] {
        let start = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.columns[start..self.ends[vertex]]
    }
}
