//! Physics for articulated bodies with contact.
//!
//! ```
//! use sinew::prelude::*;
//!
//! let mut sim = Simulation::new(Model::built_in("cartpole")?);
//! let (pivot, push) = (sim.model().joint("pivot")?, sim.model().actuator("push")?);
//! sim.reset_to("tilted")?;
//! for _ in 0..100 {
//!     let angle = sim.qpos(pivot)?[0];
//!     sim.set_ctrl(push, 0.5 * angle)?;
//!     sim.step()?;
//! }
//! println!("after {:.2} s the pole leans {:.3} rad", sim.time(), sim.qpos(pivot)?[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Simulation`](simulation::Simulation) is the comfortable way; what it rests on are the crates re-exported here: models
//! ([`model`]) from files ([`mjcf`]), simulations as plain arrays and the pipeline over them ([`engine`]), thousands
//! of worlds side by side ([`batch`]).
#![forbid(unsafe_code)]

pub mod access;
pub mod ids;
pub mod load;
pub mod models;
pub mod prelude;
pub mod simulation;
pub mod soft;

/// Runs the Rust code of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

#[cfg(feature = "batch")]
pub use sinew_batch as batch;
pub use sinew_collision as collision;
pub use sinew_dynamics as dynamics;
pub use sinew_engine as engine;
pub use sinew_math as math;
pub use sinew_mjcf as mjcf;
pub use sinew_model as model;
pub use sinew_render as render;
pub use sinew_solver as solver;
