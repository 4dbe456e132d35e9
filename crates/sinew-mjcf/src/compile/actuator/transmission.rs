//! What an actuator acts on.

use super::record::Record;
use crate::compile::Context;
use crate::place::At;
use crate::spec::actuator::Actuator;
use sinew_model::kinds::{ObjectType, TransmissionType};

/// The kind of transmission and the ids of its objects; `usize::MAX` stands for no second object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transmission {
    pub kind: TransmissionType,
    pub trnid: [usize; 2],
}

/// Finds the target; what is missing or ambiguous is reported.
pub fn find(
    ctx: &mut Context,
    actuator: &Actuator,
    record: &Record,
    element: &str,
) -> Option<Transmission> {
    let table = &actuator.table;
    let targets = [
        (&table.joint, "joint", TransmissionType::Joint),
        (
            &table.jointinparent,
            "jointinparent",
            TransmissionType::Jointinparent,
        ),
        (&table.tendon, "tendon", TransmissionType::Tendon),
        (&table.cranksite, "cranksite", TransmissionType::Slidercrank),
        (&table.site, "site", TransmissionType::Site),
        (&table.body, "body", TransmissionType::Body),
    ];
    let mut given = targets
        .iter()
        .filter_map(|(name, attribute, kind)| Some((name.as_ref()?, *attribute, *kind)));
    let first = given.next();
    if let Some((name, attribute, _)) = given.next() {
        ctx.report
            .error(
                "mjcf::several-targets",
                name.place,
                "an actuator acts on one target only",
            )
            .element(element)
            .attribute(attribute);
        return None;
    }
    let Some((name, attribute, kind)) = first.filter(|(name, ..)| !name.value.is_empty()) else {
        ctx.report
            .error(
                "mjcf::missing-target",
                table.place,
                "the actuator has no transmission target",
            )
            .element(element)
            .hint("name what it acts on: joint, jointinparent, tendon, cranksite, site or body");
        return None;
    };
    check_companions(ctx, actuator, kind, element);

    let mut second = usize::MAX;
    match kind {
        TransmissionType::Slidercrank => {
            let slider = table.slidersite.as_ref().filter(|s| !s.value.is_empty());
            if let Some(slider) = slider {
                second = ctx.resolve(ObjectType::Site, slider, element, "slidersite")?;
            } else {
                ctx.report
                    .error(
                        "mjcf::missing-attribute",
                        table.place,
                        "a slider-crank needs `slidersite`",
                    )
                    .element(element)
                    .attribute("slidersite");
            }
            if record.cranklength <= 0.0 {
                let place = table.cranklength.as_ref().map_or(table.place, |c| c.place);
                ctx.report
                    .error(
                        "mjcf::invalid-actuator",
                        place,
                        "a slider-crank needs a positive `cranklength`",
                    )
                    .element(element)
                    .attribute("cranklength");
            }
        }
        TransmissionType::Site => {
            if let Some(reference) = table.refsite.as_ref().filter(|s| !s.value.is_empty()) {
                second = ctx.resolve(ObjectType::Site, reference, element, "refsite")?;
            }
        }
        _ => {}
    }
    let object = match kind {
        TransmissionType::Joint | TransmissionType::Jointinparent => ObjectType::Joint,
        TransmissionType::Tendon => ObjectType::Tendon,
        TransmissionType::Body => ObjectType::Body,
        _ => ObjectType::Site,
    };
    let target = ctx.resolve(object, name, element, attribute)?;
    Some(Transmission {
        kind,
        trnid: [target, second],
    })
}

/// Attributes that only mean something beside a certain target.
fn check_companions(ctx: &mut Context, actuator: &Actuator, kind: TransmissionType, element: &str) {
    let table = &actuator.table;
    let mut refuse = |place, attribute: &str, wanted: &str| {
        ctx.report
            .error(
                "mjcf::misplaced-attribute",
                place,
                format!("`{attribute}` can only be used with {wanted} transmission"),
            )
            .element(element)
            .attribute(attribute);
    };
    if kind != TransmissionType::Slidercrank {
        if let Some(At { place, .. }) = &table.cranklength {
            refuse(*place, "cranklength", "slider-crank");
        }
        if let Some(At { place, .. }) = &table.slidersite {
            refuse(*place, "slidersite", "slider-crank");
        }
    }
    if kind != TransmissionType::Site
        && let Some(At { place, .. }) = &table.refsite
    {
        refuse(*place, "refsite", "site");
    }
}
