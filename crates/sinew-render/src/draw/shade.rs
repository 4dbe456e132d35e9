//! The colour of a surface: its own, its texture's, and what lights make of it.

use super::raster::Flat;
use super::shadow::Shadow;
use super::triangles::{Part, Parts};
use crate::scene::{Light, LightKind, Piece, Shape};
use crate::texture::{Place, Texture};
use libm::{cosf, powf};
use sinew_math::Vec3;

/// What the renderer knows about a material.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    pub texture: Option<usize>,
    /// Whether its texture repeats per metre, not per object.
    pub is_uniform: bool,
    pub repeat: [f32; 2],
}

/// All that colours depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shader<'a> {
    pub parts: &'a Parts<'a>,
    pub lights: &'a [Light],
    /// The shadow map of each light.
    pub shadows: &'a [Option<Shadow>],
    pub textures: &'a [Texture],
    pub materials: &'a [Material],
    pub eye: Vec3,
    /// Where an orthographic eye looks.
    pub parallel: Option<Vec3>,
    /// By how much colours are dimmed: in a mirror.
    pub dimming: f32,
    /// The fog, and where its distances are measured along.
    pub fog: Option<(Fog, Vec3)>,
}

/// Fog that thickens between two distances.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fog {
    pub start: f64,
    pub end: f64,
    pub colour: [f32; 4],
}

impl Fog {
    /// A colour as it is seen from a distance.
    pub fn cover(&self, colour: [f32; 3], distance: f64) -> [f32; 3] {
        let clear = ((self.end - distance) / (self.end - self.start)).clamp(0.0, 1.0) as f32;
        core::array::from_fn(|k| self.colour[k] + (colour[k] - self.colour[k]) * clear)
    }
}

/// Highlights whose brightness has a smaller logarithm than minus this are not seen: ln x is at most x − 1.
const FAINT: f32 = 9.0;
/// Light everywhere where a scene has none.
const WITHOUT_LIGHTS: f32 = 0.3;

impl Shader<'_> {
    /// The colour of a triangle at a place of the screen.
    pub fn colour(&self, flat: &Flat, x: f64, y: f64) -> [f32; 4] {
        let part = &self.parts.parts[flat.piece as usize];
        let piece = &self.parts.pieces[part.piece];
        let shares = shares_at(flat, x, y);
        let corners = &part.corners[flat.corner as usize..flat.corner as usize + 3];
        let blend = |f: fn(&crate::scene::Corner) -> [f32; 3]| -> [f64; 3] {
            let [a, b, c] = [f(&corners[0]), f(&corners[1]), f(&corners[2])];
            core::array::from_fn(|k| {
                f64::from(a[k]) * shares[0]
                    + f64::from(b[k]) * shares[1]
                    + f64::from(c[k]) * shares[2]
            })
        };
        let point = self.parts.place(part, blend(|corner| corner.position));
        let mut normal = self.parts.turn(part, blend(|corner| corner.normal));
        if self.parts.is_below[part.piece] {
            normal = -normal;
        }
        let surface = &piece.surface;
        let mut own = surface.colour;
        if self.parts.is_below[part.piece] {
            own[3] *= 0.3;
        }
        for channel in &mut own[..3] {
            *channel *= self.dimming;
        }
        let texture = self.texture(flat, part, piece, x, y);
        let mut lit = match piece.shape {
            // Lines have their own colour, whatever the light.
            Shape::Line | Shape::LineBox => [own[0], own[1], own[2]],
            _ => self.light(piece, own, point, normal, texture),
        };
        if let Some((fog, forward)) = &self.fog {
            lit = fog.cover(lit, (point - self.eye).dot(*forward).abs());
        }
        [lit[0], lit[1], lit[2], own[3] * texture[3]]
    }

    /// What lights make of a surface.
    fn light(
        &self,
        piece: &Piece,
        own: [f32; 4],
        point: Vec3,
        normal: Vec3,
        texture: [f32; 4],
    ) -> [f32; 3] {
        let surface = &piece.surface;
        let to_eye = match self.parallel {
            Some(forward) => -forward,
            None => (self.eye - point).normalized(),
        };
        let everywhere = if self.lights.is_empty() {
            WITHOUT_LIGHTS
        } else {
            0.0
        };
        let mut base: [f32; 3] = core::array::from_fn(|k| own[k] * (surface.emission + everywhere));
        let mut sum = [0.0; 3];
        for (light, shadow) in self.lights.iter().zip(self.shadows) {
            let part = one_light(light, surface, own, point, normal, to_eye);
            match shadow {
                None => {
                    for (base, part) in base.iter_mut().zip(part) {
                        *base += part;
                    }
                }
                Some(shadow) => {
                    let reach = shadow.light(point, normal);
                    for k in 0..3 {
                        sum[k] += part[k].min(1.0) * texture[k] * reach;
                    }
                }
            }
        }
        core::array::from_fn(|k| (base[k].min(1.0) * texture[k] + sum[k]).min(1.0))
    }

    /// The texture's colour, white where there is none.
    fn texture(&self, flat: &Flat, part: &Part<'_>, piece: &Piece, x: f64, y: f64) -> [f32; 4] {
        let material = piece.surface.material.and_then(|id| self.materials.get(id));
        let Some(material) = material else {
            return [1.0; 4];
        };
        let Some(texture) = material.texture.and_then(|id| self.textures.get(id)) else {
            return [1.0; 4];
        };
        let is_plane = texture.is_plane();
        let at = |x: f64, y: f64| place_at(flat, part, piece, material, is_plane, x, y);
        let (here, right, below) = (at(x, y), at(x + 1.0, y), at(x, y + 1.0));
        let spread = [right, below]
            .into_iter()
            .map(|other| apart(here, other))
            .fold(0.0, f32::max);
        texture.sample(here, spread * texture.side())
    }
}

