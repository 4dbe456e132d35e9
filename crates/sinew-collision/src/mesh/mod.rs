//! Triangle meshes as plain slices: normals, coplanar polygons, mass properties.
//!
//! | file | product |
//! |---|---|
//! | `triangle.rs` | area, normal, centre and circumcentre of one triangle |
//! | `normal.rs` | vertex normals, smooth or with hard edges |
//! | `polygon.rs`, `polygon/tree.rs` | maximal coplanar polygons (`mesh_poly*`) |
//! | `mass.rs` | volume or area, centre of mass, inertia |
//!
//! Every function takes vertices and index triples that were range-checked by the caller.

pub mod mass;
pub mod normal;
pub mod polygon;
pub mod triangle;

/// Three vertex indices, counter-clockwise seen from outside.
pub type Face = [u32; 3];

/// The corners of a face.
#[inline]
pub(crate) fn corners(vertices: &[sinew_math::Vec3], face: &Face) -> [sinew_math::Vec3; 3] {
    [
        vertices[face[0] as usize],
        vertices[face[1] as usize],
        vertices[face[2] as usize],
    ]
}
