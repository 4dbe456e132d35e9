//! Places in the pipeline where user code takes part.
//!
//! Each place has a trait, and a value that implements it is a part. An [`Engine`](crate::Engine) is a
//! model with the parts of its computation; there is no global registration, so two simulations with
//! different parts run side by side. A part that is not there ([`Nothing`]) leaves nothing behind when
//! it is compiled, and the plain `data.step(&model)` has none. What a part remembers lives in the part.
//!
//! ```text
//! position    ContactFilter    decides which geoms are looked at
//!             Elasticity       constraint rows in place of the equality of a flex
//!   UserSensors (Pos)
//! velocity    Bending, Elasticity   laws of flexes in place of the model's
//!             PassiveForce     adds to qfrc_passive
//!   UserSensors (Vel)
//!             Controller       sets ctrl, qfrc_applied, xfrc_applied
//! actuation   ActuatorGain     force in place of gain times control
//!             UserActuators    activation rates, then gain and bias of each actuator
//! constraints ConstraintSolver  in place of the model's solver
//!   UserSensors (Acc)
//! integration PassiveForce, UserActuators   their derivatives, where the integrator is implicit
//! everywhere  Observer         hears where stages begin and end, and may refuse to go on
//! ```
//!
//! Runge–Kutta steps call the controller, passive force and actuators at each of their four stages,
//! sensors only at the first. Inverse dynamics calls the passive force and the sensors.
//!
//! A part may call into the simulation it is given and write any number into it. It must not change
//! the lengths of arrays or put a simulation of another model in its place: the step it interrupts
//! has checked them already and panics.
//!
//! Parts are composed by type, so the compiler sees what they do. One that is chosen while the program
//! runs is lent as `&mut dyn Controller` and its like; one value that plays several roles implements
//! [`Parts`] itself.
//!
//! ```
//! # use sinew_engine::{Control, Data, Engine, StepError};
//! # use sinew_model::Model;
//! # fn run(model: &Model, data: &mut Data) -> Result<(), StepError> {
//! let mut engine = Engine::new(model).controller(Control(|_: &Model, data: &mut Data| {
//!     data.input.ctrl[0] = -10.0 * data.state.qpos[0] - data.state.qvel[0];
//! }));
//! engine.step(data)
//! # }
//! ```

mod actuators;
mod composition;
mod contact_filter;
mod controller;
pub(crate) mod gain;
pub(crate) mod law;
mod observer;
mod passive_force;
mod physics;
mod prepared;
pub(crate) mod rows;
mod sensors;
pub(crate) mod solver;

pub use actuators::UserActuators;
pub use composition::Composition;
pub use contact_filter::ContactFilter;
pub use controller::{Control, Controller};
pub use gain::{ActuatorGain, GainForce, GainInputs, GainSlot, PreparedGain};
pub use law::{Bending, Elasticity, FlexLaw, FlexLoad, FlexView, LawError, Memory, Slot};
pub use observer::{Moment, Observer, Until};
pub use passive_force::PassiveForce;
pub use physics::{ElasticitySlot, FlexSlot, Laws, Physics};
pub use prepared::Prepared;
pub use rows::FlexRows;
pub use sensors::UserSensors;
pub use sinew_solver::Patience;
pub use solver::{Constrained, ConstraintSolver, PreparedSolver, Solved, SolverSlot};

/// A part that is not there: what happens is what the reference does without the callback.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

/// All parts of an engine.
pub trait Parts {
    /// Sets controls.
    type Controller: Controller + ?Sized;
    /// Decides which geoms may touch.
    type ContactFilter: ContactFilter + ?Sized;
    /// Adds to the passive forces.
    type PassiveForce: PassiveForce + ?Sized;
    /// Drives the actuators of type `user`.
    type Actuators: UserActuators + ?Sized;
    /// Fills the sensors of type `user`.
    type Sensors: UserSensors + ?Sized;
    /// Hears where stages begin and end.
    type Observer: Observer + ?Sized;
    /// Takes the place of laws.
    type Laws: Laws;

    /// Sets controls.
    fn controller(&mut self) -> &mut Self::Controller;
    /// Decides which geoms may touch.
    fn contact_filter(&mut self) -> &mut Self::ContactFilter;
    /// Adds to the passive forces.
    fn passive_force(&mut self) -> &mut Self::PassiveForce;
    /// Drives the actuators of type `user`.
    fn actuators(&mut self) -> &mut Self::Actuators;
    /// Fills the sensors of type `user`.
    fn sensors(&mut self) -> &mut Self::Sensors;
    /// Hears where stages begin and end.
    fn observer(&mut self) -> &mut Self::Observer;
    /// Takes the place of laws.
    fn laws(&mut self) -> &mut Self::Laws;
    /// The same for reading.
    fn laws_ref(&self) -> &Self::Laws;

    /// Takes the place of laws, and who is asked meanwhile whether to go on. Parts whose observer has patience lend it here, too.
    #[inline]
    fn laws_and_patience(&mut self) -> (&mut Self::Laws, Option<&mut dyn Patience>) {
        (self.laws(), None)
    }
}

/// Parts that are lent.
impl<P: Parts> Parts for &mut P {
    type Controller = P::Controller;
    type ContactFilter = P::ContactFilter;
    type PassiveForce = P::PassiveForce;
    type Actuators = P::Actuators;
    type Sensors = P::Sensors;
    type Observer = P::Observer;
    type Laws = P::Laws;

    #[inline]
    fn controller(&mut self) -> &mut P::Controller {
        (**self).controller()
    }

    #[inline]
    fn contact_filter(&mut self) -> &mut P::ContactFilter {
        (**self).contact_filter()
    }

    #[inline]
    fn passive_force(&mut self) -> &mut P::PassiveForce {
        (**self).passive_force()
    }

    #[inline]
    fn actuators(&mut self) -> &mut P::Actuators {
        (**self).actuators()
    }

    #[inline]
    fn sensors(&mut self) -> &mut P::Sensors {
        (**self).sensors()
    }

    #[inline]
    fn observer(&mut self) -> &mut P::Observer {
        (**self).observer()
    }

    #[inline]
    fn laws(&mut self) -> &mut P::Laws {
        (**self).laws()
    }

    #[inline]
    fn laws_ref(&self) -> &P::Laws {
        (**self).laws_ref()
    }

    #[inline]
    fn laws_and_patience(&mut self) -> (&mut P::Laws, Option<&mut dyn Patience>) {
        (**self).laws_and_patience()
    }
}
