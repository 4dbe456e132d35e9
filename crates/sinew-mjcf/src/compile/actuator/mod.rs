//! Actuators: from any of the ten elements to one row of the actuator columns.
//!
//! `record` merges element and class, `shortcut` says what each element means,
//! `transmission` finds what the actuator acts on, [`length_range`] fills the range muscles are
//! normalised by. This file checks the merged record and writes the row.

pub mod length_range;
pub(crate) mod record;
mod shortcut;
mod transmission;

use super::Context;
use super::law;
use super::limits::{check_automatic, is_limited};
use super::plugin::pid_activations;
use super::userdata::{MOST_STATE_NUMBERS, UserData};
use crate::place::Place;
use crate::spec::actuator::{Actuator, ActuatorKind};
use crate::spec::value::Tristate;
use record::Record;
use sinew_model::ModelArrays;
use sinew_model::joint::Layout;
use sinew_model::kinds::{BiasType, DynamicsType, GainType, TransmissionType};
use transmission::Transmission;

/// The most samples a history buffer may have: the cursor must be exact even in single precision.
pub(super) const MOST_SAMPLES: i32 = 1 << 24;

/// Appends the actuator columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    let classes = record::classes(spec, ctx.report);
    let mut records = Vec::with_capacity(spec.actuators.len());
    for actuator in &spec.actuators {
        if !ctx.has_time(actuator.table.place) {
            return;
        }
        let element = describe(actuator);
        let class = ctx.class(actuator.table.class.as_ref(), &element);
        let mut record = classes.get(class).cloned().unwrap_or_default();
        record.apply(actuator, &element, ctx.report);
        records.push(record);
    }

    let user = UserData::new(
        ctx,
        "nuser_actuator",
        spec.size.nuser_actuator.as_ref(),
        records
            .iter()
            .map(|r| r.user.as_ref().map_or(0, |u| u.value.len())),
    );
    model.nu = records.len();
    model.nuser_actuator = user.width();
    for (id, (actuator, mut record)) in spec.actuators.iter().zip(records).enumerate() {
        if !ctx.has_time(actuator.table.place) {
            return;
        }
        let element = describe(actuator);
        let place = actuator.table.place;
        let Some(transmission) = transmission::find(ctx, actuator, &record, &element) else {
            continue;
        };
        if let Some(gain) = &record.sinew_gain {
            if let Some(law) = law::read(ctx, gain, &element, "sinew_gain") {
                ctx.laws.gain.insert(id, law);
            }
            // It may ask for the control of the step before.
            record.nsample = record.nsample.max(1);
        }
        inherit_range(ctx, model, place, &element, &mut record, transmission);
        check(ctx, place, &element, actuator.kind, &record);
        user.push(
            ctx,
            &mut model.actuator_user,
            record.user.as_ref(),
            &element,
        );
        push(ctx, model, place, &element, &record, transmission);
        plugin(ctx, model, id, place, &element);
    }
}

/// How messages name an actuator.
fn describe(actuator: &Actuator) -> String {
    let word = actuator.kind.word();
    match &actuator.table.name {
        Some(name) => format!("{word} \"{}\"", name.value),
        None => word.to_string(),
    }
}

fn error(ctx: &mut Context, place: Place, element: &str, attribute: &str, message: &str) {
    ctx.report
        .error("mjcf::invalid-actuator", place, message)
        .element(element)
        .attribute(attribute);
}

