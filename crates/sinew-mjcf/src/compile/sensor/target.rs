//! What a sensor is attached to, and what it is measured against.

use super::error;
use super::table::{Condition, Row, Target};
use crate::compile::Context;
use crate::compile::context::kind_word;
use crate::place::{At, Place};
use crate::spec::sensor::{Sensor, SensorTable};
use sinew_model::ModelArrays;
use sinew_model::joint::Layout;
use sinew_model::kinds::{GeomType, JointType, ObjectType};

/// The objects of a sensor; −1 stands for none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attached {
    pub objtype: ObjectType,
    pub objid: i32,
    pub reftype: ObjectType,
    pub refid: i32,
}

impl Attached {
    const NOTHING: Attached = Attached {
        objtype: ObjectType::Unknown,
        objid: -1,
        reftype: ObjectType::Unknown,
        refid: -1,
    };

    fn to(objtype: ObjectType, objid: usize) -> Self {
        Attached {
            objtype,
            objid: objid as i32,
            ..Attached::NOTHING
        }
    }

    fn against(mut self, reftype: ObjectType, refid: usize) -> Self {
        self.reftype = reftype;
        self.refid = refid as i32;
        self
    }
}

/// Kinds of object that have a frame.
const FRAMES: [(&str, ObjectType); 5] = [
    ("body", ObjectType::Body),
    ("xbody", ObjectType::Xbody),
    ("geom", ObjectType::Geom),
    ("site", ObjectType::Site),
    ("camera", ObjectType::Camera),
];

/// Finds the objects of a sensor; what is missing or unfit is reported.
pub fn find(
    ctx: &mut Context,
    model: &ModelArrays,
    row: &Row,
    sensor: &Sensor,
    element: &str,
) -> Option<Attached> {
    let table = &sensor.table;
    match row.target {
        Target::Global => Some(Attached::NOTHING),
        Target::Object(kind, condition) => {
            let name = attribute_of(table, kind);
            let id = required(ctx, name, kind, table.place, element)?;
            check_condition(ctx, model, kind, condition, id, name, element);
            Some(Attached::to(kind, id))
        }
        Target::SiteInCamera => {
            let site = required(ctx, &table.site, ObjectType::Site, table.place, element)?;
            let kind = ObjectType::Camera;
            let camera = required(ctx, &table.camera, kind, table.place, element)?;
            let resolution = model.cam_resolution.get(camera).copied().unwrap_or([0; 2]);
            if resolution.contains(&0) {
                let message = "the camera needs a resolution";
                error(ctx, table.place, element, "camera", message);
            }
            Some(Attached::to(ObjectType::Site, site).against(kind, camera))
        }
        Target::Rays => {
            if table.site.is_some() == table.camera.is_some() {
                let message = "exactly one of site and camera is needed";
                error(ctx, table.place, element, "site", message);
                return None;
            }
            let (name, kind) = if table.site.is_some() {
                (&table.site, ObjectType::Site)
            } else {
                (&table.camera, ObjectType::Camera)
            };
            let id = required(ctx, name, kind, table.place, element)?;
            Some(Attached::to(kind, id))
        }
        Target::FrameWithoutReference => frame(ctx, table, element),
        Target::Frame => {
            let attached = frame(ctx, table, element)?;
            let Some(reftype) = &table.reftype else {
                if let Some(name) = &table.refname {
                    let message = "refname is given but reftype is missing";
                    error(ctx, name.place, element, "refname", message);
                    return None;
                }
                return Some(attached);
            };
            let kind = frame_kind(ctx, reftype, element, "reftype")?;
            let Some(name) = &table.refname else {
                ctx.missing(table.place, element, "refname");
                return None;
            };
            let id = ctx.resolve(kind, name, element, "refname")?;
            Some(attached.against(kind, id))
        }
        Target::FrameInSite => {
            let site = required(ctx, &table.site, ObjectType::Site, table.place, element)?;
            Some(frame(ctx, table, element)?.against(ObjectType::Site, site))
        }
        Target::Distance => distance(ctx, model, table, element),
        Target::Contact => contact(ctx, table, element),
        Target::MeshOnGeom => {
            let geom = required(ctx, &table.geom, ObjectType::Geom, table.place, element)?;
            let mesh = required(ctx, &table.mesh, ObjectType::Mesh, table.place, element)?;
            Some(Attached::to(ObjectType::Mesh, mesh).against(ObjectType::Geom, geom))
        }
        Target::User => user(ctx, table, element),
        Target::Plugin => plugin(ctx, table, element),
    }
}

