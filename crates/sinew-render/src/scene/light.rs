//! What shines.

use crate::view::View;
use sinew_engine::Data;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::LightType;

/// More lights than this are not looked at.
const MOST: usize = 100;
/// More lights than this cast no shadows: each has a map of its own.
const MOST_SHADOWS: usize = 16;

/// How light leaves its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightKind {
    /// From afar, in one direction.
    Directional,
    /// From a point, in a cone.
    Spot {
        /// Factors of 1, distance and its square, by whose sum brightness is divided.
        attenuation: [f32; 3],
        /// Half the angle of the cone in degrees; 180: in all directions.
        cutoff: f32,
        /// How much brighter the middle of the cone is.
        exponent: f32,
    },
}

/// A light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// How it leaves its source.
    pub kind: LightKind,
    /// Where it is.
    pub position: Vec3,
    /// Where it shines.
    pub direction: Vec3,
    /// What it gives to everything.
    pub ambient: [f32; 3],
    /// What it gives to surfaces that face it.
    pub diffuse: [f32; 3],
    /// Colour of its highlights.
    pub specular: [f32; 3],
    /// Whether pieces cast shadows in it.
    pub casts_shadow: bool,
}

/// The headlight, and the lights of the model that are on.
pub(super) fn list(model: &Model, data: &Data, view: &View) -> Vec<Light> {
    let headlight = &model.vis.headlight;
    let mut lights = Vec::new();
    if headlight.active != 0 {
        lights.push(Light {
            kind: LightKind::Directional,
            position: view.position,
            direction: view.forward,
            ambient: headlight.ambient,
            diffuse: headlight.diffuse,
            specular: headlight.specular,
            casts_shadow: false,
        });
    }
    let poses = &data.position.view;
    let mut shadows = 0;
    for i in 0..model.nlight.min(MOST) {
        let kind = match LightType::from_code(model.light_type[i]) {
            Some(LightType::Directional) => LightKind::Directional,
            Some(LightType::Spot) => LightKind::Spot {
                attenuation: model.light_attenuation[i],
                cutoff: model.light_cutoff[i],
                exponent: model.light_exponent[i],
            },
            _ => continue,
        };
        if model.light_active[i] == 0 {
            continue;
        }
        shadows += usize::from(model.light_castshadow[i] != 0);
        lights.push(Light {
            kind,
            position: poses.light_xpos[i],
            direction: poses.light_xdir[i].normalized(),
            ambient: model.light_ambient[i],
            diffuse: model.light_diffuse[i],
            specular: model.light_specular[i],
            casts_shadow: model.light_castshadow[i] != 0 && shadows <= MOST_SHADOWS,
        });
    }
    lights
}
