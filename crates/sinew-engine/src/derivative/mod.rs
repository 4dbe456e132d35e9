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
use crate::engine::Engine;
use crate::error::CallError;
use crate::parts::{FlexSlot, Laws, Parts, PassiveForce, UserActuators};
use crate::pipeline::acceleration::has_gain_laws;
use crate::position::Position;
use crate::state::{Input, State};
use crate::velocity::Velocity;
use crate::velocity::passive::flex::law::Evaluation;
use crate::velocity::passive::{active, is_active};
use sinew_math::spatial::Spatial;
use sinew_model::Model;
use sinew_model::kinds::{BiasType, GainType};

/// Whether the derivative contains the bias force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BiasTerm {
    /// With Coriolis and centrifugal terms; the matrix is not symmetric.
    Included,
    /// Without; fluid terms are made symmetric.
    Omitted,
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

/// Fills `qDeriv` with what the model itself does.
pub(crate) fn smooth_velocity(
    model: &Model,
    state: &State,
    input: &Input,
    position: &Position,
    velocity: &Velocity,
    (actuation, has_laws): (&Actuation, bool),
    bias_term: BiasTerm,
    out: &mut [f64],
    scratch: &mut DerivativeScratch,
) {
    out.fill(0.0);
    let laws = has_laws.then_some(&actuation.laws.force[..]);
    actuator::add(
        model, state, input, position, velocity, actuation, laws, out,
    );
    passive::add(model, position, velocity, bias_term, out, scratch);
    if bias_term == BiasTerm::Included {
        bias::subtract(model, state, position, velocity, out, scratch);
    }
}

/// Fills `integration.qDeriv` for the current state, parts included; the stages must have run.
pub(crate) fn compute<P: Parts>(engine: &mut Engine<'_, P>, data: &mut Data, bias_term: BiasTerm) {
    let model = engine.model;
    let has_laws = has_gain_laws(engine);
    smooth_velocity(
        model,
        &data.state,
        &data.input,
        &data.position,
        &data.velocity,
        (&data.acceleration.actuation, has_laws),
        bias_term,
        &mut data.integration.qDeriv,
        &mut data.integration.derivative,
    );
    if is_active(model) {
        if model.nflex > 0 {
            flex_laws(model, engine.parts.laws(), data);
        }
        let force = engine.parts.passive_force();
        force.add_velocity_derivative(model, data);
    }
    let kinds = model.actuator_gaintype.iter().zip(&model.actuator_biastype);
    for (i, (&gain, &bias)) in kinds.enumerate() {
        if gain == GainType::User.code() || bias == BiasType::User.code() {
            let slope = engine.parts.actuators().velocity_derivative(model, data, i);
            if slope != 0.0 && actuator::responds(model, &data.acceleration.actuation, i) {
                let (columns, values) = data.position.transmission.row(i);
                add_outer(model, columns, values, slope, &mut data.integration.qDeriv);
            }
        }
    }
}

/// Adds the derivatives of laws of flexes.
#[inline(always)]
fn flex_laws<L: Laws>(model: &Model, laws: &mut L, data: &mut Data) {
    let velocity = &mut data.velocity;
    let evaluation = &Evaluation {
        model,
        state: &data.state,
        position: &data.position,
        velocity: &velocity.com,
        active: active(model),
    };
    let (loads, out) = (
        &mut velocity.passive.flex.loads,
        &mut data.integration.qDeriv,
    );
    laws.bending()
        .add_velocity_derivative(evaluation, loads, out);
    laws.elasticity()
        .add_velocity_derivative(evaluation, loads, out);
}

impl<P: Parts> Engine<'_, P> {
    /// Fills `integration.qDeriv` for the current state, whose stages must have run.
    #[doc(alias = "mjd_smooth_vel")]
    pub fn velocity_derivative(
        &mut self,
        data: &mut Data,
        bias_term: BiasTerm,
    ) -> Result<(), CallError> {
        data.check_model(self.model)?;
        compute(self, data, bias_term);
        Ok(())
    }
}

/// Where `qDeriv` has the derivative of the force on one degree of freedom, `row`, by the velocity of
/// another, `column`. Nowhere unless one of them moves the body of the other.
pub fn entry(model: &Model, row: usize, column: usize) -> Option<usize> {
    let start = *model.D_rowadr.get(row)? as usize;
    let columns = &model.D_colind[start..start + model.D_rownnz[row] as usize];
    let found = columns.iter().position(|&other| other as usize == column);
    found.map(|at| start + at)
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
    let mut next = 0;
    while next < columns.len() {
        let k = columns[next] as usize;
        if let Some(size) = whole_tree(model, &columns[next..]) {
            let start = model.D_rowadr[k] as usize;
            let rows = out[start..start + size * size].chunks_exact_mut(size);
            let values = &values[next..next + size];
            for (&at_k, row) in values.iter().zip(rows).filter(|(at_k, _)| **at_k != 0.0) {
                for (out, at_p) in row.iter_mut().zip(values) {
                    *out += at_p * (at_k * scale);
                }
            }
            next += size;
            continue;
        }
        if values[next] != 0.0 {
            add_row(model, k, (columns, values), values[next] * scale, out);
        }
        next += 1;
    }
}

/// The number of degrees of freedom of a tree all of which stand at the start of ascending columns and are coupled with
/// each other, as those of point masses.
#[inline]
fn whole_tree(model: &Model, columns: &[i32]) -> Option<usize> {
    let first = columns[0];
    let k = first as usize;
    let size = model.D_rownnz[k] as usize;
    let last = first + size as i32 - 1;
    let (start, end) = (model.D_rowadr[k], model.D_rowadr.get(k + size - 1)?);
    let is_whole = columns.get(size - 1) == Some(&last)
        && model.D_colind[start as usize] == first
        && model.D_colind[start as usize + size - 1] == last
        && (end - start) as usize == size * (size - 1)
        && model.D_rownnz[last as usize] as usize == size;
    is_whole.then_some(size)
}

/// Adds a multiple of a sparse row (columns ascending) to row k of the layout, as far as that has its columns.
fn add_row(
    model: &Model,
    k: usize,
    (columns, values): (&[i32], &[f64]),
    factor: f64,
    out: &mut [f64],
) {
    let start = model.D_rowadr[k] as usize;
    let end = start + model.D_rownnz[k] as usize;
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
            out[start + at] += at_p * factor;
        }
    }
}
