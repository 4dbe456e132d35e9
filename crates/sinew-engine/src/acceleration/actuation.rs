//! Actuator forces.
//!
//! Force = gain·(control or activation) + bias, clamped to the actuator's range and, per tendon and
//! per joint, to the ranges of the total. Controls may come delayed from their history; they are
//! clamped, and all are 0 if one is not finite. Activations follow their own dynamics. Conforms to
//! MuJoCo's `mj_fwdActuation`.

use super::muscle;
use crate::history::{self, Interpolation};
use crate::law::named::NamedGain;
use crate::parts::{ActuatorGain, GainForce, GainInputs, GainSlot, Prepared};
use crate::position::Position;
use crate::scratch::Scratch;
use crate::state::{Input, State};
use crate::velocity::Velocity;
use crate::velocity::passive::gravcomp;
use crate::warning::Warnings;
use crate::{is_bad, is_disabled};
use sinew_dynamics::actuation;
pub(crate) use sinew_dynamics::actuation::clip;
use sinew_model::Model;
use sinew_model::joint::Layout;
use sinew_model::kinds::{
    BiasType, DisableFlag, DynamicsType, GainType, TransmissionType, Warning,
};
use sinew_model::view::{DriveValues, Drives};

sinew_model::columns! {
    /// Actuator forces.
    pub struct Actuation<T>(ActuationRef, ActuationMut) for Model {
        sizes {
            /// Activations.
            na,
            /// Actuators.
            nu,
            /// Degrees of freedom.
            nv,
        }
        columns {
            /// Rates of change of activations.
            act_dot: na x T,
            /// Forces along the actuators.
            actuator_force: nu x T,
            /// Total generalised force of the actuators.
            qfrc_actuator: nv x T,
        }
        scratch {
            /// Gains in place of the model's.
            laws: GainLaws,
        }
    }
}

/// Working memory of gains in place of the model's, and what they gave last.
#[derive(Clone, Debug, Default)]
pub struct GainLaws {
    /// What each actuator has of them; none: the model's gain.
    pub(crate) force: Vec<Option<GainForce>>,
    drive: Vec<f64>,
    rate: Vec<f64>,
    /// The gains that the model names.
    named: Prepared<NamedGain>,
    out: Vec<GainForce>,
}

impl GainLaws {
    /// Asks the user's gain, then those that the model names.
    pub(crate) fn compute<G: GainSlot>(
        &mut self,
        gain: &mut G,
        model: &Model,
        state: &State,
        (position, velocity): (&Position, &Velocity),
        (control, act_dot): (&[f64], &[f64]),
    ) {
        self.drive.clear();
        let drives = (0..model.nu).map(|i| drive(model, state, i, control[i], act_dot));
        self.drive.extend(drives);
        self.rate.clear();
        self.rate
            .extend((0..model.nu).map(|i| control_rate(model, state, i, control[i])));
        self.force.clear();
        self.force.resize(model.nu, None);
        let inputs = GainInputs {
            model,
            length: &position.transmission.actuator_length,
            velocity: &velocity.length.actuator_velocity,
            control,
            control_rate: &self.rate,
            drive: &self.drive,
        };
        if !model.laws().gain.is_empty() {
            if !self.named.is_current(model) {
                // The compiler has told of errors.
                let _ = self
                    .named
                    .ask(model, model.nu, |law, i| law.prepare(model, i));
            }
            let (law, taken) = self.named.with_taken();
            self.out.clear();
            self.out.resize(taken.len(), GainForce::default());
            law.forces(taken, &inputs, &mut self.out);
            for (&actuator, &force) in taken.iter().zip(&self.out) {
                self.force[actuator] = Some(force);
            }
        }
        gain.forces(&inputs, &mut self.force);
    }
}

/// The rate of a control since the last step, where that is remembered; 0 in the first step.
fn control_rate(model: &Model, state: &State, actuator: usize, control: f64) -> f64 {
    if model.actuator_history[actuator][0] <= 0 {
        return 0.0;
    }
    let start = model.actuator_historyadr[actuator] as usize;
    let samples = model.actuator_history[actuator][0] as usize;
    let (time, value) = history::newest(&state.history[start..], samples);
    if time < 0.0 {
        return 0.0;
    }
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    let before = match is_disabled(model, DisableFlag::Clampctrl) {
        true => value,
        false => actuation::control(drives, values, actuator, value),
    };
    (control - before) / model.opt.timestep
}

