//! Which element may stand where, how often, and which attributes it takes.
//!
//! One [`Schema`] per element and context. The attributes are those of the element's table in
//! [`spec`](crate::spec), all of them or a selection, so an attribute that is not in a table cannot
//! be accepted. A test compares the whole with the reference's own schema print.

use crate::spec::actuator::ActuatorTable;
use crate::spec::asset::*;
use crate::spec::constraint::*;
use crate::spec::element::Element;
use crate::spec::extra::*;
use crate::spec::sensor::SensorTable;
use crate::spec::settings::*;
use crate::spec::tree::*;

/// How often an element may stand inside its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly once.
    One,
    /// At most once.
    AtMostOne,
    /// Any number.
    Any,
    /// Any number, and inside itself.
    Recursive,
}

/// Which attributes of its table an element takes.
#[derive(Clone, Copy, Debug)]
pub enum Accepts {
    /// All.
    All,
    /// All but these.
    Except(&'static [&'static str]),
    /// Only these groups.
    Only(&'static [&'static [&'static str]]),
}

/// An element in its context.
#[derive(Debug)]
pub struct Schema {
    /// Element name.
    pub name: &'static str,
    /// How often it may stand there.
    pub count: Count,
    /// The attributes of its table.
    pub table: &'static [&'static str],
    /// Which of them it takes here.
    pub accepts: Accepts,
    /// Attributes that must be there.
    pub required: &'static [&'static str],
    /// What may stand inside it.
    pub children: &'static [&'static Schema],
}

/// What attributes begin with that the reference does not have.
pub const OWN_PREFIX: &str = "sinew_";

impl Schema {
    const fn new(name: &'static str, count: Count, table: &'static [&'static str]) -> Schema {
        Schema {
            name,
            count,
            table,
            accepts: Accepts::All,
            required: &[],
            children: &[],
        }
    }
    const fn any(name: &'static str, table: &'static [&'static str]) -> Schema {
        Schema::new(name, Count::Any, table)
    }
    const fn once(name: &'static str, table: &'static [&'static str]) -> Schema {
        Schema::new(name, Count::AtMostOne, table)
    }
    const fn except(mut self, names: &'static [&'static str]) -> Schema {
        self.accepts = Accepts::Except(names);
        self
    }
    const fn only(mut self, groups: &'static [&'static [&'static str]]) -> Schema {
        self.accepts = Accepts::Only(groups);
        self
    }
    const fn requires(mut self, names: &'static [&'static str]) -> Schema {
        self.required = names;
        self
    }
    const fn holds(mut self, children: &'static [&'static Schema]) -> Schema {
        self.children = children;
        self
    }

    /// The attributes it takes here.
    pub fn attributes(&self) -> Vec<&'static str> {
        match self.accepts {
            Accepts::All => self.table.to_vec(),
            Accepts::Except(without) => {
                let kept = self.table.iter().filter(|name| !without.contains(name));
                kept.copied().collect()
            }
            Accepts::Only(groups) => groups.iter().copied().flatten().copied().collect(),
        }
    }

    /// Whether it takes an attribute here.
    pub fn accepts(&self, name: &str) -> bool {
        match self.accepts {
            Accepts::All => self.table.contains(&name),
            Accepts::Except(without) => self.table.contains(&name) && !without.contains(&name),
            Accepts::Only(groups) => groups.iter().any(|group| group.contains(&name)),
        }
    }

    /// The schema of a child element.
    pub fn child(&self, name: &str) -> Option<&'static Schema> {
        self.children.iter().copied().find(|c| c.name == name)
    }

    /// The names of the children.
    pub fn child_names(&self) -> impl Iterator<Item = &'static str> {
        self.children.iter().map(|c| c.name)
    }
}

const NOT_IN_DEFAULT: &[&str] = &["name", "class"];

