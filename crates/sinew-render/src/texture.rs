//! Textures and how they are read: bilinear, between two of a pyramid of smaller and smaller ones.

use libm::{floorf, log2f, powf};
use sinew_model::Model;
use sinew_model::kinds::{ColorSpace, TextureType};

/// One size of a texture.
#[derive(Clone, Debug)]
struct Level {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
}

/// A texture with all its sizes.
#[derive(Clone, Debug)]
pub(crate) struct Texture {
    /// The pyramid of a plane texture, or those of the six faces of a cube.
    faces: Vec<Vec<Level>>,
    /// Brightness of every byte.
    brightness: Vec<f32>,
    /// Whether it surrounds the scene.
    pub is_sky: bool,
    is_plane: bool,
}

/// A place in a texture, and the size of a pixel there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// Of a plane one.
    Plane([f32; 2]),
    /// Of a cube: a direction.
    Direction([f32; 3]),
}

impl Texture {
    pub fn new(model: &Model, id: usize) -> Self {
        let (width, height) = (model.tex_width[id] as usize, model.tex_height[id] as usize);
        let channels = model.tex_nchannel[id].max(1) as usize;
        let first = usize::try_from(model.tex_adr[id]).unwrap_or(0);
        let is_plane = model.tex_type[id] == TextureType::TwoD.code();
        let face_height = if is_plane { height } else { width };
        // A square cube texture is on all sides.
        let count = if is_plane || width == height { 1 } else { 6 };
        let face = |number: usize| {
            let start = first + number * width * face_height * channels;
            let end = start + width * face_height * channels;
            let bytes = model.tex_data.get(start..end).unwrap_or(&[]);
            let texels = bytes.chunks_exact(channels).map(|texel| {
                let at = |k: usize| texel.get(k).copied();
                let red = at(0).unwrap_or(0);
                // One channel is grey.
                [
                    red,
                    at(1).unwrap_or(red),
                    at(2).unwrap_or(red),
                    at(3).unwrap_or(255),
                ]
            });
            pyramid(Level {
                width,
                height: face_height,
                texels: texels.collect(),
            })
        };
        let is_srgb = model.tex_colorspace[id] == ColorSpace::Srgb.code();
        Texture {
            faces: (0..count).map(face).collect(),
            brightness: (0..=255_u8).map(|byte| brightness(byte, is_srgb)).collect(),
            is_sky: model.tex_type[id] == TextureType::Skybox.code(),
            is_plane,
        }
    }

    /// Whether it is a plane one, not a cube.
    pub fn is_plane(&self) -> bool {
        self.is_plane
    }

    /// Texels of a side, by which sizes of pixels are measured.
    pub fn side(&self) -> f32 {
        let level = self.faces.first().and_then(|levels| levels.first());
        level.map_or(1.0, |level| level.width.max(level.height) as f32)
    }

    /// The colour at a place, where neighbouring pixels are so many texels apart.
    pub fn sample(&self, place: Place, spread: f32) -> [f32; 4] {
        let (face, s, t, wraps) = match place {
            Place::Plane([s, t]) => (0, s, t, true),
            Place::Direction(direction) => {
                let (face, s, t) = face_of(direction);
                (face, s, t, false)
            }
        };
        let Some(levels) = self.faces.get(face).or_else(|| self.faces.first()) else {
            return [1.0; 4];
        };
        let finest = if spread > 1.0 { log2f(spread) } else { 0.0 };
        let last = levels.len().saturating_sub(1);
        let lower = (finest as usize).min(last);
        let upper = (lower + 1).min(last);
        let blend = if lower == upper {
            0.0
        } else {
            finest - lower as f32
        };
        let a = self.bilinear(&levels[lower], s, t, wraps);
        if blend == 0.0 {
            return a;
        }
        let b = self.bilinear(&levels[upper], s, t, wraps);
        core::array::from_fn(|k| a[k] + (b[k] - a[k]) * blend)
    }

    fn bilinear(&self, level: &Level, s: f32, t: f32, wraps: bool) -> [f32; 4] {
        let (x, y) = (s * level.width as f32 - 0.5, t * level.height as f32 - 0.5);
        let (left, top) = (floorf(x), floorf(y));
        let (u, v) = (x - left, y - top);
        let index = |k: f32, count: usize| {
            let k = k as i64;
            let count = count as i64;
            let k = if wraps {
                k.rem_euclid(count.max(1))
            } else {
                k.clamp(0, (count - 1).max(0))
            };
            k as usize
        };
        let texel = |x: f32, y: f32| {
            let at = index(y, level.height) * level.width + index(x, level.width);
            let bytes = level.texels.get(at).copied().unwrap_or([255; 4]);
            let value = |byte: u8| self.brightness[usize::from(byte)];
            [
                value(bytes[0]),
                value(bytes[1]),
                value(bytes[2]),
                f32::from(bytes[3]) / 255.0,
            ]
        };
        let corners = [
            texel(left, top),
            texel(left + 1.0, top),
            texel(left, top + 1.0),
            texel(left + 1.0, top + 1.0),
        ];
        core::array::from_fn(|k| {
            let upper = corners[0][k] + (corners[1][k] - corners[0][k]) * u;
            let lower = corners[2][k] + (corners[3][k] - corners[2][k]) * u;
            upper + (lower - upper) * v
        })
    }
}

fn brightness(byte: u8, is_srgb: bool) -> f32 {
    let x = f32::from(byte) / 255.0;
    if !is_srgb {
        x
    } else if x <= 0.04045 {
        x / 12.92
    } else {
        powf((x + 0.055) / 1.055, 2.4)
    }
}

/// A texture and its halves, down to a single texel.
fn pyramid(first: Level) -> Vec<Level> {
    let mut levels = vec![first];
    while let Some(last) = levels.last() {
        if last.width <= 1 && last.height <= 1 || last.texels.is_empty() {
            break;
        }
        let (width, height) = ((last.width / 2).max(1), (last.height / 2).max(1));
        let mut texels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let at = |dx: usize, dy: usize| {
                    let x = (2 * x + dx).min(last.width - 1);
                    let y = (2 * y + dy).min(last.height - 1);
                    last.texels[y * last.width + x]
                };
                let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
                texels.push(core::array::from_fn(|k| {
                    let sum: u16 = four.iter().map(|texel| u16::from(texel[k])).sum();
                    ((sum + 2) / 4) as u8
                }));
            }
        }
        levels.push(Level {
            width,
            height,
            texels,
        });
    }
    levels
}

/// The face of a cube that a direction hits, and where.
fn face_of([x, y, z]: [f32; 3]) -> (usize, f32, f32) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, s, t, major) = if ax >= ay && ax >= az {
        if x > 0.0 {
            (0, -z, -y, ax)
        } else {
            (1, z, -y, ax)
        }
    } else if ay >= az {
        if y > 0.0 {
            (2, x, z, ay)
        } else {
            (3, x, -z, ay)
        }
    } else if z > 0.0 {
        (4, x, -y, az)
    } else {
        (5, -x, -y, az)
    };
    let major = major.max(f32::MIN_POSITIVE);
    (face, 0.5 * (s / major + 1.0), 0.5 * (t / major + 1.0))
}
