//! One picture: what is seen, in which light, behind what.

use super::project::Projection;
use super::raster::{Band, Flat};
use super::shade::{Fog, Shader};
use super::sky::Sky;
use super::triangles::{Mirror, Parts, Which};
use crate::scene::Shape;
use crate::view::View;
use sinew_math::Vec3;

/// What all rows of a picture share.
pub(super) struct Frame<'a> {
    pub projection: Projection,
    pub samples: &'static [[f64; 2]],
    pub opaque: Vec<Flat>,
    pub mirrored: Option<(Mirror, Vec<Flat>, Shader<'a>)>,
    /// Triangles of clear pieces, in the order they are laid over the rest.
    pub clear: Vec<Vec<Flat>>,
    pub sky: Option<Sky<'a>>,
    /// The fog that the sky is in.
    pub sky_fog: Option<Fog>,
    /// Whether clear pieces add their light.
    pub is_additive: bool,
    /// Half the width of edges in pixels, where only these are drawn.
    pub edges: Option<f64>,
    pub shader: Shader<'a>,
    /// As the other, without shadows: clear pieces have none.
    pub unshaded: Shader<'a>,
}

/// Rows that are drawn at once.
const AT_ONCE: usize = 32;

impl Frame<'_> {
    /// Draws some rows, a few at a time: what is known of them fits into the processor's own memory.
    pub fn draw(&self, pixels: &mut [u8], first_row: usize, width: usize) {
        for (number, part) in pixels.chunks_mut(3 * width * AT_ONCE).enumerate() {
            self.draw_few(part, first_row + number * AT_ONCE, width);
        }
    }

    fn draw_few(&self, pixels: &mut [u8], first_row: usize, width: usize) {
        let count = pixels.len() / 3 * self.samples.len();
        let (mut keys, mut numbers) = (vec![0.0; count], vec![0; count]);
        let mut band = Band {
            first_row,
            width,
            samples: self.samples,
            keys: &mut keys,
            numbers: &mut numbers,
            edges: self.edges,
        };
        for (number, flat) in self.opaque.iter().enumerate() {
            band.fill(flat, number as u32);
        }
        let mut colours = self.colours(&band);
        self.add_mirrored(&band, &mut colours);
        self.add_sky(&mut band, &mut colours);
        self.add_clear(&band, &mut colours);
        let samples = self.samples.len();
        for (pixel, own) in pixels
            .chunks_exact_mut(3)
            .zip(colours.chunks_exact(samples))
        {
            for (k, byte) in pixel.iter_mut().enumerate() {
                let sum: f32 = own.iter().map(|colour| colour[k]).sum();
                *byte = (sum / samples as f32 * 255.0 + 0.5).clamp(0.0, 255.0) as u8;
            }
        }
    }

    /// Colours of the triangles that samples see, each shaded once for a pixel.
    fn colours(&self, band: &Band<'_>) -> Vec<[f32; 3]> {
        let samples = self.samples.len();
        let mut colours = vec![[0.0; 3]; band.numbers.len()];
        for (pixel, own) in band.numbers.chunks_exact(samples).enumerate() {
            let (x, y) = (pixel % band.width, band.first_row + pixel / band.width);
            for sample in 0..samples {
                let number = own[sample];
                if number == 0 {
                    continue;
                }
                let at = pixel * samples;
                // Mostly all samples see the same.
                let earlier = own[..sample].iter().position(|&other| other == number);
                colours[at + sample] = match earlier {
                    Some(earlier) => colours[at + earlier],
                    None => {
                        let flat = &self.opaque[number as usize - 1];
                        let [r, g, b, _] = self.shader.colour(flat, x as f64 + 0.5, y as f64 + 0.5);
                        [r, g, b]
                    }
                };
            }
        }
        colours
    }

    /// What a mirror shows is added to its own colour.
    fn add_mirrored(&self, band: &Band<'_>, colours: &mut [[f32; 3]]) {
        let Some((mirror, flats, shader)) = &self.mirrored else {
            return;
        };
        let parts = &self.shader.parts.parts;
        let shows = |number: u32| {
            number > 0 && {
                let flat = &self.opaque[number as usize - 1];
                parts[flat.piece as usize].piece == mirror.piece
            }
        };
        if !band.numbers.iter().any(|&number| shows(number)) {
            return;
        }
        let (mut keys, mut numbers) = (vec![0.0; band.keys.len()], vec![0; band.numbers.len()]);
        let mut other = Band {
            first_row: band.first_row,
            width: band.width,
            samples: band.samples,
            keys: &mut keys,
            numbers: &mut numbers,
            edges: self.edges,
        };
        for (number, flat) in flats.iter().enumerate() {
            other.fill(flat, number as u32);
        }
        let samples = self.samples.len();
        for (at, &number) in numbers.iter().enumerate() {
            if number == 0 || !shows(band.numbers[at]) {
                continue;
            }
            let pixel = at / samples;
            let (x, y) = (pixel % band.width, band.first_row + pixel / band.width);
            let flat = &flats[number as usize - 1];
            let colour = shader.colour(flat, x as f64 + 0.5, y as f64 + 0.5);
            for k in 0..3 {
                colours[at][k] = (colours[at][k] + colour[k] * colour[3]).min(1.0);
            }
        }
    }

    /// The sky where nothing is nearer, and its haze.
    fn add_sky(&self, band: &mut Band<'_>, colours: &mut [[f32; 3]]) {
        let Some(sky) = &self.sky else {
            return;
        };
        let samples = self.samples.len();
        let middle = |x: f64| self.projection.direction(x, 0.5 * self.projection.height);
        let half = 0.5 * self.projection.width;
        let apart = middle(half).distance(middle(half + 1.0));
        for (pixel, own) in colours.chunks_exact_mut(samples).enumerate() {
            let (x, y) = (pixel % band.width, band.first_row + pixel / band.width);
            let at = pixel * samples;
            let first = band.numbers[at];
            let is_uniform = band.numbers[at..at + samples]
                .iter()
                .all(|&number| number == first);
            let middle = is_uniform.then(|| {
                SkyView::new(
                    sky,
                    self.projection.direction(x as f64 + 0.5, y as f64 + 0.5),
                )
            });
            for (sample, colour) in own.iter_mut().enumerate() {
                let [dx, dy] = self.samples[sample];
                let seen = middle.unwrap_or_else(|| {
                    let direction = self.projection.direction(x as f64 + dx, y as f64 + dy);
                    SkyView::new(sky, direction)
                });
                let key = &mut band.keys[at + sample];
                let mut depth = if *key > 0.0 {
                    self.projection.depth(*key)
                } else {
                    f64::INFINITY
                };
                if depth > seen.depth {
                    let [dx, dy] = [x as f64 + dx, y as f64 + dy];
                    *colour = sky.colour(self.projection.direction(dx, dy), apart);
                    if let Some(fog) = &self.sky_fog {
                        *colour = fog.cover(*colour, seen.depth);
                    }
                    depth = seen.depth;
                    // What lies behind the sky hides nothing.
                    *key = key.max((1.0 / seen.depth) as f32);
                }
                if let Some((near, haze, thickness)) = seen.haze
                    && near <= depth
                {
                    let haze = match &self.sky_fog {
                        Some(fog) => fog.cover(haze, near),
                        None => haze,
                    };
                    for k in 0..3 {
                        colour[k] += (haze[k] - colour[k]) * thickness;
                    }
                }
            }
        }
    }

    /// Clear pieces over the rest.
    fn add_clear(&self, band: &Band<'_>, colours: &mut [[f32; 3]]) {
        for flats in &self.clear {
            for flat in flats {
                let mut last = None;
                flat.for_each_sample(
                    band.width,
                    band.rows(),
                    self.samples,
                    |x, y, sample, key| {
                        let at = band.at(x, y, sample);
                        let [dx, dy] = self.samples[sample];
                        let place = (x as f64 + dx, y as f64 + dy);
                        let is_seen = |half| flat.is_at_edge(place, half);
                        if key < band.keys[at] || !self.edges.is_none_or(is_seen) {
                            return;
                        }
                        let colour = match last {
                            Some((place, colour)) if place == (x, y) => colour,
                            _ => self.unshaded.colour(flat, x as f64 + 0.5, y as f64 + 0.5),
                        };
                        last = Some(((x, y), colour));
                        for k in 0..3 {
                            let under = if self.is_additive {
                                0.0
                            } else {
                                colours[at][k]
                            };
                            let sum = colours[at][k] + (colour[k] - under) * colour[3];
                            colours[at][k] = sum.min(1.0);
                        }
                    },
                );
            }
        }
    }
}

