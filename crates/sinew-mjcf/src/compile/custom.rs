//! Custom numbers and texts: columns `numeric_*`, `text_*`.

use super::Context;
use crate::place::Place;
use sinew_model::ModelArrays;

/// The most numbers a custom field may have.
const MOST: usize = 500;

/// Appends the columns of custom numbers and texts.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    numerics(ctx, model);
    texts(ctx, model);
}

fn error(ctx: &mut Context, place: Place, element: String, attribute: &str, message: String) {
    ctx.report
        .error("mjcf::invalid-custom", place, message)
        .element(element)
        .attribute(attribute);
}

fn numerics(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    model.nnumeric = spec.numerics.len();
    for numeric in &spec.numerics {
        if !ctx.has_time(numeric.place) {
            return;
        }
        let name = numeric.name.as_ref().map_or("", |name| name.value.as_str());
        let element = format!("numeric \"{name}\"");
        let data = numeric.data.as_ref().map_or(&[][..], |data| &data.value);
        let size = match &numeric.size {
            Some(size) => usize::try_from(size.value).unwrap_or(0),
            None => data.len(),
        };
        if !(1..=MOST).contains(&size) {
            let message = format!("a custom field has between 1 and {MOST} numbers");
            error(ctx, numeric.place, element, "size", message);
            continue;
        }
        if data.len() > size {
            let message = format!("{} numbers do not fit the size {size}", data.len());
            error(ctx, numeric.place, element, "data", message);
            continue;
        }
        model.numeric_adr.push(model.nnumericdata as i32);
        model.numeric_size.push(size as i32);
        model.nnumericdata += size;
        model.numeric_data.extend(data);
        model.numeric_data.resize(model.nnumericdata, 0.0);
    }
}

fn texts(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    model.ntext = spec.texts.len();
    for text in &spec.texts {
        if !ctx.has_time(text.place) {
            return;
        }
        let name = text.name.as_ref().map_or("", |name| name.value.as_str());
        let data = text.data.as_ref().map_or("", |data| data.value.as_str());
        if data.is_empty() {
            let element = format!("text \"{name}\"");
            let message = "a custom text cannot be empty".to_string();
            error(ctx, text.place, element, "data", message);
            continue;
        }
        model.text_adr.push(model.ntextdata as i32);
        model.text_size.push(data.len() as i32 + 1);
        model.text_data.extend(data.as_bytes());
        model.text_data.push(0);
        model.ntextdata += data.len() + 1;
    }
}
