//! A model, its state and the parts that take part, in one value.
//!
//! [`Simulation`] owns what a program otherwise passes around. It rests on [`Data`], which stays in reach
//! ([`Simulation::data`], [`Simulation::data_mut`]) with all arrays under the names that users of MuJoCo know.

mod builder;
mod contacts;
mod frames;
mod saved;
mod values;

pub use builder::{BuildError, Builder};
pub use contacts::Touch;
pub use frames::Frame;
pub use saved::{RestoreError, Saved};

use crate::access::AccessError;
use crate::ids::{Find, Id, KeyId};
use sinew_engine::derivative::transition::Transition;
use sinew_engine::derivative::{Difference, DifferenceError};
use sinew_engine::law::named;
use sinew_engine::{
    CallError, Composition, Data, Engine, LawError, Laws, Parts, Sensors, StepError,
};
use sinew_model::change::ChangeError;
use sinew_model::{Model, ModelArrays, Options};
use std::sync::Arc;

/// A running simulation of a model.
///
/// ```
/// use sinew::prelude::*;
/// let mut sim = Simulation::new(Model::built_in("pendulum")?);
/// let hinge = sim.model().all_joints().next().expect("it has one");
/// sim.set_qpos(hinge, &[1.0])?;
/// sim.step_for(0.5)?;
/// assert!(sim.qpos(hinge)?[0] < 1.0, "it falls");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Derived quantities (poses, contacts, forces, sensors) are those of the last step's start, as in
/// MuJoCo; [`Simulation::forward`] brings them up to date.
#[derive(Clone, Debug)]
pub struct Simulation<P = Composition> {
    model: Arc<Model>,
    data: Data,
    /// User code that takes part.
    pub parts: P,
}

impl Simulation {
    /// A simulation at the model's initial state, without any parts. A model in an [`Arc`] is shared.
    pub fn new(model: impl Into<Arc<Model>>) -> Self {
        let model = model.into();
        Simulation {
            data: Data::new(&model),
            model,
            parts: Composition::default(),
        }
    }

    /// A simulation to which parts are added.
    pub fn builder(model: impl Into<Arc<Model>>) -> Builder {
        Builder::new(model.into())
    }
}

impl<P: Parts> Simulation<P> {
    /// Advances by one time step. After an error the simulation can be used further: a
    /// [divergence](StepError::Diverged) has reset it unless the model says otherwise.
    pub fn step(&mut self) -> Result<(), StepError> {
        engine(&self.model, &mut self.parts).step(&mut self.data)
    }

    /// Steps until at least so many seconds have passed.
    pub fn step_for(&mut self, seconds: f64) -> Result<(), StepError> {
        if !seconds.is_finite() {
            return Err(CallError::NotFinite("the number of seconds").into());
        }
        let timestep = self.model.opt.timestep;
        // Times that are added up miss the end by their rounding.
        let steps = (seconds / timestep - 1e-6).ceil().max(0.0) as u64;
        (0..steps).try_for_each(|_| self.step())
    }

    /// Computes all that follows from the current state and input, without advancing.
    pub fn forward(&mut self) -> Result<(), CallError> {
        engine(&self.model, &mut self.parts).forward(&mut self.data)
    }

    /// How the next state depends on state and controls, by centred differences: the matrices of a linearised
    /// step. State and controls stay.
    ///
    /// ```
    /// use sinew::prelude::*;
    /// let mut sim = Simulation::new(Model::built_in("pendulum")?);
    /// sim.options_mut().integrator = 0; // Euler: steps of Runge and Kutta have no such derivative
    /// let step = sim.linearise(1e-6)?;
    /// assert_eq!(step.A.len(), 2 * 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn linearise(&mut self, eps: f64) -> Result<Transition, DifferenceError> {
        let difference = Difference {
            eps,
            is_centered: true,
        };
        let mut out = Transition::default();
        engine(&self.model, &mut self.parts).transition(
            &mut self.data,
            difference,
            Sensors::Skipped,
            &mut out,
        )?;
        Ok(out)
    }
}

/// The model with its parts lent.
fn engine<'a, P: Parts>(model: &'a Model, parts: &'a mut P) -> Engine<'a, &'a mut P> {
    Engine { model, parts }
}

impl<P: Parts> Simulation<P> {
    /// Back to the model's initial state; laws forget what they remember.
    pub fn reset(&mut self) -> Result<(), CallError> {
        self.parts.laws().reset();
        self.data.reset(&self.model)
    }

    /// Back to a keyframe; laws forget what they remember.
    pub fn reset_to(&mut self, key: impl Find<KeyId>) -> Result<(), AccessError> {
        let key = key.id_in(&self.model)?.index();
        self.parts.laws().reset();
        // The key exists, and the model is the simulation's own.
        let _ = self.data.reset_to_keyframe(&self.model, key);
        Ok(())
    }
}

impl<P> Simulation<P> {
    /// Simulated seconds.
    pub fn time(&self) -> f64 {
        self.data.state.time
    }

    /// What is simulated.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The same, to be shared with other simulations.
    pub fn shared_model(&self) -> Arc<Model> {
        self.model.clone()
    }

    /// Changes values of the model, through the checks of [`Model::change`]. A model that is shared is copied
    /// first: other simulations keep theirs.
    pub fn change_model(
        &mut self,
        change: impl FnOnce(&mut ModelArrays),
    ) -> Result<(), ChangeError> {
        Arc::make_mut(&mut self.model).change(change)
    }

    /// Chooses laws by name for objects of the model, as a file does; a model that is shared is copied first. The next
    /// evaluation takes them up. Nothing changes if a law is unknown, or refuses its object.
    pub fn choose_laws(
        &mut self,
        choose: impl FnOnce(&mut sinew_model::law::Laws),
    ) -> Result<(), LawError> {
        let model = Arc::make_mut(&mut self.model);
        let before = model.laws().clone();
        choose(model.laws_mut());
        let outcome = named::check(model);
        if outcome.is_err() {
            *model.laws_mut() = before;
        }
        outcome
    }

    /// The options of the model: time step, gravity, solver. A model that is shared is copied first.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut Arc::make_mut(&mut self.model).opt
    }

    /// All arrays of the simulation.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// All arrays of the simulation. Numbers can be written freely; lengths must stay, or the next call is an
    /// error.
    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }
}