/// What the sky is like in a direction: its depth; depth, colour and thickness of its haze.
#[derive(Clone, Copy)]
struct SkyView {
    depth: f64,
    haze: Option<(f64, [f32; 3], f32)>,
}

impl SkyView {
    fn new(sky: &Sky<'_>, direction: Vec3) -> Self {
        SkyView {
            depth: sky.depth(direction),
            haze: sky.haze(direction),
        }
    }
}

/// The plane or the upper side of a box that mirrors; the first one counts.
pub(super) fn mirror(parts: &Parts<'_>, view: &View) -> Option<Mirror> {
    let mut pieces = parts.pieces.iter().enumerate();
    let (number, piece) = pieces.find(|(number, piece)| {
        let is_flat = matches!(piece.shape, Shape::Plane | Shape::Box);
        is_flat && !parts.is_clear[*number] && piece.surface.reflectance > 0.0
    })?;
    let normal = piece.axes.column(2);
    let lift = if piece.shape == Shape::Box {
        piece.size[2]
    } else {
        0.0
    };
    let mirror = Mirror {
        piece: number,
        point: piece.position + normal * lift,
        normal,
        reflectance: piece.surface.reflectance,
    };
    (mirror.height(view.position) >= 0.0).then_some(mirror)
}

/// Triangles of clear pieces: from the nearest to the farthest, then back again, as the reference lays them; what adds its
/// light is laid once.
pub(super) fn clear_layers(
    parts: &Parts<'_>,
    projection: &Projection,
    view: &View,
    is_additive: bool,
) -> Vec<Vec<Flat>> {
    let mut order: Vec<(f64, usize)> = Vec::new();
    for (number, piece) in parts.pieces.iter().enumerate() {
        if parts.is_clear[number] {
            let distance = if piece.shape == Shape::Plane {
                1e10
            } else {
                piece.position.distance(view.position)
            };
            order.push((distance, number));
        }
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let there = order.iter();
    let back = order.iter().rev().filter(|_| !is_additive);
    there
        .chain(back)
        .map(|&(_, number)| parts.project(projection, Which::Piece(number), None))
        .collect()
}
