//! Which force controls and activations make.

use super::Nothing;
use super::law::{LawError, Memory, Slot, take};
use super::prepared::Prepared;
use sinew_model::Model;

/// What gains of actuators read, per actuator of the model.
#[derive(Clone, Copy, Debug)]
pub struct GainInputs<'a> {
    /// The model.
    pub model: &'a Model,
    /// Lengths of actuators.
    pub length: &'a [f64],
    /// Their rates.
    pub velocity: &'a [f64],
    /// Controls, delayed and clamped.
    pub control: &'a [f64],
    /// Rates of the controls from step to step; 0 in the first step.
    pub control_rate: &'a [f64],
    /// What the reference's gain multiplies: control, activation, or the activation one step ahead.
    pub drive: &'a [f64],
}

/// What a gain gives for one actuator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GainForce {
    /// The force that takes the place of gain · drive.
    pub force: f64,
    /// ∂force/∂velocity along the actuator, for the implicit integrators.
    pub slope: f64,
}

/// Which force controls and activations make. Bias, limits and transmission stay the model's.
pub trait ActuatorGain: Memory {
    /// Whether it takes an actuator, after it computed what does not change from step to step.
    fn prepare(&mut self, model: &Model, actuator: usize) -> Result<bool, LawError>;

    /// The forces of the actuators that it has taken, in that order.
    fn forces(&mut self, actuators: &[usize], inputs: &GainInputs<'_>, out: &mut [GainForce]);
}

impl<G: ActuatorGain + ?Sized> ActuatorGain for &mut G {
    fn prepare(&mut self, model: &Model, actuator: usize) -> Result<bool, LawError> {
        (**self).prepare(model, actuator)
    }

    fn forces(&mut self, actuators: &[usize], inputs: &GainInputs<'_>, out: &mut [GainForce]) {
        (**self).forces(actuators, inputs, out);
    }
}

/// A place for a gain.
pub trait GainSlot: Slot {
    /// Whether there is one.
    #[inline(always)]
    fn is_present(&self) -> bool {
        false
    }

    /// Prepares the gain for a model: an error if it refuses an actuator.
    #[inline]
    fn check(&mut self, _model: &Model) -> Result<(), LawError> {
        Ok(())
    }

    /// Writes the forces of the actuators that it takes.
    #[inline(always)]
    fn forces(&mut self, _inputs: &GainInputs<'_>, _out: &mut [Option<GainForce>]) {}

    /// Remembers the controls of a step that is made.
    #[inline(always)]
    fn end_step(&mut self, _control: &[f64]) {}
}

impl GainSlot for Nothing {}

/// A gain with what it knows of a model, and the controls of the last step.
#[derive(Clone, Debug, Default)]
pub struct PreparedGain<G> {
    inner: Prepared<G>,
    /// 1 once a step was made, then the controls of the last one.
    previous: Vec<f64>,
    rate: Vec<f64>,
    out: Vec<GainForce>,
}

impl<G> PreparedGain<G> {
    /// A gain that has met no model yet.
    pub fn new(gain: G) -> Self {
        PreparedGain {
            inner: Prepared::new(gain),
            previous: Vec::new(),
            rate: Vec::new(),
            out: Vec::new(),
        }
    }

    /// The gain.
    pub fn law(&self) -> &G {
        self.inner.law()
    }

    /// The gain for writing; it will be prepared again.
    pub fn law_mut(&mut self) -> &mut G {
        self.inner.law_mut()
    }

    /// Rates of controls since the last step.
    fn find_rates(&mut self, inputs: &GainInputs<'_>) {
        self.rate.clear();
        self.rate.resize(inputs.control.len(), 0.0);
        let timestep = inputs.model.opt.timestep;
        if let Some((&1.0, previous)) = self.previous.split_first() {
            for ((rate, now), before) in self.rate.iter_mut().zip(inputs.control).zip(previous) {
                *rate = (now - before) / timestep;
            }
        }
    }
}

impl<G: ActuatorGain> GainSlot for PreparedGain<G> {
    fn is_present(&self) -> bool {
        true
    }

    fn check(&mut self, model: &Model) -> Result<(), LawError> {
        self.previous.resize(model.nu + 1, 0.0);
        self.inner.ask(model, model.nu, |law, actuator| {
            law.prepare(model, actuator)
        })
    }

    fn forces(&mut self, inputs: &GainInputs<'_>, out: &mut [Option<GainForce>]) {
        if !self.inner.is_current(inputs.model) {
            // Who asks hears of errors.
            let _ = self.check(inputs.model);
        }
        self.find_rates(inputs);
        let (law, taken) = self.inner.with_taken();
        self.out.clear();
        self.out.resize(taken.len(), GainForce::default());
        let inputs = GainInputs {
            control_rate: &self.rate,
            ..*inputs
        };
        law.forces(taken, &inputs, &mut self.out);
        for (&actuator, &force) in taken.iter().zip(&self.out) {
            out[actuator] = Some(force);
        }
    }

    fn end_step(&mut self, control: &[f64]) {
        self.previous.clear();
        self.previous.push(1.0);
        self.previous.extend_from_slice(control);
    }
}

impl<G: Memory> Slot for PreparedGain<G> {
    fn reset(&mut self) {
        self.previous.fill(0.0);
        self.inner.reset();
    }

    fn save(&self, out: &mut Vec<f64>) {
        out.extend_from_slice(&self.previous);
        self.inner.save(out);
    }

    fn restore<'a>(&mut self, saved: &'a [f64]) -> Option<&'a [f64]> {
        let rest = take(saved, &mut self.previous)?;
        self.inner.restore(rest)
    }
}
