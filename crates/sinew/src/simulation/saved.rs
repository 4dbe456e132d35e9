//! States that are kept, and gone back to.

use super::Simulation;
use sinew_engine::state_vector::{StateError, state_size};
use sinew_engine::{Laws, Parts};
use sinew_model::Model;
use sinew_model::kinds::StateComponent;
use std::fmt;

/// State and input of a simulation: what it goes on from.
///
/// ```
/// use sinew::prelude::*;
/// let mut sim = Simulation::new(Model::built_in("double_pendulum")?);
/// let start = sim.save();
/// sim.step_for(1.0)?;
/// let end = sim.save();
/// sim.restore(&start)?;
/// sim.step_for(1.0)?;
/// assert_eq!(sim.save(), end, "to the last bit");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` it can be written and read.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The structure of the models it fits.
    structure: u64,
    /// Those of the state, then what laws remember.
    numbers: Vec<f64>,
}

/// Why a state cannot be restored. Nothing was changed.
///
/// ```
/// use sinew::prelude::*;
/// use sinew::simulation::RestoreError;
/// let pendulum = Simulation::new(Model::built_in("pendulum")?);
/// let mut humanoid = Simulation::new(Model::built_in("humanoid")?);
/// assert_eq!(humanoid.restore(&pendulum.save()), Err(RestoreError::Foreign));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreError {
    /// It is of a model of another structure.
    Foreign,
    /// It was tampered with: it has another length than its model's states.
    Length {
        /// Numbers of a state.
        expected: usize,
        /// Numbers it has.
        found: usize,
    },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RestoreError::Foreign => write!(f, "the state is of a model of another structure"),
            RestoreError::Length { expected, found } => {
                write!(f, "a state has {expected} numbers, this one {found}")
            }
        }
    }
}

impl std::error::Error for RestoreError {}

/// Everything that a simulation goes on from, controls and applied forces included.
const EVERYTHING: i32 = StateComponent::Integration.code();

fn size(model: &Model) -> usize {
    // The components are known.
    state_size(model, EVERYTHING).unwrap_or(0)
}

impl<P: Parts> Simulation<P> {
    /// The state to go back to.
    pub fn save(&self) -> Saved {
        let mut numbers = vec![0.0; size(&self.model)];
        // The vector has the size that it asks for.
        let _ = self.data.get_state(&self.model, EVERYTHING, &mut numbers);
        self.parts.laws_ref().save(&mut numbers);
        Saved {
            structure: self.model.signature,
            numbers,
        }
    }

    /// Goes back to a state, also to that of another simulation of the model. Derived quantities are those of
    /// before until the next step or [`Simulation::forward`].
    pub fn restore(&mut self, saved: &Saved) -> Result<(), RestoreError> {
        if saved.structure != self.model.signature {
            return Err(RestoreError::Foreign);
        }
        let mut own = Vec::new();
        self.parts.laws_ref().save(&mut own);
        let (expected, found) = (size(&self.model) + own.len(), saved.numbers.len());
        if expected != found {
            return Err(RestoreError::Length { expected, found });
        }
        let (state, laws) = saved.numbers.split_at(size(&self.model));
        let set = self.data.set_state(&self.model, EVERYTHING, state);
        set.map_err(|error| match error {
            StateError::Length { expected, found } => RestoreError::Length { expected, found },
            _ => RestoreError::Foreign,
        })?;
        self.parts.laws().restore(laws);
        Ok(())
    }
}

#[cfg(feature = "serde")]
mod text {
    use super::Saved;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Saved {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            (self.structure, &self.numbers).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Saved {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let (structure, numbers) = Deserialize::deserialize(deserializer)?;
            Ok(Saved { structure, numbers })
        }
    }
}
