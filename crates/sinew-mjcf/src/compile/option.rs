//! Physics options and flags: `opt`.

use super::Context;
use crate::place::{At, Place};
use crate::spec::value::Switch;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag};

/// More solver iterations than this cannot be meant.
const MOST_ITERATIONS: i32 = 1_000_000;

/// Actuator groups that can be disabled are the bits of a non-negative integer.
const MOST_GROUP: i32 = 30;

/// Fills `opt`.
pub fn compile(ctx: &mut Context, model: &mut Model) {
    let table = &ctx.spec.option;
    let options = &mut model.opt;
    macro_rules! copy {
        ($($field:ident),*) => { $(
            if let Some(written) = &table.$field {
                options.$field = written.value;
            }
        )* };
    }
    copy!(
        timestep,
        impratio,
        tolerance,
        ls_tolerance,
        noslip_tolerance,
        ccd_tolerance,
        sleep_tolerance,
        density,
        viscosity,
        o_margin
    );
    macro_rules! copy_vector {
        ($($field:ident),*) => { $(
            if let Some(At { value, .. }) = &table.$field {
                options.$field = Vec3(*value);
            }
        )* };
    }
    copy_vector!(gravity, wind, magnetic);
    macro_rules! copy_prefix {
        ($($field:ident),*) => { $(
            if let Some(written) = &table.$field {
                options.$field = written.value.over(options.$field);
            }
        )* };
    }
    copy_prefix!(o_solref, o_solimp, o_friction);
    macro_rules! copy_code {
        ($($field:ident),*) => { $(
            if let Some(written) = &table.$field {
                options.$field = written.value.code();
            }
        )* };
    }
    copy_code!(integrator, cone, jacobian, solver);
    let mut counts: Vec<(&str, &At<i32>)> = Vec::new();
    macro_rules! copy_count {
        ($($field:ident),*) => { $(
            if let Some(written) = &table.$field {
                options.$field = written.value;
                counts.push((stringify!($field), written));
            }
        )* };
    }
    copy_count!(
        iterations,
        ls_iterations,
        noslip_iterations,
        ccd_iterations,
        sdf_iterations,
        sdf_initpoints
    );
    for (attribute, count) in counts {
        if count.value > MOST_ITERATIONS {
            let message = format!("{attribute} is at most {MOST_ITERATIONS}");
            error(ctx, count.place, attribute, &message);
        }
    }
    if let Some(timestep) = &ctx.spec.option.timestep
        && (!timestep.value.is_finite() || timestep.value <= 0.0)
    {
        let message = "timestep must be positive and finite";
        error(ctx, timestep.place, "timestep", message);
    }
    groups(ctx, model);
    flags(ctx, model);
    check_statistics(ctx);
}

fn error(ctx: &mut Context, place: Place, attribute: &str, message: &str) {
    ctx.report
        .error("mjcf::invalid-option", place, message)
        .element("option")
        .attribute(attribute);
}

fn groups(ctx: &mut Context, model: &mut Model) {
    let Some(At { value, place }) = &ctx.spec.option.actuatorgroupdisable else {
        return;
    };
    for group in value {
        if (0..=MOST_GROUP).contains(group) {
            model.opt.disableactuator |= 1 << group;
        } else {
            let message = format!("actuator group {group} is not between 0 and {MOST_GROUP}");
            return error(ctx, *place, "actuatorgroupdisable", &message);
        }
    }
    if value.len() > 31 {
        let message = "at most 31 groups can be listed";
        error(ctx, *place, "actuatorgroupdisable", message);
    }
}

fn flags(ctx: &mut Context, model: &mut Model) {
    use {DisableFlag as D, EnableFlag as E};
    let flags = &ctx.spec.flags;
    let disable = [
        (&flags.constraint, D::Constraint),
        (&flags.equality, D::Equality),
        (&flags.frictionloss, D::Frictionloss),
        (&flags.limit, D::Limit),
        (&flags.contact, D::Contact),
        (&flags.spring, D::Spring),
        (&flags.damper, D::Damper),
        (&flags.gravity, D::Gravity),
        (&flags.clampctrl, D::Clampctrl),
        (&flags.warmstart, D::Warmstart),
        (&flags.filterparent, D::Filterparent),
        (&flags.actuation, D::Actuation),
        (&flags.refsafe, D::Refsafe),
        (&flags.sensor, D::Sensor),
        (&flags.midphase, D::Midphase),
        (&flags.eulerdamp, D::Eulerdamp),
        (&flags.autoreset, D::Autoreset),
        (&flags.nativeccd, D::Nativeccd),
        (&flags.island, D::Island),
    ];
    for (switch, flag) in disable {
        if let Some(At {
            value: Switch(false),
            ..
        }) = switch
        {
            model.opt.disableflags |= flag.code();
        }
    }
    let enable = [
        (&flags.override_, E::Override),
        (&flags.energy, E::Energy),
        (&flags.fwdinv, E::Fwdinv),
        (&flags.invdiscrete, E::Invdiscrete),
        (&flags.multiccd, E::Multiccd),
        (&flags.sleep, E::Sleep),
    ];
    for (switch, flag) in enable {
        if let Some(At {
            value: Switch(true),
            ..
        }) = switch
        {
            model.opt.enableflags |= flag.code();
        }
    }
}

/// Checks the statistics a user may set; they replace the computed ones at the end.
fn check_statistics(ctx: &mut Context) {
    let extent = ctx.spec.statistic.extent.as_ref();
    if let Some(extent) = extent.filter(|extent| extent.value <= 0.0) {
        ctx.report
            .error(
                "mjcf::invalid-statistic",
                extent.place,
                "extent must be positive",
            )
            .element("statistic")
            .attribute("extent");
    }
}
