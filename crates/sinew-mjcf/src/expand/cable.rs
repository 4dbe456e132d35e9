//! The cable: the one composite that is left. A chain of bodies along a curve.
//!
//! `count` points lie on a curve (or are given by `vertex`); each edge between two of them becomes
//! a body whose x axis is the edge, with a geom from end to end, a ball joint to the body before,
//! and an exclude with the body after. The first body may be free, on a ball joint or fixed. Both
//! ends get a site; boxes get a skin. The frames follow the curve without twisting about it: the
//! normal is carried over each vertex by the rotation that takes one edge to the next.
//!
//! Points are 32-bit numbers and so are their differences; everything after is 64-bit.
//! Conforms to `mjCComposite::MakeCable`.

use super::{cable_skin, plugins};
use crate::compile::pose;
use crate::place::{At, Place};
use crate::spec::asset::Skin;
use crate::spec::constraint::Exclude;
use crate::spec::extra::{PluginInstance, TextField};
use crate::spec::tree::{Body, Child, Composite, Geom, GeomTable, Joint, Plugin, Site};
use crate::spec::value::{CompositeType, Prefix};
use sinew_math::arc::atan2;
use sinew_math::sine::{cos, sin};
use sinew_math::{Quat, Vec3};
use sinew_model::kinds::{GeomType, JointType};

/// The class of everything a composite makes: it inherits from nothing.
pub const NEUTRAL_CLASS: &str = "composite default";

/// What a cable turns into.
pub struct Cable {
    /// The chain, outermost body first.
    pub root: Child,
    /// Neighbours do not collide.
    pub excludes: Vec<Exclude>,
    /// The note that the model has this composite.
    pub text: TextField,
    /// The skin of a cable of boxes.
    pub skin: Option<Skin>,
    /// Plugin name and the instance that all bodies share, if the cable declares one.
    pub instance: Option<(String, PluginInstance)>,
}

/// Why there is no cable: attribute, place, message.
pub struct CableError {
    /// Where.
    pub place: Place,
    /// The attribute at fault, if one is.
    pub attribute: Option<&'static str>,
    /// What is wrong.
    pub message: String,
}

/// The shape of a cable, checked.
pub struct Plan {
    count: usize,
    points: Option<Vec<[f32; 3]>>,
}

/// Checks a composite, before anything is made.
pub fn plan(composite: &Composite) -> Result<Plan, CableError> {
    let table = &composite.table;
    let fail = |attribute, message: &str| CableError {
        place: table.place,
        attribute,
        message: message.to_string(),
    };
    let count = counts(composite)?;
    let size = table
        .size
        .as_ref()
        .map_or([1.0, 0.0, 0.0], |at| at.value.over([1.0, 0.0, 0.0]));
    let vertex = table.vertex.as_ref().map(|at| &at.value);
    let vertex = vertex.filter(|numbers| !numbers.is_empty());
    if size.iter().map(|s| s * s).sum::<f64>() < 1e-15 && vertex.is_none() {
        return Err(fail(
            Some("size"),
            "a composite needs a positive spacing or length",
        ));
    }
    let points: Option<Vec<[f32; 3]>> = vertex.map(|numbers| {
        numbers
            .chunks_exact(3)
            .map(|point| match point {
                [x, y, z] => [*x, *y, *z],
                _ => [0.0; 3],
            })
            .collect()
    });
    let mut count = count;
    if let Some(points) = &points {
        if count[0] > 1 {
            return Err(fail(
                Some("count"),
                "give the points of a composite by `vertex` or by `count`, not both",
            ));
        }
        count = [points.len(), 1, count[2]];
    }
    let first_single = count.iter().position(|n| *n == 1).unwrap_or(3);
    if count.iter().skip(first_single).any(|n| *n > 1) {
        return Err(fail(Some("count"), "counts of 1 must come last"));
    }
    if let Some(kind) = &table.kind {
        let instead = match kind.value {
            CompositeType::Cable => None,
            CompositeType::Particle => Some("replicate"),
            CompositeType::Grid => Some("flex"),
            CompositeType::Rope => Some("composite type=\"cable\""),
            CompositeType::Loop | CompositeType::Cloth => Some("flexcomp"),
        };
        if let Some(instead) = instead {
            return Err(CableError {
                place: kind.place,
                attribute: Some("type"),
                message: format!("this type of composite no longer exists; use `{instead}`"),
            });
        }
    } else {
        return Err(fail(Some("type"), "a composite needs a `type`"));
    }
    if first_single != 1 {
        return Err(fail(
            Some("count"),
            "a cable has one dimension: the first count only",
        ));
    }
    let kind = composite.geom.as_ref().and_then(|geom| geom.kind.as_ref());
    let is_allowed = kind.is_some_and(|kind| {
        matches!(
            kind.value,
            GeomType::Cylinder | GeomType::Capsule | GeomType::Box
        )
    });
    if !is_allowed {
        return Err(fail(
            None,
            "the geom of a cable must be a cylinder, a capsule or a box",
        ));
    }
    if let Some(second) = composite.joints.get(1) {
        return Err(CableError {
            place: second.place,
            attribute: None,
            message: "a cable has one joint element".to_string(),
        });
    }
    if let Some(plugin) = composite.plugins.first() {
        let name = plugin.table.plugin.as_ref().map(|at| at.value.as_str());
        if name.is_some_and(|name| name != "mujoco.elasticity.cable") {
            return Err(CableError {
                place: plugin.table.place,
                attribute: Some("plugin"),
                message: "a composite can only have the plugin `mujoco.elasticity.cable`"
                    .to_string(),
            });
        }
    }
    Ok(Plan {
        count: count[0],
        points,
    })
}