/// The root of a model.
pub static MUJOCO: Schema = Schema::new("mujoco", Count::One, &["model"]).holds(&[
    &COMPILER,
    &OPTION,
    &SIZE,
    &VISUAL,
    &STATISTIC,
    &DEFAULT,
    &EXTENSION,
    &CUSTOM,
    &ASSET,
    &WORLDBODY,
    &DEFORMABLE,
    &CONTACT,
    &EQUALITY,
    &TENDON,
    &ACTUATOR,
    &SENSOR,
    &KEYFRAME,
]);

static COMPILER: Schema = Schema::any("compiler", Compiler::ATTRIBUTES).holds(&[&LENGTHRANGE]);
static LENGTHRANGE: Schema = Schema::once("lengthrange", LengthRange::ATTRIBUTES);
static OPTION: Schema = Schema::any("option", OptionTable::ATTRIBUTES).holds(&[&FLAG]);
static FLAG: Schema = Schema::once("flag", Flags::ATTRIBUTES);
static SIZE: Schema = Schema::any("size", Size::ATTRIBUTES);
static STATISTIC: Schema = Schema::any("statistic", StatisticTable::ATTRIBUTES);
static VISUAL: Schema = Schema::any("visual", &[]).holds(&[
    &Schema::once("global", VisualGlobalTable::ATTRIBUTES),
    &Schema::once("quality", VisualQualityTable::ATTRIBUTES),
    &Schema::once("headlight", VisualHeadlightTable::ATTRIBUTES),
    &Schema::once("map", VisualMapTable::ATTRIBUTES),
    &Schema::once("scale", VisualScaleTable::ATTRIBUTES),
    &Schema::once("rgba", VisualRgbaTable::ATTRIBUTES),
]);

static DEFAULT: Schema = Schema::new("default", Count::Recursive, &["class"]).holds(&[
    &Schema::once("mesh", MeshTable::ATTRIBUTES).only(&[&["scale", "maxhullvert", "inertia"]]),
    &Schema::once("material", MaterialTable::ATTRIBUTES)
        .except(NOT_IN_DEFAULT)
        .holds(&[&LAYER]),
    &Schema::once("joint", Joint::ATTRIBUTES).except(NOT_IN_DEFAULT),
    &Schema::once("geom", GeomTable::ATTRIBUTES).except(NOT_IN_DEFAULT),
    &Schema::once("site", Site::ATTRIBUTES).except(NOT_IN_DEFAULT),
    &Schema::once("camera", Camera::ATTRIBUTES).except(&["name", "class", "target"]),
    &Schema::once("light", Light::ATTRIBUTES).except(&["name", "class", "target", "texture"]),
    &Schema::once("pair", Pair::ATTRIBUTES).except(&["name", "class", "geom1", "geom2"]),
    &Schema::once("equality", EqualityTable::ATTRIBUTES).only(&[&["active", "solref", "solimp"]]),
    &Schema::once("tendon", TendonTable::ATTRIBUTES).except(&[
        "name",
        "class",
        "actuatorfrclimited",
        "actuatorfrcrange",
        "armature",
    ]),
    &Schema::once("general", ACTUATOR_ATTRIBUTES).only(&[SHARED, GEARED, GENERAL]),
    &Schema::once("motor", ACTUATOR_ATTRIBUTES).only(&[SHARED, GEARED, CLAMPED]),
    &Schema::once("position", ACTUATOR_ATTRIBUTES).only(&[SHARED, GEARED, CLAMPED, POSITION]),
    &Schema::once("velocity", ACTUATOR_ATTRIBUTES).only(&[SHARED, GEARED, CLAMPED, VELOCITY]),
    &Schema::once("intvelocity", ACTUATOR_ATTRIBUTES).only(&[SHARED, GEARED, CLAMPED, INTVELOCITY]),
    &Schema::once("damper", ACTUATOR_ATTRIBUTES).only(&[SHARED, GEARED, VELOCITY]),
    &Schema::once("cylinder", ACTUATOR_ATTRIBUTES).only(&[SHARED, GEARED, CLAMPED, CYLINDER]),
    &Schema::once("muscle", ACTUATOR_ATTRIBUTES).only(&[SHARED, GEARED, CLAMPED, MUSCLE]),
    &Schema::once("adhesion", ACTUATOR_ATTRIBUTES).only(&[SHARED, &["gain"]]),
    &DEFAULT,
]);
static LAYER: Schema = Schema::any("layer", Layer::ATTRIBUTES).requires(&["role", "texture"]);

