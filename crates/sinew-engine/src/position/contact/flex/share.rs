//! What moves the sides of a contact with a flex.
//!
//! A vertex moves with its body. A point of an element moves with its vertices, the nearer ones more: their shares are
//! inverse to their distances. Vertices without bodies move with the nodes of their flex, by the interpolation at the
//! point.

use super::Scene;
use crate::flex::interpolate::for_each_weight;
use crate::flex::nodes;
use crate::is_sparse;
use crate::position::contact::{Contact, NOTHING_MOVES};
use crate::position::flex::Flex;
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::Model;

/// Why a contact has no constraint rows: it is a passive force.
pub(crate) const PASSIVE: i32 = 4;

/// Nodes with smaller shares do not count.
const LEAST_SHARE: f64 = 1e-5;

/// Calls `visit(body, share)` for the bodies that move a side of a contact; the shares add up to about 1.
pub(crate) fn for_each_body(
    model: &Model,
    flex: &Flex,
    contact: &Contact,
    side: usize,
    mut visit: impl FnMut(usize, f64),
) {
    if let Some(body) = model.geom_bodyid.get(contact.geom[side] as usize) {
        return visit(*body as usize, 1.0);
    }
    // Users write contacts, too: what does not exist moves nothing.
    let Some(id) = known(contact.flex[side], model.nflex) else {
        return;
    };
    let Some((ids, shares, count)) = vertices(model, flex, contact, side, id) else {
        return;
    };
    let vertices = ids.into_iter().zip(shares).take(count);
    if model.flex_interp[id] == 0 {
        return vertices.for_each(|(vertex, share)| {
            visit(model.flex_vertbodyid[vertex] as usize, share);
        });
    }
    let mut point = Vec3::ZERO;
    for (vertex, share) in vertices {
        point = point.add_scaled(model.flex_vert0[vertex], share);
    }
    let bodies = &model.flex_nodebodyid[nodes(model, id)];
    for_each_weight(model.flex_interp[id] as usize, point, |node, share| {
        if share >= LEAST_SHARE {
            visit(bodies[node] as usize, share);
        }
    });
}

/// An index, if there is something with it.
fn known(index: i32, count: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < count)
}

/// Vertices that move a side of a contact with a flex, with their shares, and how many there are; none if the side is
/// neither a vertex nor an element of the flex. A vertex that is the other side of the contact does not count.
fn vertices(
    model: &Model,
    flex: &Flex,
    contact: &Contact,
    side: usize,
    id: usize,
) -> Option<([usize; 4], [f64; 4], usize)> {
    let (mut ids, mut shares, mut count) = ([0; 4], [1.0; 4], 0);
    let first = model.flex_vertadr[id] as usize;
    if contact.vert[side] >= 0 {
        ids[0] = first + known(contact.vert[side], model.flex_vertnum[id] as usize)?;
        return Some((ids, shares, 1));
    }
    let corners = model.flex_dim[id] as usize + 1;
    let element = known(contact.elem[side], model.flex_elemnum[id] as usize)?;
    let start = model.flex_elemdataadr[id] as usize + element * corners;
    let opposite = contact.vert[1 - side];
    for vertex in &model.flex_elem[start..start + corners] {
        if *vertex == opposite {
            continue;
        }
        ids[count] = first + *vertex as usize;
        let distance = contact.pos.distance(flex.flexvert_xpos[ids[count]]);
        shares[count] = 1.0 / distance.max(MIN_VALUE);
        count += 1;
    }
    let sum = shares[..count].iter().fold(0.0, |sum, share| sum + share);
    shares = shares.map(|share| share * (1.0 / sum));
    Some((ids, shares, count))
}

/// Notes why contacts have no rows: those of passive flexes, and those that nothing can move.
pub(super) fn exclude(scene: &Scene<'_>, contacts: &mut [Contact]) {
    let model = scene.model;
    for contact in contacts {
        let is_passive = |flex: i32| flex >= 0 && model.flex_passive[flex as usize] != 0;
        if contact.flex.into_iter().any(is_passive) {
            contact.exclude = PASSIVE;
        }
        let has_motion = contact.exclude == 0 || contact.exclude == PASSIVE && is_sparse(model);
        if has_motion && model.nv > 0 && !can_move(scene, contact) {
            contact.exclude = NOTHING_MOVES;
        }
    }
}

/// Whether any degree of freedom moves a side of the contact.
fn can_move(scene: &Scene<'_>, contact: &Contact) -> bool {
    let (model, mut is_moving) = (scene.model, false);
    for side in 0..2 {
        for_each_body(model, scene.flex, contact, side, |body, _| {
            is_moving |= model.body_weldid[body] != 0;
        });
    }
    is_moving
}