/// `inheritrange`: the control (or activation) range becomes the range of the target, shrunk or
/// stretched about its middle.
fn inherit_range(
    ctx: &mut Context,
    model: &ModelArrays,
    place: Place,
    element: &str,
    record: &mut Record,
    transmission: Transmission,
) {
    // Only where control and transmission length mean the same: servos on a position.
    let is_servo = record.gaintype == GainType::Fixed
        && record.biastype == BiasType::Affine
        && record.gainprm[0] == -record.biasprm[1];
    if !is_servo || record.inheritrange.is_nan() || record.inheritrange <= 0.0 {
        return;
    }
    let is_activation = match record.dyntype {
        DynamicsType::None | DynamicsType::Filterexact => false,
        DynamicsType::Integrator => true,
        _ => {
            let message = "inheritrange is only available for position and intvelocity actuators";
            return error(ctx, place, element, "inheritrange", message);
        }
    };
    let target = transmission.trnid[0];
    let range = match transmission.kind {
        TransmissionType::Joint => {
            let kind = model.jnt_type.get(target).copied();
            if !kind.is_some_and(|code| Layout::of(code).is_scalar()) {
                let message = "inheritrange can only be used with hinge and slide joints";
                return error(ctx, place, element, "inheritrange", message);
            }
            model.jnt_range.get(target).copied()
        }
        TransmissionType::Tendon => model.tendon_range.get(target).copied(),
        _ => {
            let message = "inheritrange can only be used with joint and tendon transmission";
            return error(ctx, place, element, "inheritrange", message);
        }
    };
    let Some([low, high]) = range.filter(|range| range[0] != range[1]) else {
        let message = "inheritrange is used but the target has no range";
        return error(ctx, place, element, "inheritrange", message);
    };
    let mean = 0.5 * (high + low);
    let radius = 0.5 * (high - low) * record.inheritrange;
    let inherited = [mean - radius, mean + radius];
    if is_activation {
        record.actrange = inherited;
    } else {
        record.ctrlrange = inherited;
    }
}

/// Checks that need the whole merged record.
fn check(ctx: &mut Context, place: Place, element: &str, kind: ActuatorKind, record: &Record) {
    let limits = [
        ("force", record.forcelimited, record.forcerange),
        ("ctrl", record.ctrllimited, record.ctrlrange),
        ("act", record.actlimited, record.actrange),
    ];
    for (word, limited, range) in limits {
        check_automatic(ctx, place, element, word, limited, range);
        if is_limited(limited, range) && range[0] >= range[1] {
            let attribute = format!("{word}range");
            let message = if range == [0.0; 2] {
                format!("{attribute} is needed here, with its first number below its second")
            } else {
                format!("{attribute}: the first number must be below the second")
            };
            ctx.report
                .error("mjcf::invalid-range", place, message)
                .element(element)
                .attribute(attribute);
        }
    }
    let is_stateless = record.dyntype == DynamicsType::None;
    if is_limited(record.actlimited, record.actrange) && is_stateless {
        let message = "activation is limited but the actuator has none: dyntype is none";
        error(ctx, place, element, "actrange", message);
    }
    if kind != ActuatorKind::Plugin {
        if record.actdim > 1 && record.dyntype != DynamicsType::User {
            let message = "actdim above 1 is only allowed with dyntype user";
            error(ctx, place, element, "actdim", message);
        }
        if record.actdim == 1 && is_stateless {
            error(
                ctx,
                place,
                element,
                "actdim",
                "actdim 1 in a stateless actuator",
            );
        }
        if record.actdim == 0 && !is_stateless {
            error(
                ctx,
                place,
                element,
                "actdim",
                "actdim 0 in a stateful actuator",
            );
        }
    }
    if record.gaintype == GainType::Muscle {
        check_muscle(ctx, place, element, &record.gainprm);
    }
    if record.biastype == BiasType::Muscle {
        check_muscle(ctx, place, element, &record.biasprm);
    }
    if record.delay > 0.0 && record.nsample <= 0 {
        error(
            ctx,
            place,
            element,
            "delay",
            "a delay needs a history buffer: give nsample",
        );
    }
    if record.nsample > MOST_SAMPLES {
        let message = format!("nsample is at most {MOST_SAMPLES}");
        error(ctx, place, element, "nsample", &message);
    }
}

fn check_muscle(ctx: &mut Context, place: Place, element: &str, prm: &[f64; 10]) {
    let [low, high, _, scale, lmin, lmax, vmax, fpmax, fvmax, _] = *prm;
    if low >= high {
        let message = "a muscle's range needs its first number below its second";
        error(ctx, place, element, "range", message);
    }
    if lmin >= 1.0 || lmax <= 1.0 {
        error(
            ctx,
            place,
            element,
            "lmin",
            "a muscle needs lmin < 1 < lmax",
        );
    }
    for (attribute, value) in [
        ("scale", scale),
        ("vmax", vmax),
        ("fpmax", fpmax),
        ("fvmax", fvmax),
    ] {
        if value <= 0.0 {
            let message = format!("a muscle needs a positive {attribute}");
            error(ctx, place, element, attribute, &message);
        }
    }
}