static EXTENSION: Schema = Schema::any("extension", &[]).holds(&[&Schema::any(
    "plugin",
    PluginDeclarationTable::ATTRIBUTES,
)
.requires(&["plugin"])
.holds(&[&Schema::any("instance", PluginInstanceTable::ATTRIBUTES)
    .requires(&["name"])
    .holds(&[&CONFIG])])]);
static CONFIG: Schema = Schema::any("config", Config::ATTRIBUTES).requires(&["key", "value"]);
static PLUGIN: Schema = Schema::any("plugin", PluginTable::ATTRIBUTES).holds(&[&CONFIG]);

static CUSTOM: Schema = Schema::any("custom", &[]).holds(&[
    &Schema::any("numeric", Numeric::ATTRIBUTES).requires(&["name"]),
    &Schema::any("text", TextField::ATTRIBUTES).requires(&["name", "data"]),
    &Schema::any("tuple", TupleTable::ATTRIBUTES)
        .requires(&["name"])
        .holds(&[
            &Schema::any("element", TupleElement::ATTRIBUTES).requires(&["objtype", "objname"])
        ]),
]);

static ASSET: Schema = Schema::any("asset", &[]).holds(&[
    &Schema::any("mesh", MeshTable::ATTRIBUTES).holds(&[&PLUGIN]),
    &Schema::any("hfield", HeightField::ATTRIBUTES).requires(&["size"]),
    &SKIN,
    &Schema::any("texture", Texture::ATTRIBUTES),
    &Schema::any("material", MaterialTable::ATTRIBUTES).holds(&[&LAYER]),
    &Schema::any("model", ModelAsset::ATTRIBUTES).requires(&["file"]),
]);
static SKIN: Schema =
    Schema::any("skin", SkinTable::ATTRIBUTES).holds(&[&Schema::any("bone", Bone::ATTRIBUTES)
        .requires(&["body", "bindpos", "bindquat", "vertid", "vertweight"])]);

macro_rules! body_children {
    () => {
        &[
            &INERTIAL, &JOINT, &FREEJOINT, &GEOM, &ATTACH, &SITE, &CAMERA, &LIGHT, &PLUGIN,
            &COMPOSITE, &FLEXCOMP, &BODY, &FRAME, &REPLICATE,
        ]
    };
}

/// The world; like a body, without attributes.
pub static WORLDBODY: Schema = Schema::any("worldbody", &[]).holds(body_children!());
/// A body.
pub static BODY: Schema =
    Schema::new("body", Count::Recursive, BodyTable::ATTRIBUTES).holds(body_children!());
/// A frame.
pub static FRAME: Schema = Schema::any("frame", FrameTable::ATTRIBUTES).holds(body_children!());
/// A replicate.
pub static REPLICATE: Schema = Schema::any("replicate", ReplicateTable::ATTRIBUTES)
    .requires(&["count"])
    .holds(body_children!());

