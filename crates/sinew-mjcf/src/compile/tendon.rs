//! Tendons and the objects along their paths.
//!
//! A path is stored as rows of (kind, object, parameter): a joint with its coefficient, a pulley
//! with its divisor, a site, or a wrapping sphere or cylinder with the id of its side site (−1:
//! none). Rest lengths of −1 and everything at `qpos0` is completed with the other constants.

use super::Context;
use super::limits::{check_automatic, is_limited};
use super::pair::{SOLIMP, SOLREF, prefix};
use super::userdata::UserData;
use crate::place::Place;
use crate::spec::constraint::{PathElement, PathGeom, PathJoint, Tendon, TendonTable};
use crate::spec::element::Element;
use crate::spec::value::Tristate;
use sinew_model::ModelArrays;
use sinew_model::joint::Layout;
use sinew_model::kinds::{GeomType, ObjectType, WrapType};

/// Appends the tendon and wrap columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    let mut tables = Vec::with_capacity(spec.tendons.len());
    for tendon in &spec.tendons {
        if !ctx.has_time(tendon.table.place) {
            return;
        }
        let class = ctx.class(tendon.table.class.as_ref(), &describe(tendon));
        let mut table = tendon.table.clone();
        table.inherit(ctx.classes.tendon(class));
        tables.push(table);
    }
    let user = UserData::new(
        ctx,
        "nuser_tendon",
        spec.size.nuser_tendon.as_ref(),
        tables
            .iter()
            .map(|t| t.user.as_ref().map_or(0, |u| u.value.len())),
    );
    model.ntendon = tables.len();
    model.nuser_tendon = user.width();
    for (tendon, table) in spec.tendons.iter().zip(&tables) {
        if !ctx.has_time(tendon.table.place) {
            return;
        }
        let element = describe(tendon);
        let first = model.nwrap;
        path(ctx, model, tendon, &element);
        let count = model.nwrap - first;
        model.tendon_adr.push(first as i32);
        model.tendon_num.push(count as i32);
        check(ctx, model, tendon, table, &element, first);
        user.push(ctx, &mut model.tendon_user, table.user.as_ref(), &element);
        push(ctx, model, table, &element);
    }
}

fn describe(tendon: &Tendon) -> String {
    let word = if tendon.is_spatial {
        "spatial"
    } else {
        "fixed"
    };
    match &tendon.table.name {
        Some(name) => format!("{word} \"{}\"", name.value),
        None => word.to_string(),
    }
}

/// Appends the objects of a path.
fn path(ctx: &mut Context, model: &mut ModelArrays, tendon: &Tendon, element: &str) {
    for step in &tendon.path {
        if !ctx.has_time(place_of(step)) {
            return;
        }
        let row = match step {
            PathElement::Joint(joint) => joint_row(ctx, model, joint, element),
            PathElement::Site(site) => match &site.site {
                Some(name) => ctx
                    .resolve(ObjectType::Site, name, element, "site")
                    .map(|id| (WrapType::Site, id as i32, 0.0)),
                None => {
                    ctx.missing(site.place, element, "site");
                    None
                }
            },
            PathElement::Geom(geom) => geom_row(ctx, model, geom, element),
            PathElement::Pulley(pulley) => match &pulley.divisor {
                Some(divisor) => {
                    // The reference loads a divisor of 0 and then divides by it.
                    if divisor.value.is_nan() || divisor.value <= 0.0 {
                        let message = "a pulley needs a positive divisor";
                        error(ctx, divisor.place, element, "divisor", message);
                    }
                    Some((WrapType::Pulley, -1, divisor.value))
                }
                None => {
                    ctx.missing(pulley.place, element, "divisor");
                    None
                }
            },
        };
        let (kind, id, prm) = row.unwrap_or((WrapType::None, -1, 0.0));
        model.wrap_type.push(kind.code());
        model.wrap_objid.push(id);
        model.wrap_prm.push(prm);
        model.nwrap += 1;
    }
}

fn joint_row(
    ctx: &mut Context,
    model: &ModelArrays,
    step: &PathJoint,
    element: &str,
) -> Option<(WrapType, i32, f64)> {
    let (Some(name), Some(coef)) = (&step.joint, &step.coef) else {
        let attribute = if step.joint.is_none() {
            "joint"
        } else {
            "coef"
        };
        ctx.missing(step.place, element, attribute);
        return None;
    };
    let id = ctx.resolve(ObjectType::Joint, name, element, "joint")?;
    let kind = model.jnt_type.get(id).copied();
    if kind.is_some_and(|code| !Layout::of(code).is_scalar()) {
        ctx.report
            .warning(
                "mjcf::tendon-joint",
                name.place,
                "only the first coordinate of a ball or free joint takes part in a fixed tendon",
            )
            .element(element)
            .attribute("joint");
    }
    Some((WrapType::Joint, id as i32, coef.value))
}

