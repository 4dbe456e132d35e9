//! Derivatives of actuator forces.

use super::add_outer;
use crate::acceleration::actuation::{Actuation, activations, drive, is_actuator_disabled};
use crate::acceleration::muscle;
use crate::is_disabled;
use crate::position::Position;
use crate::state::{Input, State};
use crate::velocity::Velocity;
use sinew_model::Model;
use sinew_model::kinds::{BiasType, DisableFlag, GainType};

/// Adds the dependence of actuator forces on velocity. Actuators at a limit of their force have
/// none.
#[doc(alias = "mjd_actuator_vel")]
pub(super) fn add(
    model: &Model,
    state: &State,
    input: &Input,
    position: &Position,
    velocity: &Velocity,
    actuation: &Actuation,
    out: &mut [f64],
) {
    if is_disabled(model, DisableFlag::Actuation) {
        return;
    }
    for i in 0..model.nu {
        if !responds(model, actuation, i) {
            continue;
        }
        let mut slope = match BiasType::from_code(model.actuator_biastype[i]) {
            Some(BiasType::Affine) => model.actuator_biasprm[i][2],
            Some(BiasType::None | BiasType::Muscle | BiasType::User) | None => 0.0,
        };
        let prm = &model.actuator_gainprm[i];
        let gain_slope = match GainType::from_code(model.actuator_gaintype[i]) {
            Some(GainType::Affine) => prm[2],
            Some(GainType::Muscle) => muscle::gain_velocity_derivative(
                position.transmission.actuator_length[i],
                velocity.length.actuator_velocity[i],
                model.actuator_lengthrange[i],
                model.actuator_acc0[i],
                prm,
            ),
            Some(GainType::Fixed | GainType::User) | None => 0.0,
        };
        if gain_slope != 0.0 {
            // A stateless actuator counts its control as given, unclamped and undelayed.
            let driver = match activations(model, i) {
                None => input.ctrl[i],
                Some(_) => drive(model, state, i, 0.0, &actuation.act_dot),
            };
            slope += gain_slope * driver;
        }
        if slope != 0.0 {
            let (columns, values) = position.transmission.row(i);
            add_outer(model, columns, values, slope, out);
        }
    }
}

/// Whether the force of an actuator changes with its velocity: it is switched on and off its limits.
pub(super) fn responds(model: &Model, actuation: &Actuation, actuator: usize) -> bool {
    let [low, high] = model.actuator_forcerange[actuator];
    let force = actuation.actuator_force[actuator];
    let at_limit = model.actuator_forcelimited[actuator] != 0 && (force <= low || force >= high);
    !is_actuator_disabled(model, actuator) && !at_limit
}
