//! Joints: type, axis, limits, reference angles.

use super::{Tree, element};
use crate::compile::Context;
use crate::compile::pose::{EPSILON, normalize, rotate};
use crate::place::{At, Place};
use crate::spec::tree as written;
use crate::spec::value::Tristate;
use core::f64::consts::PI;
use sinew_math::Vec3;
use sinew_model::joint::Layout;
use sinew_model::kinds::JointType;

/// A joint of the flattened tree.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name; empty if it has none.
    pub name: String,
    /// Where it was written.
    pub place: Place,
    /// What was written, completed by its class.
    pub table: Box<written::Joint>,
    /// The type its class has, whatever the joint itself says.
    pub class_kind: JointType,
    /// User data.
    pub user: Vec<f64>,
    /// The body it moves.
    pub body: usize,
    /// The frame it stands in.
    pub frame: Option<usize>,
    /// Whether a free body is moved to its inertial frame.
    pub align: Tristate,

    /// Type.
    pub kind: JointType,
    /// Anchor in the body frame.
    pub pos: Vec3,
    /// Axis in the body frame.
    pub axis: Vec3,
    /// Whether it has limits.
    pub is_limited: bool,
    /// Limits, radians for hinges and balls that are limited.
    pub range: [f64; 2],
    /// Whether the total actuator force is limited.
    pub is_force_limited: bool,
    /// Position at `qpos0`.
    pub reference: f64,
    /// Position of the spring at rest.
    pub springref: f64,
}

impl Default for Joint {
    fn default() -> Self {
        Joint {
            name: String::new(),
            place: Place::default(),
            table: Box::default(),
            class_kind: JointType::Hinge,
            user: Vec::new(),
            body: 0,
            frame: None,
            align: Tristate::Auto,
            kind: JointType::Hinge,
            pos: Vec3::ZERO,
            axis: Vec3::Z,
            is_limited: false,
            range: [0.0; 2],
            is_force_limited: false,
            reference: 0.0,
            springref: 0.0,
        }
    }
}

impl Joint {
    /// The type that was asked for.
    pub fn written_kind(&self) -> JointType {
        self.table
            .kind
            .as_ref()
            .map_or(JointType::Hinge, |at| at.value)
    }

    /// Which numbers it has.
    pub fn layout(&self) -> Layout {
        Layout::of(self.kind.code())
    }
}

/// Compiles a joint and returns its number of degrees of freedom.
pub fn compile(ctx: &mut Context, tree: &mut Tree, index: usize) -> usize {
    let joint = &mut tree.joints[index];
    let label = element("joint", &joint.name);
    let place = joint.place;
    joint.kind = joint.written_kind();
    let table = &joint.table;
    let layout = joint.layout();
    let is_angle = layout.angles || layout.turns;
    let has_axis = layout.is_scalar();
    let radians = if ctx.is_degree(place) {
        PI / 180.0
    } else {
        1.0
    };

    if let Some(at) = &table.springdamper {
        let [timeconst, dampratio] = at.value;
        if at.value != [0.0; 2] && (timeconst <= 0.0 || dampratio <= 0.0) {
            ctx.report
                .error(
                    "mjcf::invalid",
                    at.place,
                    "springdamper: both values must be positive",
                )
                .element(label.as_str())
                .attribute("springdamper");
        }
    }

    joint.range = pair(&table.range);
    joint.is_limited = joint.kind != JointType::Free
        && is_limited(ctx, place, &table.limited, &table.range, "", &label);
    if joint.is_limited {
        let range_place = table.range.as_ref().map_or(place, |at| at.place);
        let [low, high] = joint.range;
        if low >= high && joint.kind != JointType::Ball {
            ctx.report
                .error(
                    "mjcf::range",
                    range_place,
                    "range[0] should be smaller than range[1] in a limited joint",
                )
                .element(label.as_str())
                .attribute("range");
        }
        if low != 0.0 && joint.kind == JointType::Ball {
            ctx.report
                .error(
                    "mjcf::range",
                    range_place,
                    "range[0] should be 0 in a ball joint",
                )
                .element(label.as_str())
                .attribute("range")
                .hint("the range of a ball joint is the largest angle, written `0 angle`");
        }
        if is_angle {
            joint.range = [low * radians, high * radians];
        }
    }

    joint.is_force_limited = has_axis
        && is_limited(
            ctx,
            place,
            &table.actuatorfrclimited,
            &table.actuatorfrcrange,
            "actuatorfrc",
            &label,
        );
    if joint.is_force_limited {
        let [low, high] = pair(&table.actuatorfrcrange);
        if low >= high {
            ctx.report
                .error(
                    "mjcf::range",
                    table.actuatorfrcrange.as_ref().map_or(place, |at| at.place),
                    "actuatorfrcrange[0] should be smaller than actuatorfrcrange[1]",
                )
                .element(label.as_str())
                .attribute("actuatorfrcrange");
        }
    }

    let frame = joint.frame.map(|frame| tree.frames[frame]);
    let mut axis = Vec3::Z;
    if has_axis {
        axis = table.axis.as_ref().map_or(Vec3::Z, |at| Vec3(at.value));
        if let Some(frame) = &frame {
            axis = rotate(frame.quat, axis);
        }
        let (unit, length) = normalize(axis);
        if length < EPSILON {
            ctx.report
                .error(
                    "mjcf::axis",
                    table.axis.as_ref().map_or(place, |at| at.place),
                    "the axis of a joint is too short",
                )
                .element(label.as_str())
                .attribute("axis");
        }
        axis = unit;
    }
    joint.axis = axis;
    if joint.kind != JointType::Free {
        let pos = table.pos.as_ref().map_or(Vec3::ZERO, |at| Vec3(at.value));
        joint.pos = frame.map_or(pos, |frame| frame.transform(pos));
    }

    joint.reference = table.reference.as_ref().map_or(0.0, |at| at.value);
    joint.springref = table.springref.as_ref().map_or(0.0, |at| at.value);
    if layout.angles {
        joint.reference *= radians;
        joint.springref *= radians;
    }
    layout.dofs()
}

fn pair(range: &Option<At<[f64; 2]>>) -> [f64; 2] {
    range.as_ref().map_or([0.0; 2], |at| at.value)
}

/// Whether a limit is on. With `autolimits="false"` a range without a switch is an error.
/// `prefix` is what stands before `limited` and `range` in the attribute names.
pub fn is_limited(
    ctx: &mut Context,
    owner: Place,
    limited: &Option<At<Tristate>>,
    range: &Option<At<[f64; 2]>>,
    prefix: &str,
    label: &str,
) -> bool {
    let [low, high] = pair(range);
    match limited.as_ref().map_or(Tristate::Auto, |at| at.value) {
        Tristate::True => true,
        Tristate::False => false,
        Tristate::Auto => {
            if !ctx.has_autolimits(owner) && (low != 0.0 || high != 0.0) {
                ctx.report
                    .error(
                        "mjcf::autolimits",
                        range.as_ref().map_or(owner, |at| at.place),
                        format!("`{prefix}range` is given but not `{prefix}limited`"),
                    )
                    .element(label)
                    .attribute(format!("{prefix}range"))
                    .hint(format!(
                        "set autolimits=\"true\" in `compiler`, give `{prefix}limited`, or remove `{prefix}range`"
                    ));
            }
            low < high
        }
    }
}
