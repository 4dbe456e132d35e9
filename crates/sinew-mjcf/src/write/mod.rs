//! Spec → MJCF text.
//!
//! Sections and attributes come in the order of the reference's saved files. Values are written as
//! they were: units, shortcuts and macros stay, numbers have as many digits as it takes to read the
//! same number again. Includes are part of the text; sub-models stay files of their own. What the
//! text says is what the Spec says: reading it again and compiling gives the same model, as long as
//! its files are looked for from the same folder.
//!
//! A class that inherits from nothing is written in a first `default` section, before `main` has any
//! settings to inherit.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod number;
mod saved;
mod text;
mod tree;

use crate::memory::{Memory, Shortage};
use crate::spec::actuator::Actuator;
use crate::spec::asset::Material;
use crate::spec::constraint::{EqualityKind, PathElement, Tendon};
use crate::spec::extra::Flex;
use crate::spec::{DefaultClass, Document, Spec};
use text::Text;

/// The text of a model.
pub fn write(spec: &Spec) -> String {
    // Nothing limits it, so that it does not fail.
    write_into(Text::default(), spec).unwrap_or_default()
}

/// The text of a model in the look of the reference's saved files: numbers with six digits, its order of attributes.
/// Its memory is taken from what there is.
pub fn write_saved(spec: &Spec, memory: &Memory) -> Result<String, Shortage> {
    write_into(Text::saved(memory), spec)
}

fn write_into(mut text: Text, spec: &Spec) -> Result<String, Shortage> {
    let document = spec.documents.get(usize::from(spec.document));
    let name = document.map_or("", |document| document.name.as_str());
    let attributes = if name.is_empty() {
        Vec::new()
    } else {
        vec![("model", name.to_string())]
    };
    text.open_with("mujoco", attributes);
    if let Some(document) = document {
        compiler(&mut text, document);
    }
    settings(&mut text, spec);
    defaults(&mut text, &spec.defaults);
    extension(&mut text, spec);
    custom(&mut text, spec);
    assets(&mut text, spec);
    text.section("worldbody", |text| tree::children(text, &spec.world));
    text.section("contact", |text| {
        for pair in &spec.pairs {
            text.leaf("pair", pair);
        }
        for exclude in &spec.excludes {
            text.leaf("exclude", exclude);
        }
    });
    text.section("deformable", |text| {
        for one in &spec.flexes {
            flex(text, one);
        }
    });
    constraints(&mut text, spec);
    text.section("actuator", |text| {
        for actuator in &spec.actuators {
            self::actuator(text, actuator);
        }
    });
    text.section("sensor", |text| {
        for sensor in &spec.sensors {
            if sensor.config.is_empty() {
                text.leaf(sensor.element, &sensor.table);
                continue;
            }
            text.open(sensor.element, &sensor.table);
            for config in &sensor.config {
                text.leaf("config", config);
            }
            text.close(sensor.element);
        }
    });
    text.section("keyframe", |text| {
        for key in &spec.keys {
            text.leaf("key", key);
        }
    });
    text.close("mujoco");
    text.finish()
}

fn compiler(text: &mut Text, document: &Document) {
    let length_range = crate::spec::element::Element::written(&document.length_range);
    if length_range.is_empty() {
        text.setting("compiler", &document.compiler);
    } else {
        text.open("compiler", &document.compiler);
        text.setting("lengthrange", &document.length_range);
        text.close("compiler");
    }
}

fn settings(text: &mut Text, spec: &Spec) {
    let flags = crate::spec::element::Element::written(&spec.flags);
    if flags.is_empty() {
        text.setting("option", &spec.option);
    } else {
        text.open("option", &spec.option);
        text.setting("flag", &spec.flags);
        text.close("option");
    }
    text.setting("size", &spec.size);
    text.section("visual", |text| {
        text.setting("global", &spec.visual.global);
        text.setting("quality", &spec.visual.quality);
        text.setting("headlight", &spec.visual.headlight);
        text.setting("map", &spec.visual.map);
        text.setting("scale", &spec.visual.scale);
        text.setting("rgba", &spec.visual.rgba);
    });
    text.setting("statistic", &spec.statistic);
}

fn defaults(text: &mut Text, classes: &[DefaultClass]) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); classes.len()];
    let mut roots = Vec::new();
    for (index, class) in classes.iter().enumerate().skip(1) {
        match class.parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(index),
            None => roots.push(index),
        }
    }
    text.section("default", |text| {
        for root in &roots {
            class(text, classes, &children, *root);
        }
    });
    let Some(main) = classes.first() else { return };
    text.section("default", |text| {
        class_settings(text, main);
        for child in children.first().into_iter().flatten() {
            class(text, classes, &children, *child);
        }
    });
}

