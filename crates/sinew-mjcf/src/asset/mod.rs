//! Assets: files and inline data turned into what the model stores.

pub mod gmsh;
pub mod image;
pub mod mesh;
pub mod pace;
pub mod skin;
