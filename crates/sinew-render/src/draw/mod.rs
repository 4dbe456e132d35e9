//! From a scene to pixels.
//!
//! What is seen is found first, sample by sample ([`raster`]); each triangle that a pixel sees is then given its colour
//! once ([`shade`]). Mirrors show the same triangles on their other side; clear pieces are laid over the rest in the
//! reference's order. Rows are shared out among threads; no pixel depends on how.

mod frame;
mod project;
mod raster;
mod shade;
mod shadow;
mod sky;
mod triangles;
mod wire;

use crate::error::RenderError;
use crate::image::{Depth, Image, Segmentation};
use crate::scene::{Piece, Scene};
use crate::shape::{self, Triangles};
use crate::texture::Texture;
use crate::view::View;
use frame::{Frame, clear_layers, mirror};
use project::Projection;
use raster::{Band, FIRST, FOUR, Flat, ONE};
use shade::{Fog, Material, Shader};
use shadow::{Settings, Shadow};
use sinew_math::Vec3;
use sinew_model::Model;
use sky::Sky;
use triangles::{Parts, Shapes, Which};

/// The longest side of a picture.
const LONGEST: usize = 8192;
/// The most triangles of meshes and height fields that are drawn.
const MOST_TRIANGLES: u64 = 20_000_000;
/// The most triangles of one picture, copies of meshes counted each.
const MOST_DRAWN: u64 = 40_000_000;
/// The most pixels that the triangles of one picture cover together.
const MOST_COVERED: u64 = 1 << 33;
/// The most texels that are kept.
const MOST_TEXELS: u64 = 1 << 28;

/// Draws scenes of a model. Holds its meshes and textures, and can be used for any number of pictures.
#[derive(Clone, Debug)]
pub struct Renderer {
    units: [Triangles; 9],
    /// The same with the edges that the reference's have.
    wires: [Triangles; 9],
    meshes: Vec<Triangles>,
    hulls: Vec<Triangles>,
    fields: Vec<Triangles>,
    textures: Vec<Texture>,
    materials: Vec<Material>,
    /// The texture around everything.
    sky: Option<usize>,
    haze: (f64, [f32; 3]),
    fog: Fog,
    shadow_side: usize,
    shadow_clip: f64,
    shadow_scale: f64,
    /// How much wider than they say lines are.
    line_width: f64,
    samples: &'static [[f64; 2]],
    /// Sides of round shapes.
    slices: i32,
    /// Threads that share the rows.
    threads: usize,
}

impl Renderer {
    /// A renderer of a model; an error if it has more than can be drawn.
    pub fn new(model: &Model) -> Result<Self, RenderError> {
        let cells = |id: usize| {
            let sides = [model.hfield_nrow[id], model.hfield_ncol[id]];
            2 * sides
                .map(|side| side.max(0) as usize)
                .iter()
                .product::<usize>()
        };
        let triangles = model.nmeshface + (0..model.nhfield).map(cells).sum::<usize>();
        limit("triangles", triangles as u64, MOST_TRIANGLES)?;
        limit(
            "bytes of textures",
            model.tex_data.len() as u64,
            4 * MOST_TEXELS,
        )?;
        let quality = &model.vis.quality;
        let textures: Vec<Texture> = (0..model.ntex).map(|id| Texture::new(model, id)).collect();
        let material = |id: usize| Material {
            // The second of ten roles is the colour.
            texture: usize::try_from(model.mat_texid[id][1]).ok(),
            is_uniform: model.mat_texuniform[id] != 0,
            repeat: model.mat_texrepeat[id],
        };
        let map = &model.vis.map;
        let [r, g, b, _] = model.vis.rgba.haze;
        Ok(Renderer {
            units: shape::units(quality.numslices, quality.numstacks, 1, 1),
            wires: shape::units(
                quality.numslices,
                quality.numstacks,
                quality.numstacks,
                quality.numquads,
            ),
            meshes: (0..model.nmesh).map(|id| shape::mesh(model, id)).collect(),
            hulls: (0..model.nmesh).map(|id| shape::hull(model, id)).collect(),
            fields: (0..model.nhfield)
                .map(|id| shape::field(model, id))
                .collect(),
            sky: textures.iter().position(|texture| texture.is_sky),
            textures,
            materials: (0..model.nmat).map(material).collect(),
            haze: (f64::from(map.haze), [r, g, b]),
            fog: Fog {
                start: f64::from(map.fogstart) * model.stat.extent,
                end: f64::from(map.fogend) * model.stat.extent,
                colour: model.vis.rgba.fog,
            },
            shadow_side: usize::try_from(quality.shadowsize).unwrap_or(0),
            shadow_clip: f64::from(map.shadowclip) * model.stat.extent,
            shadow_scale: f64::from(map.shadowscale),
            line_width: f64::from(model.vis.global.linewidth),
            samples: if quality.offsamples > 1 { &FOUR } else { &ONE },
            slices: quality.numslices,
            threads: 1,
        })
    }

