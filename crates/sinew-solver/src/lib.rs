//! Constraint rows in, forces out.
//!
//! All constraints of a step form one convex problem over the accelerations a:
//!
//! ```text
//! minimise  ½ (a − aₛ)ᵀ M (a − aₛ) + Σ s(J a − a_ref)
//! ```
//!
//! with M the inertia, aₛ the acceleration without constraints and s the cost of each row: a
//! parabola for equalities, a parabola with straight arms for dry friction, half a parabola for
//! limits and contacts, a smoothed cone for elliptic contacts ([`cost`]). `solve` finds the minimum:
//!
//! ```text
//! problem      what is given: Problem, Settings
//!   jacobian   what is asked of J, and J as a full matrix; rows.rs: J in compressed rows
//! island/      groups of trees that rows tie together, each gathered into a problem of its own
//! solve        the one entry; warm_start.rs: where it starts; log.rs: what iterations did
//! cost         cost, force and state of rows
//! primal/      over accelerations: conjugate gradients, Newton; line_search.rs
//!   hessian/   what Newton's method goes by: dense, in blocks per tree, sparse
//! newton       Newton's method over any number: worlds side by side
//! gauss_seidel Gauss–Seidel over any number, likewise
//! dual/        over forces: Gauss–Seidel, noslip; qcqp.rs: friction of one contact
//! ```
//!
//! Newton's method with a dense Hessian and Gauss–Seidel without cones are written over [`Real`](sinew_math::Real), as
//! functions of slices that build without the standard library: [`newton`], [`gauss_seidel`]. The rest is for one
//! world, in `f64`.
//!
//! This crate knows rows, trees and columns, never joints: whoever assembles a [`Problem`] knows
//! the robot.

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
#![allow(non_snake_case)]

// The random problems of the tests name the crate from outside.
#[cfg(test)]
extern crate self as sinew_solver;
#[cfg(test)]
#[path = "../tests/random/case.rs"]
mod case;

pub mod cost;
#[cfg(feature = "std")]
mod dual;
pub mod gauss_seidel;
mod hessian;
#[cfg(feature = "std")]
pub mod island;
pub mod jacobian;
#[cfg(feature = "std")]
mod log;
pub mod newton;
mod primal;
pub mod problem;
#[cfg(feature = "std")]
mod qcqp;
pub mod rows;
#[cfg(feature = "std")]
mod solve;
mod warm_start;

#[cfg(feature = "std")]
pub use dual::projection::Projection;
#[cfg(feature = "std")]
pub use island::Islands;
#[cfg(feature = "std")]
pub use log::{Bounds, Patience, Question};
pub use problem::{Cone, ConeShape, Method, Problem, Pyramid, Settings, Statistic};
pub use rows::Rows;
#[cfg(feature = "std")]
pub use solve::{Solution, Workspace, invert, solve, solve_within, update};
