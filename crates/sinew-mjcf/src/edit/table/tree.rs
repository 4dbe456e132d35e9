//! Elements that stand in the kinematic tree.

use super::super::field::*;
use super::{ORIENTATION, PLUGIN_REFERENCE};
use crate::spec::value::Tristate;
use sinew_model::kinds;

/// `MjsBody`
pub const BODY: &[Field] = &[
    group("alt", ORIENTATION),
    text("childclass", "", ""),
    integer("explicitinertial", "", 0),
    reals("fullinertia", "", &[f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]),
    real("gravcomp", "gravcomp", 0.0),
    group("ialt", ORIENTATION),
    reals("inertia", "", &[0.0, 0.0, 0.0]),
    text("info", "", ""),
    reals("ipos", "", &[f64::NAN, 0.0, 0.0]),
    reals("iquat", "", &[1.0, 0.0, 0.0, 0.0]),
    real("mass", "", 0.0),
    flag("mocap", "mocap", false),
    group("plugin", PLUGIN_REFERENCE),
    reals("pos", "pos", &[0.0, 0.0, 0.0]),
    reals("quat", "quat", &[1.0, 0.0, 0.0, 0.0]),
    code("sleep", "sleep", 0, words!(kinds::SleepPolicy)),
    real_list("userdata", "user"),
];

/// `MjsFrame`
pub const FRAME: &[Field] = &[
    group("alt", ORIENTATION),
    text("childclass", "", ""),
    text("info", "", ""),
    reals("pos", "pos", &[0.0, 0.0, 0.0]),
    reals("quat", "quat", &[1.0, 0.0, 0.0, 0.0]),
];

/// `MjsJoint`
pub const JOINT: &[Field] = &[
    code("actfrclimited", "actuatorfrclimited", 2, words!(Tristate)),
    reals("actfrcrange", "actuatorfrcrange", &[0.0, 0.0]),
    flag("actgravcomp", "actuatorgravcomp", false),
    code("align", "align", 2, words!(Tristate)),
    real("armature", "armature", 0.0),
    reals("axis", "axis", &[0.0, 0.0, 1.0]),
    real("damping", "damping", 0.0),
    real("frictionloss", "frictionloss", 0.0),
    integer("group", "group", 0),
    text("info", "", ""),
    code("limited", "limited", 2, words!(Tristate)),
    real("margin", "margin", 0.0),
    reals("pos", "pos", &[0.0, 0.0, 0.0]),
    reals("range", "range", &[0.0, 0.0]),
    real("ref", "ref", 0.0),
    reals(
        "solimp_friction",
        "solimpfriction",
        &[0.9, 0.95, 0.001, 0.5, 2.0],
    ),
    reals("solimp_limit", "solimplimit", &[0.9, 0.95, 0.001, 0.5, 2.0]),
    reals("solref_friction", "solreffriction", &[0.02, 1.0]),
    reals("solref_limit", "solreflimit", &[0.02, 1.0]),
    reals("springdamper", "springdamper", &[0.0, 0.0]),
    real("springref", "springref", 0.0),
    real("stiffness", "stiffness", 0.0),
    code("type", "type", 3, words!(kinds::JointType)),
    real_list("userdata", "user"),
];

