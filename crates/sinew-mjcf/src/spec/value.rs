//! The types an attribute can have, and how their text is read.
//!
//! Numbers follow the reference: separated by white space, `inf` and `nan` accepted by the syntax,
//! an integer must be whole and fit 32 bits. A keyword must be one of a fixed list. Nothing
//! malformed turns into a default.

use super::number::{self, NumberError};
use crate::nearest::nearest;
use sinew_model::kinds;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What is wrong with the text of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// Stable code of the mistake, such as `mjcf::number`.
    pub kind: &'static str,
    /// Which character of the text it is about, from 0.
    pub offset: usize,
    /// What was expected and what was found.
    pub message: String,
    /// How to mend it.
    pub hint: Option<String>,
}

impl ValueError {
    /// Who was asked whether to go on did not want it.
    fn ended() -> Self {
        ValueError {
            kind: "mjcf::time-limit",
            offset: 0,
            message: "reading ended early".to_string(),
            hint: None,
        }
    }
}

/// A type that an attribute's text can be read into.
pub trait Attribute: Sized + Clone {
    /// Reads the text. `Ok(None)`: the text counts as not given (empty number lists).
    fn parse(text: &str) -> Result<Option<Self>, ValueError>;

    /// The same for a text that may be long: who is asked now and then may end it, which is an error.
    fn parse_while(
        text: &str,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, ValueError> {
        let _ = goes_on;
        Self::parse(text)
    }

    /// Whether the value has neither NaN nor infinity.
    fn is_finite(&self) -> bool {
        true
    }

    /// Completes a value with what the default class has; only prefixes have anything to take.
    fn complete(&mut self, _class: &Self) {}

    /// Writes the value as attribute text.
    fn write(&self) -> String;

    /// Bytes it holds outside itself.
    fn heap(&self) -> usize {
        0
    }
}

/// One to `N` numbers. An element that gives fewer than all inherits the rest from its class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prefix<const N: usize> {
    /// The numbers; the first `count` are given.
    pub values: [f64; N],
    /// How many are given.
    pub count: usize,
}

impl<const N: usize> Prefix<N> {
    /// The given numbers, the others taken from `base`.
    pub fn over(&self, base: [f64; N]) -> [f64; N] {
        let mut out = base;
        for (o, v) in out.iter_mut().zip(&self.values).take(self.count) {
            *o = *v;
        }
        out
    }
}

/// `false`, `true` or `auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tristate {
    /// `false`
    False,
    /// `true`
    True,
    /// `auto`
    #[default]
    Auto,
}

/// `enable` or `disable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(pub bool);

/// How a history buffer is read between samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Hold the last sample.
    Zoh,
    /// Straight line.
    Linear,
    /// Cubic.
    Cubic,
}

/// `radian` or `degree`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngleUnit {
    /// Radians.
    Radian,
    /// Degrees.
    Degree,
}

/// Coordinate convention; only local is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// Relative to the parent.
    Local,
    /// No longer supported.
    Global,
}

/// Fluid interaction shape of a geom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FluidShape {
    /// Inertia-box model of the body.
    None,
    /// Ellipsoid model of the geom.
    Ellipsoid,
}

/// The kinds of composite the text can name; only the cable still exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CompositeType {
    Particle,
    Grid,
    Rope,
    Loop,
    Cable,
    Cloth,
}

/// The kind of a joint inside a composite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompositeJointKind {
    /// The main joint.
    Main,
}

/// Shapes of a flexcomp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FlexcompType {
    Grid,
    Box,
    Cylinder,
    Ellipsoid,
    Square,
    Disc,
    Circle,
    Mesh,
    Gmsh,
    Direct,
}

/// Degrees of freedom of a flexcomp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FlexcompDof {
    Full,
    Radial,
    Trilinear,
    Quadratic,
}

/// Two-dimensional elasticity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Elastic2d {
    None,
    Bend,
    Stretch,
    Both,
}

