//! Height fields: columns `hfield_*`. Runs before the tree, which takes sizes from here.
//!
//! Elevations come from a PNG file (grey, first row on top), a raw file, the attribute `elevation`
//! (first row on top), or are zero. They are stored from the bottom row up, as 32-bit numbers
//! between 0 and 1.

use super::Context;
use super::file::{content_type, refuse};
use crate::asset::image::{Channels, decode_png, raw_header};
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
        if !normalize(&mut field.data) {
            ctx.report
                .error(
                    "mjcf::invalid-hfield",
                    hfield.place,
                    "the elevations have no range",
                )
                .element(&element);
        }
        model.hfield_size.push(size.value);
        model.hfield_nrow.push(field.nrow as i32);
        model.hfield_ncol.push(field.ncol as i32);
        model.hfield_adr.push(model.nhfielddata as i32);
        model.hfield_data.append(&mut field.data);
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
    let field = match kind.as_str() {
        "image/png" => decode_png(&bytes, Channels::Grey, most).map(|image| {
            let rows = image.bytes.chunks_exact(image.width.max(1)).rev();
            Field {
                nrow: image.height,
                ncol: image.width,
                data: rows.flatten().map(|grey| f32::from(*grey)).collect(),
            }
        }),
        "" | "image/vnd.mujoco.hfield" => raw(&bytes, most),
        other => Err(format!("unsupported content type `{other}`")),
    };
    match field {
        Ok(field) => Some(field),
        Err(what) => {
            refuse(ctx, file, element, "file", &what);
            None
        }
    }
}

/// The raw format: rows and columns as little-endian integers, then 32-bit elevations.
fn raw(bytes: &[u8], most: u64) -> Result<Field, String> {
    let (nrow, ncol, cells) = raw_header(bytes, most)?;
    let data = bytes.get(8..).unwrap_or(&[]);
    if cells.checked_mul(4) != Some(data.len()) {
        return Err("the file does not have the size that its header announces".to_string());
    }
    let data = data.chunks_exact(4);
    Ok(Field {
        nrow,
        ncol,
        data: data
            .map(|word| f32::from_le_bytes(word.first_chunk().copied().unwrap_or_default()))
            .collect(),
    })
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
    let data = match &hfield.elevation {
        Some(elevation) if elevation.value.len() == cells => {
            let rows = elevation.value.chunks_exact(ncol.max(1)).rev();
            rows.flatten().copied().collect()
        }
        Some(elevation) => {
            let message = format!(
                "elevation has {} numbers, nrow·ncol is {cells}",
                elevation.value.len()
            );
            fail(ctx, hfield, element, &message);
            return None;
        }
        None => vec![0.0; cells],
    };
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
