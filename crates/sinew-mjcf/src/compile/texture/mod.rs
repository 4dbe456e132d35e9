//! Textures: columns `tex_*`.
//!
//! A texture is made by a rule (`builtin`), or read from one file, or from one file per side of a
//! cube (`cube`). Cubes and sky boxes are stored as six squares below each other: right, left,
//! up, down, front, back. Files are read first and decoded side by side, in any order; the result
//! does not depend on it.

mod builtin;
mod cube;
mod random;

use super::Context;
use super::file::{content_type, refuse};
use super::threads::side_by_side;
use crate::asset::image::{Channels, Image, decode_raw, open_png, reserved};
use crate::asset::pace::GoesOn;
use crate::place::{At, Place};
use crate::source::{AssetKind, FileBytes};
use crate::spec::asset::Texture;
use sinew_model::ModelArrays;
use sinew_model::kinds::{ColorSpace, ObjectType, TextureBuiltin, TextureMark, TextureType};

/// A texture with its defaults filled in.
struct Settings {
    kind: TextureType,
    colorspace: ColorSpace,
    builtin: TextureBuiltin,
    mark: TextureMark,
    rgb1: [f64; 3],
    rgb2: [f64; 3],
    markrgb: [f64; 3],
    random: f64,
    width: i32,
    height: i32,
    nchannel: i32,
    hflip: bool,
    vflip: bool,
    gridsize: [i32; 2],
    gridlayout: Vec<u8>,
}

/// A finished texture.
struct Pixels {
    width: usize,
    height: usize,
    is_srgb: bool,
    bytes: Vec<u8>,
}

/// Appends the texture columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    if ctx.discards_visual() {
        ctx.names.reorder(ObjectType::Texture, &[], ctx.report);
        return;
    }
    let spec = ctx.spec;
    let mut jobs = Vec::with_capacity(spec.textures.len());
    for texture in &spec.textures {
        let settings = settings(texture);
        let element = describe(texture);
        check_layout(ctx, texture, &settings, &element);
        let files = files(ctx, texture, &settings, &element);
        jobs.push((settings, files, element));
    }
    if ctx.report.has_errors() {
        return;
    }
    model.ntex = spec.textures.len();
    let mut textures = spec.textures.iter();
    // What is being decoded is held besides what is done; so never all at once.
    for jobs in jobs.chunks(AT_ONCE) {
        if !ctx.has_time(Place::default()) || !append(ctx, model, jobs, &mut textures) {
            return;
        }
    }
    for (_, files, _) in jobs {
        for file in files.into_iter().flatten() {
            ctx.source.release(file.bytes);
        }
    }
}

/// Textures that are decoded side by side.
const AT_ONCE: usize = 8;

/// A texture to make: its settings, its files, and how messages name it.
type Job = (Settings, Vec<Option<File>>, String);

/// Makes some textures and appends them. `false`: there is no memory for them.
fn append<'a>(
    ctx: &mut Context,
    model: &mut ModelArrays,
    jobs: &[Job],
    textures: &mut impl Iterator<Item = &'a Texture>,
) -> bool {
    let (most, memory) = (ctx.source.limits().pixels, ctx.source.memory());
    let before = memory.held();
    let textures: Vec<&Texture> = textures.take(jobs.len()).collect();
    for ((settings, files, element), texture) in jobs.iter().zip(&textures) {
        if let Err(shortage) = memory.take(needed(settings, files, most)) {
            shortage
                .report("the texture", texture.place, ctx.report)
                .element(element);
            return false;
        }
    }
    let first = model.ntexdata;
    let source = ctx.source;
    let results = side_by_side(jobs, |(settings, files, _)| {
        make(settings, files, most, &|| !source.is_overdue())
    });
    if !ctx.has_time(Place::default()) {
        return false;
    }
    for ((settings, files, element), (result, texture)) in
        jobs.iter().zip(results.into_iter().zip(textures))
    {
        let pixels = match result {
            Ok(pixels) => pixels,
            Err(what) => {
                match files.iter().flatten().nth(what.file.unwrap_or(usize::MAX)) {
                    Some(file) => refuse(ctx, &file.name, element, file.attribute, &what.message),
                    None => {
                        ctx.report
                            .error("mjcf::invalid-texture", texture.place, what.message)
                            .element(element);
                    }
                }
                continue;
            }
        };
        let most = ctx.source.limits().model_bytes;
        let total = (model.ntexdata as u64).saturating_add(pixels.bytes.len() as u64);
        let room = model.tex_data.try_reserve_exact(pixels.bytes.len());
        if total > most || room.is_err() {
            ctx.report
                .error(
                    "mjcf::too-large",
                    texture.place,
                    format!("the textures take {total} bytes so far, the limit is {most}"),
                )
                .element(element)
                .hint("use smaller images, or raise the limit of model bytes");
            return false;
        }
        let colorspace = match settings.colorspace {
            ColorSpace::Auto if settings.builtin != TextureBuiltin::None => ColorSpace::Auto,
            ColorSpace::Auto if pixels.is_srgb => ColorSpace::Srgb,
            ColorSpace::Auto => ColorSpace::Linear,
            given => given,
        };
        model.tex_type.push(settings.kind.code());
        model.tex_colorspace.push(colorspace.code());
        model.tex_height.push(pixels.height as i32);
        model.tex_width.push(pixels.width as i32);
        model.tex_nchannel.push(settings.nchannel);
        model.tex_adr.push(model.ntexdata as i64);
        model.tex_data.extend_from_slice(&pixels.bytes);
        model.ntexdata = model.tex_data.len();
        model.tex_pathadr.push(-1);
    }
    // From here on only the model's copy is held, which took no more than what it was made from.
    memory.give_back(memory.held().saturating_sub(before));
    memory.take((model.ntexdata - first) as u64).is_ok()
}