impl Plan {
    /// Number of points.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of elements that will be made: each link is a body with a geom, a joint and an
    /// exclude; each vertex of the skin counts, too.
    pub fn elements(&self, composite: &Composite) -> usize {
        let skin = match geom_kind(composite) {
            GeomType::Box => cable_skin::vertices(composite, self.count),
            _ => 0,
        };
        self.count.saturating_mul(4).saturating_add(skin)
    }
}

fn counts(composite: &Composite) -> Result<[usize; 3], CableError> {
    let Some(at) = &composite.table.count else {
        return Ok([1; 3]);
    };
    let mut out = [1usize; 3];
    for (count, value) in out.iter_mut().zip(at.value.over([1.0; 3])) {
        if !(value >= 1.0 && value <= f64::from(i32::MAX) && value.fract() == 0.0) {
            return Err(CableError {
                place: at.place,
                attribute: Some("count"),
                message: "counts of a composite must be positive whole numbers".to_string(),
            });
        }
        *count = value as usize;
    }
    Ok(out)
}

/// Makes the cable.
pub fn make(composite: &Composite, plan: Plan) -> Result<Cable, CableError> {
    let table = &composite.table;
    let prefix = table.prefix.as_ref().map_or("", |at| at.value.as_str());
    let points = match plan.points {
        Some(points) => points,
        None => curve_points(composite, plan.count)?,
    };
    let names = Naming {
        prefix,
        last: plan.count.saturating_sub(2),
    };
    let place = table.place;
    let links = links(&points);
    let mut root: Option<Body> = None;
    let mut excludes = Vec::new();
    // From the last link to the first, so that each body is complete before it is put into the
    // one before.
    for (index, link) in links.iter().enumerate().rev() {
        let mut body = link_body(composite, &names, index, link);
        if let Some(after) = root.take() {
            body.children.push(Child::Body(Box::new(after)));
        }
        if index != names.last {
            excludes.push(Exclude {
                place,
                body1: Some(At::new(names.body(index), place)),
                body2: Some(At::new(names.body_after(index), place)),
                ..Exclude::default()
            });
        }
        root = Some(body);
    }
    excludes.reverse();
    let Some(root) = root else {
        return Err(CableError {
            place,
            attribute: Some("count"),
            message: "a cable needs at least two points".to_string(),
        });
    };
    let is_box = geom_kind(composite) == GeomType::Box;
    Ok(Cable {
        root: Child::Body(Box::new(root)),
        excludes,
        text: TextField {
            place,
            name: Some(At::new(format!("composite_{prefix}"), place)),
            data: Some(At::new(format!("rope_{prefix}"), place)),
        },
        skin: is_box.then(|| cable_skin::make(composite, prefix, plan.count)),
        instance: plugins::shared_instance(composite.plugins.first(), instance_name(prefix)),
    })
}

