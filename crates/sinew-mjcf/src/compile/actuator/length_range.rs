//! The range of lengths an actuator can take, by which muscles are normalised.
//!
//! Which actuators need one is said by `compiler/lengthrange mode`. A range that was written is
//! kept (`useexisting`), or the limits of the target are copied (`uselimit`). Everything else the
//! reference finds by pulling the actuator to both ends in a simulation.

use crate::compile::Context;
use crate::spec::settings::LengthRange;
use sinew_model::Model;
use sinew_model::kinds::{BiasType, GainType, LengthRangeMode, ObjectType, TransmissionType};

/// Fills `actuator_lengthrange`.
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
            Some(range) => model.actuator_lengthrange[i] = range,
            None => leave_to_simulation(ctx, model, i, copies_limits),
        }
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

/// The one place where a length range found by simulation will be filled in. Until stepping with
/// limits exists the limits of the target stand in where they may, since a simulation ends just
/// beyond them; otherwise the range stays as written, usually (0, 0).
fn leave_to_simulation(ctx: &mut Context, model: &mut Model, actuator: usize, copies_limits: bool) {
    let target = model.actuator_trnid[actuator][0];
    if let Some(range) = limits(model, actuator, target).filter(|_| copies_limits) {
        model.actuator_lengthrange[actuator] = range;
        return;
    }
    warn(
        ctx,
        actuator,
        "the length range has to be found by simulation, which is not supported yet: it stays as written",
    );
}

fn warn(ctx: &mut Context, actuator: usize, message: &str) {
    let Some(written) = ctx.spec.actuators.get(actuator) else {
        return;
    };
    let name = ctx.names.list(ObjectType::Actuator).get(actuator);
    let element = format!("actuator \"{}\"", name.map_or("", String::as_str));
    ctx.report
        .warning("mjcf::length-range", written.table.place, message)
        .element(element)
        .attribute("lengthrange")
        .hint("give `lengthrange`, or set `uselimit` in compiler/lengthrange");
}
