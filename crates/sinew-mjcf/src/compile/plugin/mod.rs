//! Plugin instances: columns `plugin_*` and the plugin ids of bodies, geoms, actuators, sensors.
//!
//! A plugin has to be declared in `extension`. Instances that are declared there come first; an
//! element that configures a plugin itself makes an instance of its own, without a name. Only the
//! declarations are compiled so far, and the meshes that signed-distance plugins make: what a
//! plugin does is not simulated yet, and the loader says so.

pub mod shipped;

use super::Context;
use crate::nearest::nearest;
use crate::place::{At, Place};
use crate::spec::actuator::ActuatorKind;
use crate::spec::tree::Config;
use shipped::{Capability, SHIPPED, Shipped};
use sinew_collision::sdf::Shape;
use sinew_model::ModelArrays;
use sinew_model::kinds::ObjectType;
use std::collections::BTreeSet;

/// One instance.
#[derive(Clone, Debug)]
pub struct Instance {
    slot: usize,
    /// Values in the order of the plugin's attributes; `None`: not given.
    values: Vec<Option<String>>,
}

impl Instance {
    /// The plugin.
    pub fn plugin(&self) -> &'static Shipped {
        &SHIPPED[self.slot]
    }

    /// The value of a setting.
    pub fn value(&self, attribute: &str) -> Option<&str> {
        let attributes = self.plugin().attributes;
        let position = attributes.iter().position(|known| *known == attribute)?;
        self.values.get(position)?.as_deref()
    }

    /// The value of a setting as a number; text that is none counts as 0.
    pub fn number(&self, attribute: &str) -> Option<f64> {
        let text = self.value(attribute).filter(|text| !text.is_empty())?;
        Some(text.trim().parse().unwrap_or(0.0))
    }
}

/// All instances, and who uses them.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    list: Vec<Instance>,
    /// Instance of each mesh, actuator and sensor that has one, by the id of the element.
    meshes: Vec<Option<usize>>,
    actuators: Vec<Option<usize>>,
    sensors: Vec<Option<usize>>,
}

impl Instances {
    /// The shape that a mesh is the surface of.
    pub fn shape_of_mesh(&self, mesh: usize) -> Option<Shape> {
        let id = (*self.meshes.get(mesh)?)?;
        shipped::shape(self.list.get(id)?)
    }

    /// The instance an actuator uses.
    pub fn of_actuator(&self, actuator: usize) -> Option<(usize, &Instance)> {
        let id = (*self.actuators.get(actuator)?)?;
        Some((id, self.list.get(id)?))
    }

    /// The instance a sensor uses.
    pub fn of_sensor(&self, sensor: usize) -> Option<(usize, &Instance)> {
        let id = (*self.sensors.get(sensor)?)?;
        Some((id, self.list.get(id)?))
    }
}

/// A reference to a plugin, as written in an element.
struct Reference<'a> {
    plugin: &'a Option<At<String>>,
    instance: &'a Option<At<String>>,
    config: &'a [Config],
    place: Place,
    element: &'a str,
    needs: Capability,
}

/// Checks declarations and references, and numbers the instances.
pub fn collect(ctx: &mut Context) {
    let spec = ctx.spec;
    let mut active: Vec<usize> = Vec::new();
    for declaration in &spec.extensions {
        if !ctx.has_time(declaration.table.place) {
            return;
        }
        let table = &declaration.table;
        let Some(name) = &table.plugin else {
            ctx.missing(table.place, "plugin", "plugin");
            continue;
        };
        let Some(slot) = shipped::slot(&name.value) else {
            unknown(ctx, name, "plugin");
            continue;
        };
        active.push(slot);
        ctx.report
            .warning(
                "mjcf::plugin",
                name.place,
                format!("plugin `{}` is not simulated yet", name.value),
            )
            .element("plugin");
        for instance in &declaration.instances {
            if !ctx.has_time(instance.table.place) {
                return;
            }
            let table = &instance.table;
            let Some(name) = &table.name else {
                ctx.missing(table.place, "instance", "name");
                continue;
            };
            let element = format!("instance \"{}\"", name.value);
            ctx.names
                .add(ObjectType::Plugin, &name.value, table.place, ctx.report);
            let values = settings(ctx, slot, &instance.config, &element);
            ctx.plugins.list.push(Instance { slot, values });
        }
    }

    for (id, mesh) in spec.meshes.iter().enumerate() {
        if !ctx.has_time(mesh.table.place) {
            return;
        }
        if let Some(plugin) = mesh.plugins.last() {
            let reference = Reference {
                plugin: &plugin.table.plugin,
                instance: &plugin.table.instance,
                config: &plugin.config,
                place: plugin.table.place,
                element: "mesh",
                needs: Capability::Distance,
            };
            let found = resolve(ctx, &active, &reference);
            ctx.plugins.meshes.resize(id, None);
            ctx.plugins.meshes.push(found);
        }
    }
    for (id, actuator) in spec.actuators.iter().enumerate() {
        if !ctx.has_time(actuator.table.place) {
            return;
        }
        let table = &actuator.table;
        let reference = Reference {
            plugin: &table.plugin,
            instance: &table.instance,
            config: &actuator.config,
            place: table.place,
            element: "actuator",
            needs: Capability::Actuator,
        };
        if actuator.kind == ActuatorKind::Plugin {
            let found = resolve(ctx, &active, &reference);
            ctx.plugins.actuators.resize(id, None);
            ctx.plugins.actuators.push(found);
        }
    }
    for (id, sensor) in spec.sensors.iter().enumerate() {
        if !ctx.has_time(sensor.table.place) {
            return;
        }
        let table = &sensor.table;
        let reference = Reference {
            plugin: &table.plugin,
            instance: &table.instance,
            config: &sensor.config,
            place: table.place,
            element: "sensor",
            needs: Capability::Sensor,
        };
        if sensor.element == "plugin" {
            let found = resolve(ctx, &active, &reference);
            ctx.plugins.sensors.resize(id, None);
            ctx.plugins.sensors.push(found);
        }
    }
    collect_tree(ctx, &active);
}