fn geom_row(
    ctx: &mut Context,
    model: &ModelArrays,
    step: &PathGeom,
    element: &str,
) -> Option<(WrapType, i32, f64)> {
    let Some(name) = &step.geom else {
        ctx.missing(step.place, element, "geom");
        return None;
    };
    let id = ctx.resolve(ObjectType::Geom, name, element, "geom")?;
    let kind = match model
        .geom_type
        .get(id)
        .copied()
        .and_then(GeomType::from_code)
    {
        Some(GeomType::Sphere) => WrapType::Sphere,
        Some(GeomType::Cylinder) => WrapType::Cylinder,
        _ => {
            let message = format!("geom `{}` is neither sphere nor cylinder", name.value);
            error(ctx, name.place, element, "geom", &message);
            return None;
        }
    };
    let side = match step.sidesite.as_ref().filter(|side| !side.value.is_empty()) {
        Some(side) => ctx.resolve(ObjectType::Site, side, element, "sidesite")? as f64,
        None => -1.0,
    };
    Some((kind, id as i32, side))
}

fn error(ctx: &mut Context, place: Place, element: &str, attribute: &str, message: &str) {
    let entry = ctx
        .report
        .error("mjcf::invalid-tendon", place, message)
        .element(element);
    if !attribute.is_empty() {
        entry.attribute(attribute);
    }
}

/// Checks path and attributes of one tendon; its path starts at wrap row `first`.
fn check(
    ctx: &mut Context,
    model: &ModelArrays,
    tendon: &Tendon,
    table: &TendonTable,
    element: &str,
    first: usize,
) {
    let place = tendon.table.place;
    let steps: Vec<(WrapType, i32)> = model
        .wrap_type
        .iter()
        .zip(&model.wrap_objid)
        .skip(first)
        .map(|(kind, id)| (WrapType::from_code(*kind).unwrap_or(WrapType::None), *id))
        .collect();
    if steps.is_empty() {
        return error(ctx, place, element, "", "the path cannot be empty");
    }
    let is_spatial = !matches!(tendon.path.first(), Some(PathElement::Joint(_)));
    if is_spatial {
        check_spatial(ctx, tendon, table, element, &steps);
    } else {
        for step in &tendon.path {
            if !matches!(step, PathElement::Joint(_)) {
                let message = "a fixed tendon has joints only";
                error(ctx, place_of(step), element, "", message);
            }
        }
        let mut joints: Vec<i32> = steps
            .iter()
            .map(|step| step.1)
            .filter(|id| *id >= 0)
            .collect();
        joints.sort_unstable();
        if joints.windows(2).any(|pair| pair[0] == pair[1]) {
            ctx.report
                .warning(
                    "mjcf::tendon-joint",
                    place,
                    "a joint stands twice in this tendon",
                )
                .element(element);
        }
    }

    let limited = tristate(&table.limited, Tristate::Auto);
    let range = pair(&table.range);
    check_automatic(ctx, place, element, "", limited, range);
    if is_limited(limited, range) && range[0] >= range[1] {
        let message = "range: the first number must be below the second";
        error(ctx, place, element, "range", message);
    }
    // Unlike every other limit this one is off unless asked for.
    let limited = tristate(&table.actuatorfrclimited, Tristate::False);
    let range = pair(&table.actuatorfrcrange);
    check_automatic(ctx, place, element, "actuatorfrc", limited, range);
    if is_limited(limited, range) && (range[0] >= range[1] || range[0] > 0.0 || range[1] < 0.0) {
        let message = "actuatorfrcrange must be increasing and contain 0";
        error(ctx, place, element, "actuatorfrcrange", message);
    }
    if let Some(length) = &table.springlength
        && length.value.0[0] > length.value.0[1]
    {
        let message = "springlength: the first number must not exceed the second";
        error(ctx, length.place, element, "springlength", message);
    }
    for (attribute, value) in [
        ("stiffness", &table.stiffness),
        ("damping", &table.damping),
        ("frictionloss", &table.frictionloss),
        ("armature", &table.armature),
        ("margin", &table.margin),
    ] {
        if let Some(value) = value.as_ref().filter(|value| value.value < 0.0) {
            let message = format!("negative {attribute}");
            ctx.report
                .warning("mjcf::negative-value", value.place, message)
                .element(element)
                .attribute(attribute);
        }
    }
}