/// Clamped controls into `control`, and the rates of activations but the user's own. False if no
/// actuator acts: then all forces are 0 and nothing is left to do.
pub(crate) fn begin(
    model: &Model,
    state: &State,
    input: &Input,
    out: &mut Actuation,
    control: &mut [f64],
    warnings: &mut Warnings,
) -> bool {
    out.actuator_force.fill(0.0);
    if model.nu == 0 || is_disabled(model, DisableFlag::Actuation) {
        out.qfrc_actuator.fill(0.0);
        return false;
    }
    controls(model, state, input, control, warnings);
    activation_rates(model, state, control, &mut out.act_dot);
    true
}

/// What user code gives for an actuator, if it is asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UserTerms {
    pub gain: Option<f64>,
    pub bias: Option<f64>,
}

/// Whether an actuator makes a force of its own kind.
pub(crate) fn is_driven(model: &Model, actuator: usize) -> bool {
    !is_actuator_disabled(model, actuator) && model.actuator_plugin[actuator] < 0
}

/// Limits, and the generalised force of all actuators.
pub(crate) fn finish(
    model: &Model,
    position: &Position,
    velocity: &Velocity,
    out: &mut Actuation,
    scratch: &mut Scratch,
) {
    let limits_tendon = |i: usize| {
        model.actuator_trntype[i] == TransmissionType::Tendon.code()
            && model.tendon_actfrclimited[model.actuator_trnid[i][0] as usize] != 0
    };
    if model.ntendon > 0 && (0..model.nu).any(|i| is_driven(model, i) && limits_tendon(i)) {
        limit_tendons(model, &mut out.actuator_force, &mut scratch.tendon);
    }
    out.qfrc_actuator.fill(0.0);
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    for (i, force) in out.actuator_force.iter_mut().enumerate() {
        *force = actuation::limited(drives, values, i, *force);
        actuation::apply(*force, position.transmission.row(i), &mut out.qfrc_actuator);
    }
    joints(model, velocity, &mut out.qfrc_actuator);
}

/// Whether the actuator's group is switched off.
#[doc(alias = "mj_actuatorDisabled")]
pub(crate) fn is_actuator_disabled(model: &Model, actuator: usize) -> bool {
    let group = model.actuator_group[actuator];
    (0..=30).contains(&group) && model.opt.disableactuator & (1 << group) != 0
}

/// Delayed, clamped controls.
pub(crate) fn controls(
    model: &Model,
    state: &State,
    input: &Input,
    control: &mut [f64],
    warnings: &mut Warnings,
) {
    let clamps = !is_disabled(model, DisableFlag::Clampctrl);
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    for (i, control) in control.iter_mut().enumerate() {
        *control = delayed_control(model, state, input, i);
        if clamps {
            *control = actuation::control(drives, values, i, *control);
        }
    }
    if let Some(bad) = control.iter().position(|&c| is_bad(c)) {
        warnings.count(Warning::Badctrl, bad, state.time);
        control.fill(0.0);
    }
}

/// The control that acts now: the current one, or an older one if the actuator has a delay.
#[doc(alias = "mj_readCtrl")]
#[inline]
pub(crate) fn delayed_control(model: &Model, state: &State, input: &Input, actuator: usize) -> f64 {
    let delay = model.actuator_delay[actuator];
    if delay == 0.0 || model.actuator_history[actuator][0] <= 0 {
        return input.ctrl[actuator];
    }
    past_control(model, state, actuator, delay)
}

/// The control of an earlier time, from the history of an actuator.
fn past_control(model: &Model, state: &State, actuator: usize, delay: f64) -> f64 {
    let [samples, interpolation] = model.actuator_history[actuator];
    let start = model.actuator_historyadr[actuator] as usize;
    let mut value = [0.0];
    history::read(
        &state.history[start..],
        samples as usize,
        state.time - delay,
        Interpolation::from_code(interpolation),
        &mut value,
    );
    value[0]
}

/// Activations of an actuator; the last one drives its force.
pub(crate) fn activations(model: &Model, actuator: usize) -> Option<core::ops::Range<usize>> {
    actuation::activations(&Drives::from(model), actuator)
}

fn activation_rates(model: &Model, state: &State, control: &[f64], act_dot: &mut [f64]) {
    if model.na == 0 {
        return;
    }
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    for i in 0..model.nu {
        let Some(range) = activations(model, i) else {
            continue;
        };
        let last = range.end - 1;
        act_dot[range].fill(0.0);
        let (control, act) = (control[i], state.act[last]);
        let rate = actuation::activation_rate(drives, values, i, control, act);
        act_dot[last] = rate.unwrap_or_else(|| {
            match DynamicsType::from_code(model.actuator_dyntype[i]) {
                Some(DynamicsType::Muscle) => {
                    muscle::activation_rate(control, act, &model.actuator_dynprm[i])
                }
                // Others are known by now, and users are asked later.
                Some(
                    DynamicsType::None
                    | DynamicsType::Integrator
                    | DynamicsType::Filter
                    | DynamicsType::Filterexact
                    | DynamicsType::User,
                )
                | None => 0.0,
            }
        });
    }
}