/// Position and orientation of a link in the link before, and its length.
struct Link {
    pos: Vec3,
    quat: Quat,
    length: f64,
}

fn links(points: &[[f32; 3]]) -> Vec<Link> {
    let edges: Vec<Vec3> = points
        .windows(2)
        .map(|pair| match pair {
            [a, b] => Vec3([b[0] - a[0], b[1] - a[1], b[2] - a[2]].map(f64::from)),
            _ => Vec3::ZERO,
        })
        .collect();
    let mut out: Vec<Link> = Vec::with_capacity(edges.len());
    let mut normal = Vec3([0.0, 1.0, 0.0]);
    let mut before: Option<(Vec3, Quat)> = None;
    for (index, edge) in edges.iter().enumerate() {
        let tangent = pose::normalize(*edge).0;
        let quat;
        let (pos, local) = match before {
            None => {
                // The binormal of the first vertex serves the first edge.
                let next = edges
                    .get(index + 1)
                    .map_or(Vec3::ZERO, |next| pose::normalize(*next).0);
                let binormal = pose::normalize(tangent.cross(next)).0;
                normal = pose::normalize(binormal.cross(tangent)).0;
                quat = pose::from_axes(tangent, normal, binormal);
                let start = points.first().copied().unwrap_or_default();
                (Vec3(start.map(f64::from)), quat)
            }
            Some((edge_before, quat_before)) => {
                // Carry the normal around the vertex.
                let (tangent_before, length) = pose::normalize(edge_before);
                let (axis, sine) = pose::normalize(tangent_before.cross(tangent));
                let angle = atan2(sine, tangent_before.dot(tangent));
                let turn = Quat::from_axis_angle(axis, angle);
                normal = pose::normalize(pose::rotate(turn, normal)).0;
                let binormal = pose::normalize(tangent.cross(normal)).0;
                quat = pose::from_axes(tangent, normal, binormal);
                (
                    Vec3([length, 0.0, 0.0]),
                    pose::product(quat_before.conjugate(), quat),
                )
            }
        };
        out.push(Link {
            pos,
            quat: local,
            length: edge.dot(*edge).sqrt(),
        });
        before = Some((*edge, quat));
    }
    out
}

/// Points on the curve: each coordinate is the arc length, a cosine or sine of it, or zero.
fn curve_points(composite: &Composite, count: usize) -> Result<Vec<[f32; 3]>, CableError> {
    let table = &composite.table;
    let mut shape = ["0"; 3];
    if let Some(at) = &table.curve {
        let words: Vec<&str> = at.value.split_whitespace().collect();
        let fail = |message: &str| CableError {
            place: at.place,
            attribute: Some("curve"),
            message: message.to_string(),
        };
        if words.len() > 3 {
            return Err(fail("`curve` has at most three words"));
        }
        for (slot, word) in shape.iter_mut().zip(words) {
            if !["s", "cos(s)", "sin(s)", "0"].contains(&word) {
                return Err(fail("the words of `curve` are s, cos(s), sin(s) and 0"));
            }
            *slot = word;
        }
    }
    let size = table
        .size
        .as_ref()
        .map_or([1.0, 0.0, 0.0], |at| at.value.over([1.0, 0.0, 0.0]));
    let quat = Quat(table.quat.as_ref().map_or(Quat::IDENTITY.0, |at| at.value));
    let steps = count.saturating_sub(1) as f64;
    let mut out = Vec::with_capacity(count);
    for index in 0..count {
        let index = index as f64;
        let v = shape.map(|word| match word {
            "s" => index * size[0] / steps,
            "cos(s)" => size[1] * cos(core::f64::consts::PI * index * size[2] / steps),
            "sin(s)" => size[1] * sin(core::f64::consts::PI * index * size[2] / steps),
            _ => 0.0,
        });
        out.push(pose::rotate(quat, Vec3(v)).0.map(|x| x as f32));
    }
    Ok(out)
}

/// Names of the parts.
struct Naming<'a> {
    prefix: &'a str,
    /// Index of the last link.
    last: usize,
}