/// The same for bodies and geoms.
fn collect_tree(ctx: &mut Context, active: &[usize]) {
    let mut tree = std::mem::take(&mut ctx.tree);
    for body in &mut tree.bodies {
        if !ctx.has_time(body.place) {
            break;
        }
        if let Some(plugin) = body.plugins.last() {
            let reference = Reference {
                plugin: &plugin.table.plugin,
                instance: &plugin.table.instance,
                config: &plugin.config,
                place: plugin.table.place,
                element: "body",
                needs: Capability::Passive,
            };
            body.plugin = resolve(ctx, active, &reference);
        }
    }
    for geom in &mut tree.geoms {
        if !ctx.has_time(geom.place) {
            break;
        }
        if let Some(plugin) = geom.plugins.last() {
            let reference = Reference {
                plugin: &plugin.table.plugin,
                instance: &plugin.table.instance,
                config: &plugin.config,
                place: plugin.table.place,
                element: "geom",
                needs: Capability::Distance,
            };
            geom.plugin = resolve(ctx, active, &reference);
        }
    }
    ctx.tree = tree;
}

/// Reports a plugin nobody knows.
fn unknown(ctx: &mut Context, name: &At<String>, element: &str) {
    let hint = nearest(&name.value, SHIPPED.iter().map(|plugin| plugin.name));
    let entry = ctx
        .report
        .error(
            "mjcf::unknown-plugin",
            name.place,
            format!("plugin `{}` not found", name.value),
        )
        .element(element)
        .attribute("plugin");
    if let Some(hint) = hint {
        entry.hint(format!("did you mean `{hint}`?"));
    }
}

/// The instance that an element refers to or makes.
fn resolve(ctx: &mut Context, active: &[usize], reference: &Reference) -> Option<usize> {
    let element = reference.element;
    let given = |name: &Option<At<String>>| name.clone().filter(|name| !name.value.is_empty());
    let (plugin, instance) = (given(reference.plugin), given(reference.instance));
    let named_slot = match &plugin {
        Some(name) => match shipped::slot(&name.value).filter(|slot| active.contains(slot)) {
            Some(slot) => Some(slot),
            None if shipped::slot(&name.value).is_some() => {
                ctx.report
                    .error(
                        "mjcf::unknown-plugin",
                        name.place,
                        format!("plugin `{}` is not declared", name.value),
                    )
                    .element(element)
                    .attribute("plugin")
                    .hint("declare it in extension");
                return None;
            }
            None => {
                unknown(ctx, name, element);
                return None;
            }
        },
        None => None,
    };
    let id = match (&instance, named_slot) {
        (Some(name), _) => {
            let id = ctx.resolve(ObjectType::Plugin, name, element, "instance")?;
            let slot = ctx.plugins.list.get(id)?.slot;
            if named_slot.is_some_and(|named| named != slot) {
                ctx.report
                    .error(
                        "mjcf::plugin",
                        name.place,
                        format!("`{}` is an instance of another plugin", name.value),
                    )
                    .element(element)
                    .attribute("instance");
                return None;
            }
            id
        }
        (None, Some(slot)) => {
            let values = settings(ctx, slot, reference.config, element);
            ctx.plugins.list.push(Instance { slot, values });
            ctx.names
                .add(ObjectType::Plugin, "", reference.place, ctx.report)
        }
        (None, None) => {
            ctx.report
                .error(
                    "mjcf::missing-attribute",
                    reference.place,
                    "either `plugin` or `instance` is needed",
                )
                .element(element)
                .attribute("plugin");
            return None;
        }
    };
    let found = ctx.plugins.list.get(id)?.plugin();
    if found.capability != reference.needs {
        let message = format!(
            "plugin `{}` does not support {}",
            found.name,
            reference.needs.word()
        );
        ctx.report
            .error("mjcf::plugin", reference.place, message)
            .element(element)
            .attribute("plugin");
        return None;
    }
    Some(id)
}

