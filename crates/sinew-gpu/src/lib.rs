//! Worlds as a graphics processor computes them.
//!
//! The kernels are those of `sinew-kernels`, compiled from the same source that runs here. [`Scene`] packs a model for
//! them, or says what it has that they do not know. [`Emulation`] runs them on the processor: in double precision every
//! world has the bits that it has alone.

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

mod device;
mod emulation;
mod plan;
mod refusal;
mod scene;
mod sensor;
mod solid;

pub use device::{ARE_CURRENT, Device, DeviceBatch, DeviceError, Kernels};
pub use emulation::Emulation;
pub use refusal::Refusal;
pub use scene::{Capacity, Scene};
pub use sinew_kernels::block::Event;
pub use sinew_kernels::warp::Order;
