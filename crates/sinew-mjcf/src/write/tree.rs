//! Writes the kinematic tree.

use super::text::Text;
use crate::spec::tree::{Child, Composite, Flexcomp, Plugin};

/// Writes what stands in a body, a frame or the world.
pub fn children(text: &mut Text, children: &[Child]) {
    for child in children {
        match child {
            Child::Body(body) => {
                text.open("body", &body.table);
                self::children(text, &body.children);
                text.close("body");
            }
            Child::Frame(frame) => {
                text.open("frame", &frame.table);
                self::children(text, &frame.children);
                text.close("frame");
            }
            Child::Replicate(replicate) => {
                text.open("replicate", &replicate.table);
                self::children(text, &replicate.children);
                text.close("replicate");
            }
            other => leaf(text, other),
        }
    }
}

fn leaf(text: &mut Text, child: &Child) {
    match child {
        Child::Attach(attach) => text.leaf("attach", &**attach),
        Child::Inertial(inertial) => text.leaf("inertial", &**inertial),
        Child::Joint(joint) => text.leaf("joint", &**joint),
        Child::FreeJoint(joint) => text.leaf("freejoint", &**joint),
        Child::Geom(geom) if geom.plugins.is_empty() => text.leaf("geom", &geom.table),
        Child::Geom(geom) => {
            text.open("geom", &geom.table);
            plugins(text, &geom.plugins);
            text.close("geom");
        }
        Child::Site(site) => text.leaf("site", &**site),
        Child::Camera(camera) => text.leaf("camera", &**camera),
        Child::Light(light) => text.leaf("light", &**light),
        Child::Plugin(plugin) => plugins(text, std::slice::from_ref(plugin)),
        Child::Composite(one) => composite(text, one),
        Child::Flexcomp(one) => flexcomp(text, one),
        Child::Body(_) | Child::Frame(_) | Child::Replicate(_) => {}
    }
}

/// Writes plugin references.
pub fn plugins(text: &mut Text, plugins: &[Plugin]) {
    for plugin in plugins {
        if plugin.config.is_empty() {
            text.leaf("plugin", &plugin.table);
            continue;
        }
        text.open("plugin", &plugin.table);
        for config in &plugin.config {
            text.leaf("config", config);
        }
        text.close("plugin");
    }
}

fn composite(text: &mut Text, composite: &Composite) {
    text.open("composite", &composite.table);
    for joint in &composite.joints {
        text.leaf("joint", joint);
    }
    if let Some(skin) = &composite.skin {
        text.leaf("skin", skin);
    }
    if let Some(geom) = &composite.geom {
        text.leaf("geom", geom);
    }
    if let Some(site) = &composite.site {
        text.leaf("site", site);
    }
    plugins(text, &composite.plugins);
    text.close("composite");
}

fn flexcomp(text: &mut Text, flexcomp: &Flexcomp) {
    text.open("flexcomp", &flexcomp.table);
    if let Some(edge) = &flexcomp.edge {
        text.leaf("edge", edge);
    }
    if let Some(elasticity) = &flexcomp.elasticity {
        text.leaf("elasticity", elasticity);
    }
    if let Some(contact) = &flexcomp.contact {
        text.leaf("contact", contact);
    }
    for pin in &flexcomp.pins {
        text.leaf("pin", pin);
    }
    plugins(text, &flexcomp.plugins);
    text.close("flexcomp");
}
