//! The summary as text for a person.

use super::summary::{Body, Summary};
use super::words::{number, numbers};
use crate::output::{Table, count, heading};
use std::fmt::Write;

/// The whole text. Writing to a string cannot fail.
pub fn show(summary: &Summary) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} ({})\n", heading(&summary.model), summary.source);
    section(&mut out, "Sizes", &sizes(summary));
    section(&mut out, "Options", &options(summary));
    section(&mut out, "Tree", &tree(&summary.bodies));
    section(&mut out, "Joints", &joints(summary));
    section(&mut out, "Tendons", &tendons(summary));
    section(&mut out, "Equality constraints", &equalities(summary));
    section(&mut out, "Actuators", &actuators(summary));
    section(&mut out, "Sensors", &sensors(summary));
    section(&mut out, "Keyframes", &keyframes(summary));
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A heading and its text; nothing when the text is empty.
fn section(out: &mut String, title: &str, text: &str) {
    if !text.is_empty() {
        let _ = writeln!(out, "{}\n{text}", heading(title));
    }
}

fn sizes(summary: &Summary) -> String {
    let size = |name: &str| summary.sizes[name].as_u64().unwrap_or(0) as usize;
    let mut table = Table::default();
    for (name, one, many) in [
        (
            "nbody",
            "body, the world included",
            "bodies, the world included",
        ),
        ("njnt", "joint", "joints"),
        ("nq", "position coordinate", "position coordinates"),
        ("nv", "degree of freedom", "degrees of freedom"),
        ("ntree", "kinematic tree", "kinematic trees"),
        ("ngeom", "geom", "geoms"),
        ("nsite", "site", "sites"),
        ("ncam", "camera", "cameras"),
        ("nlight", "light", "lights"),
        ("nflex", "flex", "flexes"),
        ("nmesh", "mesh", "meshes"),
        ("nmeshvert", "mesh vertex", "mesh vertices"),
        ("nmeshface", "mesh face", "mesh faces"),
        ("nhfield", "height field", "height fields"),
        ("ntex", "texture", "textures"),
        ("nmat", "material", "materials"),
        ("nskin", "skin", "skins"),
        ("npair", "contact pair", "contact pairs"),
        ("nexclude", "excluded body pair", "excluded body pairs"),
        ("neq", "equality constraint", "equality constraints"),
        ("ntendon", "tendon", "tendons"),
        ("nu", "actuator", "actuators"),
        ("na", "activation", "activations"),
        ("nsensor", "sensor", "sensors"),
        ("nsensordata", "sensor number", "sensor numbers"),
        ("nmocap", "mocap body", "mocap bodies"),
        ("nkey", "keyframe", "keyframes"),
        ("nplugin", "plugin instance", "plugin instances"),
    ] {
        let value = size(name);
        if value > 0 {
            let meaning = if value == 1 { one } else { many };
            table.row([name.to_owned(), value.to_string(), meaning.to_owned()]);
        }
    }
    let mass = format!("{} kg", number(summary.mass));
    table.row(["mass".to_owned(), mass, "of all bodies".to_owned()]);
    table.to_string()
}

fn options(summary: &Summary) -> String {
    let opt = &summary.options;
    let mut table = Table::default();
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("timestep", format!("{} s", number(opt.timestep)));
    row("gravity", format!("{} m/s²", numbers(&opt.gravity)));
    row("integrator", opt.integrator.clone());
    let solver = format!(
        "{}, {} with tolerance {}",
        opt.solver,
        count(opt.iterations.max(0) as usize, "iteration", "iterations"),
        number(opt.tolerance)
    );
    row("solver", solver);
    row(
        "cone",
        format!("{}, impratio {}", opt.cone, number(opt.impratio)),
    );
    row("jacobian", opt.jacobian.clone());
    if opt.density != 0.0 || opt.viscosity != 0.0 {
        let medium = format!(
            "density {}, viscosity {}, wind {}",
            number(opt.density),
            number(opt.viscosity),
            numbers(&opt.wind)
        );
        row("medium", medium);
    }
    if !opt.disabled.is_empty() {
        row("disabled", opt.disabled.join(" "));
    }
    if !opt.enabled.is_empty() {
        row("enabled", opt.enabled.join(" "));
    }
    table.to_string()
}

/// The bodies as a tree. Parents come before children, so no recursion is needed: a body's place
/// in the tree is that of its parent, and the bodies after it close its branch.
fn tree(bodies: &[Body]) -> String {
    let mut table = Table::default();
    let mut has_later_sibling = vec![false; bodies.len()];
    let mut last_child = vec![None; bodies.len()];
    for body in bodies.iter().skip(1).rev() {
        if let Some(slot) = last_child.get_mut(body.parent) {
            has_later_sibling[body.id] = slot.is_some();
            slot.get_or_insert(body.id);
        }
    }
    let mut prefixes: Vec<String> = Vec::with_capacity(bodies.len());
    for body in bodies {
        let (branch, below) = match (body.id, has_later_sibling[body.id]) {
            (0, _) => ("", ""),
            (_, true) => ("├─ ", "│  "),
            (_, false) => ("└─ ", "   "),
        };
        let parent = prefixes.get(body.parent).map_or("", String::as_str);
        let label = format!("{parent}{branch}{}", body.name);
        prefixes.push(format!("{parent}{below}"));
        let joints = if body.is_mocap {
            "(mocap)".to_owned()
        } else {
            body.joints.join(" ")
        };
        table.row([label, body_mass(body), contents(body), joints]);
    }
    table.to_string()
}

