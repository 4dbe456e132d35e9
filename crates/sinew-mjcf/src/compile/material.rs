//! Materials: columns `mat_*`.
//!
//! A texture plays a role in a material. The attribute `texture` fills the colour role; `layer`
//! children fill any role. Roles are inherited from the class one by one.

use super::Context;
use crate::place::At;
use crate::spec::Spec;
use crate::spec::asset::Material;
use crate::spec::element::Element;
use sinew_model::ModelArrays;
use sinew_model::kinds::{ObjectType, TextureRole};

/// Number of roles.
const ROLES: usize = 10;

/// The texture that plays each role.
type Textures = [Option<At<String>>; ROLES];

/// Appends the material columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    if ctx.discards_visual() {
        ctx.names.reorder(ObjectType::Material, &[], ctx.report);
        return;
    }
    let spec = ctx.spec;
    let classes = class_textures(spec);
    model.nmat = spec.materials.len();
    for material in &spec.materials {
        if !ctx.has_time(material.table.place) {
            return;
        }
        let name = material.table.name.as_ref().map_or("", |name| &name.value);
        let element = format!("material \"{name}\"");
        let class = ctx.class(material.table.class.as_ref(), &element);
        if let (Some(_), Some(layer)) = (&material.table.texture, material.layers.first()) {
            ctx.report
                .error(
                    "mjcf::texture-and-layers",
                    layer.place,
                    "a material with the attribute `texture` cannot have layers",
                )
                .element(&element);
        }
        let mut textures = classes.get(class).cloned().unwrap_or_default();
        add_textures(&mut textures, material);
        let mut ids = [-1; ROLES];
        for (id, name) in ids.iter_mut().zip(&textures) {
            if let Some(name) = name.as_ref().filter(|name| !name.value.is_empty()) {
                let found = ctx.resolve(ObjectType::Texture, name, &element, "texture");
                *id = found.map_or(-1, |id| id as i32);
            }
        }
        let mut table = material.table.clone();
        table.inherit(ctx.classes.material(class));
        let number = |written: &Option<At<f32>>, otherwise: f32| {
            written.as_ref().map_or(otherwise, |written| written.value)
        };
        model.mat_texid.push(ids);
        let is_uniform = table.texuniform.as_ref().is_some_and(|u| u.value);
        model.mat_texuniform.push(u8::from(is_uniform));
        let repeat = table.texrepeat.as_ref();
        model
            .mat_texrepeat
            .push(repeat.map_or([1.0; 2], |r| r.value));
        model.mat_emission.push(number(&table.emission, 0.0));
        model.mat_specular.push(number(&table.specular, 0.5));
        model.mat_shininess.push(number(&table.shininess, 0.5));
        model.mat_reflectance.push(number(&table.reflectance, 0.0));
        model.mat_metallic.push(number(&table.metallic, -1.0));
        model.mat_roughness.push(number(&table.roughness, -1.0));
        let rgba = table.rgba.as_ref();
        model
            .mat_rgba
            .push(rgba.map_or([1.0; 4], |rgba| rgba.value));
    }
}

/// The id of a material named by an element; −1: none.
pub fn find(ctx: &mut Context, name: &Option<At<String>>, element: &str) -> i32 {
    match name.as_ref().filter(|name| !name.value.is_empty()) {
        Some(name) if !ctx.discards_visual() => ctx
            .resolve(ObjectType::Material, name, element, "material")
            .map_or(-1, |id| id as i32),
        _ => -1,
    }
}

fn add_textures(textures: &mut Textures, material: &Material) {
    if let Some(texture) = &material.table.texture {
        textures[TextureRole::Rgb as usize] = Some(texture.clone());
    }
    for layer in &material.layers {
        let role = layer.role.as_ref().map_or(TextureRole::User, |r| r.value);
        if let Some(slot) = textures.get_mut(role as usize) {
            slot.clone_from(&layer.texture);
        }
    }
}

/// Textures of all default classes, in class order.
fn class_textures(spec: &Spec) -> Vec<Textures> {
    let mut classes: Vec<Textures> = Vec::with_capacity(spec.defaults.len());
    for class in &spec.defaults {
        let parent = class.parent.and_then(|parent| classes.get(parent));
        let mut textures = parent.cloned().unwrap_or_default();
        if let Some(material) = &class.material {
            add_textures(&mut textures, material);
        }
        classes.push(textures);
    }
    classes
}
