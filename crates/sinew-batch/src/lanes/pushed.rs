//! Forces on bodies as wholes, one world per lane: weight that is carried, the fluid around them, wrenches of users.

use sinew_dynamics::com::ComRef;
use sinew_dynamics::fluid::{Interaction, on_box, on_ellipsoid};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_dynamics::velocity::ComVelocityRef;
use sinew_dynamics::wrench;
use sinew_engine::velocity::passive::{fluid, gravcomp};
use sinew_math::spatial::{Spatial, into_axes, rotation, shift_motion, translation};
use sinew_math::{Lift, MIN_VALUE, Mask, Mat3, Real, Vec3};
use sinew_model::Model;
use sinew_model::view::Tree;

/// Where bodies are and how they move.
pub(super) struct Motion<'a, T> {
    pub kinematics: KinematicsRef<'a, T>,
    pub com: ComRef<'a, T>,
    pub velocity: ComVelocityRef<'a, T>,
}

/// Adds the forces that carry a share of the weight of bodies; false if there are none.
#[inline(always)]
pub(super) fn add_carried<T: Real>(model: &Model, motion: &Motion<'_, T>, qfrc: &mut [T]) -> bool {
    if !gravcomp::is_active(model) {
        return false;
    }
    let tree = &Tree::from(model);
    for body in (1..model.nbody).filter(|&body| model.body_gravcomp[body] != 0.0) {
        let share = model.body_mass[body] * model.body_gravcomp[body];
        let force = (model.opt.gravity * -share).lift();
        let at = (body, motion.kinematics.xipos[body]);
        let wrench = (force, Vec3::zero());
        wrench::apply(tree, &motion.com, at, wrench, T::Mask::ALL, qfrc);
    }
    true
}

/// Adds the forces of the fluid; false if there is none.
#[inline(always)]
pub(super) fn add_fluid<T: Real>(model: &Model, motion: &Motion<'_, T>, qfrc: &mut [T]) -> bool {
    if !fluid::has_fluid(model) {
        return false;
    }
    let (medium, poses) = (fluid::medium(model), &motion.kinematics);
    for body in 0..model.nbody {
        // What is fixed to the world is not moved by it.
        if model.body_mass[body] < MIN_VALUE || model.body_weldid[body] == 0 {
            continue;
        }
        if !fluid::uses_ellipsoids(model, body) {
            let frame = (poses.xipos[body], &poses.ximat[body]);
            let v = relative_velocity(model, motion, body, frame);
            let f = on_box(&v, medium, fluid::box_of(model, body));
            apply_in_frame(model, motion, body, frame, &f, qfrc);
            continue;
        }
        for geom in fluid::body_geoms(model, body) {
            let interaction = &Interaction::of(&model.geom_fluid[geom]);
            if interaction.scale != 0.0 {
                let frame = (poses.geom_xpos[geom], &poses.geom_xmat[geom]);
                let v = relative_velocity(model, motion, body, frame);
                let axes = fluid::semi_axes(model, geom);
                let f = on_ellipsoid(&v, medium, axes, interaction);
                apply_in_frame(model, motion, body, frame, &f, qfrc);
            }
        }
    }
    true
}

/// Velocity of a frame relative to the fluid, in the frame's axes.
#[inline(always)]
fn relative_velocity<T: Real>(
    model: &Model,
    motion: &Motion<'_, T>,
    body: usize,
    (point, axes): (Vec3<T>, &Mat3<T>),
) -> Spatial<T> {
    let origin = motion.com.subtree_com[model.body_rootid[body] as usize];
    let mut v = into_axes(
        &shift_motion(&motion.velocity.cvel[body], point, origin),
        axes,
    );
    let wind = axes.transpose_mul(model.opt.wind.lift());
    for k in 0..3 {
        v[3 + k] -= wind[k];
    }
    v
}

#[inline(always)]
fn apply_in_frame<T: Real>(
    model: &Model,
    motion: &Motion<'_, T>,
    body: usize,
    (point, axes): (Vec3<T>, &Mat3<T>),
    f: &Spatial<T>,
    qfrc: &mut [T],
) {
    let wrench = (*axes * translation(f), *axes * rotation(f));
    let (tree, com) = (&Tree::from(model), &motion.com);
    wrench::apply(tree, com, (body, point), wrench, T::Mask::ALL, qfrc);
}

/// Squares of wrenches beyond this are left to the engine.
const MOST_SQUARE: f64 = 1e30;

/// Adds the forces and torques that users apply to bodies. Returns the lanes in which they are too large to be trusted.
#[inline(always)]
pub(super) fn add_wrenches<T: Real>(
    model: &Model,
    motion: &Motion<'_, T>,
    wrenches: &[[T; 6]],
    qfrc: &mut [T],
) -> T::Mask {
    let tree = &Tree::from(model);
    let mut is_wild = T::Mask::NONE;
    for body in 1..model.nbody {
        let [fx, fy, fz, tx, ty, tz] = wrenches[body];
        let (force, torque) = (Vec3([fx, fy, fz]), Vec3([tx, ty, tz]));
        let is_idle = force.equals(Vec3::zero()) & torque.equals(Vec3::zero());
        if !is_idle.all() {
            let at = (body, motion.kinematics.xipos[body]);
            wrench::apply(tree, &motion.com, at, (force, torque), !is_idle, qfrc);
            let square = force.dot(force) + torque.dot(torque);
            is_wild = is_wild | !square.at_most(T::from_f64(MOST_SQUARE));
        }
    }
    is_wild
}
