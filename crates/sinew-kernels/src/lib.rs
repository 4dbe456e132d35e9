//! The step of many worlds as a graphics processor computes it: the stages of `sinew-dynamics`, `sinew-collision` and
//! `sinew-solver`, put together without a heap, over memory that somebody else owns.
//!
//! Three kernels make a step ([`forward`], [`newton`], [`advance`]); in each a warp of 32 threads has a world.
//!
//! A warp computes in phases: in each, every thread does some of the bodies, rows or degrees of freedom
//! ([`warp::Warp::each`]), and none reads what another writes in the same phase. No sum is ever split among threads, so
//! every number has the bits that the engine gives it. What the stages of the engine do for a range of bodies or joints, a
//! thread does for one. Where there is no warp the phases are loops: what runs on the device is tested without one.
//!
//! The arrays of a world that is being computed lie in the memory that the threads of a block share, where they fit.
//!
//! ```text
//! scene     the model: words and numbers in two arrays, the same for all worlds
//! block     what a world has in memory between the kernels
//! arena     cuts working memory into arrays
//! warp      the threads that have a world, and what they tell each other
//! smooth    poses, inertias, velocities
//! forces    forces without constraints, and the acceleration they cause
//! contact   where geoms touch
//! rows      constraint rows
//! forward   all of that
//! newton    the forces that satisfy the rows
//! advance   how the state moves
//! device    the kernels themselves, on a device only
//! ```

#![cfg_attr(not(feature = "std"), no_std)]
// Matrices have the names of their formulas.
#![allow(non_snake_case)]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(abi_ptx, stdarch_nvptx, link_llvm_intrinsics)
)]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]
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

pub mod advance;
pub mod arena;
pub mod block;
pub mod contact;
#[cfg(target_arch = "nvptx64")]
mod device;
mod forces;
pub mod forward;
pub mod newton;
mod rows;
pub mod scene;
mod smooth;
pub mod warp;

use bytemuck::Pod;
use sinew_math::Scalar;

/// A number that kernels compute with: `f32` or `f64`.
pub trait Number: Scalar + Pod {}

impl<T: Scalar + Pod> Number for T {}
