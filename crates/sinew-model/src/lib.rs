//! The compiled model, its options and the meaning of its codes.

pub mod column;
pub mod kinds;
pub mod model;
mod names;
pub mod options;
mod signature;

pub use model::Model;
pub use options::{Options, Statistic, Visual};