/// Edge equality of a flexcomp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FlexEdgeEquality {
    False,
    True,
    Vert,
}

/// How a contact sensor reduces several contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ContactReduce {
    None,
    Mindist,
    Maxforce,
    Netforce,
}

/// A type with a fixed list of words.
pub trait Keyword: Sized + Copy + PartialEq + 'static {
    /// Every word and what it means.
    const WORDS: &'static [(&'static str, Self)];
}

macro_rules! keywords {
    ($($t:ty { $($word:literal => $value:expr),* $(,)? })*) => { $(
        impl Keyword for $t {
            const WORDS: &'static [(&'static str, Self)] = &[ $( ($word, $value), )* ];
        }
        impl Attribute for $t {
            fn parse(text: &str) -> Result<Option<Self>, ValueError> {
                keyword(text).map(Some)
            }
            fn write(&self) -> String {
                Self::WORDS.iter().find(|(_, v)| v == self).map(|(w, _)| w.to_string()).unwrap_or_default()
            }
        }
    )* };
}

keywords! {
    bool { "false" => false, "true" => true }
    Tristate { "false" => Tristate::False, "true" => Tristate::True, "auto" => Tristate::Auto }
    Switch { "disable" => Switch(false), "enable" => Switch(true) }
    Interpolation { "zoh" => Interpolation::Zoh, "linear" => Interpolation::Linear, "cubic" => Interpolation::Cubic }
    AngleUnit { "radian" => AngleUnit::Radian, "degree" => AngleUnit::Degree }
    Coordinate { "local" => Coordinate::Local, "global" => Coordinate::Global }
    FluidShape { "none" => FluidShape::None, "ellipsoid" => FluidShape::Ellipsoid }
    CompositeType { "particle" => CompositeType::Particle, "grid" => CompositeType::Grid, "rope" => CompositeType::Rope, "loop" => CompositeType::Loop, "cable" => CompositeType::Cable, "cloth" => CompositeType::Cloth }
    CompositeJointKind { "main" => CompositeJointKind::Main }
    FlexcompType { "grid" => FlexcompType::Grid, "box" => FlexcompType::Box, "cylinder" => FlexcompType::Cylinder, "ellipsoid" => FlexcompType::Ellipsoid, "square" => FlexcompType::Square, "disc" => FlexcompType::Disc, "circle" => FlexcompType::Circle, "mesh" => FlexcompType::Mesh, "gmsh" => FlexcompType::Gmsh, "direct" => FlexcompType::Direct }
    FlexcompDof { "full" => FlexcompDof::Full, "radial" => FlexcompDof::Radial, "trilinear" => FlexcompDof::Trilinear, "quadratic" => FlexcompDof::Quadratic }
    Elastic2d { "none" => Elastic2d::None, "bend" => Elastic2d::Bend, "stretch" => Elastic2d::Stretch, "both" => Elastic2d::Both }
    FlexEdgeEquality { "false" => FlexEdgeEquality::False, "true" => FlexEdgeEquality::True, "vert" => FlexEdgeEquality::Vert }
    ContactReduce { "none" => ContactReduce::None, "mindist" => ContactReduce::Mindist, "maxforce" => ContactReduce::Maxforce, "netforce" => ContactReduce::Netforce }
    kinds::InertiaFromGeom { "false" => kinds::InertiaFromGeom::False, "true" => kinds::InertiaFromGeom::True, "auto" => kinds::InertiaFromGeom::Auto }
    kinds::LengthRangeMode { "none" => kinds::LengthRangeMode::None, "muscle" => kinds::LengthRangeMode::Muscle, "muscleuser" => kinds::LengthRangeMode::Muscleuser, "all" => kinds::LengthRangeMode::All }
    kinds::SleepPolicy { "auto" => kinds::SleepPolicy::Auto, "never" => kinds::SleepPolicy::Never, "allowed" => kinds::SleepPolicy::Allowed, "init" => kinds::SleepPolicy::Init }
    kinds::JointType { "free" => kinds::JointType::Free, "ball" => kinds::JointType::Ball, "slide" => kinds::JointType::Slide, "hinge" => kinds::JointType::Hinge }
    kinds::GeomType { "plane" => kinds::GeomType::Plane, "hfield" => kinds::GeomType::Hfield, "sphere" => kinds::GeomType::Sphere, "capsule" => kinds::GeomType::Capsule, "ellipsoid" => kinds::GeomType::Ellipsoid, "cylinder" => kinds::GeomType::Cylinder, "box" => kinds::GeomType::Box, "mesh" => kinds::GeomType::Mesh, "sdf" => kinds::GeomType::Sdf }
    kinds::Projection { "perspective" => kinds::Projection::Perspective, "orthographic" => kinds::Projection::Orthographic }
    kinds::TrackingMode { "fixed" => kinds::TrackingMode::Fixed, "track" => kinds::TrackingMode::Track, "trackcom" => kinds::TrackingMode::Trackcom, "targetbody" => kinds::TrackingMode::Targetbody, "targetbodycom" => kinds::TrackingMode::Targetbodycom }
    kinds::LightType { "spot" => kinds::LightType::Spot, "directional" => kinds::LightType::Directional, "point" => kinds::LightType::Point, "image" => kinds::LightType::Image }
    kinds::TextureRole { "rgb" => kinds::TextureRole::Rgb, "occlusion" => kinds::TextureRole::Occlusion, "roughness" => kinds::TextureRole::Roughness, "metallic" => kinds::TextureRole::Metallic, "normal" => kinds::TextureRole::Normal, "opacity" => kinds::TextureRole::Opacity, "emissive" => kinds::TextureRole::Emissive, "rgba" => kinds::TextureRole::Rgba, "orm" => kinds::TextureRole::Orm }
    kinds::Integrator { "Euler" => kinds::Integrator::Euler, "RK4" => kinds::Integrator::Rk4, "implicit" => kinds::Integrator::Implicit, "implicitfast" => kinds::Integrator::Implicitfast }
    kinds::Cone { "pyramidal" => kinds::Cone::Pyramidal, "elliptic" => kinds::Cone::Elliptic }
    kinds::Jacobian { "dense" => kinds::Jacobian::Dense, "sparse" => kinds::Jacobian::Sparse, "auto" => kinds::Jacobian::Auto }
    kinds::Solver { "PGS" => kinds::Solver::Pgs, "CG" => kinds::Solver::Cg, "Newton" => kinds::Solver::Newton }
    kinds::TextureType { "2d" => kinds::TextureType::TwoD, "cube" => kinds::TextureType::Cube, "skybox" => kinds::TextureType::Skybox }
    kinds::ColorSpace { "auto" => kinds::ColorSpace::Auto, "linear" => kinds::ColorSpace::Linear, "sRGB" => kinds::ColorSpace::Srgb }
    kinds::TextureBuiltin { "none" => kinds::TextureBuiltin::None, "gradient" => kinds::TextureBuiltin::Gradient, "checker" => kinds::TextureBuiltin::Checker, "flat" => kinds::TextureBuiltin::Flat }
    kinds::TextureMark { "none" => kinds::TextureMark::None, "edge" => kinds::TextureMark::Edge, "cross" => kinds::TextureMark::Cross, "random" => kinds::TextureMark::Random }
    kinds::DynamicsType { "none" => kinds::DynamicsType::None, "integrator" => kinds::DynamicsType::Integrator, "filter" => kinds::DynamicsType::Filter, "filterexact" => kinds::DynamicsType::Filterexact, "muscle" => kinds::DynamicsType::Muscle, "user" => kinds::DynamicsType::User }
    kinds::GainType { "fixed" => kinds::GainType::Fixed, "affine" => kinds::GainType::Affine, "muscle" => kinds::GainType::Muscle, "user" => kinds::GainType::User }
    kinds::BiasType { "none" => kinds::BiasType::None, "affine" => kinds::BiasType::Affine, "muscle" => kinds::BiasType::Muscle, "user" => kinds::BiasType::User }
    kinds::Stage { "none" => kinds::Stage::None, "pos" => kinds::Stage::Pos, "vel" => kinds::Stage::Vel, "acc" => kinds::Stage::Acc }
    kinds::DataType { "real" => kinds::DataType::Real, "positive" => kinds::DataType::Positive, "axis" => kinds::DataType::Axis, "quaternion" => kinds::DataType::Quaternion }
    kinds::MeshInertia { "convex" => kinds::MeshInertia::Convex, "legacy" => kinds::MeshInertia::Legacy, "exact" => kinds::MeshInertia::Exact, "shell" => kinds::MeshInertia::Shell }
    kinds::MeshBuiltin { "none" => kinds::MeshBuiltin::None, "sphere" => kinds::MeshBuiltin::Sphere, "hemisphere" => kinds::MeshBuiltin::Hemisphere, "cone" => kinds::MeshBuiltin::Cone, "supertorus" => kinds::MeshBuiltin::Supertorus, "supersphere" => kinds::MeshBuiltin::Supersphere, "wedge" => kinds::MeshBuiltin::Wedge, "plate" => kinds::MeshBuiltin::Plate }
    kinds::FlexSelf { "none" => kinds::FlexSelf::None, "narrow" => kinds::FlexSelf::Narrow, "bvh" => kinds::FlexSelf::Bvh, "sap" => kinds::FlexSelf::Sap, "auto" => kinds::FlexSelf::Auto }
}