fn check_spatial(
    ctx: &mut Context,
    tendon: &Tendon,
    table: &TendonTable,
    element: &str,
    steps: &[(WrapType, i32)],
) {
    let place = tendon.table.place;
    if steps.len() < 2 {
        error(
            ctx,
            place,
            element,
            "",
            "a spatial path needs at least two objects",
        );
    }
    if let Some(width) = table.width.as_ref().filter(|width| width.value <= 0.0) {
        error(ctx, width.place, element, "width", "width must be positive");
    }
    let armature = table
        .armature
        .as_ref()
        .map_or(0.0, |armature| armature.value);
    if armature < 0.0 {
        error(
            ctx,
            place,
            element,
            "armature",
            "armature cannot be negative",
        );
    }
    let kind = |i: usize| steps.get(i).map(|step| step.0);
    for (i, (step, written)) in steps.iter().zip(&tendon.path).enumerate() {
        let place = place_of(written);
        let before = i.checked_sub(1).and_then(kind);
        let after = kind(i + 1);
        let is_end = |side: Option<WrapType>| side.is_none_or(|kind| kind == WrapType::Pulley);
        match step.0 {
            WrapType::Pulley => {
                if before == Some(WrapType::Pulley) {
                    error(ctx, place, element, "", "two pulleys in a row");
                }
                if after.is_none() {
                    error(ctx, place, element, "", "the path ends with a pulley");
                }
            }
            WrapType::Site => {
                if is_end(before) && is_end(after) {
                    let message = "a site needs a neighbour that is not a pulley";
                    error(ctx, place, element, "", message);
                }
                if after == Some(WrapType::Site) && steps.get(i + 1).map(|s| s.1) == Some(step.1) {
                    error(ctx, place, element, "", "the same site twice in a row");
                }
            }
            WrapType::Sphere | WrapType::Cylinder => {
                if before != Some(WrapType::Site) || after != Some(WrapType::Site) {
                    let message = "a wrapping geom must stand between two sites";
                    error(ctx, place, element, "", message);
                }
                if armature > 0.0 {
                    let message = "a tendon with armature cannot wrap around geoms";
                    error(ctx, place, element, "armature", message);
                }
            }
            WrapType::Joint => {
                error(ctx, place, element, "", "a spatial tendon has no joints");
            }
            WrapType::None => {}
        }
    }
}

fn place_of(step: &PathElement) -> Place {
    match step {
        PathElement::Site(site) => site.place,
        PathElement::Geom(geom) => geom.place,
        PathElement::Pulley(pulley) => pulley.place,
        PathElement::Joint(joint) => joint.place,
    }
}

fn tristate(written: &Option<crate::place::At<Tristate>>, otherwise: Tristate) -> Tristate {
    written.as_ref().map_or(otherwise, |written| written.value)
}

fn pair(written: &Option<crate::place::At<[f64; 2]>>) -> [f64; 2] {
    written.as_ref().map_or([0.0; 2], |written| written.value)
}

/// Appends the row of one tendon, its path aside.
fn push(ctx: &mut Context, model: &mut ModelArrays, table: &TendonTable, element: &str) {
    let number = |written: &Option<crate::place::At<f64>>, otherwise: f64| {
        written.as_ref().map_or(otherwise, |written| written.value)
    };
    let material = super::material::find(ctx, &table.material, element);
    model.tendon_matid.push(material);
    model
        .tendon_group
        .push(table.group.as_ref().map_or(0, |group| group.value));
    let range = pair(&table.range);
    let limited = is_limited(tristate(&table.limited, Tristate::Auto), range);
    model.tendon_limited.push(u8::from(limited));
    model.tendon_range.push(range);
    let range = pair(&table.actuatorfrcrange);
    let limited = is_limited(tristate(&table.actuatorfrclimited, Tristate::False), range);
    model.tendon_actfrclimited.push(u8::from(limited));
    model.tendon_actfrcrange.push(range);
    model.tendon_width.push(number(&table.width, 0.003));
    model
        .tendon_solref_lim
        .push(prefix(&table.solreflimit, SOLREF));
    model
        .tendon_solimp_lim
        .push(prefix(&table.solimplimit, SOLIMP));
    model
        .tendon_solref_fri
        .push(prefix(&table.solreffriction, SOLREF));
    model
        .tendon_solimp_fri
        .push(prefix(&table.solimpfriction, SOLIMP));
    model.tendon_margin.push(number(&table.margin, 0.0));
    model.tendon_stiffness.push(number(&table.stiffness, 0.0));
    model.tendon_damping.push(number(&table.damping, 0.0));
    model.tendon_armature.push(number(&table.armature, 0.0));
    model
        .tendon_frictionloss
        .push(number(&table.frictionloss, 0.0));
    let spring = table.springlength.as_ref();
    model
        .tendon_lengthspring
        .push(spring.map_or([-1.0; 2], |length| length.value.0));
    let rgba = table.rgba.as_ref();
    model
        .tendon_rgba
        .push(rgba.map_or([0.5, 0.5, 0.5, 1.0], |rgba| rgba.value));
    // Filled later, with the structure of the trees and the constants at qpos0.
    model.tendon_treenum.push(0);
    model.tendon_treeid.push([0; 2]);
    model.tendon_length0.push(0.0);
    model.tendon_invweight0.push(0.0);
}
