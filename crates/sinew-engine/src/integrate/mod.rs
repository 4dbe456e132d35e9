//! Advancing the state by one time step.
//!
//! All integrators end in `advance`: activations, then velocities by an acceleration, then
//! positions by the new velocity (semi-implicit) or a given one, then time. They differ in the
//! acceleration they use: [`euler`], [`rk4`], [`implicit`].

pub mod euler;
mod flex;
pub mod implicit;
pub mod rk4;

use crate::acceleration::actuation::{activations, is_actuator_disabled, next_activation};
use crate::data::Data;
use crate::derivative::{BiasTerm, DerivativeScratch};
use crate::engine::Engine;
use crate::error::{CallError, StepError, check_length};
use crate::history;
use crate::is_disabled;
use crate::parts::Moment::{Begin, End};
use crate::parts::{GainSlot, Laws, Parts};
use crate::state::{Input, State};
use implicit::Factor;
use sinew_dynamics::{integrate, joint};
use sinew_math::Quat;
use sinew_model::Model;
use sinew_model::joint::Layout;
use sinew_model::kinds::{DisableFlag, Integrator, TimerKind};
use sinew_model::view::Tree;

sinew_model::columns! {
    /// Matrices of the integrators.
    pub struct Integration for Model {
        sizes {
            /// Entries of the compressed inertia.
            nC,
            /// Entries of the dof–dof matrix.
            nD,
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Factor of the modified inertia M − h·∂f/∂v, layout of M.
            qH: nC x f64,
            /// Inverse diagonal of that factor.
            qHDiagInv: nv x f64,
            /// Derivative of smooth forces with respect to velocity.
            qDeriv: nD x f64,
            /// Factor of M − h·∂f/∂v, both triangles.
            qLU: nD x f64,
        }
        scratch {
            /// The acceleration velocities advance by.
            acceleration: Vec<f64> = nv,
            /// Stages of the Runge–Kutta integrator.
            stages: rk4::Stages,
            /// Entries of each row not yet eliminated.
            remaining: Vec<i32> = nv,
            /// Working memory of the derivatives.
            derivative: DerivativeScratch,
            /// The system of interpolated flexes.
            flex: flex::System,
        }
    }
}

/// Advances the state by an integrator; forward dynamics must be current. Interrupted between its stages, it
/// leaves the state as it was.
pub(crate) fn step<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
    integrator: Integrator,
    factor: Factor,
) -> Result<(), StepError> {
    // Stages are timed as forward dynamics.
    if !has_stages(integrator) {
        engine.observe(Begin(TimerKind::Advance));
    }
    match integrator {
        Integrator::Euler => euler::step(engine, data)?,
        Integrator::Rk4 => rk4::step(engine, data)?,
        Integrator::Implicit => implicit::step(engine, data, BiasTerm::Included, factor)?,
        Integrator::Implicitfast => implicit::step(engine, data, BiasTerm::Omitted, factor)?,
    }
    engine.parts.laws().gain().end_step(&data.scratch.control);
    let shift = &data.acceleration.solution.law.shift;
    if shift.len() == engine.model.nv {
        move_position(engine.model, &mut data.state.qpos, shift, 1.0);
    }
    if !has_stages(integrator) {
        engine.observe(End(TimerKind::Advance));
    }
    Ok(())
}

/// Whether a step asks for the dynamics of states in between. Then no single acceleration leads over
/// the step: it cannot be made in two halves, inverted or differentiated.
pub(crate) const fn has_stages(integrator: Integrator) -> bool {
    match integrator {
        Integrator::Rk4 => true,
        Integrator::Euler | Integrator::Implicit | Integrator::Implicitfast => false,
    }
}

/// Positions reached from `qpos` by moving with `qvel` for a time.
#[doc(alias = "mj_integratePos")]
pub fn integrate_position(
    model: &Model,
    qpos: &mut [f64],
    qvel: &[f64],
    duration: f64,
) -> Result<(), CallError> {
    check_length("qpos", model.nq, qpos.len())?;
    check_length("qvel", model.nv, qvel.len())?;
    move_position(model, qpos, qvel, duration);
    Ok(())
}

/// The same for slices known to fit.
pub(crate) fn move_position(model: &Model, qpos: &mut [f64], qvel: &[f64], duration: f64) {
    joint::advance(&Tree::from(model), 0..model.njnt, qpos, qvel, duration);
}

/// Makes the quaternions among positions unit quaternions.
#[doc(alias = "mj_normalizeQuat")]
pub fn normalize_position(model: &Model, qpos: &mut [f64]) -> Result<(), CallError> {
    check_length("qpos", model.nq, qpos.len())?;
    for joint in 0..model.njnt {
        let Some(offset) = Layout::of(model.jnt_type[joint]).quaternion() else {
            continue;
        };
        let start = model.jnt_qposadr[joint] as usize + offset;
        if let Some(quat) = qpos[start..].first_chunk_mut() {
            *quat = Quat(*quat).normalized().0;
        }
    }
    Ok(())
}

/// The velocity that leads from one position to another in a time.
#[doc(alias = "mj_differentiatePos")]
pub fn differentiate_position(
    model: &Model,
    qvel: &mut [f64],
    duration: f64,
    from: &[f64],
    to: &[f64],
) -> Result<(), CallError> {
    check_length("qvel", model.nv, qvel.len())?;
    check_length("qpos", model.nq, from.len())?;
    check_length("qpos", model.nq, to.len())?;
    let tree = &Tree::from(model);
    joint::difference(tree, 0..model.njnt, (from, to), duration, qvel);
    Ok(())
}

/// Advances activations, velocities, positions and time by one step.
#[doc(alias = "mj_advance")]
pub(crate) fn advance(
    model: &Model,
    state: &mut State,
    input: &Input,
    act_dot: &[f64],
    acceleration: &[f64],
    velocity: Option<&[f64]>,
) {
    record_controls(model, state, input);
    if model.na > 0 && !is_disabled(model, DisableFlag::Actuation) {
        for i in 0..model.nu {
            let Some(range) = activations(model, i) else {
                continue;
            };
            for index in range {
                let rate = if is_actuator_disabled(model, i) {
                    0.0
                } else {
                    act_dot[index]
                };
                state.act[index] = next_activation(model, state, i, index, rate);
            }
        }
    }
    let timestep = model.opt.timestep;
    integrate::velocities(&mut state.qvel, acceleration, timestep);
    let velocity = velocity.unwrap_or(&state.qvel);
    move_position(model, &mut state.qpos, velocity, timestep);
    state.time += timestep;
}

/// Appends the current controls to the histories of delayed actuators.
fn record_controls(model: &Model, state: &mut State, input: &Input) {
    if model.nhistory == 0 {
        return;
    }
    for i in 0..model.nu {
        let samples = model.actuator_history[i][0];
        if samples > 0 {
            let start = model.actuator_historyadr[i] as usize;
            let buffer = &mut state.history[start..];
            history::insert(buffer, samples as usize, 1, state.time)[0] = input.ctrl[i];
        }
    }
}
