//! Laws that take the place of the reference's where a model or a program chooses them.
//!
//! ```text
//! hinge        edges between two triangles of a cloth
//! dihedral     bending by hinge springs, limited so that no step can blow up
//! cotangent    the reference's bending without its exchanged vertices
//! neo_hookean  elements that resist being flattened
//! linear_edge  elements whose edges are held by constraints
//! series_elastic  a motor behind a spring
//! xpbd         constraint rows solved by projection
//! named        laws by name, as models choose them
//! ```
//!
//! Each is a law as a user would write one: a type that implements a trait of [`parts`](crate::parts).

pub mod cotangent;
pub mod dihedral;
pub(crate) mod hinge;
pub mod linear_edge;
pub mod named;
pub mod neo_hookean;
pub mod series_elastic;
pub mod xpbd;

pub use cotangent::CorrectedCotangent;
pub use dihedral::Dihedral;
pub use linear_edge::LinearEdge;
pub use neo_hookean::NeoHookean;
pub use series_elastic::SeriesElastic;
pub use xpbd::{Softness, Xpbd};
