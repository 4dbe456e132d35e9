//! MJCF: text → [`Spec`] (what was written) → `Model` (compiled).

pub mod asset;
pub mod classes;
pub mod compile;
pub mod diagnostic;
pub mod place;
mod render;
pub mod report;
pub mod spec;

pub use diagnostic::{Diagnostic, LoadError, Severity};
pub use place::{At, Place};
pub use spec::Spec;
