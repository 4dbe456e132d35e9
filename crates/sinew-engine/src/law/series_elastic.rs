//! A motor that turns a spring.
//!
//! ```text
//! F = k·(N·u − l) + d·(N·u̇ − l̇)        ∂F/∂l̇ = −d
//! ```
//!
//! with the control u as the place of the motor, the ratio N of its gear, and length l and velocity l̇ of the actuator. The
//! rate u̇ is the difference of controls from step to step, 0 in the first one and after a reset.

use crate::parts::{ActuatorGain, GainForce, GainInputs, LawError, Memory};
use sinew_model::Model;
use std::collections::BTreeMap;

/// Series-elastic actuators.
///
/// ```
/// use sinew_engine::law::SeriesElastic;
/// let drives = SeriesElastic::default().with(0, 1000.0, 10.0, 50.0); // actuator 0: k, d, N
/// # let _ = drives;
/// ```
#[derive(Clone, Debug, Default)]
pub struct SeriesElastic {
    springs: BTreeMap<usize, Spring>,
}

#[derive(Clone, Copy, Debug)]
struct Spring {
    stiffness: f64,
    damping: f64,
    ratio: f64,
}

impl SeriesElastic {
    /// With one more actuator behind a spring: its stiffness, damping and the ratio of the gear.
    pub fn with(mut self, actuator: usize, stiffness: f64, damping: f64, ratio: f64) -> Self {
        self.set(actuator, stiffness, damping, ratio);
        self
    }

    /// Puts an actuator behind a spring.
    pub fn set(&mut self, actuator: usize, stiffness: f64, damping: f64, ratio: f64) {
        let spring = Spring {
            stiffness,
            damping,
            ratio,
        };
        self.springs.insert(actuator, spring);
    }
}

impl Memory for SeriesElastic {}

impl ActuatorGain for SeriesElastic {
    fn prepare(&mut self, model: &Model, actuator: usize) -> Result<bool, LawError> {
        let Some(spring) = self.springs.get(&actuator) else {
            return Ok(false);
        };
        let refuse = |reason: &str| Err(LawError::of_actuator(model, actuator, reason));
        if !(spring.stiffness > 0.0 && spring.stiffness.is_finite()) {
            return refuse("the stiffness of a series-elastic actuator must be positive");
        }
        if !(spring.damping >= 0.0 && spring.damping.is_finite() && spring.ratio.is_finite()) {
            return refuse("the damping of a series-elastic actuator must not be negative");
        }
        Ok(true)
    }

    fn forces(&mut self, actuators: &[usize], inputs: &GainInputs<'_>, out: &mut [GainForce]) {
        for (&i, out) in actuators.iter().zip(out) {
            let Some(spring) = self.springs.get(&i) else {
                continue;
            };
            let stretch = spring.ratio * inputs.control[i] - inputs.length[i];
            let rate = spring.ratio * inputs.control_rate[i] - inputs.velocity[i];
            *out = GainForce {
                force: spring.stiffness * stretch + spring.damping * rate,
                slope: -spring.damping,
            };
        }
    }
}
