//! Geometry that has never heard of a body: shapes, where they touch, hulls and bounding volumes.
//!
//! This crate knows points, triangles and poses, not files, bodies or models.

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

pub mod bvh;
pub mod convex;
pub mod hash;
pub mod hull;
pub mod mesh;
pub mod pair;
pub mod ray;
pub mod sdf;