fn class(text: &mut Text, classes: &[DefaultClass], children: &[Vec<usize>], index: usize) {
    let Some(own) = classes.get(index) else {
        return;
    };
    text.open_with("default", vec![("class", own.name.clone())]);
    class_settings(text, own);
    for child in children.get(index).into_iter().flatten() {
        class(text, classes, children, *child);
    }
    text.close("default");
}

fn class_settings(text: &mut Text, class: &DefaultClass) {
    macro_rules! settings {
        ($($kind:ident),*) => { $(
            if let Some(table) = &class.$kind {
                text.leaf(stringify!($kind), &**table);
            }
        )* };
    }
    settings!(mesh);
    if let Some(one) = &class.material {
        material(text, one);
    }
    settings!(joint, geom, site, camera, light, pair, equality, tendon);
    for one in &class.actuators {
        actuator(text, one);
    }
}

fn extension(text: &mut Text, spec: &Spec) {
    text.section("extension", |text| {
        for declaration in &spec.extensions {
            text.open("plugin", &declaration.table);
            for instance in &declaration.instances {
                text.open("instance", &instance.table);
                for config in &instance.config {
                    text.leaf("config", config);
                }
                text.close("instance");
            }
            text.close("plugin");
        }
    });
}

fn custom(text: &mut Text, spec: &Spec) {
    text.section("custom", |text| {
        for numeric in &spec.numerics {
            text.leaf("numeric", numeric);
        }
        for field in &spec.texts {
            text.leaf("text", field);
        }
        for tuple in &spec.tuples {
            text.open("tuple", &tuple.table);
            for element in &tuple.elements {
                text.leaf("element", element);
            }
            text.close("tuple");
        }
    });
}

fn assets(text: &mut Text, spec: &Spec) {
    text.section("asset", |text| {
        for texture in &spec.textures {
            text.leaf("texture", texture);
        }
        for one in &spec.materials {
            material(text, one);
        }
        for mesh in &spec.meshes {
            if mesh.plugins.is_empty() {
                text.leaf("mesh", &mesh.table);
                continue;
            }
            text.open("mesh", &mesh.table);
            tree::plugins(text, &mesh.plugins);
            text.close("mesh");
        }
        for hfield in &spec.hfields {
            text.leaf("hfield", hfield);
        }
        for skin in &spec.skins {
            text.open("skin", &skin.table);
            for bone in &skin.bones {
                text.leaf("bone", bone);
            }
            text.close("skin");
        }
        for model in &spec.models {
            text.leaf("model", model);
        }
    });
}

fn material(text: &mut Text, material: &Material) {
    if material.layers.is_empty() {
        text.leaf("material", &material.table);
        return;
    }
    text.open("material", &material.table);
    for layer in &material.layers {
        text.leaf("layer", layer);
    }
    text.close("material");
}

fn flex(text: &mut Text, flex: &Flex) {
    text.open("flex", &flex.table);
    if let Some(contact) = &flex.contact {
        text.leaf("contact", contact);
    }
    if let Some(edge) = &flex.edge {
        text.leaf("edge", edge);
    }
    if let Some(elasticity) = &flex.elasticity {
        text.leaf("elasticity", elasticity);
    }
    text.close("flex");
}

fn constraints(text: &mut Text, spec: &Spec) {
    text.section("equality", |text| {
        for equality in &spec.equalities {
            let name = match equality.kind {
                EqualityKind::Connect => "connect",
                EqualityKind::Weld => "weld",
                EqualityKind::Joint => "joint",
                EqualityKind::Tendon => "tendon",
                EqualityKind::Flex => "flex",
                EqualityKind::FlexVert => "flexvert",
            };
            text.leaf(name, &equality.table);
        }
    });
    text.section("tendon", |text| {
        for tendon in &spec.tendons {
            self::tendon(text, tendon);
        }
    });
}

fn tendon(text: &mut Text, tendon: &Tendon) {
    let name = if tendon.is_spatial {
        "spatial"
    } else {
        "fixed"
    };
    text.open(name, &tendon.table);
    for step in &tendon.path {
        match step {
            PathElement::Site(site) => text.leaf("site", site),
            PathElement::Geom(geom) => text.leaf("geom", geom),
            PathElement::Pulley(pulley) => text.leaf("pulley", pulley),
            PathElement::Joint(joint) => text.leaf("joint", joint),
        }
    }
    text.close(name);
}

fn actuator(text: &mut Text, actuator: &Actuator) {
    let name = actuator.kind.word();
    if actuator.config.is_empty() {
        text.leaf(name, &actuator.table);
        return;
    }
    text.open(name, &actuator.table);
    for config in &actuator.config {
        text.leaf("config", config);
    }
    text.close(name);
}
