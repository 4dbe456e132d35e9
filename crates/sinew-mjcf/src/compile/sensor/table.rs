//! All sensor types in one table.

use sinew_model::kinds::{DataType, ObjectType, SensorType, Stage};

/// What a sensor is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// One object, named by the attribute of its kind.
    Object(ObjectType, Condition),
    /// A site, seen through the camera that is stored as reference.
    SiteInCamera,
    /// A site or a camera; one output record per ray.
    Rays,
    /// An object with a frame, named by `objtype` and `objname`; a reference frame is allowed.
    Frame,
    /// The same without reference frame.
    FrameWithoutReference,
    /// An object with a frame, in the volume of the site that is stored as reference.
    FrameInSite,
    /// Two geoms or bodies.
    Distance,
    /// Up to two geoms, bodies, subtrees, or a site.
    Contact,
    /// A mesh; the geom is stored as reference.
    MeshOnGeom,
    /// Nothing.
    Global,
    /// Whatever `objtype` and `objname` say, if anything.
    User,
    /// As the plugin says.
    Plugin,
}

/// What the object must be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Anything will do.
    Any,
    /// A slide or hinge joint.
    ScalarJoint,
    /// A ball joint.
    BallJoint,
    /// A joint or tendon with limits.
    Limited,
}

/// One sensor type.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Element name.
    pub element: &'static str,
    /// The type that is stored.
    pub kind: SensorType,
    /// What the numbers are.
    pub datatype: DataType,
    /// When it is evaluated.
    pub stage: Stage,
    /// Numbers per reading; where it depends on attributes, numbers per unit.
    pub dim: i32,
    /// What it is attached to.
    pub target: Target,
}

const fn row(
    element: &'static str,
    kind: SensorType,
    datatype: DataType,
    stage: Stage,
    dim: i32,
    target: Target,
) -> Row {
    Row {
        element,
        kind,
        datatype,
        stage,
        dim,
        target,
    }
}

/// The row of an element.
pub fn find(element: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.element == element)
}

const SITE: Target = Target::Object(ObjectType::Site, Condition::Any);
const JOINT: Target = Target::Object(ObjectType::Joint, Condition::ScalarJoint);
const BALL: Target = Target::Object(ObjectType::Joint, Condition::BallJoint);
const JOINT_LIMIT: Target = Target::Object(ObjectType::Joint, Condition::Limited);
const TENDON: Target = Target::Object(ObjectType::Tendon, Condition::Any);
const TENDON_LIMIT: Target = Target::Object(ObjectType::Tendon, Condition::Limited);
const ACTUATOR: Target = Target::Object(ObjectType::Actuator, Condition::Any);
const SUBTREE: Target = Target::Object(ObjectType::Body, Condition::Any);

