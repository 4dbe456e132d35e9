//! What is to be seen: shapes with poses and surfaces, and lights.

mod catenary;
mod connector;
mod decoration;
mod flex;
mod light;
mod objects;
mod skin;
mod tendon;

pub use light::{Light, LightKind};
pub use objects::moves;

use crate::options::Options;
use crate::view::View;
use sinew_engine::Data;
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;

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
    /// A triangle: its first corner, two sides as axes, and their lengths.
    Triangle,
    /// Triangles of the scene in the world: first corner and number of corners.
    Corners(usize, usize),
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
    /// Whether the model's sky is left out.
    pub hides_sky: bool,
    /// Whether the haze before the sky is left out.
    pub hides_haze: bool,
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
        tendon::add_cranks(&mut scene, model, data);
        decoration::add(&mut scene, model, data, options);
        scene.lights = light::list(model, data, view);
        scene
    }

    /// Adds a piece of the corners from the first of them on, which are in the world.
    fn push_corners(&mut self, first: usize, surface: Surface, object: [i32; 2]) {
        self.pieces.push(Piece {
            shape: Shape::Corners(first, self.corners.len() - first),
            size: [1.0; 3],
            position: Vec3::ZERO,
            axes: Mat3::identity(),
            surface,
            object,
            is_decoration: false,
        });
    }
}
