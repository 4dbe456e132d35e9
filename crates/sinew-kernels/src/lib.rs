//! The step of many worlds as a graphics processor computes it: the stages of `sinew-dynamics`, `sinew-collision` and
//! `sinew-solver`, put together without a heap, over memory that somebody else owns.
//!
//! Four kernels make a step, and more where there are sensors, or where bodies stick to what they touch. What all worlds do alike, poses and forces ([`forward::smooth`]) and motion ([`advance`]), a team
//! of warps computes for 32 worlds at once, one for each thread of a warp: their numbers lie side by side
//! ([`sinew_math::series`]), and the warps share out bodies, joints and degrees of freedom. Where worlds differ, in their rows
//! ([`forward::rows`]) and in the solver ([`newton`]), a warp of 32 threads has a world.
//!
//! Both compute in phases: in each, every thread does some of the bodies, rows or degrees of freedom
//! ([`team::Team::each`], [`warp::Warp::each`]), and none reads what another writes in the same phase. No sum is ever split
//! among threads in double precision, so every number has the bits that the engine gives it. What the stages of the engine do
//! for a range of bodies or joints, a thread does for one. Where there is no device the phases are loops: what runs on
//! the device is tested without one.
//!
//! ```text
//! scene     the model: words and numbers in two arrays, the same for all worlds
//! block     what a world has in memory between steps, and its constraint problem
//! local     what it has in memory between the kernels of a step
//! arena     cuts working memory into arrays
//! team      the threads that have 32 worlds together
//! warp      the threads that have a world, and what they tell each other
//! sums      scalar products, added up as the engine does
//! smooth    poses, inertias, velocities
//! forces    forces without constraints, and the acceleration they cause
//! tendon    tendons of any kind
//! tendon_bias what tendons with inertia add to the bias
//! drives    actuators of any kind
//! medium    fluids, and other forces on bodies
//! near      which geoms are near each other
//! contact   where they touch
//! meeting   pairs that a thread of its own looks at
//! solid     geoms as convex shapes
//! rows      constraint rows
//! forward   all of that
//! adhesion  bodies that stick to what they touch
//! newton    the forces that satisfy the rows
//! sense     what sensors read
//! gauge     what those read that take long
//! derive    what users ask for besides the state
//! advance   how the state moves
//! stages    how it moves in steps of several stages
//! episode   how worlds begin anew, and how they have ended
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

pub mod adhesion;
pub mod advance;
pub mod arena;
pub mod block;
pub mod contact;
pub mod derive;
#[cfg(target_arch = "nvptx64")]
mod device;
mod drives;
pub mod episode;
mod forces;
pub mod forward;
pub mod gauge;
mod local;
mod medium;
pub mod meeting;
mod near;
pub mod newton;
mod rows;
pub mod scene;
pub mod sense;
mod smooth;
pub mod solid;
pub mod stages;
mod sums;
pub mod team;
mod tendon;
mod tendon_bias;
pub mod warp;

use bytemuck::Pod;
use sinew_math::Scalar;

/// A number that kernels compute with: `f32` or `f64`.
pub trait Number: Scalar + Pod {
    /// Whether sums may be added up in the order that is fastest. In double precision they have the bits of the engine.
    const MAY_REORDER: bool = size_of::<Self>() == 4;
}

impl<T: Scalar + Pod> Number for T {}