fn attribute_of(table: &SensorTable, kind: ObjectType) -> &Option<At<String>> {
    match kind {
        ObjectType::Site => &table.site,
        ObjectType::Joint => &table.joint,
        ObjectType::Tendon => &table.tendon,
        ObjectType::Actuator => &table.actuator,
        _ => &table.body,
    }
}

fn required(
    ctx: &mut Context,
    name: &Option<At<String>>,
    kind: ObjectType,
    place: Place,
    element: &str,
) -> Option<usize> {
    match name {
        Some(name) => ctx.resolve(kind, name, element, kind_word(kind)),
        None => {
            ctx.missing(place, element, kind_word(kind));
            None
        }
    }
}

fn check_condition(
    ctx: &mut Context,
    model: &ModelArrays,
    kind: ObjectType,
    condition: Condition,
    id: usize,
    name: &Option<At<String>>,
    element: &str,
) {
    let joint = model.jnt_type.get(id).copied();
    let limited = match kind {
        ObjectType::Tendon => model.tendon_limited.get(id),
        _ => model.jnt_limited.get(id),
    };
    let message = match condition {
        Condition::ScalarJoint if !joint.is_some_and(|code| Layout::of(code).is_scalar()) => {
            "the joint must be slide or hinge"
        }
        Condition::BallJoint if joint != Some(JointType::Ball.code()) => "the joint must be a ball",
        Condition::Limited if limited.is_none_or(|limited| *limited == 0) => {
            "what a limit sensor watches must be limited"
        }
        _ => return,
    };
    let place = name.as_ref().map_or(Place::default(), |name| name.place);
    error(ctx, place, element, kind_word(kind), message);
}

fn frame_kind(
    ctx: &mut Context,
    word: &At<String>,
    element: &str,
    attribute: &str,
) -> Option<ObjectType> {
    let kind = FRAMES.iter().find(|(known, _)| *known == word.value);
    if kind.is_none() {
        ctx.report
            .error(
                "mjcf::keyword",
                word.place,
                format!("`{}` is not a kind of object with a frame", word.value),
            )
            .element(element)
            .attribute(attribute)
            .hint("one of: body, xbody, geom, site, camera");
    }
    kind.map(|(_, kind)| *kind)
}

fn frame(ctx: &mut Context, table: &SensorTable, element: &str) -> Option<Attached> {
    let (Some(objtype), Some(objname)) = (&table.objtype, &table.objname) else {
        let attribute = if table.objtype.is_none() {
            "objtype"
        } else {
            "objname"
        };
        ctx.missing(table.place, element, attribute);
        return None;
    };
    let kind = frame_kind(ctx, objtype, element, "objtype")?;
    let id = ctx.resolve(kind, objname, element, "objname")?;
    Some(Attached::to(kind, id))
}

fn distance(
    ctx: &mut Context,
    model: &ModelArrays,
    table: &SensorTable,
    element: &str,
) -> Option<Attached> {
    let mut side = |geom: &Option<At<String>>, body: &Option<At<String>>, which: [&str; 2]| {
        let (name, kind, attribute) = match (geom, body) {
            (Some(geom), None) => (geom, ObjectType::Geom, which[0]),
            (None, Some(body)) => (body, ObjectType::Body, which[1]),
            _ => {
                let message = format!("exactly one of {} and {} is needed", which[0], which[1]);
                error(ctx, table.place, element, which[0], &message);
                return None;
            }
        };
        let id = ctx.resolve(kind, name, element, attribute)?;
        let code = model.geom_type.get(id).copied();
        if kind == ObjectType::Geom && code == Some(GeomType::Hfield.code()) {
            let message = "distance to a height field is not available";
            error(ctx, name.place, element, attribute, message);
        }
        Some((kind, id))
    };
    let first = side(&table.geom1, &table.body1, ["geom1", "body1"]);
    let second = side(&table.geom2, &table.body2, ["geom2", "body2"]);
    let (first, second) = (first?, second?);
    if first == second {
        let message = "the first object must be another than the second";
        error(ctx, table.place, element, "", message);
    }
    Some(Attached::to(first.0, first.1).against(second.0, second.1))
}