/// The part of a light.
fn one_light(
    light: &Light,
    surface: &crate::scene::Surface,
    own: [f32; 4],
    point: Vec3,
    normal: Vec3,
    to_eye: Vec3,
) -> [f32; 3] {
    let (to_light, strength) = match light.kind {
        LightKind::Directional => (-light.direction, 1.0),
        LightKind::Spot {
            attenuation,
            cutoff,
            exponent,
        } => {
            let (to_light, distance) = (light.position - point).normalize();
            let d = distance as f32;
            let fade = attenuation[0] + attenuation[1] * d + attenuation[2] * d * d;
            let along = (-to_light).dot(light.direction) as f32;
            let cone = if cutoff >= 180.0 {
                1.0
            } else if along < cosf(cutoff.to_radians()) {
                0.0
            } else if exponent == 0.0 {
                1.0
            } else {
                powf(along.max(0.0), exponent)
            };
            (to_light, cone / fade.max(f32::MIN_POSITIVE))
        }
    };
    let facing = normal.dot(to_light) as f32;
    let (diffuse, shine) = if facing > 0.0 {
        let middle = (to_light + to_eye).normalized();
        let glance = (normal.dot(middle) as f32).max(0.0);
        let power = surface.shininess * 128.0;
        let shine = if power == 0.0 {
            1.0
        } else if power * (1.0 - glance) > FAINT {
            0.0
        } else {
            powf(glance, power)
        };
        (facing, shine * surface.specular)
    } else {
        (0.0, 0.0)
    };
    core::array::from_fn(|k| {
        let colour = own[k] * (light.ambient[k] + light.diffuse[k] * diffuse);
        (colour + light.specular[k] * shine) * strength
    })
}

/// Shares of the whole triangle's corners at a place of the screen.
pub(super) fn shares_at(flat: &Flat, x: f64, y: f64) -> [f64; 3] {
    // Outside the triangle, where only samples of the pixel are inside, the nearest edge counts.
    let weights = flat.weights(x, y).map(|w| w.max(0.0));
    let weighted: [f64; 3] = core::array::from_fn(|k| weights[k] * flat.points[k].inverse);
    let sum = weighted[0] + weighted[1] + weighted[2];
    let scale = if sum > 0.0 { 1.0 / sum } else { 0.0 };
    core::array::from_fn(|k| {
        let share = |i: usize| weighted[i] * f64::from(flat.shares[i][k]);
        (share(0) + share(1) + share(2)) * scale
    })
}

/// Where in its texture a triangle is at a place of the screen.
fn place_at(
    flat: &Flat,
    part: &Part<'_>,
    piece: &Piece,
    material: &Material,
    is_plane: bool,
    x: f64,
    y: f64,
) -> Place {
    let shares = shares_at(flat, x, y).map(|x| x as f32);
    let corners = &part.corners[flat.corner as usize..flat.corner as usize + 3];
    let blend =
        |values: [f32; 3]| values[0] * shares[0] + values[1] * shares[1] + values[2] * shares[2];
    if part.has_texture && is_plane {
        let at = |k: usize| blend([0, 1, 2].map(|i| corners[i].texture[k]));
        return Place::Plane([at(0), at(1)]);
    }
    let own: [f32; 3] = core::array::from_fn(|k| blend([0, 1, 2].map(|i| corners[i].position[k])));
    let size = piece.size.map(|x| x as f32);
    // Planes, meshes and height fields are repeated in metres, others in units of their size.
    let is_metric = matches!(
        piece.shape,
        Shape::Mesh(_) | Shape::Hull(_) | Shape::HeightField(_)
    );
    if !is_plane {
        let scale = |k: usize| if material.is_uniform { size[k] } else { 1.0 };
        return Place::Direction(core::array::from_fn(|k| own[k] * scale(k)));
    }
    let repeat = |k: usize| {
        let half = part.scale[k] as f32;
        let mut repeat = material.repeat[k];
        let metres = if piece.shape == Shape::Plane {
            own[k] * half
        } else {
            own[k]
        };
        let per_size = is_metric || piece.shape == Shape::Plane;
        if per_size && size[k] > 0.0 {
            repeat /= size[k];
        }
        if material.is_uniform && size[k] > 0.0 {
            repeat *= size[k];
        }
        0.5 * repeat * metres
    };
    Place::Plane([repeat(0) - 0.5, -repeat(1) - 0.5])
}

/// How far two places are apart, in sides of a texture.
fn apart(a: Place, b: Place) -> f32 {
    match (a, b) {
        (Place::Plane(a), Place::Plane(b)) => {
            let (x, y) = (a[0] - b[0], a[1] - b[1]);
            (x * x + y * y).sqrt()
        }
        (Place::Direction(a), Place::Direction(b)) => {
            let largest = a
                .iter()
                .fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
            let d: [f32; 3] = core::array::from_fn(|k| (a[k] - b[k]) / largest);
            0.5 * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
        }
        _ => 0.0,
    }
}
