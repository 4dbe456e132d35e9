//! The step: stages, integrators and the constants that a model derives from its position stage.
//!
//! A [`Data`] is one simulation of a model, an [`Engine`] is a model with the user code that takes part
//! in its computation ([`parts`]). Without such code [`Data::step`], [`Data::forward`] and
//! [`Data::inverse`] are all one needs; the engine also runs single stages (`compute_…`), integrators
//! and derivatives. Queries ([`query`], [`ray`]), state vectors ([`state_vector`]) and
//! [`Data::reset`] are methods of the simulation, which take the model along. State and input are plain
//! arrays that users write between calls.
//!
//! Every method first checks that simulation and model belong together, that arrays have their
//! lengths, indices exist and options mean something: if not it returns an error ([`CallError`]) and
//! has changed nothing. Bad numbers are another matter: a step counts them ([`warning`]), resets unless
//! the model says otherwise, and says so ([`StepError`]). After any error the simulation can be used
//! further, and a reset makes it as good as new.

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

pub mod acceleration;
pub mod constants;
pub mod data;
pub mod delay;
pub mod derivative;
pub mod energy;
mod engine;
pub mod error;
mod factor;
pub mod flex;
pub mod forward_inverse;
pub mod history;
pub mod integrate;
pub mod inverse;
pub mod law;
pub mod parts;
mod pipeline;
pub mod position;
pub mod query;
pub mod ray;
pub mod saved;
mod scratch;
pub mod sensor;
mod single;
pub mod state;
pub mod state_vector;
pub mod velocity;
pub mod warning;

pub use data::Data;
pub use engine::{Engine, Sensors};
pub use error::{CallError, Diverged, StepError};
pub use parts::{
    ActuatorGain, Bending, Composition, Constrained, ConstraintSolver, ContactFilter, Control,
    Controller, Elasticity, FlexLaw, FlexLoad, FlexRows, FlexView, GainForce, GainInputs, LawError,
    Laws, Memory, Moment, Nothing, Observer, Parts, PassiveForce, Patience, Physics, Prepared,
    PreparedGain, PreparedSolver, Solved, Until, UserActuators, UserSensors,
};
pub use single::NewtonEuler;
pub use state::{Input, State};

use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, Jacobian};

/// Degrees of freedom from which the automatic choice of Jacobian is sparse.
const SPARSE_FROM: usize = 60;

/// Whether tendon and constraint Jacobians are stored sparse.
#[doc(alias = "mj_isSparse")]
pub fn is_sparse(model: &Model) -> bool {
    match Jacobian::from_code(model.opt.jacobian) {
        Some(Jacobian::Sparse) => true,
        Some(Jacobian::Auto) => model.nv >= SPARSE_FROM,
        _ => false,
    }
}

/// Whether a disable flag is set.
#[inline]
pub(crate) fn is_disabled(model: &Model, flag: DisableFlag) -> bool {
    model.opt.disableflags & flag.code() != 0
}

/// Whether an enable flag is set.
#[inline]
pub(crate) fn is_enabled(model: &Model, flag: EnableFlag) -> bool {
    model.opt.enableflags & flag.code() != 0
}

/// Positions, velocities and accelerations beyond this count as diverged.
const MAX_VALUE: f64 = 1e10;

/// Whether a number is not usable: not a number, or too large.
#[doc(alias = "mju_isBad")]
#[inline]
pub(crate) fn is_bad(x: f64) -> bool {
    !(-MAX_VALUE..=MAX_VALUE).contains(&x)
}
