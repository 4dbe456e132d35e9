//! Geometry that has never heard of a body: shapes, where they touch, hulls and bounding volumes.
//!
//! This crate knows points, triangles and poses, not files, bodies or models. Without the feature `std`
//! it holds what needs no heap: the pairs of shapes that are written over the number, the distance of convex shapes, rays and
//! signed distances.

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
pub mod bvh;
pub mod convex;
#[cfg(feature = "std")]
pub mod hash;
#[cfg(feature = "std")]
pub mod hull;
#[cfg(feature = "std")]
pub mod mesh;
pub mod pair;
pub mod ray;
pub mod sdf;
