//! Plugin instances: columns `plugin_*` and the plugin ids of bodies, geoms, actuators, sensors.

use super::Context;
use crate::place::{At, Place};
use sinew_model::Model;

/// Fills the columns of this pass.
pub fn compile(ctx: &mut Context, _model: &mut Model) {
    let spec = ctx.spec;
    for declaration in &spec.extensions {
        let table = &declaration.table;
        refuse(ctx, table.place, &table.plugin, "plugin");
    }
    for actuator in &spec.actuators {
        let table = &actuator.table;
        if actuator.kind == crate::spec::actuator::ActuatorKind::Plugin {
            refuse(ctx, table.place, &table.plugin, "plugin");
        }
    }
}

/// Reports a plugin that cannot be loaded.
pub fn refuse(ctx: &mut Context, place: Place, plugin: &Option<At<String>>, element: &str) {
    let (name, place) = match plugin {
        Some(plugin) => (plugin.value.as_str(), plugin.place),
        None => ("", place),
    };
    ctx.report
        .error(
            "mjcf::unknown-plugin",
            place,
            format!("plugin `{name}` not found"),
        )
        .element(element)
        .attribute("plugin")
        .hint("plugins are not supported yet");
}