    /// With so many threads; the pixels are the same.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, 64);
        self
    }

    /// A picture.
    pub fn draw(
        &self,
        scene: &Scene,
        view: &View,
        width: usize,
        height: usize,
    ) -> Result<Image, RenderError> {
        let projection = projection(view, width, height)?;
        let grids = wire::grids(scene, view, |piece, axis| self.repeat(piece, axis));
        let parts = self.parts(scene, view, height, &grids);
        limit("triangles", parts.count() as u64, MOST_DRAWN)?;
        let settings = Settings {
            side: self.shadow_side.min(shadow_side(width, height)),
            clip: self.shadow_clip,
            scale: self.shadow_scale,
            near: view.frustum.near,
            far: view.frustum.far,
        };
        let shadows: Vec<Option<Shadow>> = scene
            .lights
            .iter()
            .map(|light| Shadow::new(light, &parts, &settings))
            .collect();
        let unshaded: Vec<Option<Shadow>> = scene.lights.iter().map(|_| None).collect();
        let shader = Shader {
            parts: &parts,
            lights: &scene.lights,
            shadows: &shadows,
            textures: &self.textures,
            materials: &self.materials,
            eye: view.position,
            parallel: view.frustum.is_orthographic.then_some(view.forward),
            dimming: 1.0,
            fog: scene.effects.fog.then_some((self.fog, view.forward)),
        };
        let mirror = mirror(&parts, view);
        let sky = self.sky.filter(|_| scene.effects.sky);
        let sky = sky.map(|id| &self.textures[id]);
        let frame = Frame {
            projection,
            samples: self.samples,
            opaque: parts.project(&projection, Which::Opaque, None),
            mirrored: mirror.map(|mirror| {
                let flats = parts.project(&projection, Which::All, Some(&mirror));
                let shader = Shader {
                    shadows: &unshaded,
                    eye: mirror.reflect(view.position),
                    fog: shader.fog.map(|(fog, forward)| {
                        let ahead = mirror.reflect(view.position + forward);
                        (fog, ahead - mirror.reflect(view.position))
                    }),
                    dimming: mirror.reflectance,
                    ..shader
                };
                (mirror, flats, shader)
            }),
            clear: clear_layers(&parts, &projection, view, scene.effects.additive),
            is_additive: scene.effects.additive,
            edges: self.edges(scene),
            unshaded: Shader {
                shadows: &unshaded,
                ..shader
            },
            sky: sky.map(|texture| Sky::new(texture, scene, &projection, self.haze)),
            sky_fog: scene.effects.fog.then_some(self.fog),
            shader,
        };
        let mirrored = frame.mirrored.as_ref().map(|(_, flats, _)| flats);
        let layers = [&frame.opaque]
            .into_iter()
            .chain(mirrored)
            .chain(&frame.clear);
        let sum = layers.map(|flats| covered(flats, width, height)).sum();
        limit("pixels of triangles", sum, MOST_COVERED)?;
        let mut pixels = vec![0; 3 * width * height];
        let rows = height.div_ceil(self.threads);
        std::thread::scope(|scope| {
            for (number, band) in pixels.chunks_mut(3 * width * rows).enumerate() {
                let frame = &frame;
                let mut work = move || frame.draw(band, number * rows, width);
                if self.threads == 1 {
                    work();
                } else {
                    scope.spawn(work);
                }
            }
        });
        Ok(Image {
            width,
            height,
            pixels,
        })
    }

    /// Distances along the line of sight, at the middle of each pixel.
    pub fn depth(
        &self,
        scene: &Scene,
        view: &View,
        width: usize,
        height: usize,
    ) -> Result<Depth, RenderError> {
        self.depth_at(scene, view, (width, height), &ONE)
    }

    /// The same where drawing libraries read them from: at the first sample of a pixel, if it has several.
    pub fn sampled_depth(
        &self,
        scene: &Scene,
        view: &View,
        width: usize,
        height: usize,
    ) -> Result<Depth, RenderError> {
        let place = if self.samples.len() > 1 { &FIRST } else { &ONE };
        self.depth_at(scene, view, (width, height), place)
    }

    fn depth_at(
        &self,
        scene: &Scene,
        view: &View,
        (width, height): (usize, usize),
        place: &'static [[f64; 2]; 1],
    ) -> Result<Depth, RenderError> {
        let edges = self.edges(scene);
        let (projection, keys, _, _) = self.nearest(scene, view, (width, height), place, edges)?;
        let sky = self.sky.filter(|_| scene.effects.sky);
        let sky = sky.map(|id| Sky::new(&self.textures[id], scene, &projection, self.haze));
        let metres = keys.iter().enumerate().map(|(pixel, &key)| {
            let behind = sky.as_ref().map_or(projection.far, |sky| {
                let (x, y) = ((pixel % width) as f64, (pixel / width) as f64);
                let [dx, dy] = place[0];
                sky.flat_depth(projection.direction(x + dx, y + dy), self.slices)
            });
            let depth = if key > 0.0 {
                projection.depth(key)
            } else {
                f64::INFINITY
            };
            depth.min(behind) as f32
        });
        Ok(Depth {
            width,
            height,
            metres: metres.collect(),
        })
    }

    /// What is seen where.
    pub fn segment(
        &self,
        scene: &Scene,
        view: &View,
        width: usize,
        height: usize,
    ) -> Result<Segmentation, RenderError> {
        // Objects are always whole.
        let (_, _, numbers, pieces) = self.nearest(scene, view, (width, height), &ONE, None)?;
        let object = |number: u32| match number {
            0 => [-1, -1],
            number => scene.pieces[pieces[number as usize - 1]].object,
        };
        Ok(Segmentation {
            width,
            height,
            objects: numbers.into_iter().map(object).collect(),
        })
    }

    /// Half the width of edges in pixels, where only these are drawn.
    fn edges(&self, scene: &Scene) -> Option<f64> {
        scene.effects.wireframe.then_some(0.5 * self.line_width)
    }

    /// The nearest triangle at a place of every pixel: keys, numbers, and the piece of each number.
    #[allow(clippy::type_complexity)]
    fn nearest(
        &self,
        scene: &Scene,
        view: &View,
        (width, height): (usize, usize),
        place: &'static [[f64; 2]; 1],
        edges: Option<f64>,
    ) -> Result<(Projection, Vec<f32>, Vec<u32>, Vec<usize>), RenderError> {
        let projection = projection(view, width, height)?;
        let grids = match edges {
            Some(_) => wire::grids(scene, view, |piece, axis| self.repeat(piece, axis)),
            None => Vec::new(),
        };
        let parts = self.parts(scene, view, height, &grids);
        limit("triangles", parts.count() as u64, MOST_DRAWN)?;
        let flats = parts.project(&projection, Which::All, None);
        limit(
            "pixels of triangles",
            covered(&flats, width, height),
            MOST_COVERED,
        )?;
        let (mut keys, mut numbers) = (vec![0.0; width * height], vec![0; width * height]);
        let mut band = Band {
            first_row: 0,
            width,
            samples: place,
            keys: &mut keys,
            numbers: &mut numbers,
            edges,
        };
        for (number, flat) in flats.iter().enumerate() {
            band.fill(flat, number as u32);
        }
        let piece = |flat: &Flat| parts.parts[flat.piece as usize].piece;
        let pieces = flats.iter().map(piece).collect();
        Ok((projection, keys, numbers, pieces))
    }

    /// How often the texture of a piece is repeated along an axis; 0 if it has none.
    fn repeat(&self, piece: &Piece, axis: usize) -> f64 {
        let material = piece.surface.material.and_then(|id| self.materials.get(id));
        material.map_or(0.0, |material| f64::from(material.repeat[axis]))
    }

    fn parts<'a>(
        &'a self,
        scene: &'a Scene,
        view: &View,
        height: usize,
        grids: &'a [(usize, Triangles)],
    ) -> Parts<'a> {
        let shapes = Shapes {
            units: if scene.effects.wireframe {
                &self.wires
            } else {
                &self.units
            },
            grids,
            meshes: &self.meshes,
            hulls: &self.hulls,
            fields: &self.fields,
        };
        let far = view.frustum.far;
        let infinite = |piece: &Piece, axis: usize| {
            let repeat = self.repeat(piece, axis);
            let step = if repeat > 0.0 { 2.0 / repeat } else { 0.0 };
            1.05 * far + step
        };
        let frustum = view.frustum;
        let tall = (frustum.vertical[1] - frustum.vertical[0]) / height as f64;
        let pixel = |point: Vec3| {
            let depth = (point - view.position).dot(view.forward).abs();
            let away = if frustum.is_orthographic {
                1.0
            } else {
                depth / frustum.near
            };
            self.line_width * tall * away
        };
        Parts::new(scene, shapes, view.position, infinite, pixel)
    }
}

