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
//! limits and contacts, a smoothed cone for elliptic contacts ([`cost`]). [`primal`] solves it in
//! acceleration space (conjugate gradients, Newton), [`dual`] over forces (Gauss–Seidel, noslip).
//!
//! This crate knows rows, never joints: whoever assembles a [`Problem`] knows the robot.

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

pub mod cost;
pub mod dual;
mod hessian;
mod line_search;
pub mod primal;
pub mod problem;
mod qcqp;

pub use problem::{Cone, Problem, Rows, Settings, Statistic};
