//! What tendons with inertia add to the bias: m·Jᵀ(J̇·q̇) for strings, by a team. Each member computes some tendons, then some
//! degrees of freedom. The rate J̇ is that of straight pieces; inertia excludes wrapping.

use crate::Number;
use crate::local::{Local, com_of, kinematics_of};
use crate::scene::Scene;
use crate::sums::dot_of;
use crate::team::Team;
use crate::tendon::Cord;
use sinew_dynamics::jacobian::{offset, translation_column};
use sinew_math::series::Cells;
use sinew_math::spatial::{Spatial, cross_motion, rotation, shift_motion, translation};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::joint::Layout;
use sinew_model::kinds::WrapType;

/// Adds to the bias what all strings with inertia do.
#[inline(always)]
pub(crate) fn add<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    at: &mut Local<'_, T>,
    which: usize,
) {
    let head = &scene.head;
    if head.heavy_strings == 0 {
        return;
    }
    team.each(head.cords, |index| {
        let cord = Cord::new(scene, index);
        let is_heavy = cord.is_spatial() && cord.armature() != T::ZERO;
        let rate = |dof: usize| entry_rate(scene, at, cord.tendon(), dof) * at.qvel[dof];
        let coefficient = match is_heavy {
            true => cord.armature() * dot_of(head.nv, rate),
            false => T::ZERO,
        };
        // Forces of springs are added up already.
        at.general.cord_spring[index] = coefficient;
    });
    let (general, bias) = (&at.general, &mut *at.forces[which]);
    team.each(head.nv, |dof| {
        for cord in 0..head.cords {
            let coefficient = general.cord_spring[cord];
            if coefficient != T::ZERO && general.is_stored(scene, cord, dof) {
                bias[dof] += general.cord_entry(head.nv, cord, dof) * coefficient;
            }
        }
    });
}

/// How fast an entry of a string's row changes.
#[inline(always)]
fn entry_rate<T: Number>(scene: &Scene<'_, T>, at: &Local<'_, T>, tendon: usize, dof: usize) -> T {
    let (extra, attached) = (&scene.extra, &scene.attached);
    let start = extra.tendon_adr[tendon] as usize;
    let end = start + extra.tendon_num[tendon] as usize;
    let sites = kinematics_of(&at.kinematics).site_xpos;
    let is_site = |k: usize| extra.wrap_type[k] == WrapType::Site.code();
    let site_at = |k: usize| {
        let site = extra.wrap_objid[k] as usize;
        (attached.site_bodyid[site] as usize, *sites.at(site))
    };
    let (mut sum, mut divisor) = (T::ZERO, T::ONE);
    let mut k = start;
    while k + 1 < end {
        if extra.wrap_type[k] == WrapType::Pulley.code() {
            divisor = extra.wrap_prm[k];
        }
        if is_site(k) && is_site(k + 1) {
            let ends = [site_at(k), site_at(k + 1)];
            if ends[0].0 != ends[1].0 {
                sum = piece_rate(scene, at, ends, dof, divisor, sum);
            }
        }
        k += 1;
    }
    sum
}

/// Adds how fast the entry of a straight piece between two sites changes.
#[inline(always)]
fn piece_rate<T: Number>(
    scene: &Scene<'_, T>,
    at: &Local<'_, T>,
    ends: [(usize, Vec3<T>); 2],
    dof: usize,
    divisor: T,
    before: T,
) -> T {
    let com = com_of(&at.com);
    let [first, second] = ends;
    let (direction, length) = (second.1 - first.1).normalize();
    let relative = point_velocity(scene, at, second) - point_velocity(scene, at, first);
    let across = relative.add_scaled(direction, -relative.dot(direction));
    let is_long = length > T::from_f64(MIN_VALUE);
    let turning = across * if is_long { T::ONE / length } else { T::ZERO };
    let mut sum = before;
    for (end, sign) in [(second, T::ONE), (first, -T::ONE)] {
        if !scene.moves(dof, end.0) {
            continue;
        }
        let cdof = *com.cdof.at(dof);
        let arm = offset(&scene.tree, com.subtree_com, end.0, end.1);
        let rate = axis_rate(scene, at, dof, &cdof);
        let rate = translation(&rate)
            + rotation(&rate).cross(arm)
            + rotation(&cdof).cross(point_velocity(scene, at, end));
        let column = translation_column(&cdof, arm);
        sum += sign * (rate.dot(direction) + column.dot(turning)) / divisor;
    }
    sum
}

/// How fast a point of a body moves.
#[inline(always)]
fn point_velocity<T: Number>(
    scene: &Scene<'_, T>,
    at: &Local<'_, T>,
    (body, point): (usize, Vec3<T>),
) -> Vec3<T> {
    if scene.tree.body_weldid[body] == 0 {
        return Vec3::zero();
    }
    let origin = *at.com.subtree_com.at(scene.tree.body_rootid[body] as usize);
    let moving = *at.velocity.cvel.at(body);
    translation(&shift_motion(&moving, point, origin))
}

/// How fast a motion axis changes as its body carries it. Axes of balls move with the body they turn.
#[inline(always)]
fn axis_rate<T: Number>(
    scene: &Scene<'_, T>,
    at: &Local<'_, T>,
    dof: usize,
    cdof: &Spatial<T>,
) -> Spatial<T> {
    let tree = &scene.tree;
    let joint = tree.dof_jntid[dof] as usize;
    let within_joint = dof - tree.jnt_dofadr[joint] as usize;
    if Layout::of(tree.jnt_type[joint]).is_turn(within_joint) {
        let velocity = *at.velocity.cvel.at(tree.dof_bodyid[dof] as usize);
        cross_motion(&velocity, cdof)
    } else {
        *at.velocity.cdof_dot.at(dof)
    }
}
