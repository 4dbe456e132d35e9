//! Derivatives of a step: how the next state and the sensors depend on state and controls.
//!
//! ```text
//! δx′ = A·δx + B·δu        x = (position, qvel, act), positions in the tangent space
//! δs  = C·δx + D·δu        s = sensordata
//! ```
//!
//! Inputs are changed one by one and the step repeated from the stage they first enter; controls
//! stay within their range. Conforms to MuJoCo's `mjd_transitionFD`.
//!
//! Differs from MuJoCo: the centred D has the sign of the one-sided one.

use super::difference::{Difference, DifferenceError, check, write_column};
use crate::data::Data;
use crate::engine::{Engine, Sensors};
use crate::integrate::{differentiate_position, integrate_position};
use crate::parts::{Laws, Parts};
use crate::{is_disabled, pipeline};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, Stage, StateComponent};

/// Matrices of a linearised step, dense and row-major.
#[allow(non_snake_case)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transition {
    /// Next state by state: (2nv + na)².
    pub A: Vec<f64>,
    /// Next state by controls: (2nv + na) × nu.
    pub B: Vec<f64>,
    /// Sensors by state: nsensordata × (2nv + na). Empty if sensors are skipped.
    pub C: Vec<f64>,
    /// Sensors by controls: nsensordata × nu. Empty if sensors are skipped.
    pub D: Vec<f64>,
}

/// What a step gives.
#[derive(Clone, Debug, Default)]
struct Outcome {
    qpos: Vec<f64>,
    /// Velocities, then activations.
    rest: Vec<f64>,
    sensors: Vec<f64>,
}

/// An input.
#[derive(Clone, Copy, Debug)]
enum Input {
    Position(usize),
    Velocity(usize),
    Activation(usize),
    Control(usize),
}

impl<P: Parts> Engine<'_, P> {
    /// Linearises a step about the current state and controls, which stay; derived arrays are those
    /// of the last changed step.
    #[doc(alias = "mjd_transitionFD")]
    pub fn transition(
        &mut self,
        data: &mut Data,
        difference: Difference,
        sensors: Sensors,
        out: &mut Transition,
    ) -> Result<(), DifferenceError> {
        let model = self.model;
        check(data, model, difference.eps)?;
        if has_delays(model) {
            return Err(DifferenceError::Delays);
        }
        let nx = 2 * model.nv + model.na;
        let ns = match sensors {
            Sensors::Computed => model.nsensordata,
            Sensors::Skipped => 0,
        };
        for (matrix, size) in [
            (&mut out.A, nx * nx),
            (&mut out.B, nx * model.nu),
            (&mut out.C, ns * nx),
            (&mut out.D, ns * model.nu),
        ] {
            matrix.clear();
            matrix.resize(size, 0.0);
        }
        let mut saved = Saved::of(model, data);
        self.parts.laws_ref().save(&mut saved.laws);
        let mut run = Run {
            saved,
            engine: self,
            data,
            sensors,
        };
        let base = run.step(Stage::None, |_| {});
        // Later inputs spoil what the integrator keeps between steps, so controls come first.
        let controls = (0..model.nu).map(Input::Control);
        let activations = (0..model.na).map(Input::Activation);
        let velocities = (0..model.nv).map(Input::Velocity);
        let positions = (0..model.nv).map(Input::Position);
        for input in controls
            .chain(activations)
            .chain(velocities)
            .chain(positions)
        {
            run.engine.check_patience()?;
            let [minus, plus] = run.both_sides(input, difference);
            let h = difference.eps
                * if minus.is_some() && plus.is_some() {
                    2.0
                } else {
                    1.0
                };
            // A control whose range allows no change has no effect.
            let (Some(from), Some(to)) = (
                minus.as_ref().or(plus.as_ref().map(|_| &base)),
                plus.as_ref().or(minus.as_ref().map(|_| &base)),
            ) else {
                continue;
            };
            let nv = model.nv;
            let (column, width, states, seen) = match input {
                Input::Position(i) => (i, nx, &mut out.A, &mut out.C),
                Input::Velocity(i) => (nv + i, nx, &mut out.A, &mut out.C),
                Input::Activation(i) => (2 * nv + i, nx, &mut out.A, &mut out.C),
                Input::Control(i) => (i, model.nu, &mut out.B, &mut out.D),
            };
            write_state(model, states, (column, width), from, to, h);
            write_column(seen, (column, width), &from.sensors, &to.sensors, h);
        }
        // The last steps may have ended early.
        run.engine.check_patience()
    }
}

