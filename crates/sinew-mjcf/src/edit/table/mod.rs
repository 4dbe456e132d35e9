//! The fields of every kind of element: one row each, from which reading, writing and the classes
//! of bindings follow.

mod asset;
mod list;
mod setting;
mod tree;

use super::field::*;
use sinew_model::kinds;

/// Other ways to say an orientation; `type` says which counts.
pub const ORIENTATION: &[Field] = &[
    reals("axisangle", "axisangle", &[0.0; 4]),
    reals("euler", "euler", &[0.0; 3]),
    integer("type", "", 0),
    reals("xyaxes", "xyaxes", &[0.0; 6]),
    reals("zaxis", "zaxis", &[0.0; 3]),
];

/// Which plugin instance an element uses.
pub const PLUGIN_REFERENCE: &[Field] = &[
    flag("active", "", false),
    texts("config", "", 0),
    text("info", "", ""),
    text("name", "", ""),
    text("plugin_name", "", ""),
];

const WRAP: &[Field] = &[
    real("coef", "", 0.0),
    real("divisor", "", 0.0),
    text("info", "", ""),
    text("sidesite", "", ""),
    text("target", "", ""),
    integer("type", "", 0),
];

macro_rules! element_kinds {
    ($($kind:ident $word:literal $fields:expr;)*) => {
        /// What an element is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind { $( #[doc = concat!("`", $word, "`")] $kind, )* }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[ $( Kind::$kind, )* ];

            /// Its name.
            pub fn word(self) -> &'static str {
                match self { $( Kind::$kind => $word, )* }
            }

            /// Its fields, besides the name.
            pub fn fields(self) -> &'static [Field] {
                match self { $( Kind::$kind => $fields, )* }
            }
        }
    };
}

element_kinds! {
    Body "body" tree::BODY;
    Frame "frame" tree::FRAME;
    Joint "joint" tree::JOINT;
    Geom "geom" tree::GEOM;
    Site "site" tree::SITE;
    Camera "camera" tree::CAMERA;
    Light "light" tree::LIGHT;
    Flex "flex" asset::FLEX;
    Mesh "mesh" asset::MESH;
    HField "hfield" asset::HFIELD;
    Skin "skin" asset::SKIN;
    Texture "texture" asset::TEXTURE;
    Material "material" asset::MATERIAL;
    Pair "pair" list::PAIR;
    Exclude "exclude" list::EXCLUDE;
    Equality "equality" list::EQUALITY;
    Tendon "tendon" list::TENDON;
    Wrap "wrap" WRAP;
    Actuator "actuator" list::ACTUATOR;
    Sensor "sensor" list::SENSOR;
    Numeric "numeric" list::NUMERIC;
    Text "text" list::TEXT;
    Tuple "tuple" list::TUPLE;
    Key "key" list::KEY;
    Plugin "plugin" list::PLUGIN;
    Default "default" &[];
    Model "model" setting::SPEC;
    Compiler "compiler" setting::COMPILER;
    LengthRange "lengthrange" setting::LROPT;
    Option "option" setting::OPTION;
    Statistic "statistic" setting::STATISTIC;
    Global "global" setting::VGLOBAL;
    Quality "quality" setting::VQUALITY;
    Headlight "headlight" setting::VHEADLIGHT;
    Map "map" setting::VMAP;
    Scale "scale" setting::VSCALE;
    Rgba "rgba" setting::VRGBA;
}

impl Kind {
    /// Whether it stands in the kinematic tree.
    pub fn is_in_tree(self) -> bool {
        self <= Kind::Light
    }

    /// Whether it is listed outside the tree.
    pub fn is_listed(self) -> bool {
        self > Kind::Light && self <= Kind::Plugin && self != Kind::Wrap
    }

    /// The kinds that a default class has settings for.
    pub const WITH_DEFAULTS: [Kind; 12] = [
        Kind::Joint,
        Kind::Geom,
        Kind::Site,
        Kind::Camera,
        Kind::Light,
        Kind::Flex,
        Kind::Mesh,
        Kind::Material,
        Kind::Pair,
        Kind::Equality,
        Kind::Tendon,
        Kind::Actuator,
    ];

    /// The kinds that hold the settings of a model.
    pub const SETTINGS: [Kind; 11] = [
        Kind::Model,
        Kind::Compiler,
        Kind::LengthRange,
        Kind::Option,
        Kind::Statistic,
        Kind::Global,
        Kind::Quality,
        Kind::Headlight,
        Kind::Map,
        Kind::Scale,
        Kind::Rgba,
    ];

    /// The code of the kind in a model, if it has one.
    pub fn object_type(self) -> Option<kinds::ObjectType> {
        use kinds::ObjectType as O;
        Some(match self {
            Kind::Body => O::Body,
            Kind::Joint => O::Joint,
            Kind::Geom => O::Geom,
            Kind::Site => O::Site,
            Kind::Camera => O::Camera,
            Kind::Light => O::Light,
            Kind::Flex => O::Flex,
            Kind::Mesh => O::Mesh,
            Kind::HField => O::Hfield,
            Kind::Skin => O::Skin,
            Kind::Texture => O::Texture,
            Kind::Material => O::Material,
            Kind::Pair => O::Pair,
            Kind::Exclude => O::Exclude,
            Kind::Equality => O::Equality,
            Kind::Tendon => O::Tendon,
            Kind::Actuator => O::Actuator,
            Kind::Sensor => O::Sensor,
            Kind::Numeric => O::Numeric,
            Kind::Text => O::Text,
            Kind::Tuple => O::Tuple,
            Kind::Key => O::Key,
            Kind::Plugin => O::Plugin,
            _ => return None,
        })
    }
}
