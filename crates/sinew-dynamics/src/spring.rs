//! Springs and dampers of joints and tendons.
//!
//! A joint spring pulls towards `qpos_spring`, rotations along the shortest turn. Dampers are linear
//! in velocity. Forces that nothing makes stay as they are: whoever calls clears them first.

use crate::joint;
use core::ops::Range;
use sinew_math::series::Series;
use sinew_math::{Lift, Mask, Real};
use sinew_model::joint::Layout;
use sinew_model::view::{Tree, TreeValues};

/// Forces of the springs of joints.
#[inline(always)]
pub fn springs<T: Real, V: Lift<T>>(
    tree: &Tree<'_>,
    values: &TreeValues<'_, V>,
    qpos: &Series<T>,
    joints: Range<usize>,
    qfrc: &mut Series<T>,
) {
    for j in joints {
        let stiffness: T = values.jnt_stiffness[j].lift();
        let is_slack = stiffness.equals(T::ZERO);
        if is_slack.all() {
            continue;
        }
        let layout = Layout::of(tree.jnt_type[j]);
        let address = tree.jnt_qposadr[j] as usize;
        let dof = tree.jnt_dofadr[j] as usize;
        joint::displacement(layout, qpos, values.qpos_spring, address, |k, away| {
            let force = &mut qfrc[dof + k];
            *force = T::select(is_slack, *force, -stiffness * away);
        });
    }
}

/// Forces of the dampers of joints.
#[inline(always)]
pub fn dampers<T: Real, V: Lift<T>>(
    values: &TreeValues<'_, V>,
    qvel: &Series<T>,
    dofs: Range<usize>,
    qfrc: &mut Series<T>,
) {
    for i in dofs {
        let damping: T = values.dof_damping[i].lift();
        let is_free = damping.equals(T::ZERO);
        if !is_free.all() {
            qfrc[i] = T::select(is_free, qfrc[i], -damping * qvel[i]);
        }
    }
}

/// How far a length is outside its dead band, towards the band.
#[inline(always)]
pub fn outside_band<T: Real>(length: T, [lower, upper]: [T; 2]) -> T {
    let from_below = T::select(length.less(lower), lower - length, T::ZERO);
    T::select(length.greater(upper), upper - length, from_below)
}
