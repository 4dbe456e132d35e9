//! Limits of joints.
//!
//! A slide or hinge has a lower and an upper bound, each a row of its own; a ball joint is bounded in
//! its angle of rotation from the reference. A row exists where the distance to the bound is below the
//! margin.

use super::{NewRows, Row, Source};
use crate::joint::quat_at;
use core::ops::Range;
use sinew_math::series::Series;
use sinew_math::{Lift, Mask, Real, Vec3};
use sinew_model::kinds::{Constraint, JointType};

/// Sides of a range: the lower bound, the upper bound. Towards the bound of a side its distance falls.
pub const SIDES: [f64; 2] = [-1.0, 1.0];

/// Distance to the bound of a side, negative beyond it.
#[inline(always)]
pub fn distance<T: Real>(side: f64, bound: T, position: T) -> T {
    T::from_f64(side) * (bound - position)
}

/// A ball's distance to its greatest angle, and the axis of its rotation in its own frame.
#[inline(always)]
pub fn ball<T: Real>(qpos: &Series<T>, address: usize, [low, high]: [T; 2]) -> (T, Vec3<T>) {
    let rotation = quat_at(qpos, address).normalized().to_velocity(T::ONE);
    let (axis, angle) = rotation.normalize();
    (low.max_of(high) - angle, axis)
}

/// Rows of the limits of joints.
#[inline(always)]
pub fn rows<T: Real, V: Lift<T>>(
    source: &Source<'_, V>,
    qpos: &Series<T>,
    joints: Range<usize>,
    out: &mut impl NewRows<T>,
) {
    let (tree, values) = (&source.tree, &source.values);
    for joint in joints {
        if source.constrained.jnt_limited[joint] == 0 {
            continue;
        }
        let margin: T = values.jnt_margin[joint].lift();
        let range: [T; 2] = values.jnt_range[joint].lift();
        let address = tree.jnt_qposadr[joint] as usize;
        let dof = tree.jnt_dofadr[joint];
        let row = |pos: T| Row {
            kind: Constraint::LimitJoint,
            id: joint,
            pos,
            margin,
            frictionloss: T::ZERO,
        };
        match JointType::from_code(tree.jnt_type[joint]) {
            Some(JointType::Slide | JointType::Hinge) => {
                for (&side, &bound) in SIDES.iter().zip(&range) {
                    let pos = distance(side, bound, qpos[address]);
                    let exists = pos.less(margin);
                    if exists.any() {
                        out.add_few(exists, row(pos), [dof], [T::from_f64(-side)]);
                    }
                }
            }
            Some(JointType::Ball) => {
                let (pos, axis) = ball(qpos, address, range);
                let exists = pos.less(margin);
                if exists.any() {
                    out.add_few(exists, row(pos), [dof, dof + 1, dof + 2], (-axis).0);
                }
            }
            _ => {}
        }
    }
}