static INERTIAL: Schema = Schema::once("inertial", Inertial::ATTRIBUTES).requires(&["pos", "mass"]);
static JOINT: Schema = Schema::any("joint", Joint::ATTRIBUTES);
static FREEJOINT: Schema = Schema::any("freejoint", FreeJoint::ATTRIBUTES);
static GEOM: Schema = Schema::any("geom", GeomTable::ATTRIBUTES).holds(&[&PLUGIN]);
static ATTACH: Schema = Schema::any("attach", Attach::ATTRIBUTES).requires(&["model", "prefix"]);
static SITE: Schema = Schema::any("site", Site::ATTRIBUTES);
static CAMERA: Schema = Schema::any("camera", Camera::ATTRIBUTES);
static LIGHT: Schema = Schema::any("light", Light::ATTRIBUTES);
static COMPOSITE: Schema = Schema::any("composite", CompositeTable::ATTRIBUTES)
    .requires(&["type"])
    .holds(&[
        &Schema::any("joint", CompositeJoint::ATTRIBUTES).requires(&["kind"]),
        &Schema::once("skin", CompositeSkin::ATTRIBUTES),
        &Schema::once("geom", GeomTable::ATTRIBUTES).only(&[&[
            "type",
            "contype",
            "conaffinity",
            "condim",
            "group",
            "priority",
            "size",
            "material",
            "rgba",
            "friction",
            "mass",
            "density",
            "solmix",
            "solref",
            "solimp",
            "margin",
            "gap",
        ]]),
        &Schema::once("site", Site::ATTRIBUTES).only(&[&["group", "size", "material", "rgba"]]),
        &PLUGIN,
    ]);
static FLEXCOMP: Schema = Schema::any("flexcomp", FlexcompTable::ATTRIBUTES)
    .requires(&["name"])
    .holds(&[
        &Schema::once("edge", FlexEdge::ATTRIBUTES),
        &FLEX_ELASTICITY,
        &FLEX_CONTACT,
        &Schema::any("pin", FlexPin::ATTRIBUTES),
        &PLUGIN,
    ]);
static FLEX_ELASTICITY: Schema = Schema::once("elasticity", FlexElasticity::ATTRIBUTES);
static FLEX_CONTACT: Schema = Schema::once("contact", FlexContact::ATTRIBUTES);

static DEFORMABLE: Schema = Schema::any("deformable", &[]).holds(&[
    &Schema::any("flex", FlexTable::ATTRIBUTES)
        .requires(&["element"])
        .holds(&[
            &FLEX_CONTACT,
            &Schema::once("edge", FlexEdge::ATTRIBUTES).only(&[&["stiffness", "damping"]]),
            &FLEX_ELASTICITY,
        ]),
    &SKIN,
]);

static CONTACT: Schema = Schema::any("contact", &[]).holds(&[
    &Schema::any("pair", Pair::ATTRIBUTES),
    &Schema::any("exclude", Exclude::ATTRIBUTES).requires(&["body1", "body2"]),
]);

static EQUALITY: Schema = Schema::any("equality", &[]).holds(&[
    &Schema::any("connect", EqualityTable::ATTRIBUTES).only(&[&[
        "name", "class", "body1", "body2", "anchor", "site1", "site2", "active", "solref", "solimp",
    ]]),
    &Schema::any("weld", EqualityTable::ATTRIBUTES).only(&[&[
        "name",
        "class",
        "body1",
        "body2",
        "relpose",
        "anchor",
        "site1",
        "site2",
        "active",
        "solref",
        "solimp",
        "torquescale",
    ]]),
    &Schema::any("joint", EqualityTable::ATTRIBUTES)
        .only(&[&[
            "name", "class", "joint1", "joint2", "polycoef", "active", "solref", "solimp",
        ]])
        .requires(&["joint1"]),
    &Schema::any("tendon", EqualityTable::ATTRIBUTES)
        .only(&[&[
            "name", "class", "tendon1", "tendon2", "polycoef", "active", "solref", "solimp",
        ]])
        .requires(&["tendon1"]),
    &Schema::any("flex", EqualityTable::ATTRIBUTES)
        .only(&[FLEX_EQUALITY])
        .requires(&["flex"]),
    &Schema::any("flexvert", EqualityTable::ATTRIBUTES)
        .only(&[FLEX_EQUALITY])
        .requires(&["flex"]),
]);
const FLEX_EQUALITY: &[&str] = &["name", "class", "flex", "active", "solref", "solimp"];

