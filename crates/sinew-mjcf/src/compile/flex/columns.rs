//! Writes compiled flexes to the model's columns.

use super::edge::per_element;
use super::{BENDING, Compiled, STIFFNESS, Written};
use crate::asset::pace::{Late, Pace};
use crate::compile::Context;
use crate::spec::constraint::EqualityKind;
use sinew_math::Vec3;
use sinew_model::ModelArrays;

/// Appends one flex, as long as there is time.
pub fn append(
    ctx: &Context,
    model: &mut ModelArrays,
    compiled: &Compiled,
    pace: &Pace,
) -> Result<(), Late> {
    addresses(model, compiled);
    settings(model, &compiled.written);
    model
        .flex_edgeequality
        .push(equality(ctx, compiled.written.name));
    vertices(model, compiled);
    pace.look()?;
    elements(model, compiled);
    pace.look()?;
    edges(ctx, model, compiled);
    pace.look()?;
    let (stiffness, _) = compiled.stiffness.as_chunks::<STIFFNESS>();
    extend(&mut model.flex_stiffness, stiffness, model.nflexelem, pace)?;
    let (bending, _) = compiled.bending.as_chunks::<BENDING>();
    extend(&mut model.flex_bending, bending, model.nflexedge, pace)?;
    volumes(model, compiled);
    model.nflex += 1;
    Ok(())
}

/// Appends rows of many numbers, and zeros up to a length.
fn extend<const N: usize>(
    to: &mut Vec<[f64; N]>,
    rows: &[[f64; N]],
    length: usize,
    pace: &Pace,
) -> Result<(), Late> {
    to.reserve_exact(length.saturating_sub(to.len()));
    let most = Pace::BYTES / size_of::<[f64; N]>();
    for piece in rows.chunks(most) {
        to.extend_from_slice(piece);
        pace.after(size_of_val(piece))?;
    }
    while to.len() < length {
        to.resize(length.min(to.len() + most), [0.0; N]);
        pace.after(Pace::BYTES)?;
    }
    Ok(())
}

/// Where the parts of the flex begin, and how many they are.
fn addresses(model: &mut ModelArrays, compiled: &Compiled) {
    let present = |count: usize, address: usize| if count > 0 { address as i32 } else { -1 };
    let dim = compiled.written.dim;
    let count = compiled.elements.len() / (dim + 1);
    model.flex_dim.push(dim as i32);
    model.flex_nodeadr.push(model.nflexnode as i32);
    model
        .flex_nodenum
        .push(compiled.vertices.node_world.len() as i32);
    model.flex_vertadr.push(model.nflexvert as i32);
    model
        .flex_vertnum
        .push(compiled.vertices.world.len() as i32);
    model.flex_edgeadr.push(model.nflexedge as i32);
    model
        .flex_edgenum
        .push(compiled.edges.vertices.len() as i32);
    model.flex_elemadr.push(model.nflexelem as i32);
    model.flex_elemnum.push(count as i32);
    model.flex_elemdataadr.push(model.nflexelemdata as i32);
    model.flex_elemedgeadr.push(model.nflexelemedge as i32);
    let surface = compiled.shell.surface.len();
    model.flex_shellnum.push((surface / dim) as i32);
    model
        .flex_shelldataadr
        .push(present(surface, model.nflexshelldata));
    let pairs = compiled.shell.pairs.len();
    model.flex_evpairadr.push(present(pairs, model.nflexevpair));
    model.flex_evpairnum.push(pairs as i32);
    let texcoords = compiled.written.texcoord.len() / 2;
    model
        .flex_texcoordadr
        .push(present(texcoords, model.nflextexcoord));
    model.flex_rigid.push(u8::from(compiled.vertices.is_rigid));
    model
        .flex_centered
        .push(u8::from(compiled.vertices.is_centered));
    let order = match compiled.vertices.node_world.len() {
        0 => 0,
        8 => 1,
        _ => 2,
    };
    model.flex_interp.push(order);

    model.nflexnode += compiled.vertices.node_world.len();
    model.nflexvert += compiled.vertices.world.len();
    model.nflexedge += compiled.edges.vertices.len();
    model.nflexelem += count;
    model.nflexelemdata += compiled.elements.len();
    model.nflexelemedge += count * per_element(dim);
    model.nflexshelldata += surface;
    model.nflexevpair += pairs;
    model.nflextexcoord += texcoords;
}

