//! Where two geoms touch.

use super::{Contact, middle, mixing};
use crate::position::kinematics::Kinematics;
use sinew_collision::pair::{self, Shape, Touch};
use sinew_model::Model;
use sinew_model::kinds::GeomType;

/// Whether the contact bits of two geoms allow a contact.
pub(super) fn bits_match(model: &Model, first: usize, second: usize) -> bool {
    model.geom_contype[first] & model.geom_conaffinity[second] != 0
        || model.geom_contype[second] & model.geom_conaffinity[first] != 0
}

/// Contacts of two geoms with mixed parameters.
pub(super) fn geoms(
    model: &Model,
    kinematics: &Kinematics,
    first: usize,
    second: usize,
    touches: &mut Vec<Touch>,
    out: &mut Vec<Contact>,
) {
    let (first, second) = by_type(model, first, second);
    let margin = mixing::margin(model, first, second);
    if !find(model, kinematics, first, second, margin, touches) {
        return;
    }
    let parameters = mixing::mix(model, first, second, margin);
    let ids = [first as i32, second as i32];
    out.extend(touches.iter().map(|touch| parameters.contact(touch, ids)));
}

/// Contacts of an explicit pair, which has parameters of its own and ignores contact bits.
pub(super) fn explicit(
    model: &Model,
    kinematics: &Kinematics,
    pair: usize,
    touches: &mut Vec<Touch>,
    out: &mut Vec<Contact>,
) {
    let (first, second) = by_type(
        model,
        model.pair_geom1[pair] as usize,
        model.pair_geom2[pair] as usize,
    );
    let margin = mixing::pair_margin(model, pair);
    if !find(model, kinematics, first, second, margin, touches) {
        return;
    }
    let parameters = mixing::of_pair(model, pair, margin);
    let ids = [first as i32, second as i32];
    out.extend(touches.iter().map(|touch| parameters.contact(touch, ids)));
}

fn by_type(model: &Model, first: usize, second: usize) -> (usize, usize) {
    if model.geom_type[first] > model.geom_type[second] {
        (second, first)
    } else {
        (first, second)
    }
}

fn shape(model: &Model, kinematics: &Kinematics, geom: usize) -> Shape {
    Shape {
        pos: kinematics.geom_xpos[geom],
        mat: kinematics.geom_xmat[geom],
        size: model.geom_size[geom],
    }
}

/// Fills `touches`; false when there are none. Geoms come ordered by type.
fn find(
    model: &Model,
    kinematics: &Kinematics,
    first: usize,
    second: usize,
    margin: f64,
    touches: &mut Vec<Touch>,
) -> bool {
    touches.clear();
    if !middle::spheres_overlap(model, kinematics, first, second, margin) {
        return false;
    }
    let (Some(type1), Some(type2)) = (
        GeomType::from_code(model.geom_type[first]),
        GeomType::from_code(model.geom_type[second]),
    ) else {
        return false;
    };
    let shape1 = shape(model, kinematics, first);
    let shape2 = shape(model, kinematics, second);
    use GeomType::{Box, Capsule, Cylinder, Plane, Sphere};
    match (type1, type2) {
        (Plane, Sphere) => pair::plane_sphere(&shape1, &shape2, margin, touches),
        (Plane, Capsule) => pair::plane_capsule(&shape1, &shape2, margin, touches),
        (Plane, Cylinder) => pair::plane_cylinder(&shape1, &shape2, margin, touches),
        (Plane, Box) => pair::plane_box(&shape1, &shape2, margin, touches),
        (Sphere, Sphere) => pair::sphere_sphere(&shape1, &shape2, margin, touches),
        (Sphere, Capsule) => pair::sphere_capsule(&shape1, &shape2, margin, touches),
        (Sphere, Cylinder) => pair::sphere_cylinder(&shape1, &shape2, margin, touches),
        (Sphere, Box) => pair::sphere_box(&shape1, &shape2, margin, touches),
        (Capsule, Capsule) => pair::capsule_capsule(&shape1, &shape2, margin, touches),
        (Capsule, Box) => pair::capsule_box(&shape1, &shape2, margin, touches),
        (Box, Box) => {
            pair::box_box(&shape1, &shape2, margin, touches);
            pair::drop_outside_and_repeated(&shape1, &shape2, margin, touches, 0);
        }
        _ => {}
    }
    !touches.is_empty()
}
