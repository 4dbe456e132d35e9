//! Pictures of a simulation: no window, no driver, no graphics processor, and the same pixels on every machine.
//!
//! ```text
//! Model, Data, View, Options ──▶ Scene (a list of shapes, lights) ──▶ Image, depth, segmentation
//! ```
//!
//! The [`Scene`] is plain data: what is to be seen, with colours and poses, as the reference's visualiser lists it. A
//! [`Renderer`] draws it with triangles: visibility first, at several samples per pixel, then light for what is visible.
//! Light follows the reference's fixed functions (ambient, diffuse and specular, spots and directional lights with
//! shadow maps, a headlight), so that pictures look like the ones users know.
//!
//! ```
//! use sinew_render::{Options, Renderer, Scene, View};
//! # fn picture(model: &sinew_model::Model, data: &sinew_engine::Data) -> Result<(), sinew_render::RenderError> {
//! let renderer = Renderer::new(model)?;
//! let view = View::free(model);
//! let scene = Scene::new(model, data, &view, &Options::default());
//! let image = renderer.draw(&scene, &view, 640, 480)?;
//! std::fs::write("picture.png", image.to_png()).expect("a folder that can be written to");
//! # Ok(())
//! # }
//! ```
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo)
)]

mod draw;
mod error;
mod image;
mod options;
mod scene;
mod shape;
mod texture;
mod view;

pub use draw::Renderer;
pub use error::RenderError;
pub use image::{Depth, Image, Segmentation};
pub use options::{FlexParts, Frames, Labels, Options, Selection};
pub use scene::{
    Corner, Effects, Light, LightKind, Link, Piece, Scene, Shape, Surface, Text, moves,
};
pub use view::{Frustum, View};
