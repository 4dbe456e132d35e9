//! The compiled model, its options and the meaning of its codes.
//!
//! Without the feature `std` only [`kinds`] and the borrowed forms of arrays remain, which is what
//! arithmetic over slices needs.

#![cfg_attr(not(feature = "std"), no_std)]
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

#[cfg(feature = "std")]
pub mod change;
pub mod column;
pub mod joint;
pub mod kinds;
#[cfg(feature = "std")]
pub mod law;
#[cfg(feature = "std")]
pub mod model;
#[cfg(feature = "std")]
mod names;
#[cfg(feature = "std")]
pub mod options;
#[cfg(feature = "std")]
mod reference;
#[cfg(feature = "std")]
mod signature;
#[cfg(feature = "std")]
pub mod value;
#[cfg(feature = "std")]
pub mod version;
pub mod view;

#[cfg(feature = "std")]
pub use change::ChangeError;
#[cfg(feature = "std")]
pub use model::{Model, ModelArrays};
#[cfg(feature = "std")]
pub use options::{Options, Statistic, Visual};
#[cfg(feature = "std")]
pub use value::Value;