/// The most bytes that making a texture holds, its copy in the model included. Files that cannot be
/// read count for nothing: they will be refused.
fn needed(settings: &Settings, files: &[Option<File>], most: u64) -> u64 {
    let channels = u64::try_from(settings.nchannel).unwrap_or(0);
    if settings.builtin != TextureBuiltin::None {
        let size = |size: i32| u64::try_from(size).unwrap_or(0);
        let height = match settings.kind {
            TextureType::TwoD => size(settings.height),
            _ => size(settings.width).saturating_mul(6),
        };
        let pixels = size(settings.width).saturating_mul(height).min(most);
        return pixels.saturating_mul(channels).saturating_mul(2);
    }
    let mut images = 0_u64;
    for file in files.iter().flatten() {
        let length = file.bytes.len() as u64;
        images = images.saturating_add(match file.kind.as_str() {
            "image/png" => Channels::from_count(settings.nchannel)
                .and_then(|channels| open_png(&file.bytes, channels, most, &|| true).ok())
                .map_or(0, |png| png.bytes()),
            "image/ktx" => length.saturating_mul(channels.saturating_add(1)),
            _ => length,
        });
    }
    match settings.kind {
        TextureType::TwoD => images.saturating_mul(2),
        // One image may be one of six sides.
        _ => images.saturating_mul(13),
    }
}

fn describe(texture: &Texture) -> String {
    match &texture.name {
        Some(name) => format!("texture \"{}\"", name.value),
        None => "texture".to_string(),
    }
}

fn settings(texture: &Texture) -> Settings {
    fn or<T: Clone>(written: &Option<At<T>>, otherwise: T) -> T {
        written.as_ref().map_or(otherwise, |at| at.value.clone())
    }
    let layout = texture.gridlayout.as_ref();
    Settings {
        kind: or(&texture.kind, TextureType::Cube),
        colorspace: or(&texture.colorspace, ColorSpace::Auto),
        builtin: or(&texture.builtin, TextureBuiltin::None),
        mark: or(&texture.mark, TextureMark::None),
        rgb1: or(&texture.rgb1, [0.8; 3]),
        rgb2: or(&texture.rgb2, [0.5; 3]),
        markrgb: or(&texture.markrgb, [0.0; 3]),
        random: or(&texture.random, 0.01),
        width: or(&texture.width, 0),
        height: or(&texture.height, 0),
        nchannel: or(&texture.nchannel, 3),
        hflip: or(&texture.hflip, false),
        vflip: or(&texture.vflip, false),
        gridsize: or(&texture.gridsize, [1; 2]),
        gridlayout: layout.map_or(vec![b'.'; 12], |layout| layout.value.as_bytes().to_vec()),
    }
}

fn check_layout(ctx: &mut Context, texture: &Texture, settings: &Settings, element: &str) {
    let Some(layout) = &texture.gridlayout else {
        return;
    };
    let [rows, columns] = settings.gridsize.map(i64::from);
    let length = layout.value.len() as i64;
    let message = if length > 12 {
        "gridlayout has at most 12 characters"
    } else if length != rows.saturating_mul(columns) {
        "gridlayout must have one character per square of gridsize"
    } else {
        return;
    };
    ctx.report
        .error("mjcf::invalid-texture", layout.place, message)
        .element(element)
        .attribute("gridlayout");
}

/// A file that a texture needs.
struct File {
    name: At<String>,
    attribute: &'static str,
    kind: String,
    bytes: FileBytes,
}

