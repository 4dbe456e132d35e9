//! Assets: files and inline data turned into what the model stores.

pub mod gmsh;
pub mod image;
pub mod mesh;
pub mod skin;

/// Who is asked, now and then, whether to go on.
pub type GoesOn<'a> = &'a dyn Fn() -> bool;
