//! Worlds as a graphics processor computes them.
//!
//! The kernels are those of `sinew-kernels`, compiled from the same source that runs here. [`Scene`] packs a model for
//! them, or says what it has that they do not know. [`Emulation`] runs them on the processor: in double precision every
//! world has the bits that it has alone. Batches of worlds, [`DeviceBatch`] and [`EmulatedBatch`], have one interface:
//! [`Worlds`].

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

mod derived;
mod device;
mod emulated;
mod emulation;
mod field;
mod gauge;
mod own;
mod plan;
mod refusal;
mod scene;
mod sensor;
mod solid;
mod starts;
mod worlds;

pub use derived::Derived;
pub use device::{ARE_CURRENT, Device, DeviceBatch, DeviceError, Kernels};
pub use emulated::EmulatedBatch;
pub use emulation::{Emulated, Emulation};
pub use field::{Field, Kind, Memory};
pub use own::Values;
pub use refusal::Refusal;
pub use scene::{Capacity, Scene};
pub use sinew_kernels::Number;
pub use sinew_kernels::block::Event;
pub use sinew_kernels::derive::NAMES as DERIVED;
pub use sinew_kernels::warp::Order;
pub use sinew_math::random::{Noise, Spread};
pub use worlds::{Held, Place, Rows, Scatter, Worlds};
