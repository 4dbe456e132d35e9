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
        match limits_of_target(model, i).filter(|_| copies_limits) {
            Some(range) => model.actuator_lengthrange[i] = range,
            None => leave_to_simulation(ctx, i),
        }
    }
}

/// The range of the joint or tendon an actuator acts on, if that is limited.
fn limits_of_target(model: &Model, actuator: usize) -> Option<[f64; 2]> {
    let target = usize::try_from(model.actuator_trnid[actuator][0]).ok()?;
    let (limited, range) = match TransmissionType::from_code(model.actuator_trntype[actuator])? {
        TransmissionType::Joint | TransmissionType::Jointinparent => {
            (model.jnt_limited.get(target)?, model.jnt_range.get(target)?)
        }
        TransmissionType::Tendon => (
            model.tendon_limited.get(target)?,
            model.tendon_range.get(target)?,
        ),
        _ => return None,
    };
    (*limited != 0).then_some(*range)
}

/// The one place where a length range found by simulation will be filled in. Until stepping with
/// limits exists the range stays as written, usually (0, 0).
fn leave_to_simulation(ctx: &mut Context, actuator: usize) {
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
