//! Simulations with parts.

use super::Simulation;
use sinew_engine::{
    CallError, Composition, ContactFilter, Controller, Data, Engine, Observer, PassiveForce,
    UserActuators, UserSensors,
};
use sinew_model::Model;
use std::sync::Arc;

/// A simulation that is put together, see [`Simulation::builder`]. Parts are of their own types, so that the
/// compiler sees what they do; one that is not there costs nothing.
///
/// ```
/// use sinew::prelude::*;
/// let model = Model::built_in("cartpole")?;
/// let mut sim = Simulation::builder(model)
///     .controller(Control(|_: &Model, data: &mut Data| {
///         data.input.ctrl[0] = -2.0 * data.state.qpos[0] - data.state.qvel[0];
///     }))
///     .build()?;
/// sim.step_for(1.0)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder<P = Composition> {
    model: Arc<Model>,
    parts: P,
}

impl Builder {
    pub(super) fn new(model: Arc<Model>) -> Self {
        Builder {
            model,
            parts: Composition::default(),
        }
    }
}

impl<P> Builder<P> {
    /// The simulation, at the model's initial state. A model that nobody has compiled is an error.
    pub fn build(self) -> Result<Simulation<P>, CallError> {
        if self.model.nbody == 0 {
            return Err(CallError::NoWorld);
        }
        Ok(Simulation {
            data: Data::new(&self.model),
            model: self.model,
            parts: self.parts,
        })
    }

    /// All parts in one value, which implements [`Parts`](sinew_engine::Parts) itself.
    pub fn parts<N>(self, parts: N) -> Builder<N> {
        Builder {
            model: self.model,
            parts,
        }
    }
}

macro_rules! parts {
    ($( $(#[$doc:meta])* $method:ident: $role:ident => [$($type:ty),*]; )*) => {
        impl<C, F, P, A, S, O> Builder<Composition<C, F, P, A, S, O>> {
            $(
                $(#[$doc])*
                pub fn $method<N: $role>(self, part: N) -> Builder<Composition<$($type),*>> {
                    let engine = Engine { model: &self.model, parts: self.parts };
                    let parts = engine.$method(part).parts;
                    Builder { model: self.model, parts }
                }
            )*
        }
    };
}

parts! {
    /// Sets controls and applied forces in every evaluation.
    controller: Controller => [N, F, P, A, S, O];
    /// Decides which geoms may touch.
    contact_filter: ContactFilter => [C, N, P, A, S, O];
    /// Adds to the passive forces.
    passive_force: PassiveForce => [C, F, N, A, S, O];
    /// Drives the actuators of type `user`.
    actuators: UserActuators => [C, F, P, N, S, O];
    /// Fills the sensors of type `user`.
    sensors: UserSensors => [C, F, P, A, N, O];
    /// Hears where stages begin and end, and may refuse to go on.
    observer: Observer => [C, F, P, A, S, N];
}
