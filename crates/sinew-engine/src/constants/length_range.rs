//! The range of lengths an actuator can take, found by pulling it to both ends.
//!
//! From `qpos0` a force along the actuator's moment drives the model towards the short end, then,
//! from the start again, towards the long end. The force is as large as gives the joints a fixed
//! acceleration; velocities are damped away with a time constant. What the length does during the
//! last seconds is the end of the range. Gravity, contacts, springs, dampers, dry friction and the
//! actuators themselves are off; limits and equalities hold. Conforms to `mj_setLengthRange`.

use crate::data::Data;
use crate::engine::Engine;
use crate::error::{CallError, StepError, check_index};
use crate::parts::{Parts, Until};
use core::fmt;
use sinew_math::MIN_VALUE;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag};

/// More steps than these for one end are refused: at a tenth of a microsecond each, the 10 seconds that a
/// compiler grants are over.
const MOST_STEPS: f64 = 1e8;

/// How to pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthRangeOptions {
    /// Size of the joint acceleration that is asked for.
    pub accel: f64,
    /// Largest force; not above 0: no limit.
    pub maxforce: f64,
    /// Time constant in which velocities die.
    pub timeconst: f64,
    /// Time step; not above 0: the model's.
    pub timestep: f64,
    /// Seconds of simulation for each end.
    pub inttotal: f64,
    /// Seconds at the end that are looked at.
    pub interval: f64,
    /// How much the length may still move, relative to the range.
    pub tolrange: f64,
}

impl Default for LengthRangeOptions {
    fn default() -> Self {
        LengthRangeOptions {
            accel: 20.0,
            maxforce: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            inttotal: 10.0,
            interval: 2.0,
            tolrange: 0.05,
        }
    }
}

/// Why there is no range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthRangeError {
    /// There is no such actuator, or the model cannot be stepped.
    Actuator(CallError),
    /// The simulation diverged.
    Unstable,
    /// The caller asked to stop.
    Stopped,
    /// So many seconds in such steps do not end, or not soon.
    Endless {
        /// Seconds of simulation.
        total: f64,
        /// The time step.
        timestep: f64,
    },
    /// Pulling the actuator does not change its length.
    Empty([f64; 2]),
    /// The length was still moving at the end of the simulation.
    NotConverged {
        /// What was seen in the last seconds.
        seen: [f64; 2],
        /// The range as it stood then.
        range: [f64; 2],
    },
}

impl fmt::Display for LengthRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LengthRangeError::Actuator(error) => error.fmt(f),
            LengthRangeError::Unstable => write!(f, "the length-range simulation is unstable"),
            LengthRangeError::Stopped => write!(f, "the length-range simulation takes too long"),
            LengthRangeError::Endless { total, timestep } => write!(
                f,
                "the length-range simulation of {total} seconds takes too many steps of {timestep}"
            ),
            LengthRangeError::Empty([low, high]) => {
                write!(f, "the length range ({low}, {high}) is empty")
            }
            LengthRangeError::NotConverged { seen, range } => write!(
                f,
                "the length range ({}, {}) did not converge: the length still moves between {} \
                 and {}",
                range[0], range[1], seen[0], seen[1]
            ),
        }
    }
}

impl core::error::Error for LengthRangeError {}

impl From<StepError> for LengthRangeError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Interrupted => LengthRangeError::Stopped,
            StepError::Call(error) => LengthRangeError::Actuator(error),
            _ => LengthRangeError::Unstable,
        }
    }
}

/// The model as it is simulated while length ranges are found.
pub fn model_for_length_range(model: &Model, options: &LengthRangeOptions) -> Model {
    let mut pulled = model.clone();
    let off = [
        DisableFlag::Frictionloss,
        DisableFlag::Contact,
        DisableFlag::Spring,
        DisableFlag::Damper,
        DisableFlag::Gravity,
        DisableFlag::Actuation,
    ];
    pulled.opt.disableflags = off.iter().map(|flag| flag.code()).sum();
    pulled.opt.enableflags &= !EnableFlag::Sleep.code();
    if options.timestep > 0.0 {
        pulled.opt.timestep = options.timestep;
    }
    pulled
}

/// Finds the range of one actuator of a [`model_for_length_range`]. `keep_going` is asked in every step, and
/// inside long ones.
#[doc(alias = "mj_setLengthRange")]
pub fn find_length_range(
    pulled: &Model,
    actuator: usize,
    options: &LengthRangeOptions,
    keep_going: impl FnMut() -> bool,
) -> Result<[f64; 2], LengthRangeError> {
    check_index("actuator", actuator, pulled.nu).map_err(LengthRangeError::Actuator)?;
    let (total, timestep) = (options.inttotal, pulled.opt.timestep);
    let is_short = total / timestep <= MOST_STEPS;
    if !(timestep > 0.0 && is_short) {
        return Err(LengthRangeError::Endless { total, timestep });
    }
    let mut data = Data::new(pulled);
    let mut engine = Engine::new(pulled).observer(Until(keep_going));
    let pulling = (actuator, options);
    let mut moment = vec![0.0; pulled.nv];
    let mut ends = [[0.0; 2]; 2];
    for (side, end) in ends.iter_mut().enumerate() {
        data.restart(pulled);
        let direction = if side == 0 { -1.0 } else { 1.0 };
        let mut is_seen = false;
        while data.state.time < options.inttotal {
            let length = pull(&mut engine, &mut data, pulling, direction, &mut moment)?;
            if data.state.time > options.inttotal - options.interval {
                if length < end[0] || !is_seen {
                    end[0] = length;
                }
                if length > end[1] || !is_seen {
                    end[1] = length;
                }
                is_seen = true;
            }
        }
    }
    let range = [ends[0][0], ends[1][1]];
    let width = range[1] - range[0];
    if width.is_nan() || width <= 0.0 {
        return Err(LengthRangeError::Empty(range));
    }
    match ends
        .into_iter()
        .find(|end| end[1] - end[0] > options.tolrange * width)
    {
        Some(seen) => Err(LengthRangeError::NotConverged { seen, range }),
        None => Ok(range),
    }
}

/// One step under the pulling force; gives the length before it. A step that meets a bad value ends the
/// search: the reset would lead there again.
fn pull<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
    (actuator, options): (usize, &LengthRangeOptions),
    direction: f64,
    moment: &mut [f64],
) -> Result<f64, LengthRangeError> {
    let model = engine.model;
    let decay = libm::exp(-model.opt.timestep / options.timeconst.max(0.01));
    for velocity in &mut data.state.qvel {
        *velocity *= decay;
    }
    engine.step1(data)?;

    moment.fill(0.0);
    let (columns, values) = data.position.transmission.row(actuator);
    for (column, value) in columns.iter().zip(values) {
        moment[*column as usize] = *value;
    }
    let force = &mut data.input.qfrc_applied;
    force.copy_from_slice(moment);
    data.position.inertia.solve(model, force);
    let scale = direction * options.accel / norm(force).max(MIN_VALUE);
    for (force, moment) in force.iter_mut().zip(moment.iter()) {
        *force = moment * scale;
    }
    let size = norm(force);
    if options.maxforce > 0.0 && size > options.maxforce {
        let scale = options.maxforce / size.max(MIN_VALUE);
        for force in force.iter_mut() {
            *force *= scale;
        }
    }
    engine.step2(data)?;
    Ok(data.position.transmission.actuator_length[actuator])
}

fn norm(x: &[f64]) -> f64 {
    sinew_math::dense::dot(x, x).sqrt()
}
