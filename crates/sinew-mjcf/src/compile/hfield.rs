//! Height fields: columns `hfield_*`. Runs before the tree, which takes sizes from here.
//!
//! Elevations come from a PNG file (grey, first row on top), a raw file, the attribute `elevation`
//! (first row on top), or are zero. They are stored from the bottom row up, as 32-bit numbers
//! between 0 and 1.

use super::Context;
use super::file::{content_type, refuse};
use crate::asset::image::{Channels, open_png, raw_header, reserved};
use crate::asset::pace::GoesOn;
use crate::memory::Memory;
use crate::place::At;
use crate::source::AssetKind;
use crate::spec::asset::HeightField;
use sinew_model::ModelArrays;

/// Rows, columns and elevations.
struct Field {
    nrow: usize,
    ncol: usize,
    data: Vec<f32>,
}

/// Appends the height field columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    model.nhfield = spec.hfields.len();
    for hfield in &spec.hfields {
        if !ctx.has_time(hfield.place) {
            return;
        }
        let name = hfield.name.as_ref().map_or("", |name| &name.value);
        let element = format!("hfield \"{name}\"");
        let Some(size) = &hfield.size else {
            ctx.missing(hfield.place, &element, "size");
            continue;
        };
        if size
            .value
            .iter()
            .any(|number| number.is_nan() || *number <= 0.0)
        {
            ctx.report
                .error(
                    "mjcf::invalid-size",
                    size.place,
                    "all four sizes of a height field must be positive",
                )
                .element(&element)
                .attribute("size");
        }
        let file = hfield.file.as_ref().filter(|file| !file.value.is_empty());
        let field = match file {
            Some(file) => from_file(ctx, hfield, file, &element),
            None => inline(ctx, hfield, &element),
        };
        let Some(mut field) = field else { continue };
        if !ctx.has_time(hfield.place) {
            return;
        }
        // The model's own copy.
        let needed = field_bytes(field.data.len());
        let has_room = ctx.source.memory().take(needed).is_ok()
            && model
                .hfield_data
                .try_reserve_exact(field.data.len())
                .is_ok();
        if !has_room {
            fail(
                ctx,
                hfield,
                &element,
                "the height fields do not fit the memory",
            );
            return;
        }
        if !normalize(&mut field.data) {
            ctx.report
                .error(
                    "mjcf::invalid-hfield",
                    hfield.place,
                    "the elevations have no range",
                )
                .element(&element);
        }
        if !ctx.has_time(hfield.place) {
            return;
        }
        model.hfield_size.push(size.value);
        model.hfield_nrow.push(field.nrow as i32);
        model.hfield_ncol.push(field.ncol as i32);
        model.hfield_adr.push(model.nhfielddata as i32);
        model.hfield_data.append(&mut field.data);
        drop(field);
        ctx.source.memory().give_back(needed);
        model.nhfielddata = model.hfield_data.len();
        model.hfield_pathadr.push(-1);
    }
}

fn from_file(
    ctx: &mut Context,
    hfield: &HeightField,
    file: &At<String>,
    element: &str,
) -> Option<Field> {
    for (attribute, size) in [("nrow", &hfield.nrow), ("ncol", &hfield.ncol)] {
        if let Some(size) = size.as_ref().filter(|size| size.value != 0) {
            let message = format!("{attribute} is ignored: the file says how large it is");
            ctx.report
                .warning("mjcf::ignored-setting", size.place, message)
                .element(element)
                .attribute(attribute);
        }
    }
    let kind = content_type(&hfield.content_type, &file.value);
    let most = ctx.source.limits().pixels;
    let (bytes, _) = ctx.asset(AssetKind::HeightField, file, element, "file")?;
    let source = ctx.source;
    let field = match kind.as_str() {
        "image/png" => from_image(&bytes, most, source.memory(), &|| !source.is_overdue()),
        "" | "image/vnd.mujoco.hfield" => raw(&bytes, most, ctx.source.memory()),
        other => Err(format!("unsupported content type `{other}`")),
    };
    ctx.source.release(bytes);
    if !ctx.has_time(file.place) {
        return None;
    }
    match field {
        Ok(field) => {
            let odd = field.data.iter().filter(|height| !height.is_finite());
            let (odd, all) = (odd.count(), field.data.len());
            if odd > 0 {
                let message = format!(
                    "{odd} of the {all} elevations in `{}` are NaN or infinite",
                    file.value
                );
                ctx.report
                    .warning("mjcf::not-finite", file.place, message)
                    .element(element)
                    .attribute("file")
                    .hint("nothing collides with the field where an elevation is not a number");
            }
            Some(field)
        }
        Err(what) => {
            refuse(ctx, file, element, "file", &what);
            None
        }
    }
}