/// What is written.
fn settings(model: &mut ModelArrays, written: &Written) {
    let contact = &written.contact;
    model.flex_contype.push(contact.contype);
    model.flex_conaffinity.push(contact.conaffinity);
    model.flex_condim.push(contact.condim);
    model.flex_priority.push(contact.priority);
    model.flex_solmix.push(contact.solmix);
    model.flex_solref.push(contact.solref);
    model.flex_solimp.push(contact.solimp);
    model.flex_friction.push(contact.friction);
    model.flex_margin.push(contact.margin);
    model.flex_gap.push(contact.gap);
    model.flex_internal.push(u8::from(contact.internal));
    model.flex_selfcollide.push(contact.selfcollide.code());
    model.flex_activelayers.push(contact.activelayers);
    model.flex_passive.push(i32::from(contact.passive));
    model.flex_matid.push(written.material);
    model.flex_group.push(written.group);
    model.flex_radius.push(written.radius);
    model.flex_rgba.push(written.rgba);
    model.flex_flatskin.push(u8::from(written.flatskin));
    model.flex_damping.push(written.damping);
    model.flex_edgestiffness.push(written.edge_stiffness);
    model.flex_edgedamping.push(written.edge_damping);
    let (texcoords, _) = written.texcoord.as_chunks::<2>();
    model.flex_texcoord.extend_from_slice(texcoords);
}

/// What `flex_edgeequality` says of a flex whose edges are held.
const HELD_AT_EDGES: i32 = 1;
/// What it says of one whose vertices are held.
pub const HELD_AT_VERTICES: i32 = 2;

/// What the first equality that names the flex holds.
pub fn equality(ctx: &Context, name: &str) -> i32 {
    let held = ctx.spec.equalities.iter().find_map(|equality| {
        let code = match equality.kind {
            EqualityKind::Flex => HELD_AT_EDGES,
            EqualityKind::FlexVert => HELD_AT_VERTICES,
            _ => return None,
        };
        let flex = equality.table.flex.as_ref()?;
        (flex.value == name).then_some(code)
    });
    held.unwrap_or(0)
}

fn vertices(model: &mut ModelArrays, compiled: &Compiled) {
    let vertices = &compiled.vertices;
    let is_interpolated = vertices.is_interpolated();
    let bodies = (0..vertices.world.len()).map(|vertex| {
        if is_interpolated {
            -1
        } else {
            vertices.body(vertex) as i32
        }
    });
    model.flex_vertbodyid.extend(bodies);
    model.flex_vert.extend_from_slice(&vertices.local);
    model.flex_vert0.extend_from_slice(&compiled.relative);
    let nodes = vertices.node_bodies.iter().map(|body| *body as i32);
    model.flex_nodebodyid.extend(nodes);
    model.flex_node.extend_from_slice(&vertices.node_local);
    let nodes: &[Vec3] = &vertices.node_world;
    model.flex_node0.extend_from_slice(nodes);
}

fn elements(model: &mut ModelArrays, compiled: &Compiled) {
    model.flex_elem.extend_from_slice(&compiled.elements);
    let texcoord = compiled
        .element_texcoord
        .iter()
        .take(compiled.elements.len());
    model.flex_elemtexcoord.extend(texcoord);
    model
        .flex_elemedge
        .extend_from_slice(&compiled.edges.of_element);
    model
        .flex_elemlayer
        .extend_from_slice(&compiled.shell.layers);
    model.flex_shell.extend_from_slice(&compiled.shell.surface);
    model.flex_evpair.extend_from_slice(&compiled.shell.pairs);
}

fn edges(ctx: &Context, model: &mut ModelArrays, compiled: &Compiled) {
    let vertices = &compiled.vertices;
    model.flex_edge.extend_from_slice(&compiled.edges.vertices);
    if compiled.written.bends() {
        let flaps = compiled.edges.flaps.iter().map(|flap| [flap[2], flap[3]]);
        model.flex_edgeflap.extend(flaps);
    }
    model.flex_edgeflap.resize(model.nflexedge, [-1, -1]);
    let weld = |vertex: i32| ctx.tree.bodies[vertices.body(vertex as usize)].weld;
    let rigid = compiled.edges.vertices.iter().map(|&[first, second]| {
        let is_rigid = !vertices.is_interpolated() && weld(first) == weld(second);
        u8::from(vertices.is_rigid || is_rigid)
    });
    model.flexedge_rigid.extend(rigid);
}

/// The tree of boxes; the boxes themselves follow the vertices while stepping.
fn volumes(model: &mut ModelArrays, compiled: &Compiled) {
    let volumes = &compiled.volumes;
    model.flex_size.push(compiled.size);
    model.flex_bvhadr.push(model.bvh_depth.len() as i32);
    model.flex_bvhnum.push(volumes.depth.len() as i32);
    model.bvh_depth.extend_from_slice(&volumes.depth);
    model.bvh_child.extend_from_slice(&volumes.child);
    model.bvh_nodeid.extend_from_slice(&volumes.nodeid);
    model.nbvhdynamic += volumes.depth.len();
    model.nbvh += volumes.depth.len();
}
