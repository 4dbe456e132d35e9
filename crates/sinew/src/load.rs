//! Models from files, text and the built-in collection.

use crate::models;
use sinew_mjcf::{LoadError, Loader};
use sinew_model::Model;
use std::fmt;
use std::path::Path;

/// Ways to a [`Model`]. Warnings are dropped here; [`Loader`] gives them, and
/// takes files in memory, limits and a folder that files must lie in.
///
/// ```
/// use sinew::prelude::*;
/// let model = Model::from_str("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")?;
/// assert_eq!(model.ngeom, 1);
/// let error = Model::from_str("<mujoco><wrldbody/></mujoco>").unwrap_err();
/// assert!(error.to_string().contains("did you mean <worldbody>?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Load: Sized {
    /// Loads a file: MJCF or URDF.
    fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError>;

    /// Loads text: MJCF or URDF. Files that it names are looked for from the current folder on.
    fn from_str(text: &str) -> Result<Self, LoadError>;

    /// One of the [built-in models](crate::models).
    fn built_in(name: &str) -> Result<Self, NoSuchModel>;
}

impl Load for Model {
    fn from_file(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref().to_string_lossy();
        Ok(Loader::new().load_path(&path)?.model)
    }

    fn from_str(text: &str) -> Result<Self, LoadError> {
        Ok(Loader::new().load_text(text)?.model)
    }

    fn built_in(name: &str) -> Result<Self, NoSuchModel> {
        let missing = || NoSuchModel(name.to_string());
        let model = models::get(name).ok_or_else(missing)?;
        // All of them load; a test sees to it.
        Ok(model.load().map_err(|_| missing())?.model)
    }
}

/// There is no built-in model of this name.
///
/// ```
/// use sinew::prelude::*;
/// let error = Model::built_in("humanoit").expect_err("a slip");
/// assert!(error.to_string().contains("did you mean \"humanoid\"?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchModel(pub String);

impl fmt::Display for NoSuchModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no built-in model is named {:?}", self.0)?;
        let names = models::ALL.iter().map(|model| model.name);
        match sinew_mjcf::nearest(&self.0, names) {
            Some(nearest) => write!(f, ": did you mean {nearest:?}?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for NoSuchModel {}