/// What the elevations of so many cells hold.
fn field_bytes(cells: usize) -> u64 {
    (cells as u64).saturating_mul(4)
}

/// An empty list for the elevations of so many cells, if there is memory for it.
fn elevations(cells: usize, memory: &Memory) -> Result<Vec<f32>, String> {
    memory
        .take(field_bytes(cells))
        .map_err(|shortage| format!("it would take {shortage}"))?;
    reserved(cells)
}

fn from_image(bytes: &[u8], most: u64, memory: &Memory, goes_on: GoesOn) -> Result<Field, String> {
    let png = open_png(bytes, Channels::Grey, most, goes_on)?;
    let mut data = elevations(png.pixels(), memory)?;
    let decoding = png.bytes();
    memory
        .take(decoding)
        .map_err(|shortage| format!("it would take {shortage}"))?;
    let image = png.decode()?;
    let rows = image.bytes.chunks_exact(image.width.max(1)).rev();
    data.extend(rows.flatten().map(|grey| f32::from(*grey)));
    memory.give_back(decoding);
    Ok(Field {
        nrow: image.height,
        ncol: image.width,
        data,
    })
}

/// The raw format: rows and columns as little-endian integers, then 32-bit elevations.
fn raw(bytes: &[u8], most: u64, memory: &Memory) -> Result<Field, String> {
    let (nrow, ncol, cells) = raw_header(bytes, most)?;
    let data = bytes.get(8..).unwrap_or(&[]);
    if cells.checked_mul(4) != Some(data.len()) {
        return Err("the file does not have the size that its header announces".to_string());
    }
    let words = data.chunks_exact(4);
    let mut data = elevations(cells, memory)?;
    data.extend(
        words.map(|word| f32::from_le_bytes(word.first_chunk().copied().unwrap_or_default())),
    );
    Ok(Field { nrow, ncol, data })
}

fn inline(ctx: &mut Context, hfield: &HeightField, element: &str) -> Option<Field> {
    let size = |written: &Option<At<i32>>| {
        let size = written.as_ref().map_or(0, |written| written.value);
        usize::try_from(size).unwrap_or(0)
    };
    let (nrow, ncol) = (size(&hfield.nrow), size(&hfield.ncol));
    let cells = nrow
        .checked_mul(ncol)
        .filter(|n| *n as u64 <= ctx.source.limits().pixels);
    let Some(cells) = cells else {
        fail(ctx, hfield, element, "the height field has too many cells");
        return None;
    };
    if cells == 0 {
        fail(
            ctx,
            hfield,
            element,
            "a height field needs a file, or positive nrow and ncol",
        );
        return None;
    }
    let written = hfield.elevation.as_ref().map(|at| at.value.as_slice());
    if let Some(written) = written.filter(|written| written.len() != cells) {
        let message = format!(
            "elevation has {} numbers, nrow·ncol is {cells}",
            written.len()
        );
        fail(ctx, hfield, element, &message);
        return None;
    }
    let mut data = match elevations(cells, ctx.source.memory()) {
        Ok(data) => data,
        Err(message) => {
            fail(ctx, hfield, element, &message);
            return None;
        }
    };
    match written {
        Some(written) => data.extend(written.chunks_exact(ncol.max(1)).rev().flatten()),
        None => data.resize(cells, 0.0),
    }
    Some(Field { nrow, ncol, data })
}

fn fail(ctx: &mut Context, hfield: &HeightField, element: &str, message: &str) {
    ctx.report
        .error("mjcf::invalid-hfield", hfield.place, message)
        .element(element);
}

/// Shifts and scales to the range 0 to 1, in single precision. Flat fields become zero.
fn normalize(data: &mut [f32]) -> bool {
    let (mut low, mut high) = (1e10_f32, -1e10_f32);
    for &height in data.iter() {
        low = if height < low { height } else { low };
        high = if height > high { height } else { high };
    }
    if low > high {
        return false;
    }
    let range = high - low;
    for height in data.iter_mut() {
        *height -= low;
        if f64::from(range) > 1e-14 {
            *height /= range;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elevations_span_zero_to_one() {
        let mut data = [3.0, 1.0, 2.0];
        assert!(normalize(&mut data));
        assert_eq!(data, [1.0, 0.0, 0.5]);
        let mut flat = [7.0; 3];
        assert!(normalize(&mut flat));
        assert_eq!(flat, [0.0; 3]);
        assert!(!normalize(&mut [f32::NAN]));
    }
}
