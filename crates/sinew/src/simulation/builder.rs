//! Simulations with parts.

use super::Simulation;
use sinew_engine::{
    ActuatorGain, Bending, CallError, Composition, ConstraintSolver, ContactFilter, Controller,
    Data, Elasticity, LawError, Laws, Observer, Parts, PassiveForce, Physics, Prepared,
    PreparedGain, PreparedSolver, UserActuators, UserSensors,
};
use sinew_model::Model;
use std::fmt;
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

/// Why a simulation cannot be put together.
///
/// ```
/// use sinew::prelude::*;
/// use sinew::engine::law::SeriesElastic;
/// use sinew::simulation::BuildError;
/// let no_spring = SeriesElastic::default().with(0, -1.0, 0.0, 1.0);
/// let outcome = Simulation::builder(Model::built_in("cartpole")?).gain(no_spring).build();
/// assert!(matches!(outcome, Err(BuildError::Law(_))), "its stiffness must be positive");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum BuildError {
    /// The model is none.
    Model(CallError),
    /// A law refuses an object of the model.
    Law(LawError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Model(error) => error.fmt(f),
            BuildError::Law(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}

impl<P: Parts> Builder<P> {
    /// The simulation, at the model's initial state. An error if nobody has compiled the model, or a law refuses an
    /// object of it.
    pub fn build(mut self) -> Result<Simulation<P>, BuildError> {
        if self.model.nbody == 0 {
            return Err(BuildError::Model(CallError::NoWorld));
        }
        let laws = self.parts.laws();
        laws.check(&self.model).map_err(BuildError::Law)?;
        Ok(Simulation {
            data: Data::new(&self.model),
            model: self.model,
            parts: self.parts,
        })
    }
}

impl<P> Builder<P> {
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
        /// Places where user code takes part.
        impl<C, F, P, A, S, O, L> Builder<Composition<C, F, P, A, S, O, L>> {
            $(
                $(#[$doc])*
                pub fn $method<N: $role>(self, part: N) -> Builder<Composition<$($type),*>> {
                    Builder { model: self.model, parts: self.parts.$method(part) }
                }
            )*
        }
    };
}

parts! {
    /// Sets controls and applied forces in every evaluation.
    controller: Controller => [N, F, P, A, S, O, L];
    /// Decides which geoms may touch.
    contact_filter: ContactFilter => [C, N, P, A, S, O, L];
    /// Adds to the passive forces.
    passive_force: PassiveForce => [C, F, N, A, S, O, L];
    /// Drives the actuators of type `user`.
    actuators: UserActuators => [C, F, P, N, S, O, L];
    /// Fills the sensors of type `user`.
    sensors: UserSensors => [C, F, P, A, N, O, L];
    /// Hears where stages begin and end, and may refuse to go on.
    observer: Observer => [C, F, P, A, S, N, L];
    /// All laws at once: a preset of [`Physics`], or laws of one's own.
    laws: Laws => [C, F, P, A, S, O, N];
}

macro_rules! laws {
    ($( $(#[$doc:meta])* $method:ident: $role:ident => [$($type:ty),*]; )*) => {
        /// Laws in place of the model's.
        ///
        /// ```
        /// use sinew::engine::law::{Dihedral, Xpbd};
        /// use sinew::prelude::*;
        /// let model = Model::from_str(
        ///     r#"<mujoco><worldbody><flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2">
        ///         <elasticity young="1e4" poisson=".3" thickness=".01" elastic2d="both"/>
        ///     </flexcomp></worldbody></mujoco>"#,
        /// )?;
        /// let mut sim = Simulation::builder(model)
        ///     .bending(Dihedral::default())
        ///     .solver(Xpbd { substeps: 2, ..Xpbd::default() })
        ///     .build()?;
        /// sim.step_for(0.1)?;
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        impl<C, F, P, A, S, O, B, E, G, V> Builder<Composition<C, F, P, A, S, O, Physics<B, E, G, V>>> {
            $(
                $(#[$doc])*
                pub fn $method<N: $role>(
                    self,
                    law: N,
                ) -> Builder<Composition<C, F, P, A, S, O, Physics<$($type),*>>> {
                    Builder { model: self.model, parts: self.parts.$method(law) }
                }
            )*
        }
    };
}

laws! {
    /// How flexes of two dimensions bend.
    bending: Bending => [Prepared<N>, E, G, V];
    /// What keeps elements of flexes in shape.
    elasticity: Elasticity => [B, Prepared<N>, G, V];
    /// Which force controls and activations make.
    gain: ActuatorGain => [B, E, PreparedGain<N>, V];
    /// Who finds the forces of constraint rows.
    solver: ConstraintSolver => [B, E, G, PreparedSolver<N>];
}
