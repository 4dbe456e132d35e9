//! The range of lengths an actuator can take, by which muscles are normalised.
//!
//! Which actuators need one is said by `compiler/lengthrange mode`. A range that was written is
//! kept (`useexisting`), or the limits of the target are copied (`uselimit`). Everything else is
//! found by pulling the actuator to both ends in a simulation.

use crate::clock::Moment;
use crate::compile::Context;
use crate::compile::threads::side_by_side;
use crate::place::Place;
use crate::spec::settings::LengthRange;
use sinew_engine::constants::{LengthRangeOptions, find_length_range, model_for_length_range};
use sinew_model::Model;
use sinew_model::kinds::{BiasType, GainType, LengthRangeMode, ObjectType, TransmissionType};
use std::time::Duration;

/// Pulling one actuator to both ends takes no longer.
const LONGEST: Duration = Duration::from_secs(10);

/// Fills `actuator_lengthrange`. Runs when all other constants are known.
#[doc(alias = "mj_setLengthRange")]
pub fn resolve(ctx: &mut Context, model: &mut Model) {
    let spec = ctx.spec;
    let none = LengthRange::default();
    let settings = spec.documents.first().map_or(&none, |d| &d.length_range);
    let mode = settings
        .mode
        .as_ref()
        .map_or(LengthRangeMode::Muscle, |mode| mode.value);
    let keeps_existing = settings.useexisting.as_ref().is_none_or(|use_| use_.value);
    let copies_limits = settings.uselimit.as_ref().is_some_and(|use_| use_.value);

    let mut unknown = Vec::new();
    for i in 0..model.nu {
        let is_muscle = model.actuator_gaintype[i] == GainType::Muscle.code()
            || model.actuator_biastype[i] == BiasType::Muscle.code();
        let is_user = model.actuator_gaintype[i] == GainType::User.code()
            || model.actuator_biastype[i] == BiasType::User.code();
        let is_chosen = match mode {
            LengthRangeMode::None => false,
            LengthRangeMode::Muscle => is_muscle,
            LengthRangeMode::Muscleuser => is_muscle || is_user,
            LengthRangeMode::All => true,
        };
        let [low, high] = model.actuator_lengthrange[i];
        let is_empty = !matches!(low.partial_cmp(&high), Some(core::cmp::Ordering::Less));
        if !is_chosen {
            if is_muscle && is_empty {
                warn(
                    ctx,
                    i,
                    "the muscle has an empty length range, its force will be useless",
                );
            }
            continue;
        }
        if keeps_existing && !is_empty {
            continue;
        }
        let limits = copies_limits
            .then(|| limits_as_looked_up(model, i))
            .flatten();
        match limits {
            Some(range) => model.unchecked().actuator_lengthrange[i] = range,
            None => unknown.push(i),
        }
    }
    if !unknown.is_empty() {
        simulate(ctx, model, &unknown, &options(settings));
    }
}

/// The limits that the reference copies. It looks up the target of actuator `i` at place `i` of the
/// id pairs laid out flat: right for the first actuator, otherwise the target of another one, or
/// none (then it simulates).
fn limits_as_looked_up(model: &Model, actuator: usize) -> Option<[f64; 2]> {
    let pair = model.actuator_trnid.get(actuator / 2)?;
    limits(model, actuator, pair[actuator % 2])
}

/// Limits of the joint or tendon with an id, if it is limited; the actuator decides which of both.
fn limits(model: &Model, actuator: usize, id: i32) -> Option<[f64; 2]> {
    let id = usize::try_from(id).ok()?;
    let (limited, range) = match TransmissionType::from_code(model.actuator_trntype[actuator])? {
        TransmissionType::Joint | TransmissionType::Jointinparent => {
            (model.jnt_limited.get(id)?, model.jnt_range.get(id)?)
        }
        TransmissionType::Tendon => (model.tendon_limited.get(id)?, model.tendon_range.get(id)?),
        _ => return None,
    };
    (*limited != 0).then_some(*range)
}

fn options(settings: &LengthRange) -> LengthRangeOptions {
    let mut options = LengthRangeOptions::default();
    for (field, written) in [
        (&mut options.accel, &settings.accel),
        (&mut options.maxforce, &settings.maxforce),
        (&mut options.timeconst, &settings.timeconst),
        (&mut options.timestep, &settings.timestep),
        (&mut options.inttotal, &settings.inttotal),
        (&mut options.interval, &settings.interval),
        (&mut options.tolrange, &settings.tolrange),
    ] {
        if let Some(written) = written {
            *field = written.value;
        }
    }
    options
}

/// Pulls actuators to both ends, each in a simulation of its own.
fn simulate(
    ctx: &mut Context,
    model: &mut Model,
    actuators: &[usize],
    options: &LengthRangeOptions,
) {
    let pulled = model_for_length_range(model, options);
    let source = ctx.source;
    let found = side_by_side(actuators, |actuator| {
        let start = Moment::now();
        let keep_going = || !source.is_overdue() && start.elapsed() < LONGEST;
        find_length_range(&pulled, *actuator, options, keep_going)
    });
    for (actuator, range) in actuators.iter().zip(found) {
        match range {
            Ok(range) => model.unchecked().actuator_lengthrange[*actuator] = range,
            Err(error) => {
                let (place, element) = describe(ctx, *actuator);
                ctx.report
                    .error("mjcf::length-range", place, error.to_string())
                    .element(element)
                    .attribute("lengthrange")
                    .hint("give `lengthrange`, or limit what the actuator acts on");
            }
        }
    }
}

fn describe(ctx: &Context, actuator: usize) -> (Place, String) {
    let written = ctx.spec.actuators.get(actuator);
    let name = ctx.names.list(ObjectType::Actuator).get(actuator);
    (
        written.map_or(Place::default(), |written| written.table.place),
        format!("actuator \"{}\"", name.map_or("", String::as_str)),
    )
}

fn warn(ctx: &mut Context, actuator: usize, message: &str) {
    let (place, element) = describe(ctx, actuator);
    ctx.report
        .warning("mjcf::length-range", place, message)
        .element(element)
        .attribute("lengthrange")
        .hint("give `lengthrange`, or set `uselimit` in compiler/lengthrange");
}
