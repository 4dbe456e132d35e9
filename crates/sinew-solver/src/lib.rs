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
//! limits and contacts, a smoothed cone for elliptic contacts ([`cost`]). [`solve()`] finds the minimum:
//!
//! ```text
//! problem      what is given: Problem, Settings; rows.rs: sparse matrices
//! island/      groups of trees that rows tie together, each gathered into a problem of its own
//! solve        the one entry; warm_start.rs: where it starts; log.rs: what iterations did
//! cost         cost, force and state of rows
//! primal       over accelerations: conjugate gradients, Newton
//!   line_search, hessian/ (dense, in blocks per tree, sparse)
//! dual/        over forces: Gauss–Seidel, noslip; qcqp.rs: friction of one contact
//! ```
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
#![allow(non_snake_case)]

// The random problems of the tests name the crate from outside.
#[cfg(test)]
extern crate self as sinew_solver;
#[cfg(test)]
#[path = "../tests/random/case.rs"]
mod case;

pub mod cost;
mod dual;
mod hessian;
pub mod island;
mod line_search;
mod log;
mod primal;
pub mod problem;
mod qcqp;
pub mod rows;
mod solve;
mod warm_start;

pub use dual::projection::Projection;
pub use island::Islands;
pub use problem::{Cone, Method, Problem, Pyramid, Settings, Statistic};
pub use rows::Rows;
pub use solve::{Solution, Workspace, invert, solve, update};
