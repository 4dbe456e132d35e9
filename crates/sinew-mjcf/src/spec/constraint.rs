//! Tables of contact pairs, equalities and tendons.

use super::value::*;

crate::element! {
    /// `contact/pair`, also inside `default`
    pub struct Pair {
        name: String = "name",
        class: String = "class",
        geom1: String = "geom1",
        geom2: String = "geom2",
        condim: i32 = "condim",
        friction: Prefix<5> = "friction",
        solref: Prefix<2> = "solref",
        solreffriction: Prefix<2> = "solreffriction",
        solimp: Prefix<5> = "solimp",
        gap: f64 = "gap",
        margin: f64 = "margin",
    }

    /// `contact/exclude`
    pub struct Exclude {
        name: String = "name",
        body1: String = "body1",
        body2: String = "body2",
    }

    /// every `equality` element, also `default/equality`
    pub struct EqualityTable {
        name: String = "name",
        class: String = "class",
        body1: String = "body1",
        body2: String = "body2",
        anchor: [f64; 3] = "anchor",
        relpose: [f64; 7] = "relpose",
        site1: String = "site1",
        site2: String = "site2",
        joint1: String = "joint1",
        joint2: String = "joint2",
        tendon1: String = "tendon1",
        tendon2: String = "tendon2",
        flex: String = "flex",
        polycoef: Prefix<5> = "polycoef",
        torquescale: f64 = "torquescale",
        active: bool = "active",
        solref: Prefix<2> = "solref",
        solimp: Prefix<5> = "solimp",
    }

    /// `spatial` and `fixed`, also `default/tendon`
    pub struct TendonTable {
        name: String = "name",
        class: String = "class",
        group: i32 = "group",
        limited: Tristate = "limited",
        actuatorfrclimited: Tristate = "actuatorfrclimited",
        range: [f64; 2] = "range",
        actuatorfrcrange: [f64; 2] = "actuatorfrcrange",
        solreflimit: Prefix<2> = "solreflimit",
        solimplimit: Prefix<5> = "solimplimit",
        solreffriction: Prefix<2> = "solreffriction",
        solimpfriction: Prefix<5> = "solimpfriction",
        frictionloss: f64 = "frictionloss",
        springlength: SpringLength = "springlength",
        width: f64 = "width",
        material: String = "material",
        margin: f64 = "margin",
        stiffness: f64 = "stiffness",
        damping: f64 = "damping",
        armature: f64 = "armature",
        rgba: [f32; 4] = "rgba",
        user: Vec<f64> = "user",
    }

    /// `site` on a spatial tendon
    pub struct PathSite {
        site: String = "site",
    }

    /// `geom` on a spatial tendon
    pub struct PathGeom {
        geom: String = "geom",
        sidesite: String = "sidesite",
    }

    /// `pulley` on a spatial tendon
    pub struct PathPulley {
        divisor: f64 = "divisor",
    }

    /// `joint` of a fixed tendon
    pub struct PathJoint {
        joint: String = "joint",
        coef: f64 = "coef",
    }
}

/// Which equality element was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum EqualityKind {
    #[default]
    Connect,
    Weld,
    Joint,
    Tendon,
    Flex,
    FlexVert,
}

/// An equality constraint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equality {
    /// The element's name.
    pub kind: EqualityKind,
    /// The attributes.
    pub table: EqualityTable,
}

/// One step of a tendon's path.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum PathElement {
    Site(PathSite),
    Geom(PathGeom),
    Pulley(PathPulley),
    Joint(PathJoint),
}

/// A tendon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tendon {
    /// `spatial` rather than `fixed`.
    pub is_spatial: bool,
    /// The attributes.
    pub table: TendonTable,
    /// The path, in order.
    pub path: Vec<PathElement>,
}

/// `springlength`: one number serves as both ends and replaces an inherited pair entirely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringLength(pub [f64; 2]);

impl Attribute for SpringLength {
    fn parse(text: &str) -> Result<Option<Self>, ValueError> {
        let numbers = numbers::<f64>(text, 1, 2)?;
        Ok(match *numbers.as_slice() {
            [both] => Some(SpringLength([both, both])),
            [low, high] => Some(SpringLength([low, high])),
            _ => None,
        })
    }
    fn is_finite(&self) -> bool {
        self.0.is_finite()
    }
    fn write(&self) -> String {
        self.0.write()
    }
}