/// Whether a step depends on a history. The one control that a gain in place of the model's remembers is as constant as
/// the rest of what is not changed.
fn has_delays(model: &Model) -> bool {
    let remembers = |i: usize| model.actuator_history[i][0] > 0;
    let is_of_law = |i: usize| model.actuator_delay[i] == 0.0 && model.laws().gain.contains_key(&i);
    model.nhistory > 0
        && (model.sensor_history.iter().any(|history| history[0] > 0)
            || (0..model.nu).any(|i| remembers(i) && !is_of_law(i)))
}

/// The difference of two states into a column.
fn write_state(
    model: &Model,
    out: &mut [f64],
    (column, width): (usize, usize),
    from: &Outcome,
    to: &Outcome,
    h: f64,
) {
    let (positions, rest) = out.split_at_mut(model.nv * width);
    if model.nq == model.nv {
        write_column(positions, (column, width), &from.qpos, &to.qpos, h);
    } else {
        let mut tangent = vec![0.0; model.nv];
        let fits = differentiate_position(model, &mut tangent, h, &from.qpos, &to.qpos);
        debug_assert!(fits.is_ok(), "positions of the same model");
        let places = positions.iter_mut().skip(column).step_by(width);
        for (out, value) in places.zip(tangent) {
            *out = value;
        }
    }
    write_column(rest, (column, width), &from.rest, &to.rest, h);
}

/// State and controls to come back to.
struct Saved {
    mask: i32,
    numbers: Vec<f64>,
    /// What laws remember.
    laws: Vec<f64>,
}

impl Saved {
    fn of(model: &Model, data: &Data) -> Self {
        let mut mask = StateComponent::Fullphysics.code() | StateComponent::Ctrl.code();
        if !is_disabled(model, DisableFlag::Warmstart) {
            mask |= StateComponent::Warmstart.code();
        }
        let size = crate::state_vector::state_size(model, mask).unwrap_or(0);
        let mut numbers = vec![0.0; size];
        let fits = data.get_state(model, mask, &mut numbers);
        debug_assert!(fits.is_ok(), "known components");
        Saved {
            mask,
            numbers,
            laws: Vec::new(),
        }
    }
}

/// Steps from the same state.
struct Run<'a, 'm, P> {
    engine: &'a mut Engine<'m, P>,
    data: &'a mut Data,
    saved: Saved,
    sensors: Sensors,
}

impl<P: Parts> Run<'_, '_, P> {
    /// The outcome of a step after a change of its input.
    fn step(&mut self, current: Stage, change: impl FnOnce(&mut Data)) -> Outcome {
        change(self.data);
        // A step that diverges gives the outcome of its reset, as in the reference.
        let model = self.engine.model;
        let _ = self
            .data
            .check_step(model)
            .and_then(|()| pipeline::step(self.engine, self.data, current, self.sensors));
        let state = &self.data.state;
        let outcome = Outcome {
            qpos: state.qpos.clone(),
            rest: state.qvel.iter().chain(&state.act).copied().collect(),
            sensors: match self.sensors {
                Sensors::Computed => self.data.sensor.sensordata.clone(),
                Sensors::Skipped => Vec::new(),
            },
        };
        let fits = self
            .data
            .set_state(model, self.saved.mask, &self.saved.numbers);
        debug_assert!(fits.is_ok(), "what was got can be set");
        self.engine.parts.laws().restore(&self.saved.laws);
        outcome
    }

    /// Outcomes with an input made smaller and larger, as far as wanted and allowed.
    fn both_sides(&mut self, input: Input, difference: Difference) -> [Option<Outcome>; 2] {
        let Difference { eps, is_centered } = difference;
        let (model, ctrl) = (self.engine.model, &self.data.input.ctrl);
        let allows = |change: f64| match input {
            Input::Control(i) if model.actuator_ctrllimited[i] != 0 => {
                let [low, high] = model.actuator_ctrlrange[i];
                let is_in = |x: f64| x >= low && x <= high;
                is_in(ctrl[i]) && is_in(ctrl[i] + change)
            }
            _ => true,
        };
        let goes_up = allows(eps);
        let goes_down = (is_centered || !goes_up) && allows(-eps);
        let plus = goes_up.then(|| self.changed(input, eps));
        let minus = goes_down.then(|| self.changed(input, -eps));
        [minus, plus]
    }

    fn changed(&mut self, input: Input, change: f64) -> Outcome {
        let model = self.engine.model;
        match input {
            Input::Control(i) => self.step(Stage::Vel, |data| data.input.ctrl[i] += change),
            Input::Activation(i) => self.step(Stage::Vel, |data| data.state.act[i] += change),
            Input::Velocity(i) => self.step(Stage::Pos, |data| data.state.qvel[i] += change),
            Input::Position(i) => self.step(Stage::None, |data| {
                let mut direction = vec![0.0; model.nv];
                direction[i] = 1.0;
                let fits = integrate_position(model, &mut data.state.qpos, &direction, change);
                debug_assert!(fits.is_ok(), "positions of the same model");
            }),
        }
    }
}
