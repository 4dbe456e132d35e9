//! Physics for articulated bodies with contact.
//!
//! This crate re-exports the parts and holds the built-in models; it has no logic of its own.
#![forbid(unsafe_code)]

pub mod models;

/// Runs the Rust code of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

pub use sinew_batch as batch;
pub use sinew_collision as collision;
pub use sinew_dynamics as dynamics;
pub use sinew_engine as engine;
pub use sinew_math as math;
pub use sinew_mjcf as mjcf;
pub use sinew_model as model;
pub use sinew_solver as solver;
