//! Memory that a model asks for, compared with the limits before it is reserved.

use super::Context;
use crate::place::Place;
use sinew_model::Model;

/// Checks the sizes of the model's columns and of what one simulation of it needs.
pub fn check(ctx: &mut Context, model: &Model) {
    let limits = ctx.source.limits();
    let (most_model, most_data) = (limits.model_bytes, limits.data_bytes);
    let bytes = model.byte_size();
    if bytes > most_model {
        too_large(ctx, "the model", bytes, most_model);
    }
    let bytes = data_bytes(model);
    if bytes > most_data {
        too_large(ctx, "one simulation of the model", bytes, most_data);
    }
}

/// Checks the memory that the `size` element asks for.
pub fn check_memory(ctx: &mut Context, bytes: i64, place: Place) {
    let most = ctx.source.limits().data_bytes;
    if u64::try_from(bytes).is_ok_and(|bytes| bytes > most) {
        ctx.report
            .error(
                "mjcf::too-large",
                place,
                format!("{bytes} bytes of memory exceed the limit of {most}"),
            )
            .element("size")
            .attribute("memory");
    }
}

/// Roughly the bytes of one `Data`: what every object needs, and the sizes that users set freely.
fn data_bytes(model: &Model) -> u64 {
    let per_object = [
        (model.nq, 4),
        (model.nv, 60),
        (model.nbody, 150),
        (model.ngeom, 20),
        (model.nsite, 20),
        (model.ncam, 20),
        (model.nlight, 10),
        (model.ntendon, 20),
        (model.nwrap, 20),
        (model.nu, 20),
        (model.na, 4),
        (model.neq, 1),
        (model.nuserdata, 1),
        (model.nsensordata, 2),
        (model.nhistory, 1),
    ];
    let numbers = per_object
        .iter()
        .map(|(count, numbers)| (*count as u64).saturating_mul(*numbers))
        .fold(0_u64, u64::saturating_add);
    numbers.saturating_mul(8)
}

fn too_large(ctx: &mut Context, what: &str, bytes: u64, most: u64) {
    // The only size that users set without writing anything of that size.
    let userdata = ctx.spec.size.nuserdata.as_ref();
    let place = userdata.map_or(Place::default(), |written| written.place);
    ctx.report
        .error(
            "mjcf::too-large",
            place,
            format!("{what} would take {bytes} bytes, the limit is {most}"),
        )
        .element("mujoco");
}