impl Naming<'_> {
    fn part(&self, letter: &str, index: usize) -> String {
        let prefix = self.prefix;
        if index == 0 {
            format!("{prefix}{letter}_first")
        } else if index == self.last {
            format!("{prefix}{letter}_last")
        } else {
            format!("{prefix}{letter}_{index}")
        }
    }

    fn body(&self, index: usize) -> String {
        self.part("B", index)
    }

    /// The body after a link, as the exclude names it: after the first one it goes by its number
    /// even if it is the last.
    fn body_after(&self, index: usize) -> String {
        if index == 0 {
            format!("{}B_1", self.prefix)
        } else {
            self.part("B", index + 1)
        }
    }
}

fn geom_kind(composite: &Composite) -> GeomType {
    composite
        .geom
        .as_ref()
        .and_then(|geom| geom.kind.as_ref())
        .map_or(GeomType::Sphere, |at| at.value)
}

fn link_body(composite: &Composite, names: &Naming, index: usize, link: &Link) -> Body {
    let table = &composite.table;
    let place = table.place;
    let at = |text: String| Some(At::new(text, place));
    let neutral = || at(NEUTRAL_CLASS.to_string());
    let is_first = index == 0;
    let is_last = index == names.last;

    let mut body = Body::default();
    body.table.place = place;
    body.table.name = at(names.body(index));
    let mut pos = link.pos;
    if is_first {
        let offset = table.offset.as_ref().map_or([0.0; 3], |at| at.value);
        pos = Vec3(offset) + pos;
    }
    body.table.pos = Some(At::new(pos.0, place));
    body.table.quat = Some(At::new(link.quat.0, place));

    let mut geom = GeomTable {
        name: at(format!("{}G{index}", names.prefix)),
        class: neutral(),
        ..composite.geom.clone().unwrap_or_default()
    };
    if geom_kind(composite) == GeomType::Box {
        let size = geom
            .size
            .as_ref()
            .map_or([0.0; 3], |at| at.value.over([0.0; 3]));
        geom.pos = Some(At::new([link.length / 2.0, 0.0, 0.0], place));
        geom.size = Some(At::new(
            Prefix {
                values: [link.length / 2.0, size[1], size[2]],
                count: 3,
            },
            place,
        ));
    } else {
        geom.fromto = Some(At::new([0.0, 0.0, 0.0, link.length, 0.0, 0.0], place));
    }
    body.children.push(Child::Geom(Box::new(Geom {
        table: geom,
        plugins: Vec::new(),
    })));

    if let Some(plugin) = composite.plugins.first() {
        let mut shared: Plugin = plugin.clone();
        shared.config.clear();
        if shared.table.instance.is_none() {
            shared.table.instance = at(instance_name(names.prefix));
        }
        body.children.push(Child::Plugin(Box::new(shared)));
    }

    let initial = table
        .initial
        .as_ref()
        .map_or("ball", |at| at.value.as_str());
    if !is_first || initial != "none" {
        let mut joint = link_joint(composite);
        joint.name = at(names.part("J", index));
        joint.class = neutral();
        if is_first && initial == "free" {
            joint.kind = Some(At::new(JointType::Free, place));
            joint.damping = None;
            joint.armature = None;
            joint.frictionloss = None;
        }
        body.children.push(Child::Joint(Box::new(joint)));
    }

    if is_first || is_last {
        let mut site = Site {
            name: at(names.part("S", index)),
            class: neutral(),
            ..composite.site.clone().unwrap_or_default()
        };
        site.group.get_or_insert(At::new(3, place));
        let x = if is_last { link.length } else { 0.0 };
        site.pos = Some(At::new([x, 0.0, 0.0], place));
        body.children.push(Child::Site(Box::new(site)));
    }
    body
}

fn link_joint(composite: &Composite) -> Joint {
    let place = composite.table.place;
    let written = composite.joints.first().cloned().unwrap_or_default();
    // `limited` is accepted and never read; `type` gives way to the ball.
    Joint {
        place,
        kind: Some(At::new(JointType::Ball, place)),
        group: written.group.or(Some(At::new(3, place))),
        axis: written.axis,
        stiffness: written.stiffness,
        damping: written.damping,
        armature: written.armature,
        range: written.range,
        margin: written.margin,
        solreflimit: written.solreflimit,
        solimplimit: written.solimplimit,
        frictionloss: written.frictionloss,
        solreffriction: written.solreffriction,
        solimpfriction: written.solimpfriction,
        ..Joint::default()
    }
}

fn instance_name(prefix: &str) -> String {
    format!("composite{prefix}")
}