static TENDON: Schema = Schema::any("tendon", &[]).holds(&[
    &Schema::any("spatial", TendonTable::ATTRIBUTES).holds(&[
        &Schema::any("site", PathSite::ATTRIBUTES).requires(&["site"]),
        &Schema::any("geom", PathGeom::ATTRIBUTES).requires(&["geom"]),
        &Schema::any("pulley", PathPulley::ATTRIBUTES).requires(&["divisor"]),
    ]),
    &Schema::any("fixed", TendonTable::ATTRIBUTES)
        .except(&["width", "material", "rgba"])
        .holds(&[&Schema::any("joint", PathJoint::ATTRIBUTES).requires(&["joint", "coef"])]),
]);

const ACTUATOR_ATTRIBUTES: &[&str] = ActuatorTable::ATTRIBUTES;
const NAMED: &[&str] = &["name", "class"];
/// Of every actuator.
const SHARED: &[&str] = &[
    "group",
    "nsample",
    "interp",
    "delay",
    "forcelimited",
    "ctrlrange",
    "forcerange",
    "user",
];
/// Of all but adhesion.
const GEARED: &[&str] = &["gear", "cranklength"];
/// Of those whose control can be clamped.
const CLAMPED: &[&str] = &["ctrllimited"];
/// What an actuator acts on.
const TARGET: &[&str] = &[
    "lengthrange",
    "joint",
    "jointinparent",
    "tendon",
    "slidersite",
    "cranksite",
];
const SITES: &[&str] = &["site", "refsite"];
const GENERAL: &[&str] = &[
    "sinew_gain",
    "ctrllimited",
    "actlimited",
    "actrange",
    "actdim",
    "dyntype",
    "gaintype",
    "biastype",
    "dynprm",
    "gainprm",
    "biasprm",
    "actearly",
];
const POSITION: &[&str] = &["inheritrange", "kp", "kv", "dampratio", "timeconst"];
const VELOCITY: &[&str] = &["kv"];
const INTVELOCITY: &[&str] = &["actrange", "inheritrange", "kp", "kv", "dampratio"];
const CYLINDER: &[&str] = &["timeconst", "area", "diameter", "bias"];
const MUSCLE: &[&str] = &[
    "timeconst",
    "range",
    "force",
    "scale",
    "lmin",
    "lmax",
    "vmax",
    "fpmax",
    "fvmax",
];
const PLUGIN_ACTUATOR: &[&str] = &[
    "plugin",
    "instance",
    "ctrllimited",
    "actlimited",
    "actrange",
    "site",
    "actdim",
    "dyntype",
    "dynprm",
    "actearly",
];

/// An actuator that takes what all geared ones take, and its own groups.
const fn actuator(name: &'static str, groups: &'static [&'static [&'static str]]) -> Schema {
    Schema::any(name, ACTUATOR_ATTRIBUTES).only(groups)
}

static ACTUATOR: Schema = Schema::any("actuator", &[]).holds(&[
    &actuator(
        "general",
        &[NAMED, SHARED, GEARED, TARGET, SITES, GENERAL, &["body"]],
    ),
    &actuator("motor", &[NAMED, SHARED, GEARED, TARGET, SITES, CLAMPED]),
    &actuator(
        "position",
        &[NAMED, SHARED, GEARED, TARGET, SITES, CLAMPED, POSITION],
    ),
    &actuator(
        "velocity",
        &[NAMED, SHARED, GEARED, TARGET, SITES, CLAMPED, VELOCITY],
    ),
    &actuator(
        "intvelocity",
        &[NAMED, SHARED, GEARED, TARGET, SITES, CLAMPED, INTVELOCITY],
    ),
    &actuator("damper", &[NAMED, SHARED, GEARED, TARGET, SITES, VELOCITY]),
    &actuator(
        "cylinder",
        &[NAMED, SHARED, GEARED, TARGET, SITES, CLAMPED, CYLINDER],
    ),
    &actuator(
        "muscle",
        &[
            NAMED,
            SHARED,
            GEARED,
            TARGET,
            CLAMPED,
            MUSCLE,
            &["tausmooth"],
        ],
    ),
    &actuator("adhesion", &[NAMED, SHARED, &["body", "gain"]]),
    &actuator("plugin", &[NAMED, SHARED, GEARED, TARGET, PLUGIN_ACTUATOR]).holds(&[&CONFIG]),
]);