fn projection(view: &View, width: usize, height: usize) -> Result<Projection, RenderError> {
    if !(1..=LONGEST).contains(&width) || !(1..=LONGEST).contains(&height) {
        return Err(RenderError::Size { width, height });
    }
    let [bottom, top] = view.frustum.vertical;
    let [left, right] = view.horizontal(width as f64 / height as f64);
    Ok(Projection {
        origin: view.position,
        right: view.right(),
        up: view.up,
        forward: view.forward,
        edges: [left, right, bottom, top],
        near: view.frustum.near,
        far: view.frustum.far,
        is_orthographic: view.frustum.is_orthographic,
        width: width as f64,
        height: height as f64,
    })
}

/// How many pixels triangles cover together.
fn covered(flats: &[Flat], width: usize, height: usize) -> u64 {
    let each = flats.iter().map(|flat| flat.pixels(width, height) as u64);
    each.sum()
}

/// Sides of shadow maps that suffice for a picture: finer ones show in no pixel.
fn shadow_side(width: usize, height: usize) -> usize {
    4 * width.max(height).next_power_of_two()
}

fn limit(what: &'static str, found: u64, most: u64) -> Result<(), RenderError> {
    if found > most {
        return Err(RenderError::TooMuch { what, found, most });
    }
    Ok(())
}
