//! How a saved model looks: the order of attributes, numbers with six digits.

use super::number::six_digits;
use crate::edit::{FieldKind, Kind};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Attributes in the reference's order, by element; the others follow in theirs.
const ORDER: &[(&str, &[&str])] = &[
    (
        "compiler",
        &[
            "angle",
            "meshdir",
            "texturedir",
            "usethread",
            "boundmass",
            "boundinertia",
            "alignfree",
            "autolimits",
        ],
    ),
    (
        "body",
        &[
            "name",
            "childclass",
            "pos",
            "quat",
            "mocap",
            "gravcomp",
            "sleep",
            "user",
        ],
    ),
    (
        "joint",
        &[
            "name",
            "class",
            "pos",
            "axis",
            "type",
            "group",
            "ref",
            "springref",
            "solreflimit",
            "solimplimit",
            "solreffriction",
            "solimpfriction",
            "stiffness",
            "limited",
            "range",
            "actuatorfrclimited",
            "actuatorgravcomp",
            "actuatorfrcrange",
            "margin",
            "armature",
            "damping",
            "frictionloss",
            "user",
        ],
    ),
    (
        "geom",
        &[
            "name",
            "class",
            "size",
            "pos",
            "quat",
            "type",
            "contype",
            "conaffinity",
            "condim",
            "group",
            "priority",
            "friction",
            "solmix",
            "solref",
            "solimp",
            "margin",
            "gap",
            "fluidshape",
            "fluidcoef",
            "shellinertia",
            "mass",
            "density",
            "material",
            "rgba",
            "hfield",
            "mesh",
            "user",
        ],
    ),
    (
        "site",
        &[
            "name", "class", "pos", "quat", "size", "group", "type", "material", "rgba", "user",
        ],
    ),
    (
        "camera",
        &[
            "name",
            "class",
            "target",
            "pos",
            "quat",
            "ipd",
            "mode",
            "resolution",
            "output",
            "projection",
            "sensorsize",
            "focal",
            "focalpixel",
            "principal",
            "principalpixel",
            "fovy",
            "user",
        ],
    ),
    (
        "light",
        &[
            "name",
            "class",
            "target",
            "pos",
            "dir",
            "bulbradius",
            "intensity",
            "range",
            "type",
            "texture",
            "castshadow",
            "active",
            "attenuation",
            "cutoff",
            "exponent",
            "ambient",
            "diffuse",
            "specular",
            "mode",
        ],
    ),
    (
        "general",
        &[
            "name",
            "class",
            "joint",
            "jointinparent",
            "tendon",
            "cranksite",
            "slidersite",
            "site",
            "refsite",
            "body",
            "group",
            "nsample",
            "interp",
            "delay",
            "ctrllimited",
            "ctrlrange",
            "forcelimited",
            "forcerange",
            "actlimited",
            "actrange",
            "lengthrange",
            "gear",
            "cranklength",
            "actearly",
            "actdim",
            "dyntype",
            "dynprm",
            "gaintype",
            "biastype",
            "gainprm",
            "biasprm",
            "user",
        ],
    ),
];

/// Attributes that hold real numbers and belong to no field of their own.
const MORE_NUMBERS: &[&str] = &[
    "anchor",
    "relpose",
    "polycoef",
    "torquescale",
    "coef",
    "divisor",
    "prm",
    "bindpos",
    "bindquat",
    "vertweight",
    "diaginertia",
    "fullinertia",
    "mass",
    "stiffness",
    "damping",
    "elevation",
];

/// Names of the attributes that hold real numbers.
static NUMBERS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let fields = Kind::ALL.iter().flat_map(|kind| kind.fields());
    let numbers = fields.filter(|field| {
        use FieldKind::{Float, FloatList, Floats, Real, RealList, Reals};
        matches!(
            field.kind,
            Real(_) | Float(_) | Reals(_) | Floats(_) | RealList | FloatList
        )
    });
    let names = numbers
        .map(|field| field.attribute)
        .chain(MORE_NUMBERS.iter().copied());
    names
        .filter(|name| !name.is_empty() && *name != "data")
        .collect()
});

/// Attributes in order, with their numbers shortened.
pub fn saved(
    element: &str,
    mut attributes: Vec<(&'static str, String)>,
) -> Vec<(&'static str, String)> {
    if let Some((_, order)) = ORDER.iter().find(|(known, _)| *known == element) {
        let place = |name: &str| {
            order
                .iter()
                .position(|known| *known == name)
                .unwrap_or(order.len())
        };
        attributes.sort_by_key(|(name, _)| place(name));
    }
    for (name, text) in &mut attributes {
        if NUMBERS.contains(name) || (*name == "data" && element == "numeric") {
            // Six digits are seldom longer than what they stand for.
            let mut shown = String::with_capacity(text.len());
            for word in text.split_ascii_whitespace() {
                if !shown.is_empty() {
                    shown.push(' ');
                }
                match word.parse() {
                    Ok(number) => shown.push_str(&six_digits(number)),
                    Err(_) => shown.push_str(word),
                }
            }
            *text = shown;
        }
    }
    attributes
}
