//! Equality constraints.
//!
//! `eq_data` holds what was written: anchor and relative pose of connects and welds, polynomial of
//! joint and tendon couplings, and a torque scale in the last place. Anchors on the second body and
//! unset relative poses follow from `qpos0` and are completed with the other constants.

use super::Context;
use super::pair::{SOLIMP, SOLREF, prefix};
use crate::place::{At, Place};
use crate::spec::constraint::{EqualityKind, EqualityTable};
use crate::spec::element::Element;
use sinew_model::ModelArrays;
use sinew_model::joint::Layout;
use sinew_model::kinds::{EqualityType, ObjectType};

/// The numbers of an equality before anything is written: a polynomial with slope 1, and a torque
/// scale of 1.
const DATA: [f64; 11] = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Appends the equality columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    model.neq = spec.equalities.len();
    for equality in &spec.equalities {
        if !ctx.has_time(equality.table.place) {
            return;
        }
        let kind = match equality.kind {
            EqualityKind::Connect => EqualityType::Connect,
            EqualityKind::Weld => EqualityType::Weld,
            EqualityKind::Joint => EqualityType::Joint,
            EqualityKind::Tendon => EqualityType::Tendon,
            EqualityKind::Flex => EqualityType::Flex,
            EqualityKind::FlexVert => EqualityType::Flexvert,
        };
        let element = match &equality.table.name {
            Some(name) => format!("equality \"{}\"", name.value),
            None => "equality".to_string(),
        };
        let class = ctx.class(equality.table.class.as_ref(), &element);
        let mut table = equality.table.clone();
        table.inherit(ctx.classes.equality(class));

        let Some(target) = target(ctx, model, equality.kind, &table, &element) else {
            continue;
        };
        model.eq_type.push(kind.code());
        model.eq_obj1id.push(target.ids[0]);
        model.eq_obj2id.push(target.ids[1]);
        model.eq_objtype.push(target.objtype.code());
        let is_active = table.active.as_ref().is_none_or(|active| active.value);
        model.eq_active0.push(u8::from(is_active));
        model.eq_solref.push(prefix(&table.solref, SOLREF));
        model.eq_solimp.push(prefix(&table.solimp, SOLIMP));
        model.eq_data.push(data(equality.kind, &table, &target));
    }
}

/// The objects a constraint ties together.
struct Target {
    ids: [i32; 2],
    /// Stored for connects and welds only.
    objtype: ObjectType,
}

fn target(
    ctx: &mut Context,
    model: &ModelArrays,
    kind: EqualityKind,
    table: &EqualityTable,
    element: &str,
) -> Option<Target> {
    let (object, objtype, first, second) = match kind {
        EqualityKind::Connect | EqualityKind::Weld => {
            if uses_sites(ctx, kind, table, element)? {
                let names = (&table.site1, &table.site2);
                (
                    ObjectType::Site,
                    ObjectType::Site,
                    (names.0, "site1"),
                    (names.1, "site2"),
                )
            } else {
                let names = (&table.body1, &table.body2);
                (
                    ObjectType::Body,
                    ObjectType::Body,
                    (names.0, "body1"),
                    (names.1, "body2"),
                )
            }
        }
        EqualityKind::Joint => (
            ObjectType::Joint,
            ObjectType::Unknown,
            (&table.joint1, "joint1"),
            (&table.joint2, "joint2"),
        ),
        EqualityKind::Tendon => (
            ObjectType::Tendon,
            ObjectType::Unknown,
            (&table.tendon1, "tendon1"),
            (&table.tendon2, "tendon2"),
        ),
        EqualityKind::Flex | EqualityKind::FlexVert => (
            ObjectType::Flex,
            ObjectType::Unknown,
            (&table.flex, "flex"),
            (&None, ""),
        ),
    };

    let Some(name) = first.0 else {
        ctx.missing(table.place, element, first.1);
        return None;
    };
    let id1 = ctx.resolve(object, name, element, first.1)?;
    let id2 = match second.0.as_ref().filter(|name| !name.value.is_empty()) {
        Some(name) => Some(ctx.resolve(object, name, element, second.1)?),
        // The other body of a connect or weld is the world; there is no such site.
        None if object == ObjectType::Body => Some(0),
        None if object == ObjectType::Site => {
            ctx.missing(table.place, element, second.1);
            return None;
        }
        None => None,
    };
    if Some(id1) == id2 {
        ctx.report
            .error(
                "mjcf::repeated-object",
                name.place,
                format!("`{}` is tied to itself", name.value),
            )
            .element(element)
            .attribute(first.1);
        return None;
    }
    if object == ObjectType::Flex && model.flex_rigid.get(id1) == Some(&1) {
        ctx.report
            .error(
                "mjcf::rigid-flex",
                name.place,
                format!("`{}` is rigid: there is nothing to hold", name.value),
            )
            .element(element)
            .attribute(first.1)
            .hint("all vertices of this flex have one body; leave out the constraint");
        return None;
    }
    if kind == EqualityKind::Joint {
        for (id, attribute) in [(Some(id1), first), (id2, second)] {
            let place = attribute.0.as_ref().map_or(table.place, |name| name.place);
            check_scalar_joint(ctx, model, id, place, element, attribute.1);
        }
    }
    Some(Target {
        ids: [id1 as i32, id2.map_or(-1, |id| id as i32)],
        objtype,
    })
}