/// Reads the files of a texture: one for the whole, or up to six for the sides.
fn files(
    ctx: &mut Context,
    texture: &Texture,
    settings: &Settings,
    element: &str,
) -> Vec<Option<File>> {
    if settings.builtin != TextureBuiltin::None {
        return Vec::new();
    }
    let whole = [(&texture.file, "file")];
    let sides = [
        (&texture.fileright, "fileright"),
        (&texture.fileleft, "fileleft"),
        (&texture.fileup, "fileup"),
        (&texture.filedown, "filedown"),
        (&texture.filefront, "filefront"),
        (&texture.fileback, "fileback"),
    ];
    let is_whole = texture
        .file
        .as_ref()
        .is_some_and(|file| !file.value.is_empty());
    let wanted: &[(&Option<At<String>>, &'static str)] = if is_whole { &whole } else { &sides };
    let mut files = Vec::with_capacity(wanted.len());
    for (name, attribute) in wanted {
        let name = name.as_ref().filter(|name| !name.value.is_empty());
        files.push(name.and_then(|name| {
            Some(File {
                kind: content_type(&texture.content_type, &name.value),
                bytes: ctx.asset(AssetKind::Texture, name, element, attribute)?.0,
                name: name.clone(),
                attribute,
            })
        }));
    }
    files
}

/// What is wrong with a texture; `file` counts the files that are there.
struct Problem {
    message: String,
    file: Option<usize>,
}

impl From<&str> for Problem {
    fn from(message: &str) -> Self {
        Problem {
            message: message.to_string(),
            file: None,
        }
    }
}

fn make(
    settings: &Settings,
    files: &[Option<File>],
    most: u64,
    may_go_on: GoesOn,
) -> Result<Pixels, Problem> {
    if settings.builtin != TextureBuiltin::None {
        return builtin::make(settings, most, may_go_on);
    }
    let mut images = Vec::with_capacity(files.len());
    let mut count = 0;
    for file in files {
        images.push(match file {
            Some(file) => {
                let decoded = decode(settings, file, most, may_go_on);
                let image = decoded.map_err(|message| Problem {
                    message,
                    file: Some(count),
                })?;
                count += 1;
                Some(image)
            }
            None => None,
        });
    }
    match (settings.kind, images.as_mut_slice()) {
        (TextureType::TwoD, [Some(image)]) => flat(settings, image),
        (TextureType::TwoD, _) => {
            Err("a 2d texture needs a file or a builtin, not separate sides".into())
        }
        (_, [Some(image)]) => cube::from_one(settings, image),
        (_, images) => cube::from_sides(settings, images),
    }
}

/// A 2d texture from its file.
fn flat(settings: &Settings, image: &mut Image) -> Result<Pixels, Problem> {
    let channels = usize::try_from(settings.nchannel).unwrap_or(0);
    let size = image
        .width
        .saturating_mul(image.height)
        .saturating_mul(channels);
    if image.bytes.len() < size {
        return Err("the file has fewer channels than nchannel asks for".into());
    }
    image.bytes.truncate(size);
    Ok(Pixels {
        width: image.width,
        height: image.height,
        is_srgb: image.is_srgb,
        bytes: std::mem::take(&mut image.bytes),
    })
}

/// Decodes a file and mirrors it as asked for.
fn decode(settings: &Settings, file: &File, most: u64, may_go_on: GoesOn) -> Result<Image, String> {
    let Some(channels) = Channels::from_count(settings.nchannel) else {
        return Err(format!("nchannel {} is not 1, 3 or 4", settings.nchannel));
    };
    let mut image = match file.kind.as_str() {
        "image/png" => open_png(&file.bytes, channels, most, may_go_on)?.decode()?,
        // The bytes of a compressed texture are handed on as they are, one row of them.
        "image/ktx" => {
            if settings.hflip || settings.vflip {
                return Err("compressed textures cannot be mirrored".to_string());
            }
            let width = file.bytes.len();
            let size = width.saturating_mul(channels.count());
            let mut bytes = reserved(size)?;
            bytes.extend_from_slice(&file.bytes);
            bytes.resize(size, 0);
            Image {
                width,
                height: 1,
                bytes,
                is_srgb: false,
            }
        }
        "" | "image/vnd.mujoco.texture" => decode_raw(&file.bytes, most)?,
        other => return Err(format!("unsupported content type `{other}`")),
    };
    mirror(settings, &mut image, channels.count());
    Ok(image)
}

fn mirror(settings: &Settings, image: &mut Image, channels: usize) {
    let stride = image.width.saturating_mul(channels).max(1);
    if settings.hflip {
        for row in image.bytes.chunks_exact_mut(stride) {
            row.reverse();
            for pixel in row.chunks_exact_mut(channels.max(1)) {
                pixel.reverse();
            }
        }
    }
    if settings.vflip {
        let size = stride.saturating_mul(image.height).min(image.bytes.len());
        let rows = image.bytes.get_mut(..size).unwrap_or(&mut []);
        let (upper, lower) = rows.split_at_mut(image.height / 2 * stride);
        for (a, b) in upper
            .chunks_exact_mut(stride)
            .zip(lower.chunks_exact_mut(stride).rev())
        {
            a.swap_with_slice(b);
        }
    }
}
