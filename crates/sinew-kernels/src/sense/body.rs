//! Forces between bodies, and momenta of subtrees.

use super::touch::Kept;
use crate::Number;
use crate::block::{State, Words};
use crate::local::{Local, com_of, kinematics_of};
use crate::scene::Scene;
use sinew_dynamics::bias::body_force;
use sinew_math::series::Cells;
use sinew_math::spatial::{
    Spatial, add, rotation, scale, shift_force, shift_motion, spatial, translation,
};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::kinds::{EqualityType, ObjectType};

/// Forces on bodies from outside: what users apply, contacts, connects and welds.
#[inline(always)]
pub(crate) fn external<T: Number>(
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    kept: &Kept<'_, T>,
    words: &Words<'_, i32>,
    at: &mut Local<'_, T>,
) {
    for body in 0..scene.head.nbody {
        *at.sensed.external.at_mut(body) = applied(scene, state, at, body);
    }
    for i in 0..kept.count {
        let touch = kept.get(i);
        if !touch.is_felt() {
            continue;
        }
        let [force, torque] = touch.in_world(kept);
        let wrench = spatial(torque, force);
        let [first, second] = touch.pair.bodies();
        add_at(scene, (first, touch.pos), &scale(&wrench, -T::ONE), at);
        add_at(scene, (second, touch.pos), &wrench, at);
    }
    let mut row = 0;
    while row < words.counts[1] as usize {
        let equality = words.equality_ids[row] as usize;
        row += equality_force(scene, equality, &kept.force[row..], at);
    }
}

/// Force and torque that each body has from its parent, once accelerations are known: written where forces on bodies were.
#[inline(always)]
pub(super) fn forces<T: Number>(
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    kept: &Kept<'_, T>,
    words: &Words<'_, i32>,
    at: &mut Local<'_, T>,
) {
    let head = &scene.head;
    external(scene, state, kept, words, at);
    for body in 0..head.nbody {
        let (inertia, velocity) = (*at.com.cinert.at(body), *at.velocity.cvel.at(body));
        let acceleration = *at.body_acceleration.at(body);
        let needed = body_force(&inertia, &velocity, &acceleration);
        let external = *at.sensed.external.at(body);
        let mut internal = [T::ZERO; 6];
        for k in 0..6 {
            internal[k] = match body {
                0 => T::ZERO,
                _ => needed[k] - external[k],
            };
        }
        *at.body_force.at_mut(body) = internal;
    }
    for body in (1..head.nbody).rev() {
        let parent = scene.tree.body_parentid[body] as usize;
        let (above, own) = (*at.body_force.at(parent), *at.body_force.at(body));
        *at.body_force.at_mut(parent) = add(&above, &own);
    }
}

/// What the user applies to a body.
#[inline(always)]
fn applied<T: Number>(
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &Local<'_, T>,
    body: usize,
) -> Spatial<T> {
    let none = [T::ZERO; 6];
    if body == 0 || scene.head.wrenches == 0 {
        return none;
    }
    let [fx, fy, fz, tx, ty, tz]: [T; 6] = state.wrenches.as_chunks().0[body];
    let wrench = [tx, ty, tz, fx, fy, fz];
    if wrench == none {
        return none;
    }
    let origin = *at.com.subtree_com.at(scene.tree.body_rootid[body] as usize);
    shift_force(&wrench, origin, *at.kinematics.xipos.at(body))
}

/// Adds a force and torque at a point to what acts on a body; the world takes none.
#[inline(always)]
fn add_at<T: Number>(
    scene: &Scene<'_, T>,
    (body, point): (usize, Vec3<T>),
    wrench: &Spatial<T>,
    at: &mut Local<'_, T>,
) {
    if body > 0 {
        let origin = *at.com.subtree_com.at(scene.tree.body_rootid[body] as usize);
        let shifted = shift_force(wrench, origin, point);
        let before = *at.sensed.external.at(body);
        *at.sensed.external.at_mut(body) = add(&before, &shifted);
    }
}

