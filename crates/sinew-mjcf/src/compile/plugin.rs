//! Plugin instances: columns `plugin_*` and the plugin ids of bodies, geoms, actuators, sensors.

use super::Context;
use sinew_model::Model;

/// Fills the columns of this pass.
pub fn compile(_ctx: &mut Context, _model: &mut Model) {}