/// Every sensor element.
#[rustfmt::skip]
pub const TABLE: &[Row] = {
    use DataType::{Axis, Positive, Quaternion, Real};
    use SensorType as S;
    use Stage::{Acc, Pos, Vel};
    use Target::*;
    &[
        row("touch", S::Touch, Positive, Acc, 1, SITE),
        row("accelerometer", S::Accelerometer, Real, Acc, 3, SITE),
        row("velocimeter", S::Velocimeter, Real, Vel, 3, SITE),
        row("gyro", S::Gyro, Real, Vel, 3, SITE),
        row("force", S::Force, Real, Acc, 3, SITE),
        row("torque", S::Torque, Real, Acc, 3, SITE),
        row("magnetometer", S::Magnetometer, Real, Pos, 3, SITE),
        row("rangefinder", S::Rangefinder, Real, Pos, 1, Rays),
        row("camprojection", S::Camprojection, Real, Pos, 2, SiteInCamera),
        row("jointpos", S::Jointpos, Real, Pos, 1, JOINT),
        row("jointvel", S::Jointvel, Real, Vel, 1, JOINT),
        row("tendonpos", S::Tendonpos, Real, Pos, 1, TENDON),
        row("tendonvel", S::Tendonvel, Real, Vel, 1, TENDON),
        row("actuatorpos", S::Actuatorpos, Real, Pos, 1, ACTUATOR),
        row("actuatorvel", S::Actuatorvel, Real, Vel, 1, ACTUATOR),
        row("actuatorfrc", S::Actuatorfrc, Real, Acc, 1, ACTUATOR),
        row("jointactuatorfrc", S::Jointactfrc, Real, Acc, 1, JOINT),
        row("tendonactuatorfrc", S::Tendonactfrc, Real, Acc, 1, TENDON),
        row("ballquat", S::Ballquat, Quaternion, Pos, 4, BALL),
        row("ballangvel", S::Ballangvel, Real, Vel, 3, BALL),
        row("jointlimitpos", S::Jointlimitpos, Real, Pos, 1, JOINT_LIMIT),
        row("jointlimitvel", S::Jointlimitvel, Real, Vel, 1, JOINT_LIMIT),
        row("jointlimitfrc", S::Jointlimitfrc, Real, Acc, 1, JOINT_LIMIT),
        row("tendonlimitpos", S::Tendonlimitpos, Real, Pos, 1, TENDON_LIMIT),
        row("tendonlimitvel", S::Tendonlimitvel, Real, Vel, 1, TENDON_LIMIT),
        row("tendonlimitfrc", S::Tendonlimitfrc, Real, Acc, 1, TENDON_LIMIT),
        row("framepos", S::Framepos, Real, Pos, 3, Frame),
        row("framequat", S::Framequat, Quaternion, Pos, 4, Frame),
        row("framexaxis", S::Framexaxis, Axis, Pos, 3, Frame),
        row("frameyaxis", S::Frameyaxis, Axis, Pos, 3, Frame),
        row("framezaxis", S::Framezaxis, Axis, Pos, 3, Frame),
        row("framelinvel", S::Framelinvel, Real, Vel, 3, Frame),
        row("frameangvel", S::Frameangvel, Real, Vel, 3, Frame),
        row("framelinacc", S::Framelinacc, Real, Acc, 3, FrameWithoutReference),
        row("frameangacc", S::Frameangacc, Real, Acc, 3, FrameWithoutReference),
        row("subtreecom", S::Subtreecom, Real, Pos, 3, SUBTREE),
        row("subtreelinvel", S::Subtreelinvel, Real, Vel, 3, SUBTREE),
        row("subtreeangmom", S::Subtreeangmom, Real, Vel, 3, SUBTREE),
        row("insidesite", S::Insidesite, Positive, Pos, 1, FrameInSite),
        row("distance", S::Geomdist, Real, Pos, 1, Distance),
        row("normal", S::Geomnormal, Axis, Pos, 3, Distance),
        row("fromto", S::Geomfromto, Real, Pos, 6, Distance),
        row("contact", S::Contact, Real, Acc, 1, Contact),
        row("e_potential", S::EPotential, Real, Pos, 1, Global),
        row("e_kinetic", S::EKinetic, Real, Pos, 1, Global),
        row("clock", S::Clock, Real, Pos, 1, Global),
        row("tactile", S::Tactile, Real, Acc, 3, MeshOnGeom),
        row("plugin", S::Plugin, Real, Acc, 0, Plugin),
        row("user", S::User, Real, Acc, 1, User),
    ]
};

/// The words of a contact sensor's `data`, in their order, with the numbers each stands for.
pub const CONTACT_DATA: [(&str, i32); 7] = [
    ("found", 1),
    ("force", 3),
    ("torque", 3),
    ("dist", 1),
    ("pos", 3),
    ("normal", 3),
    ("tangent", 3),
];

/// The words of a rangefinder's `data`.
pub const RAY_DATA: [(&str, i32); 6] = [
    ("dist", 1),
    ("dir", 3),
    ("origin", 3),
    ("point", 3),
    ("normal", 3),
    ("depth", 1),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_one_row() {
        for (_, code) in SensorType::TABLE.members {
            let rows = TABLE.iter().filter(|row| row.kind.code() == *code);
            assert_eq!(rows.count(), 1, "sensor type {code}");
        }
        assert_eq!(SensorType::TABLE.members.len(), TABLE.len());
    }
}