fn body_mass(body: &Body) -> String {
    if body.mass == 0.0 {
        String::new()
    } else {
        format!("{} kg", number(body.mass))
    }
}

fn contents(body: &Body) -> String {
    let mut words = Vec::new();
    if body.geoms > 0 {
        words.push(count(body.geoms, "geom", "geoms"));
    }
    if body.sites > 0 {
        words.push(count(body.sites, "site", "sites"));
    }
    words.join(", ")
}

fn joints(summary: &Summary) -> String {
    let mut table = Table::with_titles(["name", "kind", "moves", "range", "qpos", "dof"]);
    for joint in &summary.joints {
        table.row([
            joint.name.clone(),
            joint.kind.clone(),
            joint.body.clone(),
            bracketed(joint.range),
            span(joint.qpos),
            span(joint.dofs),
        ]);
    }
    shown_if(table, summary.joints.len())
}

/// `3`, or `3–5` for several.
fn span([first, last]: [i32; 2]) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}–{last}")
    }
}

/// `[-1 1]`, or nothing.
fn bracketed(range: Option<[f64; 2]>) -> String {
    range.map_or_else(String::new, |range| format!("[{}]", numbers(&range)))
}

/// Zero is shown as nothing.
fn unless_zero(value: f64) -> String {
    if value == 0.0 {
        String::new()
    } else {
        number(value)
    }
}

fn tendons(summary: &Summary) -> String {
    let mut table = Table::with_titles(["name", "length0", "range", "stiffness", "damping"]);
    for tendon in &summary.tendons {
        table.row([
            tendon.name.clone(),
            number(tendon.length0),
            bracketed(tendon.range),
            unless_zero(tendon.stiffness),
            unless_zero(tendon.damping),
        ]);
    }
    shown_if(table, summary.tendons.len())
}

fn equalities(summary: &Summary) -> String {
    let mut table = Table::with_titles(["name", "kind", "between", "and", "state"]);
    for equality in &summary.equalities {
        table.row([
            equality.name.clone(),
            equality.kind.clone(),
            equality.first.clone(),
            equality.second.clone().unwrap_or_default(),
            if equality.is_active {
                String::new()
            } else {
                "inactive".to_owned()
            },
        ]);
    }
    shown_if(table, summary.equalities.len())
}

fn actuators(summary: &Summary) -> String {
    let mut table = Table::with_titles([
        "ctrl",
        "name",
        "drives",
        "dynamics",
        "gain",
        "bias",
        "gear",
        "ctrlrange",
        "forcerange",
    ]);
    for (id, actuator) in summary.actuators.iter().enumerate() {
        let used = actuator
            .gear
            .iter()
            .rposition(|&g| g != 0.0)
            .map_or(1, |last| last + 1);
        let gear = numbers(&actuator.gear[..used]);
        let unless_none = |word: &String| {
            if word == "none" {
                String::new()
            } else {
                word.clone()
            }
        };
        table.row([
            id.to_string(),
            actuator.name.clone(),
            format!("{} {}", actuator.transmission, actuator.target),
            unless_none(&actuator.dynamics),
            actuator.gain.clone(),
            unless_none(&actuator.bias),
            if gear == "1" { String::new() } else { gear },
            bracketed(actuator.ctrlrange),
            bracketed(actuator.forcerange),
        ]);
    }
    shown_if(table, summary.actuators.len())
}

fn sensors(summary: &Summary) -> String {
    let mut table = Table::with_titles(["name", "kind", "of", "relative to", "sensordata"]);
    for sensor in &summary.sensors {
        let place = match sensor.dimension {
            0 => "–".to_owned(),
            length => span([sensor.address, sensor.address + length - 1]),
        };
        table.row([
            sensor.name.clone(),
            sensor.kind.clone(),
            sensor.object.clone().unwrap_or_default(),
            sensor.reference.clone().unwrap_or_default(),
            place,
        ]);
    }
    shown_if(table, summary.sensors.len())
}

fn keyframes(summary: &Summary) -> String {
    let mut table = Table::default();
    for keyframe in &summary.keyframes {
        table.row([keyframe.clone()]);
    }
    table.to_string()
}

fn shown_if(table: Table, rows: usize) -> String {
    if rows == 0 {
        String::new()
    } else {
        table.to_string()
    }
}