/// The activation one step ahead, within its range.
#[doc(alias = "mj_nextActivation")]
pub(crate) fn next_activation(
    model: &Model,
    state: &State,
    actuator: usize,
    index: usize,
    rate: f64,
) -> f64 {
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    let moving = (state.act[index], rate);
    actuation::next_activation(drives, values, actuator, moving, model.opt.timestep)
}

/// What the gain multiplies: control, activation, or the activation one step ahead.
pub(crate) fn drive(
    model: &Model,
    state: &State,
    actuator: usize,
    control: f64,
    act_dot: &[f64],
) -> f64 {
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    let moving = (&state.act[..], act_dot);
    actuation::drive(
        drives,
        values,
        actuator,
        control,
        moving,
        model.opt.timestep,
    )
}

/// Gain·drive + bias of an actuator. User terms that nobody gives are 1 and 0.
#[inline]
pub(crate) fn force(
    model: &Model,
    state: &State,
    position: &Position,
    velocity: &Velocity,
    act_dot: &[f64],
    (i, control): (usize, f64),
    user: UserTerms,
) -> f64 {
    let length = position.transmission.actuator_length[i];
    let speed = velocity.length.actuator_velocity[i];
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    let (range, acc0) = (model.actuator_lengthrange[i], model.actuator_acc0[i]);
    let gain = actuation::gain(drives, values, i, (length, speed)).unwrap_or_else(|| {
        let prm = &model.actuator_gainprm[i];
        match GainType::from_code(model.actuator_gaintype[i]) {
            Some(GainType::Muscle) => muscle::gain(length, speed, range, acc0, prm),
            // Fixed and affine gains are known by now.
            Some(GainType::Fixed | GainType::Affine | GainType::User) | None => {
                user.gain.unwrap_or(1.0)
            }
        }
    });
    let bias = bias(model, (i, length, speed), user);
    gain * drive(model, state, i, control, act_dot) + bias
}

/// The bias of an actuator with a length and a speed.
#[inline(always)]
pub(crate) fn bias(model: &Model, (i, length, speed): (usize, f64, f64), user: UserTerms) -> f64 {
    let (drives, values) = (&Drives::from(model), &DriveValues::from(model));
    let (range, acc0) = (model.actuator_lengthrange[i], model.actuator_acc0[i]);
    actuation::bias(drives, values, i, (length, speed)).unwrap_or_else(|| {
        let prm = &model.actuator_biasprm[i];
        match BiasType::from_code(model.actuator_biastype[i]) {
            Some(BiasType::Muscle) => muscle::bias(length, range, acc0, prm),
            Some(BiasType::None | BiasType::Affine | BiasType::User) | None => {
                user.bias.unwrap_or(0.0)
            }
        }
    })
}

/// Scales the forces on each tendon so that their sum stays within the tendon's range.
fn limit_tendons(model: &Model, force: &mut [f64], total: &mut [f64]) {
    let limited_tendon = |i: usize| {
        let tendon = model.actuator_trnid[i][0] as usize;
        (model.actuator_trntype[i] == TransmissionType::Tendon.code()
            && model.tendon_actfrclimited[tendon] != 0)
            .then_some(tendon)
    };
    total.fill(0.0);
    for i in 0..model.nu {
        if let Some(tendon) = limited_tendon(i) {
            total[tendon] += force[i];
        }
    }
    for i in 0..model.nu {
        let Some(tendon) = limited_tendon(i) else {
            continue;
        };
        let [low, high] = model.tendon_actfrcrange[tendon];
        let sum = total[tendon];
        if sum != 0.0 {
            if sum < low {
                force[i] *= low / sum;
            } else if sum > high {
                force[i] *= high / sum;
            }
        }
    }
}

/// Gravity compensation that counts as actuator force, then the joints' own limits.
fn joints(model: &Model, velocity: &Velocity, qfrc: &mut [f64]) {
    if gravcomp::is_active(model) {
        for j in 0..model.njnt {
            if model.jnt_actgravcomp[j] != 0 {
                let first = model.jnt_dofadr[j] as usize;
                for dof in first..first + Layout::of(model.jnt_type[j]).dofs() {
                    qfrc[dof] += velocity.passive.qfrc_gravcomp[dof];
                }
            }
        }
    }
    for j in 0..model.njnt {
        if model.jnt_actfrclimited[j] != 0 {
            let dof = model.jnt_dofadr[j] as usize;
            qfrc[dof] = clip(qfrc[dof], model.jnt_actfrcrange[j]);
        }
    }
}