/// Keywords that may be listed together, without repetition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words(pub Vec<String>);

impl Words {
    /// More than any attribute knows.
    const MOST: usize = 64;
}

impl Attribute for Words {
    fn parse(text: &str) -> Result<Option<Self>, ValueError> {
        let mut words: Vec<String> = Vec::new();
        let mut known = BTreeSet::new();
        for word in text.split_ascii_whitespace() {
            let fault = |message: String| ValueError {
                kind: "mjcf::keyword",
                offset: offset_of(text, word),
                message,
                hint: None,
            };
            if words.len() == Words::MOST {
                return Err(fault(format!("more than {} keywords", Words::MOST)));
            }
            if !known.insert(word) {
                let message = format!("keyword \"{}\" is given twice", shorten(word));
                return Err(fault(message));
            }
            words.push(word.to_string());
        }
        Ok(Some(Words(words)))
    }
    fn write(&self) -> String {
        self.0.join(" ")
    }
    fn heap(&self) -> usize {
        super::held::Held::heap(&self.0)
    }
}

/// Names of objects, separated by blanks; a name may stand there more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameList(pub Vec<String>);

impl Attribute for NameList {
    fn parse(text: &str) -> Result<Option<Self>, ValueError> {
        Self::parse_while(text, &mut || true)
    }
    fn parse_while(
        text: &str,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, ValueError> {
        let mut names = Vec::new();
        for name in text.split_ascii_whitespace() {
            if names.len().is_multiple_of(AT_ONCE) && !goes_on() {
                return Err(ValueError::ended());
            }
            names.push(name.to_string());
        }
        Ok(Some(NameList(names)))
    }
    fn write(&self) -> String {
        self.0.join(" ")
    }
    fn heap(&self) -> usize {
        super::held::Held::heap(&self.0)
    }
}

impl Attribute for String {
    fn parse(text: &str) -> Result<Option<Self>, ValueError> {
        Ok(Some(text.to_string()))
    }
    fn write(&self) -> String {
        self.clone()
    }
    fn heap(&self) -> usize {
        self.capacity()
    }
}

/// A number type that can stand in an attribute.
pub trait AttributeNumber: Copy + Default + std::fmt::Display {
    /// Reads one token.
    fn number(token: &str) -> Result<Self, NumberError>;
    /// What a token should have been.
    const EXPECTED: &'static str;
    /// Whether the number is neither NaN nor infinite.
    fn is_finite(self) -> bool;
}

impl AttributeNumber for f64 {
    fn number(token: &str) -> Result<f64, NumberError> {
        number::real(token)
    }
    const EXPECTED: &'static str = "a number";
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
}

impl AttributeNumber for f32 {
    fn number(token: &str) -> Result<f32, NumberError> {
        number::real_f32(token)
    }
    const EXPECTED: &'static str = "a number";
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
}

impl AttributeNumber for i32 {
    fn number(token: &str) -> Result<i32, NumberError> {
        number::integer(token)
    }
    const EXPECTED: &'static str = "a whole number";
    fn is_finite(self) -> bool {
        true
    }
}

macro_rules! scalar_attribute {
    ($($t:ty),*) => { $(
        impl Attribute for $t {
            fn parse(text: &str) -> Result<Option<Self>, ValueError> {
                let numbers = numbers::<$t>(text, 1, 1)?;
                Ok(numbers.first().copied())
            }
            fn is_finite(&self) -> bool {
                AttributeNumber::is_finite(*self)
            }
            fn write(&self) -> String {
                format!("{self}")
            }
        }
    )* };
}
scalar_attribute!(f64, f32);

impl Attribute for i32 {
    /// Unlike other numbers, a single whole number may not be left empty.
    fn parse(text: &str) -> Result<Option<Self>, ValueError> {
        match numbers::<i32>(text, 1, 1)?.first() {
            Some(number) => Ok(Some(*number)),
            None => Err(ValueError {
                kind: "mjcf::number",
                offset: 0,
                message: "a whole number expected".to_string(),
                hint: None,
            }),
        }
    }
    fn write(&self) -> String {
        format!("{self}")
    }
}

impl<T: AttributeNumber, const N: usize> Attribute for [T; N] {
    fn parse(text: &str) -> Result<Option<Self>, ValueError> {
        let numbers = numbers::<T>(text, N, N)?;
        if numbers.is_empty() {
            return Ok(None);
        }
        let mut out = [T::default(); N];
        for (o, n) in out.iter_mut().zip(numbers) {
            *o = n;
        }
        Ok(Some(out))
    }
    fn is_finite(&self) -> bool {
        self.iter().all(|n| AttributeNumber::is_finite(*n))
    }
    fn write(&self) -> String {
        join(self)
    }
}

impl<T: AttributeNumber> Attribute for Vec<T> {
    fn parse(text: &str) -> Result<Option<Self>, ValueError> {
        Self::parse_while(text, &mut || true)
    }
    fn parse_while(
        text: &str,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, ValueError> {
        let numbers = numbers_while::<T>(text, 0, usize::MAX, goes_on)?;
        Ok((!numbers.is_empty()).then_some(numbers))
    }
    fn is_finite(&self) -> bool {
        self.iter().all(|n| AttributeNumber::is_finite(*n))
    }
    fn write(&self) -> String {
        join(self)
    }
    fn heap(&self) -> usize {
        self.capacity().saturating_mul(size_of::<T>())
    }
}

impl<const N: usize> Attribute for Prefix<N> {
    fn parse(text: &str) -> Result<Option<Self>, ValueError> {
        let numbers = numbers::<f64>(text, 1, N)?;
        if numbers.is_empty() {
            return Ok(None);
        }
        let mut values = [0.0; N];
        for (v, n) in values.iter_mut().zip(&numbers) {
            *v = *n;
        }
        Ok(Some(Prefix {
            values,
            count: numbers.len(),
        }))
    }

