//! Vectors, quaternions, matrices, spatial algebra and factorisations.
//!
//! Everything here is `no_std` without the feature `std`, allocation-free and generic over [`Real`]: `f64`,
//! `f32`, or one number per lane. The order of floating-point operations is fixed by the source: no fused
//! operations, no reductions that depend on the machine. Quaternions keep `w` first and matrices are
//! row-major, as in MuJoCo.
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
#![cfg_attr(not(feature = "std"), no_std)]
// A square root there is an instruction that `core` does not offer yet.
#![cfg_attr(target_arch = "nvptx64", feature(core_float_math))]

pub mod arc;
pub mod dense;
pub mod eigen;
pub mod lanes;
pub mod lift;
pub mod mask;
pub mod mat3;
pub mod power;
pub mod quat;
pub mod quotient;
pub mod random;
pub mod real;
pub mod series;
pub mod sine;
mod sine_single;
pub mod spatial;
#[cfg(test)]
mod test_random;
pub mod tree;
pub mod tree_lu;
mod turns;
pub mod vec3;
pub mod wide;

pub use lift::Lift;
pub use mask::Mask;
pub use mat3::Mat3;
pub use quat::Quat;
pub use real::{Real, Scalar};
pub use vec3::{Vec3, vec3};

/// The smallest value that still counts as non-zero when a length or pivot is inverted.
pub const MIN_VALUE: f64 = 1e-15;