/// The values of a plugin's settings, in its order.
fn settings(
    ctx: &mut Context,
    plugin_slot: usize,
    config: &[Config],
    element: &str,
) -> Vec<Option<String>> {
    let attributes = SHIPPED[plugin_slot].attributes;
    let mut values = vec![None; attributes.len()];
    for setting in config {
        if !ctx.has_time(setting.place) {
            break;
        }
        let (Some(key), Some(value)) = (&setting.key, &setting.value) else {
            let attribute = if setting.key.is_none() {
                "key"
            } else {
                "value"
            };
            ctx.missing(setting.place, element, attribute);
            continue;
        };
        let position = attributes.iter().position(|known| *known == key.value);
        match position.and_then(|position| values.get_mut(position)) {
            Some(slot @ None) => {
                if SHIPPED[plugin_slot].capability == Capability::Distance
                    && !value.value.is_empty()
                    && value.value.trim().parse::<f64>().is_err()
                {
                    let message = format!("setting `{}` must be a number", key.value);
                    ctx.report
                        .error("mjcf::plugin", value.place, message)
                        .element(element)
                        .attribute("value");
                }
                *slot = Some(value.value.clone());
            }
            Some(Some(_)) => {
                let message = format!("setting `{}` is given twice", key.value);
                ctx.report
                    .error("mjcf::plugin", key.place, message)
                    .element(element)
                    .attribute("key");
            }
            None => {
                let name = SHIPPED[plugin_slot].name;
                let message = format!("plugin `{name}` has no setting `{}`", key.value);
                ctx.report
                    .error("mjcf::plugin", key.place, message)
                    .element(element)
                    .attribute("key")
                    .hint(format!("one of: {}", attributes.join(", ")));
            }
        }
    }
    values
}

/// Appends the plugin columns and checks what the plugins themselves insist on.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    model.nplugin = ctx.plugins.list.len();
    for instance in &ctx.plugins.list {
        model.plugin.push(instance.slot as i32);
        model.plugin_stateadr.push(0);
        model.plugin_statenum.push(0);
        model.plugin_attradr.push(model.plugin_attr.len() as i32);
        for value in &instance.values {
            model
                .plugin_attr
                .extend(value.as_deref().unwrap_or("").as_bytes());
            model.plugin_attr.push(0);
        }
    }
    model.npluginattr = model.plugin_attr.len();
    let used: BTreeSet<usize> = ctx.plugins.actuators.iter().flatten().copied().collect();
    for id in 0..model.nplugin {
        if !ctx.has_time(Place::default()) {
            return;
        }
        let is_actuator = ctx.plugins.list[id].plugin().capability == Capability::Actuator;
        if is_actuator && !used.contains(&id) {
            let message = format!("no actuator uses plugin instance {id}");
            ctx.report
                .error("mjcf::plugin", Place::default(), message)
                .element("plugin");
        }
    }
}

/// Activations that the PID controller needs besides those of the actuator's own dynamics.
pub fn pid_activations(instance: &Instance) -> i32 {
    let has_integral = instance.number("ki").is_some_and(|gain| gain != 0.0);
    let has_slew = instance.number("slewmax").is_some();
    i32::from(has_integral) + i32::from(has_slew)
}

/// Numbers that a touch grid measures: channels × columns × rows. `None`: it does not say how many.
pub fn touch_grid_size(instance: &Instance) -> Option<i32> {
    let channels = match instance.number("nchannel").map_or(0, |n| n as i32) {
        0 => 1,
        channels => channels,
    };
    let number = |word: &str| word.trim().parse::<f64>().ok().map(|n| n as i32);
    let words = instance.value("size")?.split(' ');
    let size = words.map(number).collect::<Option<Vec<i32>>>()?;
    let [columns, rows] = *size.as_slice() else {
        return None;
    };
    let cells = columns.checked_mul(rows)?.checked_mul(channels)?;
    (cells > 0).then_some(cells)
}
