//! Memory that a model asks for, compared with the limits before it is reserved.

use super::Context;
use crate::place::{At, Place};
use sinew_model::ModelArrays;

/// Checks the sizes of the model's columns and of what one simulation of it needs.
pub fn check(ctx: &mut Context, model: &ModelArrays) {
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

/// Checks the matrices that grow with the square of a chain's length: inertia in its layouts, the
/// body–dof matrix, actuator moments. Reads the tree's columns.
pub fn check_matrices(ctx: &mut Context, model: &ModelArrays) {
    let limits = ctx.source.limits();
    let most = limits.model_bytes.min(limits.data_bytes);
    let mut ancestors = vec![0_u64; model.nbody];
    let (mut inertia, mut body_dof) = (0_u64, 0_u64);
    for (body, &dofs) in model.body_dofnum.iter().enumerate() {
        let parent = usize::try_from(model.body_parentid[body]).unwrap_or(0);
        let above = if body > 0 { ancestors[parent] } else { 0 };
        let dofs = u64::try_from(dofs).unwrap_or(0);
        ancestors[body] = above + dofs;
        inertia += dofs * above + dofs * (dofs + 1) / 2;
        // Counted from below: every ancestor's row holds these degrees of freedom too.
        body_dof += 2 * above + dofs;
    }
    let moments = (model.nu as u64).saturating_mul(model.nv as u64);
    // Columns of 4 bytes in the model, numbers of 8 bytes in a simulation.
    let bytes = inertia
        .saturating_mul(7 * 4 + 4 * 8)
        .saturating_add(body_dof.saturating_mul(4))
        .saturating_add(moments.saturating_mul(12));
    if bytes > most {
        too_large(ctx, "the inertia of the model", bytes, most);
    }
}

/// Whether the user data of one kind of object fits the model; if not, says so where the size was
/// asked for.
pub fn check_user(
    ctx: &mut Context,
    count: usize,
    size: usize,
    asked: Option<&At<i32>>,
    attribute: &str,
) -> bool {
    let most = ctx.source.limits().model_bytes;
    let bytes = (count as u64).saturating_mul(size as u64).saturating_mul(8);
    if bytes > most {
        ctx.report
            .error(
                "mjcf::too-large",
                asked.map_or(Place::default(), |asked| asked.place),
                format!("user data would take {bytes} bytes, the limit is {most}"),
            )
            .element("size")
            .attribute(attribute);
    }
    bytes <= most
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
fn data_bytes(model: &ModelArrays) -> u64 {
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