fn push(
    ctx: &mut Context,
    model: &mut ModelArrays,
    place: Place,
    element: &str,
    record: &Record,
    transmission: Transmission,
) {
    let id = |id: usize| i32::try_from(id).unwrap_or(-1);
    model.actuator_trntype.push(transmission.kind.code());
    model.actuator_dyntype.push(record.dyntype.code());
    model.actuator_gaintype.push(record.gaintype.code());
    model.actuator_biastype.push(record.biastype.code());
    let second = transmission.trnid[1];
    model.actuator_trnid.push([
        id(transmission.trnid[0]),
        if second == usize::MAX { -1 } else { id(second) },
    ]);

    let count = match usize::try_from(record.actdim) {
        Ok(count) => count,
        Err(_) => usize::from(record.dyntype != DynamicsType::None),
    };
    model
        .actuator_actadr
        .push(if count > 0 { id(model.na) } else { -1 });
    model.actuator_actnum.push(id(count));
    model.na = model.na.saturating_add(count);
    if model.na > MOST_STATE_NUMBERS {
        too_large(ctx, place, element, "actdim", "activations");
        model.na = 0;
    }

    model.actuator_group.push(record.group);
    model.actuator_delay.push(record.delay);
    model
        .actuator_history
        .push([record.nsample, record.interp as i32]);
    match usize::try_from(record.nsample) {
        Ok(samples) if samples > 0 => {
            model.actuator_historyadr.push(id(model.nhistory));
            // user value, cursor, times, values
            model.nhistory = model.nhistory.saturating_add(2 + 2 * samples);
        }
        _ => model.actuator_historyadr.push(-1),
    }
    if model.nhistory > MOST_STATE_NUMBERS {
        too_large(ctx, place, element, "nsample", "numbers in history buffers");
        model.nhistory = 0;
    }

    let limited = |limited: Tristate, range: [f64; 2]| u8::from(is_limited(limited, range));
    model
        .actuator_ctrllimited
        .push(limited(record.ctrllimited, record.ctrlrange));
    model
        .actuator_forcelimited
        .push(limited(record.forcelimited, record.forcerange));
    model
        .actuator_actlimited
        .push(limited(record.actlimited, record.actrange));
    model.actuator_actearly.push(u8::from(record.actearly));
    model.actuator_cranklength.push(record.cranklength);
    model.actuator_gear.push(record.gear);
    model.actuator_dynprm.push(record.dynprm);
    model.actuator_gainprm.push(record.gainprm);
    model.actuator_biasprm.push(record.biasprm);
    model.actuator_ctrlrange.push(record.ctrlrange);
    model.actuator_forcerange.push(record.forcerange);
    model.actuator_actrange.push(record.actrange);
    model.actuator_lengthrange.push(record.lengthrange);
    // Filled later: constants at qpos0.
    model.actuator_acc0.push(0.0);
    model.actuator_length0.push(0.0);
}

/// Stores the plugin instance of an actuator and checks that it has room for its activations.
fn plugin(ctx: &mut Context, model: &mut ModelArrays, id: usize, place: Place, element: &str) {
    let Some((instance, settings)) = ctx.plugins.of_actuator(id) else {
        model.actuator_plugin.push(-1);
        return;
    };
    model.actuator_plugin.push(instance as i32);
    let mut expected = pid_activations(settings);
    let is_negative = |attribute| settings.number(attribute).is_some_and(|n| n < 0.0);
    let is_slew_negative = is_negative("slewmax");
    let integral = settings.number("ki").unwrap_or(0.0);
    let is_clamp_negative = settings
        .number("imax")
        .is_some_and(|most| integral != 0.0 && most / integral < 0.0);
    let dynamics = model.actuator_dyntype.last().copied();
    if let Some(DynamicsType::Integrator | DynamicsType::Filter | DynamicsType::Filterexact) =
        dynamics.and_then(DynamicsType::from_code)
    {
        expected += 1;
    }
    if model.actuator_actnum.last() != Some(&expected) {
        let message = format!("this controller needs actdim=\"{expected}\"");
        error(ctx, place, element, "actdim", &message);
    }
    if is_slew_negative || is_clamp_negative {
        let message = "slewmax and imax of a controller cannot be negative";
        error(ctx, place, element, "", message);
    }
}

fn too_large(ctx: &mut Context, place: Place, element: &str, attribute: &str, what: &str) {
    ctx.report
        .error("mjcf::too-large", place, format!("too many {what}"))
        .element(element)
        .attribute(attribute);
}
