//! Lights: position, direction, what they follow.

use super::{Tree, element};
use crate::compile::Context;
use crate::compile::pose::{EPSILON, normalize, rotate};
use crate::place::Place;
use crate::spec::tree as written;
use sinew_math::{Vec3, vec3};
use sinew_model::kinds::{LightType, ObjectType};

/// A light of the flattened tree.
#[derive(Clone, Debug, Default)]
pub struct Light {
    /// Its name; empty if it has none.
    pub name: String,
    /// Where it was written.
    pub place: Place,
    /// What was written, completed by its class.
    pub table: written::Light,
    /// The body it is fixed to.
    pub body: usize,
    /// The frame it stands in.
    pub frame: Option<usize>,

    /// Position in the body frame.
    pub pos: Vec3,
    /// Direction in the body frame.
    pub dir: Vec3,
    /// Texture of an image light.
    pub texture: Option<usize>,
}

impl Light {
    /// The type, from `type` or the older `directional`.
    pub fn kind(&self) -> LightType {
        match (&self.table.kind, &self.table.directional) {
            (Some(at), _) => at.value,
            (None, Some(at)) if at.value => LightType::Directional,
            _ => LightType::Spot,
        }
    }
}

/// Compiles a light.
pub fn compile(ctx: &mut Context, tree: &mut Tree, index: usize) {
    let light = &mut tree.lights[index];
    let label = element("light", &light.name);
    let table = &light.table;
    light.pos = table.pos.as_ref().map_or(Vec3::ZERO, |at| Vec3(at.value));
    light.dir = table
        .dir
        .as_ref()
        .map_or(vec3(0.0, 0.0, -1.0), |at| Vec3(at.value));
    if let Some(frame) = light.frame {
        let frame = &tree.frames[frame];
        light.pos = frame.transform(light.pos);
        light.dir = rotate(frame.quat, light.dir);
    }
    let (dir, length) = normalize(light.dir);
    if length < EPSILON {
        ctx.report
            .error(
                "mjcf::direction",
                table.dir.as_ref().map_or(light.place, |at| at.place),
                "the direction of a light is zero",
            )
            .element(label.as_str())
            .attribute("dir");
    }
    light.dir = dir;
    if let Some(target) = table.target.as_ref().filter(|at| !at.value.is_empty()) {
        ctx.resolve(ObjectType::Body, target, &label, "target");
    }
    if let Some(texture) = table.texture.as_ref().filter(|at| !at.value.is_empty()) {
        light.texture = ctx.resolve(ObjectType::Texture, texture, &label, "texture");
    }
}
