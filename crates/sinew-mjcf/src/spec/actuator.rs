//! Table of the actuators. One table serves every shortcut; the schema says which attributes a shortcut accepts.

use super::tree::Config;
use super::value::*;
use sinew_model::kinds;

crate::element! {
    /// every `actuator` element, also inside `default`
    pub struct ActuatorTable {
        name: String = "name",
        class: String = "class",
        group: i32 = "group",
        nsample: i32 = "nsample",
        interp: Interpolation = "interp",
        delay: f64 = "delay",
        ctrllimited: Tristate = "ctrllimited",
        forcelimited: Tristate = "forcelimited",
        actlimited: Tristate = "actlimited",
        ctrlrange: [f64; 2] = "ctrlrange",
        forcerange: [f64; 2] = "forcerange",
        actrange: [f64; 2] = "actrange",
        lengthrange: [f64; 2] = "lengthrange",
        gear: Prefix<6> = "gear",
        cranklength: f64 = "cranklength",
        user: Vec<f64> = "user",
        joint: String = "joint",
        jointinparent: String = "jointinparent",
        tendon: String = "tendon",
        slidersite: String = "slidersite",
        cranksite: String = "cranksite",
        site: String = "site",
        refsite: String = "refsite",
        body: String = "body",
        actdim: i32 = "actdim",
        dyntype: kinds::DynamicsType = "dyntype",
        gaintype: kinds::GainType = "gaintype",
        biastype: kinds::BiasType = "biastype",
        dynprm: Prefix<10> = "dynprm",
        gainprm: Prefix<10> = "gainprm",
        biasprm: Prefix<10> = "biasprm",
        actearly: bool = "actearly",
        kp: f64 = "kp",
        kv: f64 = "kv",
        dampratio: f64 = "dampratio",
        timeconst: Vec<f64> = "timeconst",
        inheritrange: f64 = "inheritrange",
        area: f64 = "area",
        diameter: f64 = "diameter",
        bias: [f64; 3] = "bias",
        tausmooth: f64 = "tausmooth",
        range: [f64; 2] = "range",
        force: f64 = "force",
        scale: f64 = "scale",
        lmin: f64 = "lmin",
        lmax: f64 = "lmax",
        vmax: f64 = "vmax",
        fpmax: f64 = "fpmax",
        fvmax: f64 = "fvmax",
        gain: f64 = "gain",
        sinew_gain: String = "sinew_gain",
        plugin: String = "plugin",
        instance: String = "instance",
    }
}

/// Which actuator element was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ActuatorKind {
    #[default]
    General,
    Motor,
    Position,
    Velocity,
    IntVelocity,
    Damper,
    Cylinder,
    Muscle,
    Adhesion,
    Plugin,
}

impl ActuatorKind {
    /// The element's name.
    pub fn word(self) -> &'static str {
        match self {
            ActuatorKind::General => "general",
            ActuatorKind::Motor => "motor",
            ActuatorKind::Position => "position",
            ActuatorKind::Velocity => "velocity",
            ActuatorKind::IntVelocity => "intvelocity",
            ActuatorKind::Damper => "damper",
            ActuatorKind::Cylinder => "cylinder",
            ActuatorKind::Muscle => "muscle",
            ActuatorKind::Adhesion => "adhesion",
            ActuatorKind::Plugin => "plugin",
        }
    }
}

/// An actuator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actuator {
    /// The element's name.
    pub kind: ActuatorKind,
    /// The attributes. `timeconst` has one number, or two for a muscle.
    pub table: ActuatorTable,
    /// Settings of a plugin actuator.
    pub config: Vec<Config>,
}
