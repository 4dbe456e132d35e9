//! Derivatives of actuator forces.

use super::add_outer;
use crate::acceleration::actuation::{Actuation, activations, drive, is_actuator_disabled};
use crate::acceleration::muscle;
use crate::is_disabled;
use crate::parts::GainForce;
use crate::position::Position;
use crate::state::{Input, State};
use crate::velocity::Velocity;
use sinew_dynamics::actuation;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, GainType};
use sinew_model::view::{DriveValues, Drives};

/// Adds the dependence of actuator forces on velocity. Actuators at a limit of their force have
/// none.
#[doc(alias = "mjd_actuator_vel")]
pub(super) fn add(
    model: &Model,
    state: &State,
    input: &Input,
    position: &Position,
    velocity: &Velocity,
    actuated: &Actuation,
    laws: Option<&[Option<GainForce>]>,
    out: &mut [f64],
) {
    if is_disabled(model, DisableFlag::Actuation) {
        return;
    }
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    for i in 0..model.nu {
        if !responds(model, actuated, i) {
            continue;
        }
        let mut slope: f64 = actuation::bias_slope(drives, values, i).unwrap_or(0.0);
        if let Some(Some(law)) = laws.and_then(|laws| laws.get(i)) {
            slope += law.slope;
            if slope != 0.0 {
                let (columns, values) = position.transmission.row(i);
                add_outer(model, columns, values, slope, out);
            }
            continue;
        }
        let gain_slope = actuation::gain_slope(drives, values, i);
        let gain_slope = gain_slope.unwrap_or_else(|| {
            match GainType::from_code(model.actuator_gaintype[i]) {
                Some(GainType::Muscle) => muscle::gain_velocity_derivative(
                    position.transmission.actuator_length[i],
                    velocity.length.actuator_velocity[i],
                    model.actuator_lengthrange[i],
                    model.actuator_acc0[i],
                    &model.actuator_gainprm[i],
                ),
                // Fixed and affine gains are known by now.
                Some(GainType::Fixed | GainType::Affine | GainType::User) | None => 0.0,
            }
        });
        if gain_slope != 0.0 {
            // A stateless actuator counts its control as given, unclamped and undelayed.
            let driver = match activations(model, i) {
                None => input.ctrl[i],
                Some(_) => drive(model, state, i, 0.0, &actuated.act_dot),
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
pub(super) fn responds(model: &Model, actuated: &Actuation, actuator: usize) -> bool {
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    let force = actuated.actuator_force[actuator];
    let is_at_limit = actuation::is_at_limit(drives, values, actuator, force);
    !is_actuator_disabled(model, actuator) && !is_at_limit
}