/// `MjsGeom`
pub const GEOM: &[Field] = &[
    group("alt", ORIENTATION),
    integer("conaffinity", "conaffinity", 1),
    integer("condim", "condim", 3),
    integer("contype", "contype", 1),
    real("density", "density", 1000.0),
    real("fitscale", "fitscale", 1.0),
    reals("fluid_coefs", "fluidcoef", &[0.5, 0.25, 1.5, 1.0, 1.0]),
    real("fluid_ellipsoid", "", 0.0),
    reals("friction", "friction", &[1.0, 0.005, 0.0001]),
    reals("fromto", "fromto", &[f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]),
    real("gap", "gap", 0.0),
    integer("group", "group", 0),
    text("hfieldname", "hfield", ""),
    text("info", "", ""),
    real("margin", "margin", 0.0),
    real("mass", "mass", f64::NAN),
    text("material", "material", ""),
    text("meshname", "mesh", ""),
    group("plugin", PLUGIN_REFERENCE),
    reals("pos", "pos", &[0.0, 0.0, 0.0]),
    integer("priority", "priority", 0),
    reals("quat", "quat", &[1.0, 0.0, 0.0, 0.0]),
    floats("rgba", "rgba", &[0.5, 0.5, 0.5, 1.0]),
    reals("size", "size", &[0.0, 0.0, 0.0]),
    reals("solimp", "solimp", &[0.9, 0.95, 0.001, 0.5, 2.0]),
    real("solmix", "solmix", 1.0),
    reals("solref", "solref", &[0.02, 1.0]),
    code("type", "type", 2, words!(kinds::GeomType)),
    code("typeinertia", "shellinertia", 0, words!(bool)),
    real_list("userdata", "user"),
];

/// `MjsSite`
pub const SITE: &[Field] = &[
    group("alt", ORIENTATION),
    reals("fromto", "fromto", &[f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]),
    integer("group", "group", 0),
    text("info", "", ""),
    text("material", "material", ""),
    reals("pos", "pos", &[0.0, 0.0, 0.0]),
    reals("quat", "quat", &[1.0, 0.0, 0.0, 0.0]),
    floats("rgba", "rgba", &[0.5, 0.5, 0.5, 1.0]),
    reals("size", "size", &[0.005, 0.005, 0.005]),
    code("type", "type", 2, words!(kinds::GeomType)),
    real_list("userdata", "user"),
];

/// `MjsCamera`
pub const CAMERA: &[Field] = &[
    group("alt", ORIENTATION),
    floats("focal_length", "focal", &[0.0, 0.0]),
    floats("focal_pixel", "focalpixel", &[0.0, 0.0]),
    real("fovy", "fovy", 45.0),
    text("info", "", ""),
    floats("intrinsic", "", &[0.0, 0.0, 0.0, 0.0]),
    real("ipd", "ipd", 0.068),
    code("mode", "mode", 0, words!(kinds::TrackingMode)),
    integer("output", "", 1),
    reals("pos", "pos", &[0.0, 0.0, 0.0]),
    floats("principal_length", "principal", &[0.0, 0.0]),
    floats("principal_pixel", "principalpixel", &[0.0, 0.0]),
    code("proj", "projection", 0, words!(kinds::Projection)),
    reals("quat", "quat", &[1.0, 0.0, 0.0, 0.0]),
    integers("resolution", "resolution", &[1, 1]),
    floats("sensor_size", "sensorsize", &[0.0, 0.0]),
    text("targetbody", "target", ""),
    real_list("userdata", "user"),
];

/// `MjsLight`
pub const LIGHT: &[Field] = &[
    flag("active", "active", true),
    floats("ambient", "ambient", &[0.0, 0.0, 0.0]),
    floats("attenuation", "attenuation", &[1.0, 0.0, 0.0]),
    float("bulbradius", "bulbradius", 0.02),
    flag("castshadow", "castshadow", true),
    float("cutoff", "cutoff", 45.0),
    floats("diffuse", "diffuse", &[0.7, 0.7, 0.7]),
    reals("dir", "dir", &[0.0, 0.0, -1.0]),
    float("exponent", "exponent", 10.0),
    text("info", "", ""),
    float("intensity", "intensity", 0.0),
    code("mode", "mode", 0, words!(kinds::TrackingMode)),
    reals("pos", "pos", &[0.0, 0.0, 0.0]),
    float("range", "range", 10.0),
    floats("specular", "specular", &[0.3, 0.3, 0.3]),
    text("targetbody", "target", ""),
    text("texture", "texture", ""),
    code("type", "type", 0, words!(kinds::LightType)),
];