/// Of nearly every sensor.
const MEASURED: &[&str] = &[
    "name", "nsample", "interp", "delay", "interval", "cutoff", "noise", "user",
];
const SITE_SENSOR: &[&str] = &["site"];
const JOINT_SENSOR: &[&str] = &["joint"];
const TENDON_SENSOR: &[&str] = &["tendon"];
const ACTUATOR_SENSOR: &[&str] = &["actuator"];
const OBJECT_SENSOR: &[&str] = &["objtype", "objname"];
const REFERENCE_SENSOR: &[&str] = &["reftype", "refname"];
const BODY_SENSOR: &[&str] = &["body"];
const DISTANCE_SENSOR: &[&str] = &["geom1", "geom2", "body1", "body2"];

/// A sensor with attributes of its own beside the measuring ones.
const fn sensor(name: &'static str, groups: &'static [&'static [&'static str]]) -> Schema {
    Schema::any(name, SensorTable::ATTRIBUTES).only(groups)
}

static SENSOR: Schema = Schema::any("sensor", &[]).holds(&[
    &sensor("touch", &[MEASURED, SITE_SENSOR]).requires(SITE_SENSOR),
    &sensor("accelerometer", &[MEASURED, SITE_SENSOR]).requires(SITE_SENSOR),
    &sensor("velocimeter", &[MEASURED, SITE_SENSOR]).requires(SITE_SENSOR),
    &sensor("gyro", &[MEASURED, SITE_SENSOR]).requires(SITE_SENSOR),
    &sensor("force", &[MEASURED, SITE_SENSOR]).requires(SITE_SENSOR),
    &sensor("torque", &[MEASURED, SITE_SENSOR]).requires(SITE_SENSOR),
    &sensor("magnetometer", &[MEASURED, SITE_SENSOR]).requires(SITE_SENSOR),
    &sensor("camprojection", &[MEASURED, &["site", "camera"]]).requires(&["site", "camera"]),
    &sensor("rangefinder", &[MEASURED, &["site", "camera", "data"]]),
    &sensor("jointpos", &[MEASURED, JOINT_SENSOR]).requires(JOINT_SENSOR),
    &sensor("jointvel", &[MEASURED, JOINT_SENSOR]).requires(JOINT_SENSOR),
    &sensor("tendonpos", &[MEASURED, TENDON_SENSOR]).requires(TENDON_SENSOR),
    &sensor("tendonvel", &[MEASURED, TENDON_SENSOR]).requires(TENDON_SENSOR),
    &sensor("actuatorpos", &[MEASURED, ACTUATOR_SENSOR]).requires(ACTUATOR_SENSOR),
    &sensor("actuatorvel", &[MEASURED, ACTUATOR_SENSOR]).requires(ACTUATOR_SENSOR),
    &sensor("actuatorfrc", &[MEASURED, ACTUATOR_SENSOR]).requires(ACTUATOR_SENSOR),
    &sensor("jointactuatorfrc", &[MEASURED, JOINT_SENSOR]).requires(JOINT_SENSOR),
    &sensor("tendonactuatorfrc", &[MEASURED, TENDON_SENSOR]).requires(TENDON_SENSOR),
    &sensor("ballquat", &[MEASURED, JOINT_SENSOR]).requires(JOINT_SENSOR),
    &sensor("ballangvel", &[MEASURED, JOINT_SENSOR]).requires(JOINT_SENSOR),
    &sensor("jointlimitpos", &[MEASURED, JOINT_SENSOR]).requires(JOINT_SENSOR),
    &sensor("jointlimitvel", &[MEASURED, JOINT_SENSOR]).requires(JOINT_SENSOR),
    &sensor("jointlimitfrc", &[MEASURED, JOINT_SENSOR]).requires(JOINT_SENSOR),
    &sensor("tendonlimitpos", &[MEASURED, TENDON_SENSOR]).requires(TENDON_SENSOR),
    &sensor("tendonlimitvel", &[MEASURED, TENDON_SENSOR]).requires(TENDON_SENSOR),
    &sensor("tendonlimitfrc", &[MEASURED, TENDON_SENSOR]).requires(TENDON_SENSOR),
    &sensor("framepos", &[MEASURED, OBJECT_SENSOR, REFERENCE_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("framequat", &[MEASURED, OBJECT_SENSOR, REFERENCE_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("framexaxis", &[MEASURED, OBJECT_SENSOR, REFERENCE_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("frameyaxis", &[MEASURED, OBJECT_SENSOR, REFERENCE_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("framezaxis", &[MEASURED, OBJECT_SENSOR, REFERENCE_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("framelinvel", &[MEASURED, OBJECT_SENSOR, REFERENCE_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("frameangvel", &[MEASURED, OBJECT_SENSOR, REFERENCE_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("framelinacc", &[MEASURED, OBJECT_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("frameangacc", &[MEASURED, OBJECT_SENSOR]).requires(OBJECT_SENSOR),
    &sensor("subtreecom", &[MEASURED, BODY_SENSOR]).requires(BODY_SENSOR),
    &sensor("subtreelinvel", &[MEASURED, BODY_SENSOR]).requires(BODY_SENSOR),
    &sensor("subtreeangmom", &[MEASURED, BODY_SENSOR]).requires(BODY_SENSOR),
    &sensor("insidesite", &[MEASURED, SITE_SENSOR, OBJECT_SENSOR])
        .requires(&["site", "objtype", "objname"]),
    &sensor("distance", &[MEASURED, DISTANCE_SENSOR]),
    &sensor("normal", &[MEASURED, DISTANCE_SENSOR]),
    &sensor("fromto", &[MEASURED, DISTANCE_SENSOR]),
    &sensor("contact", &[MEASURED, DISTANCE_SENSOR, CONTACT_SENSOR]),
    &sensor("e_potential", &[MEASURED]),
    &sensor("e_kinetic", &[MEASURED]),
    &sensor("clock", &[MEASURED]),
    &sensor(
        "tactile",
        &[
            &["name", "nsample", "interp", "delay", "interval", "user"],
            TACTILE_SENSOR,
        ],
    )
    .requires(TACTILE_SENSOR),
    &sensor(
        "user",
        &[
            OBJECT_SENSOR,
            &[
                "name",
                "datatype",
                "needstage",
                "dim",
                "cutoff",
                "noise",
                "user",
            ],
        ],
    )
    .requires(&["dim"]),
    &sensor(
        "plugin",
        &[
            OBJECT_SENSOR,
            REFERENCE_SENSOR,
            &["name", "plugin", "instance", "cutoff", "user"],
        ],
    )
    .holds(&[&CONFIG]),
]);
const CONTACT_SENSOR: &[&str] = &["subtree1", "subtree2", "site", "num", "data", "reduce"];
const TACTILE_SENSOR: &[&str] = &["geom", "mesh"];

static KEYFRAME: Schema =
    Schema::any("keyframe", &[]).holds(&[&Schema::any("key", Key::ATTRIBUTES)]);
