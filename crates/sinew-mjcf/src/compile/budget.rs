//! Memory that a model asks for, compared with the limits and with what the load may hold before it is
//! reserved.

use super::Context;
use super::tree::Joint;
use crate::memory::{Shortage, simulation_bytes};
use crate::place::{At, Place};
use sinew_model::ModelArrays;
use sinew_model::joint::Layout;

/// Columns outside the tree grow by doubling.
const GROWTH: u64 = 2;
/// What an element outside the tree costs besides what was written: its columns, its names, a copy
/// completed by its class.
const OUTSIDE_BYTES: u64 = 3000;
/// What follows from one simulation costs more than the simulation; measured.
const CONSTANTS_FACTOR: u64 = 2;

/// Takes the memory of what elements outside the tree become. Reported if there is none.
pub fn take_outside(ctx: &mut Context) {
    let spec = ctx.spec;
    let path: usize = spec.tendons.iter().map(|tendon| tendon.path.len()).sum();
    let count = [
        spec.materials.len(),
        spec.pairs.len(),
        spec.excludes.len(),
        spec.equalities.len(),
        spec.tendons.len(),
        path,
        spec.actuators.len(),
        spec.sensors.len(),
        spec.numerics.len(),
        spec.texts.len(),
        spec.tuples.len(),
        spec.defaults.len(),
    ];
    let bytes = (count.iter().sum::<usize>() as u64).saturating_mul(OUTSIDE_BYTES);
    if let Err(shortage) = ctx.source.memory().take(bytes) {
        shortage.report("the model", Place::default(), ctx.report);
    }
}

/// Takes and reserves the memory of the columns that the tree will fill. Reported if there is none.
pub fn reserve_tree(ctx: &mut Context, model: &mut ModelArrays) {
    let tree = &ctx.tree;
    let layout = |joint: &Joint| Layout::of(joint.written_kind().code());
    let sizes = ModelArrays {
        nbody: tree.bodies.len(),
        njnt: tree.joints.len(),
        nq: tree
            .joints
            .iter()
            .map(|joint| layout(joint).positions())
            .sum(),
        nv: tree.joints.iter().map(|joint| layout(joint).dofs()).sum(),
        ngeom: tree.geoms.len(),
        nsite: tree.sites.len(),
        ncam: tree.cameras.len(),
        nlight: tree.lights.len(),
        nbvh: 2 * tree.geoms.len(),
        nuser_body: model.nuser_body,
        nuser_jnt: model.nuser_jnt,
        nuser_geom: model.nuser_geom,
        nuser_site: model.nuser_site,
        nuser_cam: model.nuser_cam,
        ..ModelArrays::default()
    };
    let bytes = sizes.byte_size();
    let memory = ctx.source.memory();
    let refused = Shortage {
        needed: bytes,
        left: 0,
    };
    let taken = memory.take(bytes).and_then(|()| {
        let has_reserved = model.reserve(&sizes);
        has_reserved.then_some(()).ok_or(refused)
    });
    if let Err(shortage) = taken {
        shortage.report("the model", Place::default(), ctx.report);
    }
}

/// Checks the sizes of the model's columns and of what one simulation of it needs.
pub fn check(ctx: &mut Context, model: &ModelArrays) {
    let limits = ctx.source.limits();
    let (most_model, most_data) = (limits.model_bytes, limits.data_bytes);
    let bytes = model.byte_size();
    if bytes > most_model {
        too_large(ctx, "the model", bytes, most_model);
    }
    let bytes = simulation_bytes(model);
    if bytes > most_data {
        too_large(ctx, "one simulation of the model", bytes, most_data);
    }
    // Constants are derived from a simulation.
    let bytes = bytes.saturating_mul(CONSTANTS_FACTOR);
    if let Err(shortage) = ctx.source.memory().take(bytes) {
        let place = place_of_sizes(ctx);
        shortage.report("one simulation of the model", place, ctx.report);
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
    let bytes = bytes.saturating_mul(CONSTANTS_FACTOR);
    if let Err(shortage) = ctx.source.memory().take(bytes) {
        shortage.report("the inertia of the model", Place::default(), ctx.report);
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
            .attribute(attribute)
            .hint("leave it out: the longest list then decides");
        return false;
    }
    let taken = ctx.source.memory().take(bytes.saturating_mul(GROWTH));
    if let Err(shortage) = &taken {
        let place = asked.map_or(Place::default(), |asked| asked.place);
        shortage
            .report("user data", place, ctx.report)
            .element("size")
            .attribute(attribute);
    }
    taken.is_ok()
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

/// The only size that users set without writing anything of that size.
fn place_of_sizes(ctx: &Context) -> Place {
    let userdata = ctx.spec.size.nuserdata.as_ref();
    userdata.map_or(Place::default(), |written| written.place)
}

fn too_large(ctx: &mut Context, what: &str, bytes: u64, most: u64) {
    let place = place_of_sizes(ctx);
    ctx.report
        .error(
            "mjcf::too-large",
            place,
            format!("{what} would take {bytes} bytes, the limit is {most}"),
        )
        .element("mujoco");
}
