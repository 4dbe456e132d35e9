//! Vertices, boxes and edges of flexes.
//!
//! ```text
//! vertex   flexvert_xpos
//! bounds   flexelem_aabb bvh_aabb_dyn
//! motion   columns of which Jacobians are made
//! edge     flexedge_length flexedge_J
//! strain   flexvert_length flexvert_J
//! ```
//!
//! Jacobians are sparse; which degrees of freedom their entries belong to is part of the model
//! (`flexedge_J_* flexvert_J_*`). Rows that nothing needs are zero. Conforms to MuJoCo's `mj_flex`.

mod bounds;
mod edge;
mod motion;
mod strain;
pub(crate) mod vertex;

use super::com::Com;
use super::kinematics::Kinematics;
use crate::flex;
use sinew_math::Vec3;
use sinew_model::Model;

sinew_model::columns! {
    /// Flexes.
    pub struct Flex for Model {
        sizes {
            /// Vertices of all flexes.
            nflexvert,
            /// Elements of all flexes.
            nflexelem,
            /// Edges of all flexes.
            nflexedge,
            /// Entries of the Jacobian of edges.
            nJfe,
            /// Entries of the Jacobian of vertices.
            nJfv,
            /// Nodes of the trees of boxes that move.
            nbvhdynamic,
        }
        columns {
            /// Position of each vertex in the world, m.
            flexvert_xpos: nflexvert x Vec3,
            /// Box around each element, with its radius: centre and half size in the world, m.
            flexelem_aabb: nflexelem x [f64; 6],
            /// Jacobian of the lengths of edges.
            flexedge_J: nJfe x f64,
            /// Length of each edge, m.
            flexedge_length: nflexedge x f64,
            /// Jacobian of the strain at vertices.
            flexvert_J: nJfv x [f64; 2],
            /// Strain at each vertex: change of trace and of determinant, times the root of its mass.
            flexvert_length: nflexvert x [f64; 2],
            /// Boxes of the trees that move: centre and half size in the world, m.
            bvh_aabb_dyn: nbvhdynamic x [f64; 6],
        }
        scratch {
            /// Two rows over all degrees of freedom.
            rows: Vec<[f64; 2]>,
            /// How vertices move.
            motions: motion::Motions,
        }
    }
}

impl Flex {
    /// The row of an edge in the Jacobian of lengths: degrees of freedom and values.
    #[inline]
    pub(crate) fn edge_row<'a>(&'a self, model: &'a Model, edge: usize) -> (&'a [i32], &'a [f64]) {
        let row = flex::range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
        (&model.flexedge_J_colind[row.clone()], &self.flexedge_J[row])
    }

    /// One of the two rows of a vertex in the Jacobian of strains: degrees of freedom and values.
    #[inline]
    pub(crate) fn strain_row<'a>(
        &'a self,
        model: &'a Model,
        vertex: usize,
        which: usize,
    ) -> (&'a [i32], &'a [f64]) {
        let row = flex::range(
            model.flexvert_J_rowadr[vertex][which],
            model.flexvert_J_rownnz[vertex][which],
        );
        let columns = &model.flexvert_J_colind.as_flattened()[row.clone()];
        (columns, &self.flexvert_J.as_flattened()[row])
    }
}

/// Vertices, boxes and edges of all flexes.
#[doc(alias = "mj_flex")]
pub(crate) fn compute(model: &Model, kinematics: &Kinematics, com: &Com, out: &mut Flex) {
    if model.nflex == 0 {
        return;
    }
    for flex in 0..model.nflex {
        vertex::positions(model, kinematics, flex, &mut out.flexvert_xpos);
        bounds::elements(model, flex, &out.flexvert_xpos, &mut out.flexelem_aabb);
    }
    bounds::trees(model, &out.flexelem_aabb, &mut out.bvh_aabb_dyn);
    out.motions.find(model, com, &out.flexvert_xpos);
    out.flexedge_J.fill(0.0);
    for flex in 0..model.nflex {
        edge::compute(model, flex, out);
    }
    strain::compute(model, out);
}
