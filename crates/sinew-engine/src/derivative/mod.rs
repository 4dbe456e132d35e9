//! Derivatives.
//!
//! Analytic ones of smooth forces with respect to velocity, and finite differences of whole steps
//! ([`transition`]) and of inverse dynamics ([`inverse_difference`]).
//!
//! `qDeriv` = ∂(actuator + passive − bias force)/∂q̇ over pairs of ancestor and descendant, the
//! layout D of the model. Terms that couple unrelated degrees of freedom (a tendon between two
//! branches) are dropped, as in the reference. Conforms to MuJoCo's `mjd_smooth_vel`.

pub mod actuator;
pub mod bias;
mod difference;
pub mod fluid;
pub mod inverse_difference;
pub mod passive;
pub mod rotation;
pub mod transition;

pub use difference::{Difference, DifferenceError};

use crate::acceleration::actuation::Actuation;
use crate::data::Data;
use crate::error::CallError;
use crate::position::Position;
use crate::state::{Input, State};
use crate::velocity::Velocity;
use sinew_math::spatial::Spatial;
use sinew_model::Model;

/// Whether the derivative contains the bias force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BiasTerm {
    /// With Coriolis and centrifugal terms; the matrix is not symmetric.
    Included,
    /// Without; fluid terms are made symmetric.
    Left,
}

/// Working memory of the derivatives, grown on first use.
#[derive(Clone, Debug, Default)]
pub struct DerivativeScratch {
    /// Degrees of freedom that move a body, ascending.
    chain: Vec<usize>,
    /// Jacobian columns of those, in the local frame, and one list for each of their components.
    columns: Vec<Spatial>,
    components: [Vec<f64>; 6],
    /// Entries of one row of the result.
    row: Vec<f64>,
    /// Derivatives of body velocities, accelerations and forces, layout B.
    velocity: Vec<Spatial>,
    acceleration: Vec<Spatial>,
    force: Vec<Spatial>,
}

/// Fills `qDeriv`.
#[doc(alias = "mjd_smooth_vel")]
pub(crate) fn smooth_velocity(
    model: &Model,
    state: &State,
    input: &Input,
    position: &Position,
    velocity: &Velocity,
    actuation: &Actuation,
    bias_term: BiasTerm,
    out: &mut [f64],
    scratch: &mut DerivativeScratch,
) {
    out.fill(0.0);
    actuator::add(model, state, input, position, velocity, actuation, out);
    passive::add(model, position, velocity, bias_term, out, scratch);
    if bias_term == BiasTerm::Included {
        bias::subtract(model, state, position, velocity, out, scratch);
    }
}

impl Data {
    /// Fills `integration.qDeriv` for the current state, whose stages must have run.
    #[doc(alias = "mjd_smooth_vel")]
    pub fn velocity_derivative(
        &mut self,
        model: &Model,
        bias_term: BiasTerm,
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        smooth_velocity(
            model,
            &self.state,
            &self.input,
            &self.position,
            &self.velocity,
            &self.acceleration.actuation,
            bias_term,
            &mut self.integration.qDeriv,
            &mut self.integration.derivative,
        );
        Ok(())
    }
}

/// Adds scale·jᵀj for a sparse row j (columns ascending), keeping pairs that the layout has.
pub(crate) fn add_outer(
    model: &Model,
    columns: &[i32],
    values: &[f64],
    scale: f64,
    out: &mut [f64],
) {
    // Most actuators act on one joint.
    if let (&[k], &[value]) = (columns, values) {
        let diagonal = model.D_rowadr[k as usize] + model.D_diag[k as usize];
        out[diagonal as usize] += value * (value * scale);
        return;
    }
    for (&k, &at_k) in columns.iter().zip(values) {
        if at_k == 0.0 {
            continue;
        }
        let start = model.D_rowadr[k as usize] as usize;
        let end = start + model.D_rownnz[k as usize] as usize;
        let row = &model.D_colind[start..end];
        let mut at = 0;
        for (&p, &at_p) in columns.iter().zip(values) {
            while at < row.len() && row[at] < p {
                at += 1;
            }
            if at == row.len() {
                break;
            }
            if row[at] == p {
                out[start + at] += at_p * (at_k * scale);
            }
        }
    }
}
