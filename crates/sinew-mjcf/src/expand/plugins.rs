//! Named plugin instances follow the elements that use them.

use super::Assembly;
use super::names::Affix;
use super::rename::Contents;
use crate::place::At;
use crate::spec::extra::{PluginDeclaration, PluginInstance};
use crate::spec::tree::Plugin;
use std::collections::BTreeSet;

impl Assembly {
    /// Adds an instance to the declaration of its plugin.
    pub(super) fn add_instance(&mut self, plugin: &str, instance: PluginInstance) {
        let place = instance.table.place;
        let known = self
            .spec
            .extensions
            .iter_mut()
            .find(|declaration| is_called(declaration, plugin));
        if let Some(declaration) = known {
            declaration.instances.push(instance);
            return;
        }
        let mut declaration = PluginDeclaration::default();
        declaration.table.place = place;
        declaration.table.plugin = Some(At::new(plugin.to_string(), place));
        declaration.instances.push(instance);
        self.spec.extensions.push(declaration);
    }

    /// Copies the instances that elements copied within the model use.
    pub(super) fn copy_instances(&mut self, used: &[String], affix: &Affix) {
        if used.is_empty() {
            return;
        }
        let used: BTreeSet<&String> = used.iter().collect();
        for declaration in &mut self.spec.extensions {
            let copies = renamed(declaration, &used, affix);
            for copy in copies {
                if !declaration
                    .instances
                    .iter()
                    .any(|one| one.table.name == copy.table.name)
                {
                    declaration.instances.push(copy);
                }
            }
        }
    }

    /// Takes over the plugins of a sub-model and the instances that its elements use.
    pub(super) fn take_instances(&mut self, child: &Assembly, used: &[String], affix: &Affix) {
        let mut used: BTreeSet<&String> = used.iter().collect();
        let actuators = child
            .lists
            .actuators
            .iter()
            .filter_map(|(_, a)| a.table.instance.as_ref());
        let sensors = child
            .lists
            .sensors
            .iter()
            .filter_map(|(_, s)| s.table.instance.as_ref());
        let meshes = child.spec.meshes.iter().flat_map(|mesh| &mesh.plugins);
        let meshes = meshes.filter_map(|plugin| plugin.table.instance.as_ref());
        used.extend(actuators.chain(sensors).chain(meshes).map(|at| &at.value));
        for declaration in &child.spec.extensions {
            let Some(plugin) = &declaration.table.plugin else {
                continue;
            };
            if !self
                .spec
                .extensions
                .iter()
                .any(|one| is_called(one, &plugin.value))
            {
                self.spec.extensions.push(PluginDeclaration {
                    table: declaration.table.clone(),
                    instances: Vec::new(),
                });
            }
            for copy in renamed(declaration, &used, affix) {
                self.add_instance(&plugin.value, copy);
            }
        }
    }

    /// Drops the instances that nothing uses.
    pub(super) fn drop_unused_instances(&mut self) {
        if self.spec.extensions.is_empty() {
            return;
        }
        let mut used: BTreeSet<String> = Contents::of(&self.spec.world)
            .instances
            .into_iter()
            .collect();
        let actuators = self
            .lists
            .actuators
            .iter()
            .filter_map(|(_, a)| a.table.instance.as_ref());
        let sensors = self
            .lists
            .sensors
            .iter()
            .filter_map(|(_, s)| s.table.instance.as_ref());
        let meshes = self.spec.meshes.iter().flat_map(|mesh| &mesh.plugins);
        let meshes = meshes.filter_map(|plugin| plugin.table.instance.as_ref());
        used.extend(
            actuators
                .chain(sensors)
                .chain(meshes)
                .map(|at| at.value.clone()),
        );
        for declaration in &mut self.spec.extensions {
            declaration.instances.retain(|instance| {
                instance
                    .table
                    .name
                    .as_ref()
                    .is_none_or(|name| used.contains(&name.value))
            });
        }
    }
}

/// Plugin name and the instance that all bodies of a composite or flexcomp share, if it configures the plugin itself.
pub(super) fn shared_instance(
    plugin: Option<&Plugin>,
    name: String,
) -> Option<(String, PluginInstance)> {
    let plugin = plugin?;
    if plugin.table.instance.is_some() {
        return None;
    }
    let kind = plugin.table.plugin.as_ref()?.value.clone();
    let mut instance = PluginInstance {
        config: plugin.config.clone(),
        ..PluginInstance::default()
    };
    instance.table.place = plugin.table.place;
    instance.table.name = Some(At::new(name, plugin.table.place));
    Some((kind, instance))
}

fn is_called(declaration: &PluginDeclaration, plugin: &str) -> bool {
    declaration
        .table
        .plugin
        .as_ref()
        .is_some_and(|at| at.value == plugin)
}

fn renamed(
    declaration: &PluginDeclaration,
    used: &BTreeSet<&String>,
    affix: &Affix,
) -> Vec<PluginInstance> {
    let mut out = Vec::new();
    for instance in &declaration.instances {
        if let Some(name) = &instance.table.name
            && used.contains(&name.value)
        {
            let mut copy = instance.clone();
            copy.table.name = Some(At::new(affix.apply(&name.value), name.place));
            out.push(copy);
        }
    }
    out
}