fn contact(ctx: &mut Context, table: &SensorTable, element: &str) -> Option<Attached> {
    type Choice<'a> = (&'a Option<At<String>>, &'static str, ObjectType);
    let mut choose = |choices: &[Choice]| {
        let mut given = choices
            .iter()
            .filter_map(|(name, attribute, kind)| Some((name.as_ref()?, *attribute, *kind)));
        let first = given.next();
        if let Some((name, attribute, _)) = given.next() {
            let words: Vec<&str> = choices.iter().map(|choice| choice.1).collect();
            let message = format!("at most one of {} can be given", words.join(", "));
            error(ctx, name.place, element, attribute, &message);
            return None;
        }
        match first {
            Some((name, attribute, kind)) => {
                Some(Some((kind, ctx.resolve(kind, name, element, attribute)?)))
            }
            None => Some(None),
        }
    };
    let first = choose(&[
        (&table.site, "site", ObjectType::Site),
        (&table.body1, "body1", ObjectType::Body),
        (&table.subtree1, "subtree1", ObjectType::Xbody),
        (&table.geom1, "geom1", ObjectType::Geom),
    ]);
    let second = choose(&[
        (&table.body2, "body2", ObjectType::Body),
        (&table.subtree2, "subtree2", ObjectType::Xbody),
        (&table.geom2, "geom2", ObjectType::Geom),
    ]);
    let mut attached = Attached::NOTHING;
    if let Some((kind, id)) = first? {
        attached = Attached::to(kind, id);
    }
    if let Some((kind, id)) = second? {
        attached = attached.against(kind, id);
    }
    Some(attached)
}

fn user(ctx: &mut Context, table: &SensorTable, element: &str) -> Option<Attached> {
    match (&table.objtype, &table.objname) {
        (None, None) => Some(Attached::NOTHING),
        (Some(objtype), Some(objname)) => {
            let Some(kind) = crate::compile::tuple::object_kind(&objtype.value) else {
                ctx.report
                    .warning(
                        "mjcf::keyword",
                        objtype.place,
                        format!("`{}` is not a kind of object: ignored", objtype.value),
                    )
                    .element(element)
                    .attribute("objtype");
                return Some(Attached::NOTHING);
            };
            let id = ctx.resolve(kind, objname, element, "objname")?;
            Some(Attached::to(kind, id))
        }
        (Some(objtype), None) => {
            let message = "objtype is given but objname is missing";
            error(ctx, objtype.place, element, "objtype", message);
            None
        }
        (None, Some(objname)) => {
            let message = "objname is given but objtype is missing";
            error(ctx, objname.place, element, "objname", message);
            None
        }
    }
}

/// A plugin's sensor may have an object and a reference of any kind.
fn plugin(ctx: &mut Context, table: &SensorTable, element: &str) -> Option<Attached> {
    let mut side = |objtype: &Option<At<String>>, name: &Option<At<String>>, words: [&str; 2]| {
        let kind = objtype
            .as_ref()
            .and_then(|word| crate::compile::tuple::object_kind(&word.value));
        let name = name.as_ref().filter(|name| !name.value.is_empty());
        match (kind, name) {
            (None, None) => Some(None),
            (Some(kind), Some(name)) => {
                Some(Some((kind, ctx.resolve(kind, name, element, words[1])?)))
            }
            (kind, _) => {
                let [given, lacking] = if kind.is_some() {
                    words
                } else {
                    [words[1], words[0]]
                };
                let message = format!("{given} is given but {lacking} is not");
                error(ctx, table.place, element, given, &message);
                None
            }
        }
    };
    let object = side(&table.objtype, &table.objname, ["objtype", "objname"]);
    let reference = side(&table.reftype, &table.refname, ["reftype", "refname"]);
    let mut attached = Attached::NOTHING;
    if let Some((kind, id)) = object? {
        attached = Attached::to(kind, id);
    }
    if let Some((kind, id)) = reference? {
        attached = attached.against(kind, id);
    }
    Some(attached)
}
