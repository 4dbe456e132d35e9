//! Keyframes: columns `key_*`.

use super::Context;
use sinew_model::Model;

/// Fills the columns of this pass.
pub fn compile(_ctx: &mut Context, _model: &mut Model) {}
