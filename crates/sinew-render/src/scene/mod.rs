//! What is to be seen: shapes with poses and surfaces, and lights.

mod catenary;
mod connector;
mod decoration;
mod flex;
mod island;
mod light;
mod objects;
mod skin;
mod tendon;

pub(crate) use connector::along;
pub use light::{Light, LightKind};
pub use objects::moves;

use crate::options::Options;
use crate::view::View;
use sinew_engine::Data;
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// The form of a piece. Sizes scale it; meshes and height fields have theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A rectangle; sides of size 0 reach beyond what can be seen.
    Plane,
    /// A sphere or an ellipsoid.
    Ellipsoid,
    /// A capsule along z.
    Capsule,
    /// A cylinder along z.
    Cylinder,
    /// A box.
    Box,
    /// A mesh of the model.
    Mesh(usize),
    /// The convex hull of a mesh of the model.
    Hull(usize),
    /// A height field of the model.
    HeightField(usize),
    /// An arrow along z, from its tail on, half as long as its size.
    Arrow,
    /// The same with a head that is not wider than its shaft.
    Pointer,
    /// An arrow with two heads about its middle, as long as its size.
    DoubleArrow,
    /// A line along z from its first point on; its first size is its width in pixels.
    Line,
    /// The edges of a box.
    LineBox,
    /// A triangle: its first corner, two sides as axes, and their lengths.
    Triangle,
    /// Parts of the scene that are given in the world.
    Soft(Soft),
    /// Nothing but its text.
    Text,
}

/// Triangles and links of a scene: the first of each, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Soft {
    /// Corners of triangles.
    pub corners: (usize, usize),
    /// Balls and tubes.
    pub links: (usize, usize),
}

/// A ball at a vertex, or a tube along an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Its ends; those of a ball are the same.
    pub ends: (Vec3, Vec3),
    /// Its radius.
    pub radius: f64,
}

/// What is written beside a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The number of the piece.
    pub piece: usize,
    /// What is written.
    pub text: String,
}

/// How a scene is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    /// Whether the model's sky is drawn.
    pub sky: bool,
    /// Whether there is haze before the sky.
    pub haze: bool,
    /// Whether what is far fades into the colour of fog.
    pub fog: bool,
    /// Whether only the edges of triangles are drawn.
    pub wireframe: bool,
    /// Whether clear pieces add their light to what is behind them, instead of hiding a part of it.
    pub additive: bool,
    /// Whether triangles are seen from outside only.
    pub outsides: bool,
}

impl Default for Effects {
    fn default() -> Self {
        Effects {
            sky: true,
            haze: true,
            fog: false,
            wireframe: false,
            additive: false,
            outsides: true,
        }
    }
}

/// How a piece looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Red, green, blue, opacity.
    pub colour: [f32; 4],
    /// Light of its own.
    pub emission: f32,
    /// Strength of highlights.
    pub specular: f32,
    /// How small highlights are.
    pub shininess: f32,
    /// How much of its surroundings a plane mirrors.
    pub reflectance: f32,
    /// The material of the model whose texture it has.
    pub material: Option<usize>,
}

impl Surface {
    /// A plain surface of a colour.
    pub fn plain(colour: [f32; 4]) -> Self {
        Surface {
            colour,
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            material: None,
        }
    }
}

/// Something that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Its form.
    pub shape: Shape,
    /// Its half sizes.
    pub size: [f64; 3],
    /// Where it is.
    pub position: Vec3,
    /// Its axes, as columns.
    pub axes: Mat3,
    /// How it looks.
    pub surface: Surface,
    /// Id and type of the object it shows, for segmentations.
    pub object: [i32; 2],
    /// Whether it only explains: then it casts no shadow.
    pub is_decoration: bool,
}

/// A corner of a triangle that is given in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Where it is.
    pub position: [f32; 3],
    /// The normal of the surface there.
    pub normal: [f32; 3],
    /// Where in the texture.
    pub texture: [f32; 2],
}

/// All that is to be seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// What is drawn.
    pub pieces: Vec<Piece>,
    /// What shines, the headlight first.
    pub lights: Vec<Light>,
    /// Corners of triangles in the world: flexes and skins.
    pub corners: Vec<Corner>,
    /// Balls and tubes in the world: vertices and edges of flexes.
    pub links: Vec<Link>,
    /// What is written beside pieces.
    pub texts: Vec<Text>,
    /// How it is drawn.
    pub effects: Effects,
}

impl Scene {
    /// What a view of a simulation shows. Poses are those of the last forward dynamics.
    pub fn new(model: &Model, data: &Data, view: &View, options: &Options) -> Self {
        let mut scene = Scene::default();
        // In the reference's order, which users and segmentations see.
        flex::add(&mut scene, model, data, options);
        skin::add(&mut scene, model, data, options);
        objects::add_geoms(&mut scene, model, data, view, options);
        objects::add_sites(&mut scene, model, data, options);
        tendon::add(&mut scene, model, data, options);
        tendon::add_cranks(&mut scene, model, data, options);
        decoration::add(&mut scene, model, data, options);
        scene.lights = light::list(model, data, view);
        scene
    }

    /// Adds a piece of the corners and links from the first of them on.
    fn push_soft(&mut self, (corner, link): (usize, usize), piece: Piece) {
        let soft = Soft {
            corners: (corner, self.corners.len() - corner),
            links: (link, self.links.len() - link),
        };
        self.pieces.push(Piece {
            shape: Shape::Soft(soft),
            ..piece
        });
    }

    /// Writes beside the last piece.
    fn write(&mut self, text: String) {
        let piece = self.pieces.len().saturating_sub(1);
        self.texts.push(Text { piece, text });
    }

    /// Writes the name of an object beside the last piece, or else its type and number.
    fn write_name(&mut self, model: &Model, kind: ObjectType, id: usize) {
        let name = model.name(kind, id).filter(|name| !name.is_empty());
        let text = match name {
            Some(name) => name.to_owned(),
            None => format!("{} {id}", word(kind)),
        };
        self.write(text.chars().take(LONGEST).collect());
    }
}

/// The longest name that is written.
const LONGEST: usize = 99;

/// What a type of objects is called.
fn word(kind: ObjectType) -> &'static str {
    match kind {
        ObjectType::Body => "body",
        ObjectType::Joint => "joint",
        ObjectType::Geom => "geom",
        ObjectType::Site => "site",
        ObjectType::Camera => "camera",
        ObjectType::Light => "light",
        ObjectType::Flex => "flex",
        ObjectType::Skin => "skin",
        ObjectType::Tendon => "tendon",
        ObjectType::Actuator => "actuator",
        ObjectType::Equality => "equality",
        _ => "object",
    }
}
