//! What the parts of a flex are: its vertices, edges, elements and nodes, and the bodies that carry them.
//!
//! Ids counted over all flexes are `usize`; ids counted within a flex are as the model stores them.

pub mod interpolate;

use core::ops::Range;
use sinew_model::ModelArrays;

/// What keeps the shape of a flex, as `flex_edgeequality` counts it.
pub mod held {
    /// Constraints keep the lengths of edges.
    pub const EDGES: i32 = 1;
    /// Constraints keep the strain at vertices.
    pub const VERTICES: i32 = 2;
}

/// `count` ids from `start`.
#[inline]
pub(crate) fn range(start: i32, count: i32) -> Range<usize> {
    start as usize..(start + count) as usize
}

/// The edges of a flex.
#[inline]
pub fn edges(model: &ModelArrays, flex: usize) -> Range<usize> {
    range(model.flex_edgeadr[flex], model.flex_edgenum[flex])
}

/// The vertices of a flex.
#[inline]
pub fn vertices(model: &ModelArrays, flex: usize) -> Range<usize> {
    range(model.flex_vertadr[flex], model.flex_vertnum[flex])
}

/// The nodes of an interpolated flex.
#[inline]
pub fn nodes(model: &ModelArrays, flex: usize) -> Range<usize> {
    range(model.flex_nodeadr[flex], model.flex_nodenum[flex])
}

/// The elements of a flex.
#[inline]
pub fn elements(model: &ModelArrays, flex: usize) -> Range<usize> {
    range(model.flex_elemadr[flex], model.flex_elemnum[flex])
}

/// The vertices of all elements of a flex, counted within it: dimension + 1 per element.
#[inline]
pub fn corners(model: &ModelArrays, flex: usize) -> &[i32] {
    let per_element = model.flex_dim[flex] + 1;
    let count = per_element * model.flex_elemnum[flex];
    &model.flex_elem[range(model.flex_elemdataadr[flex], count)]
}

/// The edges of all elements of a flex of two or three dimensions, counted within it: 3 or 6 per element.
#[inline]
pub fn element_edges(model: &ModelArrays, flex: usize) -> &[i32] {
    let per_element = if model.flex_dim[flex] == 2 { 3 } else { 6 };
    let count = per_element * model.flex_elemnum[flex];
    &model.flex_elemedge[range(model.flex_elemedgeadr[flex], count)]
}

/// Whether the elements of a flex, or its box of nodes, resist being stretched.
#[inline]
pub fn is_elastic(model: &ModelArrays, flex: usize) -> bool {
    let stiffness = model.flex_stiffness.get(model.flex_elemadr[flex] as usize);
    stiffness.is_some_and(|stiffness| stiffness[0] != 0.0)
}

/// The stiffness of the box of nodes of an interpolated flex: a square matrix over the motions of all nodes.
#[inline]
pub fn node_stiffness(model: &ModelArrays, flex: usize) -> &[f64] {
    let size = 3 * nodes(model, flex).len();
    let start = model.flex_elemadr[flex] as usize;
    &model.flex_stiffness[start..].as_flattened()[..size * size]
}

/// The vertices at the ends of an edge.
#[inline]
pub fn ends(model: &ModelArrays, flex: usize, edge: usize) -> [usize; 2] {
    model.flex_edge[edge].map(|vertex| (model.flex_vertadr[flex] + vertex) as usize)
}

/// The bodies at the ends of an edge.
#[inline]
pub fn end_bodies(model: &ModelArrays, flex: usize, edge: usize) -> [usize; 2] {
    ends(model, flex, edge).map(|vertex| model.flex_vertbodyid[vertex] as usize)
}

/// The bodies that carry a flex: of its nodes, or of its vertices.
#[inline]
pub fn bodies(model: &ModelArrays, flex: usize) -> &[i32] {
    if model.flex_interp[flex] == 0 {
        &model.flex_vertbodyid[vertices(model, flex)]
    } else {
        &model.flex_nodebodyid[nodes(model, flex)]
    }
}

/// Whether the edges of a flex can change their lengths by motions of their own.
#[inline]
pub fn has_own_edges(model: &ModelArrays, flex: usize) -> bool {
    model.flex_rigid[flex] == 0 && model.flex_interp[flex] == 0
}

/// Whether forces may act along the edges of a flex.
#[inline]
pub fn has_edge_forces(model: &ModelArrays, flex: usize) -> bool {
    model.flex_edgedamping[flex] != 0.0
        || model.flex_edgestiffness[flex] != 0.0
        || model.flex_damping[flex] != 0.0
}

/// Whether the Jacobian of the lengths of its edges is needed, by a force or a constraint.
#[inline]
pub fn needs_edge_jacobian(model: &ModelArrays, flex: usize) -> bool {
    let is_held = model.flex_edgeequality[flex] == held::EDGES;
    has_own_edges(model, flex) && (is_held || has_edge_forces(model, flex))
}

/// Whether constraints keep the strain at the vertices of a cloth.
#[inline]
pub fn holds_vertices(model: &ModelArrays, flex: usize) -> bool {
    model.flex_dim[flex] == 2 && model.flex_edgeequality[flex] == held::VERTICES
}

/// The edges at a vertex of a flex whose vertices are held.
#[inline]
pub fn edges_at(
    model: &ModelArrays,
    flex: usize,
    vertex: usize,
) -> impl Iterator<Item = usize> + '_ {
    let listed = range(
        model.flex_vertedgeadr[vertex],
        model.flex_vertedgenum[vertex],
    );
    let first = model.flex_edgeadr[flex];
    let edges = &model.flex_vertedge.as_flattened()[listed];
    edges.iter().map(move |edge| (first + edge) as usize)
}

/// An edge at rest as it is seen from a vertex: its vector along the first two axes of the rest shape, and
/// the mass at its other end.
#[inline]
pub fn rest_edge(model: &ModelArrays, flex: usize, edge: usize, vertex: usize) -> ([f64; 2], f64) {
    let size = model.flex_size[flex];
    let [first, second] = ends(model, flex, edge);
    let vector = model.flex_vert0[second] - model.flex_vert0[first];
    let other = if vertex == first { second } else { first };
    let body = model.flex_vertbodyid[other] as usize;
    let mass = model.body_mass[body].max(sinew_math::MIN_VALUE);
    (
        [vector[0] * (2.0 * size[0]), vector[1] * (2.0 * size[1])],
        mass,
    )
}
