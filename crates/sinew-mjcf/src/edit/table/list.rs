//! Elements outside the tree that are no assets.

use super::super::field::*;
use super::PLUGIN_REFERENCE;
use crate::spec::value::{Interpolation, Tristate};
use sinew_model::kinds;

/// `MjsPair`
pub const PAIR: &[Field] = &[
    integer("condim", "condim", 3),
    reals("friction", "friction", &[1.0, 1.0, 0.005, 0.0001, 0.0001]),
    real("gap", "gap", 0.0),
    text("geomname1", "geom1", ""),
    text("geomname2", "geom2", ""),
    text("info", "", ""),
    real("margin", "margin", 0.0),
    reals("solimp", "solimp", &[0.9, 0.95, 0.001, 0.5, 2.0]),
    reals("solref", "solref", &[0.02, 1.0]),
    reals("solreffriction", "solreffriction", &[0.0, 0.0]),
];

/// `MjsExclude`
pub const EXCLUDE: &[Field] = &[
    text("bodyname1", "body1", ""),
    text("bodyname2", "body2", ""),
    text("info", "", ""),
];

/// `MjsEquality`
pub const EQUALITY: &[Field] = &[
    flag("active", "active", true),
    reals(
        "data",
        "",
        &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    ),
    text("info", "", ""),
    text("name1", "", ""),
    text("name2", "", ""),
    integer("objtype", "", 0),
    reals("solimp", "solimp", &[0.9, 0.95, 0.001, 0.5, 2.0]),
    reals("solref", "solref", &[0.02, 1.0]),
    integer("type", "", 0),
];

/// `MjsTendon`
pub const TENDON: &[Field] = &[
    code("actfrclimited", "actuatorfrclimited", 0, words!(Tristate)),
    reals("actfrcrange", "actuatorfrcrange", &[0.0, 0.0]),
    real("armature", "armature", 0.0),
    real("damping", "damping", 0.0),
    real("frictionloss", "frictionloss", 0.0),
    integer("group", "group", 0),
    text("info", "", ""),
    code("limited", "limited", 2, words!(Tristate)),
    real("margin", "margin", 0.0),
    text("material", "material", ""),
    reals("range", "range", &[0.0, 0.0]),
    floats("rgba", "rgba", &[0.5, 0.5, 0.5, 1.0]),
    reals(
        "solimp_friction",
        "solimpfriction",
        &[0.9, 0.95, 0.001, 0.5, 2.0],
    ),
    reals("solimp_limit", "solimplimit", &[0.9, 0.95, 0.001, 0.5, 2.0]),
    reals("solref_friction", "solreffriction", &[0.02, 1.0]),
    reals("solref_limit", "solreflimit", &[0.02, 1.0]),
    reals("springlength", "springlength", &[-1.0, -1.0]),
    real("stiffness", "stiffness", 0.0),
    real_list("userdata", "user"),
    real("width", "width", 0.003),
];

/// `MjsActuator`
pub const ACTUATOR: &[Field] = &[
    integer("actdim", "actdim", -1),
    flag("actearly", "actearly", false),
    code("actlimited", "actlimited", 2, words!(Tristate)),
    reals("actrange", "actrange", &[0.0, 0.0]),
    reals(
        "biasprm",
        "biasprm",
        &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    code("biastype", "biastype", 0, words!(kinds::BiasType)),
    real("cranklength", "cranklength", 0.0),
    code("ctrllimited", "ctrllimited", 2, words!(Tristate)),
    reals("ctrlrange", "ctrlrange", &[0.0, 0.0]),
    real("delay", "delay", 0.0),
    reals(
        "dynprm",
        "dynprm",
        &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    code("dyntype", "dyntype", 0, words!(kinds::DynamicsType)),
    code("forcelimited", "forcelimited", 2, words!(Tristate)),
    reals("forcerange", "forcerange", &[0.0, 0.0]),
    reals(
        "gainprm",
        "gainprm",
        &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ),
    code("gaintype", "gaintype", 0, words!(kinds::GainType)),
    reals("gear", "gear", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    integer("group", "group", 0),
    text("info", "", ""),
    real("inheritrange", "inheritrange", 0.0),
    code("interp", "interp", 0, words!(Interpolation)),
    reals("lengthrange", "lengthrange", &[0.0, 0.0]),
    integer("nsample", "nsample", 0),
    group("plugin", PLUGIN_REFERENCE),
    text("refsite", "refsite", ""),
    text("sinew_gain", "sinew_gain", ""),
    text("slidersite", "slidersite", ""),
    text("target", "", ""),
    integer("trntype", "", 1000),
    real_list("userdata", "user"),
];

/// `MjsSensor`
pub const SENSOR: &[Field] = &[
    real("cutoff", "cutoff", 0.0),
    code("datatype", "datatype", 0, words!(kinds::DataType)),
    real("delay", "delay", 0.0),
    integer("dim", "dim", 0),
    text("info", "", ""),
    code("interp", "interp", 0, words!(Interpolation)),
    reals("interval", "interval", &[0.0, 0.0]),
    integers("intprm", "", &[0, 0, 0]),
    code("needstage", "needstage", 3, words!(kinds::Stage)),
    real("noise", "noise", 0.0),
    integer("nsample", "nsample", 0),
    text("objname", "", ""),
    integer("objtype", "", 0),
    group("plugin", PLUGIN_REFERENCE),
    text("refname", "", ""),
    integer("reftype", "", 0),
    integer("type", "", 0),
    real_list("userdata", "user"),
];

/// `MjsNumeric`
pub const NUMERIC: &[Field] = &[
    real_list("data", "data"),
    text("info", "", ""),
    integer("size", "size", 0),
];

/// `MjsText`
pub const TEXT: &[Field] = &[text("data", "data", ""), text("info", "", "")];

/// `MjsTuple`
pub const TUPLE: &[Field] = &[
    text("info", "", ""),
    texts("objname", "", 0),
    real_list("objprm", ""),
    integer_list("objtype", ""),
];

/// `MjsKey`
pub const KEY: &[Field] = &[
    real_list("act", "act"),
    real_list("ctrl", "ctrl"),
    text("info", "", ""),
    real_list("mpos", "mpos"),
    real_list("mquat", "mquat"),
    real_list("qpos", "qpos"),
    real_list("qvel", "qvel"),
    real("time", "time", 0.0),
];

/// `MjsPlugin`
pub const PLUGIN: &[Field] = &[
    flag("active", "", false),
    texts("config", "", 0),
    text("info", "", ""),
    text("plugin_name", "", ""),
];
