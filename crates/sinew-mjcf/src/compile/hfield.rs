//! Height fields: columns `hfield_*`. Runs before the tree, which takes sizes from here.

use super::Context;
use sinew_model::Model;

/// Fills the columns of this pass.
pub fn compile(_ctx: &mut Context, _model: &mut Model) {}
