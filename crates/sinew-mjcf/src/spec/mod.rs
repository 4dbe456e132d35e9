//! What was written: a model as text says it, before anything is computed.
//!
//! Every attribute is an `Option`: presence lives here and only here. Reading fills a [`Spec`];
//! expansion ([`expand`](crate::expand)) replaces sub-models, replicates and composites by plain
//! elements; compiling ([`compile`](crate::compile)) fills defaults and makes a `Model`.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

pub mod actuator;
pub mod asset;
pub mod constraint;
pub mod element;
pub mod extra;
pub mod held;
pub mod number;
pub mod sensor;
pub mod settings;
pub mod tree;
pub mod value;

use crate::place::Place;

/// A file that took part in a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceFile {
    /// The name to show to the user.
    pub name: String,
    /// Directory the file lies in, as a path prefix; empty for the current one.
    pub directory: String,
    /// The whole text, for quoting lines.
    pub text: std::sync::Arc<str>,
}

/// A main model file with its includes, or an attached sub-model: the scope of compiler settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Model name.
    pub name: String,
    /// Main file of this document, index into [`Spec::files`].
    pub main_file: u16,
    /// Directory of the main file.
    pub directory: String,
    /// Merged compiler settings.
    pub compiler: settings::Compiler,
    /// Merged length-range settings.
    pub length_range: settings::LengthRange,
}

/// One default class. Class 0 is `main`; a parent always precedes its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefaultClass {
    /// The class name.
    pub name: String,
    /// Index of the parent class; `None` for a root.
    pub parent: Option<usize>,
    /// Where it was opened.
    pub place: Place,
    /// Settings per element kind, as written in this class only.
    pub mesh: Option<Box<asset::MeshTable>>,
    /// `material`
    pub material: Option<Box<asset::Material>>,
    /// `joint`
    pub joint: Option<Box<tree::Joint>>,
    /// `geom`
    pub geom: Option<Box<tree::GeomTable>>,
    /// `site`
    pub site: Option<Box<tree::Site>>,
    /// `camera`
    pub camera: Option<Box<tree::Camera>>,
    /// `light`
    pub light: Option<Box<tree::Light>>,
    /// `pair`
    pub pair: Option<Box<constraint::Pair>>,
    /// `equality`
    pub equality: Option<Box<constraint::EqualityTable>>,
    /// `tendon`
    pub tendon: Option<Box<constraint::TendonTable>>,
    /// Actuator shortcuts in document order; they all write to one record.
    pub actuators: Vec<actuator::Actuator>,
}

/// The visual section.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Visual {
    pub global: settings::VisualGlobalTable,
    pub quality: settings::VisualQualityTable,
    pub headlight: settings::VisualHeadlightTable,
    pub map: settings::VisualMapTable,
    pub scale: settings::VisualScaleTable,
    pub rgba: settings::VisualRgbaTable,
}

/// A whole model as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// All files that were read as text.
    pub files: Vec<SourceFile>,
    /// Scopes of compiler settings; 0 is the main one.
    pub documents: Vec<Document>,
    /// Which document this Spec is the content of: 0 for the main model, another for a sub-model.
    pub document: u16,
    /// Options, merged over all sections.
    pub option: settings::OptionTable,
    /// Flags, merged over all sections.
    pub flags: settings::Flags,
    /// Sizes, merged.
    pub size: settings::Size,
    /// Statistics given by the user, merged.
    pub statistic: settings::StatisticTable,
    /// Visual settings, merged.
    pub visual: Visual,
    /// Default classes; the first is `main` and always there.
    pub defaults: Vec<DefaultClass>,
    /// Plugin declarations.
    pub extensions: Vec<extra::PluginDeclaration>,
    /// Custom numbers.
    pub numerics: Vec<extra::Numeric>,
    /// Custom texts.
    pub texts: Vec<extra::TextField>,
    /// Custom tuples.
    pub tuples: Vec<extra::Tuple>,
    /// Meshes.
    pub meshes: Vec<asset::Mesh>,
    /// Height fields.
    pub hfields: Vec<asset::HeightField>,
    /// Textures.
    pub textures: Vec<asset::Texture>,
    /// Materials.
    pub materials: Vec<asset::Material>,
    /// Skins.
    pub skins: Vec<asset::Skin>,
    /// Sub-models named for attach. Their parsed Specs stand in [`Spec::submodels`].
    pub models: Vec<asset::ModelAsset>,
    /// Parsed sub-models, parallel to [`Spec::models`]. Their places already refer to the files
    /// and documents of this Spec.
    pub submodels: Vec<Spec>,
    /// Children of all `worldbody` sections, in order.
    pub world: Vec<tree::Child>,
    /// Contact pairs.
    pub pairs: Vec<constraint::Pair>,
    /// Excluded body pairs.
    pub excludes: Vec<constraint::Exclude>,
    /// Flexes.
    pub flexes: Vec<extra::Flex>,
    /// Equality constraints.
    pub equalities: Vec<constraint::Equality>,
    /// Tendons.
    pub tendons: Vec<constraint::Tendon>,
    /// Actuators.
    pub actuators: Vec<actuator::Actuator>,
    /// Sensors.
    pub sensors: Vec<sensor::Sensor>,
    /// Keyframes.
    pub keys: Vec<extra::Key>,
    /// Keyframes that expansion put together from the parts of the model; they follow
    /// [`Spec::keys`] and the empty keys that `nkey` asks for.
    pub assembled_keys: Vec<extra::AssembledKey>,
}
