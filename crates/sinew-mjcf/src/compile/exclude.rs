//! Body pairs whose geoms never touch by the automatic mechanism, in the order of their body ids.

use super::Context;
use super::signature::{body_pair_signature, sort_by_signature};
use sinew_model::ModelArrays;
use sinew_model::kinds::ObjectType;

/// Appends the exclude columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    let mut signatures = Vec::with_capacity(spec.excludes.len());
    for exclude in &spec.excludes {
        if !ctx.has_time(exclude.place) {
            return;
        }
        let element = match &exclude.name {
            Some(name) => format!("exclude \"{}\"", name.value),
            None => "exclude".to_string(),
        };
        let mut bodies = [None; 2];
        for (body, (name, attribute)) in bodies
            .iter_mut()
            .zip([(&exclude.body1, "body1"), (&exclude.body2, "body2")])
        {
            match name {
                Some(name) => *body = ctx.resolve(ObjectType::Body, name, &element, attribute),
                None => ctx.missing(exclude.place, &element, attribute),
            }
        }
        if let [Some(first), Some(second)] = bodies {
            let (low, high) = (first.min(second), first.max(second));
            signatures.push(body_pair_signature(low as i32, high as i32));
        }
    }
    if signatures.len() != spec.excludes.len() {
        return;
    }
    let order = sort_by_signature(signatures.iter().copied());
    ctx.names.reorder(ObjectType::Exclude, &order, ctx.report);
    model.nexclude = signatures.len();
    model
        .exclude_signature
        .extend(order.iter().map(|&i| signatures[i]));
}
