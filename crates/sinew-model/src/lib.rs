//! The compiled model, its options and the meaning of its codes.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented
    )
)]

pub mod change;
pub mod column;
pub mod kinds;
pub mod model;
mod names;
pub mod options;
mod signature;

pub use change::ChangeError;
pub use model::{Model, ModelArrays};
pub use options::{Options, Statistic, Visual};
