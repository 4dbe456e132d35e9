//! Joints of a robot.

use super::node::{self, Numbers, Origin};
use crate::compile::pose;
use crate::place::{At, Place};
use crate::read::xml::Node;
use crate::report::Report;
use crate::spec::tree::{Child, Joint};
use crate::spec::value::Tristate;
use sinew_math::Vec3;
use sinew_model::kinds::JointType;

/// A joint element read.
pub struct Read {
    /// Name of the link it moves.
    pub child: String,
    /// Where that link sits in its parent.
    pub origin: Origin,
    /// The joints it turns into; none if it is fixed.
    pub joints: Vec<Child>,
}

const TYPES: &str = "one of: revolute, continuous, prismatic, fixed, floating, planar, spherical";

/// Reads a joint.
pub fn read(node: &Node, report: &mut Report) -> Option<Read> {
    let kind = node::text(node, "type", report)?;
    let name = node::text(node, "name", report)?;
    let child = node::text(node::only_required(node, "child", report)?, "link", report)?;
    let origin = Origin::read(node, report);
    let mut axis = [1.0, 0.0, 0.0];
    if let Some(element) = node::only(node, "axis", report) {
        axis = element.numbers("xyz", report)?;
    }
    let make = |kind: JointType, suffix: &str, axis: [f64; 3]| {
        joint(kind, format!("{}{suffix}", name.value), axis, node.place)
    };
    let mut joints = match kind.value.as_str() {
        "revolute" | "continuous" => vec![make(JointType::Hinge, "", axis)],
        "prismatic" => vec![make(JointType::Slide, "", axis)],
        "floating" => vec![make(JointType::Free, "", axis)],
        "spherical" => vec![make(JointType::Ball, "", axis)],
        "planar" => {
            // Two slides in the plane and a hinge about its normal.
            let m = pose::from_z_to(Vec3(axis)).to_mat().0;
            vec![
                make(JointType::Slide, "_TX", [m[0], m[3], m[6]]),
                make(JointType::Slide, "_TY", [m[1], m[4], m[7]]),
                make(JointType::Hinge, "_RZ", axis),
            ]
        }
        "fixed" => Vec::new(),
        _ => {
            let message = format!(
                "unknown type \"{}\" of a joint",
                crate::spec::value::shorten(&kind.value)
            );
            report
                .error("urdf::keyword", kind.place, message)
                .element("joint")
                .attribute("type")
                .hint(TYPES);
            return None;
        }
    };
    if !joints.is_empty() {
        dynamics(node, &mut joints, report);
        if let Some(first) = joints.first_mut() {
            limit(node, first, report);
        }
    }
    Some(Read {
        child: child.value,
        origin,
        joints: joints
            .into_iter()
            .map(|joint| Child::Joint(Box::new(joint)))
            .collect(),
    })
}

fn joint(kind: JointType, name: String, axis: [f64; 3], place: Place) -> Joint {
    Joint {
        place,
        name: Some(At::new(name, place)),
        kind: Some(At::new(kind, place)),
        axis: (kind != JointType::Free).then(|| At::new(axis, place)),
        ..Joint::default()
    }
}

fn dynamics(node: &Node, joints: &mut [Joint], report: &mut Report) {
    let Some(element) = node::only(node, "dynamics", report) else {
        return;
    };
    let damping = element.given::<1>("damping", report);
    let friction = element.given::<1>("friction", report);
    for (attribute, value) in [("damping", damping), ("friction", friction)] {
        if value.is_some_and(|[value]| value < 0.0) {
            let message = format!("{attribute} of a joint is below 0");
            report
                .warning("urdf::too-small", element.place, message)
                .element("joint/dynamics")
                .attribute(attribute);
        }
    }
    for joint in joints {
        joint.damping = damping.map(|[value]| At::new(value, element.place));
        joint.frictionloss = friction.map(|[value]| At::new(value, element.place));
    }
}

/// Limits apply to the first joint only. A range with one end, or with its ends swapped, counts as
/// none.
fn limit(node: &Node, joint: &mut Joint, report: &mut Report) {
    let Some(element) = node::only(node, "limit", report) else {
        return;
    };
    let lower = element.given::<1>("lower", report);
    let upper = element.given::<1>("upper", report);
    let range = [
        lower.map_or(0.0, |[value]| value),
        upper.map_or(0.0, |[value]| value),
    ];
    joint.range = Some(At::new(range, element.place));
    let has_one_end = lower.is_some() != upper.is_some();
    if has_one_end || range[0] > range[1] {
        joint.limited = Some(At::new(Tristate::False, element.place));
        let (attribute, message) = if has_one_end {
            ("lower", "a limit with one end only is no limit".to_string())
        } else {
            let [low, high] = range;
            let message = format!("lower {low} is above upper {high}: the joint has no limits");
            ("lower", message)
        };
        report
            .warning("urdf::limits", element.place, message)
            .element("joint/limit")
            .attribute(attribute)
            .hint("give `lower` and `upper` in increasing order");
    }
    let effort = element.given::<1>("effort", report);
    let effort = effort.map_or(0.0, |[value]| value.abs());
    if effort > 0.0 {
        joint.actuatorfrcrange = Some(At::new([-effort, effort], element.place));
    }
}