/// Whether a connect or weld is given by two sites rather than by bodies.
fn uses_sites(
    ctx: &mut Context,
    kind: EqualityKind,
    table: &EqualityTable,
    element: &str,
) -> Option<bool> {
    let has_site = table.site1.is_some() || table.site2.is_some();
    let has_body = table.body1.is_some()
        || table.body2.is_some()
        || table.anchor.is_some()
        || table.relpose.is_some();
    if has_site && has_body {
        ctx.report
            .error(
                "mjcf::mixed-semantics",
                table.place,
                "either bodies or sites are tied together, not both",
            )
            .element(element)
            .hint("give site1 and site2 alone, or body1 with anchor");
        return None;
    }
    let by_site = table.site1.is_some() && table.site2.is_some();
    let by_body = table.body1.is_some() && (kind == EqualityKind::Weld || table.anchor.is_some());
    if by_site == by_body {
        let needed = if kind == EqualityKind::Connect {
            "a connect needs body1 and anchor, or site1 and site2"
        } else {
            "a weld needs body1, or site1 and site2"
        };
        ctx.report
            .error("mjcf::missing-attribute", table.place, needed)
            .element(element);
        return None;
    }
    Some(by_site)
}

fn check_scalar_joint(
    ctx: &mut Context,
    model: &ModelArrays,
    id: Option<usize>,
    place: Place,
    element: &str,
    attribute: &str,
) {
    let Some(code) = id.and_then(|id| model.jnt_type.get(id)) else {
        return;
    };
    if !Layout::of(*code).is_scalar() {
        ctx.report
            .error(
                "mjcf::wrong-joint-type",
                place,
                "only hinge and slide joints can be coupled",
            )
            .element(element)
            .attribute(attribute);
    }
}

fn data(kind: EqualityKind, table: &EqualityTable, target: &Target) -> [f64; 11] {
    let mut data = DATA;
    let mut put = |first: usize, numbers: &[f64]| {
        for (to, from) in data.iter_mut().skip(first).zip(numbers) {
            *to = *from;
        }
    };
    match kind {
        EqualityKind::Connect | EqualityKind::Weld => {
            let anchor = table.anchor.as_ref().map(|At { value, .. }| *value);
            match anchor {
                Some(anchor) => put(0, &anchor),
                None if kind == EqualityKind::Weld && target.objtype == ObjectType::Body => {
                    put(0, &[0.0; 3]);
                }
                None => {}
            }
            if let Some(relpose) = &table.relpose {
                put(3, &relpose.value);
            }
            if let Some(scale) = &table.torquescale {
                put(10, &[scale.value]);
            }
        }
        _ => {
            if let Some(polycoef) = &table.polycoef {
                let count = polycoef.value.count.min(5);
                put(0, polycoef.value.values.get(..count).unwrap_or(&[]));
            }
        }
    }
    data
}
