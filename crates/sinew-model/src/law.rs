//! Which laws a model has in place of the reference's, by name: `dihedral` bending, a `series_elastic` gain.
//!
//! The reference has no such choice, so that none of this is in its arrays. Names and parameters are understood by
//! the engine, which knows the laws; a model without a choice is the reference's.

use crate::model::Model;
use std::collections::BTreeMap;

/// A law by its name, with its parameters; none: the law's own defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Law {
    /// What it is called.
    pub name: String,
    /// Its parameters, in the order in which its documentation names them.
    pub parameters: Vec<f64>,
}

impl Law {
    /// A law with parameters.
    pub fn new(name: impl Into<String>, parameters: impl Into<Vec<f64>>) -> Self {
        Law {
            name: name.into(),
            parameters: parameters.into(),
        }
    }
}

/// The laws that a model chooses; what has no entry follows the reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laws {
    /// How flexes of two dimensions bend, by flex.
    pub bending: BTreeMap<usize, Law>,
    /// What keeps elements of flexes in shape, by flex.
    pub elasticity: BTreeMap<usize, Law>,
    /// Which force controls and activations make, by actuator.
    pub gain: BTreeMap<usize, Law>,
    /// How constraint rows are solved.
    pub solver: Option<Law>,
}

impl Laws {
    /// Whether everything follows the reference.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bending.is_empty()
            && self.elasticity.is_empty()
            && self.gain.is_empty()
            && self.solver.is_none()
    }
}

impl Model {
    /// The laws that it chooses.
    #[inline]
    pub fn laws(&self) -> &Laws {
        &self.laws
    }

    /// The same for writing. Simulations take up a change with their next evaluation.
    pub fn laws_mut(&mut self) -> &mut Laws {
        self.note_written();
        &mut self.laws
    }
}
