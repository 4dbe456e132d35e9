//! Functions of positions and velocities.
//!
//! ```text
//! length    ten_velocity actuator_velocity
//! com       cvel cdof_dot
//! passive   qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive
//! reference efc_vel efc_aref
//! bias      qfrc_bias
//! momentum  subtree_linvel subtree_angmom   (on demand)
//! ```

pub mod bias;
pub mod com;
pub mod length;
pub mod momentum;
pub mod object;
pub mod passive;
pub mod reference;

use crate::position::Position;
use crate::scratch::Scratch;
use crate::state::State;
use bias::Bias;
use com::ComVelocity;
use length::LengthVelocity;
use momentum::Momentum;
use passive::Passive;
use reference::Reference;
use sinew_model::Model;
use sinew_model::column::{Column, ColumnMut};

/// Everything that depends on positions and velocities.
#[derive(Clone, Debug, Default)]
pub struct Velocity {
    /// Rates of change of tendon and actuator lengths.
    pub length: LengthVelocity,
    /// Spatial velocities about the centres of mass.
    pub com: ComVelocity,
    /// Springs, dampers, gravity compensation, fluid.
    pub passive: Passive,
    /// What the constraint rows aim at.
    pub reference: Reference,
    /// Coriolis, centrifugal and gravitational force.
    pub bias: Bias,
    /// Linear velocity and angular momentum of subtrees.
    pub momentum: Momentum,
}

impl Velocity {
    /// Arrays for a model.
    pub fn new(model: &Model) -> Self {
        Velocity {
            length: LengthVelocity::new(model),
            com: ComVelocity::new(model),
            passive: Passive::new(model),
            reference: Reference::default(),
            bias: Bias::new(model),
            momentum: Momentum::new(model),
        }
    }

    /// As new: nothing computed yet. Storage stays.
    pub(crate) fn clear(&mut self) {
        self.length.clear_columns();
        self.com.clear_columns();
        self.passive.clear_columns();
        self.reference.efc_vel.clear();
        self.reference.efc_aref.clear();
        self.bias.clear_columns();
        self.momentum.clear_columns();
        self.momentum.is_current = false;
    }

    /// Every array under the reference's name.
    pub fn columns(&self) -> Vec<Column<'_>> {
        let mut all = self.length.columns();
        all.extend(self.com.columns());
        all.extend(self.passive.columns());
        all.extend(self.bias.columns());
        all.extend(self.momentum.columns());
        all
    }

    /// Every array under the reference's name, writable.
    pub fn columns_mut(&mut self) -> Vec<ColumnMut<'_>> {
        let mut all = self.length.columns_mut();
        all.extend(self.com.columns_mut());
        all.extend(self.passive.columns_mut());
        all.extend(self.bias.columns_mut());
        all.extend(self.momentum.columns_mut());
        all
    }
}

/// Runs the velocity stages up to the passive forces.
pub(crate) fn until_passive(model: &Model, state: &State, position: &Position, out: &mut Velocity) {
    let Velocity {
        length,
        com,
        passive,
        momentum,
        ..
    } = out;
    momentum.is_current = false;
    length::compute(model, state, position, length);
    com::compute(model, state, &position.com, com);
    passive::compute(model, state, position, com, length, passive);
}

/// Runs the velocity stages after the passive forces.
pub(crate) fn after_passive(
    model: &Model,
    state: &State,
    position: &Position,
    out: &mut Velocity,
    scratch: &mut Scratch,
) {
    let Velocity {
        com,
        reference,
        bias,
        ..
    } = out;
    reference::compute(state, &position.constraints, reference);
    bias::compute(model, state, position, com, bias, scratch);
}