    fn is_finite(&self) -> bool {
        self.values.iter().all(|n| n.is_finite())
    }

    fn complete(&mut self, class: &Self) {
        for i in self.count..class.count {
            if let (Some(v), Some(c)) = (self.values.get_mut(i), class.values.get(i)) {
                *v = *c;
            }
        }
        self.count = self.count.max(class.count);
    }

    fn write(&self) -> String {
        join(self.values.get(..self.count).unwrap_or(&self.values))
    }
}

/// Numbers with blanks between them. No string is made for each: there may be millions.
pub(crate) fn join<T: std::fmt::Display>(numbers: &[T]) -> String {
    let mut text = String::new();
    for number in numbers {
        if !text.is_empty() {
            text.push(' ');
        }
        // Writing to a string does not fail.
        let _ = write!(text, "{number}");
    }
    text
}

/// So many words of a list are read at once.
const AT_ONCE: usize = 1024;

/// Numbers are counted up to here.
const MANY: usize = 100_000;

/// Reads numbers separated by white space; an empty text gives none and is no error.
pub fn numbers<T: AttributeNumber>(
    text: &str,
    least: usize,
    most: usize,
) -> Result<Vec<T>, ValueError> {
    numbers_while(text, least, most, &mut || true)
}

/// The same, as long as who is asked now and then wants it.
fn numbers_while<T: AttributeNumber>(
    text: &str,
    least: usize,
    most: usize,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<T>, ValueError> {
    let mut out = Vec::new();
    for token in text.split_ascii_whitespace() {
        if out.len() % AT_ONCE == AT_ONCE - 1 && !goes_on() {
            return Err(ValueError::ended());
        }
        let error = |kind, message, hint| ValueError {
            kind,
            offset: offset_of(text, token),
            message,
            hint,
        };
        if out.len() >= most {
            let given = text.split_ascii_whitespace().take(MANY + 1).count();
            let more = if given > MANY { "more than " } else { "" };
            let given = given.min(MANY);
            let message = format!("{more}{given} numbers where at most {most} are expected");
            return Err(error("mjcf::count", message, None));
        }
        match T::number(token) {
            Ok(number) => out.push(number),
            Err(NumberError::Syntax) => {
                let hint = token
                    .contains(',')
                    .then(|| "separate numbers by spaces; the decimal sign is a point".to_string());
                let message = format!("`{}` is not {}", shorten(token), T::EXPECTED);
                return Err(error("mjcf::number", message, hint));
            }
            Err(NumberError::Range) => {
                let message = format!("`{}` is out of range", shorten(token));
                return Err(error("mjcf::number-range", message, None));
            }
        }
    }
    if !out.is_empty() && out.len() < least {
        return Err(ValueError {
            kind: "mjcf::count",
            offset: 0,
            message: format!("{} numbers where {least} are expected", out.len()),
            hint: None,
        });
    }
    Ok(out)
}

/// Which character of a text a part of it starts at.
fn offset_of(text: &str, part: &str) -> usize {
    let bytes = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    text.get(..bytes).map_or(0, |before| before.chars().count())
}

/// Finds a word in a keyword list.
pub fn keyword<K: Keyword>(text: &str) -> Result<K, ValueError> {
    if let Some((_, value)) = K::WORDS.iter().find(|(word, _)| *word == text) {
        return Ok(*value);
    }
    let words: Vec<&str> = K::WORDS.iter().map(|(word, _)| *word).collect();
    Err(ValueError {
        kind: "mjcf::keyword",
        offset: 0,
        message: format!("invalid keyword \"{}\"", shorten(text)),
        hint: Some(keyword_hint(text, &words)),
    })
}

/// The first characters of a text, for quoting in a message.
pub fn shorten(text: &str) -> String {
    if text.chars().nth(40).is_some() {
        let mut short: String = text.chars().take(37).collect();
        short.push('…');
        short
    } else {
        text.to_string()
    }
}

/// The allowed words, and the nearest one when the text looks like a slip.
pub fn keyword_hint(text: &str, words: &[&str]) -> String {
    let all = words.join(", ");
    match nearest(text, words.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"? one of: {all}"),
        None => format!("one of: {all}"),
    }
}
