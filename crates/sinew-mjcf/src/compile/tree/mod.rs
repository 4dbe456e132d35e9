//! The kinematic tree: bodies with their joints, geoms, sites, cameras and lights.

pub mod flatten;

use super::Context;
use sinew_model::Model;

/// The flattened tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {}

/// Compiles bodies and everything attached to them, and fills their columns.
pub fn compile(_ctx: &mut Context, _model: &mut Model) {}