/// Adds the forces of a connect or weld at its anchors; how many rows it has.
#[inline(always)]
fn equality_force<T: Number>(
    scene: &Scene<'_, T>,
    equality: usize,
    force: &[T],
    at: &mut Local<'_, T>,
) -> usize {
    let constrained = &scene.constrained;
    let (rows, is_weld) = match EqualityType::from_code(constrained.eq_type[equality]) {
        Some(EqualityType::Connect) => (3, false),
        Some(EqualityType::Weld) => (6, true),
        _ => return 1,
    };
    let torque = match is_weld {
        true => Vec3([force[3], force[4], force[5]]),
        false => Vec3::zero(),
    };
    let wrench = spatial(torque, Vec3([force[0], force[1], force[2]]));
    let is_body = constrained.eq_objtype[equality] == ObjectType::Body.code();
    let data = &scene.constrained_values.eq_data[equality];
    let anchor = |object: usize, first: usize, at: &Local<'_, T>| {
        let kinematics = &kinematics_of(&at.kinematics);
        if is_body {
            let local = Vec3([data[first], data[first + 1], data[first + 2]]);
            (object, kinematics.point(object, local))
        } else {
            let body = scene.attached.site_bodyid[object] as usize;
            let local = scene.attached_values.site_pos[object];
            (body, kinematics.point(body, local))
        }
    };
    // A connect gives the anchor in the first body first, a weld in the second.
    let (in_first, in_second) = if is_weld { (3, 0) } else { (0, 3) };
    let first = anchor(constrained.eq_obj1id[equality] as usize, in_first, at);
    let second = anchor(constrained.eq_obj2id[equality] as usize, in_second, at);
    add_at(scene, first, &wrench, at);
    add_at(scene, second, &scale(&wrench, -T::ONE), at);
    rows
}

/// Velocities of the centres of mass of subtrees, and their angular momenta.
#[inline(always)]
pub(super) fn momenta<T: Number>(scene: &Scene<'_, T>, at: &mut Local<'_, T>) {
    let (tree, values, nbody) = (&scene.tree, &scene.values, scene.head.nbody);
    let (kinematics, com) = (&kinematics_of(&at.kinematics), &com_of(&at.com));
    let out = &mut at.sensed;
    for i in 0..nbody {
        let mut v = [T::ZERO; 6];
        if tree.body_weldid[i] != 0 {
            let origin = *com.subtree_com.at(tree.body_rootid[i] as usize);
            let moving = *at.velocity.cvel.at(i);
            v = shift_motion(&moving, *kinematics.xipos.at(i), origin);
        }
        let ximat = *kinematics.ximat.at(i);
        let local = ximat.transpose_mul(rotation(&v));
        *out.centre.at_mut(i) = translation(&v);
        *out.linear.at_mut(i) = translation(&v) * values.body_mass[i];
        *out.angular.at_mut(i) = ximat * local.component_mul(values.body_inertia[i]);
    }
    for i in (0..nbody).rev() {
        let momentum = *out.linear.at(i);
        if i > 0 {
            *out.linear.at_mut(tree.body_parentid[i] as usize) += momentum;
        }
        let mass = values.body_subtreemass[i].max_of(T::from_f64(MIN_VALUE));
        *out.linear.at_mut(i) = momentum * (T::ONE / mass);
    }
    for i in (1..nbody).rev() {
        let parent = tree.body_parentid[i] as usize;
        // The body about its subtree, then the subtree about the parent's.
        let (own, above) = (*com.subtree_com.at(i), *com.subtree_com.at(parent));
        let (speed, above_speed) = (*out.linear.at(i), *out.linear.at(parent));
        let arm = *kinematics.xipos.at(i) - own;
        let slip = (*out.centre.at(i) - speed) * values.body_mass[i];
        *out.angular.at_mut(i) += arm.cross(slip);
        let momentum = *out.angular.at(i);
        let slip = (speed - above_speed) * values.body_subtreemass[i];
        let mut sum = *out.angular.at(parent);
        sum += momentum;
        sum += (own - above).cross(slip);
        *out.angular.at_mut(parent) = sum;
    }
}
